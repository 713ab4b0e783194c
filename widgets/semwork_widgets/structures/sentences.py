"""The second panel of the lesson on latent alignments: words and edges of two sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.plots import joined_figure, learning_figure, verdicts_figure, weights_figure
from semwork.studies.sentence_alignments import SentenceAlignments
from semwork_widgets.live_figure import Point
from semwork_widgets.structures.clicks import number_of, this_iteration
from semwork_widgets.study_panel import OneOf, Picture, StudyPanel

__all__ = ["sentence_alignments"]

_NONE_OF_YOURS = {"left": "", "right": ""}


def sentence_alignments(data: Any = None) -> StudyPanel:
    """A panel that learns which sentences say the same, and shows how their words and edges are mapped on the way.

    It needs spaCy, WordNet and the pairs, and says so where they are not there. A click on a test pair shows it.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Sentences",
        SentenceAlignments,
        {
            "alignment": Picture(joined_figure, "alignment"),
            "learning": Picture(learning_figure, "learning"),
            "below": OneOf(
                "look_at",
                {"test pairs": Picture(verdicts_figure, "judged"), "weights": Picture(weights_figure, "weights")},
            ),
        },
        clicks={"learning": this_iteration, "below": _this_pair},
        reactions={"pair": _forget_yours},
        views_first=True,
        data=data,
    )


def _this_pair(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    number = number_of(point)
    return None if number is None else {"pair": number, **_NONE_OF_YOURS}


def _forget_yours(_: Mapping[str, Any]) -> Mapping[str, Any]:
    """A pair of the reader's would stay in front of the test pair."""
    return _NONE_OF_YOURS

"""The panel of the lesson on latent alignments: names in two scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.plots import joined_figure, learning_figure, mistakes_figure, weights_figure
from semwork.studies.name_alignments import NameAlignments
from semwork_widgets.live_figure import Point
from semwork_widgets.structures.clicks import this_iteration
from semwork_widgets.study_panel import OneOf, Picture, StudyPanel

__all__ = ["latent_alignments"]


def latent_alignments(data: Any = None) -> StudyPanel:
    """A panel that learns which names are the same, and shows how their letters are joined on the way.

    A click on a curve goes to that iteration, a click on a mistake shows its alignment.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Latent alignments",
        NameAlignments,
        {
            "alignment": Picture(joined_figure, "alignment"),
            "learning": Picture(learning_figure, "learning"),
            "below": OneOf(
                "look_at",
                {"mistakes": Picture(mistakes_figure, "mistakes"), "weights": Picture(weights_figure, "weights")},
            ),
        },
        clicks={"learning": this_iteration, "below": _these_names},
        views_first=True,
        data=data,
    )


def _these_names(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if not isinstance(point.customdata, list | tuple) or len(point.customdata) != 2:
        return None
    english, foreign = map(str, point.customdata)
    return {"english": english, "foreign": foreign}

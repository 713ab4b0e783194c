"""The panel of lesson 01: one sentence, its observed words, its missing words, and three hypotheses about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.plots import neighbour_figure, tradeoff_figure, word_figure
from semwork.studies.missing_words import MissingWords
from semwork_widgets.live_figure import Point
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["missing_words"]


def missing_words(data: Any = None) -> StudyPanel:
    """A panel that shows one sentence as WTMF sees it: its words, its missing words, R_o, R_m and its neighbours.

    A click on a near definition chooses it; a click on a score moves w_m there.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Missing words",
        MissingWords,
        {
            "words": Picture(word_figure, "words"),
            "hypotheses": Picture(tradeoff_figure, "hypotheses"),
            "neighbours": Picture(neighbour_figure, "neighbours"),
        },
        clicks={"neighbours": _this_definition, "hypotheses": _this_weight},
        data=data,
    )


def _this_definition(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if point.customdata is None:
        return None
    return {"definition": point.customdata[0], "sense": int(point.customdata[1])}


def _this_weight(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return {"missing_weight": point.customdata} if isinstance(point.customdata, int | float) else None

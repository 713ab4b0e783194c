"""The panel of the lesson on concept retrieval: all models on one task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.plots import explanation_figure, query_ranks_figure, race_figure
from semwork.studies.retrieval_race import LISTED, THE_RIGHT_ONE, RetrievalRace
from semwork_widgets.live_figure import Point
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["retrieval_race"]


def retrieval_race(data: Any = None) -> StudyPanel:
    """A panel that sets WTMF against its rivals on concept retrieval, and shows for any query why.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Find the definition: all models",
        RetrievalRace,
        {
            "models": Picture(race_figure, "curves", ("axis",)),
            "queries": Picture(query_ranks_figure, "queries"),
            "why": Picture(explanation_figure, "why"),
        },
        clicks={"queries": _this_query, "why": _this_candidate},
        data=data,
    )


def _this_query(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return {"query": point.customdata} if isinstance(point.customdata, str) else None


def _this_candidate(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if point.name != "ranking":
        return None
    place = int(point.customdata)
    return {"candidate": str(place) if place <= LISTED else THE_RIGHT_ONE}

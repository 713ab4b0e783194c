"""The panel of the lesson on Gaussian topics: ellipses among words, moving sweep by sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.plots import document_topics_figure, topic_curves_figure, topic_figure, topic_map_figure
from semwork.studies.gaussian_topics import GaussianTopics
from semwork_widgets.live_figure import Point
from semwork_widgets.study_panel import OneOf, Picture, StudyPanel

__all__ = ["gaussian_topics"]


def gaussian_topics(data: Any = None) -> StudyPanel:
    """A panel in which Gaussian topics find their words, with LDA beside them.

    A click on a word, a topic or a bar chooses a topic, one on a curve goes to that sweep, one on a document opens it.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    below = {"topic": Picture(topic_figure, "one_topic"), "document": Picture(document_topics_figure, "one_document")}
    return StudyPanel(
        "Gaussian topics",
        GaussianTopics,
        {
            "map": Picture(topic_map_figure, "plane"),
            "curves": Picture(topic_curves_figure, "curves"),
            "below": OneOf("look_at", below),
        },
        clicks={"map": _this_topic, "curves": _this_sweep, "below": _open},
        views_first=True,
        data=data,
    )


def _this_topic(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return {"topic": int(point.customdata)} if isinstance(point.customdata, int | float) else None


def _this_sweep(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return {"sweep": int(point.customdata)} if isinstance(point.customdata, int | float) else None


def _open(point: Point, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Open a document of a topic, or choose a topic of a document."""
    if values["look_at"] == "document" or not isinstance(point.customdata, int | float):
        return _this_topic(point, values)
    return {"document": int(point.customdata), "look_at": "document"}

"""The first live panel: one slider per parameter of WTMF, one curve."""

from __future__ import annotations

from semwork.plots import recall_figure
from semwork.studies.first_curve import FirstCurve
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["first_curve"]


def first_curve() -> StudyPanel:
    """A panel that fits WTMF to the sample dictionaries and draws how soon the right definitions are found."""
    return StudyPanel("Find the definition", FirstCurve, {"figure": Picture(recall_figure, "recall")})

"""The sweeps of the lesson on concept retrieval, over w_m, λ and K."""

from __future__ import annotations

from typing import Any

from semwork.plots import sweep_figure
from semwork.studies.retrieval_sweep import RetrievalSweep
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["retrieval_sweep"]


def retrieval_sweep(data: Any = None) -> StudyPanel:
    """A panel that draws ATOP over w_m, λ and K, point by point; the paper's Figures 2 and 3 are the first and last.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel("Sweep w_m, λ and K", RetrievalSweep, {"figure": Picture(sweep_figure, "curves")}, data=data)

"""The panel of the lesson on semantic kernels: one decay, and all that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork.plots import alignment_figure, classifier_figure, kernel_figure, related_figure, spectrum_figure
from semwork.studies.kernel_decay import KernelDecay, nearest_stop
from semwork_widgets.live_figure import Point
from semwork_widgets.study_panel import OneOf, Picture, StudyPanel

__all__ = ["semantic_kernels"]


def semantic_kernels(data: Any = None) -> StudyPanel:
    """A panel that follows a decay: alignment, classifier, eigenvalues, documents and words.

    A click on the curve of the alignment moves the slider there.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Semantic kernels",
        KernelDecay,
        {
            "alignment": Picture(alignment_figure, "alignments"),
            "second": OneOf(
                "look_at",
                {
                    "classifier": Picture(classifier_figure, "classifier"),
                    "spectrum": Picture(spectrum_figure, "spectrum"),
                    "texts": Picture(kernel_figure, "texts"),
                    "words": Picture(related_figure, "words"),
                },
            ),
        },
        clicks={"alignment": _this_decay},
        data=data,
    )


def _this_decay(point: Point, values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Go to the nearest stop of the slider that the kernel has."""
    wanted = float(point.customdata[1]) if point.customdata else 0.0
    return {"relative_decay": nearest_stop(values["kind"], wanted)} if wanted > 0 else None

"""Log-likelihood, coherence and purity of topics along the sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import LEGEND_BELOW, add_reference, on_axes, side_by_side
from semwork.plots.style import PALETTE, axis_title, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["topic_curves_figure"]

_COLOURS = {"Gaussian LDA": PALETTE[0], "LDA": PALETTE[1]}
# Axis → its column of Gaussian LDA, that of LDA, where it stands, and its name.
_AXES = {
    "": ("log_likelihood", "", [0, 0.24], "log-likelihood per token"),
    "2": ("coherence", "lda coherence", [0.39, 0.62], "coherence, NPMI"),
    "3": ("purity", "lda purity", [0.77, 1], "purity"),
}
# The same without purity, of documents without labels.
_UNLABELLED = {"": (*_AXES[""][:2], [0, 0.42], _AXES[""][3]), "2": (*_AXES["2"][:2], [0.58, 1], _AXES["2"][3])}


def topic_curves_figure(history: pd.DataFrame, sweep: int, end: int, *, title: str = "") -> go.Figure:
    """Log-likelihood, coherence and purity along the sweeps, with LDA's beside them and a mark at one sweep.

    Parameters
    ----------
    history : DataFrame
        One row per ``sweep``: ``log_likelihood``, ``coherence``, ``lda coherence``, ``purity``, ``lda purity``. Purity
        has no axis where nobody knows it: of documents without labels.
    sweep : int
        The one that is marked.
    end : int
        How many sweeps there will be.
    title : str
        Stands above the figure. ``customdata`` of a point is its sweep.
    """
    figure = house_figure(title, "", "", height=280, hovermode="closest", legend=LEGEND_BELOW)
    axes = _AXES if history[["purity", "lda purity"]].notna().any(axis=None) else _UNLABELLED
    for axis, (gaussian, lda, _, _) in axes.items():
        for name, column in (("Gaussian LDA", gaussian), ("LDA", lda)):
            if column:
                figure.add_trace(_curve(history, name, column, axis, sweep))
    across = {"range": [0, max(end, 2) * 1.03], "zeroline": False, "title": axis_title("sweep")}
    plots = []
    for axis, (gaussian, lda, domain, text) in axes.items():
        values = history[[gaussian, lda] if lda else [gaussian]].to_numpy().ravel()
        low, high = _limits(values, skip=not axis)
        add_reference(figure, [sweep, sweep], [low, high], name="now", axis=axis)
        plots.append((domain, across, {"range": [low, high], "title": axis_title(text)}))
    figure.update_layout(margin={"b": 76, "t": 44}, **side_by_side(*plots))
    return figure


def _curve(history: pd.DataFrame, name: str, column: str, axis: str, sweep: int) -> dict[str, Any]:
    what = column.removeprefix("lda ").replace("_", "-")
    return {
        "type": "scatter",
        "name": name,
        "x": history["sweep"].to_numpy(),
        "y": history[column].to_numpy(),
        "customdata": history["sweep"].tolist(),
        "mode": "lines+markers",
        "line": {"color": _COLOURS[name], "width": 2},
        "marker": {"size": [11 if place == sweep else 4 for place in history["sweep"]], "color": _COLOURS[name]},
        "hovertemplate": f"{name}: {what} %{{y:.3f}} after sweep %{{x}}<br>click to go there<extra></extra>",
        "legendgroup": name,
        "showlegend": axis == "2",
        **on_axes(axis),
    }


def _limits(values: Any, *, skip: bool) -> tuple[float, float]:
    """Ends of an axis; the first values of a long climb may lie below it."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if skip and len(known) > 8:
        low = float(np.sort(known)[2])
    room = 0.08 * max(high - low, 1e-3)
    return low - room, high + room

"""The figure of a threshold between paraphrases and other pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import add_reference, upright_shape
from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["threshold_figure"]

_BELOW = {"orientation": "h", "x": 0, "y": -0.27, "yanchor": "top"}


def threshold_figure(
    scores: Any,
    labels: Any,
    threshold: float,
    accuracy: pd.DataFrame,
    bars: pd.DataFrame,
    *,
    learnt: float | None = None,
    title: str = "",
    height: int = 460,
) -> go.Figure:
    """The similarities of paraphrases and of other pairs, and a line between them that a reader can drag.

    Parameters
    ----------
    scores, labels : array of shape (n_pairs,)
        The similarity of each pair; true for a paraphrase.
    threshold : float
        Where the line stands: shape 0; a drag comes as ``shapes[0].x0``.
    accuracy : DataFrame
        Columns ``threshold`` and ``accuracy``: what each threshold would reach.
    bars : DataFrame
        Columns ``start`` and ``end`` of bars that are as wide as each other, and how many pairs each has: ``other``
        and ``paraphrases``.
    learnt : float or None
        A threshold to compare with, a dotted line.
    title : str
        Stands above the figure.
    height : int
        In pixels.
    """
    values, truth = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    figure = house_figure(
        title, "similarity; from the line on we say “paraphrase”", "pairs", height=height, barmode="overlay"
    )
    low, high = float(bars["start"].iloc[0]), float(bars["end"].iloc[-1])
    top = 1.12 * max(int(bars[["other", "paraphrases"]].to_numpy().max()), 1)
    _add_bars(figure, values, truth, (low, high, len(bars)))
    if learnt is not None:
        name = f"learnt on the training pairs: {learnt:.3f}"
        add_reference(figure, [learnt, learnt], [0, top], name=name, width=2, showlegend=True)
    reached = accuracy["accuracy"].to_numpy()
    figure.add_trace(
        go.Scatter(
            name="accuracy at each threshold (full height: 100 %)",
            x=accuracy["threshold"].to_numpy(),
            y=reached * top,
            customdata=reached,
            mode="lines",
            line={"color": PALETTE[2], "width": 2},
            hovertemplate="accuracy %{customdata:.1%} at %{x:.3f}<extra></extra>",
        )
    )
    _add_line(figure, threshold)
    figure.update_layout(legend=_BELOW, xaxis={"range": [low - 0.02, high + 0.02]}, yaxis={"range": [0, top]})
    return figure


def _add_bars(figure: go.Figure, values: Any, truth: Any, over: tuple[float, float, int]) -> None:
    """Add both histograms."""
    low, high, bins = over
    size = (high - low) / bins
    for name, rows, colour in (("no paraphrase", ~truth, PALETTE[1]), ("paraphrase", truth, PALETTE[0])):
        figure.add_trace(
            go.Histogram(
                name=f"{name} ({int(rows.sum()):,})",
                x=values[rows],
                xbins={"start": low, "end": high + size / 1000, "size": size},
                nbinsx=bins,
                marker={"color": colour},
                opacity=0.6,
                hovertemplate=f"{name}: %{{y}} pairs with a similarity of %{{x}}<extra></extra>",
            )
        )


def _add_line(figure: go.Figure, threshold: float) -> None:
    """Add the line that can be dragged."""
    figure.add_shape(upright_shape(threshold, colour=PALETTE[3], width=5, dash="solid", layer="above"))
    figure.add_annotation(
        text="◂ drag ▸",
        x=threshold,
        y=1,
        yref="y domain",
        yanchor="bottom",
        showarrow=False,
        font={"size": 12, "color": PALETTE[3]},
    )

"""Figures about finding things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from semwork.evaluation import atop, topk
from semwork.plots.style import PALETTE, house_figure

__all__ = ["recall_figure"]


def recall_figure(scores: Mapping[str, np.ndarray[Any, Any]], *, title: str = "", points: int = 200) -> go.Figure:
    """Recall of the target against the share of the candidates that is looked at, one curve per model.

    Parameters
    ----------
    scores
        Per model, one ATOP score per query: 1 when the target comes first, 0 when it comes last.
    title
        Stands above the figure.
    points
        How many places along the horizontal axis.
    """
    share = np.geomspace(1e-3, 1, points)
    figure = house_figure(title, "share of the candidates looked at", "share of the targets found", height=420)
    for number, (name, values) in enumerate(scores.items()):
        first = number == 0
        figure.add_trace(
            go.Scatter(
                name=f"{name}: ATOP {atop(values):.3f}",
                x=share,
                y=topk(values, share),
                mode="lines",
                line={
                    "color": PALETTE[number % len(PALETTE)],
                    "width": 3 if first else 2,
                    "dash": "solid" if first else "dash",
                },
                hovertemplate="top %{x:.1%}: %{y:.1%} found<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            name="chance: ATOP 0.500",
            x=share,
            y=share,
            mode="lines",
            line={"color": "#8c8c8c", "width": 1, "dash": "dot"},
            hoverinfo="skip",
        )
    )
    figure.update_xaxes(type="log", range=[-3, 0], tickformat="~%", tickvals=[0.001, 0.01, 0.1, 1])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_layout(legend={"x": 0.01, "xanchor": "left", "y": 0.99, "yanchor": "top"})
    return figure

"""Figures about finding things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from semwork.plots.grammar import add_chance
from semwork.plots.style import PALETTE, house_figure

__all__ = ["recall_figure"]


def recall_figure(share: Any, recall: Mapping[str, Any], atop: Mapping[str, float], *, title: str = "") -> go.Figure:
    """Recall of the target against the share of the candidates that is looked at, one curve per model.

    Parameters
    ----------
    share : ndarray of shape (n_points,)
        The share of the candidates that is looked at.
    recall : mapping of str to ndarray of shape (n_points,)
        Per model, the share of the targets that is found there; the first is drawn strongest.
    atop : mapping of str to float
        Per model, the area under its curve.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "share of the candidates looked at", "share of the targets found", height=420)
    for number, (name, values) in enumerate(recall.items()):
        style = {"width": 2, "dash": "dash"} if number else {"width": 3, "dash": "solid"}
        figure.add_trace(
            go.Scatter(
                name=f"{name}: ATOP {atop[name]:.3f}",
                x=share,
                y=values,
                mode="lines",
                line={"color": PALETTE[number % len(PALETTE)], **style},
                hovertemplate="top %{x:.1%}: %{y:.1%} found<extra></extra>",
            )
        )
    add_chance(figure, share, showlegend=True)
    figure.update_xaxes(type="log", range=[-3, 0], tickformat="~%", tickvals=[0.001, 0.01, 0.1, 1])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_layout(legend={"x": 0.01, "xanchor": "left", "y": 0.99, "yanchor": "top"})
    return figure

"""The figure of a walk along the weight of missing words."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from semwork.plots.grammar import GREY
from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["weight_figure"]


def weight_figure(
    correlations: pd.DataFrame,
    *,
    letter: str = "r",
    paper: Mapping[float, float] | None = None,
    weights: Sequence[float] = (),
    title: str = "",
    height: int = 460,
) -> go.Figure:
    """Correlation along w_m: one line per set (the mean over seeds), a band from the worst to the best seed.

    Parameters
    ----------
    correlations : DataFrame
        One row per weight and set: ``set``, ``missing_weight``, and ``mean``, ``min``, ``max`` and ``count`` of the
        seeds that have a correlation; NaN and 0 where none has.
    letter : str
        Of the correlation.
    paper : mapping of float to float
        Weight → what the paper reports, drawn as crosses.
    weights : sequence of float
        All weights of the walk, so that those still to come have their place.
    title : str
        Stands above the figure.
    height : int
        In pixels.
    """
    figure = house_figure(title, "w_m, the weight of missing words", f"correlation {letter} with people", height=height)
    shown = sorted({*correlations["missing_weight"], *(paper or {}), *weights})
    place = {weight: at for at, weight in enumerate(shown)}
    for number, name in enumerate(dict.fromkeys(correlations["set"])):
        found = correlations[(correlations["set"] == name) & (correlations["count"] > 0)]
        _add_set(figure, str(name), found, place, letter, number)
    if paper:
        figure.add_trace(
            go.Scatter(
                name="LI06 in the paper",
                x=[place[weight] for weight in paper],
                y=list(paper.values()),
                mode="markers",
                marker={"color": GREY, "symbol": "x", "size": 10},
                hovertemplate=f"the paper: {letter} = %{{y:.4f}}<extra></extra>",
            )
        )
    figure.update_xaxes(
        tickvals=list(place.values()),
        ticktext=[f"{weight:g}" for weight in shown],
        tickangle=-35 if len(shown) > 8 else 0,
        range=[-0.5, max(len(shown), 1) - 0.5],
        zeroline=False,
    )
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": -0.28, "yanchor": "top"})
    return figure


def _add_set(
    figure: go.Figure, name: str, found: pd.DataFrame, place: Mapping[float, int], letter: str, number: int
) -> None:
    """Add the line of one set, and its band where there are several seeds."""
    x, colour = [place[weight] for weight in found["missing_weight"]], PALETTE[number % len(PALETTE)]
    if (found["count"] > 1).any():
        figure.add_trace(
            go.Scatter(
                x=[*x, *x[::-1]],
                y=[*found["max"], *found["min"][::-1]],
                mode="lines",
                fill="toself",
                opacity=0.3,
                line={"color": colour, "width": 0.5},
                hoverinfo="skip",
                showlegend=False,
            )
        )
    figure.add_trace(
        go.Scatter(
            name=html.escape(name),
            x=x,
            y=found["mean"].tolist(),
            mode="lines+markers",
            line={"color": colour, "width": 3 if number == 0 else 1.5},
            customdata=[
                [f"{weight:g}", int(count)]
                for weight, count in zip(found["missing_weight"], found["count"], strict=True)
            ],
            hovertemplate=(
                f"{html.escape(name)}<br>w_m = %{{customdata[0]}}: {letter} = %{{y:.3f}} "
                "(mean of %{customdata[1]})<extra></extra>"
            ),
        )
    )

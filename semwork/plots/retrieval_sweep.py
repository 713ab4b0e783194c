"""Figures of sweeps: ATOP over a parameter, with the spread over seeds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.retrieval_race import model_colour
from semwork.plots.style import house_figure

if TYPE_CHECKING:
    from semwork.similarity.retrieval_sweep import SweepStep

__all__ = ["sweep_figure"]

# Guo & Diab (2012), Table 2, dev: w_m → ATOP with K = 100 (λ = 20, but λ = 0 for w_m = 1); K → ATOP.
_PAPER_WEIGHTS = {0.0: 0.8745, 0.0005: 0.9610, 0.01: 0.9555, 1.0: 0.8273}
_PAPER_SIZES = {"WTMF": {100: 0.9610}, "LDA": {100: 0.9506}}


def _number(value: float) -> str:
    return f"{value:g}"


def sweep_figure(step: SweepStep, *, paper: bool = False, title: str = "") -> go.Figure:
    """ATOP over the weight of missing words (Figure 2) and over the number of dimensions (Figure 3).

    Lines are means over the seeds that are there, bands one standard deviation to both sides.

    Parameters
    ----------
    step
        What a sweep knows so far.
    paper
        Whether the paper's points are shown beside ours. They are of its own data: compare the shape, not the height.
    title
        Stands above the figure.
    """
    figure = house_figure(title, "w_m, the weight of missing words", "ATOP", height=480)
    weights = [_number(w) for w in step.weights]
    papers = sorted({k for points in _PAPER_SIZES.values() for k in points}) if paper else []
    all_sizes = sorted({*step.sizes, *papers})
    for places, x in ((weights, "x"), ([_number(k) for k in all_sizes], "x2")):
        figure.add_trace(
            go.Scatter(
                name=f"words only: {step.words_only:.3f}",
                x=places,
                y=[step.words_only] * len(places),
                mode="lines",
                line={"color": model_colour("words only"), "width": 2, "dash": "dash"},
                xaxis=x,
                yaxis="y" + x[1:],
                hovertemplate="words only: ATOP %{y:.4f}<extra></extra>",
                legendgroup="words",
                showlegend=x == "x",
            )
        )
    _add_curves(figure, step.over_weight, "missing_weight", "x")
    _add_curves(figure, step.over_size, "n_components", "x2")
    if paper:
        _add_paper(figure, "WTMF", {_number(w): v for w, v in _PAPER_WEIGHTS.items()}, "x", named=True)
        for name, points in _PAPER_SIZES.items():
            _add_paper(figure, name, {_number(k): v for k, v in points.items()}, "x2", named=name == "LDA")
    figure.update_layout(
        xaxis={
            "domain": [0, 0.56],
            "type": "category",
            "tickangle": -45,
            "categoryorder": "array",
            "categoryarray": weights,
            "range": [-0.6, len(weights) - 0.4],
        },
        xaxis2={
            "domain": [0.66, 1],
            "anchor": "y2",
            "type": "category",
            "title": {"text": "K, dimensions"},
            "categoryorder": "array",
            "categoryarray": [_number(k) for k in all_sizes],
            "range": [-0.6, len(all_sizes) - 0.4],
        },
        yaxis2={"anchor": "x2", "matches": "y"},
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
        margin={"t": 84},
    )
    figure.update_xaxes(showgrid=False)
    return figure


def _add_curves(figure: go.Figure, table: Any, swept: str, x: str) -> None:
    named = {trace.name for trace in figure.data if trace.showlegend}
    for name, rows in table.groupby("model", sort=False):
        found = rows.groupby(swept)["atop"].agg(["mean", "std", "count"])
        mean, spread = found["mean"].to_numpy(), found["std"].fillna(0.0).to_numpy()
        at = [_number(value) for value in found.index]
        colour = model_colour(str(name))
        where = {"xaxis": x, "yaxis": "y" + x[1:], "legendgroup": str(name)}
        if (found["count"] > 1).any():
            figure.add_trace(
                go.Scatter(
                    name=f"{name}, ± 1 s.d.",
                    x=[*at, *reversed(at)],
                    y=np.concatenate([mean + spread, (mean - spread)[::-1]]),
                    mode="lines",
                    line={"width": 0, "color": colour},
                    fill="toself",
                    fillcolor=_faint(colour),
                    hoverinfo="skip",
                    showlegend=False,
                    **where,
                )
            )
        figure.add_trace(
            go.Scatter(
                name=str(name),
                x=at,
                y=mean,
                mode="lines+markers",
                line={"color": colour, "width": 2.5},
                marker={"size": 7, "color": colour},
                customdata=np.column_stack([spread, found["count"].to_numpy()]),
                hovertemplate=f"{name}, %{{x}}: ATOP %{{y:.4f}} ± %{{customdata[0]:.4f}} (%{{customdata[1]}} seeds)"
                "<extra></extra>",
                showlegend=name not in named,
                **where,
            )
        )


def _add_paper(figure: go.Figure, name: str, points: Mapping[str, float], x: str, *, named: bool) -> None:
    figure.add_trace(
        go.Scatter(
            name="the paper, Table 2",
            x=list(points),
            y=list(points.values()),
            mode="markers",
            marker={
                "symbol": "diamond",
                "size": 10,
                "color": model_colour(name),
                "line": {"width": 1, "color": "#000000"},
            },
            hovertemplate=f"paper, {name}, %{{x}}: ATOP %{{y:.4f}} (dev, its own data)<extra></extra>",
            xaxis=x,
            yaxis="y" + x[1:],
            legendgroup="paper",
            showlegend=named and x == "x",
        )
    )


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.18)"

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

# Guo & Diab (2012), Table 2, dev, with K = 100: w_m → ATOP (λ = 20, but λ = 0 for w_m = 1); λ → ATOP (w_m = .01);
# K → ATOP.
_PAPER_WEIGHTS = {0.0: 0.8745, 0.0005: 0.9610, 0.01: 0.9555, 1.0: 0.8273}
_PAPER_PENALTIES = {20.0: 0.9555}
_PAPER_SIZES = {"WTMF": {100: 0.9610}, "LDA": {100: 0.9506}}
_GAP = 0.035  # between two plots, in widths of the figure


def _number(value: float) -> str:
    return f"{value:g}"


def sweep_figure(step: SweepStep, *, paper: bool = False, title: str = "") -> go.Figure:
    """ATOP over the weight of missing words (Figure 2), over λ and over the number of dimensions (Figure 3).

    Lines are means over the seeds that are there, bands one standard deviation to both sides. A dotted line stands at
    the paper's λ.

    Parameters
    ----------
    step
        What a sweep knows so far.
    paper
        Whether the paper's points are shown beside ours. They are of its own data: compare the shape, not the height.
    title
        Stands above the figure.
    """
    papers = sorted({k for points in _PAPER_SIZES.values() for k in points}) if paper else []
    plots = [
        ("w_m", step.over_weight, "missing_weight", step.weights),
        ("λ", step.over_penalty, "regularization", step.penalties),
        ("K", step.over_size, "n_components", sorted({*step.sizes, *papers})),
    ]
    plots = [plot for plot in plots if plot[-1]]
    figure = house_figure(title, "", "ATOP", height=480)
    domains = _domains([len(values) for *_, values in plots])
    for number, ((name, table, swept, values), domain) in enumerate(zip(plots, domains, strict=True), 1):
        places, x = [_number(value) for value in values], f"x{number if number > 1 else ''}"
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
                showlegend=number == 1,
            )
        )
        _add_curves(figure, table, swept, x)
        if swept == "regularization":
            _mark_paper(figure, places, x)
        if paper:
            own = {"missing_weight": {"WTMF": _PAPER_WEIGHTS}, "regularization": {"WTMF": _PAPER_PENALTIES}}
            for model, points in own.get(swept, _PAPER_SIZES).items():
                known = {_number(value): score for value, score in points.items()}
                _add_paper(figure, model, known, x, named=number == 1)
        figure.update_layout(
            {
                f"xaxis{x[1:]}": {
                    "domain": domain,
                    "anchor": "y" + x[1:],
                    "type": "category",
                    "title": {"text": name},
                    "tickangle": 0 if swept == "n_components" else -45,
                    "categoryorder": "array",
                    "categoryarray": places,
                    "range": [-0.6, len(places) - 0.4],
                }
            }
        )
        if number > 1:  # the heights are those of the first plot
            figure.update_layout({f"yaxis{x[1:]}": {"anchor": x, "matches": "y", "showticklabels": False}})
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}, margin={"t": 84})
    figure.update_xaxes(showgrid=False)
    return figure


def _domains(counts: list[int]) -> list[list[float]]:
    """Where the plots stand from left to right: each as wide as it has values, gaps between them."""
    free = 1 - _GAP * (len(counts) - 1)
    shares = [(count + 1) / (sum(counts) + len(counts)) * free for count in counts]
    starts = [sum(shares[:place]) + _GAP * place for place in range(len(shares))]
    return [[start, min(1.0, start + share)] for start, share in zip(starts, shares, strict=True)]


def _mark_paper(figure: go.Figure, places: list[str], x: str) -> None:
    """Draw a line at the paper's λ, where it is among those tried."""
    for value in _PAPER_PENALTIES:
        if _number(value) in places:
            at = places.index(_number(value))
            figure.add_shape(
                type="line",
                x0=at,
                x1=at,
                y0=0,
                y1=1,
                xref=x,
                yref=f"y{x[1:]} domain",
                line={"color": "#808080", "width": 1.5, "dash": "dot"},
                layer="below",
            )
            figure.add_annotation(
                text=f"the paper: {value:g}",
                x=at,
                y=0.02,
                xref=x,
                yref=f"y{x[1:]} domain",
                xanchor="right",
                yanchor="bottom",
                showarrow=False,
                font={"size": 11},
            )


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

"""Figures about the retrieval of definitions: the models side by side, and single queries."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from semwork.evaluation import Ranking
from semwork.plots.style import PALETTE, house_figure, wrapped

__all__ = ["model_colour", "query_ranks_figure", "race_figure"]

GREY = "#8c8c8c"
_COLOURS = dict(
    zip(
        ("WTMF", "words only", "LDA", "LSA", "n-grams", "GloVe average"),
        (PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3], PALETTE[4], PALETTE[5]),
        strict=True,
    )
)
_DASHES = {"WTMF": "solid", "LDA": "solid"}


def model_colour(name: str) -> str:
    """Return the colour that a model has in all figures."""
    return _COLOURS.get(name, GREY)


def race_figure(
    rankings: Mapping[str, Ranking],
    *,
    axis: Literal["log", "linear"] = "log",
    waiting: Sequence[str] = (),
    title: str = "",
) -> go.Figure:
    """TOPK of every model on the left, its ATOP on the right, in the same colours.

    Parameters
    ----------
    rankings
        Per model, where the targets are.
    axis
        Whether the share of the candidates that is looked at stands on a logarithmic scale.
    waiting
        Names of models whose result is still to come.
    title
        Stands above the figure.
    """
    figure = house_figure(title, "share of the candidates looked at, k", "TOPK(k): targets found", height=380)
    size = max((ranking.n_candidates for ranking in rankings.values()), default=1000)
    share = np.geomspace(1 / size, 1, 200) if axis == "log" else np.linspace(0, 1, 201)
    for name, ranking in reversed(list(rankings.items())):  # the first one is drawn on top
        figure.add_trace(
            go.Scatter(
                name=f"{name}: ATOP {ranking.atop:.3f}",
                x=share,
                y=ranking.topk(share),
                mode="lines",
                line={
                    "color": model_colour(name),
                    "width": 3 if name == "WTMF" else 2,
                    "dash": _DASHES.get(name, "dash"),
                },
                hovertemplate=f"{name}: %{{y:.1%}} found in the top %{{x:.2%}}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            name="chance: ATOP 0.500",
            x=share,
            y=share,
            mode="lines",
            line={"color": GREY, "width": 1, "dash": "dot"},
            hovertemplate="chance<extra></extra>",
        )
    )
    _add_atop_dots(figure, rankings, waiting)
    lowest = float(np.log10(1 / size))
    figure.update_layout(
        showlegend=False,
        xaxis={
            "type": axis,
            "domain": [0, 0.58],
            "range": [lowest, 0] if axis == "log" else [0, 1],
            "tickformat": "~%",
        },
        yaxis={"range": [0, 1.02], "tickformat": ".0%"},
    )
    if axis == "log":
        figure.update_xaxes(tickvals=[10.0**power for power in range(int(np.floor(lowest)), 1)], selector=0)
    return figure


def _add_atop_dots(figure: go.Figure, rankings: Mapping[str, Ranking], waiting: Sequence[str]) -> None:
    """ATOP with its 95 % interval over the queries; the list is the figure's legend too."""
    order = sorted(rankings, key=lambda name: rankings[name].atop)
    values = [rankings[name].atop for name in order]
    spread = [1.96 * float(np.std(rankings[n].scores) / np.sqrt(max(rankings[n].n_queries, 1))) for n in order]
    least = min([0.5, *(value - 0.05 for value in values)])
    if waiting:
        figure.add_trace(
            go.Scatter(
                name="still to come",
                x=[(least + 1) / 2] * len(waiting),
                y=list(waiting),
                mode="text",
                text=["…"] * len(waiting),
                hovertemplate="%{y}: still to come<extra></extra>",
                xaxis="x2",
                yaxis="y2",
            )
        )
    figure.add_trace(
        go.Scatter(
            name="ATOP",
            x=values,
            y=order,
            mode="markers+text",
            text=[f"<b>{value:.3f}</b>" for value in values],
            textposition="top center",
            error_x={"type": "data", "array": spread, "thickness": 1.5, "width": 0, "color": GREY},
            marker={"color": [model_colour(name) for name in order], "size": 13},
            customdata=spread,
            hovertemplate="%{y}: ATOP %{x:.4f} ± %{customdata:.4f}<extra></extra>",
            xaxis="x2",
            yaxis="y2",
        )
    )
    figure.update_layout(
        xaxis2={"domain": [0.74, 1], "anchor": "y2", "range": [least, 1.02], "title": {"text": "ATOP"}, "dtick": 0.2},
        yaxis2={
            "anchor": "x2",
            "type": "category",
            "categoryorder": "array",
            "categoryarray": [*waiting, *order],
            "range": [-0.5, len(order) + len(waiting) - 0.3],
        },
    )


def query_ranks_figure(
    learnt: Ranking,
    words: Ranking,
    *,
    labels: Sequence[str],
    texts: Sequence[str],
    chosen: int | None = None,
    names: tuple[str, str] = ("WTMF", "words only"),
    title: str = "",
) -> go.Figure:
    """One point per query: the rank of its target with one model against the other. Below the line the first is better.

    Parameters
    ----------
    learnt, words
        The rankings to compare.
    labels, texts
        Of the queries, for the hover box. ``customdata`` of a point is its label.
    chosen
        The query that is marked.
    names
        Of the two models.
    title
        Stands above the figure.
    """
    x, y = (ranking.table()["best_rank"].to_numpy() for ranking in (words, learnt))
    figure = house_figure(title, f"rank with {names[1]} (1 is best)", f"rank with {names[0]}", height=400)
    most = float(learnt.n_candidates)
    figure.add_trace(
        go.Scatter(
            x=[1, most],
            y=[1, most],
            mode="lines",
            line={"color": GREY, "width": 1, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
            name="diagonal",
        )
    )
    groups = {
        f"{names[0]} better": (y < x, model_colour(names[0])),
        f"{names[1]} better": (y > x, model_colour(names[1])),
        "same": (y == x, GREY),
    }
    for name, (mask, colour) in groups.items():
        rows = np.flatnonzero(mask).tolist()
        figure.add_trace(
            go.Scatter(
                name=f"{name}: {len(rows)}",
                x=x[rows],
                y=y[rows],
                mode="markers",
                marker={"color": colour, "size": 7, "opacity": 0.6},
                customdata=[labels[row] for row in rows],
                text=[wrapped(texts[row], 60) for row in rows],
                hovertemplate="<b>%{customdata}</b><br>%{text}<br>rank %{y:,.0f}, "
                + f"{names[1]} %{{x:,.0f}}<br><i>click to see why</i><extra></extra>",
            )
        )
    picked = [] if chosen is None else [chosen]
    figure.add_trace(
        go.Scatter(
            name="chosen",
            x=x[picked],
            y=y[picked],
            mode="markers+text",
            marker={"symbol": "circle-open", "size": 15, "color": PALETTE[2], "line": {"width": 3}},
            text=[f"<b>{html.escape(labels[row])}</b>" for row in picked],
            textposition="top center" if not picked or y[picked[0]] < most / 3 else "bottom center",
            hoverinfo="skip",
            showlegend=False,
        )
    )
    ends = [-0.12, float(np.log10(most)) + 0.08]
    ticks = [10**power for power in range(int(np.log10(most)) + 1)]
    figure.update_xaxes(type="log", range=ends, tickvals=ticks, tickformat=",d")
    figure.update_yaxes(type="log", range=ends, tickvals=ticks, tickformat=",d")
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}, margin={"t": 84})
    return figure

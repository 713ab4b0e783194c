"""Figures about the retrieval of definitions: the models side by side, and single queries."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, LEGEND_ABOVE, add_chance, add_reference, on_axes, side_by_side
from semwork.plots.style import PALETTE, house_figure, wrapped

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["model_colour", "query_ranks_figure", "race_figure"]

_COLOURS = dict(
    zip(
        ("WTMF", "words only", "LDA", "LSA", "n-grams", "GloVe average"),
        (PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3], PALETTE[4], PALETTE[5]),
        strict=True,
    )
)
_MORE_COLOURS = ("#7E57C2", "#8D6E63", "#9E9D24")  # as far as can be from the others and from each other
_DASHES = {"WTMF": "solid", "LDA": "solid"}


def model_colour(name: str) -> str:
    """Return the colour that a model has in all figures; a new model gets one that follows from its name.

    Examples
    --------
    >>> model_colour("WTMF"), model_colour("a new model")
    ('#0072B2', '#7E57C2')
    """
    return _COLOURS.get(name) or _MORE_COLOURS[sum(map(ord, name)) % len(_MORE_COLOURS)]


def race_figure(
    share: Any,
    recall: Mapping[str, Any],
    atop: pd.DataFrame,
    *,
    axis: str = "log",
    waiting: Sequence[str] = (),
    title: str = "",
) -> go.Figure:
    """TOPK of every model on the left, its ATOP on the right, in the same colours.

    Parameters
    ----------
    share : ndarray of shape (n_points,)
        The share of the candidates that is looked at.
    recall : mapping of str to ndarray of shape (n_points,)
        Per model, the share of the targets that is found there; the first one is drawn on top.
    atop : DataFrame
        Columns ``model``, ``atop`` and ``spread``, half of the 95 % interval; from the least to the best ATOP, which
        is drawn on top.
    axis : {"log", "linear"}
        The scale of the share.
    waiting : sequence of str
        Names of models whose result is still to come.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "share of the candidates looked at, k", "TOPK(k): targets found", height=380)
    values = dict(zip(atop["model"], atop["atop"], strict=True))
    for name, curve in reversed(list(recall.items())):
        style = {"color": model_colour(name), "width": 3 if name == "WTMF" else 2, "dash": _DASHES.get(name, "dash")}
        figure.add_trace(
            go.Scatter(
                name=f"{name}: ATOP {values[name]:.3f}",
                x=share,
                y=curve,
                mode="lines",
                line=style,
                hovertemplate=f"{name}: %{{y:.1%}} found in the top %{{x:.2%}}<extra></extra>",
            )
        )
    add_chance(figure, share, hovertemplate="chance<extra></extra>")
    dots = _add_atop_dots(figure, atop, waiting)
    lowest = float(np.log10(share[0])) if axis == "log" else 0.0
    across = {"type": axis, "range": [lowest, 0 if axis == "log" else 1], "tickformat": "~%"}
    if axis == "log":
        across["tickvals"] = [10.0**power for power in range(int(np.floor(lowest)), 1)]
    axes = side_by_side(([0, 0.58], across, {"range": [0, 1.02], "tickformat": ".0%"}), ([0.74, 1], *dots))
    figure.update_layout(showlegend=False, **axes)
    return figure


def _add_atop_dots(
    figure: go.Figure, atop: pd.DataFrame, waiting: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """ATOP with its 95 % interval over the queries, and its axes; the list is the figure's legend too."""
    order, values, spread = (atop[name].tolist() for name in ("model", "atop", "spread"))
    least = min([0.5, *(value - 0.09 for value in values)])
    if waiting:
        figure.add_trace(
            go.Scatter(
                name="still to come",
                x=[(least + 1) / 2] * len(waiting),
                y=list(waiting),
                mode="text",
                text=["…"] * len(waiting),
                hovertemplate="%{y}: still to come<extra></extra>",
                **on_axes("2"),
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
            **on_axes("2"),
        )
    )
    rows = {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": [*waiting, *order],
        "range": [-0.5, len(order) + len(waiting) - 0.3],
    }
    return {"range": [least, 1.02], "title": {"text": "ATOP"}, "dtick": 0.2}, rows


def query_ranks_figure(
    ranks: pd.DataFrame,
    candidates: int,
    chosen: int | None = None,
    *,
    names: tuple[str, str] = ("WTMF", "words only"),
    title: str = "",
) -> go.Figure:
    """One point per query: the rank of its target with one model against the other. Below the line the first is better.

    Parameters
    ----------
    ranks : DataFrame
        One row per query: ``label``, ``text``, and the rank of its target under the name of each model.
    candidates : int
        How many there are to rank.
    chosen : int or None
        The row that is marked.
    names : pair of str
        The two models.
    title : str
        Stands above the figure. ``customdata`` of a point is the label of its query.
    """
    y, x = (ranks[name].to_numpy() for name in names)
    labels, texts = ranks["label"].tolist(), ranks["text"].tolist()
    figure = house_figure(title, f"rank with {names[1]} (1 is best)", f"rank with {names[0]}", height=400)
    add_reference(figure, [1, candidates], [1, candidates], name="diagonal")
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
                text=[f"<b>{html.escape(labels[row])}</b><br>{wrapped(texts[row], 60)}" for row in rows],
                hovertemplate="%{text}<br>rank %{y:,.0f}, "
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
            textposition="top center" if not picked or y[picked[0]] < candidates / 3 else "bottom center",
            hoverinfo="skip",
            showlegend=False,
        )
    )
    ends = [-0.12, float(np.log10(candidates)) + 0.08]
    ticks = [10**power for power in range(int(np.log10(candidates)) + 1)]
    for axis in (figure.update_xaxes, figure.update_yaxes):
        axis(type="log", range=ends, tickvals=ticks, tickformat=",d")
    figure.update_layout(legend=LEGEND_ABOVE, margin={"t": 84})
    return figure

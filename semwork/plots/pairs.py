"""Figures about pairs of sentences: human scores against predicted similarities."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, add_reference
from semwork.plots.style import PALETTE, cut, house_figure, wrapped
from semwork.plots.two_sides import records

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["agreement_figure", "worst_pairs_figure"]

_HUMAN, _MODEL = PALETTE[1], PALETTE[0]
_GOLDEN = 0.6180339887498949  # multiples of it fill an interval evenly


def agreement_figure(
    points: pd.DataFrame,
    correlations: pd.DataFrame,
    line: Any = None,
    *,
    chosen: int | None = None,
    title: str = "",
    height: int | None = None,
) -> go.Figure:
    """Human score against predicted similarity, one point per pair.

    Where scores are whole numbers, the points are moved apart a little; hover tells the score. A point's
    ``customdata`` is the number of its pair.

    Parameters
    ----------
    points : DataFrame
        One row per pair: ``left``, ``right``, ``group``, ``score`` and ``predicted``. Each group has its own colour.
    correlations : DataFrame
        ``pearson`` and ``spearman`` of each ``group``, and of all pairs, whose group is empty; NaN where there is none.
    line : ndarray of shape (2, 2) or None
        The ends of the least-squares line.
    chosen : int or None
        The number of a pair to mark.
    title : str
        Stands before the correlations.
    height : int or None
        In pixels; what the legend needs by default.
    """
    said = _said(correlations)
    groups = points["group"].tolist()
    names = dict.fromkeys(groups)
    figure = house_figure(
        f"{title}: {said['']}" if title else said[""],
        "score of people",
        "similarity of the model",
        height=height or 420 + 20 * ((len(names) + 2) // 2),
    )
    across, found = _moved_apart(points["score"].to_numpy(dtype=float)), points["predicted"].to_numpy(dtype=float)
    hover = _hover(points)
    for number, group in enumerate(names):
        rows = [row for row, name in enumerate(groups) if name == group]
        figure.add_trace(
            go.Scatter(
                name=f"{html.escape(str(group))}: {said[group]}" if group else "pairs",
                x=across[rows],
                y=found[rows],
                mode="markers",
                marker={"color": PALETTE[number % len(PALETTE)], "size": 7 if len(found) < 500 else 4, "opacity": 0.75},
                customdata=rows,
                hovertext=[hover[row] for row in rows],
                hovertemplate="%{hovertext} %{y:.2f}<extra></extra>",
            )
        )
    if line is not None:
        look = {"width": 2, "dash": "dash", "showlegend": True}
        add_reference(figure, line[:, 0], line[:, 1], name="least-squares line", **look)
    if chosen is not None and 0 <= chosen < len(across):
        _add_ring(figure, across[chosen], found[chosen], f"pair {chosen}")
    figure.update_yaxes(range=[min(-0.02, float(found.min()) - 0.03), 1.03])
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": -0.27, "yanchor": "top"})
    return figure


def _said(correlations: pd.DataFrame) -> dict[str, str]:
    rows = zip(correlations["group"], correlations["pearson"], correlations["spearman"], strict=True)
    return {
        group: "all equal: no correlation" if math.isnan(r) else f"r = {r:.3f}, ρ = {rho:.3f}" for group, r, rho in rows
    }


def _moved_apart(gold: Any) -> Any:
    """Whole scores, each moved a little, so that points do not cover each other."""
    if not np.all(gold == np.round(gold)):
        return gold
    different = np.unique(gold)
    step = np.min(np.diff(different)) if len(different) > 1 else 1.0
    return gold + step * 0.5 * ((np.arange(len(gold)) * _GOLDEN) % 1 - 0.5)


def _hover(points: pd.DataFrame) -> list[str]:
    pairs = zip(points["left"], points["right"], points["score"], strict=True)
    return [f"{wrapped(a)}<br><i>and</i><br>{wrapped(b)}<br>people {score:g}, model" for a, b, score in pairs]


def _add_ring(figure: go.Figure, x: float, y: float, name: str) -> None:
    """Mark a point. The name is written in the ink of the theme; the ring is seen on light and on dark."""
    figure.add_trace(
        go.Scatter(
            name=name,
            x=[x],
            y=[y],
            mode="markers+text",
            text=[f"<b>{name}</b>"],
            textposition="bottom center" if y > 0.5 else "top center",
            marker={"color": GREY, "size": 14, "symbol": "circle-open", "line": {"width": 3}},
            hoverinfo="skip",
            showlegend=False,
        )
    )


def worst_pairs_figure(worst: pd.DataFrame, *, title: str = "", width: int = 31) -> go.Figure:
    """The pairs that people and the model place most differently: two dots on a line, the sentences above it.

    Parameters
    ----------
    worst : DataFrame
        As `semwork.studies.worst_pairs` gives: ``pair``, ``left``, ``right``, ``score``, ``predicted``,
        ``human_place`` and ``model_place``.
    title : str
        Stands above the figure.
    width : int
        How many letters of a sentence are shown; hover shows it all.
    """
    figure = house_figure(
        title, "place among all pairs, from the least to the most similar", "", height=120 + 56 * max(1, len(worst))
    )
    rows = records(worst)
    levels = -np.arange(len(rows), dtype=float)
    figure.add_trace(
        go.Scatter(
            x=[x for row in rows for x in (row["human_place"], row["model_place"], None)],
            y=[y for level in levels for y in (level, level, None)],
            mode="lines",
            line={"color": GREY, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for name, column, colour in (("people", "human_place", _HUMAN), ("model", "model_place", _MODEL)):
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[row[column] for row in rows],
                y=levels,
                mode="markers",
                marker={"color": colour, "size": 11},
                customdata=[row["pair"] for row in rows],
                hovertext=[
                    f"{wrapped(str(row['left']))}<br><i>and</i><br>{wrapped(str(row['right']))}<br>"
                    f"people {row['score']:g}, model {row['predicted']:.2f}"
                    for row in rows
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[0] * len(rows),
            y=levels + 0.42,
            mode="text",
            text=[f"{cut(str(row['left']), width)} / {cut(str(row['right']), width)}" for row in rows],
            textposition="middle right",
            textfont={"size": 11},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_xaxes(range=[-0.01, 1.01], tickformat=".0%")
    figure.update_yaxes(range=[-len(rows) + 0.4, 0.85], tickvals=[], ticktext=[], zeroline=False)
    figure.update_layout(
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.0, "yanchor": "bottom"}, margin={"l": 20}
    )
    return figure

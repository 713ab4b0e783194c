"""Who wins when missing words weigh more: the figure of the contest between hypotheses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, add_reference, on_axes
from semwork.plots.style import PALETTE
from semwork.plots.two_sides import records, two_sided

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["tradeoff_figure"]

_MODEL_VECTOR = GREY
_COLOURS = (PALETTE[4], PALETTE[3], PALETTE[2], PALETTE[5])


def tradeoff_figure(
    candidates: pd.DataFrame,
    along: pd.DataFrame,
    weight: float,
    *,
    weights: Sequence[float] | None = None,
    model_vector: pd.DataFrame | None = None,
    title: str = "",
) -> go.Figure:
    """Who wins when missing words weigh w: R_o against R_m, and the score of each candidate along w.

    Parameters
    ----------
    candidates : DataFrame
        ``candidate``, ``R_o`` and ``R_m``, as `semwork.similarity.missing.relatedness` makes.
    along : DataFrame
        ``weight``, ``candidate``, ``score`` and ``wins``, as `semwork.similarity.missing.scores` makes; the weight of
        the moment is among the weights.
    weight : float
        The weight w of the moment. The line on the left joins all points with the winner's score
        ``R_o − w R_m``: every other candidate lies below it.
    weights : sequence of float or None
        The weights on the right; those of ``along`` by default.
    model_vector : DataFrame or None
        R_o and R_m of the model's own vector, in a row like those of ``candidates``; it is shown beside the contest.
    title : str
        Stands above the figure.
    """
    sides = (
        ("R_m, relatedness to missing words", "R_o, to observed words"),
        ("weight w of missing words", "R_o − w R_m"),
    )
    figure = two_sided(title, *sides, height=380, gap=0.16)
    _add_plane(figure, candidates, along[along["weight"] == weight], weight, model_vector)
    _add_lines(figure, candidates, along, weight, sorted(set(along["weight"] if weights is None else weights)))
    return figure


def _add_plane(
    figure: go.Figure,
    candidates: pd.DataFrame,
    at_weight: pd.DataFrame,
    weight: float,
    model_vector: pd.DataFrame | None,
) -> None:
    """Add the candidates as points, and the line on which all would be as good as the winner."""
    tables = [candidates] if model_vector is None else [candidates, model_vector]
    points = np.concatenate([table[["R_m", "R_o"]].to_numpy(float) for table in tables]).reshape(-1, 2)
    low, high = np.minimum(points.min(axis=0, initial=0), 0), np.maximum(points.max(axis=0, initial=1e-9), 0)
    low, high = low - 0.09 * (high - low), high + 0.16 * (high - low)
    if len(candidates):
        _add_winners_line(figure, float(at_weight["score"].max()), weight, low, high)
    labels = _positions_of_names(points, len(candidates), low, high)
    for number, (row, wins) in enumerate(zip(records(candidates), at_weight["wins"], strict=True)):
        colour = _COLOURS[number % len(_COLOURS)]
        _point(figure, row, weight, colour=colour, wins=bool(wins), label=labels[number])
    for row, label in zip(
        [] if model_vector is None else records(model_vector), labels[len(candidates) :], strict=True
    ):
        _point(figure, row, weight, colour=_MODEL_VECTOR, symbol="circle-open", label=label)
    figure.update_layout(xaxis={"range": [low[0], high[0]]}, yaxis={"range": [low[1], high[1]]})


def _add_winners_line(figure: go.Figure, best: float, weight: float, low: Any, high: Any) -> None:
    """Only the part inside the frame: at w = 1 the line is nearly upright."""
    left, right = low[0], high[0]
    if weight > 0:
        left, right = max(left, (low[1] - best) / weight), min(right, (high[1] - best) / weight)
    x = np.linspace(left, right, 50)
    name = f"R_o − {weight:g} R_m = {best:.4g}"
    said = f"same score as the winner:<br>{name}<extra></extra>"
    add_reference(figure, x, best + weight * x, name=name, dash="dash", width=1.5, hovertemplate=said)


def _positions_of_names(points: Any, n_candidates: int, low: Any, high: Any) -> list[str]:
    """Where the name of each point stands, plotly's words for it."""
    heights = ["top"] * n_candidates + ["bottom"] * (len(points) - n_candidates)
    if len(points) > n_candidates > 0:
        # The reader's own vector is often near a hypothesis: the name of the upper one stands above, the other below.
        mine = points[n_candidates]
        near = int(np.argmin(np.abs((points[:n_candidates] - mine) / (high - low)).sum(axis=1)))
        if mine[1] > points[near, 1]:
            heights[near], heights[n_candidates] = "bottom", "top"
    return [f"{height} {_side(x, low[0], high[0])}" for height, (x, _) in zip(heights, points, strict=True)]


def _side(value: float, low: float, high: float) -> str:
    """The side of a point that has room for its name."""
    return "right" if value < (low + high) / 2 else "left"


def _point(
    figure: go.Figure,
    row: dict[str, Any],
    weight: float,
    *,
    colour: str,
    symbol: str = "circle",
    wins: bool = False,
    label: str,
) -> None:
    name, observed, missing = row["candidate"], row["R_o"], row["R_m"]
    said = f"R_o = {observed:.4g}, R_m = {missing:.4g}<br>R_o − {weight:g} R_m = {observed - weight * missing:.4g}"
    figure.add_trace(
        go.Scatter(
            name=str(name),
            x=[missing],
            y=[observed],
            mode="markers+text",
            marker={"color": colour, "size": 17 if wins else 13 if symbol != "circle" else 10, "symbol": symbol},
            text=[f"<b>{name} wins</b>" if wins else str(name)],
            textposition=label,
            hovertemplate=f"{name}: {said}<extra></extra>",
        )
    )


def _add_lines(
    figure: go.Figure, candidates: pd.DataFrame, along: pd.DataFrame, weight: float, grid: list[float]
) -> None:
    """Add scores along the weights; the positions are equally far apart: round numbers that begin at 0."""
    labels, positions = [f"{w:g}" for w in grid], np.arange(len(grid))
    for number, name in enumerate(candidates["candidate"]):
        rows = along[along["candidate"] == name]
        colour, score = _COLOURS[number % len(_COLOURS)], rows["score"].to_numpy()
        figure.add_trace(
            go.Scatter(
                name=f"score of {name}",
                x=positions,
                y=score,
                customdata=np.array(grid),
                mode="lines",
                line={"color": colour, "width": 2},
                hovertemplate=f"{name}: %{{y:.4g}} at w = %{{customdata:~g}}<extra></extra>",
                **on_axes("2"),
            )
        )
        won = np.flatnonzero(rows["wins"].to_numpy())
        if len(won):
            _won(figure, name, colour, won, score[won], np.array(grid)[won])
    best = along["score"].to_numpy()[along["wins"].to_numpy(dtype=bool)] if len(along) else np.array([0.0, 1.0])
    span = max(float(best.max() - best.min()), 1e-9)
    ends = [float(best.min()) - 0.12 * span, float(best.max()) + 0.18 * span]
    here, said = grid.index(float(weight)), f"w_m = {weight:g}<extra></extra>"
    add_reference(figure, [here, here], ends, name="w_m now", width=1.5, axis="2", hovertemplate=said)
    shown = [position for position, label in enumerate(labels) if label in ("0", "0.001", "0.01", "0.1", "1")]
    across = {"tickvals": shown, "ticktext": [labels[position] for position in shown], "range": [-0.6, len(grid) - 0.4]}
    figure.update_layout(xaxis2=across, yaxis2={"range": ends})


def _won(figure: go.Figure, name: str, colour: str, won: Any, values: Any, weights: Any) -> None:
    """Mark where a candidate is the best: a strip of its colour behind, big points, its name once."""
    text = [""] * len(won)
    text[len(won) // 2] = f"<b>{name}</b>"
    figure.add_trace(
        go.Scatter(
            name=f"{name} wins",
            x=won,
            y=values,
            customdata=weights,
            mode="markers+text",
            marker={"color": colour, "size": 9},
            text=text,
            textposition="top center",
            hovertemplate=f"{name} wins at w = %{{customdata:~g}}, score %{{y:.4g}}<extra></extra>",
            **on_axes("2"),
        )
    )
    for start, end in _runs(won):
        figure.add_shape(
            type="rect",
            xref="x2",
            yref="y2 domain",
            x0=start - 0.5,
            x1=end + 0.5,
            y0=0,
            y1=1,
            fillcolor=colour,
            opacity=0.13,
            line={"width": 0},
            layer="below",
        )


def _runs(positions: Any) -> list[tuple[int, int]]:
    """First and last of each row of neighbouring positions."""
    breaks = np.flatnonzero(np.diff(positions) > 1)
    firsts = np.concatenate([[0], breaks + 1])
    lasts = np.concatenate([breaks, [len(positions) - 1]])
    return [(int(positions[a]), int(positions[b])) for a, b in zip(firsts, lasts, strict=True)]

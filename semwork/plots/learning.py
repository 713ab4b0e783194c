"""How learning over latent structures goes on: objective and accuracy, weights, mistakes."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, LEGEND_BELOW, LIGHT_GREY, add_reference, on_axes, side_by_side
from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["learning_figure", "mistakes_figure", "weights_figure"]

_BLUE, _ORANGE, _GREEN, _PINK = PALETTE[:4]
_LTR = "\u200e"  # after a word that may be Hebrew or Arabic: a number behind it stays behind it
_KINDS = _BLUE, _GREEN, _ORANGE, GREY
_LONGEST_NAME = 32
# Column of the history → the measure's name, and its colour.
_MEASURES = {"accuracy": ("accuracy", _GREEN), "mrr": ("MRR", _PINK)}


# --- learning -----------------------------------------------------------------------------------------------------


def learning_figure(
    history: pd.DataFrame,
    two_stage: Mapping[str, float],
    iteration: int | None = None,
    *,
    title: str = "",
    tested: str = "test names",
) -> go.Figure:
    """Objective, accuracy and, of names, mean reciprocal rank along the outer iterations; one of them is marked.

    Parameters
    ----------
    history : DataFrame
        Columns ``iteration``, ``objective``, ``accuracy`` and, of names, ``mrr``.
    two_stage : mapping of str to float
        What the two-stage system reaches, by the same names.
    iteration : int or None
        The one that is marked; the last one if there are not so many.
    title : str
        Stands above the figure. ``customdata`` of a point is its iteration.
    tested : str
        What is judged.
    """
    now = len(history) - 1 if iteration is None else min(iteration, len(history) - 1)
    measures = {column: style for column, style in _MEASURES.items() if column in history.columns}
    figure = house_figure(title, "outer iteration", "objective", height=270, hovermode="closest", legend=LEGEND_BELOW)
    figure.add_scatter(**_course(history, "objective", "objective", _BLUE, now))
    last = max(4, len(history) - 1)
    ends = [-0.4, last + 0.4]
    for column, (name, colour) in measures.items():
        figure.add_scatter(**_course(history, column, name, colour, now), **on_axes("2"))
    for column, (name, colour) in measures.items():
        reached, look = two_stage[column], {"colour": colour, "width": 1.5, "axis": "2"}
        said = f"two-stage system: {name} {reached:.3f}<extra></extra>"
        add_reference(figure, ends, [reached] * 2, name=f"{name}, two-stage", hovertemplate=said, **look)
    (low, top), axis = _objective_axis(history["objective"])
    add_reference(figure, [now, now], [low, top], name="now")
    add_reference(figure, [now, now], [0.0, 1.0], name="now", axis="2")
    lowest = min(history[list(measures)].to_numpy().min(), two_stage["accuracy"])
    ticks = _iterations(last, ends)
    up = {"range": [lowest - 0.02, 1.0], "title": {"text": tested}, "tickformat": ".2f"}
    axes = side_by_side(([0, 0.42], ticks, axis), ([0.56, 1], {**ticks, "title": {"text": "outer iteration"}}, up))
    figure.update_layout(margin={"b": 86, "t": 50}, **axes)
    return figure


def _course(history: pd.DataFrame, column: str, name: str, colour: str, now: int) -> dict[str, Any]:
    return {
        "name": name,
        "x": history["iteration"].to_numpy(),
        "y": history[column].to_numpy(),
        "customdata": history["iteration"].tolist(),
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2},
        "marker": {"size": [13 if place == now else 6 for place in range(len(history))], "color": colour},
        "hovertemplate": f"{name} %{{y:.4g}} after iteration %{{x}}<br>click to go there<extra></extra>",
    }


def _iterations(last: int, ends: list[float]) -> dict[str, Any]:
    """The axis of iterations; the first is the start."""
    return {
        "range": ends,
        "zeroline": False,
        "tickvals": list(range(last + 1)),
        "ticktext": ["start", *map(str, range(1, last + 1))],
    }


def _objective_axis(objective: pd.Series[float]) -> tuple[tuple[float, float], dict[str, Any]]:
    """Ends and axis of the objective: of names it falls by powers of ten, of sentences by a few percent."""
    least, most = objective.min(), objective.max()
    if most > 3 * least:
        powers = float(np.floor(np.log10(least))), float(np.ceil(np.log10(most)))
        return (10 ** powers[0], 10 ** powers[1]), {"type": "log", "range": powers, "dtick": 1}
    room = 0.1 * (most - least) + 1e-3 * most
    return (least - room, most + room), {"type": "linear", "range": [least - room, most + room]}


# --- weights and mistakes -----------------------------------------------------------------------------------------


def weights_figure(
    weights: pd.DataFrame,
    kinds: Sequence[str] = ("letters", "two letters each", "left alone", "bias"),
    *,
    n: int = 12,
    title: str = "",
) -> go.Figure:
    """Draw the largest weights and the smallest, coloured by what they are about.

    Parameters
    ----------
    weights : DataFrame
        Columns ``feature``, ``kind`` and ``weight``, the largest first.
    kinds : sequence of str
        All kinds, as the legend has them.
    n : int
        Rows for which there is room on either side.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "weight", "", height=150 + 20 * n, barmode="overlay", legend=LEGEND_BELOW)
    longest = max((len(_cut(name)) for name in weights["feature"]), default=1)
    share = min(0.04 + 0.0065 * max(longest - 8, 0), 0.24)  # of the width, for names
    halves = weights[weights["weight"] > 0], weights[weights["weight"] <= 0].iloc[::-1]
    rows = []
    for axis, half in zip(("", "2"), halves, strict=True):
        for kind, colour in zip(kinds, _KINDS, strict=True):
            figure.add_bar(**_bars(half, kind, colour, axis))
        names = [html.escape(_cut(name)) for name in half["feature"]]
        rows.append(_named_rows(names, n, size=14 if longest < 16 else 12))
    ends = 1.05 * max(weights["weight"].max(), 0.01), 1.05 * min(weights["weight"].min(), -0.01)
    axes = side_by_side(
        ([share, 0.46], {"range": [0, ends[0]]}, rows[0]),
        ([0.54 + share, 1], {"title": {"text": "weight"}, "range": [ends[1], 0]}, rows[1]),
    )
    figure.update_layout(uirevision="weights", margin={"b": 86}, **axes)
    return figure


def _bars(half: pd.DataFrame, kind: str, colour: str, axis: str) -> dict[str, Any]:
    """The weights of one kind on one side; the second side has the legend, so that it has every kind."""
    rows = (half["kind"] == kind).to_numpy()
    nothing = [None] if axis and not rows.any() else None
    return {
        "name": kind,
        "x": nothing or half["weight"].to_numpy()[rows],
        "y": nothing or np.arange(len(half))[rows],
        "text": [html.escape(name) for name in half["feature"][rows]],
        "textposition": "none",
        "orientation": "h",
        "width": 0.75,
        "marker": {"color": colour},
        "hovertemplate": f"%{{text}}{_LTR}: %{{x:+.3f}} ({kind})<extra></extra>",
        "legendgroup": kind,
        "showlegend": bool(axis),
        **on_axes(axis),
    }


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _named_rows(names: Sequence[str], n: int, *, size: int) -> dict[str, Any]:
    """An axis with rows by number, from the top: names may be equal."""
    return {
        "range": [max(n, 1) - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": list(names),
        "tickfont": {"size": size},
        "zeroline": False,
    }


def mistakes_figure(
    mistakes: pd.DataFrame,
    chosen: tuple[str, str] | None = None,
    iteration: int | None = None,
    *,
    n: int = 10,
    title: str = "",
) -> go.Figure:
    """Draw test names whose right spelling (green) has a smaller score than another one (orange).

    Parameters
    ----------
    mistakes : DataFrame
        Columns ``english``, ``foreign``, ``place``, ``score``, ``rival`` and ``rival score``, the worst ones first.
    chosen : pair of str or None
        The pair that is looked at; its name is bold.
    iteration : int or None
        The iteration that made them: a reader's zoom ends where another begins.
    n : int
        How many are drawn.
    title : str
        Stands above the figure. ``customdata`` of a point is the pair it stands for.
    """
    table = mistakes.head(n)
    names = [
        f"<b>{html.escape(name)}</b>" if chosen and name == chosen[0] else html.escape(name)
        for name in table["english"]
    ]
    rows = list(range(len(table)))
    words, height = "score (click a point to see its alignment)", 130 + 24 * max(n, 1)
    figure = house_figure(title, words, "", height=height, hovermode="closest", legend=LEGEND_BELOW)
    gaps = [[*pair, None] for pair in zip(table["score"], table["rival score"], strict=True)]
    figure.add_scatter(
        name="difference",
        x=[x for gap in gaps for x in gap],
        y=[y for row in rows for y in (row, row, None)],
        mode="lines",
        line={"color": LIGHT_GREY, "width": 3},
        hoverinfo="skip",
        showlegend=False,
    )
    figure.add_scatter(**_spellings(table, "right spelling", "foreign", "score", _GREEN, "middle left"))
    figure.add_scatter(**_spellings(table, "spelling of another name", "rival", "rival score", _ORANGE, "middle right"))
    both = table[["score", "rival score"]].to_numpy()
    low, high = (float(both.min()), float(both.max())) if len(both) else (0.0, 1.0)
    room = 0.28 * max(high - low, 0.2)
    figure.update_layout(
        uirevision=f"mistakes {iteration}",
        xaxis={"range": [low - room, high + room], "domain": [0.05, 1]},
        yaxis=_named_rows(names, n, size=13),
        margin={"b": 82},
    )
    return figure


def _spellings(table: pd.DataFrame, name: str, column: str, score: str, colour: str, side: str) -> dict[str, Any]:
    return {
        "name": name,
        "x": table[score].to_numpy(),
        "y": list(range(len(table))),
        "text": [html.escape(spelled) for spelled in table[column]],
        "customdata": table[["english", column]].to_numpy().tolist(),
        "mode": "markers+text",
        "marker": {"size": 11, "color": colour},
        "textposition": side,
        "textfont": {"size": 13},
        "hovertext": [
            f"{html.escape(one)}, place {place}" for one, place in zip(table["english"], table["place"], strict=True)
        ],
        "hovertemplate": f"%{{hovertext}}<br>{name} %{{text}}: %{{x:.3f}}<br>click to see it aligned<extra></extra>",
    }

"""Two rows of letters or words, and what joins them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, LIGHT_GREY
from semwork.plots.style import INK, PALETTE, house_figure, wrapped

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["joined_figure"]

_BLUE, _ORANGE = PALETTE[:2]
_JOINED, _ALONE = "#d7e9f5", "#ececec"
_WIDTHS = (1.0, 2.5, 4.5, 7.0)
_LTR = "\u200e"  # after a word that may be Hebrew or Arabic: a number behind it stays behind it
_BOX = 0.17  # half the height of a letter's box, as a share of the distance between the rows
_NOTE = 66  # letters in a line below a figure
_LONG = 60  # letters in a row, from which on words stand below each other
_GUTTER, _DEEPEST = 0.42, 0.3  # where arcs begin beside upright rows, and how far they reach


def joined_figure(
    left: Sequence[str],
    right: Sequence[str],
    edges: pd.DataFrame,
    arcs: pd.DataFrame | None = None,
    *,
    title: str = "",
    note: str = "",
    vertical: bool | None = None,
) -> go.Figure:
    """Draw two rows of letters or words, and what joins them.

    A line is the thicker, the larger the score of its part; blue is above 0, orange below. Whatever was left alone is
    grey.

    Parameters
    ----------
    left, right : sequence of str
        What stands in the rows.
    edges : DataFrame
        One row for each part: ``left`` and ``right`` (positions in the rows, −1 for none), ``score`` and ``why``.
    arcs : DataFrame or None
        Dependencies inside the rows: ``side`` (0 or 1), ``head`` and ``word`` (positions in the row), ``label``, and a
        ``score`` if the other row has one that it is mapped on. They are drawn beside upright rows.
    title, note : str
        Stand above and below the figure.
    vertical : bool or None
        Whether the rows stand upright, side by side; by default when they are long, as sentences are.
    """
    rows = _Rows(tuple(left), tuple(right), vertical)
    note = wrapped(note, _NOTE)
    more = 16 * note.count("<br>")
    height = (100 + 24 * rows.longest if rows.upright else 240) + more
    figure = house_figure(html.escape(title), "", "", height=height, showlegend=False, hovermode="closest")
    beside = _arcs(arcs, rows.positions) if arcs is not None and rows.upright else []
    across_rows = [*_lines(edges, rows), _middles(edges, rows)]
    for trace in (*map(rows.turned, across_rows), *beside, *(rows.turned(_row(edges, rows, side)) for side in (0, 1))):
        figure.add_trace(trace)
    along = {"visible": False, "range": [1.02, -0.02] if rows.upright else [-0.02, 1.02], "fixedrange": True}
    across = {"visible": False, "range": [-0.75, 1.75] if rows.upright else [1.25, -0.25], "fixedrange": True}
    figure.update_layout(
        xaxis=across if rows.upright else along,
        yaxis=along if rows.upright else across,
        margin={"l": 14, "r": 14, "b": 26 + more if note else 8},
    )
    if note:
        figure.add_annotation(
            text=note, x=0.5, y=0, xref="paper", yref="paper", yshift=-4, yanchor="top", showarrow=False, font_size=12
        )
    return figure


class _Rows:
    """Two rows: of letters or of words, lying or upright, and where each label stands between 0 and 1."""

    def __init__(self, left: tuple[str, ...], right: tuple[str, ...], vertical: bool | None) -> None:
        self.labels = left, right
        self.words = max((len(label) for row in self.labels for label in row), default=1) > 2
        long = max(sum(len(label) + 2 for label in row) for row in self.labels) > _LONG
        self.upright = self.words and long if vertical is None else vertical
        self.longest = max(1, *map(len, self.labels))
        self.positions = [_spread(row, even=self.upright or not self.words) for row in self.labels]
        self.gap = 0.0 if self.words else _BOX

    def turned(self, trace: dict[str, Any]) -> dict[str, Any]:
        """Return a trace of lying rows as these rows need it."""
        return {**trace, "x": trace["y"], "y": trace["x"]} if self.upright else trace


def _spread(row: Sequence[str], *, even: bool) -> list[float]:
    """Places between 0 and 1: the same distance for letters, more room for long words."""
    room = np.array([1.0 if even else len(label) + 2.0 for label in row])
    ends = np.cumsum(room)
    return ((ends - room / 2) / ends[-1]).tolist() if len(row) else []


def _joins(edges: pd.DataFrame) -> pd.DataFrame:
    return edges[(edges["left"] >= 0) & (edges["right"] >= 0)]


def _lines(edges: pd.DataFrame, rows: _Rows) -> list[dict[str, Any]]:
    """One trace for each sign and thickness, however many lines there are."""
    joins = _joins(edges)
    most = float(joins["score"].abs().max()) if len(joins) else 1.0
    lines: dict[tuple[bool, int], tuple[list[Any], list[Any]]]
    lines = {(above, width): ([], []) for above in (True, False) for width in range(len(_WIDTHS))}
    for i, j, score in zip(joins["left"], joins["right"], joins["score"], strict=True):
        width = min(int(abs(score) / (most or 1.0) * len(_WIDTHS)), len(_WIDTHS) - 1)
        x, y = lines[score >= 0, width]
        x += [rows.positions[0][i], rows.positions[1][j], None]
        y += [rows.gap, 1.0 - rows.gap, None]
    return [
        {
            "type": "scatter",
            "name": f"joined, score {'above' if above else 'below'} 0",
            "x": x,
            "y": y,
            "mode": "lines",
            "line": {"width": _WIDTHS[width], "color": _BLUE if above else _ORANGE},
            "hoverinfo": "skip",
        }
        for (above, width), (x, y) in lines.items()
    ]


def _arcs(arcs: Any, positions: list[list[float]]) -> list[dict[str, Any]]:
    """Dependencies beside upright rows, from head to word: blue where the other sentence has one like it."""
    found = []
    for mapped, colour, name in ((False, LIGHT_GREY, "an edge left alone"), (True, _BLUE, "an edge mapped")):
        x: list[float | None] = []
        y: list[float | None] = []
        text: list[str | None] = []
        for arc in arcs[arcs["score"].notna() == mapped].to_dict("records"):
            ends = [positions[arc["side"]][arc[end]] for end in ("head", "word")]
            depth = _DEEPEST * min(1.0, 0.15 + abs(ends[1] - ends[0]) ** 0.7)
            out = np.sin(np.linspace(0, np.pi, 13)) * depth
            start = -_GUTTER if arc["side"] == 0 else 1 + _GUTTER
            x += [*(start + (-out if arc["side"] == 0 else out)).tolist(), None]
            y += [*np.linspace(ends[0], ends[1], 13).tolist(), None]
            said = arc["label"] + (f" {arc['score']:+.3f}" if mapped else ", left alone")
            text += [*([said] * 13), None]
        found.append(
            {
                "type": "scatter",
                "name": name,
                "x": x,
                "y": y,
                "text": text,
                "mode": "lines",
                "line": {"width": 2 if mapped else 1.2, "color": colour},
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    return found


def _middles(edges: pd.DataFrame, rows: _Rows) -> dict[str, Any]:
    """Points along the lines, unseen, which tell about them under the mouse."""
    (left, right), positions = rows.labels, rows.positions
    x, y, text = [], [], []
    for edge in _joins(edges).to_dict("records"):
        names = f"{left[edge['left']]} – {right[edge['right']]}{_LTR}"
        for at in (0.25, 0.5, 0.75):
            x.append((1 - at) * positions[0][edge["left"]] + at * positions[1][edge["right"]])
            y.append(rows.gap + at * (1 - 2 * rows.gap))
            text.append(f"{names} {edge['score']:+.3f}<br>{html.escape(edge['why'])}")
    return {
        "type": "scatter",
        "name": "parts",
        "x": x,
        "y": y,
        "text": text,
        "mode": "markers",
        "marker": {"size": 14, "color": GREY},
        "opacity": 0,
        "hovertemplate": "%{text}<extra></extra>",
    }


def _row(edges: pd.DataFrame, rows: _Rows, side: int) -> dict[str, Any]:
    labels, other = rows.labels[side], rows.labels[1 - side]
    here, there = (("left", "right"), ("right", "left"))[side]
    words, size = rows.words, min(34.0, 560 / rows.longest)
    told: list[list[str]] = [[] for _ in labels]
    alone = [True] * len(labels)
    for edge in edges[edges[here] >= 0].to_dict("records"):
        met = edge[there] >= 0
        alone[edge[here]] &= not met
        what = f"with {other[edge[there]]}{_LTR}" if met else "left alone"
        told[edge[here]].append(f"{what} {edge['score']:+.3f}<br>{html.escape(edge['why'])}")
    position = ("middle left", "middle right")[side] if rows.upright else ("top center", "bottom center")[side]
    return {
        "type": "scatter",
        "name": here,
        "x": rows.positions[side],
        "y": [float(side)] * len(labels),
        "text": list(labels),
        "hovertext": ["<br>".join([f"<b>{label}</b>", *said]) for label, said in zip(labels, told, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "mode": "markers+text",
        "textposition": position if words else "middle center",
        "textfont": {"size": 13 if words else min(20, round(0.6 * size)), "color": INK},
        "marker": {
            "symbol": "circle" if words else "square",
            "size": 8 if words else size,
            "color": [(GREY if words else _ALONE) if lonely else (_BLUE if words else _JOINED) for lonely in alone],
        },
    }

"""Figures about latent structures: two rows and what joins them, how learning goes on, weights, mistakes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.style import PALETTE, house_figure, wrapped

if TYPE_CHECKING:
    from semwork.structures.joined import Joined
    from semwork.structures.sentence_study import SentenceStep
    from semwork.structures.study import NameStep

__all__ = ["joined_figure", "learning_figure", "mistakes_figure", "weights_figure"]

_BLUE, _ORANGE, _GREEN, _PINK, _GREY = PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3], "#8c8c8c"
_JOINED, _ALONE = "#d7e9f5", "#ececec"
_WIDTHS = (1.0, 2.5, 4.5, 7.0)
_LEGEND = {"orientation": "h", "x": 0, "y": 0.01, "yref": "container", "yanchor": "bottom", "font": {"size": 12}}
_LTR = "\u200e"  # after a word that may be Hebrew or Arabic: a number behind it stays behind it
_BOX = 0.17  # half the height of a letter's box, as a share of the distance between the rows
_NOTE = 66  # letters in a line below a figure
_LONG = 60  # letters in a row, from which on words stand below each other
_KINDS = _BLUE, _GREEN, _ORANGE, _GREY
_LONGEST_NAME = 32
_GUTTER, _DEEPEST = 0.42, 0.3  # where arcs begin beside upright rows, and how far they reach


# --- two rows -----------------------------------------------------------------------------------------------------


def joined_figure(joined: Joined, *, title: str = "", note: str = "", vertical: bool | None = None) -> go.Figure:
    """Draw two rows of letters or words, and what joins them.

    A line is the thicker, the larger the score of its part; blue is above 0, orange below. Whatever was left alone is
    grey.

    Parameters
    ----------
    joined
        Rows and parts.
    title, note
        Stand above and below the figure.
    vertical
        Whether the rows stand upright, side by side; by default when they are long, as sentences are.
    """
    rows = joined.left, joined.right
    words = max((len(label) for row in rows for label in row), default=1) > 2
    if vertical is None:
        vertical = words and max(sum(len(label) + 2 for label in row) for row in rows) > _LONG
    longest = max(1, *map(len, rows))
    note = wrapped(note, _NOTE)
    more = 16 * note.count("<br>")
    height = (100 + 24 * longest if vertical else 240) + more
    figure = house_figure(title, "", "", height=height, showlegend=False, hovermode="closest")
    places = [_spread(row, even=vertical or not words) for row in rows]
    gap = 0.0 if words else _BOX
    for trace in (*_lines(joined, places, gap), _middles(joined, places, gap)):
        figure.add_trace(_turned(trace) if vertical else trace)
    if joined.arcs is not None and vertical:
        for trace in _arcs(joined.arcs, places):
            figure.add_trace(trace)
    for side in (0, 1):
        trace = _row(joined, side, places[side], words=words, upright=vertical, size=min(34.0, 560 / longest))
        figure.add_trace(_turned(trace) if vertical else trace)
    along = {"visible": False, "range": [1.02, -0.02] if vertical else [-0.02, 1.02], "fixedrange": True}
    across = {"visible": False, "range": [-0.75, 1.75] if vertical else [1.25, -0.25], "fixedrange": True}
    figure.update_layout(
        xaxis=across if vertical else along,
        yaxis=along if vertical else across,
        margin={"l": 14, "r": 14, "b": 26 + more if note else 8},
    )
    if note:
        figure.add_annotation(
            text=note, x=0.5, y=0, xref="paper", yref="paper", yshift=-4, yanchor="top", showarrow=False, font_size=12
        )
    return figure


def _spread(row: Sequence[str], *, even: bool) -> list[float]:
    """Places between 0 and 1: the same distance for letters, more room for long words."""
    room = np.array([1.0 if even else len(label) + 2.0 for label in row])
    ends = np.cumsum(room)
    return ((ends - room / 2) / ends[-1]).tolist() if len(row) else []


def _turned(trace: dict[str, Any]) -> dict[str, Any]:
    return {**trace, "x": trace["y"], "y": trace["x"]}


def _joins(joined: Joined) -> Any:
    return joined.edges[(joined.edges["left"] >= 0) & (joined.edges["right"] >= 0)]


def _lines(joined: Joined, places: list[list[float]], gap: float) -> list[dict[str, Any]]:
    """One trace for each sign and thickness, however many lines there are."""
    joins = _joins(joined)
    most = float(joins["score"].abs().max()) if len(joins) else 1.0
    lines: dict[tuple[bool, int], tuple[list[Any], list[Any]]]
    lines = {(above, width): ([], []) for above in (True, False) for width in range(len(_WIDTHS))}
    for i, j, score in zip(joins["left"], joins["right"], joins["score"], strict=True):
        width = min(int(abs(score) / (most or 1.0) * len(_WIDTHS)), len(_WIDTHS) - 1)
        x, y = lines[score >= 0, width]
        x += [places[0][i], places[1][j], None]
        y += [gap, 1.0 - gap, None]
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


def _arcs(arcs: Any, places: list[list[float]]) -> list[dict[str, Any]]:
    """Dependencies beside upright rows, from head to word: blue where the other sentence has one like it."""
    found = []
    for mapped, colour, name in ((False, "#c8c8c8", "an edge left alone"), (True, _BLUE, "an edge mapped")):
        x: list[float | None] = []
        y: list[float | None] = []
        text: list[str | None] = []
        for arc in arcs[arcs["score"].notna() == mapped].to_dict("records"):
            ends = [places[arc["side"]][arc[end]] for end in ("head", "word")]
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


def _middles(joined: Joined, places: list[list[float]], gap: float) -> dict[str, Any]:
    """Points along the lines, unseen, which tell about them under the mouse."""
    x, y, text = [], [], []
    for edge in _joins(joined).to_dict("records"):
        names = f"{joined.left[edge['left']]} – {joined.right[edge['right']]}{_LTR}"
        for at in (0.25, 0.5, 0.75):
            x.append((1 - at) * places[0][edge["left"]] + at * places[1][edge["right"]])
            y.append(gap + at * (1 - 2 * gap))
            text.append(f"{names} {edge['score']:+.3f}<br>{html.escape(edge['why'])}")
    return {
        "type": "scatter",
        "name": "parts",
        "x": x,
        "y": y,
        "text": text,
        "mode": "markers",
        "marker": {"size": 14, "color": _GREY},
        "opacity": 0,
        "hovertemplate": "%{text}<extra></extra>",
    }


def _row(joined: Joined, side: int, places: list[float], *, words: bool, upright: bool, size: float) -> dict[str, Any]:
    labels, here, there = (joined.left, joined.right)[side], ("left", "right")[side], ("right", "left")[side]
    other = (joined.right, joined.left)[side]
    told: list[list[str]] = [[] for _ in labels]
    alone = [True] * len(labels)
    for edge in joined.edges[joined.edges[here] >= 0].to_dict("records"):
        met = edge[there] >= 0
        alone[edge[here]] &= not met
        what = f"with {other[edge[there]]}{_LTR}" if met else "left alone"
        told[edge[here]].append(f"{what} {edge['score']:+.3f}<br>{html.escape(edge['why'])}")
    position = ("middle left", "middle right")[side] if upright else ("top center", "bottom center")[side]
    return {
        "type": "scatter",
        "name": here,
        "x": places,
        "y": [float(side)] * len(labels),
        "text": list(labels),
        "hovertext": ["<br>".join([f"<b>{label}</b>", *said]) for label, said in zip(labels, told, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "mode": "markers+text",
        "textposition": position if words else "middle center",
        "textfont": {"size": 13 if words else min(20, round(0.6 * size)), "color": "#262626"},
        "marker": {
            "symbol": "circle" if words else "square",
            "size": 8 if words else size,
            "color": [(_GREY if words else _ALONE) if lonely else (_BLUE if words else _JOINED) for lonely in alone],
        },
    }


# --- learning -----------------------------------------------------------------------------------------------------


def learning_figure(
    step: NameStep | SentenceStep, iteration: int | None = None, *, title: str = "", tested: str = "test names"
) -> go.Figure:
    """Objective, accuracy and, of names, mean reciprocal rank along the outer iterations; one of them is marked."""
    history, two_stage = step.history, step.two_stage
    now = len(history) - 1 if iteration is None else min(iteration, len(history) - 1)
    figure = house_figure(title, "outer iteration", "objective", height=270, hovermode="closest", legend=_LEGEND)
    measures = [
        (name, column, colour)
        for name, column, colour in (("accuracy", "accuracy", _GREEN), ("MRR", "mrr", _PINK))
        if column in history.columns
    ]
    for name, column, colour, axis in (
        ("objective", "objective", _BLUE, ""),
        *((*measure, "2") for measure in measures),
    ):
        size = [13 if place == now else 6 for place in range(len(history))]
        figure.add_scatter(
            name=name,
            x=history["iteration"].to_numpy(),
            y=history[column].to_numpy(),
            customdata=history["iteration"].tolist(),
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"size": size, "color": colour},
            hovertemplate=f"{name} %{{y:.4g}} after iteration %{{x}}<br>click to go there<extra></extra>",
            xaxis="x" + axis,
            yaxis="y" + axis,
        )
    last = max(4, len(history) - 1)
    ends = [-0.4, last + 0.4]
    for name, column, colour in measures:
        value = getattr(two_stage, column)
        figure.add_scatter(
            name=f"{name}, two-stage",
            x=ends,
            y=[value] * 2,
            mode="lines",
            line={"color": colour, "width": 1.5, "dash": "dot"},
            hovertemplate=f"two-stage system: {name} {value:.3f}<extra></extra>",
            xaxis="x2",
            yaxis="y2",
        )
    objective = history["objective"]
    # Of names the objective falls by powers of ten, of sentences by a few percent.
    wide = objective.max() > 3 * objective.min()
    powers = float(np.floor(np.log10(objective.min()))), float(np.ceil(np.log10(objective.max())))
    room = 0.1 * (objective.max() - objective.min()) + 1e-3 * objective.max()
    low, top = (10 ** powers[0], 10 ** powers[1]) if wide else (objective.min() - room, objective.max() + room)
    for axis, bottom, ceiling in (("", low, top), ("2", 0.0, 1.0)):
        figure.add_scatter(
            name="now",
            x=[now, now],
            y=[bottom, ceiling],
            mode="lines",
            line={"color": _GREY, "width": 1, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
            xaxis="x" + axis,
            yaxis="y" + axis,
        )
    ticks = {
        "range": ends,
        "zeroline": False,
        "tickvals": list(range(last + 1)),
        "ticktext": ["start", *map(str, range(1, last + 1))],
    }
    lowest = min(history[[column for _, column, _ in measures]].to_numpy().min(), two_stage.accuracy)
    figure.update_layout(
        margin={"b": 86, "t": 50},
        xaxis={**ticks, "domain": [0, 0.42]},
        xaxis2={**ticks, "domain": [0.56, 1], "anchor": "y2", "title": {"text": "outer iteration"}},
        yaxis={"title": {"text": "objective"}}
        | ({"type": "log", "range": powers, "dtick": 1} if wide else {"type": "linear", "range": [low, top]}),
        yaxis2={"range": [lowest - 0.02, 1.0], "anchor": "x2", "title": {"text": tested}, "tickformat": ".2f"},
    )
    return figure


# --- weights and mistakes -----------------------------------------------------------------------------------------


def weights_figure(
    step: NameStep | SentenceStep,
    iteration: int | None = None,
    *,
    n: int = 12,
    title: str = "",
    kinds: Sequence[str] = ("letters", "two letters each", "left alone", "bias"),
) -> go.Figure:
    """Draw the largest weights and the smallest, coloured by what they are about."""
    table = step.weights(iteration, n)
    figure = house_figure(title, "weight", "", height=150 + 20 * n, barmode="overlay", legend=_LEGEND)
    longest = max((len(_cut(name)) for name in table["feature"]), default=1)
    share = min(0.04 + 0.0065 * max(longest - 8, 0), 0.24)  # of the width, for names
    halves = table[table["weight"] > 0], table[table["weight"] <= 0].iloc[::-1]
    for axis, half in zip(("", "2"), halves, strict=True):
        places = np.arange(len(half))
        for kind, colour in zip(kinds, _KINDS, strict=True):
            own = (half["kind"] == kind).to_numpy()
            nothing = [None] if axis and not own.any() else None  # so that the legend has every kind
            figure.add_bar(
                name=kind,
                x=nothing or half["weight"].to_numpy()[own],
                y=nothing or places[own],
                text=[html.escape(name) for name in half["feature"][own]],
                textposition="none",
                orientation="h",
                width=0.75,
                marker={"color": colour},
                hovertemplate=f"%{{text}}{_LTR}: %{{x:+.3f}} ({kind})<extra></extra>",
                legendgroup=kind,
                showlegend=bool(axis),
                xaxis="x" + axis,
                yaxis="y" + axis,
            )
        names = [html.escape(_cut(name)) for name in half["feature"]]
        figure.update_layout({"yaxis" + axis: _named_rows(names, n, size=14 if longest < 16 else 12)})
    ends = 1.05 * max(table["weight"].max(), 0.01), 1.05 * min(table["weight"].min(), -0.01)
    figure.update_layout(
        uirevision="weights",
        margin={"b": 86},
        xaxis={"domain": [share, 0.46], "range": [0, ends[0]]},
        xaxis2={"domain": [0.54 + share, 1], "anchor": "y2", "title": {"text": "weight"}, "range": [ends[1], 0]},
        yaxis2={"anchor": "x2"},
    )
    return figure


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
    step: NameStep, iteration: int | None = None, *, chosen: tuple[str, str] | None = None, n: int = 10, title: str = ""
) -> go.Figure:
    """Draw test names whose right spelling (green) has a smaller score than another one (orange).

    ``customdata`` of a point is the pair it stands for.
    """
    table = step.mistakes(iteration).head(n)
    names = [
        f"<b>{html.escape(name)}</b>" if chosen and name == chosen[0] else html.escape(name)
        for name in table["english"]
    ]
    rows = list(range(len(table)))
    figure = house_figure(
        title,
        "score (click a point to see its alignment)",
        "",
        height=130 + 24 * max(n, 1),
        hovermode="closest",
        legend=_LEGEND,
    )
    gaps = [[*pair, None] for pair in zip(table["score"], table["rival score"], strict=True)]
    figure.add_scatter(
        name="difference",
        x=[x for gap in gaps for x in gap],
        y=[y for row in rows for y in (row, row, None)],
        mode="lines",
        line={"color": "#c8c8c8", "width": 3},
        hoverinfo="skip",
        showlegend=False,
    )
    for name, column, score, colour, side in (
        ("right spelling", "foreign", "score", _GREEN, "middle left"),
        ("spelling of another name", "rival", "rival score", _ORANGE, "middle right"),
    ):
        figure.add_scatter(
            name=name,
            x=table[score].to_numpy(),
            y=rows,
            text=[html.escape(spelled) for spelled in table[column]],
            customdata=table[["english", column]].to_numpy().tolist(),
            mode="markers+text",
            marker={"size": 11, "color": colour},
            textposition=side,
            textfont={"size": 13},
            hovertext=[f"{name}, place {place}" for name, place in zip(table["english"], table["place"], strict=True)],
            hovertemplate=f"%{{hovertext}}<br>{name} %{{text}}: %{{x:.3f}}<br>click to see it aligned<extra></extra>",
        )
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

"""Figures about observed and missing words."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["neighbour_figure", "tradeoff_figure", "word_figure"]

_OBSERVED, _MISSING, _OWN = PALETTE[0], PALETTE[1], "#8c8c8c"
_ROOM_FOR_NAMES = 0.26  # of the width, between two sides: for about 16 letters
_COLOURS = (PALETTE[4], PALETTE[3], PALETTE[2], PALETTE[5])


def _wrapped(text: str, width: int = 76, most: int = 2) -> str:
    """At most that many lines."""
    lines = textwrap.wrap(text, width, max_lines=most, placeholder=" …")
    return "<br>".join(html.escape(line) for line in lines)


def _two_sided(title: str, left: tuple[str, str], right: tuple[str, str], *, height: int, gap: float) -> go.Figure:
    """A house figure with two pairs of axes side by side; each side is the names of its x and y axis."""
    figure = house_figure(_wrapped(title), *left, height=height, showlegend=False)
    figure.update_layout(title={"font": {"size": 14}}, margin={"t": 74 if "<br>" in figure.layout.title.text else 56})
    middle = 0.5
    figure.update_layout(
        xaxis={"domain": [0, middle - gap / 2]},
        xaxis2={"domain": [middle + gap / 2, 1], "anchor": "y2", "title": {"text": right[0]}},
        yaxis2={"anchor": "x2", "title": {"text": right[1]}},
    )
    # Two pictures share the width: the names of their axes must not run into each other.
    for axis in ("xaxis", "xaxis2", "yaxis", "yaxis2"):
        figure.layout[axis].title.font = {"size": 13}
    return figure


def _sideways(figure: go.Figure, *, axis: str, labels: Any, values: Any, colours: Any, hover: Any) -> None:
    """Horizontal bars, the first on top."""
    figure.add_trace(
        go.Bar(
            x=np.asarray(values, dtype=float),
            y=_distinct([_short(str(label), 16) for label in labels]),
            orientation="h",
            marker={"color": colours},
            hovertext=list(hover),
            hovertemplate="%{hovertext}<extra></extra>",
            xaxis=f"x{axis}",
            yaxis=f"y{axis}",
        )
    )
    bottom = max(len(figure.data[-1].y), 1) - 0.5
    figure.update_layout(
        {
            f"yaxis{axis}": {
                "type": "category",
                "range": [bottom, -0.5],
                "ticklabelstandoff": 4,
                "tickfont": {"size": 12},
            }
        }
    )


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]


def _short(text: str, width: int) -> str:
    return html.escape(text if len(text) <= width else text[: width - 1] + "…")


def _distinct(names: list[str]) -> list[str]:
    """Names that look the same get blanks behind them: bars with one name would lie on each other."""
    return [name + " " * names[:place].count(name) for place, name in enumerate(names)]


def word_figure(words: pd.DataFrame, *, title: str = "", shown: int = 12) -> go.Figure:
    """What a sentence's vector predicts for the words it has, with the weights they have, and for missing words.

    Parameters
    ----------
    words
        ``word``, ``weight``, ``predicted`` and ``observed``, as `semwork.similarity.missing.word_table` makes.
    title
        Stands above the figure.
    shown
        How many observed and how many missing words.
    """
    own, other = words[words["observed"]].head(shown), words[~words["observed"]].head(shown)
    height = 130 + 22 * max(len(own), len(other), 5)
    sides = ("observed words: P·v, ◆ is X", ""), ("missing words: P·v, X is 0", "")
    figure = _two_sided(title, *sides, height=height, gap=_ROOM_FOR_NAMES)
    said = ["{word}: predicted {predicted:.2f}, X = {weight:.2f}".format(**row) for row in _records(own)]
    _sideways(figure, axis="", labels=own["word"], values=own["predicted"], colours=_OBSERVED, hover=said)
    figure.data[0].name = "observed"
    figure.add_trace(
        go.Scatter(
            name="X of observed",
            x=own["weight"].to_numpy(),
            y=list(figure.data[0].y),
            customdata=own["word"].tolist(),
            mode="markers",
            marker={"symbol": "diamond", "size": 8, "color": "#8c8c8c"},
            hovertemplate="%{customdata}: X = %{x:.2f}<extra></extra>",
        )
    )
    said = ["{word}: predicted {predicted:.2f}, X = 0".format(**row) for row in _records(other)]
    _sideways(figure, axis="2", labels=other["word"], values=other["predicted"], colours=_MISSING, hover=said)
    figure.data[2].name = "missing"
    # One scale for both sides: a missing word that is predicted like an observed one looks like one.
    most = max(float(words[["weight", "predicted"]].to_numpy().max(initial=0)), 1e-9) * 1.06
    least = min(float(words["predicted"].min()) if len(words) else 0.0, 0.0) * 1.06
    figure.update_layout(xaxis={"range": [least, most]}, xaxis2={"range": [least, most]})
    return figure


def neighbour_figure(similar_words: pd.DataFrame, definitions: pd.DataFrame, *, title: str = "") -> go.Figure:
    """The words and the definitions that are nearest to a sentence's vector.

    Parameters
    ----------
    similar_words
        ``word``, ``similarity`` and ``observed``.
    definitions
        ``name``, ``headword``, ``sense``, ``similarity`` and ``text``; a click on a bar tells headword and sense.
    title
        Stands above the figure.
    """
    height = 130 + 22 * max(len(similar_words), len(definitions), 5)
    sides = ("nearest words, cosine", ""), ("nearest definitions, cosine", "")
    figure = _two_sided(title, *sides, height=height, gap=_ROOM_FOR_NAMES)
    colours = [_OBSERVED if own else _MISSING for own in similar_words["observed"]]
    kinds = ["observed" if own else "missing" for own in similar_words["observed"]]
    near = zip(similar_words["word"], similar_words["similarity"], kinds, strict=True)
    said = [f"{word}, {kind}: cosine {value:.2f}" for word, value, kind in near]
    _sideways(
        figure, axis="", labels=similar_words["word"], values=similar_words["similarity"], colours=colours, hover=said
    )
    figure.data[0].name = "words"
    said = [f"{_wrapped(row['text'], 48, 4)}<br>cosine {row['similarity']:.2f}" for row in _records(definitions)]
    names, values = definitions["name"], definitions["similarity"]
    _sideways(figure, axis="2", labels=names, values=values, colours=PALETTE[2], hover=said)
    figure.data[1].name = "definitions"
    figure.data[1].customdata = [[row["headword"], int(row["sense"])] for row in _records(definitions)]
    figure.update_layout(xaxis={"range": [0, 1.02]}, xaxis2={"range": [0, 1.02]})
    return figure


def tradeoff_figure(
    candidates: pd.DataFrame, weight: float, *, own: pd.DataFrame | None = None, title: str = ""
) -> go.Figure:
    """Who wins when missing words weigh w: R_o against R_m, and the score of each candidate along w.

    Parameters
    ----------
    candidates
        ``candidate``, ``R_o`` and ``R_m``, as `semwork.similarity.missing.relatedness` makes.
    weight
        The weight w of the moment. The line on the left joins all points with the winner's score
        ``R_o − w R_m``: every other candidate lies below it.
    own
        One more vector to show, out of the contest.
    title
        Stands above the figure.
    """
    sides = (
        ("R_m, relatedness to missing words", "R_o, to observed words"),
        ("weight w of missing words", "R_o − w R_m"),
    )
    figure = _two_sided(title, *sides, height=380, gap=0.16)
    _plane(figure, candidates, weight, own)
    _lines(figure, candidates, weight)
    return figure


def _plane(figure: go.Figure, candidates: pd.DataFrame, weight: float, own: pd.DataFrame | None) -> None:
    from semwork.similarity.missing import scores

    now = scores(candidates, weight)
    tables = [candidates] if own is None else [candidates, own]
    points = np.concatenate([table[["R_m", "R_o"]].to_numpy(float) for table in tables]).reshape(-1, 2)
    low, high = np.minimum(points.min(axis=0, initial=0), 0), np.maximum(points.max(axis=0, initial=1e-9), 0)
    low, high = low - 0.09 * (high - low), high + 0.16 * (high - low)
    if len(candidates):
        best = float(now["score"].max())
        # Only the part inside the frame: at w = 1 the line is nearly upright.
        left, right = low[0], high[0]
        if weight > 0:
            left, right = max(left, (low[1] - best) / weight), min(right, (high[1] - best) / weight)
        x = np.linspace(left, right, 50)
        figure.add_trace(
            go.Scatter(
                name=f"R_o − {weight:g} R_m = {best:.4g}",
                x=x,
                y=best + weight * x,
                mode="lines",
                line={"color": "#8c8c8c", "dash": "dash", "width": 1.5},
                hovertemplate=f"same score as the winner:<br>R_o − {weight:g} R_m = {best:.4g}<extra></extra>",
            )
        )
    sides = [_side(point[0], low[0], high[0]) for point in points]
    heights = ["top"] * len(candidates) + ["bottom"] * (len(points) - len(candidates))
    if own is not None and len(own) and len(candidates):
        # The reader's own vector is often near a hypothesis: the name of the upper one stands above, the other below.
        mine = points[len(candidates)]
        near = int(np.argmin(np.abs((points[: len(candidates)] - mine) / (high - low)).sum(axis=1)))
        if mine[1] > points[near, 1]:
            heights[near], heights[len(candidates)] = "bottom", "top"
    labels = [f"{height} {side}" for height, side in zip(heights, sides, strict=True)]
    for number, (row, wins) in enumerate(zip(_records(candidates), now["wins"], strict=True)):
        colour = _COLOURS[number % len(_COLOURS)]
        _point(figure, row, weight, colour=colour, wins=bool(wins), label=labels[number])
    for row, label in zip([] if own is None else _records(own), labels[len(candidates) :], strict=True):
        _point(figure, row, weight, colour=_OWN, symbol="circle-open", label=label)
    figure.update_layout(xaxis={"range": [low[0], high[0]]}, yaxis={"range": [low[1], high[1]]})


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


def _lines(figure: go.Figure, candidates: pd.DataFrame, weight: float) -> None:
    """Scores along the weights; the places are equally far apart, because they are round numbers that begin at 0."""
    from semwork.similarity.missing import WEIGHT_GRID, scores

    grid = sorted({*WEIGHT_GRID, float(weight)})
    along = scores(candidates, grid)
    labels = [f"{w:g}" for w in grid]
    places = np.arange(len(grid))
    winners = along[along["wins"]]
    for number, name in enumerate(candidates["candidate"]):
        rows = along[along["candidate"] == name]
        colour = _COLOURS[number % len(_COLOURS)]
        figure.add_trace(
            go.Scatter(
                name=f"score of {name}",
                x=places,
                y=rows["score"].to_numpy(),
                customdata=np.array(grid),
                mode="lines",
                line={"color": colour, "width": 2},
                hovertemplate=f"{name}: %{{y:.4g}} at w = %{{customdata:~g}}<extra></extra>",
                xaxis="x2",
                yaxis="y2",
            )
        )
        won = np.flatnonzero(rows["wins"].to_numpy())
        if len(won):
            _won(figure, name, colour, won, rows["score"].to_numpy()[won], np.array(grid)[won])
    best = winners["score"].to_numpy() if len(winners) else np.array([0.0, 1.0])
    span = max(float(best.max() - best.min()), 1e-9)
    low, high = float(best.min()) - 0.12 * span, float(best.max()) + 0.18 * span
    here = grid.index(float(weight))
    figure.add_trace(
        go.Scatter(
            name="w_m now",
            x=[here, here],
            y=[low, high],
            mode="lines",
            line={"color": "#8c8c8c", "dash": "dot", "width": 1.5},
            hovertemplate=f"w_m = {weight:g}<extra></extra>",
            xaxis="x2",
            yaxis="y2",
        )
    )
    shown = [place for place, label in enumerate(labels) if label in ("0", "0.001", "0.01", "0.1", "1")]
    figure.update_layout(
        xaxis2={
            "tickvals": shown,
            "ticktext": [labels[place] for place in shown],
            "range": [-0.6, len(grid) - 0.4],
        },
        yaxis2={"range": [low, high]},
    )


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
            xaxis="x2",
            yaxis="y2",
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


def _runs(places: Any) -> list[tuple[int, int]]:
    """First and last of each row of neighbouring places."""
    breaks = np.flatnonzero(np.diff(places) > 1)
    firsts = np.concatenate([[0], breaks + 1])
    lasts = np.concatenate([breaks, [len(places) - 1]])
    return [(int(places[a]), int(places[b])) for a, b in zip(firsts, lasts, strict=True)]

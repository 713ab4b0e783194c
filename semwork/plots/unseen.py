"""Figures about unseen words: how two models read a text, what its topics are then, where a word falls."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.labels import PAGE, Frame, label_traces, shortened
from semwork.plots.style import PALETTE, axis_title, house_figure

if TYPE_CHECKING:
    import pandas as pd

    from semwork.topics.unseen import FixedTopics, Reading, UnseenStep

__all__ = ["reading_figure", "shares_figure", "unseen_word_figure"]

_SLOTS, _GREY, _DROPPED = PALETTE[:6], "#6e6e6e", "#b4b4b4"
_WIDTH = 56  # letters in a line
_LINES = 12
_LETTER, _ROW = 7.85, 19.0  # pixels
_TOPICS = 6
_POINTS = 500
_NEAREST = 5  # seen words with their names in the map
_MARGIN = {"t": 44, "b": 56, "l": 62, "r": 31}
_SHARES = (0.0, 0.46), (0.54, 1.0)
_MAP, _CHANCES = (0.0, 0.6), (0.66, 1.0)
_PITCH, _BAR, _THICK = 2.0, 0.9, 0.8  # from a topic's name to the next one, from the name down to its bar
_CLOSEST = 0.4  # the map shows this share of the plane, or more


def _colours(before: Reading, now: Reading) -> dict[int, str]:
    """Colours for the topics that the two texts have most of; the others stay grey."""
    most = np.maximum(before.proportions, now.proportions)
    order = np.argsort(-before.proportions, kind="stable")[:3].tolist()
    order += [k for k in np.argsort(-most, kind="stable").tolist() if k not in order][: len(_SLOTS) - len(order)]
    return dict(zip(order, _SLOTS, strict=False))


# --- the text -----------------------------------------------------------------------------------------------------


def reading_figure(step: UnseenStep, text: str, original: str, *, word: str = "", title: str = "") -> go.Figure:
    """Write the text as Gaussian LDA reads it, and below as LDA does: words in the colours of their topics.

    Unseen words are underlined, dropped words struck out, words without meaning grey. ``customdata`` is the word.
    """
    lines = _set(text)
    rows = max(len(lines), 2)
    half = _ROW * (rows + 1.2)
    figure = house_figure(title, "", "", height=round(2.04 * half) + 52, hovermode="closest", showlegend=False)
    for axis, before, now, name in _both(step, original, text):
        figure.add_trace(_written(step, lines, now, _colours(before, now), word, name, axis))
    # Without automargin: plotly would keep the margins of axes that were seen before and are no longer.
    hidden = {"visible": False, "fixedrange": True, "automargin": False, "constrain": "domain"}
    across = {**hidden, "range": [-1, _WIDTH + 1], "constraintoward": "left", "scaleratio": _LETTER / _ROW}
    down = {**hidden, "range": [rows - 0.4, -1.6]}
    figure.update_layout(
        margin={"t": 44, "b": 8, "l": 10, "r": 10},
        hoverdistance=40,
        xaxis={**across, "scaleanchor": "y"},
        yaxis={**down, "domain": [0.51, 1]},
        xaxis2={**across, "anchor": "y2", "scaleanchor": "y2"},
        yaxis2={**down, "domain": [0, 0.49], "anchor": "x2"},
    )
    return figure


def _both(step: UnseenStep, original: str, text: str) -> list[tuple[str, Reading, Reading, str]]:
    names = "Gaussian LDA", "LDA"
    return list(zip(("", "2"), step.read(original), step.read(text), names, strict=True))


def _set(text: str) -> list[list[tuple[int, str]]]:
    """Break a text into lines: in each, the pieces and where they begin."""
    lines: list[list[tuple[int, str]]] = [[]]
    at = 0
    for piece in text.split():
        if at and at + len(piece) > _WIDTH:
            lines.append([])
            at = 0
        lines[-1].append((at, piece[:_WIDTH]))
        at += len(piece) + 1
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], [*lines[_LINES - 1][:-1], (lines[_LINES - 1][-1][0], "…")]]
    return lines


def _written(
    step: UnseenStep,
    lines: list[list[tuple[int, str]]],
    now: Reading,
    colours: dict[int, str],
    chosen: str,
    name: str,
    axis: str,
) -> dict[str, Any]:
    topics = dict(zip(now.words, now.topics.tolist(), strict=True))
    x, y, words, text = [len(name) / 2], [-1.0], [""], [f"<b>{name}</b>"]
    shown, told = [_GREY], [f"as {name} reads it"]
    for row, line in enumerate(lines):
        for at, piece in line:
            own = step.study.words_of(piece)
            word = own[0] if own else ""
            x.append(at + len(piece) / 2)  # in the middle of the word, where a reader clicks
            y.append(float(row))
            words.append(word)
            text.append(_marked(step, piece, word, topics, chosen))
            shown.append(_colour(word, topics, colours))
            told.append(_hint(step, piece, word, topics, name))
    return {
        "type": "scatter",
        "name": f"text, {name}",
        "x": x,
        "y": y,
        "text": text,
        "hovertext": told,
        "customdata": words,
        "mode": "text",
        "textposition": "middle center",
        "textfont": {"size": 13, "color": shown, "family": "ui-monospace, Menlo, 'DejaVu Sans Mono', monospace"},
        "hovertemplate": "%{hovertext}<extra></extra>",
        "xaxis": "x" + axis,
        "yaxis": "y" + axis,
    }


def _marked(step: UnseenStep, piece: str, word: str, topics: dict[str, int], chosen: str) -> str:
    text = html.escape(piece)
    if word and topics.get(word, -1) < 0:
        text = f"<s>{text}</s>"
    elif word and step.study.status(word) == "unseen":
        text = f"<u>{text}</u>"
    return f"<b>{text}</b>" if word and word == chosen else text


def _colour(word: str, topics: dict[str, int], colours: dict[int, str]) -> str:
    if not word or topics.get(word, -1) < 0:
        return _DROPPED
    return colours.get(topics[word], _GREY)


def _hint(step: UnseenStep, piece: str, word: str, topics: dict[str, int], name: str) -> str:
    if not word:
        return f"{html.escape(piece)}: has no topic, as all short and common words"
    said = f"<b>{html.escape(word)}</b>: {step.study.status(word)}"
    topic = topics.get(word, -1)
    if topic < 0:
        return f"{said}, {name} drops it"
    model = step.gaussian if name == step.gaussian.name else step.lda
    return f"{said}, topic {topic} ({html.escape(', '.join(model.top_words[topic][:4]))})<br>click to look at it"


# --- its topics ---------------------------------------------------------------------------------------------------


def shares_figure(step: UnseenStep, text: str, original: str, *, title: str = "") -> go.Figure:
    """Draw the topic proportions of a text (bars) and of the original (diamonds), by Gaussian LDA and by LDA."""
    figure = house_figure(title, "", "", height=100 + 40 * _TOPICS, hovermode="closest", showlegend=False)
    for (axis, before, now, name), domain in zip(_both(step, original, text), _SHARES, strict=True):
        model = step.gaussian if not axis else step.lda
        colours = _colours(before, now)
        topics = list(colours)[:_TOPICS]
        rows = _PITCH * np.arange(len(topics))
        told = [f"topic {k}: {html.escape(', '.join(model.top_words[k][:6]))}" for k in topics]
        common = {"customdata": topics, "text": told, "xaxis": "x" + axis, "yaxis": "y" + axis, "y": rows + _BAR}
        figure.add_bar(
            name=f"{name}, now",
            x=now.proportions[topics],
            textposition="none",
            orientation="h",
            width=_THICK,
            marker={"color": [colours[k] for k in topics]},
            hovertemplate=f"{name}, now: %{{x:.0%}}<br>%{{text}}<extra></extra>",
            **common,
        )
        figure.add_scatter(
            name=f"{name}, before",
            x=before.proportions[topics],
            mode="markers",
            marker={"symbol": "diamond", "size": 10, "color": "#4a4a4a", "line": {"color": "#ffffff", "width": 1}},
            hovertemplate=f"{name}, before: %{{x:.0%}}<br>%{{text}}<extra></extra>",
            **common,
        )
        figure.add_trace(_named(model, topics, domain, axis))
        said = f"{name}: moved by {_moved(before, now):.0%}"
        figure.update_layout({f"xaxis{axis}": _percent(said, domain, axis), f"yaxis{axis}": _topic_rows(axis)})
    figure.update_layout(margin={**_MARGIN, "l": 18})
    return figure


def _percent(title: str, domain: tuple[float, float], axis: str) -> dict[str, Any]:
    """An axis from 0 to 100 percent."""
    ticks = {"tickvals": [0, 0.5, 1], "tickformat": ".0%"}
    return {"domain": domain, "anchor": "y" + axis, "range": [0, 1], **ticks, "title": axis_title(title)}


def _topic_rows(axis: str) -> dict[str, Any]:
    """An axis with one row for each topic; its name stands in the row, above the bar."""
    return {
        "anchor": "x" + axis,
        "range": [_PITCH * _TOPICS - 0.5, -0.6],
        "showticklabels": False,
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,
    }


def _named(model: FixedTopics, topics: list[int], domain: tuple[float, float], axis: str) -> dict[str, Any]:
    """Numbers of topics and as many of their words as there is room for."""
    room = (PAGE - _MARGIN["l"] - _MARGIN["r"]) * (domain[1] - domain[0]) - 24  # without the number
    words = [html.escape(shortened(model.top_words[k], room, 12)) or "<i>no tokens</i>" for k in topics]
    return {
        "type": "scatter",
        "name": "names of topics",
        "x": [0.0] * len(topics),
        "y": _PITCH * np.arange(len(topics)),
        "text": [f"<b>{k}</b>  {text}" for k, text in zip(topics, words, strict=True)],
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": 12},
        "hoverinfo": "skip",
        "xaxis": "x" + axis,
        "yaxis": "y" + axis,
    }


def _moved(before: Reading, now: Reading) -> float:
    """Return the total variation between two proportions."""
    return float(np.abs(before.proportions - now.proportions).sum() / 2)


# --- one word -----------------------------------------------------------------------------------------------------


def unseen_word_figure(step: UnseenStep, word: str, *, origin: str = "", title: str = "") -> go.Figure:
    """Show where a word stands among the topics, with the word it replaced, and how likely each topic is for it.

    The map is the part of the plane around the word and the nearest words that training has seen.
    """
    table = step.word(word).head(_TOPICS)
    topics = table["topic"].tolist()
    names = [word, origin] if origin and step.gaussian.knows(origin) and origin != word else [word]
    near = _nearest(step, names)
    points = np.vstack([step.plane.points([step.study.vectors[name] for name in names]), near[["x", "y"]].to_numpy()])
    frame, seen = _frame(step, points), _seen(step)
    labels = label_traces(
        frame,
        points,
        [*names, *near["word"].astype(str)],
        size=13,
        strong=1,
        radius=[7, *[5] * (len(points) - 1)],
        avoid=[(*step.plane.means[k], 10) for k in topics],
        crowd=np.column_stack([seen["x"], seen["y"]]),
    )
    figure = house_figure(title, "", "", height=400, hovermode="closest", showlegend=False)
    figure.add_traces([seen, *_outlines(step, topics), *_placed(names, points, near), *labels, *_chances(step, table)])
    # Another word is at another place: there a reader's zoom would hide it.
    moving = {"zeroline": False, "uirevision": f"{origin} {word}"}
    first, second = step.plane.explained
    figure.update_layout(
        margin=_MARGIN,
        xaxis={
            **moving,
            "domain": _MAP,
            "range": frame.x,
            "title": axis_title(f"1st principal component, {first:.0%}"),
        },
        yaxis={**moving, "range": frame.y, "title": axis_title(f"2nd principal component, {second:.0%}")},
        xaxis2=_percent("p(topic | word)", _CHANCES, "2"),
        yaxis2=_topic_rows("2"),
    )
    return figure


def _nearest(step: UnseenStep, names: list[str]) -> pd.DataFrame:
    """Rows of the seen words whose vectors point most nearly where the first name's does, without the names."""
    vectors, words = step.study.vectors, step.plane.words
    own = np.asarray(vectors[names[0]], dtype=np.float64)
    rows = np.asarray(vectors.vectors[[vectors.index[str(name)] for name in words["word"]]], dtype=np.float64)
    cosines = rows @ own / np.maximum(np.linalg.norm(rows, axis=1) * np.linalg.norm(own), 1e-12)
    found = words.iloc[np.argsort(-cosines, kind="stable")[: _NEAREST + len(names)]]
    return found[~found["word"].isin(names)].head(_NEAREST)


def _frame(step: UnseenStep, points: Any) -> Frame:
    """The part of the plane around the points: the same share of both axes, and little beyond the seen words."""
    whole = np.array([_range(step.plane.words[axis].to_numpy()) for axis in ("x", "y")])
    span = whole[:, 1] - whole[:, 0]
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(_CLOSEST, *(1.5 * (high - low) / span)) * span
    # A word may stand outside of all others: there the plane goes on.
    first, last = np.minimum(whole[:, 0], low - 0.15 * size), np.maximum(whole[:, 1], high + 0.15 * size)
    start = np.maximum(np.minimum((low + high - size) / 2, last - size), first)
    width = (PAGE - _MARGIN["l"] - _MARGIN["r"]) * (_MAP[1] - _MAP[0])
    return Frame(width, 400 - _MARGIN["t"] - _MARGIN["b"], *np.column_stack([start, start + size]).tolist())


def _range(values: Any) -> list[float]:
    low, high = np.quantile(values, [0.002, 0.998])
    room = 0.1 * max(high - low, 1e-9)
    return [float(low - room), float(high + room)]


def _seen(step: UnseenStep) -> dict[str, Any]:
    """Some of the seen words, as grey points."""
    plane = step.plane
    spread = np.linspace(0, len(plane.words) - 1, min(_POINTS, len(plane.words))).astype(int)
    words = plane.words.iloc[spread]
    return _points(words, "seen words", {"size": 4, "color": "#d0d0d0"}, "seen in training")


def _points(words: Any, name: str, marker: dict[str, Any], said: str) -> dict[str, Any]:
    """Words as points; ``said`` of each when the reader points at it."""
    return {
        "type": "scatter",
        "name": name,
        "x": words["x"].to_numpy(),
        "y": words["y"].to_numpy(),
        "text": [html.escape(str(word)) for word in words["word"]],
        "mode": "markers",
        "marker": marker,
        "hovertemplate": f"%{{text}}, {said}<extra></extra>",
    }


def _outlines(step: UnseenStep, topics: list[int]) -> list[dict[str, Any]]:
    """Ellipses of all topics, thin; that of the likeliest is loud. The likely ones have their numbers."""
    plane, loud = step.plane, topics[0]
    outlines = [[*plane.outlines[k].tolist(), [None, None]] for k in np.flatnonzero(plane.sizes) if k != loud]
    return [
        {
            "type": "scatter",
            "name": "topics",
            "x": [point[0] for outline in outlines for point in outline],
            "y": [point[1] for outline in outlines for point in outline],
            "mode": "lines",
            "line": {"color": "#bdbdbd", "width": 1},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "name": "its topic",
            "x": plane.outlines[loud][:, 0],
            "y": plane.outlines[loud][:, 1],
            "mode": "lines",
            "line": {"color": PALETTE[0], "width": 3},
            "fill": "toself",
            "fillcolor": "rgba(0,114,178,0.12)",
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "name": "likely topics",
            "x": plane.means[topics, 0],
            "y": plane.means[topics, 1],
            "text": [str(k) for k in topics],
            "hovertext": [f"topic {k}: {html.escape(', '.join(step.gaussian.top_words[k][:6]))}" for k in topics],
            "mode": "markers+text",
            "textposition": "middle center",
            "textfont": {"size": 11, "color": "#ffffff"},
            "marker": {"size": 18, "color": _shades(topics, "#8c8c8c"), "opacity": 0.9},
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
    ]


def _shades(topics: list[int], other: str) -> list[str]:
    return [PALETTE[0] if k == topics[0] else other for k in topics]


def _placed(names: list[str], points: Any, near: pd.DataFrame) -> list[dict[str, Any]]:
    """Marks of the word, of the word it replaced, and of the nearest words that training has seen."""
    own = points[: len(names)][::-1]
    return [
        _points(near, "nearest seen words", {"size": 8, "color": PALETTE[2]}, "seen in training, near the word"),
        {
            "type": "scatter",
            "name": "the word",
            "x": own[:, 0],
            "y": own[:, 1],
            "text": [*(html.escape(name) for name in names[1:]), f"<b>{html.escape(names[0])}</b>"],
            "mode": "lines+markers",
            "line": {"color": PALETTE[1], "width": 2, "dash": "dot"},
            "marker": {"size": [9, 13][-len(names) :], "color": PALETTE[1], "opacity": 1},
            "hovertemplate": "%{text}<extra></extra>",
        },
    ]


def _chances(step: UnseenStep, table: pd.DataFrame) -> list[dict[str, Any]]:
    """Bars of p(topic | word), below the names of the topics."""
    topics = table["topic"].tolist()
    bars = {
        "type": "bar",
        "name": "p(topic | word)",
        "x": table["probability"].to_numpy(),
        "y": _PITCH * np.arange(len(table)) + _BAR,
        "customdata": topics,
        "text": [f"topic {k}: {html.escape(words)}" for k, words in zip(topics, table["words"], strict=True)],
        "textposition": "none",
        "orientation": "h",
        "width": _THICK,
        "marker": {"color": _shades(topics, "#c8c8c8")},
        "hovertemplate": "%{text}<br>%{x:.1%}<extra></extra>",
        "xaxis": "x2",
        "yaxis": "y2",
    }
    return [bars, _named(step.gaussian, topics, _CHANCES, "2")]

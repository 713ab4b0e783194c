"""Figures about unseen words: how two models read a text, what its topics are then, where a word falls."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    from semwork.topics.unseen import FixedTopics, Reading, UnseenStep

__all__ = ["reading_figure", "shares_figure", "unseen_word_figure"]

_SLOTS, _GREY, _DROPPED = PALETTE[:6], "#6e6e6e", "#b4b4b4"
_WIDTH = 74  # letters in a line
_LINES = 9
_TOPICS = 6
_POINTS = 500


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
    figure = house_figure(title, "", "", height=84 + 42 * max(len(lines), 2), hovermode="closest", showlegend=False)
    for axis, before, now, name in _both(step, original, text):
        figure.add_trace(_written(step, lines, now, _colours(before, now), word, name, axis))
    rows = max(len(lines), 2)
    across = {"visible": False, "range": [-1, _WIDTH + 1], "fixedrange": True}
    down = {"visible": False, "range": [rows - 0.4, -1.6], "fixedrange": True}
    figure.update_layout(
        margin={"t": 44, "b": 8, "l": 10, "r": 10},
        hoverdistance=40,
        xaxis=across,
        yaxis={**down, "domain": [0.51, 1]},
        xaxis2={**across, "anchor": "y2"},
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
    shown, told = ["#262626"], [f"as {name} reads it"]
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
    figure = house_figure(title, "", "", height=130 + 30 * _TOPICS, hovermode="closest", showlegend=False)
    domains = ([0.13, 0.45], [0.68, 1])
    for (axis, before, now, name), domain in zip(_both(step, original, text), domains, strict=True):
        model = step.gaussian if not axis else step.lda
        colours = _colours(before, now)
        topics = list(colours)[:_TOPICS]
        shades = [colours[k] for k in topics]
        rows = np.arange(len(topics))
        told = [f"topic {k}: {', '.join(model.top_words[k][:6])}" for k in topics]
        common = {"customdata": topics, "text": told, "xaxis": "x" + axis, "yaxis": "y" + axis, "y": rows}
        figure.add_bar(
            name=f"{name}, now",
            x=now.proportions[topics],
            textposition="none",
            orientation="h",
            width=0.7,
            marker={"color": shades},
            hovertemplate=f"{name}, now: %{{x:.0%}}<br>%{{text}}<extra></extra>",
            **common,
        )
        figure.add_scatter(
            name=f"{name}, before",
            x=before.proportions[topics],
            mode="markers",
            marker={"symbol": "diamond", "size": 10, "color": "#262626"},
            hovertemplate=f"{name}, before: %{{x:.0%}}<br>%{{text}}<extra></extra>",
            **common,
        )
        figure.update_layout(
            {
                f"xaxis{axis}": {
                    "domain": domain,
                    "range": [0, 1],
                    "tickformat": ".0%",
                    "anchor": "y" + axis,
                    "title": {"text": f"{name}: moved by {_moved(before, now):.0%}"},
                },
                f"yaxis{axis}": {
                    "anchor": "x" + axis,
                    "range": [_TOPICS - 0.5, -0.5],
                    "tickvals": rows.tolist(),
                    "ticktext": [_named(model, k) for k in topics],
                    "tickfont": {"size": 12},
                    "zeroline": False,
                    "showgrid": False,
                },
            }
        )
    figure.update_layout(margin={"t": 44, "b": 60})
    return figure


def _moved(before: Reading, now: Reading) -> float:
    """Return the total variation between two proportions."""
    return float(np.abs(before.proportions - now.proportions).sum() / 2)


def _named(model: FixedTopics, topic: int) -> str:
    words = ", ".join(model.top_words[topic][:2]) or "empty"
    return f"{html.escape(words)}  <b>{topic}</b>"


# --- one word -----------------------------------------------------------------------------------------------------


def unseen_word_figure(step: UnseenStep, word: str, *, origin: str = "", title: str = "") -> go.Figure:
    """Show where a word stands among the topics, with the word it replaced, and how likely each topic is for it."""
    table = step.word(word).head(_TOPICS)
    figure = house_figure(title, "", "", height=400, hovermode="closest", showlegend=False)
    loud = int(table["topic"].iloc[0])
    figure.add_traces([*_background(step, loud), *_placed(step, word, origin)])
    rows = list(range(len(table)))
    figure.add_bar(
        name="p(topic | word)",
        x=table["probability"].to_numpy(),
        y=rows,
        customdata=table["topic"].tolist(),
        text=[f"topic {k}: {words}" for k, words in zip(table["topic"], table["words"], strict=True)],
        textposition="none",
        orientation="h",
        width=0.6,
        marker={"color": [PALETTE[0] if k == loud else "#c8c8c8" for k in table["topic"]]},
        hovertemplate="%{text}<br>%{x:.1%}<extra></extra>",
        xaxis="x2",
        yaxis="y2",
    )
    points = step.plane.words
    ranges = {axis: _range(points[axis].to_numpy()) for axis in ("x", "y")}
    figure.update_layout(
        margin={"t": 44, "b": 50},
        xaxis={
            "domain": [0, 0.44],
            "range": ranges["x"],
            "zeroline": False,
        },
        yaxis={"range": ranges["y"], "zeroline": False},
        xaxis2={
            "domain": [0.74, 1],
            "anchor": "y2",
            "range": [0, 1],
            "tickformat": ".0%",
            "title": {"text": "p(topic | word)"},
        },
        yaxis2={
            "anchor": "x2",
            "range": [_TOPICS - 0.5, -0.5],
            "tickvals": rows,
            "ticktext": [_named(step.gaussian, k) for k in table["topic"]],
            "tickfont": {"size": 12},
            "zeroline": False,
            "showgrid": False,
        },
    )
    return figure


def _range(values: Any) -> list[float]:
    low, high = np.quantile(values, [0.002, 0.998])
    room = 0.1 * max(high - low, 1e-9)
    return [float(low - room), float(high + room)]


def _background(step: UnseenStep, loud: int) -> list[dict[str, Any]]:
    """Some words in grey, and the topics: one of them is loud."""
    plane, used = step.plane, np.flatnonzero(step.plane.sizes)
    spread = np.linspace(0, len(plane.words) - 1, min(_POINTS, len(plane.words))).astype(int)
    words = plane.words.iloc[spread]
    outlines = [[*plane.outlines[k].tolist(), [None, None]] for k in used if k != loud]
    return [
        {
            "type": "scatter",
            "name": "seen words",
            "x": words["x"].to_numpy(),
            "y": words["y"].to_numpy(),
            "text": [html.escape(str(word)) for word in words["word"]],
            "mode": "markers",
            "marker": {"size": 4, "color": "#d0d0d0"},
            "hovertemplate": "%{text}, seen in training<extra></extra>",
        },
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
    ]


def _placed(step: UnseenStep, word: str, origin: str) -> list[dict[str, Any]]:
    """The word, the word it replaced, and the nearest words that training has seen."""
    vectors, plane = step.study.vectors, step.plane
    names = [origin, word] if origin and step.gaussian.knows(origin) and origin != word else [word]
    points = plane.points([vectors[name] for name in names])
    own = np.asarray(vectors[word], dtype=np.float64)
    seen = [str(name) for name in plane.words["word"]]
    rows = np.asarray(vectors.vectors[[vectors.index[name] for name in seen]], dtype=np.float64)
    cosines = rows @ own / np.maximum(np.linalg.norm(rows, axis=1) * np.linalg.norm(own), 1e-12)
    near = [i for i in np.argsort(-cosines, kind="stable")[:7] if seen[i] not in names][:5]
    return [
        {
            "type": "scatter",
            "name": "nearest seen words",
            "x": plane.words["x"].to_numpy()[near],
            "y": plane.words["y"].to_numpy()[near],
            "text": [html.escape(seen[i]) for i in near],
            "mode": "markers+text",
            "textposition": "bottom center",
            "textfont": {"size": 12, "color": "#5a5a5a"},
            "marker": {"size": 7, "color": PALETTE[2]},
            "hovertemplate": "%{text}, seen in training, near the word<extra></extra>",
        },
        {
            "type": "scatter",
            "name": "the word",
            "x": points[:, 0],
            "y": points[:, 1],
            "text": [f"<b>{html.escape(name)}</b>" if name == word else html.escape(name) for name in names],
            "mode": "lines+markers+text",
            "textposition": "top center",
            "textfont": {"size": 14, "color": "#262626"},
            "line": {"color": PALETTE[1], "width": 2, "dash": "dot"},
            "marker": {"size": [9, 13][-len(names) :], "color": PALETTE[1]},
            "hovertemplate": "%{text}<extra></extra>",
        },
    ]

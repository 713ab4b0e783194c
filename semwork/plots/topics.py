"""Figures about Gaussian topics: words and topics in the plane, curves along the sweeps, one topic, one document."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.labels import PAGE, Frame, label_traces, shortened, text_width
from semwork.plots.style import PALETTE, axis_title, house_figure

if TYPE_CHECKING:
    from semwork.topics.study import StudyStep

__all__ = ["document_topics_figure", "pale", "topic_colours", "topic_curves_figure", "topic_figure", "topic_map_figure"]

_BLUE, _ORANGE, _GREY, _LINE = PALETTE[0], PALETTE[1], "#8c8c8c", "#c8c8c8"
_SLOTS = PALETTE[:6]
_COLOURED = 18  # with more topics than this, colours would say nothing
_LABEL = 14  # letters of a class beside its documents
_ROWS = 16  # topics beside the map
_POINTS = 600  # words in the map
_MAP, _LIST = (0.0, 0.5), (0.53, 1.0)
_DOCUMENTS = (0.46, 1.0)
_SMALL = 11  # letters in bars
_MARGIN = {"t": 44, "b": 56, "l": 64, "r": 20}
_HEIGHT = 470
_NAMES = 12  # words in the map with their names, if there is room
_NEAR = 34.0  # pixels from a word in the map to its name; the list beside the map has more names
_LEGEND = {"orientation": "h", "x": 0, "y": 0.01, "yref": "container", "yanchor": "bottom", "font": {"size": 12}}


def topic_colours(n_topics: int) -> list[str]:
    """Return a colour for each topic: six in turn, grey where there are too many topics for colours.

    Examples
    --------
    >>> topic_colours(8)[0] == topic_colours(8)[6], topic_colours(50)[0]
    (True, '#8c8c8c')
    """
    return [_SLOTS[k % len(_SLOTS)] if n_topics <= _COLOURED else _GREY for k in range(n_topics)]


def pale(colour: str, share: float = 0.55) -> str:
    """Mix a colour ``#rrggbb`` with white.

    Examples
    --------
    >>> pale("#000000", 0.5)
    '#808080'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (255 - part) * share):02x}" for part in parts)


def _loud(topic: int, n_topics: int) -> str:
    return _SLOTS[topic % len(_SLOTS)] if n_topics <= _COLOURED else _BLUE


# --- the map ------------------------------------------------------------------------------------------------------


def topic_map_figure(step: StudyStep, topic: int = 0, sweep: int | None = None, *, title: str = "") -> go.Figure:
    """Draw words as points, topics as ellipses of one standard deviation, and their densest words beside them.

    One topic is loud. ``customdata`` of every point is the topic it belongs to.
    """
    topic = step.check_topic(topic)
    x, y = (
        f"{axis} principal component, {share:.0%}" for axis, share in zip(("1st", "2nd"), step.explained, strict=True)
    )
    figure = house_figure(title, "", "", height=_HEIGHT, hovermode="closest", showlegend=False)
    frame = _frame(step)
    traces = [*_points(step, topic, sweep), *_outlines(step, topic, sweep), _centres(step, topic, sweep)]
    figure.add_traces([*traces, *_labels(step, topic, sweep, frame), *_listed(step, topic, sweep)])
    figure.update_layout(
        margin=_MARGIN,
        xaxis={"domain": _MAP, "range": frame.x, "zeroline": False, "title": axis_title(x)},
        yaxis={"range": frame.y, "zeroline": False, "title": axis_title(y)},
        xaxis2={"domain": _LIST, "anchor": "y2", "visible": False, "range": [-0.04, 1], "fixedrange": True},
        yaxis2={"anchor": "x2", "visible": False, "range": [_ROWS - 0.4, -0.8], "fixedrange": True},
    )
    return figure


def _wide(domain: tuple[float, float]) -> float:
    """Pixels between the ends of a domain, on a page of ordinary width."""
    return (PAGE - _MARGIN["l"] - _MARGIN["r"]) * (domain[1] - domain[0])


def _frame(step: StudyStep) -> Frame:
    x, y = (_range(step.words[axis].to_numpy()) for axis in ("x", "y"))
    return Frame(_wide(_MAP), _HEIGHT - _MARGIN["t"] - _MARGIN["b"], x, y)


def _range(values: Any) -> list[float]:
    low, high = np.quantile(values, [0.002, 0.998])
    room = 0.1 * max(high - low, 1e-9)
    return [float(low - room), float(high + room)]


def _often(step: StudyStep) -> Any:
    """Rows of the words in the map: the most frequent."""
    return np.argsort(-step.words["tokens"].to_numpy(), kind="stable")[:_POINTS]


def _points(step: StudyStep, topic: int, sweep: int | None) -> list[dict[str, Any]]:
    """Words, one trace for each colour, and one for the loud topic."""
    topics = step.at(sweep).word_topics
    often = _often(step)
    table = step.words.iloc[often].assign(topic=topics[often])
    colours = np.array(topic_colours(step.n_topics))[table["topic"]]
    kinds = [(f"words, {colour}", (colours == colour), pale(colour), 4) for colour in dict.fromkeys((*_SLOTS, _GREY))]
    kinds = [(name, chosen & (table["topic"] != topic), *look) for name, chosen, *look in kinds]
    kinds.append(("words of the topic", (table["topic"] == topic).to_numpy(), _loud(topic, step.n_topics), 6))
    traces = []
    for name, chosen, colour, size in kinds:
        rows = table[chosen]
        traces.append(
            {
                "type": "scatter",
                "name": name,
                "x": rows["x"].to_numpy(),
                "y": rows["y"].to_numpy(),
                "text": [
                    f"<b>{html.escape(word)}</b>, {tokens} tokens, mostly in topic {k}"
                    for word, tokens, k in zip(rows["word"], rows["tokens"], rows["topic"], strict=True)
                ],
                "customdata": rows["topic"].tolist(),
                "mode": "markers",
                "marker": {"size": size, "color": colour},
                "hovertemplate": "%{text}<br>click to choose this topic<extra></extra>",
            }
        )
    return traces


def _outlines(step: StudyStep, topic: int, sweep: int | None) -> list[dict[str, Any]]:
    now, colours = step.at(sweep), topic_colours(step.n_topics)
    traces = []
    for colour in dict.fromkeys((*_SLOTS, _GREY)):
        own = [k for k in range(step.n_topics) if colours[k] == colour and k != topic and now.found.sizes[k]]
        closed = [[*now.outlines[k].tolist(), [None, None]] for k in own]
        traces.append(
            {
                "type": "scatter",
                "name": f"topics, {colour}",
                "x": [point[0] for outline in closed for point in outline],
                "y": [point[1] for outline in closed for point in outline],
                "mode": "lines",
                "line": {"color": pale(colour, 0.35) if colour != _GREY else _LINE, "width": 1.2},
                "hoverinfo": "skip",
            }
        )
    loud = _loud(topic, step.n_topics)
    outline = now.outlines[topic] if now.found.sizes[topic] else np.zeros((0, 2))
    traces.append(
        {
            "type": "scatter",
            "name": "the topic",
            "x": outline[:, 0],
            "y": outline[:, 1],
            "mode": "lines",
            "line": {"color": loud, "width": 3},
            "fill": "toself",
            "fillcolor": "rgba({},{},{},0.12)".format(*(int(loud[i : i + 2], 16) for i in (1, 3, 5))),
            "hoverinfo": "skip",
        }
    )
    return traces


def _labels(step: StudyStep, topic: int, sweep: int | None, frame: Frame) -> list[dict[str, Any]]:
    """Names of the densest words, of those for which there is room beside each other and the numbers of topics."""
    now, often = step.at(sweep), _often(step)
    words = step.words.set_index("word").loc[list(now.found.top_words[topic][:_NAMES])]
    crowd = step.words[["x", "y"]].to_numpy()
    loud = often[now.word_topics[often] == topic]
    return label_traces(
        frame,
        words[["x", "y"]],
        [str(word) for word in words.index],
        avoid=[(*now.means[k], 10) for k in np.flatnonzero(now.found.sizes)],
        crowd=np.vstack([crowd[often], *[crowd[loud]] * 3]),  # dark points under letters are worse than pale ones
        reach=_NEAR,
        name="densest words",
    )


def _told(step: StudyStep, topics: list[int], sweep: int | None) -> list[str]:
    now = step.at(sweep)
    return [
        f"<b>topic {k}</b>, {now.found.sizes[k]:,} tokens<br>{html.escape(', '.join(now.found.top_words[k][:10]))}"
        for k in topics
    ]


def _centres(step: StudyStep, topic: int, sweep: int | None) -> dict[str, Any]:
    now, colours = step.at(sweep), topic_colours(step.n_topics)
    # The chosen one last: it lies upon the others.
    used = sorted(np.flatnonzero(now.found.sizes).tolist(), key=lambda k: k == topic)
    return {
        "type": "scatter",
        "name": "means",
        "x": now.means[used, 0],
        "y": now.means[used, 1],
        "text": [str(k) for k in used],
        "hovertext": _told(step, used, sweep),
        "customdata": used,
        "mode": "markers+text",
        "textposition": "middle center",
        "textfont": {"size": 11, "color": "#ffffff"},
        "marker": {
            "size": 18,
            "color": [_loud(k, step.n_topics) if k == topic else colours[k] for k in used],
            "opacity": [1.0 if k == topic else 0.75 for k in used],
        },
        "hovertemplate": "%{hovertext}<br>click to choose this topic<extra></extra>",
    }


def _listed(step: StudyStep, topic: int, sweep: int | None) -> list[dict[str, Any]]:
    """Rows of topics: a numbered square, and the densest words."""
    now, colours = step.at(sweep), topic_colours(step.n_topics)
    largest = np.argsort(-step.at(None).found.sizes, kind="stable")
    rows = sorted({topic, *largest[largest != topic][: _ROWS - 1].tolist()})
    room = 0.94 / 1.04 * _wide(_LIST)  # from 0.06 to the end of an axis from -0.04 to 1
    texts = []
    for k in rows:
        listed = shortened(now.found.top_words[k], room, 12, bold=k == topic)
        words = html.escape(listed) or "<i>no tokens</i>"
        texts.append(f"<b>{words}</b>" if k == topic else words)
    common = {"type": "scatter", "y": list(range(len(rows))), "xaxis": "x2", "yaxis": "y2", "customdata": rows}
    more = {"hovertext": _told(step, rows, sweep), "hovertemplate": "%{hovertext}<br>click to choose it<extra></extra>"}
    squares = {
        "name": "topics",
        "x": [0.0] * len(rows),
        "text": [str(k) for k in rows],
        "mode": "markers+text",
        "textposition": "middle center",
        "textfont": {"size": 11, "color": "#ffffff"},
        "marker": {
            "symbol": "square",
            "size": 18,
            "color": [_loud(k, step.n_topics) if k == topic else pale(colours[k], 0.25) for k in rows],
        },
    }
    beside = {
        "name": "top words",
        "x": [0.06] * len(rows),
        "text": texts,
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": 12},
    }
    return [{**common, **more, **squares}, {**common, **more, **beside}]


# --- along the sweeps ---------------------------------------------------------------------------------------------


def topic_curves_figure(step: StudyStep, sweep: int | None = None, *, title: str = "") -> go.Figure:
    """Log-likelihood, coherence and purity along the sweeps, with LDA's beside them and a mark at one sweep.

    ``customdata`` of a point is its sweep.
    """
    history = step.history
    now = len(history) if sweep is None else min(max(sweep, 1), len(history))
    figure = house_figure(title, "", "", height=280, hovermode="closest", legend=_LEGEND)
    curves = (
        ("Gaussian LDA", "log_likelihood", _BLUE, "", "log-likelihood"),
        ("Gaussian LDA", "coherence", _BLUE, "2", "coherence"),
        ("LDA", "lda coherence", _ORANGE, "2", "coherence"),
        ("Gaussian LDA", "purity", _BLUE, "3", "purity"),
        ("LDA", "lda purity", _ORANGE, "3", "purity"),
    )
    for name, column, colour, axis, what in curves:
        figure.add_scatter(
            name=name,
            x=history["sweep"].to_numpy(),
            y=history[column].to_numpy(),
            customdata=history["sweep"].tolist(),
            mode="lines+markers",
            line={"color": colour, "width": 2},
            marker={"size": [11 if place == now else 4 for place in history["sweep"]], "color": colour},
            hovertemplate=f"{name}: {what} %{{y:.3f}} after sweep %{{x}}<br>click to go there<extra></extra>",
            legendgroup=name,
            showlegend=axis == "2",
            xaxis="x" + axis,
            yaxis="y" + axis,
        )
    end = max(step.total or 1, 2)
    axis_x = {"range": [0, end * 1.03], "zeroline": False, "title": axis_title("sweep")}
    layout: dict[str, Any] = {}
    parts = (("", "log_likelihood"), ("2", "coherence"), ("3", "purity"))
    domains = ([0, 0.24], [0.39, 0.62], [0.77, 1])
    names = ("log-likelihood per token", "coherence, NPMI", "purity")
    for (axis, column), domain, text in zip(parts, domains, names, strict=True):
        values = [history[column]] + ([history[f"lda {column}"]] if axis else [])
        low, high = _limits(np.concatenate([value.to_numpy() for value in values]), skip=not axis)
        figure.add_scatter(
            name="now",
            x=[now, now],
            y=[low, high],
            mode="lines",
            line={"color": _GREY, "width": 1, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
            xaxis="x" + axis,
            yaxis="y" + axis,
        )
        layout["xaxis" + axis] = {**axis_x, "domain": domain, "anchor": "y" + axis}
        layout["yaxis" + axis] = {
            "range": [low, high],
            "anchor": "x" + axis,
            "title": axis_title(text),
        }
    figure.update_layout(margin={"b": 76, "t": 44}, **layout)
    return figure


def _limits(values: Any, *, skip: bool) -> tuple[float, float]:
    """Ends of an axis; the first values of a long climb may lie below it."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if skip and len(known) > 8:
        low = float(np.sort(known)[2])
    room = 0.08 * max(high - low, 1e-3)
    return low - room, high + room


# --- one topic, one document --------------------------------------------------------------------------------------


def topic_figure(
    step: StudyStep, topic: int = 0, sweep: int | None = None, *, n: int = 12, title: str = ""
) -> go.Figure:
    """Draw the densest words of a topic with their tokens, and the documents that have most of it.

    ``customdata`` of a document is its number.
    """
    words, documents = step.topic_words(topic, sweep).head(n), step.documents(topic, sweep, n)
    loud = _loud(topic, step.n_topics)
    figure = house_figure(title, "", "", height=110 + 24 * n, barmode="overlay", hovermode="closest", legend=_LEGEND)
    rows = list(range(len(words)))
    for name, tokens, colour in (
        ("all tokens of the word", words["here"] + words["elsewhere"], "#d9d9d9"),
        ("tokens in this topic", words["here"], loud),
    ):
        figure.add_bar(
            name=name,
            x=tokens.to_numpy(),
            y=rows,
            text=[html.escape(word) for word in words["word"]],
            textposition="none",
            orientation="h",
            width=0.75,
            marker={"color": colour},
            hovertemplate=f"%{{text}}: {name} %{{x}}<extra></extra>",
        )
    short = [html.escape(_beginning(text, 0.95 * _wide(_DOCUMENTS))) for text in documents["text"]]
    figure.add_bar(
        name="share of this topic in a document",
        x=documents["share"].to_numpy(),
        y=list(range(len(documents))),
        text=short,
        textposition="none",
        hovertext=[
            "<br>".join([f"<b>{html.escape(label)}</b>", *textwrap.wrap(html.escape(text[:900]), 90)])
            for label, text in zip(documents["label"], documents["text"], strict=True)
        ],
        customdata=documents["document"].tolist(),
        orientation="h",
        width=0.75,
        marker={"color": pale(loud, 0.5)},
        hovertemplate="document %{customdata}: %{x:.0%}<br>%{hovertext}<br>click to see its topics<extra></extra>",
        showlegend=False,
        xaxis="x2",
        yaxis="y2",
    )
    figure.add_scatter(
        name="texts",
        x=[0.01] * len(documents),
        y=list(range(len(documents))),
        text=short,
        customdata=documents["document"].tolist(),
        mode="text",
        textposition="middle right",
        textfont={"size": _SMALL, "color": "#262626"},
        hoverinfo="skip",
        showlegend=False,
        xaxis="x2",
        yaxis="y2",
    )
    figure.update_layout(
        barmode="overlay",
        margin={"b": 76, "t": 44},
        xaxis={"domain": [0, 0.29], "title": axis_title("tokens")},
        yaxis=_rows([html.escape(word) for word in words["word"]], n),
        xaxis2={
            "domain": _DOCUMENTS,
            "anchor": "y2",
            "range": [0, 1],
            "tickformat": ".0%",
            "title": axis_title("share of the document (click one)"),
        },
        yaxis2={**_rows([html.escape(_end(label)) for label in documents["label"]], n), "anchor": "x2"},
    )
    return figure


def _beginning(text: str, room: float) -> str:
    """Return as many words of a text as so many pixels have room for."""
    begun = (textwrap.shorten(text, letters, placeholder=" …") for letters in range(60, 1, -1))
    return next((words for words in begun if text_width(words, _SMALL) <= room), "…")


def _end(label: str) -> str:
    """Return the last parts of a long class: groups such as comp.sys.ibm.pc.hardware begin alike."""
    parts = label.split(".")
    while len(parts) > 1 and len(".".join(parts)) > _LABEL:
        parts = parts[1:]
    return ".".join(parts)[:_LABEL]


def _rows(names: list[str], n: int) -> dict[str, Any]:
    """An axis with rows by number, from the top: names may be equal."""
    return {
        "range": [n - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "tickfont": {"size": 12},
        "ticklabelstandoff": 4,
        "zeroline": False,
        "showgrid": False,
    }


def document_topics_figure(
    step: StudyStep, document: int = 0, sweep: int | None = None, *, topic: int = 0, n: int = 12, title: str = ""
) -> go.Figure:
    """Draw the topic proportions of one document at a sweep (bars) and after the last one (marks).

    ``customdata`` of a bar is its topic.
    """
    last = step.document(document, None).set_index("topic")["share"]
    table = step.document(document, sweep).head(n)
    colours = topic_colours(step.n_topics)
    figure = house_figure(title, "", "", height=110 + 24 * n, hovermode="closest", legend=_LEGEND)
    topics, rows = table["topic"].tolist(), list(range(len(table)))
    told = [f"<b>topic {k}</b>: {html.escape(words)}" for k, words in zip(topics, table["words"], strict=True)]
    figure.add_bar(
        name="at this sweep",
        x=table["share"].to_numpy(),
        y=rows,
        text=told,
        textposition="none",
        customdata=topics,
        orientation="h",
        width=0.7,
        marker={"color": [_loud(k, step.n_topics) if k == topic else pale(colours[k], 0.3) for k in topics]},
        hovertemplate="%{text}<br>%{x:.1%}, click to choose this topic<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        name="after the last sweep",
        x=last.loc[topics].to_numpy(),
        y=rows,
        mode="markers",
        marker={"symbol": "diamond", "size": 9, "color": "#262626"},
        hovertemplate="after the last sweep: %{x:.1%}<extra></extra>",
        showlegend=True,
    )
    names = [
        f"{html.escape(words) or 'no tokens'}  <b>{k}</b>" for k, words in zip(topics, table["words"], strict=True)
    ]
    figure.update_layout(
        margin={"b": 76, "t": 60},
        xaxis={
            "range": [0, 1],
            "tickformat": ".0%",
            "domain": [0.02, 1],
            "title": axis_title("share of the document"),
        },
        yaxis=_rows(names, n),
    )
    return figure

"""One topic with its words and documents; one document with its topics."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from semwork.plots.grammar import LEGEND_BELOW, on_axes, side_by_side
from semwork.plots.labels import text_width
from semwork.plots.style import INK, axis_title, house_figure
from semwork.plots.topic_style import loud_colour, pale, rows_by_number, topic_colours, wide

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["document_topics_figure", "topic_figure"]

_LABEL = 14  # letters of a class beside its documents
_DOCUMENTS = (0.46, 1.0)
_MARGIN = {"l": 64, "r": 20}  # of the house style
_SMALL = 11  # letters in bars


def topic_figure(
    words: pd.DataFrame, documents: pd.DataFrame, topic: int, n_topics: int, *, n: int = 12, title: str = ""
) -> go.Figure:
    """Draw the densest words of a topic with their tokens, and the documents that have most of it.

    Parameters
    ----------
    words : DataFrame
        One row per ``word``, the densest first: its tokens ``here`` and ``elsewhere``.
    documents : DataFrame
        One row per ``document`` (its number), the largest ``share`` first, with its ``label`` and ``text``.
    topic, n_topics : int
        Which one it is, of how many.
    n : int
        Rows for which there is room.
    title : str
        Stands above the figure. ``customdata`` of a document is its number.
    """
    loud = loud_colour(topic, n_topics)
    figure = house_figure(
        title, "", "", height=110 + 24 * n, barmode="overlay", hovermode="closest", legend=LEGEND_BELOW
    )
    for name, tokens, colour in (
        ("all tokens of the word", words["here"] + words["elsewhere"], "#d9d9d9"),
        ("tokens in this topic", words["here"], loud),
    ):
        figure.add_bar(
            name=name,
            x=tokens.to_numpy(),
            y=list(range(len(words))),
            text=[html.escape(word) for word in words["word"]],
            textposition="none",
            orientation="h",
            width=0.75,
            marker={"color": colour},
            hovertemplate=f"%{{text}}: {name} %{{x}}<extra></extra>",
        )
    figure.add_traces(_documents(documents, loud))
    share = {"range": [0, 1], "tickformat": ".0%", "title": axis_title("share of the document (click one)")}
    rows, labels = ([html.escape(name) for name in names] for names in (words["word"], map(_end, documents["label"])))
    axes = side_by_side(
        ([0, 0.29], {"title": axis_title("tokens")}, rows_by_number(rows, n)),
        (_DOCUMENTS, share, rows_by_number(labels, n)),
    )
    figure.update_layout(margin={"b": 76, "t": 44}, **axes)
    return figure


def _documents(documents: pd.DataFrame, loud: str) -> list[dict[str, Any]]:
    """Bars, and the beginnings of the texts upon them."""
    short = [html.escape(_beginning(text, 0.95 * wide(_DOCUMENTS, _MARGIN))) for text in documents["text"]]
    common = {
        "y": list(range(len(documents))),
        "text": short,
        "customdata": documents["document"].tolist(),
        "showlegend": False,
        **on_axes("2"),
    }
    bars = {
        "type": "bar",
        "name": "share of this topic in a document",
        "x": documents["share"].to_numpy(),
        "textposition": "none",
        "hovertext": [
            "<br>".join([f"<b>{html.escape(label)}</b>", *textwrap.wrap(html.escape(text[:900]), 90)])
            for label, text in zip(documents["label"], documents["text"], strict=True)
        ],
        "orientation": "h",
        "width": 0.75,
        "marker": {"color": pale(loud, 0.5)},
        "hovertemplate": "document %{customdata}: %{x:.0%}<br>%{hovertext}<br>click to see its topics<extra></extra>",
    }
    texts = {
        "type": "scatter",
        "name": "texts",
        "x": [0.01] * len(documents),
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": _SMALL, "color": INK},
        "hoverinfo": "skip",
    }
    return [{**common, **bars}, {**common, **texts}]


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


def document_topics_figure(
    shares: pd.DataFrame, topic: int, n_topics: int, *, n: int = 12, title: str = ""
) -> go.Figure:
    """Draw the topic proportions of one document at a sweep (bars) and after the last one (marks).

    Parameters
    ----------
    shares : DataFrame
        One row per ``topic``, the largest first: its ``share``, that at the ``end``, and its densest ``words``.
    topic, n_topics : int
        The one that is loud, of how many.
    n : int
        Rows for which there is room.
    title : str
        Stands above the figure. ``customdata`` of a bar is its topic.
    """
    colours, topics, rows = topic_colours(n_topics), shares["topic"].tolist(), list(range(len(shares)))
    figure = house_figure(title, "", "", height=110 + 24 * n, hovermode="closest", legend=LEGEND_BELOW)
    words = [html.escape(densest) for densest in shares["words"]]
    shades = [loud_colour(k, n_topics) if k == topic else pale(colours[k], 0.3) for k in topics]
    figure.add_bar(
        name="at this sweep",
        x=shares["share"].to_numpy(),
        y=rows,
        text=[f"<b>topic {k}</b>: {densest}" for k, densest in zip(topics, words, strict=True)],
        textposition="none",
        customdata=topics,
        orientation="h",
        width=0.7,
        marker={"color": shades},
        hovertemplate="%{text}<br>%{x:.1%}, click to choose this topic<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        name="after the last sweep",
        x=shares["end"].to_numpy(),
        y=rows,
        mode="markers",
        marker={"symbol": "diamond", "size": 9, "color": INK},
        hovertemplate="after the last sweep: %{x:.1%}<extra></extra>",
        showlegend=True,
    )
    names = [f"{densest or 'no tokens'}  <b>{k}</b>" for k, densest in zip(topics, words, strict=True)]
    across = {"range": [0, 1], "tickformat": ".0%", "domain": [0.02, 1]}
    figure.update_layout(
        margin={"b": 76, "t": 60},
        xaxis={**across, "title": axis_title("share of the document")},
        yaxis=rows_by_number(names, n),
    )
    return figure

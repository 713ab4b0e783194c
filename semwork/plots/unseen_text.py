"""A text as two models read it: words in the colours of their topics."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from semwork.plots.grammar import DARK_GREY, on_axes, spans, stacked
from semwork.plots.style import house_figure
from semwork.plots.unseen_shares import share_colours

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["reading_figure"]

_DROPPED = "#b4b4b4"
_WIDTH = 56  # letters in a line
_LINES = 12
_LETTER, _ROW = 7.85, 19.0  # pixels
_FONT = "ui-monospace, Menlo, 'DejaVu Sans Mono', monospace"


def reading_figure(
    pieces: pd.DataFrame, shares: Mapping[str, pd.DataFrame], *, word: str = "", title: str = ""
) -> go.Figure:
    """Write a text as one model reads it, and below as the other does: words in the colours of their topics.

    Unseen words are underlined, dropped words struck out, words without meaning grey.

    Parameters
    ----------
    pieces : DataFrame
        One row per ``piece`` of the text between two blanks: its ``word`` (empty, if it can have no topic), the word's
        ``status`` (``"seen"``, ``"unseen"``, ``"no vector"``), and its topic under the name of each model, −1 where
        the model drops it.
    shares : mapping of str to DataFrame
        Name of a model → one row per topic: its share ``before`` and ``now``, and its densest ``words``.
    word : str
        The one that is looked at.
    title : str
        Stands above the figure. ``customdata`` of a point is the word.
    """
    laid = _laid_out(pieces)
    rows = max([2, *(one["row"] + 1 for one in laid)])
    half = _ROW * (rows + 1.2)
    figure = house_figure(title, "", "", height=round(2.04 * half) + 52, hovermode="closest", showlegend=False)
    for axis, (name, table) in zip(("", "2"), shares.items(), strict=True):
        figure.add_trace(_written(laid, table, word, name, axis))
    # Without automargin: plotly would keep the margins of axes that were seen before and are no longer.
    hidden = {"visible": False, "fixedrange": True, "automargin": False, "constrain": "domain"}
    across = {**hidden, "range": [-1, _WIDTH + 1], "constraintoward": "left", "scaleratio": _LETTER / _ROW}
    down = {**hidden, "range": [rows - 0.4, -1.6]}
    below, above = spans([1, 1], 0.02)
    axes = stacked((above, {**across, "scaleanchor": "y"}, down), (below, {**across, "scaleanchor": "y2"}, down))
    figure.update_layout(margin={"t": 44, "b": 8, "l": 10, "r": 10}, hoverdistance=40, **axes)
    return figure


def _laid_out(pieces: pd.DataFrame) -> list[dict[Any, Any]]:
    """Pieces with the line in which each is ``shown``, and where it begins; a long text ends in three dots."""
    lines: list[list[dict[Any, Any]]] = [[]]
    at = 0
    for one in pieces.to_dict("records"):
        if at and at + len(one["piece"]) > _WIDTH:
            lines.append([])
            at = 0
        lines[-1].append({**one, "at": at, "row": len(lines) - 1, "shown": one["piece"][:_WIDTH]})
        at += len(one["piece"]) + 1
    if len(lines) > _LINES:
        lines = lines[:_LINES]
        lines[-1][-1] |= {"shown": "…", "word": ""}
    return [one for line in lines for one in line]


def _written(laid: list[dict[Any, Any]], topics: pd.DataFrame, chosen: str, name: str, axis: str) -> dict[str, Any]:
    """The text as one model reads it, below the model's name."""
    colours = share_colours(topics)
    return {
        "type": "scatter",
        "name": f"text, {name}",
        # In the middle of the word, where a reader clicks.
        "x": [len(name) / 2, *(one["at"] + len(one["shown"]) / 2 for one in laid)],
        "y": [-1.0, *(float(one["row"]) for one in laid)],
        "text": [f"<b>{name}</b>", *(_marked(one, one[name], chosen) for one in laid)],
        "hovertext": [f"as {name} reads it", *(_hint(one, one[name], topics, name) for one in laid)],
        "customdata": ["", *(one["word"] for one in laid)],
        "mode": "text",
        "textposition": "middle center",
        "textfont": {
            "size": 13,
            "color": [DARK_GREY, *(_colour(one["word"], one[name], colours) for one in laid)],
            "family": _FONT,
        },
        "hovertemplate": "%{hovertext}<extra></extra>",
        **on_axes(axis),
    }


def _marked(one: Mapping[Any, Any], topic: int, chosen: str) -> str:
    text, word = html.escape(one["shown"]), one["word"]
    if word and topic < 0:
        text = f"<s>{text}</s>"
    elif word and one["status"] == "unseen":
        text = f"<u>{text}</u>"
    return f"<b>{text}</b>" if word and word == chosen else text


def _colour(word: str, topic: int, colours: Mapping[int, str]) -> str:
    return _DROPPED if not word or topic < 0 else colours.get(topic, DARK_GREY)


def _hint(one: Mapping[Any, Any], topic: int, topics: pd.DataFrame, name: str) -> str:
    if not one["word"]:
        return f"{html.escape(one['shown'])}: has no topic, as all short and common words"
    said = f"<b>{html.escape(one['word'])}</b>: {one['status']}"
    if topic < 0:
        return f"{said}, {name} drops it"
    densest = html.escape(", ".join(topics["words"][topic][:4]))
    return f"{said}, topic {topic} ({densest})<br>click to look at it"

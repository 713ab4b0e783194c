"""Where a word falls among topics, and how likely each of them is for it."""

from __future__ import annotations

import html
from collections.abc import Sized
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, LIGHT_GREY, faint, side_by_side
from semwork.plots.labels import Frame, label_traces
from semwork.plots.style import PALETTE, axis_title, house_figure
from semwork.plots.topic_style import plane_range, wide
from semwork.plots.unseen_shares import ROWS, bars_in_rows, names_in_rows, percent_axis, row_axis

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["unseen_word_figure"]

_POINTS = 500
_MARGIN = {"t": 44, "b": 56, "l": 62, "r": 31}
_HEIGHT = 400
_MAP, _CHANCES = (0.0, 0.6), (0.66, 1.0)
_CLOSEST = 0.4  # the map shows this share of the plane, or more


def unseen_word_figure(
    words: pd.DataFrame,
    topics: pd.DataFrame,
    outlines: Any,
    explained: Any,
    placed: pd.DataFrame,
    near: pd.DataFrame,
    *,
    title: str = "",
) -> go.Figure:
    """Show where a word stands among the topics, with the word it replaced, and how likely each topic is for it.

    The map is the part of the plane around the word and the nearest words that training has seen.

    Parameters
    ----------
    words : DataFrame
        The words that training has seen: ``word``, ``x``, ``y``.
    topics : DataFrame
        One row per ``topic``, the likeliest first: its ``probability``, its densest ``words``, ``x`` and ``y`` of its
        mean, and its ``tokens``.
    outlines : ndarray of shape (n_topics, n_points, 2)
        Closed ellipses, by the number of the topic.
    explained : pair of float
        Share of the variance that each axis shows.
    placed : DataFrame
        The word, and in a second row that in whose place it stands, if there is one: ``word``, ``x``, ``y``.
    near : DataFrame
        The nearest words that training has seen: ``word``, ``x``, ``y``.
    title : str
        Stands above the figure.
    """
    likely = topics.head(ROWS)
    points = np.vstack([placed[["x", "y"]].to_numpy(), near[["x", "y"]].to_numpy()])
    frame, seen = _frame(words, points), _seen(words)
    labels = label_traces(
        frame,
        points,
        [*placed["word"].astype(str), *near["word"].astype(str)],
        size=13,
        strong=1,
        radius=[7, *[5] * (len(points) - 1)],
        avoid=[(x, y, 10) for x, y in zip(likely["x"], likely["y"], strict=True)],
        crowd=np.column_stack([seen["x"], seen["y"]]),
    )
    figure = house_figure(title, "", "", height=_HEIGHT, hovermode="closest", showlegend=False)
    figure.add_traces([seen, *_ellipses(topics, outlines), _numbers(likely), *_placed(placed, near), *labels])
    figure.add_traces(_chances(likely))
    # Another word is at another place: there a reader's zoom would hide it.
    moving = {"zeroline": False, "uirevision": " ".join(placed["word"][::-1])}
    x, y = (f"{place} principal component, {share:.0%}" for place, share in zip(("1st", "2nd"), explained, strict=True))
    across = {**moving, "range": frame.x, "title": axis_title(x)}
    up = {**moving, "range": frame.y, "title": axis_title(y)}
    axes = side_by_side((_MAP, across, up), (_CHANCES, percent_axis("p(topic | word)"), row_axis()))
    figure.update_layout(margin=_MARGIN, **axes)
    return figure


def _frame(words: pd.DataFrame, points: Any) -> Frame:
    """The part of the plane around the points: the same share of both axes, and little beyond the seen words."""
    whole = np.array([plane_range(words[axis].to_numpy()) for axis in ("x", "y")])
    span = whole[:, 1] - whole[:, 0]
    low, high = points.min(axis=0), points.max(axis=0)
    size = max(_CLOSEST, *(1.5 * (high - low) / span)) * span
    # A word may stand outside of all others: there the plane goes on.
    first, last = np.minimum(whole[:, 0], low - 0.15 * size), np.maximum(whole[:, 1], high + 0.15 * size)
    start = np.maximum(np.minimum((low + high - size) / 2, last - size), first)
    ends = np.column_stack([start, start + size]).tolist()
    return Frame(wide(_MAP, _MARGIN), _HEIGHT - _MARGIN["t"] - _MARGIN["b"], *ends)


def _seen(words: pd.DataFrame) -> dict[str, Any]:
    """Some of the seen words, as grey points."""
    spread = np.linspace(0, len(words) - 1, min(_POINTS, len(words))).astype(int)
    return _points(words.iloc[spread], "seen words", {"size": 4, "color": "#d0d0d0"}, "seen in training")


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


def _ellipses(topics: pd.DataFrame, outlines: Any) -> list[dict[str, Any]]:
    """Outlines of all topics that have tokens, thin; that of the likeliest is loud."""
    loud = int(topics["topic"].iloc[0])
    used = sorted(topics[topics["tokens"] > 0]["topic"].tolist())
    closed = [[*outlines[k].tolist(), [None, None]] for k in used if k != loud]
    return [
        {
            "type": "scatter",
            "name": "topics",
            "x": [point[0] for outline in closed for point in outline],
            "y": [point[1] for outline in closed for point in outline],
            "mode": "lines",
            "line": {"color": "#bdbdbd", "width": 1},
            "hoverinfo": "skip",
        },
        {
            "type": "scatter",
            "name": "its topic",
            "x": outlines[loud][:, 0],
            "y": outlines[loud][:, 1],
            "mode": "lines",
            "line": {"color": PALETTE[0], "width": 3},
            "fill": "toself",
            "fillcolor": faint(PALETTE[0], 0.12),
            "hoverinfo": "skip",
        },
    ]


def _told(likely: pd.DataFrame, n: int) -> list[str]:
    rows = zip(likely["topic"], likely["words"], strict=True)
    return [f"topic {k}: {html.escape(', '.join(words[:n]))}" for k, words in rows]


def _numbers(likely: pd.DataFrame) -> dict[str, Any]:
    """Numbered discs in the middle of the likely topics."""
    return {
        "type": "scatter",
        "name": "likely topics",
        "x": likely["x"].to_numpy(),
        "y": likely["y"].to_numpy(),
        "text": [str(k) for k in likely["topic"]],
        "hovertext": _told(likely, 6),
        "mode": "markers+text",
        "textposition": "middle center",
        "textfont": {"size": 11, "color": "#ffffff"},
        "marker": {"size": 18, "color": _shades(likely["topic"], GREY), "opacity": 0.9},
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


def _shades(topics: Sized, other: str) -> list[str]:
    """The likeliest one in blue, which comes first."""
    return [PALETTE[0], *[other] * (len(topics) - 1)]


def _placed(placed: pd.DataFrame, near: pd.DataFrame) -> list[dict[str, Any]]:
    """Marks of the word, of the word it replaced, and of the nearest words that training has seen."""
    line, names = placed[::-1], [html.escape(str(word)) for word in placed["word"]]
    return [
        _points(near, "nearest seen words", {"size": 8, "color": PALETTE[2]}, "seen in training, near the word"),
        {
            "type": "scatter",
            "name": "the word",
            "x": line["x"].to_numpy(),
            "y": line["y"].to_numpy(),
            "text": [*names[1:], f"<b>{names[0]}</b>"],
            "mode": "lines+markers",
            "line": {"color": PALETTE[1], "width": 2, "dash": "dot"},
            "marker": {"size": [9, 13][-len(names) :], "color": PALETTE[1], "opacity": 1},
            "hovertemplate": "%{text}<extra></extra>",
        },
    ]


def _chances(likely: pd.DataFrame) -> list[dict[str, Any]]:
    """Bars of p(topic | word), below the names of the topics."""
    topics = likely["topic"].tolist()
    bars = bars_in_rows(topics, likely["probability"].to_numpy(), _told(likely, 4), _shades(topics, LIGHT_GREY), "2")
    named = {"name": "p(topic | word)", "hovertemplate": "%{text}<br>%{x:.1%}<extra></extra>"}
    return [{**bars, **named}, names_in_rows(topics, likely["words"], _CHANCES, "2")]

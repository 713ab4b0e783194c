"""Words and Gaussian topics in the plane."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, LIGHT_GREY, faint, on_axes, side_by_side
from semwork.plots.labels import Frame, label_traces, shortened
from semwork.plots.style import PALETTE, axis_title, house_figure
from semwork.plots.topic_style import loud_colour, pale, plane_range, topic_colours, wide

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["topic_map_figure"]

_COLOURS = tuple(dict.fromkeys((*PALETTE[:6], GREY)))
_ROWS = 16  # topics beside the map
_POINTS = 600  # words in the map
_MAP, _LIST = (0.0, 0.5), (0.53, 1.0)
_MARGIN = {"t": 44, "b": 56, "l": 64, "r": 20}
_HEIGHT = 470
_NAMES = 12  # words in the map with their names, if there is room
_NEAR = 34.0  # pixels from a word in the map to its name; the list beside the map has more names


def topic_map_figure(
    words: pd.DataFrame, topics: pd.DataFrame, outlines: Any, explained: Any, topic: int = 0, *, title: str = ""
) -> go.Figure:
    """Draw words as points, topics as ellipses of one standard deviation, and their densest words beside them.

    Parameters
    ----------
    words : DataFrame
        One row per word: ``word``, ``x``, ``y``, ``tokens``, and the ``topic`` in which most of them stand.
    topics : DataFrame
        One row per ``topic``, in their order: ``x`` and ``y`` of its mean, its ``tokens``, its ``final_tokens`` after
        the last sweep, by which topics are listed, and its densest ``words``.
    outlines : ndarray of shape (n_topics, n_points, 2)
        Closed ellipses.
    explained : pair of float
        Share of the variance that each axis shows.
    topic : int
        The one that is loud.
    title : str
        Stands above the figure. ``customdata`` of every point is the topic that it belongs to.
    """
    x, y = (f"{place} principal component, {share:.0%}" for place, share in zip(("1st", "2nd"), explained, strict=True))
    figure = house_figure(title, "", "", height=_HEIGHT, hovermode="closest", showlegend=False)
    ranges = (plane_range(words[axis].to_numpy()) for axis in ("x", "y"))
    frame = Frame(wide(_MAP, _MARGIN), _HEIGHT - _MARGIN["t"] - _MARGIN["b"], *ranges)
    often = words.iloc[np.argsort(-words["tokens"].to_numpy(), kind="stable")[:_POINTS]]
    figure.add_traces([*_points(often, topic, len(topics)), *_ellipses(topics, outlines, topic)])
    figure.add_traces([_centres(topics, topic), *_labels(words, often, topics, topic, frame), *_listed(topics, topic)])
    across, up = (
        {"range": ends, "zeroline": False, "title": axis_title(words)} for ends, words in ((frame.x, x), (frame.y, y))
    )
    hidden = {"visible": False, "fixedrange": True}
    rows = {**hidden, "range": [-0.04, 1]}, {**hidden, "range": [_ROWS - 0.4, -0.8]}
    figure.update_layout(margin=_MARGIN, **side_by_side((_MAP, across, up), (_LIST, *rows)))
    return figure


def _points(often: pd.DataFrame, topic: int, n_topics: int) -> list[dict[str, Any]]:
    """Words, one trace for each colour, and one for the loud topic."""
    colours, of_topic = np.array(topic_colours(n_topics))[often["topic"]], (often["topic"] == topic).to_numpy()
    kinds = [(f"words, {colour}", (colours == colour) & ~of_topic, pale(colour), 4) for colour in _COLOURS]
    kinds.append(("words of the topic", of_topic, loud_colour(topic, n_topics), 6))
    traces = []
    for name, chosen, colour, size in kinds:
        rows = often[chosen]
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


def _ellipses(topics: pd.DataFrame, outlines: Any, topic: int) -> list[dict[str, Any]]:
    """Outlines of the topics that have tokens, one trace for each colour, and one for the loud topic."""
    sizes, colours = topics["tokens"].to_numpy(), topic_colours(len(topics))
    traces = []
    for colour in _COLOURS:
        numbers = [k for k in range(len(topics)) if colours[k] == colour and k != topic and sizes[k]]
        closed = [[*outlines[k].tolist(), [None, None]] for k in numbers]
        line = pale(colour, 0.35) if colour != GREY else LIGHT_GREY
        traces.append(
            {
                "type": "scatter",
                "name": f"topics, {colour}",
                "x": [point[0] for outline in closed for point in outline],
                "y": [point[1] for outline in closed for point in outline],
                "mode": "lines",
                "line": {"color": line, "width": 1.2},
                "hoverinfo": "skip",
            }
        )
    loud = loud_colour(topic, len(topics))
    outline = outlines[topic] if sizes[topic] else np.zeros((0, 2))
    traces.append(
        {
            "type": "scatter",
            "name": "the topic",
            "x": outline[:, 0],
            "y": outline[:, 1],
            "mode": "lines",
            "line": {"color": loud, "width": 3},
            "fill": "toself",
            "fillcolor": faint(loud, 0.12),
            "hoverinfo": "skip",
        }
    )
    return traces


def _labels(
    words: pd.DataFrame, often: pd.DataFrame, topics: pd.DataFrame, topic: int, frame: Frame
) -> list[dict[str, Any]]:
    """Names of the densest words, of those for which there is room beside each other and the numbers of topics."""
    named = words.set_index("word").loc[list(topics["words"][topic][:_NAMES])]
    crowd, loud = often[["x", "y"]].to_numpy(), (often["topic"] == topic).to_numpy()
    used = topics[topics["tokens"] > 0]
    return label_traces(
        frame,
        named[["x", "y"]],
        [str(word) for word in named.index],
        avoid=[(x, y, 10) for x, y in zip(used["x"], used["y"], strict=True)],
        crowd=np.vstack([crowd, *[crowd[loud]] * 3]),  # dark points under letters are worse than pale ones
        reach=_NEAR,
        name="densest words",
    )


def _told(topics: pd.DataFrame, chosen: list[int]) -> list[str]:
    rows = topics.loc[chosen]
    return [
        f"<b>topic {k}</b>, {tokens:,} tokens<br>{html.escape(', '.join(words[:10]))}"
        for k, tokens, words in zip(chosen, rows["tokens"], rows["words"], strict=True)
    ]


def _centres(topics: pd.DataFrame, topic: int) -> dict[str, Any]:
    """Numbered discs in the middle of the topics."""
    colours = topic_colours(len(topics))
    # The chosen one last: it lies upon the others.
    used = sorted(np.flatnonzero(topics["tokens"]).tolist(), key=lambda k: k == topic)
    return {
        "type": "scatter",
        "name": "means",
        "x": topics["x"].to_numpy()[used],
        "y": topics["y"].to_numpy()[used],
        "text": [str(k) for k in used],
        "hovertext": _told(topics, used),
        "customdata": used,
        "mode": "markers+text",
        "textposition": "middle center",
        "textfont": {"size": 11, "color": "#ffffff"},
        "marker": {
            "size": 18,
            "color": [loud_colour(k, len(topics)) if k == topic else colours[k] for k in used],
            "opacity": [1.0 if k == topic else 0.75 for k in used],
        },
        "hovertemplate": "%{hovertext}<br>click to choose this topic<extra></extra>",
    }


def _listed(topics: pd.DataFrame, topic: int) -> list[dict[str, Any]]:
    """Rows of topics: a numbered square, and the densest words."""
    colours = topic_colours(len(topics))
    largest = np.argsort(-topics["final_tokens"].to_numpy(), kind="stable")
    rows = sorted({topic, *largest[largest != topic][: _ROWS - 1].tolist()})
    room = 0.94 / 1.04 * wide(_LIST, _MARGIN)  # from 0.06 to the end of an axis from -0.04 to 1
    texts = []
    for k in rows:
        words = html.escape(shortened(topics["words"][k], room, 12, bold=k == topic)) or "<i>no tokens</i>"
        texts.append(f"<b>{words}</b>" if k == topic else words)
    common = {
        "type": "scatter",
        "y": list(range(len(rows))),
        **on_axes("2"),
        "customdata": rows,
        "hovertext": _told(topics, rows),
        "hovertemplate": "%{hovertext}<br>click to choose it<extra></extra>",
    }
    shades = [loud_colour(k, len(topics)) if k == topic else pale(colours[k], 0.25) for k in rows]
    squares = {
        "name": "topics",
        "x": [0.0] * len(rows),
        "text": [str(k) for k in rows],
        "mode": "markers+text",
        "textposition": "middle center",
        "textfont": {"size": 11, "color": "#ffffff"},
        "marker": {"symbol": "square", "size": 18, "color": shades},
    }
    beside = {
        "name": "top words",
        "x": [0.06] * len(rows),
        "text": texts,
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": 12},
    }
    return [{**common, **squares}, {**common, **beside}]

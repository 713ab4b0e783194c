"""Topics of a text as two models see them: names in rows, a bar below each name."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import on_axes, side_by_side
from semwork.plots.labels import shortened
from semwork.plots.style import PALETTE, axis_title, house_figure
from semwork.plots.topic_style import wide

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ROWS", "bars_in_rows", "names_in_rows", "percent_axis", "row_axis", "share_colours", "shares_figure"]

#: Topics for which there are rows.
ROWS = 6

_SLOTS = PALETTE[:6]
_PITCH, _BAR, _THICK = 2.0, 0.9, 0.8  # from a topic's name to the next one, from the name down to its bar
_MARGIN = {"t": 44, "b": 56, "l": 18, "r": 31}
_INSIDE = {"l": 62, "r": 31}  # names end where those beside the map of a word do
_DOMAINS = (0.0, 0.46), (0.54, 1.0)


def share_colours(shares: pd.DataFrame) -> dict[int, str]:
    """Return colours for the topics that two texts have most of; the others stay grey.

    Parameters
    ----------
    shares : DataFrame
        One row per topic: its share ``before`` and ``now``.
    """
    before = shares["before"].to_numpy()
    most = np.maximum(before, shares["now"].to_numpy())
    order = np.argsort(-before, kind="stable")[:3].tolist()
    order += [k for k in np.argsort(-most, kind="stable").tolist() if k not in order][: len(_SLOTS) - len(order)]
    return dict(zip(order, _SLOTS, strict=False))


def shares_figure(shares: Mapping[str, pd.DataFrame], moved: Mapping[str, float], *, title: str = "") -> go.Figure:
    """Draw the topic proportions of a text (bars) and of the original (diamonds), one plot for each model.

    Parameters
    ----------
    shares : mapping of str to DataFrame
        Name of a model → one row per topic: its share ``before`` and ``now``, and its densest ``words``.
    moved : mapping of str to float
        Name of a model → the share of the text that belongs to other topics than before.
    title : str
        Stands above the figure. ``customdata`` of a bar is its topic.
    """
    figure = house_figure(title, "", "", height=100 + 40 * ROWS, hovermode="closest", showlegend=False)
    plots = []
    for axis, domain, (name, table) in zip(("", "2"), _DOMAINS, shares.items(), strict=True):
        figure.add_traces(list(_shares(name, table, domain, axis)))
        plots.append((domain, percent_axis(f"{name}: moved by {moved[name]:.0%}"), row_axis()))
    figure.update_layout(margin=_MARGIN, **side_by_side(*plots))
    return figure


def _shares(name: str, table: pd.DataFrame, domain: tuple[float, float], axis: str) -> Iterator[dict[str, Any]]:
    """Bars, diamonds and names of the topics that one model finds most."""
    colours = share_colours(table)
    rows = table.loc[list(colours)[:ROWS]]
    topics, now, before = rows.index.tolist(), rows["now"].to_numpy(), rows["before"].to_numpy()
    told = [f"topic {k}: {html.escape(', '.join(words[:6]))}" for k, words in zip(topics, rows["words"], strict=True)]
    bars = bars_in_rows(topics, now, told, [colours[k] for k in topics], axis)
    marker = {"symbol": "diamond", "size": 10, "color": "#4a4a4a", "line": {"color": "#ffffff", "width": 1}}
    yield {**bars, "name": f"{name}, now", "hovertemplate": f"{name}, now: %{{x:.0%}}<br>%{{text}}<extra></extra>"}
    yield {
        **{key: bars[key] for key in ("customdata", "text", "xaxis", "yaxis", "y")},
        "type": "scatter",
        "name": f"{name}, before",
        "x": before,
        "mode": "markers",
        "marker": marker,
        "hovertemplate": f"{name}, before: %{{x:.0%}}<br>%{{text}}<extra></extra>",
    }
    yield names_in_rows(topics, rows["words"], domain, axis)


def bars_in_rows(
    topics: Sequence[int], values: Any, told: Sequence[str], colours: Sequence[str], axis: str
) -> dict[str, Any]:
    """Return bars below the names of topics; ``told`` is what is said of each."""
    return {
        "type": "bar",
        "x": values,
        "y": _PITCH * np.arange(len(topics)) + _BAR,
        "customdata": list(topics),
        "text": list(told),
        "textposition": "none",
        "orientation": "h",
        "width": _THICK,
        "marker": {"color": list(colours)},
        **on_axes(axis),
    }


def percent_axis(title: str) -> dict[str, Any]:
    """Return an axis from 0 to 100 percent."""
    return {"range": [0, 1], "tickvals": [0, 0.5, 1], "tickformat": ".0%", "title": axis_title(title)}


def row_axis() -> dict[str, Any]:
    """Return an axis with one row for each topic; its name stands in the row, above the bar."""
    return {
        "range": [_PITCH * ROWS - 0.5, -0.6],
        "showticklabels": False,
        "showgrid": False,
        "zeroline": False,
        "fixedrange": True,
        "automargin": False,
    }


def names_in_rows(
    topics: Sequence[int], densest: Iterable[Sequence[str]], domain: tuple[float, float], axis: str
) -> dict[str, Any]:
    """Return numbers of topics and as many of their words as there is room for."""
    room = wide(domain, _INSIDE) - 24  # without the number
    words = [html.escape(shortened(some, room, 12)) or "<i>no tokens</i>" for some in densest]
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
        **on_axes(axis),
    }

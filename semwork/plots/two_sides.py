"""Two plots side by side that share a title."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from semwork.plots.grammar import side_by_side, spans
from semwork.plots.style import house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["first_lines", "records", "two_sided"]


def first_lines(text: str, width: int = 76, most: int = 2) -> str:
    """Return at most that many lines of a text, as plotly breaks them."""
    lines = textwrap.wrap(text, width, max_lines=most, placeholder=" …")
    return "<br>".join(html.escape(line) for line in lines)


def two_sided(title: str, left: tuple[str, str], right: tuple[str, str], *, height: int, gap: float) -> go.Figure:
    """A house figure with two pairs of axes side by side; each side is the names of its x and y axis."""
    shown = first_lines(title)
    figure = house_figure(shown, "", "", height=height, showlegend=False, margin={"t": 74 if "<br>" in shown else 56})
    # Two pictures share the width: the names of their axes must not run into each other.
    sides = [[{"title": {"text": name, "font": {"size": 13}}} for name in side] for side in (left, right)]
    (first, second), ((x, y), (x2, y2)) = spans([1, 1], gap), sides
    figure.update_layout(title={"font": {"size": 14}}, **side_by_side((first, x, y), (second, x2, y2)))
    return figure


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries."""
    return [{str(key): value for key, value in row.items()} for row in table.to_dict("records")]

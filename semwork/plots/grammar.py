"""What all figures say in the same way: reference lines, greys, faint areas, legends, small multiples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

__all__ = [
    "DARK_GREY",
    "GREY",
    "LEGEND_ABOVE",
    "LEGEND_BELOW",
    "LIGHT_GREY",
    "add_chance",
    "add_reference",
    "faint",
    "on_axes",
    "reference",
    "side_by_side",
    "spans",
    "stacked",
    "upright_shape",
]

#: What is there for comparison.
GREY = "#8c8c8c"
#: Words and thin marks that are seen on white and on black.
DARK_GREY = "#6b6b6b"
#: What stands behind something else.
LIGHT_GREY = "#c8c8c8"

#: Where a legend stands in its own rows below the figure; the bottom margin makes room for it.
LEGEND_BELOW = {"orientation": "h", "x": 0, "y": 0.01, "yref": "container", "yanchor": "bottom", "font": {"size": 12}}
#: Where it stands between the title and the plot; the top margin makes room for it.
LEGEND_ABOVE = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"}

#: Where a plot of several stands, as shares of the width or height; its x axis; its y axis.
Plot = tuple[Sequence[float], dict[str, Any], dict[str, Any]]


# --- lines to compare with ----------------------------------------------------------------------------------------


def reference(
    x: Any, y: Any, *, name: str, colour: str = GREY, width: float = 1, dash: str = "dot", axis: str = "", **trace: Any
) -> dict[str, Any]:
    """Return a line to compare with: chance, a diagonal, a bound. Without a hover text it is not hovered.

    Examples
    --------
    >>> line = reference([0, 1], [0.5, 0.5], name="chance", axis="2")
    >>> line["line"]["dash"], line["yaxis"], line["showlegend"]
    ('dot', 'y2', False)
    """
    quiet = {} if "hovertemplate" in trace else {"hoverinfo": "skip", "showlegend": False}
    line = {"color": colour, "width": width, "dash": dash}
    drawn = {"type": "scatter", "name": name, "x": x, "y": y, "mode": "lines", "line": line, **on_axes(axis)}
    return {**drawn, **quiet, **trace}


def add_reference(figure: go.Figure, x: Any, y: Any, **reference_line: Any) -> None:
    """Draw a line to compare with, as `reference` makes it."""
    figure.add_trace(reference(x, y, **reference_line))


def add_chance(figure: go.Figure, share: Any, **trace: Any) -> None:
    """Draw what a ranking by chance finds: as large a share of the targets as of the candidates."""
    add_reference(figure, share, share, name="chance: ATOP 0.500", **trace)


def upright_shape(
    x: float, *, colour: str = GREY, width: float = 1.5, dash: str = "dot", axis: str = "", **shape: Any
) -> dict[str, Any]:
    """Return a line as high as the plot that is no trace: it can be moved without drawing all else anew.

    Examples
    --------
    >>> upright_shape(3, axis="2")["yref"]
    'y2 domain'
    """
    ends = {"x0": x, "x1": x, "y0": 0, "y1": 1, "xref": f"x{axis}", "yref": f"y{axis} domain"}
    return {"type": "line", **ends, "line": {"color": colour, "width": width, "dash": dash}, **shape}


def faint(colour: str, opacity: float = 0.18) -> str:
    """Return a colour that lets others shine through.

    Examples
    --------
    >>> faint("#0072B2")
    'rgba(0, 114, 178, 0.18)'
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"


# --- small multiples ----------------------------------------------------------------------------------------------


def on_axes(axis: str) -> dict[str, str]:
    """Return what puts a trace on a pair of axes: "" for the first plot, "2" for the second.

    Examples
    --------
    >>> on_axes("2")
    {'xaxis': 'x2', 'yaxis': 'y2'}
    """
    return {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}


def spans(shares: Sequence[float], gap: float = 0.035) -> list[list[float]]:
    """Return from where to where plots reach that share a width or height, with gaps between them.

    Examples
    --------
    >>> spans([1, 1], gap=0.5)
    [[0.0, 0.25], [0.75, 1.0]]
    """
    free = 1 - gap * (len(shares) - 1)
    sizes = [share / sum(shares) * free for share in shares]
    starts = [sum(sizes[:number]) + gap * number for number in range(len(sizes))]
    return [[start, min(1.0, start + size)] for start, size in zip(starts, sizes, strict=True)]


def side_by_side(*plots: Plot) -> dict[str, Any]:
    """Return the axes of plots in a row: for each from where to where it reaches, its x axis and its y axis.

    Examples
    --------
    >>> layout = side_by_side(([0, 0.4], {}, {}), ([0.6, 1], {"type": "log"}, {}))
    >>> layout["xaxis2"], layout["yaxis2"]
    ({'domain': [0.6, 1], 'anchor': 'y2', 'type': 'log'}, {'anchor': 'x2'})
    """
    return _axes_of(plots, "x")


def stacked(*plots: Plot) -> dict[str, Any]:
    """Return the axes of plots in a column: for each from where to where it reaches, its x axis and its y axis.

    Examples
    --------
    >>> stacked(([0.5, 1], {}, {}), ([0, 0.4], {}, {}))["yaxis2"]
    {'domain': [0, 0.4], 'anchor': 'x2'}
    """
    return _axes_of(plots, "y")


def _axes_of(plots: Sequence[Plot], along: str) -> dict[str, Any]:
    layout = {}
    for number, (span, x, y) in enumerate(plots, 1):
        axis = str(number) if number > 1 else ""
        for way, other, given in (("x", "y", x), ("y", "x", y)):
            domain = {"domain": list(span)} if way == along else {}
            layout[f"{way}axis{axis}"] = {**domain, "anchor": other + axis, **given}
    return layout

"""Plotly's axes, drawn by matplotlib: their names, numbers, grids, ranges and lines at zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go

from semwork.plots.static_page import axes_of
from semwork.plots.static_traces import plain
from semwork.plots.style import INK

__all__ = ["cross_zero", "dress", "finish", "match_ranges"]

_GRID, _ZERO = "#e4e4e4", "#bdbdbd"


def dress(axes: Any, x_axis: Any, y_axis: Any) -> None:
    """Give axes their names, their grid and their ink."""
    axes.set_xlabel(plain(x_axis.title.text), fontsize=9.5, color=INK)
    axes.set_ylabel(plain(y_axis.title.text), fontsize=9.5, color=INK)
    for which, axis in (("x", x_axis), ("y", y_axis)):
        if axis.showgrid is not False:
            axes.grid(axis=which, color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_visible(x_axis.showline is not False)
    axes.tick_params(which="both", length=0)
    axes.tick_params(labelsize=9, labelcolor=INK)


def finish(axes: Any, x_axis: Any, y_axis: Any) -> None:
    """Scales and ranges go last: bars and heat maps set limits of their own."""
    for which, axis in (("x", x_axis), ("y", y_axis)):
        if axis.type == "log":
            getattr(axes, f"set_{which}scale")("log")
        _number(axes, which, axis)
        if axis.range is not None:
            limits = [10 ** float(v) if axis.type == "log" and v is not None else v for v in axis.range]
            getattr(axes, f"set_{which}lim")(limits)
        elif axis.autorange == "reversed":
            getattr(axes, f"invert_{which}axis")()
        if axis.visible is False:
            getattr(axes, f"{which}axis").set_visible(False)
            axes.spines[["bottom"] if which == "x" else ["left"]].set_visible(False)
        if axis.showticklabels is False:
            axes.tick_params(axis=which, labelleft=False, labelbottom=False)
        if axis.tickangle:
            axes.tick_params(axis=which, labelrotation=-axis.tickangle)
            for label in getattr(axes, f"get_{which}ticklabels")():
                label.set(ha="right" if axis.tickangle < 0 else "left", rotation_mode="anchor")
    if x_axis.scaleanchor:
        west = "W" if x_axis.constraintoward == "left" else "C"
        axes.set_aspect(1 / (x_axis.scaleratio or 1.0), adjustable="box", anchor=west)


def _number(axes: Any, which: str, axis: Any) -> None:
    """Write plotly's own numbers or names along an axis, where it has any."""
    from matplotlib.ticker import NullFormatter

    formatter = _formatter(axis.tickformat)
    if axis.tickvals is not None:
        values = list(axis.tickvals)
        texts = [formatter(value, 0) for value in values] if axis.ticktext is None else map(str, axis.ticktext)
        getattr(axes, f"set_{which}ticks")(values, [plain(text) for text in texts])
        if axis.type == "log":  # matplotlib would write numbers of its own between them
            getattr(axes, f"{which}axis").set_minor_formatter(NullFormatter())
    elif axis.tickformat:
        getattr(axes, f"{which}axis").set_major_formatter(formatter)


def _formatter(given: str | None) -> Callable[[float, int], str]:
    """Return what writes a number as plotly's format says: a percentage, a count, so many digits.

    Examples
    --------
    >>> [_formatter(given)(0.5, 0) for given in (".0%", "~%", ".2f", None)]
    ['50%', '50%', '0.50', '0.5']
    """
    if given == "~%":
        return lambda value, _: f"{100 * value:.6g}%"
    if given == ",d":
        return lambda value, _: f"{value:,.0f}"
    return lambda value, _: _written(value, given or "g")


def _written(value: Any, given: str) -> str:
    """Write a number in a format that Python knows, too; names, and numbers in any other, as they are."""
    try:
        return format(value, given)
    except ValueError:
        return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def match_ranges(figure: go.Figure, axes: dict[str, Any]) -> None:
    """Give axes that match another the range in which both fit."""
    of_y = {axes_of(figure, name)[1].plotly_name.replace("axis", ""): one for name, one in axes.items()}
    for name, one in axes.items():
        other = of_y.get(axes_of(figure, name)[1].matches or "")
        if other is not None and other is not one:
            ends = [*one.get_ylim(), *other.get_ylim()]
            for both in (one, other):
                low, high = both.get_ylim()
                both.set_ylim((min(ends), max(ends)) if low <= high else (max(ends), min(ends)))


def cross_zero(axes: Any, x_axis: Any, y_axis: Any) -> None:
    """Draw the line at zero, as plotly does where an axis has numbers on both sides of it, or begins there."""
    for which, axis in (("x", x_axis), ("y", y_axis)):
        low, high = sorted(getattr(axes, f"get_{which}lim")())
        names = getattr(axes, f"{which}axis").have_units()
        hidden = axis.zeroline is False or axis.visible is False or axis.type in ("log", "category")
        if not hidden and not names and low <= 0 <= high:
            draw = axes.axvline if which == "x" else axes.axhline
            draw(0, color=_ZERO, linewidth=0.8, zorder=0.9)

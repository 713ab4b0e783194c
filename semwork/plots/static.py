"""A static picture of a plotly figure, drawn with matplotlib: no browser, no kaleido.

It stands in saved notebooks, so that they can be read without a kernel and on GitHub, and it is what a panel exports
as PNG or SVG. It covers the trace types that semwork's own figures use (lines, points, bars, histograms, heat maps,
on one or several axes) and says so when it meets another.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from semwork.plots.static_axes import cross_zero, dress, finish, match_ranges
from semwork.plots.static_marks import mark, note, note_on_paper
from semwork.plots.static_page import Legend, Page, axes_of, shown_traces
from semwork.plots.static_traces import draw_trace, plain
from semwork.plots.style import INK, PALETTE

__all__ = ["STATIC_MARK", "stacked_picture", "static_picture"]

#: Written into the PNG; a live figure looks for it before it hides the picture below itself.
STATIC_MARK = "semwork static picture"

_TITLE_LETTER = 8.6


def static_picture(
    figure: go.Figure, image_format: str = "png", *, width: int = 820, height: int | None = None
) -> bytes:
    r"""Draw the figure as a ``png``, ``svg`` or ``pdf`` and return the file's bytes.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        A plotly figure made of lines, points, bars, histograms and heat maps.
    image_format : {"png", "svg", "pdf"}
        ``"png"``, ``"svg"`` or ``"pdf"``.
    width : int
        In CSS pixels.
    height : int or None
        In CSS pixels; the figure's own by default.

    Returns
    -------
    bytes

    Examples
    --------
    >>> static_picture(go.Figure(go.Scatter(y=[1, 2])))[:4]
    b'\x89PNG'
    """
    canvas = _canvas(width, height or figure.layout.height or 400)
    _paint(figure, canvas)
    return _saved(canvas, image_format)


def stacked_picture(figures: Sequence[go.Figure], image_format: str = "png", *, width: int = 820) -> bytes:
    """Draw several figures below each other in one picture.

    Parameters
    ----------
    figures : sequence of plotly.graph_objects.Figure
        From top to bottom.
    image_format : {"png", "svg", "pdf"}
        The kind of file.
    width : int
        In CSS pixels; the heights are those of the figures.

    Returns
    -------
    bytes
    """
    heights = [figure.layout.height or 400 for figure in figures]
    canvas = _canvas(width, sum(heights))
    parts = canvas.subfigures(len(figures), 1, height_ratios=heights, squeeze=False)
    for figure, part in zip(figures, parts[:, 0], strict=True):
        _paint(figure, part)
    return _saved(canvas, image_format)


def _canvas(width: float, height: float) -> Any:
    # Not through pyplot: its global state is not safe in threads. Imported late: it takes a second.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = Figure(figsize=(width / 100, height / 100), dpi=100, facecolor="white")
    FigureCanvasAgg(canvas)
    return canvas


def _paint(figure: go.Figure, canvas: Any) -> None:
    shown = shown_traces(figure)
    legend = Legend.of(figure, canvas.bbox.width)
    page = Page.of(figure, canvas.bbox.width, canvas.bbox.height)
    axes = {}
    for name in dict.fromkeys(getattr(trace, "xaxis", None) or "x" for trace in shown):
        x_axis, y_axis = axes_of(figure, name)
        axes[name] = canvas.add_axes(page.box(x_axis, y_axis))
        dress(axes[name], x_axis, y_axis)
    for number, trace in enumerate(shown):
        draw_trace(axes[getattr(trace, "xaxis", None) or "x"], trace, PALETTE[number % len(PALETTE)])
    for name, one in axes.items():
        finish(one, *axes_of(figure, name))
    match_ranges(figure, axes)
    page = page.fitted(canvas, axes, legend)
    for name, one in axes.items():
        one.set_position(page.box(*axes_of(figure, name)))
        cross_zero(one, *axes_of(figure, name))
        mark(one, figure, name)
        note(one, figure, name)
    note_on_paper(canvas, figure, page)
    legend.draw(figure, canvas, page, axes)
    middle = 1 - page.above / 2 / page.height
    title = "\n".join(
        part
        for line in plain(figure.layout.title.text).split("\n")
        for part in textwrap.wrap(line, int((page.width - 24) / _TITLE_LETTER))
    )
    canvas.text(12 / page.width, middle, title, fontsize=11.5, va="center", color=INK)


def _saved(canvas: Any, image_format: str) -> bytes:
    if image_format not in ("png", "svg", "pdf"):
        raise ValueError(f"image_format is {image_format!r}; it can be 'png', 'svg' or 'pdf'")
    out = io.BytesIO()
    field = "Software" if image_format == "png" else "Creator"
    canvas.savefig(out, format=image_format, metadata={field: STATIC_MARK})
    return out.getvalue()

"""A static picture of a plotly figure, drawn with matplotlib: no browser, no kaleido.

It stands in saved notebooks, so that they can be read without a kernel and on GitHub, and it is what a panel exports
as PNG or SVG. It covers the trace types that semwork's own figures use (lines, points, bars, histograms, heat maps,
on one or several axes) and says so when it meets another.
"""

from __future__ import annotations

import html
import io
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import plotly.graph_objects as go

from semwork.plots.static_traces import DASHES, POINT, colour_of, draw_trace, plain, weight_of
from semwork.plots.style import PALETTE

__all__ = ["STATIC_MARK", "stacked_picture", "static_picture"]

#: Written into the PNG; a live figure looks for it before it hides the picture below itself.
STATIC_MARK = "semwork static picture"

_LETTER, _LINE = 6.5, 20  # pixels that a letter and a line of a legend take, about
_TITLE_LETTER = 8.6
_GRID, _ZERO, _INK = "#e4e4e4", "#bdbdbd", "#262626"
_SIDES = {"left": "left", "center": "center", "right": "right", "top": "upper", "middle": "center", "bottom": "lower"}


def static_picture(
    figure: go.Figure, image_format: str = "png", *, width: int = 820, height: int | None = None
) -> bytes:
    r"""Draw the figure as a ``png``, ``svg`` or ``pdf`` and return the file's bytes.

    Parameters
    ----------
    figure
        A plotly figure made of lines, points, bars, histograms and heat maps.
    image_format
        ``"png"``, ``"svg"`` or ``"pdf"``.
    width, height
        In CSS pixels; the height is the figure's own by default.

    Examples
    --------
    >>> static_picture(go.Figure(go.Scatter(y=[1, 2])))[:4]
    b'\x89PNG'
    """
    canvas = _canvas(width, height or figure.layout.height or 400)
    _paint(figure, canvas)
    return _saved(canvas, image_format)


def stacked_picture(figures: Sequence[go.Figure], image_format: str = "png", *, width: int = 820) -> bytes:
    """Draw several figures below each other in one picture."""
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
    shown = _shown(figure)
    legend = _Legend.of(figure, canvas.bbox.width)
    page = _Page.of(figure, canvas.bbox.width, canvas.bbox.height)
    axes = {}
    for name in dict.fromkeys(getattr(trace, "xaxis", None) or "x" for trace in shown):
        x_axis, y_axis = _axes_of(figure, name)
        axes[name] = canvas.add_axes(page.box(x_axis, y_axis))
        _dress(axes[name], x_axis, y_axis)
    for number, trace in enumerate(shown):
        draw_trace(axes[getattr(trace, "xaxis", None) or "x"], trace, PALETTE[number % len(PALETTE)])
    for name, one in axes.items():
        _finish(one, *_axes_of(figure, name))
    _match(figure, axes)
    page = page.fitted(canvas, axes, legend)
    for name, one in axes.items():
        one.set_position(page.box(*_axes_of(figure, name)))
        _cross_zero(one, *_axes_of(figure, name))
        _mark(one, figure, name)
        _note(one, figure, name)
    _note_on_paper(canvas, figure, page)
    legend.draw(figure, canvas, page, axes)
    middle = 1 - page.above / 2 / page.height
    title = "\n".join(
        part
        for line in plain(figure.layout.title.text).split("\n")
        for part in textwrap.wrap(line, int((page.width - 24) / _TITLE_LETTER))
    )
    canvas.text(12 / page.width, middle, title, fontsize=11.5, va="center", color=_INK)


def _saved(canvas: Any, image_format: str) -> bytes:
    if image_format not in ("png", "svg", "pdf"):
        raise ValueError(f"image_format is {image_format!r}; it can be 'png', 'svg' or 'pdf'")
    out = io.BytesIO()
    field = "Software" if image_format == "png" else "Creator"
    canvas.savefig(out, format=image_format, metadata={field: STATIC_MARK})
    return out.getvalue()


# --- where things stand -------------------------------------------------------------------------------------------


def _shown(figure: go.Figure) -> list[Any]:
    """The traces that plotly would draw."""
    return [trace for trace in figure.data if trace.visible in (None, True)]


def _axes_of(figure: go.Figure, name: str) -> tuple[Any, Any]:
    """An x axis, and the y axis that belongs to it; one that floats freely is paired with the first."""
    x_axis = _axis(figure, "xaxis" + name[1:])
    anchor = x_axis.anchor or "y" + name[1:]
    return x_axis, _axis(figure, "yaxis" + (anchor[1:] if re.fullmatch(r"y\d*", anchor) else ""))


def _axis(figure: go.Figure, name: str) -> Any:
    """An axis of the layout, also where the layout says nothing of it."""
    return figure.layout[name] if name in figure.layout else go.Layout({name: {}})[name]


class _Page(NamedTuple):
    """The size of a picture, and the pixels on each side that are kept free for names, numbers and the title."""

    width: float
    height: float
    left: float
    right: float
    above: float
    below: float

    @classmethod
    def of(cls, figure: go.Figure, width: float, height: float) -> _Page:
        """Keep free what the figure's own layout says."""
        given = {"l": 64.0, "r": 20.0, "t": 56.0, "b": 56.0}
        for layout in (figure.layout.template.layout, figure.layout):
            given |= {side: layout.margin[side] for side in given if layout.margin[side] is not None}
        scales = any(trace.type == "heatmap" and trace.showscale is not False for trace in _shown(figure))
        return cls(width, height, given["l"], max(given["r"], 70.0 if scales else 12.0), given["t"], given["b"])

    def fitted(self, canvas: Any, axes: dict[str, Any], legend: _Legend) -> _Page:
        """Keep more free on the left and below where names, numbers or titles of the axes need it."""
        renderer = canvas.canvas.get_renderer()
        sides = [axis.get_tightbbox(renderer) for one in axes.values() for axis in (one.xaxis, one.yaxis)]
        sides = [side for side in sides if side is not None]
        left = max((canvas.bbox.x0 + 8 - side.x0 for side in sides), default=0.0)
        below = max((canvas.bbox.y0 + 8 + legend.room_below - side.y0 for side in sides), default=0.0)
        return self._replace(
            left=min(self.left + max(left, 0.0), 0.4 * self.width),
            below=min(self.below + max(below, 0.0), 0.5 * self.height),
        )

    def place(self, x: float, y: float) -> tuple[float, float]:
        """From parts of the area for axes to parts of the picture."""
        wide, high = self.width - self.left - self.right, self.height - self.above - self.below
        return (self.left + x * wide) / self.width, (self.below + y * high) / self.height

    def box(self, x_axis: Any, y_axis: Any) -> tuple[float, float, float, float]:
        """Where a pair of axes lies in the picture: left, bottom, width, height."""
        x, y = x_axis.domain or (0, 1), y_axis.domain or (0, 1)
        (left, bottom), (right, top) = self.place(x[0], y[0]), self.place(x[1], y[1])
        return left, bottom, right - left, top - bottom


class _Legend(NamedTuple):
    """Whether there is one legend for the whole figure, and how many columns and rows it has."""

    shared: bool
    below: bool
    columns: int
    rows: int

    @classmethod
    def of(cls, figure: go.Figure, width: float) -> _Legend:
        names = [trace.name for trace in _shown(figure) if trace.name and trace.showlegend is not False]
        names = list(dict.fromkeys(map(plain, names)))
        legend = figure.layout.legend
        wanted = figure.layout.showlegend is not False and len(names) > 1 and legend.orientation == "h"
        below = wanted and (legend.y or 0) < 0.5
        longest = max(map(len, names), default=0)
        columns = max(1, min(len(names), int((width - 60) / (_LETTER * longest + 48))))
        return cls(wanted, below, columns, -(-len(names) // columns) if wanted else 0)

    @property
    def room_below(self) -> float:
        return _LINE * self.rows + 6.0 if self.below else 0.0

    def draw(self, figure: go.Figure, canvas: Any, page: _Page, axes: dict[str, Any]) -> None:
        """Draw a legend that lies where plotly has it; one that plotly has on the right goes into the axes."""
        look = {"fontsize": 9, "frameon": False, "labelcolor": _INK}
        if not self.shared:
            for one in axes.values():
                if figure.layout.showlegend is not False and len(one.get_legend_handles_labels()[1]) > 1:
                    one.legend(**look)
            return
        handles = {
            label: handle
            for one in axes.values()
            for handle, label in zip(*one.get_legend_handles_labels(), strict=True)
        }
        legend = figure.layout.legend
        place = page.place(legend.x or 0, 1.0 if legend.y is None else legend.y)
        up, across = _SIDES.get(legend.yanchor, "upper"), _SIDES.get(legend.xanchor, "left")
        if self.below:
            place, up = (place[0], 4 / page.height), "lower"
        canvas.legend(
            handles.values(),
            handles.keys(),
            loc=f"{up} {across}",
            bbox_to_anchor=place,
            ncols=self.columns,
            borderpad=0.1,
            borderaxespad=0.1,
            columnspacing=1.5,
            **look,
        )


# --- axes ---------------------------------------------------------------------------------------------------------


def _dress(axes: Any, x_axis: Any, y_axis: Any) -> None:
    axes.set_xlabel(plain(x_axis.title.text), fontsize=9.5, color=_INK)
    axes.set_ylabel(plain(y_axis.title.text), fontsize=9.5, color=_INK)
    for which, axis in (("x", x_axis), ("y", y_axis)):
        if axis.showgrid is not False:
            axes.grid(axis=which, color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_visible(x_axis.showline is not False)
    axes.tick_params(which="both", length=0)
    axes.tick_params(labelsize=9, labelcolor=_INK)


def _finish(axes: Any, x_axis: Any, y_axis: Any) -> None:
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


def _match(figure: go.Figure, axes: dict[str, Any]) -> None:
    """Give axes that match another the range in which both fit."""
    of_y = {_axes_of(figure, name)[1].plotly_name.replace("axis", ""): one for name, one in axes.items()}
    for name, one in axes.items():
        other = of_y.get(_axes_of(figure, name)[1].matches or "")
        if other is not None and other is not one:
            ends = [*one.get_ylim(), *other.get_ylim()]
            for both in (one, other):
                low, high = both.get_ylim()
                both.set_ylim((min(ends), max(ends)) if low <= high else (max(ends), min(ends)))


def _cross_zero(axes: Any, x_axis: Any, y_axis: Any) -> None:
    """Draw the line at zero, as plotly does where an axis has numbers on both sides of it, or begins there."""
    for which, axis in (("x", x_axis), ("y", y_axis)):
        low, high = sorted(getattr(axes, f"get_{which}lim")())
        names = getattr(axes, f"{which}axis").have_units()
        hidden = axis.zeroline is False or axis.visible is False or axis.type in ("log", "category")
        if not hidden and not names and low <= 0 <= high:
            draw = axes.axvline if which == "x" else axes.axhline
            draw(0, color=_ZERO, linewidth=0.8, zorder=0.9)


# --- marks and notes ----------------------------------------------------------------------------------------------


def _mark(axes: Any, figure: go.Figure, name: str) -> None:
    """Straight lines and areas that stand on an axis; across the other one they may be as long as it is."""
    for shape in figure.layout.shapes:
        where = _where(axes, figure, name, shape)
        if where is None:
            continue
        if shape.type == "line":
            axes.plot(
                [shape.x0, shape.x1],
                [shape.y0, shape.y1],
                transform=where,
                color=colour_of(shape.line.color, "#8c8c8c"),
                linestyle=DASHES.get(shape.line.dash, "-"),
                linewidth=POINT * (2 if shape.line.width is None else shape.line.width),
            )
            if shape.label.text:
                look = {"fontsize": 8, "color": _INK, "ha": "center", "va": "bottom"}
                axes.text(shape.x1, shape.y1, plain(shape.label.text), transform=where, **look)
        elif shape.type == "rect":
            corners = [shape.x0, shape.x1, shape.x1, shape.x0], [shape.y0, shape.y0, shape.y1, shape.y1]
            face = colour_of(shape.fillcolor, "none")
            alpha = 1.0 if shape.opacity is None else shape.opacity
            axes.fill(*corners, transform=where, facecolor=face, alpha=alpha, linewidth=0, zorder=0.8)


def _where(axes: Any, figure: go.Figure, name: str, mark: Any) -> Any:
    """The coordinates of a shape or note that stands on these axes: ``None`` for one that does not."""
    own = name, _axes_of(figure, name)[1].plotly_name.replace("axis", "")
    given = mark.xref or "x", mark.yref or "y"
    wide, high = (ref == "paper" or ref.endswith(" domain") for ref in given)
    stands = [ref.removesuffix(" domain") in (mine, "paper") for ref, mine in zip(given, own, strict=True)]
    if not all(stands) or (given[0] == given[1] == "paper"):
        return None
    if wide and high:
        return axes.transAxes
    return axes.get_yaxis_transform() if wide else axes.get_xaxis_transform() if high else axes.transData


def _note(axes: Any, figure: go.Figure, name: str) -> None:
    """Notes that stand on an x axis: with an arrow they mark a point."""
    x_axis, y_axis = _axes_of(figure, name)
    for note in figure.layout.annotations:
        where = _where(axes, figure, name, note)
        if where is None:
            continue
        on_axis = (note.xref or "x") == name, str(note.yref or "y") in ("y", y_axis.plotly_name.replace("axis", ""))
        x, y = (
            10**value if axis.type == "log" and there else value
            for value, axis, there in zip((note.x, note.y), (x_axis, y_axis), on_axis, strict=True)
        )
        if note.showarrow is False:
            axes.text(x, y, plain(note.text), transform=where, **_words(note))
            continue
        left, below = (note.ax or 0) < 0, (note.ay or 0) > 0
        axes.plot([x], [y], "o", color=colour_of(note.arrowcolor, _INK), markersize=6)
        axes.annotate(
            plain(note.text),
            (x, y),
            xytext=(-8 if left else 8, -8 if below else 8),
            textcoords="offset points",
            fontsize=9,
            color=_INK,
            ha="right" if left else "left",
            va="top" if below else "bottom",
        )


def _note_on_paper(canvas: Any, figure: go.Figure, page: _Page) -> None:
    """Notes that stand beside the axes; their words may have colours of their own."""
    from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea

    for note in figure.layout.annotations:
        if note.xref != "paper" or note.yref != "paper":
            continue
        x, y = page.place(note.x, note.y)
        x, y = x + (note.xshift or 0) / page.width, y + (note.yshift or 0) / page.height
        words = _words(note)
        if "<span" not in (note.text or ""):
            canvas.text(x, y, plain(note.text), **words)
            continue
        look = {name: words[name] for name in ("fontsize", "color")}
        pieces: list[Any] = [TextArea(text, textprops={**look, **own}) for text, own in _pieces(note.text)]
        side = {"left": 0.0, "center": 0.5, "right": 1.0}[words["ha"]]
        up = {"bottom": 0.0, "center": 0.5, "top": 1.0}[words["va"]]
        row = HPacker(children=pieces, pad=0, sep=0, align="baseline")
        box = AnnotationBbox(row, (x, y), xycoords=canvas.transSubfigure, box_alignment=(side, up), frameon=False)
        canvas.add_artist(box)


def _pieces(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Cut a text where its colour or weight changes.

    Examples
    --------
    >>> _pieces("<b>one</b>, <span style='color:#0072B2'>two</span>")
    [('one', {'weight': 'bold'}), (', ', {}), ('two', {'color': '#0072B2'})]
    """
    found = []
    for piece in re.findall(r"<b>.*?</b>|<span.*?</span>|<[^>]+>|[^<]+", text):
        look: dict[str, Any] = {"weight": "bold"} if piece.startswith("<b>") else {}
        if colour := re.match(r"<span[^>]*color:([^'\";]+)", piece):
            look["color"] = colour_of(colour[1], _INK)
        found.append((html.unescape(re.sub(r"<[^>]+>", "", piece)).replace("$", r"\$"), look))
    return [(words, look) for words, look in found if words]


def _words(note: Any) -> dict[str, Any]:
    across = {"left": "left", "right": "right"}.get(note.xanchor, "center")
    up = {"top": "top", "bottom": "bottom"}.get(note.yanchor, "center")
    return {
        "ha": across,
        "va": up,
        "rotation": -(note.textangle or 0),
        "fontsize": POINT * (note.font.size or 12),
        "weight": weight_of(note.text or ""),
        "color": colour_of(note.font.color, _INK),
    }

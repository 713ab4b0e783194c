"""A static picture of a plotly figure, drawn with matplotlib: no browser, no kaleido.

It stands in saved notebooks, so that they can be read without a kernel and on GitHub. It covers the trace types
that semwork's own figures use (lines, points, bars, histograms, heat maps, on one or several axes) and says so
when it meets another.
"""

from __future__ import annotations

import html
import io
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.style import PALETTE

__all__ = ["STATIC_MARK", "stacked_picture", "static_picture"]

#: Written into the PNG; a live figure looks for it before it hides the picture below itself.
STATIC_MARK = "semwork static picture"

_DASHES = {"dash": "--", "dot": ":", "dashdot": "-."}
_MARKERS = {"circle": "o", "square": "s", "diamond": "D", "x": "x", "cross": "P", "triangle-up": "^"}
_MARGIN = {"left": 0.10, "right": 0.97, "bottom": 0.15, "top": 0.86}


def _plain(text: str | None) -> str:
    """Drop the small HTML that plotly allows in titles; ``$`` would start mathematics in matplotlib."""
    lines = re.sub(r"<br ?/?>", "\n", text or "")
    return html.unescape(re.sub(r"<[^>]+>", " ", lines)).replace("$", r"\$").strip()


def _colour(value: Any, fallback: str) -> Any:
    """A colour of plotly's (a name, ``#…``, ``rgb(…)``, ``rgba(…)``) for matplotlib; the fallback when it is none."""
    from matplotlib.colors import is_color_like

    match = re.fullmatch(r"rgba?\(([\d\s.,]+)\)", value) if isinstance(value, str) else None
    if match:
        parts = [float(part) for part in match[1].split(",")]
        return tuple(part / 255 for part in parts[:3]) + tuple(parts[3:4])
    return value if isinstance(value, str) and is_color_like(value) else fallback


def _numbers(values: Any) -> Any:
    """Values as matplotlib takes them: numbers with gaps for what is missing, or texts."""
    array = np.asarray([] if values is None else values)
    if array.dtype != object:
        return array
    if all(value is None or isinstance(value, (int, float)) for value in array.ravel()):
        return array.astype(float)
    return np.array([str(value) for value in array.ravel()]).reshape(array.shape)


def _y_axis_of(figure: go.Figure, name: str) -> Any:
    """The y axis that belongs to an x axis; one that floats freely is paired with the first."""
    anchor = figure.layout["xaxis" + name[1:]].anchor or "y" + name[1:]
    return figure.layout["yaxis" + (anchor[1:] if re.fullmatch(r"y\d*", anchor) else "")]


def _subplot_axes(figure: go.Figure, canvas: Any) -> dict[str, Any]:
    """One matplotlib axes per plotly x axis that a trace uses, placed by plotly's own domains."""
    start = _left_margin(figure, canvas)
    width, height = _MARGIN["right"] - start, _MARGIN["top"] - _MARGIN["bottom"]
    axes = {}
    for name in dict.fromkeys(getattr(trace, "xaxis", None) or "x" for trace in figure.data):
        x_axis = figure.layout["xaxis" + name[1:]]
        y_axis = _y_axis_of(figure, name)
        left, right = x_axis.domain or (0, 1)
        bottom, top = y_axis.domain or (0, 1)
        axes[name] = canvas.add_axes(
            (
                start + left * width,
                _MARGIN["bottom"] + bottom * height,
                (right - left) * width,
                (top - bottom) * height,
            )
        )
        _dress(axes[name], x_axis, y_axis)
    return axes


def _left_margin(figure: go.Figure, canvas: Any) -> float:
    """Room for the longest name on the left: a letter is about six pixels wide."""
    names = [str(name) for axis in figure.select_yaxes() for name in axis.ticktext or ()]
    for trace in figure.data:
        if not (figure.layout["xaxis" + (getattr(trace, "xaxis", None) or "x")[1:]].domain or (0,))[0]:
            places = trace.y if getattr(trace, "y", None) is not None else ()
            names += [place for place in places if isinstance(place, str)]
    longest = max((len(line) for name in names for line in _plain(name).split("\n")), default=0)
    return float(min(max(_MARGIN["left"], (6 * longest + 28) / canvas.bbox.width), 0.4))


def _dress(axes: Any, x_axis: Any, y_axis: Any) -> None:
    axes.set_xlabel(_plain(x_axis.title.text), fontsize=10)
    axes.set_ylabel(_plain(y_axis.title.text), fontsize=10)
    axes.grid(color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)


def _finish(axes: Any, x_axis: Any, y_axis: Any) -> None:
    """Scales and ranges go last: bars and heat maps set limits of their own."""
    for which, axis in (("x", x_axis), ("y", y_axis)):
        if axis.type == "log":
            getattr(axes, f"set_{which}scale")("log")
        if axis.range is not None:
            limits = [10 ** float(v) for v in axis.range] if axis.type == "log" else list(axis.range)
            getattr(axes, f"set_{which}lim")(limits)
        elif axis.autorange == "reversed":
            getattr(axes, f"invert_{which}axis")()
        if axis.tickvals is not None and axis.ticktext is not None:
            getattr(axes, f"set_{which}ticks")(list(axis.tickvals), [_plain(str(text)) for text in axis.ticktext])
            if axis.type == "log":  # matplotlib would write numbers of its own between them
                getattr(axes, f"{which}axis").set_minor_formatter("")
        if axis.visible is False:
            getattr(axes, f"{which}axis").set_visible(False)
            axes.spines[["bottom"] if which == "x" else ["left"]].set_visible(False)
        if axis.showticklabels is False:
            axes.tick_params(axis=which, labelleft=False, labelbottom=False)
        if axis.tickangle:
            axes.tick_params(axis=which, labelrotation=-axis.tickangle)


def _draw(axes: Any, trace: Any, colour: str) -> None:
    if trace.type in ("scatter", "scattergl"):
        _draw_scatter(axes, trace, colour)
    elif trace.type == "bar":
        _draw_bars(axes, trace, colour)
    elif trace.type == "histogram":
        values = _numbers(trace.x if trace.x is not None else trace.y)
        side = "vertical" if trace.x is not None else "horizontal"
        fill = _colour(trace.marker.color, colour)
        axes.hist(values, bins=trace.nbinsx or "auto", color=fill, orientation=side, **_look(trace))
    elif trace.type == "heatmap":
        _draw_heatmap(axes, trace)
    else:
        axes.text(0.5, 0.5, f"({trace.type}: open the notebook to see it)", ha="center", transform=axes.transAxes)


def _look(trace: Any) -> dict[str, Any]:
    shown = trace.showlegend is not False
    return {
        "label": (_plain(trace.name) or None) if shown else None,
        "alpha": 1.0 if trace.opacity is None else trace.opacity,
    }


def _draw_bars(axes: Any, trace: Any, colour: str) -> None:
    flat = trace.orientation == "h"
    places, sizes = (trace.y, trace.x) if flat else (trace.x, trace.y)
    sizes = _numbers(sizes)
    places = np.arange(len(sizes)) if places is None else _numbers(places)
    if places.dtype.kind == "U":
        places = np.array([_plain(str(place)) for place in places.tolist()])
    draw = axes.barh if flat else axes.bar
    fill = _faces(trace.marker.color, colour)
    fill = colour if isinstance(fill, np.ndarray) else fill
    draw(places[: len(sizes)], sizes[: len(places)], color=fill, **_look(trace))


def _draw_heatmap(axes: Any, trace: Any) -> None:
    z = np.atleast_2d(_numbers(trace.z).astype(float))
    if not z.size:
        return
    axes.imshow(z, aspect="auto", origin="lower", cmap="cividis", interpolation="nearest")
    axes.grid(False)
    for which, labels in (("x", trace.x), ("y", trace.y)):
        if labels is not None and len(labels) <= 30:
            getattr(axes, f"set_{which}ticks")(range(len(labels)), [_plain(str(label)) for label in labels])


def _draw_scatter(axes: Any, trace: Any, colour: str) -> None:
    from matplotlib.colors import to_rgba

    mode = trace.mode or "lines"
    y = _numbers(trace.y)
    x = np.arange(len(y)) if trace.x is None else _numbers(trace.x)
    x, y = x[: len(y)], y[: len(x)]
    if "lines" in mode:
        axes.plot(
            x,
            y,
            color=_colour(trace.line.color, colour),
            linestyle=_DASHES.get(trace.line.dash, "-"),
            linewidth=2 if trace.line.width is None else trace.line.width,
            drawstyle="steps-post" if trace.line.shape == "hv" else "default",
            marker="o" if "markers" in mode else None,
            markersize=5,
            **_look(trace),
        )
        if trace.fill == "toself":
            # As in plotly, an area without a colour of its own is a half-transparent one of its line's.
            alpha = (1.0 if trace.opacity is None else trace.opacity) * (0.5 if trace.fillcolor is None else 1.0)
            face = _colour(trace.fillcolor or trace.line.color, colour)
            axes.fill(x, y, facecolor=(*to_rgba(face)[:3], to_rgba(face)[3] * alpha), linewidth=0)
        elif trace.fill in ("tozeroy", "tonexty"):
            axes.fill_between(x, y, color=_colour(trace.fillcolor, colour), alpha=0.15, linewidth=0)
    elif "markers" in mode:
        size = trace.marker.size if isinstance(trace.marker.size, (int, float)) else 6
        symbol = trace.marker.symbol if isinstance(trace.marker.symbol, str) else "circle"
        face = _faces(trace.marker.color, colour)
        paint: dict[str, Any] = {"c": face, "cmap": "cividis"} if isinstance(face, np.ndarray) else {"color": face}
        if symbol.endswith("-open") and "cmap" not in paint:
            paint = {"facecolors": "none", "edgecolors": face}
        marker = _MARKERS.get(symbol.removesuffix("-open"), "o")
        axes.scatter(x, y, s=size**2, marker=marker, **paint, **_look(trace))
    if "text" in mode and trace.text is not None:
        texts = [trace.text] * len(y) if isinstance(trace.text, str) else trace.text
        place, look = _text_place(str(trace.textposition))
        size = 0.72 * trace.textfont.size if trace.textfont.size else 8
        inks = _faces(trace.textfont.color, "#000000")
        inks = inks if isinstance(inks, list) else [inks] * len(texts)
        for x_i, y_i, text, ink in zip(x, y, texts, inks, strict=False):
            axes.annotate(
                _plain(str(text)),
                (x_i, y_i),
                fontsize=size,
                xytext=place,
                textcoords="offset points",
                color=ink,
                **look,
            )


def _text_place(position: str) -> tuple[tuple[int, int], dict[str, str]]:
    """Where a text stands beside its point: points to the right and up, and matplotlib's words for it."""
    sides = {"left": ((-8, 0), "right"), "center": ((0, 0), "center"), "right": ((8, 0), "left")}
    if position.startswith("middle"):
        offset, side = sides[position.split()[1]]
        return offset, {"ha": side, "va": "center_baseline"}
    return (4, -10) if position.startswith("bottom") else (4, 3), {}


def _faces(given: Any, colour: str) -> Any:
    """The colours of points: one for all, a list of colours, or numbers on a scale."""
    if given is None or isinstance(given, str):
        return _colour(given, colour)
    values = _numbers(given)
    return [_colour(value, colour) for value in values.tolist()] if values.dtype.kind in "US" else values


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
    axes = _subplot_axes(figure, canvas)
    for number, trace in enumerate(figure.data):
        _draw(axes[getattr(trace, "xaxis", None) or "x"], trace, PALETTE[number % len(PALETTE)])
    for name, one in axes.items():
        _finish(one, figure.layout["xaxis" + name[1:]], _y_axis_of(figure, name))
        _mark(one, figure, name)
        if figure.layout.showlegend is not False and len(one.get_legend_handles_labels()[1]) > 1:
            # Matplotlib's best place for a legend knows nothing of words between the points: a short one goes above.
            words = any("text" in (getattr(trace, "mode", None) or "") for trace in figure.data)
            short = sum(len(label) for label in one.get_legend_handles_labels()[1]) < 40
            above = {"loc": "lower right", "bbox_to_anchor": (1, 1), "ncols": 4} if words and short else {}
            one.legend(fontsize=9, frameon=False, **above)
    canvas.text(0.015, 0.965, _plain(figure.layout.title.text), fontsize=12, va="top")


def _mark(axes: Any, figure: go.Figure, name: str) -> None:
    """Straight lines, and notes with an arrow, that stand on an x axis: marks that a reader can move."""
    for line in figure.layout.shapes:
        if line.type == "line" and (line.xref or "x") == name:
            whole = str(line.yref).endswith(" domain") or line.yref == "paper"
            axes.plot(
                [line.x0, line.x1],
                [line.y0, line.y1],
                transform=axes.get_xaxis_transform() if whole else axes.transData,
                color=_colour(line.line.color, "#8c8c8c"),
                linestyle=_DASHES.get(line.line.dash, "-"),
                linewidth=1.5 if line.line.width is None else line.line.width,
            )
    log = figure.layout["xaxis" + name[1:]].type == "log", _y_axis_of(figure, name).type == "log"
    for note in figure.layout.annotations:
        if note.showarrow is not False and (note.xref or "x") == name:
            x, y = (10**value if power else value for value, power in zip((note.x, note.y), log, strict=True))
            left, below = (note.ax or 0) < 0, (note.ay or 0) > 0
            axes.plot([x], [y], "o", color=_colour(note.arrowcolor, "#262626"), markersize=6)
            axes.annotate(
                _plain(note.text),
                (x, y),
                xytext=(-8 if left else 8, -8 if below else 8),
                textcoords="offset points",
                fontsize=9,
                ha="right" if left else "left",
                va="top" if below else "bottom",
            )


def _saved(canvas: Any, image_format: str) -> bytes:
    if image_format not in ("png", "svg", "pdf"):
        raise ValueError(f"image_format is {image_format!r}; it can be 'png', 'svg' or 'pdf'")
    out = io.BytesIO()
    field = "Software" if image_format == "png" else "Creator"
    canvas.savefig(out, format=image_format, metadata={field: STATIC_MARK})
    return out.getvalue()

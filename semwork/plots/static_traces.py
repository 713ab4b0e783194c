"""How matplotlib draws the traces of plotly that semwork's figures use: lines, points, texts, bars, heat maps."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np

from semwork.plots.style import INK

__all__ = ["DASHES", "POINT", "colour_of", "draw_trace", "plain", "weight_of"]

#: Plotly measures in pixels, matplotlib in points; a static picture has 100 pixels to the inch.
POINT = 0.72
DASHES = {"dash": "--", "dot": ":", "dashdot": "-."}
_MARKERS = {"circle": "o", "square": "s", "diamond": "D", "x": "x", "cross": "P", "triangle-up": "^"}
# A diamond of plotly's is wider than its size says, but one of matplotlib's is measured along its sides.
_SCALES = {"diamond": 0.92}


def plain(text: str | None) -> str:
    r"""Drop the small HTML that plotly allows in texts; ``$`` would start mathematics in matplotlib.

    Examples
    --------
    >>> plain("<b>R&amp;D</b><br>in two lines")
    'R&D\nin two lines'
    """
    lines = re.sub(r"<br ?/?>", "\n", text or "")
    return html.unescape(re.sub(r"<[^>]+>", "", lines)).replace("$", r"\$").strip("\n ")


def weight_of(text: str) -> str:
    """Say whether a text as a whole is bold."""
    return "bold" if re.fullmatch(r"\s*<b>.*</b>\s*", text, re.DOTALL) else "normal"


def colour_of(value: Any, fallback: Any) -> Any:
    """Turn a colour of plotly's (a name, ``#…``, ``rgb(…)``, ``rgba(…)``) into matplotlib's; else the fallback."""
    from matplotlib.colors import is_color_like

    match = re.fullmatch(r"rgba?\(([\d\s.,]+)\)", value) if isinstance(value, str) else None
    if match:
        parts = [float(part) for part in match[1].split(",")]
        return tuple(part / 255 for part in parts[:3]) + tuple(parts[3:4])
    return value if isinstance(value, str) and is_color_like(value) else fallback


def draw_trace(axes: Any, trace: Any, colour: str) -> None:
    """Draw one trace; a kind that is not known is named in the middle of the axes."""
    if trace.type in ("scatter", "scattergl"):
        _draw_scatter(axes, trace, colour)
    elif trace.type == "bar":
        _draw_bars(axes, trace, colour)
    elif trace.type == "histogram":
        _draw_histogram(axes, trace, colour)
    elif trace.type == "heatmap":
        _draw_heatmap(axes, trace)
    else:
        axes.text(0.5, 0.5, f"({trace.type}: open the notebook to see it)", ha="center", transform=axes.transAxes)


def _numbers(values: Any) -> Any:
    """Values as matplotlib takes them: numbers with gaps for what is missing, or texts."""
    array = np.asarray([] if values is None else values)
    if array.dtype != object:
        return array
    if all(value is None or isinstance(value, (int, float)) for value in array.ravel()):
        return array.astype(float)
    return np.array([str(value) for value in array.ravel()]).reshape(array.shape)


def _positions(values: Any) -> Any:
    """Values along an axis; names without their HTML."""
    found = _numbers(values)
    return np.array([plain(str(name)) for name in found.tolist()]) if found.dtype.kind == "U" else found


def _look(trace: Any) -> dict[str, Any]:
    shown = trace.showlegend is not False
    return {
        "label": (plain(trace.name) or None) if shown else None,
        "alpha": 1.0 if trace.opacity is None else trace.opacity,
    }


def _faces(given: Any, colour: Any) -> Any:
    """The colours of points: one for all, a list of colours, or numbers on a scale."""
    if given is None or isinstance(given, str):
        return colour_of(given, colour)
    values = _numbers(given)
    return [colour_of(value, colour) for value in values.tolist()] if values.dtype.kind in "US" else values


# --- bars, histograms, heat maps ----------------------------------------------------------------------------------


def _draw_bars(axes: Any, trace: Any, colour: str) -> None:
    flat = trace.orientation == "h"
    positions, sizes = (trace.y, trace.x) if flat else (trace.x, trace.y)
    sizes = _numbers(sizes)
    positions = np.arange(len(sizes)) if positions is None else _positions(positions)
    fill = _faces(trace.marker.color, colour)
    fill = colour if isinstance(fill, np.ndarray) else fill
    thick = {"height" if flat else "width": trace.width if isinstance(trace.width, (int, float)) else 0.8}
    draw = axes.barh if flat else axes.bar
    drawn = draw(positions[: len(sizes)], sizes[: len(positions)], color=fill, **thick, **_look(trace))
    if trace.text is not None and trace.textposition in (None, "auto", "outside"):
        texts = [trace.text] * len(drawn) if isinstance(trace.text, str) else trace.text
        size = POINT * (trace.textfont.size or 12)
        labels = ["" if text is None else plain(str(text)) for text in texts[: len(drawn)]]
        axes.bar_label(drawn, labels, padding=3, fontsize=size, color=INK)


def _draw_histogram(axes: Any, trace: Any, colour: str) -> None:
    values = _numbers(trace.x if trace.x is not None else trace.y)
    side = "vertical" if trace.x is not None else "horizontal"
    fill = colour_of(trace.marker.color, colour)
    given = trace.xbins.start, trace.xbins.end, trace.xbins.size
    bins = _edges(*given) if None not in given else trace.nbinsx or "auto"
    axes.hist(values, bins=bins, color=fill, orientation=side, **_look(trace))


def _edges(start: float, end: float, size: float) -> Any:
    return np.arange(start, end + size / 2, size)


def _draw_heatmap(axes: Any, trace: Any) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    z = np.atleast_2d(_numbers(trace.z).astype(float))
    if not z.size:
        return
    scale = [(place, colour_of(ink, "#000000")) for place, ink in trace.colorscale or ()]
    colours = LinearSegmentedColormap.from_list("plotly", scale) if scale else "cividis"
    limits = {"vmin": trace.zmin, "vmax": trace.zmax}
    drawn = axes.imshow(z, aspect="auto", origin="lower", cmap=colours, interpolation="nearest", **limits)
    axes.grid(False)
    if written := re.fullmatch(r"%\{z:(.*)\}", trace.texttemplate or ""):
        for (row, column), value in np.ndenumerate(z):
            if np.isfinite(value):
                dark = sum(drawn.cmap(drawn.norm(value))[:3]) < 1.5
                look = {"ha": "center", "va": "center", "fontsize": 8, "color": "#ffffff" if dark else INK}
                axes.text(column, row, format(value, written[1]), **look)
    if trace.showscale is not False:
        scale_axes = axes.inset_axes((1.015, 0.05, 0.018, 0.9))
        bar = axes.figure.colorbar(drawn, cax=scale_axes)
        bar.outline.set_visible(False)
        bar.ax.tick_params(length=0, labelsize=9)
        bar.ax.set_title(plain(trace.colorbar.title.text), fontsize=9, loc="left")
    for which, labels in (("x", trace.x), ("y", trace.y)):
        if labels is not None and len(labels) <= 30:
            getattr(axes, f"set_{which}ticks")(range(len(labels)), [plain(str(label)) for label in labels])


# --- lines, points, texts -----------------------------------------------------------------------------------------


def _draw_scatter(axes: Any, trace: Any, colour: str) -> None:
    mode = trace.mode or "lines"
    y = _positions(trace.y)
    x = np.arange(len(y)) if trace.x is None else _positions(trace.x)
    x, y = x[: len(y)], y[: len(x)]
    if "lines" in mode:
        _draw_lines(axes, trace, x, y, colour)
    elif "markers" in mode:
        _draw_points(axes, trace, x, y, colour)
    else:
        axes.plot(x, y, linestyle="none")  # an axis reaches as far as the texts, too
    if trace.error_x.array is not None:
        ink = colour_of(trace.error_x.color, colour)
        axes.errorbar(x, y, xerr=trace.error_x.array, fmt="none", ecolor=ink, elinewidth=1.5 * POINT, zorder=1)
    if "text" in mode and trace.text is not None:
        _write(axes, trace, x, y)


def _draw_lines(axes: Any, trace: Any, x: Any, y: Any, colour: str) -> None:
    from matplotlib.colors import to_rgba

    ink = colour_of(trace.line.color, colour)
    several = "markers" in (trace.mode or "") and isinstance(trace.marker.size, (list, tuple, np.ndarray))
    size = trace.marker.size if isinstance(trace.marker.size, (int, float)) else 6
    face = _faces(trace.marker.color, ink)
    axes.plot(
        x,
        y,
        color=ink,
        linestyle=DASHES.get(trace.line.dash, "-"),
        linewidth=POINT * (2 if trace.line.width is None else trace.line.width),
        drawstyle="steps-post" if trace.line.shape == "hv" else "default",
        marker="o" if "markers" in (trace.mode or "") and not several else None,
        markersize=POINT * size,
        markerfacecolor=ink if isinstance(face, (list, np.ndarray)) else face,
        markeredgewidth=0,
        **_look(trace),
    )
    if several:
        _draw_points(axes, trace, x, y, colour, label=None)
    if trace.fill == "toself":
        # As in plotly, an area without a colour of its own is a half-transparent one of its line's.
        alpha = (1.0 if trace.opacity is None else trace.opacity) * (0.5 if trace.fillcolor is None else 1.0)
        face = colour_of(trace.fillcolor or trace.line.color, colour)
        axes.fill(x, y, facecolor=(*to_rgba(face)[:3], to_rgba(face)[3] * alpha), linewidth=0)
    elif trace.fill in ("tozeroy", "tonexty"):
        axes.fill_between(x, y, color=colour_of(trace.fillcolor, colour), alpha=0.15, linewidth=0)


def _draw_points(axes: Any, trace: Any, x: Any, y: Any, colour: str, **other: Any) -> None:
    look, edge = _look(trace) | other, trace.marker.line
    symbol = trace.marker.symbol if isinstance(trace.marker.symbol, str) else "circle"
    hollow, shape = symbol.endswith("-open"), symbol.removesuffix("-open")
    size: Any = np.asarray(6.0 if trace.marker.size is None else trace.marker.size, dtype=float)
    if size.ndim:
        size = size[: len(x)] if len(size) >= len(x) else 6.0
    face = _faces(trace.marker.color if trace.marker.color is not None else trace.line.color, colour)
    if isinstance(face, (list, np.ndarray)):  # plotly leaves points without a colour in the trace's own
        face = face[: len(x)] if len(face) >= len(x) else colour
    paint: dict[str, Any] = {"c": face, "cmap": "cividis"} if isinstance(face, np.ndarray) else {"color": face}
    width = edge.width if isinstance(edge.width, (int, float)) else float(hollow)
    if "cmap" not in paint and (hollow or width):
        paint = {
            "facecolors": "none" if hollow else face,
            "edgecolors": face if hollow else colour_of(edge.color, INK),
        }
    opacity = trace.marker.opacity if isinstance(trace.marker.opacity, (int, float)) else 1.0
    axes.scatter(
        x,
        y,
        s=(POINT * size * _SCALES.get(shape, 1.0)) ** 2,
        marker=_MARKERS.get(shape, "o"),
        linewidths=POINT * width,
        **paint,
        **{**look, "alpha": look["alpha"] * opacity if look["alpha"] * opacity < 1 else None},
    )


def _write(axes: Any, trace: Any, x: Any, y: Any) -> None:
    """Write texts beside their points, as bold, underlined or struck out as plotly would."""
    texts = [trace.text] * len(y) if isinstance(trace.text, str) else trace.text
    size = POINT * (trace.textfont.size or 12)
    family = {"family": "monospace"} if "monospace" in (trace.textfont.family or "") else {}
    inks = _faces(trace.textfont.color, INK)
    inks = inks if isinstance(inks, list) else [inks] * len(texts)
    radius = trace.marker.size if isinstance(trace.marker.size, (int, float)) else 6
    away = POINT * (radius / 1.6 + 1) if "markers" in (trace.mode or "") else 0.0
    sides = [trace.textposition] * len(texts) if isinstance(trace.textposition, str) else trace.textposition
    sides = ["middle center"] * len(texts) if sides is None else sides
    for x_i, y_i, text, ink, side in zip(x, y, texts, inks, sides, strict=False):
        if text is None:
            continue
        place, look = _text_place(side, away)
        written = axes.annotate(
            plain(str(text)),
            (x_i, y_i),
            fontsize=size,
            weight=weight_of(str(text)),
            xytext=place,
            textcoords="offset points",
            color=ink,
            annotation_clip=trace.cliponaxis is not False,
            **family,
            **look,
        )
        for mark, height in (("<u>", 0.06), ("<s>", 0.45)):
            if mark in str(text):
                stroke = {"arrowstyle": "-", "color": ink, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
                ends = {"xy": (0, height), "xycoords": written, "xytext": (1, height), "textcoords": written}
                axes.annotate("", **ends, arrowprops=stroke, annotation_clip=False)


def _text_place(position: str, away: float) -> tuple[tuple[float, float], dict[str, str]]:
    """Where a text stands beside its point: points to the right and up, and matplotlib's words for it."""
    up, across = position.split()
    rise = {"top": (away, "bottom"), "middle": (0.0, "center_baseline"), "bottom": (-away, "top")}[up]
    shift = {"left": (-away, "right"), "center": (0.0, "center"), "right": (away, "left")}[across]
    return (shift[0], rise[0]), {"ha": shift[1], "va": rise[1]}

"""Plotly's lines, areas and notes, drawn by matplotlib, on axes or beside them."""

from __future__ import annotations

import html
import re
from typing import Any

import plotly.graph_objects as go

from semwork.plots.grammar import GREY
from semwork.plots.static_page import Page, axes_of
from semwork.plots.static_traces import DASHES, POINT, colour_of, plain, weight_of
from semwork.plots.style import INK

__all__ = ["mark", "note", "note_on_paper"]


def mark(axes: Any, figure: go.Figure, name: str) -> None:
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
                color=colour_of(shape.line.color, GREY),
                linestyle=DASHES.get(shape.line.dash, "-"),
                linewidth=POINT * (2 if shape.line.width is None else shape.line.width),
            )
            if shape.label.text:
                look = {"fontsize": 8, "color": INK, "ha": "center", "va": "bottom"}
                axes.text(shape.x1, shape.y1, plain(shape.label.text), transform=where, **look)
        elif shape.type == "rect":
            corners = [shape.x0, shape.x1, shape.x1, shape.x0], [shape.y0, shape.y0, shape.y1, shape.y1]
            face = colour_of(shape.fillcolor, "none")
            alpha = 1.0 if shape.opacity is None else shape.opacity
            axes.fill(*corners, transform=where, facecolor=face, alpha=alpha, linewidth=0, zorder=0.8)


def _where(axes: Any, figure: go.Figure, name: str, mark: Any) -> Any:
    """The coordinates of a shape or note that stands on these axes: ``None`` for one that does not."""
    x_and_y = name, axes_of(figure, name)[1].plotly_name.replace("axis", "")
    given = mark.xref or "x", mark.yref or "y"
    wide, high = (ref == "paper" or ref.endswith(" domain") for ref in given)
    stands = [ref.removesuffix(" domain") in (axis, "paper") for ref, axis in zip(given, x_and_y, strict=True)]
    if not all(stands) or (given[0] == given[1] == "paper"):
        return None
    if wide and high:
        return axes.transAxes
    return axes.get_yaxis_transform() if wide else axes.get_xaxis_transform() if high else axes.transData


def note(axes: Any, figure: go.Figure, name: str) -> None:
    """Notes that stand on an x axis: with an arrow they mark a point."""
    x_axis, y_axis = axes_of(figure, name)
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
        axes.plot([x], [y], "o", color=colour_of(note.arrowcolor, INK), markersize=6)
        axes.annotate(
            plain(note.text),
            (x, y),
            xytext=(-8 if left else 8, -8 if below else 8),
            textcoords="offset points",
            fontsize=9,
            color=INK,
            ha="right" if left else "left",
            va="top" if below else "bottom",
        )


def note_on_paper(canvas: Any, figure: go.Figure, page: Page) -> None:
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
        pieces: list[Any] = [TextArea(text, textprops={**look, **piece}) for text, piece in _pieces(note.text)]
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
            look["color"] = colour_of(colour[1], INK)
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
        "color": colour_of(note.font.color, INK),
    }

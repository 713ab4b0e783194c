"""Where things stand in a static picture: its axes, its margins, its legend."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import plotly.graph_objects as go

from semwork.plots.static_traces import plain
from semwork.plots.style import INK

__all__ = ["Legend", "Page", "axes_of", "shown_traces"]

_LETTER, _LINE = 6.5, 20  # pixels that a letter and a line of a legend take, about
_SIDES = {"left": "left", "center": "center", "right": "right", "top": "upper", "middle": "center", "bottom": "lower"}


def shown_traces(figure: go.Figure) -> list[Any]:
    """The traces that plotly would draw."""
    return [trace for trace in figure.data if trace.visible in (None, True)]


def axes_of(figure: go.Figure, name: str) -> tuple[Any, Any]:
    """An x axis, and the y axis that belongs to it; one that floats freely is paired with the first."""
    x_axis = _axis(figure, "xaxis" + name[1:])
    anchor = x_axis.anchor or "y" + name[1:]
    return x_axis, _axis(figure, "yaxis" + (anchor[1:] if re.fullmatch(r"y\d*", anchor) else ""))


def _axis(figure: go.Figure, name: str) -> Any:
    """An axis of the layout, also where the layout says nothing of it."""
    return figure.layout[name] if name in figure.layout else go.Layout({name: {}})[name]


class Page(NamedTuple):
    """The size of a picture, and the pixels on each side that are kept free for names, numbers and the title."""

    width: float
    height: float
    left: float
    right: float
    above: float
    below: float

    @classmethod
    def of(cls, figure: go.Figure, width: float, height: float) -> Page:
        """Keep free what the figure's own layout says."""
        given = {"l": 64.0, "r": 20.0, "t": 56.0, "b": 56.0}
        for layout in (figure.layout.template.layout, figure.layout):
            given |= {side: layout.margin[side] for side in given if layout.margin[side] is not None}
        scales = any(trace.type == "heatmap" and trace.showscale is not False for trace in shown_traces(figure))
        return cls(width, height, given["l"], max(given["r"], 70.0 if scales else 12.0), given["t"], given["b"])

    def fitted(self, canvas: Any, axes: dict[str, Any], legend: Legend) -> Page:
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


class Legend(NamedTuple):
    """Whether there is one legend for the whole figure, and how many columns and rows it has."""

    shared: bool
    below: bool
    columns: int
    rows: int

    @classmethod
    def of(cls, figure: go.Figure, width: float) -> Legend:
        """Read from a figure whether its legend is one for all axes, and find room for it."""
        names = [trace.name for trace in shown_traces(figure) if trace.name and trace.showlegend is not False]
        names = list(dict.fromkeys(map(plain, names)))
        legend = figure.layout.legend
        wanted = figure.layout.showlegend is not False and len(names) > 1 and legend.orientation == "h"
        below = wanted and (legend.y or 0) < 0.5
        longest = max(map(len, names), default=0)
        columns = max(1, min(len(names), int((width - 60) / (_LETTER * longest + 48))))
        return cls(wanted, below, columns, -(-len(names) // columns) if wanted else 0)

    @property
    def room_below(self) -> float:
        """The pixels that a legend below the axes takes."""
        return _LINE * self.rows + 6.0 if self.below else 0.0

    def draw(self, figure: go.Figure, canvas: Any, page: Page, axes: dict[str, Any]) -> None:
        """Draw a legend that lies where plotly has it; one that plotly has on the right goes into the axes."""
        look = {"fontsize": 9, "frameon": False, "labelcolor": INK}
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

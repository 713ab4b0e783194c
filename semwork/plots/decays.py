"""The axis of decays that figures about semantic kernels share, and how such figures are made quickly."""

from __future__ import annotations

import functools
import html
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import LEGEND_BELOW, reference, upright_shape
from semwork.plots.style import house_figure

__all__ = ["KERNEL_NAMES", "DecayAxis", "Trace", "quick_figure", "shortened"]

#: Kind of kernel → its name in words.
KERNEL_NAMES = {"exponential": "exponential", "von_neumann": "von Neumann"}
Trace = dict[str, Any]

_LEAST, _MOST = 0.01, 30.0  # of the relative decays shown
_NEAREST = 1e-4  # to the limit of the von Neumann kernel
_FORBIDDEN = (10**4.15, 10**4.75)
_WARNING = "rgba(213,94,0,0.3)"


def quick_figure(title: str, x: str, y: str, traces: list[Trace], *, legend_rows: int = 1, **layout: Any) -> go.Figure:
    """Make a figure in the house style at once: changing one that exists takes thrice as long, and a slider waits."""
    given = {"legend": LEGEND_BELOW, "margin": {"b": 62 + 20 * legend_rows}, **layout}
    for axis, name in (("xaxis", x), ("yaxis", y)):
        given[axis] = {"title": {"text": name, "standoff": 8}, **given.get(axis, {})}
    return go.Figure(data=traces, layout={**_house_layout(), "title": {"text": title}, **given}, _validate=False)


@functools.cache
def _house_layout() -> dict[str, Any]:
    layout: dict[str, Any] = house_figure("", "", "").to_plotly_json()["layout"]
    return layout


def shortened(text: str, width: int) -> str:
    """Return a text that fits and is safe to show.

    Examples
    --------
    >>> shortened("<orbits>", 5)
    '&lt;orb…'
    """
    return html.escape(text if len(text) <= width else text[: width - 1].rstrip() + "…")


@dataclass(frozen=True)
class DecayAxis:
    """Decays of one kernel on an axis.

    Decays of the von Neumann kernel end at λ‖K‖ = 1, and what matters happens close to it: ``u / (1 − u)`` on a
    logarithmic axis is stretched at both ends.

    Parameters
    ----------
    kind : {"exponential", "von_neumann"}
        The kernel.
    largest : float
        ‖K‖, by which decays are multiplied.
    """

    kind: str
    largest: float

    @property
    def open(self) -> bool:
        """Whether every decay is allowed."""
        return self.kind == "exponential"

    def positions(self, relative: Any) -> Any:
        """Where relative decays λ‖K‖ lie on the axis."""
        if self.open:
            return np.clip(relative, _LEAST, _MOST)
        inside = np.clip(relative, _LEAST, 1 - _NEAREST)
        return inside / (1 - inside)

    def position(self, decay: float) -> float:
        """Where a decay λ lies on the axis."""
        return float(self.positions(decay * self.largest))

    def layout(self, *, narrow: bool = False) -> dict[str, Any]:
        """How plotly draws the axis; a narrow one has fewer ticks."""
        if self.open:
            ticks = [0.01, 0.1, 1, 10, 30] if narrow else [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
            ends = _LEAST * 0.9, _MOST * 1.1
        else:
            ticks = [0.01, 0.1, 0.5, 0.9, 0.99] if narrow else [0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999]
            ends = _LEAST * 0.9, _FORBIDDEN[1]
        positions = [float(position) for position in self.positions(np.array(ticks))]
        names = [f"{tick:g}" for tick in ticks]
        if not self.open:
            positions, names = [*positions, _FORBIDDEN[0]], [*names, "1"]
        return {
            "type": "log",
            "range": [float(np.log10(end)) for end in ends],
            "tickvals": positions,
            "ticktext": names,
            "tickangle": 0,
            "showgrid": True,
            "minor": {"showgrid": False},
        }

    def label(self, decay: float) -> str:
        """Tell a decay in both units."""
        return f"λ = {decay:.4g}, λ‖K‖ = {decay * self.largest:.4g}"

    def upright(self, decay: float, top: float, name: str, colour: str, **options: Any) -> Trace:
        """Draw a vertical line at a decay, which can be hovered over."""
        x, y, said = [self.position(decay)] * 9, np.linspace(0, top, 9), f"{name}: {self.label(decay)}<extra></extra>"
        return reference(x, y, name=name, colour=colour, width=1.5, hovertemplate=said, **options)

    # The decay of the moment is a shape, and its value an annotation: those move without drawing all else anew.

    def current(self, decay: float, label: str = "", *, axis: str = "") -> dict[str, Any]:
        """Draw an upright line at the decay of the moment."""
        words = {"text": label, "textposition": "end", "textangle": 0, "font": {"size": 11}, "yanchor": "bottom"}
        return upright_shape(self.position(decay), axis=axis, label=words)

    def forbidden(self, top: float, **options: Any) -> list[Trace]:
        """Draw the decays that the von Neumann kernel does not have."""
        if self.open:
            return []
        low, high = _FORBIDDEN
        zone = {
            "type": "scatter",
            "name": "not allowed: λ ≥ 1/‖K‖",
            "x": [low, high, high, low, low],
            "y": [0, 0, top, top, 0],
            "mode": "lines",
            "line": {"width": 0, "color": _WARNING},
            "fill": "toself",
            "fillcolor": _WARNING,
            "hoveron": "fills",
            "hoverinfo": "text",
            "text": f"the series K + λK² + λ²K³ + … has no sum from λ = 1/‖K‖ = {1 / self.largest:.4g} on",
            **options,
        }
        return [zone]

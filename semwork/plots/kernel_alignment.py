"""The alignment of a kernel along its decays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.decays import DecayAxis, Trace, quick_figure
from semwork.plots.grammar import DARK_GREY, reference
from semwork.plots.style import PALETTE

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["alignment_figure"]

_BLUE, _ORANGE, _GREEN, _PINK = PALETTE[:4]


def alignment_figure(
    curve: pd.DataFrame,
    kind: str,
    largest: float,
    decay: float,
    value: float,
    best: Mapping[str, float],
    baseline: float,
    printed: Mapping[str, float] | None = None,
    *,
    centered: bool = False,
    title: str = "",
) -> go.Figure:
    """Alignment and centred alignment along the decays, with the decay of the moment and the best one.

    Parameters
    ----------
    curve : DataFrame
        Columns ``decay``, ``relative decay``, ``alignment`` and ``centered alignment``.
    kind : {"exponential", "von_neumann"}
        The kernel.
    largest : float
        ‖K‖.
    decay, value : float
        The decay of the moment, and the alignment there that matters.
    best : mapping of str to float
        The best ``decay``, and its ``alignment``.
    baseline : float
        Alignment of the kernel that says that all documents are alike.
    printed : mapping of str to float, or None
        The ``decay`` of the paper's printed condition, and its ``alignment``.
    centered : bool
        Whether the centred alignment is the one that matters: it is drawn strongly and its best decay is marked.
    title : str
        Stands above the figure. ``customdata`` of a point are its decay and its relative decay.
    """
    axis = DecayAxis(kind, largest)
    both = curve[["alignment", "centered alignment"]].to_numpy()
    top = 1.12 * max(float(both.max()), baseline, best["alignment"])
    if centered:
        top = 1.35 * max(float(both[:, 1].max()), best["alignment"])
    x = axis.positions(curve["relative decay"].to_numpy())
    lines = [
        _curve(curve, x, "alignment", _BLUE, strong=not centered),
        _curve(curve, x, "centered alignment", _ORANGE, strong=centered),
    ]
    plain = [_baseline(baseline, x), *_printed(axis, printed)]
    if centered:
        # The plain alignment is above the frame then, and so are its marks.
        for trace in (lines[0], *plain):
            trace["showlegend"] = False
    return quick_figure(
        title,
        "relative decay λ‖K‖",
        "centred alignment" if centered else "alignment",
        [*axis.forbidden(top), *lines, *plain, _best(axis, best)],
        legend_rows=2 if axis.open or centered else 3,
        height=420,
        uirevision=f"alignment {kind} {centered}",
        shapes=[axis.current(decay)],
        annotations=[_value_now(axis, decay, value, top)],
        xaxis=axis.layout(),
        yaxis={"range": [0, top]},
    )


def _curve(curve: pd.DataFrame, x: Any, column: str, colour: str, *, strong: bool) -> Trace:
    shown = column.replace("centered", "centred")
    return {
        "type": "scatter",
        "name": shown,
        "x": x,
        "y": curve[column].to_numpy(),
        # A list: a row of an array would come back from a click as an object.
        "customdata": curve[["decay", "relative decay"]].to_numpy().tolist(),
        "mode": "lines",
        "line": {"color": colour, "width": 3 if strong else 1.5, "dash": "solid" if strong else "dot"},
        "hovertemplate": f"{shown} %{{y:.3f}}<br>λ = %{{customdata[0]:.3g}}, λ‖K‖ = %{{customdata[1]:.3g}}"
        "<br>click to go there<extra></extra>",
    }


def _baseline(value: float, x: Any) -> Trace:
    said = f"the kernel 11ᵀ, which says that all documents are alike, has the alignment {value:.3f}<br>(centred: 0)"
    look: Trace = {"width": 1.5, "dash": "dash", "hovertemplate": f"{said}<extra></extra>"}
    return reference(x, np.full(len(x), value), name=f"vector of all ones: {value:.3f}", **look)


def _best(axis: DecayAxis, best: Mapping[str, float]) -> Trace:
    decay, relative = best["decay"], best["decay"] * axis.largest
    where = f"λ‖K‖ = {relative:.3g}" if decay > 0 else "no decay"
    said = f"the best of all decays: {axis.label(decay)}" if decay > 0 else "no decay does better than λ = 0"
    return {
        "type": "scatter",
        "name": f"best: {where}, {best['alignment']:.3f}",
        "x": [axis.position(decay)],
        "y": [best["alignment"]],
        "mode": "markers",
        "marker": {"symbol": "diamond", "size": 13, "color": _GREEN},
        "customdata": [[decay, relative]],
        "hovertemplate": f"{said}<br>%{{y:.4f}}<extra></extra>",
    }


def _printed(axis: DecayAxis, printed: Mapping[str, float] | None) -> list[Trace]:
    """The decay of Proposition 7 as printed; Proposition 6 is exact, so that for its kernel there is nothing to see."""
    if axis.open or printed is None:
        return []
    decay, relative = printed["decay"], printed["decay"] * axis.largest
    mark = {
        "type": "scatter",
        "name": f"Proposition 7 as printed: {relative:.4f}",
        "x": [axis.position(decay)],
        "y": [printed["alignment"]],
        "mode": "markers",
        "marker": {"symbol": "x", "size": 11, "color": _PINK},
        "hovertemplate": "where the paper's printed condition holds; it leaves out −I/λ<br>"
        f"{axis.label(decay)}<br>alignment %{{y:.4f}}<extra></extra>",
    }
    return [mark]


def _value_now(axis: DecayAxis, decay: float, value: float, top: float) -> dict[str, Any]:
    """A dot on the curve with its value: curves rise to the right, so that there is room below, or at last above."""
    place = axis.position(decay)
    low, high = axis.layout()["range"]
    left = bool(np.log10(place) > 0.3 * low + 0.7 * high)
    return {
        "text": f"now: λ‖K‖ = {decay * axis.largest:.3g}, {value:.3f}",
        "hovertext": f"now: {axis.label(decay)}<br>{value:.4f}",
        "x": float(np.log10(place)),
        "y": value,
        "ax": -26 if left else 26,
        "ay": -26 if left or value < 0.12 * top else 22,
        "xanchor": "right" if left else "left",
        "showarrow": True,
        "arrowhead": 6,
        "arrowsize": 1.3,
        "arrowwidth": 2,
        "arrowcolor": DARK_GREY,
        "font": {"size": 12},
    }

"""A classifier along the decays of its kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.decays import DecayAxis, Trace, quick_figure
from semwork.plots.grammar import on_axes, reference, side_by_side, spans
from semwork.plots.style import PALETTE

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["classifier_figure"]

_BLUE, _ORANGE, _GREEN, _PINK = PALETTE[:4]
# Column → its name, the axes it is drawn on, colours of test and training documents.
_MEASURES = {
    "error": ("error", "", {"test": _BLUE, "train": _ORANGE}),
    "f1": ("F1", "2", {"test": _BLUE, "train": _ORANGE}),
    "average_precision": ("average precision", "2", {"test": PALETTE[5]}),
    "prior_f1": ("F1 at the prior's threshold", "2", {"test": _PINK}),
}


def classifier_figure(
    scores: pd.DataFrame,
    kind: str,
    largest: float,
    decay: float,
    best: Mapping[str, float],
    *,
    centered: bool = False,
    title: str = "",
) -> go.Figure:
    """Error and F1 of an SVM along the decays, training and test documents apart; dashes are the bag of words.

    Average precision, and F1 at the threshold that takes as large a share of the documents as the class has in
    training, tell whether the ranking has changed, or only the bias. Upright lines stand at the decay of the moment and
    at the best one.

    Parameters
    ----------
    scores : DataFrame
        Columns ``decay``, ``relative decay``, ``part`` (train or test), ``error``, ``f1``, ``average_precision`` and
        ``prior_f1``; a decay of 0 is the bag of words.
    kind : {"exponential", "von_neumann"}
        The kernel.
    largest : float
        ‖K‖.
    decay : float
        The decay of the moment.
    best : mapping of str to float
        The best ``decay``.
    centered : bool
        Whether it is that of the centred alignment.
    title : str
        Stands above the figure.
    """
    axis = DecayAxis(kind, largest)
    by_part = {str(part): rows.to_dict("list") for part, rows in scores.groupby("part")}
    top = _top([error for rows in by_part.values() for error in rows["error"]])
    name = "best centred alignment" if centered else "best alignment"
    traces, shapes = [], []
    for axes, high in (("", top), ("2", 1.02)):
        line = axis.upright(best["decay"], high, name, _GREEN, axis=axes, showlegend=axes == "2")
        traces += [*axis.forbidden(high, showlegend=False, **on_axes(axes)), line]
        shapes.append(axis.current(decay, "now", axis=axes))
    for column, (measure, axes, colours) in _MEASURES.items():
        for part, colour in colours.items():
            if part in by_part:
                said, strong = f"{measure}, {part}", len(colours) > 1
                traces += _path(axis, by_part[part], column, said, colour, axes, strong=strong)
    along, words = axis.layout(narrow=True), "relative decay λ‖K‖"
    right = {**along, "title": {"text": words, "standoff": 8}}
    first, second = spans([1, 1], 0.14)
    return quick_figure(
        title,
        words,
        "error",
        traces,
        legend_rows=3,
        height=410,
        uirevision=f"classifier {kind}",
        shapes=shapes,
        **side_by_side(
            (first, along, {"range": [0, top]}),
            (second, right, {"range": [0, 1.02], "title": {"text": "F1, average precision"}}),
        ),
    )


def _top(errors: list[float]) -> float:
    """A classifier that has broken down may err in most documents: what came before must not become a flat line."""
    return float(np.clip(1.15 * np.quantile(errors, 0.85), 0.1, 1.02)) if errors else 0.2


def _path(
    axis: DecayAxis,
    scores: Mapping[Any, list[Any]],
    column: str,
    name: str,
    colour: str,
    axes: str,
    *,
    strong: bool,
) -> list[Trace]:
    """One measure along the decays, and, for test documents, a dashed line where the bag of words has it."""
    table = np.array([scores[key] for key in ("decay", "relative decay", column)], dtype=float)
    along, plain = table[:, table[0] > 0], table[2, table[0] == 0]
    test = name.endswith("test")
    line: Trace = {
        "type": "scatter",
        "name": name,
        "x": axis.positions(along[1]),
        "y": along[2],
        "customdata": along[:2].T,
        "mode": "lines+markers",
        "marker": {"size": 6 if strong else 4, "color": colour},
        "line": {"color": colour, "width": 2.5 if strong and test else 1.5},
        "hovertemplate": f"{name}: %{{y:.3f}}<br>λ = %{{customdata[0]:.3g}}, "
        "λ‖K‖ = %{customdata[1]:.3g}<extra></extra>",
        "showlegend": axes == "2",
        **on_axes(axes),
    }
    low, high = axis.positions(np.array([0.0, np.inf]))
    ends = np.geomspace(low, high, 9)
    dashes = reference(
        ends,
        np.full(len(ends), plain[0]) if len(plain) else [],
        name=f"{name}, bag of words",
        colour=colour,
        width=1.2,
        dash="dash",
        axis=axes,
        hovertemplate=f"{name}, bag of words: %{{y:.3f}}<extra></extra>",
        showlegend=False,
    )
    return [line, dashes] if test else [line]

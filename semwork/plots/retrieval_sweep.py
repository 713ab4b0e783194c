"""Figures of sweeps: ATOP over several parameters side by side, with the spread over seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import LEGEND_ABOVE, add_reference, faint, on_axes, side_by_side, spans, upright_shape
from semwork.plots.retrieval_race import model_colour
from semwork.plots.style import house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["sweep_figure"]

Points = Mapping[str, Mapping[float, float]]


def _number(value: float) -> str:
    return f"{value:g}"


def sweep_figure(
    tables: Mapping[str, pd.DataFrame],
    values: Mapping[str, Sequence[float]],
    words_only: float,
    *,
    points: Mapping[str, Points] | None = None,
    marks: Mapping[str, float] | None = None,
    title: str = "",
) -> go.Figure:
    """ATOP over each of several parameters; lines are means over the seeds, bands one deviation to both sides.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Symbol of the parameter → one row per point: ``model``, ``value``, and ``mean``, ``std`` and ``count`` of the
        seeds.
    values : mapping of str to sequence of float
        All values that will be tried. A parameter without any has no plot.
    words_only : float
        ATOP without a model, for comparison.
    points : mapping, optional
        Symbol → model → value → ATOP in the paper. They are of its own data: compare the shape, not the height.
    marks : mapping of str to float, optional
        Symbol → the paper's value, which gets a dotted line.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "", "ATOP", height=480)
    plots = []
    for number, (symbol, found) in enumerate(values.items(), 1):
        names, axis = [_number(value) for value in found], str(number) if number > 1 else ""
        _add_words_only(figure, names, words_only, axis)
        _add_curves(figure, tables[symbol], axis)
        if symbol in (marks or {}):
            _mark_paper(figure, names, _number((marks or {})[symbol]), axis)
        for model, known in (points or {}).get(symbol, {}).items():
            _add_paper(figure, model, {_number(value): score for value, score in known.items()}, axis)
        across = {
            "type": "category",
            "title": {"text": symbol},
            "tickangle": 0 if symbol == "K" else -45,
            "categoryorder": "array",
            "categoryarray": names,
            "range": [-0.6, len(names) - 0.4],
        }
        # The heights are those of the first plot.
        plots.append((across, {"matches": "y", "showticklabels": False} if axis else {}))
    domains = spans([len(found) + 1 for found in values.values()])
    axes = side_by_side(*((domain, *plot) for domain, plot in zip(domains, plots, strict=True)))
    figure.update_layout(legend=LEGEND_ABOVE, margin={"t": 84}, **axes)
    figure.update_xaxes(showgrid=False)
    return figure


def _add_words_only(figure: go.Figure, names: list[str], words_only: float, axis: str) -> None:
    add_reference(
        figure,
        names,
        [words_only] * len(names),
        name=f"words only: {words_only:.3f}",
        colour=model_colour("words only"),
        width=2,
        dash="dash",
        axis=axis,
        hovertemplate="words only: ATOP %{y:.4f}<extra></extra>",
        legendgroup="words",
        showlegend=not axis,
    )


def _mark_paper(figure: go.Figure, names: list[str], value: str, axis: str) -> None:
    """Draw a line at the paper's value."""
    at = names.index(value)
    figure.add_shape(upright_shape(at, axis=axis, layer="below"))
    figure.add_annotation(
        text=f"the paper: {value}",
        x=at,
        y=0.02,
        xref=f"x{axis}",
        yref=f"y{axis} domain",
        xanchor="right",
        yanchor="bottom",
        showarrow=False,
        font={"size": 11},
    )


def _add_curves(figure: go.Figure, table: pd.DataFrame, axis: str) -> None:
    named = {trace.name for trace in figure.data if trace.showlegend}
    for name in dict.fromkeys(table["model"]):
        found = table[table["model"] == name]
        mean, spread = found["mean"].to_numpy(), found["std"].to_numpy()
        at = [_number(value) for value in found["value"]]
        colour = model_colour(str(name))
        where: dict[str, Any] = {**on_axes(axis), "legendgroup": str(name)}
        if (found["count"] > 1).any():
            figure.add_trace(
                go.Scatter(
                    name=f"{name}, ± 1 s.d.",
                    x=[*at, *reversed(at)],
                    y=np.concatenate([mean + spread, (mean - spread)[::-1]]),
                    mode="lines",
                    line={"width": 0, "color": colour},
                    fill="toself",
                    fillcolor=faint(colour),
                    hoverinfo="skip",
                    showlegend=False,
                    **where,
                )
            )
        figure.add_trace(
            go.Scatter(
                name=str(name),
                x=at,
                y=mean,
                mode="lines+markers",
                line={"color": colour, "width": 2.5},
                marker={"size": 7, "color": colour},
                customdata=np.column_stack([spread, found["count"].to_numpy()]),
                hovertemplate=f"{name}, %{{x}}: ATOP %{{y:.4f}} ± %{{customdata[0]:.4f}} (%{{customdata[1]}} seeds)"
                "<extra></extra>",
                showlegend=name not in named,
                **where,
            )
        )


def _add_paper(figure: go.Figure, name: str, points: Mapping[str, float], axis: str) -> None:
    ink = {"symbol": "diamond", "size": 10, "color": model_colour(name), "line": {"width": 1, "color": "#000000"}}
    figure.add_trace(
        go.Scatter(
            name="the paper, Table 2",
            x=list(points),
            y=list(points.values()),
            mode="markers",
            marker=ink,
            hovertemplate=f"paper, {name}, %{{x}}: ATOP %{{y:.4f}} (dev, its own data)<extra></extra>",
            legendgroup="paper",
            showlegend=not axis,
            **on_axes(axis),
        )
    )

"""Figures about the words of two sentences, and about their similarity under several models."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from semwork.plots.grammar import on_axes, spans, stacked
from semwork.plots.retrieval_race import model_colour
from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["effects_figure", "match_figure", "models_figure"]


def effects_figure(left: pd.DataFrame, right: pd.DataFrame, *, title: str = "", height: int | None = None) -> go.Figure:
    """By how much the similarity falls without a word, for the words of both sentences in their order.

    Parameters
    ----------
    left, right : DataFrame
        One row per word: ``word``, ``known`` and ``effect``. Unknown words are in brackets.
    title : str
        Stands above the figure.
    height : int or None
        In pixels; what the words need by default.
    """
    turned = max(len(left), len(right)) > 8
    figure = house_figure(title, "", "", height=height or (430 if turned else 340), showlegend=False, margin={"b": 36})
    values = [*left["effect"], *right["effect"]]
    low, high = min([0.0, *values]), max([0.05, *values])
    ends = [low - (high - low) * 0.08, high + (high - low) * 0.08]
    below, above = spans([1, 1], 0.3 if turned else 0.2)  # turned words need room
    plots = []
    for axis, words, colour, span in (("", left, PALETTE[0], above), ("2", right, PALETTE[2], below)):
        positions = list(range(len(words)))
        figure.add_trace(
            go.Bar(
                x=positions,
                y=words["effect"].tolist(),
                marker={"color": colour},
                hovertext=[
                    f"{html.escape(word)}: " + (f"{effect:+.3f}" if known else "unknown to the model")
                    for word, known, effect in zip(words["word"], words["known"], words["effect"], strict=True)
                ],
                hovertemplate="%{hovertext}<extra></extra>",
                **on_axes(axis),
            )
        )
        across = {
            "tickvals": positions,
            "ticktext": _names(words),
            "range": [-0.6, max(len(words), 6) - 0.4],
            "tickangle": -35 if turned else 0,
            "showgrid": False,
            "zeroline": False,
        }
        plots.append((span, across, {"range": ends, "title": {"text": "loss", "standoff": 4}, "nticks": 5}))
    figure.update_layout(stacked(*plots))
    return figure


def _names(words: pd.DataFrame) -> list[str]:
    shown = zip(words["word"], words["known"], strict=True)
    return [html.escape(word) if known else f"({html.escape(word)})" for word, known in shown]


def match_figure(left: pd.DataFrame, right: pd.DataFrame, similarity: Any, *, title: str = "") -> go.Figure:
    """The similarity of each word of one sentence with each of the other.

    Parameters
    ----------
    left, right : DataFrame
        One row per word: ``word`` and ``known``. Unknown words are in brackets, and their cells are empty.
    similarity : array of shape (n_left, n_right)
        NaN where a word is unknown.
    title : str
        Stands above the figure.
    """
    rows, columns = len(left), len(right)
    figure = house_figure(
        title, "across: the second sentence; down: the first", "", height=170 + 34 * min(max(rows, 2), 14)
    )
    readable = rows * columns <= 150
    figure.add_trace(
        go.Heatmap(
            x=list(range(columns)),
            y=list(range(rows)),
            z=similarity,
            zmin=0,
            zmax=1,
            colorscale="Cividis",
            xgap=2,
            ygap=2,
            texttemplate="%{z:.2f}" if readable else None,
            customdata=[[f"{html.escape(a)} / {html.escape(b)}" for b in right["word"]] for a in left["word"]],
            hovertemplate="%{customdata}: %{z:.3f}<extra></extra>",
            hoverongaps=False,
            colorbar={"title": {"text": "cosine"}, "thickness": 14},
        )
    )
    figure.update_xaxes(
        tickvals=list(range(columns)), ticktext=_names(right), range=[-0.5, max(columns, 1) - 0.5], showgrid=False
    )
    figure.update_yaxes(
        tickvals=list(range(rows)), ticktext=_names(left), range=[max(rows, 1) - 0.5, -0.5], showgrid=False
    )
    figure.update_layout(xaxis={"zeroline": False}, yaxis={"zeroline": False})
    return figure


def models_figure(similarities: Mapping[str, float], *, title: str = "") -> go.Figure:
    """One bar per model: the similarity of the same two sentences.

    Parameters
    ----------
    similarities : mapping of str to float
        By the model's name, the first on top.
    title : str
        Stands above the figure.
    """
    names, values = list(similarities), list(similarities.values())
    figure = house_figure(title, "similarity", "", height=150 + 34 * max(1, len(names)))
    figure.add_trace(
        go.Bar(
            x=values,
            y=names,
            orientation="h",
            marker={"color": [model_colour(name) for name in names]},
            text=[f"{value:.2f}" for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[min(0.0, *values, 0.0) - 0.02, 1.1])
    figure.update_yaxes(range=[max(len(names), 1) - 0.5, -0.5], ticklabelstandoff=4)
    return figure

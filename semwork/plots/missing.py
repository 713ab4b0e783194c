"""Figures about observed and missing words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import GREY, on_axes
from semwork.plots.style import PALETTE, cut, distinct
from semwork.plots.two_sides import first_lines, records, two_sided

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["neighbour_figure", "word_figure"]

_OBSERVED, _MISSING = PALETTE[0], PALETTE[1]
_ROOM_FOR_NAMES = 0.26  # of the width, between two sides: for about 16 letters


def _sideways(figure: go.Figure, *, axis: str, labels: Any, values: Any, colours: Any, hover: Any) -> None:
    """Horizontal bars, the first on top."""
    figure.add_trace(
        go.Bar(
            x=np.asarray(values, dtype=float),
            y=distinct([cut(str(label), 16) for label in labels]),
            orientation="h",
            marker={"color": colours},
            hovertext=list(hover),
            hovertemplate="%{hovertext}<extra></extra>",
            **on_axes(axis),
        )
    )
    bottom = max(len(figure.data[-1].y), 1) - 0.5
    figure.update_layout(
        {
            f"yaxis{axis}": {
                "type": "category",
                "range": [bottom, -0.5],
                "ticklabelstandoff": 4,
                "tickfont": {"size": 12},
            }
        }
    )


def word_figure(words: pd.DataFrame, *, title: str = "", most_words: int = 12) -> go.Figure:
    """What a sentence's vector predicts for the words it has, with the weights they have, and for missing words.

    Parameters
    ----------
    words : DataFrame of shape (n_words, 4)
        ``word``, ``weight``, ``predicted`` and ``observed``, as `semwork.studies.missing_steps.word_table` makes.
    title : str
        Stands above the figure.
    most_words : int
        How many observed and how many missing words.
    """
    observed, missing = words[words["observed"]].head(most_words), words[~words["observed"]].head(most_words)
    height = 130 + 22 * max(len(observed), len(missing), 5)
    sides = ("observed words: P·v, ◆ is X", ""), ("missing words: P·v, X is 0", "")
    figure = two_sided(title, *sides, height=height, gap=_ROOM_FOR_NAMES)
    said = ["{word}: predicted {predicted:.2f}, X = {weight:.2f}".format(**row) for row in records(observed)]
    labels, values = observed["word"], observed["predicted"]
    _sideways(figure, axis="", labels=labels, values=values, colours=_OBSERVED, hover=said)
    figure.data[0].name = "observed"
    figure.add_trace(
        go.Scatter(
            name="X of observed",
            x=observed["weight"].to_numpy(),
            y=list(figure.data[0].y),
            customdata=observed["word"].tolist(),
            mode="markers",
            marker={"symbol": "diamond", "size": 8, "color": GREY},
            hovertemplate="%{customdata}: X = %{x:.2f}<extra></extra>",
        )
    )
    said = ["{word}: predicted {predicted:.2f}, X = 0".format(**row) for row in records(missing)]
    labels, values = missing["word"], missing["predicted"]
    _sideways(figure, axis="2", labels=labels, values=values, colours=_MISSING, hover=said)
    figure.data[2].name = "missing"
    # One scale for both sides: a missing word that is predicted like an observed one looks like one.
    most = max(float(words[["weight", "predicted"]].to_numpy().max(initial=0)), 1e-9) * 1.06
    least = min(float(words["predicted"].min()) if len(words) else 0.0, 0.0) * 1.06
    figure.update_layout(xaxis={"range": [least, most]}, xaxis2={"range": [least, most]})
    return figure


def neighbour_figure(similar_words: pd.DataFrame, definitions: pd.DataFrame, *, title: str = "") -> go.Figure:
    """The words and the definitions that are nearest to a sentence's vector.

    Parameters
    ----------
    similar_words : DataFrame of shape (n_words, 3)
        ``word``, ``similarity`` and ``observed``.
    definitions : DataFrame of shape (n_definitions, n_columns)
        ``name``, ``headword``, ``sense``, ``similarity`` and ``text``; a click on a bar tells headword and sense.
    title : str
        Stands above the figure.
    """
    height = 130 + 22 * max(len(similar_words), len(definitions), 5)
    sides = ("nearest words, cosine", ""), ("nearest definitions, cosine", "")
    figure = two_sided(title, *sides, height=height, gap=_ROOM_FOR_NAMES)
    colours = [_OBSERVED if here else _MISSING for here in similar_words["observed"]]
    kinds = ["observed" if here else "missing" for here in similar_words["observed"]]
    near = zip(similar_words["word"], similar_words["similarity"], kinds, strict=True)
    said = [f"{word}, {kind}: cosine {value:.2f}" for word, value, kind in near]
    _sideways(
        figure, axis="", labels=similar_words["word"], values=similar_words["similarity"], colours=colours, hover=said
    )
    figure.data[0].name = "words"
    said = [f"{first_lines(row['text'], 48, 4)}<br>cosine {row['similarity']:.2f}" for row in records(definitions)]
    names, values = definitions["name"], definitions["similarity"]
    _sideways(figure, axis="2", labels=names, values=values, colours=PALETTE[2], hover=said)
    figure.data[1].name = "definitions"
    figure.data[1].customdata = [[row["headword"], int(row["sense"])] for row in records(definitions)]
    figure.update_layout(xaxis={"range": [0, 1.02]}, xaxis2={"range": [0, 1.02]})
    return figure

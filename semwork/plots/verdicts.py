"""The scores of pairs of sentences, and which side of the threshold they are on."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import DARK_GREY, LEGEND_BELOW, add_reference
from semwork.plots.style import INK, PALETTE, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["verdicts_figure"]

_RIGHT, _WRONG = PALETTE[2], PALETTE[1]
_HEIGHT = 0.32  # of the cloud of points around its row


def verdicts_figure(
    pairs: pd.DataFrame,
    chosen: int | None = None,
    *,
    yes: str = "a paraphrase",
    no: str = "no paraphrase",
    title: str = "",
) -> go.Figure:
    """Draw the score of every test pair, in one row for each truth; a pair on the wrong side of 0 is a mistake.

    Parameters
    ----------
    pairs : DataFrame
        Columns ``pair`` (its number), ``left``, ``right``, ``truth``, ``score`` and ``correct``.
    chosen : int or None
        The pair that has a ring.
    yes, no : str
        What a positive pair is called, and a negative one.
    title : str
        Stands above the figure. ``customdata`` of a point is the number of its pair.
    """
    words = "score (click a pair to see its alignment)"
    figure = house_figure(title, words, "", height=290, hovermode="closest", legend=LEGEND_BELOW)
    # The same pair has the same height in every iteration.
    height = np.where(pairs["truth"], 1.0, 0.0) + _HEIGHT * np.sin(np.arange(len(pairs)) * 2.399963)
    ends = float(pairs["score"].abs().max()) * 1.08 + 1e-9
    add_reference(figure, [0, 0], [-0.5, 1.5], name="threshold", colour=DARK_GREY)
    for name, correct, colour in (("judged right", True, _RIGHT), ("judged wrong", False, _WRONG)):
        rows = (pairs["correct"] == correct).to_numpy()
        figure.add_scatter(
            name=f"{name} ({int(rows.sum())})",
            x=pairs["score"].to_numpy()[rows],
            y=height[rows],
            customdata=pairs["pair"].to_numpy()[rows].tolist(),
            text=[_hover(*pair) for pair in zip(pairs["left"][rows], pairs["right"][rows], strict=True)],
            mode="markers",
            marker={"size": 8, "color": colour, "opacity": 0.75, "symbol": "circle" if correct else "diamond"},
            hovertemplate="%{text}<br>score %{x:+.3f}<extra></extra>",
        )
    if chosen is not None and 0 <= chosen < len(pairs):
        figure.add_scatter(
            name="chosen", x=[float(pairs["score"][chosen])], y=[height[chosen]], mode="markers",
            marker={"size": 17, "color": "rgba(0,0,0,0)", "line": {"color": INK, "width": 2}},
            hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    figure.update_layout(
        uirevision="verdicts",
        margin={"b": 86, "l": 110},
        xaxis={"range": [-ends, ends]},
        yaxis={"range": [-0.55, 1.55], "tickvals": [0, 1], "ticktext": [no, yes], "zeroline": False},
    )
    return figure


def _hover(left: str, right: str) -> str:
    lines = [textwrap.wrap(html.escape(side), 90) for side in (left, right)]
    return "<br>".join(["<br>".join(lines[0]), "–", "<br>".join(lines[1])])

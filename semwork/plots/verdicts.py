"""The scores of pairs of sentences, and which side of the threshold they are on."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    from semwork.structures.sentence_study import SentenceStep

__all__ = ["verdicts_figure"]

_RIGHT, _WRONG = PALETTE[2], PALETTE[1]
_LEGEND = {"orientation": "h", "x": 0, "y": 0.01, "yref": "container", "yanchor": "bottom", "font": {"size": 12}}
_HEIGHT = 0.32  # of the cloud of points around its row


def verdicts_figure(
    step: SentenceStep,
    iteration: int | None = None,
    *,
    chosen: int | None = None,
    yes: str = "a paraphrase",
    no: str = "no paraphrase",
    title: str = "",
) -> go.Figure:
    """Draw the score of every test pair, in one row for each truth; a pair on the wrong side of 0 is a mistake.

    ``customdata`` of a point is the number of its pair; the chosen one has a ring.
    """
    table = step.scores(iteration)
    figure = house_figure(
        title, "score (click a pair to see its alignment)", "", height=290, hovermode="closest", legend=_LEGEND
    )
    # The same pair has the same height in every iteration.
    height = np.where(table["truth"], 1.0, 0.0) + _HEIGHT * np.sin(np.arange(len(table)) * 2.399963)
    ends = float(table["score"].abs().max()) * 1.08 + 1e-9
    figure.add_scatter(
        name="threshold", x=[0, 0], y=[-0.5, 1.5], mode="lines", line={"color": "#595959", "width": 1, "dash": "dot"},
        hoverinfo="skip", showlegend=False,
    )  # fmt: skip
    for name, correct, colour in (("judged right", True, _RIGHT), ("judged wrong", False, _WRONG)):
        own = (table["correct"] == correct).to_numpy()
        figure.add_scatter(
            name=f"{name} ({int(own.sum())})",
            x=table["score"].to_numpy()[own],
            y=height[own],
            customdata=table["pair"].to_numpy()[own].tolist(),
            text=[_hover(*pair) for pair in zip(table["left"][own], table["right"][own], strict=True)],
            mode="markers",
            marker={"size": 8, "color": colour, "opacity": 0.75, "symbol": "circle" if correct else "diamond"},
            hovertemplate="%{text}<br>score %{x:+.3f}<extra></extra>",
        )
    if chosen is not None and 0 <= chosen < len(table):
        figure.add_scatter(
            name="chosen", x=[float(table["score"][chosen])], y=[height[chosen]], mode="markers",
            marker={"size": 17, "color": "rgba(0,0,0,0)", "line": {"color": "#262626", "width": 2}},
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

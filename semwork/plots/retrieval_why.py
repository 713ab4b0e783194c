"""Figures that take one similarity apart."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from semwork.plots.grammar import on_axes, side_by_side
from semwork.plots.style import PALETTE, distinct, house_figure, wrapped

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["explanation_figure"]

_REST = "#b8b8b8"


def explanation_figure(
    ranking: pd.DataFrame,
    words: pd.DataFrame,
    *,
    candidate: int,
    similarity: float,
    label: str,
    text: str,
    most_words: int = 14,
    note: str = "",
) -> go.Figure:
    """The ranking of one query; the words of one candidate that make it similar; and what the query expects of them.

    Parameters
    ----------
    ranking : DataFrame
        ``place``, ``candidate``, ``label``, ``similarity``, ``right`` and ``text`` of what is listed, as
        `semwork.studies.explain_query` makes. ``customdata`` of a bar is its place in the list, from 1.
    words : DataFrame
        ``word``, ``contribution``, ``expected`` and ``in_query`` of the words of one candidate.
    candidate : int
        The number of that candidate.
    similarity : float
        Its similarity with the query: the sum of the contributions.
    label, text : str
        The query's headword and its words.
    most_words : int
        How many words to show; the others are added up in one bar.
    note : str
        A few words before the query.
    """
    rows = max(len(ranking), min(len(words), most_words + 1))
    head = textwrap.wrap(f"{note}“{label}”: {text}", 78)
    figure = house_figure(
        "<br>".join(f"<span style='font-size:14px'>{html.escape(line)}</span>" for line in head),
        "similarity",
        "",
        height=178 + 24 * rows + 16 * len(head),
    )
    _add_ranking(figure, ranking, candidate)
    below = [_add_words(figure, words, similarity, most_words) - 0.5, -0.5]
    target = next(
        name for number, name in zip(ranking["candidate"], ranking["label"], strict=True) if number == candidate
    )
    figure.add_annotation(
        text=f"words of <b>{html.escape(str(target))}</b>: {similarity:.3f} in all, "
        f"<span style='color:{PALETTE[1]}'>■</span> in the query, <span style='color:{PALETTE[0]}'>■</span> not",
        xref="paper",
        yref="paper",
        x=1,
        y=1.0,
        xanchor="right",
        yanchor="bottom",
        showarrow=False,
    )
    named = {"type": "category", "tickfont": {"size": 12}}
    axes = side_by_side(
        ([0.03, 0.28], {}, {**named, "range": [len(ranking) - 0.5, -0.5]}),
        ([0.49, 0.75], {"title": {"text": "part of cosine"}, "zeroline": True}, {**named, "range": below}),
        (
            [0.79, 1],
            {"title": {"text": "expected, P·Q"}, "zeroline": True},
            {"type": "category", "range": below, "showticklabels": False},
        ),
    )
    figure.update_layout(showlegend=False, bargap=0.25, margin={"t": 68 + 18 * len(head)}, **axes)
    return figure


def _add_ranking(figure: go.Figure, table: pd.DataFrame, candidate: int) -> None:
    names = [
        f"#{place:,g} {html.escape(textwrap.shorten(label, 18, placeholder='…'))}"
        for place, label in zip(table["place"], table["label"], strict=True)
    ]
    # Two candidates may share a place and a headword.
    shown = [f"<b>{n}</b>" if c == candidate else n for n, c in zip(distinct(names), table["candidate"], strict=True)]
    figure.add_trace(
        go.Bar(
            name="ranking",
            x=table["similarity"].to_numpy(),
            y=shown,
            orientation="h",
            marker={"color": [PALETTE[2] if right else _REST for right in table["right"]]},
            customdata=list(range(1, len(table) + 1)),
            text=["✓" if right else "" for right in table["right"]],
            textposition="inside",
            hovertext=[wrapped(text) for text in table["text"]],
            hovertemplate="<b>%{y}</b>, similarity %{x:.3f}<br>%{hovertext}<br><i>click to see why</i><extra></extra>",
        )
    )


def _add_words(figure: go.Figure, words: pd.DataFrame, similarity: float, most: int) -> int:
    """Add the bars of the words; return how many there are."""
    shown = (
        words if len(words) <= most + 1 else words.loc[words["contribution"].abs().nlargest(most).index.sort_values()]
    )
    names = distinct([html.escape(word) for word in shown["word"]])
    parts, expected = shown["contribution"].tolist(), shown["expected"].tolist()
    colours = [PALETTE[1] if weight > 0 else PALETTE[0] for weight in shown["in_query"]]
    also = ["is in the query too" if weight > 0 else "is not in the query" for weight in shown["in_query"]]
    rest = len(words) - len(shown)
    if rest:
        names.append(f"{rest} more words")
        parts.append(similarity - sum(parts))
        expected.append(float("nan"))
        colours.append(_REST)
        also.append("together")
    figure.add_trace(
        go.Bar(
            name="part of the similarity",
            x=parts,
            y=names,
            orientation="h",
            marker={"color": colours},
            customdata=also,
            hovertemplate="<b>%{y}</b> %{customdata}: adds %{x:+.4f}<extra></extra>",
            **on_axes("2"),
        )
    )
    figure.add_trace(
        go.Bar(
            name="expected by the query",
            x=expected,
            y=names,
            orientation="h",
            marker={"color": colours, "opacity": 0.45},
            customdata=also,
            hovertemplate="<b>%{y}</b> %{customdata}: the query's vector expects %{x:.3f}<extra></extra>",
            **on_axes("3"),
        )
    )
    return len(names)

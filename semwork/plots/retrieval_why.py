"""Figures that take one similarity apart."""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from semwork.plots.style import PALETTE, house_figure, wrapped

if TYPE_CHECKING:
    from semwork.similarity.explain import QueryExplanation

__all__ = ["explanation_figure"]


def explanation_figure(found: QueryExplanation, *, most_words: int = 14, note: str = "") -> go.Figure:
    """The ranking of one query; the words of one candidate that make it similar; and what the query expects of them.

    Parameters
    ----------
    found
        What `explain_query` returns. ``customdata`` of a bar of the ranking is its place in the list, from 1.
    most_words
        How many words to show; the others are added up in one bar.
    note
        A few words before the query.
    """
    rows = max(len(found.ranking), min(len(found.words), most_words + 1))
    head = textwrap.wrap(f"{note}“{found.label}”: {found.text}", 78)
    figure = house_figure(
        "<br>".join(f"<span style='font-size:14px'>{html.escape(line)}</span>" for line in head),
        "similarity",
        "",
        height=178 + 24 * rows + 16 * len(head),
    )
    _add_ranking(figure, found)
    below = [_add_words(figure, found, most_words) - 0.5, -0.5]
    figure.update_layout(
        showlegend=False,
        bargap=0.25,
        margin={"t": 68 + 18 * len(head)},
        xaxis={"domain": [0.03, 0.28]},
        xaxis2={"domain": [0.49, 0.75], "anchor": "y2", "title": {"text": "part of cosine"}, "zeroline": True},
        xaxis3={"domain": [0.79, 1], "anchor": "y3", "title": {"text": "expected, P·Q"}, "zeroline": True},
        yaxis={"type": "category", "range": [len(found.ranking) - 0.5, -0.5], "tickfont": {"size": 12}},
        yaxis2={"type": "category", "range": below, "anchor": "x2", "tickfont": {"size": 12}},
        yaxis3={"type": "category", "range": below, "anchor": "x3", "showticklabels": False},
    )
    return figure


def _add_ranking(figure: go.Figure, found: QueryExplanation) -> None:
    table = found.ranking
    names = [
        f"#{place:,g} {html.escape(textwrap.shorten(label, 18, placeholder='…'))}"
        for place, label in zip(table["place"], table["label"], strict=True)
    ]
    # Two candidates may share a place and a headword; rows of a chart need different names.
    names = [name + " " * names[:number].count(name) for number, name in enumerate(names)]
    shown = [f"<b>{n}</b>" if c == found.candidate else n for n, c in zip(names, table["candidate"], strict=True)]
    figure.add_trace(
        go.Bar(
            name="ranking",
            x=table["similarity"].to_numpy(),
            y=shown,
            orientation="h",
            marker={"color": [PALETTE[2] if right else "#b8b8b8" for right in table["right"]]},
            customdata=list(range(1, len(table) + 1)),
            text=["✓" if right else "" for right in table["right"]],
            textposition="inside",
            hovertext=[wrapped(text) for text in table["text"]],
            hovertemplate="<b>%{y}</b>, similarity %{x:.3f}<br>%{hovertext}<br><i>click to see why</i><extra></extra>",
        )
    )


def _add_words(figure: go.Figure, found: QueryExplanation, most: int) -> int:
    """Add the bars of the words; return how many there are."""
    words = found.words
    shown = (
        words if len(words) <= most + 1 else words.loc[words["contribution"].abs().nlargest(most).index.sort_values()]
    )
    names = [html.escape(word) for word in shown["word"]]
    names = [name + " " * names[:number].count(name) for number, name in enumerate(names)]
    parts, expected = shown["contribution"].tolist(), shown["expected"].tolist()
    colours = [PALETTE[1] if weight > 0 else PALETTE[0] for weight in shown["in_query"]]
    also = ["is in the query too" if weight > 0 else "is not in the query" for weight in shown["in_query"]]
    rest = len(words) - len(shown)
    if rest:
        names.append(f"{rest} more words")
        parts.append(found.similarity - sum(parts))
        expected.append(float("nan"))
        colours.append("#b8b8b8")
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
            xaxis="x2",
            yaxis="y2",
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
            xaxis="x3",
            yaxis="y3",
        )
    )
    target = next(
        label
        for c, label in zip(found.ranking["candidate"], found.ranking["label"], strict=True)
        if c == found.candidate
    )
    figure.add_annotation(
        text=f"words of <b>{html.escape(str(target))}</b>: {found.similarity:.3f} in all, "
        f"<span style='color:{PALETTE[1]}'>■</span> in the query, <span style='color:{PALETTE[0]}'>■</span> not",
        xref="paper",
        yref="paper",
        x=1,
        y=1.0,
        xanchor="right",
        yanchor="bottom",
        showarrow=False,
    )
    return len(names)

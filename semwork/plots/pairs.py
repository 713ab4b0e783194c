"""Figures about pairs of sentences: human scores against predicted similarities."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import plotly.graph_objects as go

from semwork.evaluation import accuracy_curve, at_threshold, pearson, spearman
from semwork.plots.style import PALETTE, house_figure, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from semwork.datasets import SentencePairs
    from semwork.similarity import SentenceWord, WeightStep, WordMatch

__all__ = [
    "agreement_figure",
    "effects_figure",
    "match_figure",
    "models_figure",
    "threshold_figure",
    "weight_figure",
    "worst_pairs_figure",
]

_GREY = "#8c8c8c"
_HUMAN, _MODEL = PALETTE[1], PALETTE[0]
_GOLDEN = 0.6180339887498949  # multiples of it fill an interval evenly


def _short(text: str, width: int) -> str:
    return html.escape(text if len(text) <= width else text[: width - 1] + "…")


def _correlations(gold: Any, predicted: Any) -> str:
    if np.ptp(gold) == 0 or np.ptp(predicted) == 0:
        return "all equal: no correlation"
    return f"r = {pearson(gold, predicted):.3f}, ρ = {spearman(gold, predicted):.3f}"


def agreement_figure(
    pairs: SentencePairs, predicted: Any, *, title: str = "", chosen: int | None = None, height: int | None = None
) -> go.Figure:
    """Human score against predicted similarity, one point per pair, with the least-squares line.

    Parameters
    ----------
    pairs
        Sentences, scores and groups; each group has its own colour.
    predicted
        One similarity per pair.
    title
        Stands before the correlations.
    chosen
        The number of a pair to mark.

    Where scores are whole numbers, the points are moved apart a little; hover tells the score. A point's
    ``customdata`` is the number of its pair.
    """
    gold, found = pairs.scores, np.asarray(predicted, dtype=float)
    head = f"{title}: {_correlations(gold, found)}" if title else _correlations(gold, found)
    groups = pairs.group.tolist()
    names = dict.fromkeys(groups)
    rows_of_legend = (len(names) + 2) // 2
    height = height or 420 + 20 * rows_of_legend
    figure = house_figure(head, "score of people", "similarity of the model", height=height)
    places = gold.astype(float)
    step = np.min(np.diff(np.unique(gold))) if len(np.unique(gold)) > 1 else 1.0
    if np.all(gold == np.round(gold)):
        places = gold + step * 0.5 * ((np.arange(len(gold)) * _GOLDEN) % 1 - 0.5)
    hover = [
        f"{wrapped(a)}<br><i>and</i><br>{wrapped(b)}<br>people {score:g}, model"
        for a, b, score in zip(pairs.left, pairs.right, gold, strict=True)
    ]
    for number, group in enumerate(names):
        rows = [row for row, own in enumerate(groups) if own == group]
        figure.add_trace(
            go.Scatter(
                name=f"{group}: {_correlations(gold[rows], found[rows])}" if group else "pairs",
                x=places[rows],
                y=found[rows],
                mode="markers",
                marker={"color": PALETTE[number % len(PALETTE)], "size": 7 if len(found) < 500 else 4, "opacity": 0.75},
                customdata=rows,
                hovertext=[hover[row] for row in rows],
                hovertemplate="%{hovertext} %{y:.2f}<extra></extra>",
            )
        )
    if np.ptp(gold) > 0:
        slope, base = np.polyfit(gold, found, 1)
        ends = np.array([gold.min(), gold.max()])
        figure.add_trace(
            go.Scatter(
                name="least-squares line",
                x=ends,
                y=base + slope * ends,
                mode="lines",
                line={"color": _GREY, "width": 2, "dash": "dash"},
                hoverinfo="skip",
            )
        )
    if chosen is not None and 0 <= chosen < len(gold):
        figure.add_trace(
            go.Scatter(
                name=f"pair {chosen}",
                x=[places[chosen]],
                y=[found[chosen]],
                # The name is written in the ink of the theme; the ring is seen on light and on dark.
                mode="markers+text",
                text=[f"<b>pair {chosen}</b>"],
                textposition="bottom center" if found[chosen] > 0.5 else "top center",
                marker={"color": _GREY, "size": 14, "symbol": "circle-open", "line": {"width": 3}},
                hoverinfo="skip",
                showlegend=False,
            )
        )
    low = min(-0.02, float(found.min()) - 0.03)
    figure.update_yaxes(range=[low, 1.03])
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": -0.27, "yanchor": "top"})
    return figure


def worst_pairs_figure(worst: pd.DataFrame, *, title: str = "", width: int = 31) -> go.Figure:
    """The pairs that people and the model place most differently: two dots on a line, the sentences above it.

    Parameters
    ----------
    worst
        As `semwork.similarity.worst_pairs` gives: ``left``, ``right``, ``score``, ``predicted``, ``human_place``,
        ``model_place``.
    title
        Stands above the figure.
    width
        How many letters of a sentence are shown; hover shows it all.
    """
    figure = house_figure(
        title, "place among all pairs, from the least to the most similar", "", height=120 + 56 * max(1, len(worst))
    )
    rows = [{str(key): value for key, value in row.items()} for row in worst.to_dict("records")]
    levels = -np.arange(len(rows), dtype=float)
    gap = [None]
    figure.add_trace(
        go.Scatter(
            x=[x for row in rows for x in (row["human_place"], row["model_place"], *gap)],
            y=[y for level in levels for y in (level, level, *gap)],
            mode="lines",
            line={"color": _GREY, "width": 2},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for name, column, colour in (("people", "human_place", _HUMAN), ("model", "model_place", _MODEL)):
        figure.add_trace(
            go.Scatter(
                name=name,
                x=[row[column] for row in rows],
                y=levels,
                mode="markers",
                marker={"color": colour, "size": 11},
                customdata=[row["pair"] for row in rows],
                hovertext=[
                    f"{wrapped(str(row['left']))}<br><i>and</i><br>{wrapped(str(row['right']))}<br>"
                    f"people {row['score']:g}, model {row['predicted']:.2f}"
                    for row in rows
                ],
                hovertemplate="%{hovertext}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[0] * len(rows),
            y=levels + 0.42,
            mode="text",
            text=[f"{_short(str(row['left']), width)} / {_short(str(row['right']), width)}" for row in rows],
            textposition="middle right",
            textfont={"size": 11},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.update_xaxes(range=[-0.01, 1.01], tickformat=".0%")
    figure.update_yaxes(range=[-len(rows) + 0.4, 0.85], tickvals=[], ticktext=[], zeroline=False)
    figure.update_layout(
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.0, "yanchor": "bottom"}, margin={"l": 20}
    )
    return figure


def weight_figure(
    steps: Sequence[WeightStep],
    *,
    measure: Literal["pearson", "spearman"] = "pearson",
    paper: Mapping[float, float] | None = None,
    weights: Sequence[float] = (),
    title: str = "",
    height: int = 460,
) -> go.Figure:
    """Correlation along w_m: one line per set (the mean over seeds), a band from the worst to the best seed.

    Parameters
    ----------
    steps
        As `semwork.similarity.weight_steps` gives, all or those that are there.
    measure
        Which correlation.
    paper
        Weight → what the paper reports, drawn as crosses.
    weights
        All weights of the walk, so that those still to come have their place.
    """
    letter = "r" if measure == "pearson" else "ρ"
    figure = house_figure(title, "w_m, the weight of missing words", f"correlation {letter} with people", height=height)
    shown = sorted({*(step.missing_weight for step in steps), *(paper or {}), *weights})
    place = {weight: at for at, weight in enumerate(shown)}
    names = list(dict.fromkeys(name for step in steps for name in getattr(step, measure)))
    for number, name in enumerate(names):
        colour = PALETTE[number % len(PALETTE)]
        by_weight: dict[float, list[float]] = {}
        for step in steps:
            value = getattr(step, measure)[name]
            if not math.isnan(value):
                by_weight.setdefault(step.missing_weight, []).append(value)
        there = sorted(by_weight)
        x = [place[weight] for weight in there]
        if any(len(values) > 1 for values in by_weight.values()):
            lows, highs = ([how(by_weight[weight]) for weight in there] for how in (min, max))
            figure.add_trace(
                go.Scatter(
                    x=[*x, *x[::-1]],
                    y=[*highs, *lows[::-1]],
                    mode="lines",
                    fill="toself",
                    opacity=0.3,
                    line={"color": colour, "width": 0.5},
                    hoverinfo="skip",
                    showlegend=False,
                )
            )
        figure.add_trace(
            go.Scatter(
                name=name,
                x=x,
                y=[float(np.mean(by_weight[weight])) for weight in there],
                mode="lines+markers",
                line={"color": colour, "width": 3 if number == 0 else 1.5},
                customdata=[[f"{weight:g}", len(by_weight[weight])] for weight in there],
                hovertemplate=(
                    f"{html.escape(name)}<br>w_m = %{{customdata[0]}}: {letter} = %{{y:.3f}} "
                    "(mean of %{customdata[1]})<extra></extra>"
                ),
            )
        )
    if paper:
        figure.add_trace(
            go.Scatter(
                name="LI06 in the paper",
                x=[place[weight] for weight in paper],
                y=list(paper.values()),
                mode="markers",
                marker={"color": _GREY, "symbol": "x", "size": 10},
                hovertemplate=f"the paper: {letter} = %{{y:.4f}}<extra></extra>",
            )
        )
    figure.update_xaxes(
        tickvals=list(place.values()),
        ticktext=[f"{weight:g}" for weight in shown],
        tickangle=-35 if len(shown) > 8 else 0,
        range=[-0.5, max(len(shown), 1) - 0.5],
        zeroline=False,
    )
    figure.update_layout(legend={"orientation": "h", "x": 0, "y": -0.28, "yanchor": "top"})
    return figure


def threshold_figure(
    scores: Any,
    labels: Any,
    threshold: float,
    *,
    learnt: float | None = None,
    title: str = "",
    bins: int | None = None,
    height: int = 460,
) -> go.Figure:
    """The similarities of paraphrases and of other pairs, and a line between them that a reader can drag.

    Parameters
    ----------
    scores, labels
        The similarity of each pair; 1 for a paraphrase, 0 for none.
    threshold
        Where the line stands: shape 0; a drag comes as ``shapes[0].x0``. The title says what it reaches.
    learnt
        A threshold to compare with, a dotted line.
    title
        Stands before the accuracy.
    bins
        How many bars over the range of the similarities; about twice the root of the number of pairs by default.
    """
    values, truth = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    bins = bins or int(np.clip(2 * np.sqrt(len(values)), 10, 60))
    reached = at_threshold(values, truth, threshold)
    head = f"accuracy {reached.accuracy:.1%}, F1 {reached.f1:.3f} at {threshold:.3f}"
    figure = house_figure(
        f"{title}: {head}" if title else head,
        "similarity; from the line on we say “paraphrase”",
        "pairs",
        height=height,
        barmode="overlay",
    )
    low, high = min(0.0, float(values.min())), max(1.0, float(values.max()))
    size = (high - low) / bins
    most = 1
    for name, rows, colour in (("no paraphrase", ~truth, PALETTE[1]), ("paraphrase", truth, PALETTE[0])):
        counted = np.histogram(values[rows], bins=bins, range=(low, high))[0]
        most = max(most, int(counted.max(initial=0)))
        figure.add_trace(
            go.Histogram(
                name=f"{name} ({int(rows.sum()):,})",
                x=values[rows],
                xbins={"start": low, "end": high + size / 1000, "size": size},
                nbinsx=bins,
                marker={"color": colour},
                opacity=0.6,
                hovertemplate=f"{name}: %{{y}} pairs with a similarity of %{{x}}<extra></extra>",
            )
        )
    top = most * 1.12
    if learnt is not None:
        figure.add_trace(
            go.Scatter(
                name=f"learnt on the training pairs: {learnt:.3f}",
                x=[learnt, learnt],
                y=[0, top],
                mode="lines",
                line={"color": _GREY, "width": 2, "dash": "dot"},
                hoverinfo="skip",
            )
        )
    curve = accuracy_curve(values, truth)
    keep = np.unique(np.linspace(0, len(curve.threshold) - 1, 300).astype(int))
    figure.add_trace(
        go.Scatter(
            name="accuracy at each threshold (full height: 100 %)",
            x=curve.threshold[keep],
            y=curve.accuracy[keep] * top,
            customdata=curve.accuracy[keep],
            mode="lines",
            line={"color": PALETTE[2], "width": 2},
            hovertemplate="accuracy %{customdata:.1%} at %{x:.3f}<extra></extra>",
        )
    )
    figure.update_layout(
        shapes=[
            {
                "type": "line",
                "x0": threshold,
                "x1": threshold,
                "y0": 0,
                "y1": 1,
                "yref": "y domain",
                "line": {"color": PALETTE[3], "width": 5},
                "layer": "above",
            }
        ],
        annotations=[
            {
                "text": "◂ drag ▸",
                "x": threshold,
                "y": 1,
                "yref": "y domain",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 12, "color": PALETTE[3]},
            }
        ],
        legend={"orientation": "h", "x": 0, "y": -0.27, "yanchor": "top"},
    )
    figure.update_xaxes(range=[low - 0.02, high + 0.02])
    figure.update_yaxes(range=[0, top])
    return figure


def effects_figure(
    left: Sequence[SentenceWord], right: Sequence[SentenceWord], *, title: str = "", height: int | None = None
) -> go.Figure:
    """By how much the similarity falls without a word, for the words of both sentences in their order.

    Parameters
    ----------
    left, right
        As `semwork.similarity.word_effects` gives. Unknown words are in brackets.
    title
        Stands above the figure.
    """
    turned = max(len(left), len(right)) > 8
    half = 0.35 if turned else 0.4  # turned words need room
    figure = house_figure(title, "", "", height=height or (430 if turned else 340), showlegend=False, margin={"b": 36})
    values = [word.effect for word in (*left, *right)]
    low, high = min([0.0, *values]), max([0.05, *values])
    room = (high - low) * 0.08
    for axis, words, colour, domain in (("", left, PALETTE[0], [1 - half, 1]), ("2", right, PALETTE[2], [0, half])):
        figure.add_trace(
            go.Bar(
                x=list(range(len(words))),
                y=[word.effect for word in words],
                marker={"color": colour},
                hovertext=[
                    f"{html.escape(word.word)}: " + (f"{word.effect:+.3f}" if word.known else "unknown to the model")
                    for word in words
                ],
                hovertemplate="%{hovertext}<extra></extra>",
                xaxis=f"x{axis}",
                yaxis=f"y{axis}",
            )
        )
        figure.update_layout(
            {
                f"xaxis{axis}": {
                    "anchor": f"y{axis}",
                    "tickvals": list(range(len(words))),
                    "ticktext": _names(words),
                    "range": [-0.6, max(len(words), 6) - 0.4],
                    "tickangle": -35 if turned else 0,
                    "showgrid": False,
                    "zeroline": False,
                },
                f"yaxis{axis}": {
                    "domain": domain,
                    "anchor": f"x{axis}",
                    "range": [low - room, high + room],
                    "title": {"text": "loss", "standoff": 4},
                    "nticks": 5,
                },
            }
        )
    return figure


def _names(words: Sequence[SentenceWord]) -> list[str]:
    return [html.escape(word.word) if word.known else f"({html.escape(word.word)})" for word in words]


def match_figure(match: WordMatch, *, title: str = "") -> go.Figure:
    """The similarity of each word of one sentence with each of the other.

    Unknown words are in brackets, and their cells are empty.
    """
    rows, columns = len(match.left), len(match.right)
    figure = house_figure(
        title, "across: the second sentence; down: the first", "", height=170 + 34 * min(max(rows, 2), 14)
    )
    small = rows * columns <= 150
    figure.add_trace(
        go.Heatmap(
            x=list(range(columns)),
            y=list(range(rows)),
            z=match.similarity,
            zmin=0,
            zmax=1,
            colorscale="Cividis",
            xgap=2,
            ygap=2,
            texttemplate="%{z:.2f}" if small else None,
            customdata=[[f"{html.escape(a.word)} / {html.escape(b.word)}" for b in match.right] for a in match.left],
            hovertemplate="%{customdata}: %{z:.3f}<extra></extra>",
            hoverongaps=False,
            colorbar={"title": {"text": "cosine"}, "thickness": 14},
        )
    )
    figure.update_xaxes(
        tickvals=list(range(columns)), ticktext=_names(match.right), range=[-0.5, max(columns, 1) - 0.5], showgrid=False
    )
    figure.update_yaxes(
        tickvals=list(range(rows)), ticktext=_names(match.left), range=[max(rows, 1) - 0.5, -0.5], showgrid=False
    )
    figure.update_layout(xaxis={"zeroline": False}, yaxis={"zeroline": False})
    return figure


def models_figure(similarities: Mapping[str, float], *, title: str = "") -> go.Figure:
    """One bar per model: the similarity of the same two sentences."""
    names, values = list(similarities), list(similarities.values())
    figure = house_figure(title, "similarity", "", height=150 + 34 * max(1, len(names)))
    figure.add_trace(
        go.Bar(
            x=values,
            y=names,
            orientation="h",
            marker={"color": [PALETTE[number % len(PALETTE)] for number in range(len(names))]},
            text=[f"{value:.2f}" for value in values],
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        )
    )
    figure.update_xaxes(range=[min(0.0, *values, 0.0) - 0.02, 1.1])
    figure.update_yaxes(range=[max(len(names), 1) - 0.5, -0.5], ticklabelstandoff=4)
    return figure

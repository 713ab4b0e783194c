"""Pictures of published figures, from the tables of an experiment."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.convergence import SAMPLER_COLOURS, apart
from semwork.plots.grammar import on_axes, side_by_side, spans
from semwork.plots.labels import Frame, label_traces
from semwork.plots.style import PALETTE, axis_title, house_figure

__all__ = ["likelihood_over_time_figure", "topic_words_figure"]

_PAGE = 820  # pixels: as wide as a static picture


def likelihood_over_time_figure(table: Any) -> go.Figure:
    """Figure 2 of Das et al. (2015): log-likelihood against processor seconds, samplers on the same documents.

    Parameters
    ----------
    table : DataFrame of shape (n_sweeps, n_columns)
        ``documents``, ``sampler``, ``CPU seconds`` and ``log-likelihood per token`` of each sweep, as the experiment
        writes them; the documents that are not "all" are shown.
    """
    part = table[table["documents"].astype(str) != "all"]
    title = f"Log-likelihood against time: {part['documents'].iloc[0]} documents of 20 newsgroups, K = D = 50"
    figure = house_figure(title, "processor seconds", "log-likelihood per token", height=420, showlegend=False)
    # The first sweeps from a random start would press all the rest together.
    low, top = float(part["log-likelihood per token"].quantile(0.06)), float(part["log-likelihood per token"].max())
    paths = list(part.groupby("sampler", sort=False))
    ends = [max(float(rows["log-likelihood per token"].iloc[-1]), low) for _, rows in paths]
    for (name, rows), height in zip(paths, apart(ends, 0.06 * (top - low)), strict=True):
        colour = SAMPLER_COLOURS[str(name)]
        x, y = rows["CPU seconds"].to_numpy(), rows["log-likelihood per token"].to_numpy()
        y = y if len(rows) > 1 else np.maximum(y, low)
        figure.add_scatter(
            name=str(name), x=x, y=y, mode="lines+markers", line={"color": colour, "width": 2}, marker={"size": 4}
        )
        said = f"{name}, one sweep: {rows['log-likelihood per token'].iloc[0]:.1f}" if len(rows) == 1 else str(name)
        figure.add_scatter(
            name=f"name of {name}",
            x=x[-1:],
            y=[height],
            mode="text",
            text=[f"\N{NO-BREAK SPACE}{said}\N{NO-BREAK SPACE}"],
            textposition="middle right" if len(rows) > 1 else "middle left",
            textfont={"size": 13, "color": colour},
            cliponaxis=False,
        )
    sides = np.log10([part["CPU seconds"].min() / 1.3, part["CPU seconds"].max() * 1.3])
    ticks = [value for value in (0.5, 1, 2, 5, 10, 20, 50, 100) if sides[0] <= np.log10(value) <= sides[1]]
    figure.update_layout(
        xaxis={"type": "log", "range": sides.tolist(), "tickvals": ticks, "domain": [0, 0.9]},
        yaxis={"range": [low - 0.03 * (top - low), top + 0.05 * (top - low)]},
    )
    return figure


def topic_words_figure(table: Any) -> go.Figure:
    """Figure 3 of Das et al. (2015): the top words of the most coherent topics on their first two components.

    Parameters
    ----------
    table : DataFrame of shape (n_words, n_columns)
        ``system``, ``topic``, ``word``, ``x`` and ``y``, as the experiment writes them.
    """
    systems = list(dict.fromkeys(table["system"]))
    height = 520
    title = "The top words of nine topics, first two principal components"
    figure = house_figure(title, "", "", height=height, showlegend=False)
    plots = []
    for number, (system, span) in enumerate(zip(systems, spans([1] * len(systems), 0.08), strict=True)):
        axis = str(number + 1) if number else ""
        words = table[table["system"] == system]
        points = words[["x", "y"]].to_numpy(float)
        low, high = points.min(axis=0), points.max(axis=0)
        room = 0.08 * (high - low)
        x, y = ([float(low[i] - room[i]), float(high[i] + room[i])] for i in (0, 1))
        frame = Frame((_PAGE - 84) * (span[1] - span[0]), height - 112, x, y)
        topics = list(dict.fromkeys(words["topic"]))
        for place, topic in enumerate(topics):
            inside = (words["topic"] == topic).to_numpy()
            figure.add_scatter(
                name=f"topic {topic}",
                x=points[inside, 0],
                y=points[inside, 1],
                mode="markers",
                marker={"size": 6, "color": PALETTE[place % 6], "symbol": "diamond" if place >= 6 else "circle"},
                **on_axes(axis),
            )
        for trace in label_traces(frame, points, words["word"].tolist(), size=11, radius=4.0, crowd=points):
            figure.add_trace({**trace, **on_axes(axis)})
        across = {"range": x, "zeroline": False, "title": axis_title(str(system))}
        plots.append((span, across, {"range": y, "zeroline": False}))
    figure.update_layout(side_by_side(*plots))
    return figure

"""Figures of samplers: likelihood against time and sweeps, acceptance, agreement of chains, distance from the truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.grammar import DARK_GREY, add_reference, on_axes, side_by_side
from semwork.plots.style import PALETTE, axis_title, house_figure

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "SAMPLER_COLOURS",
    "agreement_of_chains_figure",
    "apart",
    "likelihood_figure",
    "speed_figure",
    "variation_figure",
]

#: One colour for a sampler, in all figures.
SAMPLER_COLOURS = dict(zip(("fast", "naive", "cholesky", "alias", "precision"), PALETTE, strict=False))
_DASHES = {"cholesky": "dot"}
_AGREED = 1.01  # R-hat below this: Vehtari and others (2021)
_FEWEST = 5  # sweeps along an axis


def likelihood_figure(curves: pd.DataFrame, *, title: str = "") -> go.Figure:
    """Draw the log-likelihood of each sampler's first chain against its own seconds, and against its sweeps.

    Parameters
    ----------
    curves : DataFrame
        One row per sweep of a chain: ``sampler``, ``chain`` (from 0; all but the first are thin lines), ``seconds``
        since its start, ``sweep``, and ``log_likelihood`` per token.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "", "", height=390, hovermode="closest")
    for axis, column, unit in (("", "seconds", "s"), ("2", "sweep", "sweeps")):
        for (sampler, chain), rows in curves.groupby(["sampler", "chain"], sort=False):
            x, y = rows[column].to_numpy(), rows["log_likelihood"].to_numpy()
            figure.add_scatter(
                **_line(sampler, x, y, width=1 if chain else 2.5, axis=axis, opacity=0.45 if chain else 1),
                hovertemplate=f"{sampler}: %{{y:.4f}} after %{{x:.3g}} {unit}<extra></extra>",
            )
    firsts = curves[curves["chain"] == 0].groupby("sampler", sort=False)
    begun, ended = firsts.first(), firsts.last()
    low, high = float(curves["log_likelihood"].min()), float(curves["log_likelihood"].max())
    names, gap = [str(name) for name in begun.index], 0.08 * max(high - low, 1e-3)
    starts = begun["seconds"].to_numpy()
    # Below the beginning of each line, one row for each: lines may begin together.
    rows_below = [low - gap * (1 + place) for place in np.argsort(np.argsort(starts, kind="stable"))]
    ends = apart(ended["log_likelihood"].tolist(), gap)
    most = max(_FEWEST, int(curves["sweep"].max()))
    figure.add_scatter(**_labels(names, starts, rows_below, axis="", side="center"))
    figure.add_scatter(**_labels(names, [most] * len(names), ends, axis="2", side="right"))
    upright = {"range": [low - (len(names) + 0.7) * gap, max(high, *ends) + gap]}
    seconds = {**_seconds(starts, ended["seconds"]), "title": axis_title("seconds of sampling")}
    sweeps = {"range": [0, most], "zeroline": False, "title": axis_title("sweeps")}
    axes = side_by_side(
        ([0, 0.45], seconds, {**upright, "title": axis_title("log-likelihood per token")}),
        # Beside the ends of the lines there is room for the longest name, on a page of ordinary width.
        ([0.54, 0.86], sweeps, upright),
    )
    figure.update_layout(showlegend=False, margin={"r": 10, "t": 50}, **axes)
    return figure


def _seconds(starts: Any, ends: Iterable[float]) -> dict[str, Any]:
    """An axis from the first beginning of a line to the last end, with room for names below the beginnings."""
    first, last = np.log10(starts.min()), np.log10(max(2 * starts.min(), *ends))
    slowest = np.log10(starts.max())
    # Names stand in the middle below the beginning of a line: on both sides they need half their width, 30 pixels.
    room = 0.26 * (max(last, slowest) - first)
    return _log_axis(first - room, max(last + 0.05, slowest + room))


def _line(sampler: Any, x: Any, y: Any, *, width: float, axis: str, opacity: float = 1.0) -> dict[str, Any]:
    return {
        "name": sampler,
        "x": x,
        "y": y,
        "mode": "lines" if len(x) > 1 else "markers",
        "line": {"color": SAMPLER_COLOURS[sampler], "width": width, "dash": _DASHES.get(sampler, "solid")},
        "marker": {"color": SAMPLER_COLOURS[sampler], "size": 7},
        "opacity": opacity,
        **on_axes(axis),
    }


def apart(values: Sequence[float], gap: float) -> list[float]:
    """Move places for labels until they are a gap apart, in their order, around where they were."""
    given = np.asarray(values, dtype=float)
    order = np.argsort(given, kind="stable")
    wanted = given[order]
    found = wanted.copy()
    for _ in range(20 * len(found)):
        for i in range(1, len(found)):
            short = gap - (found[i] - found[i - 1])
            if short > 1e-12:
                found[i - 1] -= short / 2
                found[i] += short / 2
    moved = np.empty_like(found)
    moved[order] = found
    return [float(place) for place in moved]


def _labels(names: Sequence[str], x: Iterable[float], y: Iterable[float], *, axis: str, side: str) -> dict[str, Any]:
    """Names beside the ends of lines, in their colours."""
    return {
        "name": "labels",
        "x": list(x),
        "y": list(y),
        "text": list(names),
        "mode": "text",
        "textposition": f"middle {side}",
        "textfont": {"size": 13, "color": [SAMPLER_COLOURS.get(name, DARK_GREY) for name in names]},
        "cliponaxis": False,
        "hoverinfo": "skip",
        **on_axes(axis),
    }


def _log_axis(low: float, high: float) -> dict[str, Any]:
    """An axis between two powers of ten, with plain numbers on it: powers of ten, or more where these are too few."""
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    shown: list[float] = []
    for steps in ((1,), (1, 2, 5), range(1, 10)):
        ticks = [step * 10.0**power for power in powers for step in steps]
        shown = [tick for tick in ticks if low - 1e-9 <= np.log10(tick) <= high + 1e-9]
        if len(shown) >= 2:
            break
    return {
        "type": "log",
        "range": [float(low), float(high)],
        "tickvals": shown,
        "ticktext": [f"{tick:,.0f}" if tick >= 1 else f"{tick:.6f}".rstrip("0") for tick in shown],
    }


# --- do chains agree ----------------------------------------------------------------------------------------------


def agreement_of_chains_figure(
    samplers: Sequence[str], acceptance: pd.DataFrame, checks: pd.DataFrame, sweeps: int, *, title: str = ""
) -> go.Figure:
    """Draw acceptance of proposals, R-hat and effective sample size against sweeps.

    Parameters
    ----------
    samplers : sequence of str
        All that have swept.
    acceptance : DataFrame
        One row per sweep of a sampler that proposes: ``sampler``, ``sweep``, ``acceptance``.
    checks : DataFrame
        One row per sweep after which chains were compared: ``sampler``, ``sweep``, ``r_hat``, ``ess``.
    sweeps : int
        The most that any sampler has done.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "", "", height=290, hovermode="closest")
    for sampler, rows in acceptance.groupby("sampler", sort=False):
        figure.add_scatter(
            **_line(sampler, rows["sweep"].to_numpy(), rows["acceptance"].to_numpy(), width=2, axis=""),
            hovertemplate=f"{sampler}: %{{y:.1%}} accepted in sweep %{{x}}<extra></extra>",
        )
    for axis, what in (("2", "r_hat"), ("3", "ess")):
        for sampler in samplers:
            rows = checks[checks["sampler"] == sampler]
            figure.add_scatter(
                **_line(sampler, rows["sweep"].to_numpy(), rows[what].to_numpy(), width=2, axis=axis),
                hovertemplate=f"{sampler}: %{{y:.3f}} after %{{x}} sweeps<extra></extra>",
            )
    most = max(_FEWEST, sweeps)
    said = f"below {_AGREED} chains are said to agree<extra></extra>"
    look = {"colour": DARK_GREY, "width": 1.5, "dash": "dash", "axis": "2"}
    add_reference(figure, [0, most], [_AGREED] * 2, name="chains agree", hovertemplate=said, **look)
    if not len(acceptance):
        figure.add_scatter(**_labels(["nothing is proposed"], [most / 2], [0.93], axis="", side="center"))
    if not len(checks):
        for axis, middle in (("2", 1.06), ("3", 2.0)):
            figure.add_scatter(**_labels(["needs more sweeps"], [most / 2], [middle], axis=axis, side="center"))
    lowest = float(acceptance["acceptance"].min()) if len(acceptance) else 0.9
    across = {"range": [0, most], "zeroline": False, "title": axis_title("sweeps")}
    accepted = {"title": axis_title("accepted"), "tickformat": ".0%", "range": [max(lowest - 0.05, 0.0), 1.01]}
    axes = side_by_side(
        ([0, 0.24], across, accepted),
        ([0.39, 0.63], across, {"title": axis_title("R-hat"), "range": [0.98, 1.03 * _top(checks["r_hat"], 1.1)]}),
        ([0.76, 1], across, {"title": axis_title("ESS"), "range": [0, 1.08 * _top(checks["ess"], 4.0)]}),
    )
    figure.update_layout(showlegend=False, margin={"t": 50, "r": 30}, **axes)
    return figure


def _top(values: Any, least: float) -> float:
    """The largest of the values that exist, but not less than this."""
    return float(max([least, *(value for value in values if np.isfinite(value))]))


def speed_figure(speeds: pd.DataFrame, *, title: str = "") -> go.Figure:
    """Draw tokens per second, and effective draws per second, of each sampler: bars on logarithmic axes.

    Parameters
    ----------
    speeds : DataFrame
        One row per ``sampler``: ``tokens_per_second``, ``ess_per_second`` (NaN where there is no such number), and
        ``instead``, words that stand in its place.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "", "", height=110 + 34 * len(speeds), hovermode="closest")
    tokens, draws = (speeds[column].tolist() for column in ("tokens_per_second", "ess_per_second"))
    _add_bars(figure, speeds, "tokens per second", tokens, "")
    _add_bars(figure, speeds, "ESS per second", draws, "2")
    rows = {"range": [len(speeds) - 0.4, -0.6], "showgrid": False}
    axes = side_by_side(
        ([0, 0.38], {**_decades(tokens), "title": axis_title("tokens per second")}, {**rows, "ticklabelstandoff": 4}),
        ([0.56, 0.9], {**_decades(draws), "title": axis_title("ESS per second")}, {**rows, "showticklabels": False}),
    )
    figure.update_layout(showlegend=False, margin={"r": 10, "t": 50}, **axes)
    return figure


def _add_bars(figure: go.Figure, speeds: pd.DataFrame, name: str, values: Sequence[float], axis: str) -> None:
    """Bars, and numbers at their ends; words where there is no number."""
    known = np.isfinite(values)
    base = 10 ** _decades(values)["range"][0]
    samplers = speeds["sampler"].tolist()
    common = {
        "x": [value if fine else base for value, fine in zip(values, known, strict=True)],
        "y": samplers,
        **on_axes(axis),
    }
    figure.add_bar(
        **common,
        name=name,
        orientation="h",
        marker={"color": [SAMPLER_COLOURS[sampler] for sampler in samplers]},
        hovertemplate="%{y}: %{x:,.3g}<extra></extra>",
    )
    words = zip(values, known, speeds["instead"], strict=True)
    figure.add_scatter(
        **common,
        name="numbers",
        text=[_number(value) if fine else instead for value, fine, instead in words],
        mode="text",
        textposition="middle right",
        textfont={"size": 12, "color": DARK_GREY},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _number(value: float) -> str:
    """A number beside the end of a bar, with a gap that plotly does not drop."""
    return "\N{NO-BREAK SPACE}" + (f"{value:,.0f}" if value >= 10 else f"{value:.2g}")


def _decades(values: Sequence[float]) -> dict[str, Any]:
    """A logarithmic axis for bars; without numbers and grid if there are no bars."""
    known = [value for value in values if np.isfinite(value) and value > 0]
    if not known:
        # One number that nobody sees keeps the title where it is.
        unseen = {"tickvals": [1.0], "ticktext": ["\N{NO-BREAK SPACE}"], "showgrid": False, "showline": False}
        return {**_log_axis(-1.0, 0.1), **unseen}
    return _log_axis(float(np.floor(np.log10(min(known)) - 0.3)), float(np.log10(max(known)) + 0.1))


# --- distance from the posterior ----------------------------------------------------------------------------------


def variation_figure(curves: pd.DataFrame, floor: pd.DataFrame, *, title: str = "") -> go.Figure:
    """Draw total variation from the exact posterior against sweeps; dashed: as many independent draws.

    Parameters
    ----------
    curves : DataFrame
        One row per point of a curve: ``sampler``, ``draws`` (sweeps that count) and ``variation``.
    floor : DataFrame
        The same of independent draws: ``draws`` and ``variation``.
    title : str
        Stands above the figure.
    """
    figure = house_figure(title, "", "", height=420, hovermode="closest")
    draws, lowest = floor["draws"].to_numpy(), floor["variation"].to_numpy()
    said = "as many independent draws: %{y:.4f}<extra></extra>"
    look = {"colour": DARK_GREY, "width": 2, "dash": "dash"}
    add_reference(figure, draws, lowest, name="independent draws", hovertemplate=said, **look)
    last: dict[Any, float] = {"independent draws": lowest[-1]}
    for sampler, rows in curves.groupby("sampler", sort=False):
        x, y = rows["draws"].to_numpy(), rows["variation"].to_numpy()
        figure.add_scatter(
            **_line(sampler, x, y, width=2.5, axis=""),
            hovertemplate=f"{sampler}: %{{y:.4f}} after %{{x:,}} sweeps<extra></extra>",
        )
        last[sampler] = y[-1]
    values = np.concatenate([lowest, curves["variation"].to_numpy()])
    low, high = np.log10(values.min()), np.log10(values.max())
    span = max(high - low, 0.5)
    heights = [10**y for y in apart([float(np.log10(end)) for end in last.values()], 0.06 * span)]
    figure.add_scatter(**_labels(list(last), [draws[-1]] * len(last), heights, axis="", side="right"))
    start, end = np.log10(draws[0]), np.log10(max(draws[-1], 2 * draws[0]))
    title_y = axis_title("total variation from the posterior")
    figure.update_layout(
        showlegend=False,
        margin={"r": 130, "t": 50},  # for the names at the ends of the lines
        xaxis={**_log_axis(start, end), "title": axis_title("sweeps that count")},
        yaxis={**_log_axis(low - 0.1 * span, high + 0.04 * span), "title": title_y},
    )
    return figure

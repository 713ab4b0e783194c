"""Figures of samplers: likelihood against time and sweeps, acceptance, agreement of chains, distance from the truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from semwork.plots.style import PALETTE, axis_title, house_figure

if TYPE_CHECKING:
    from semwork.topics.exactness import ExactnessStep
    from semwork.topics.race import RacePath, RaceStep

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
_DASHES = {"naive": "solid", "cholesky": "dot", "alias": "solid", "precision": "solid", "fast": "solid"}
_GREY = "#6b6b6b"
_AGREED = 1.01  # R-hat below this: Vehtari and others (2021)
_USABLE = 1.1


def likelihood_figure(step: RaceStep, *, title: str = "") -> go.Figure:
    """Draw the log-likelihood of each sampler's first chain against its own seconds, and against its sweeps.

    The other chains are thin lines beside it.
    """
    figure = house_figure(title, "", "", height=390, hovermode="closest")
    paths = step.paths
    for axis, unit in (("", "s"), ("2", "sweeps")):
        for path in paths:
            x = path.sweeps if axis else path.seconds
            for chain, y in enumerate(path.log_likelihood):
                figure.add_scatter(
                    **_line(path.sampler, x, y, width=1 if chain else 2.5, axis=axis, opacity=0.45 if chain else 1),
                    hovertemplate=f"{path.sampler}: %{{y:.4f}} after %{{x:.3g}} {unit}<extra></extra>",
                )
    low, high = _likelihoods(paths)
    names, gap = [path.sampler for path in paths], 0.08 * max(high - low, 1e-3)
    starts = np.array([path.seconds[0] for path in paths])
    # Below the beginning of each line, one row for each: lines may begin together.
    rows = [low - gap * (1 + place) for place in np.argsort(np.argsort(starts, kind="stable"))]
    ends = apart([path.log_likelihood[0, -1] for path in paths], gap)
    most = max(5, *(len(path.seconds) for path in paths))
    figure.add_scatter(**_labels(names, starts, rows, axis="", side="center"))
    figure.add_scatter(**_labels(names, [most] * len(names), ends, axis="2", side="right"))
    first, last = np.log10(starts.min()), np.log10(max(2 * starts.min(), *(path.seconds[-1] for path in paths)))
    slowest = np.log10(starts.max())
    # Names stand in the middle below the beginning of a line: on both sides they need half their width, 30 pixels.
    room = 0.26 * (max(last, slowest) - first)
    seconds = _log_axis(first - room, max(last + 0.05, slowest + room))
    upright = {"range": [low - (len(paths) + 0.7) * gap, max(high, *ends) + gap]}
    figure.update_layout(
        showlegend=False,
        margin={"r": 10, "t": 50},
        xaxis={**seconds, "domain": [0, 0.45], "title": axis_title("seconds of sampling")},
        xaxis2={
            "domain": [0.54, 0.9],
            "anchor": "y2",
            "title": axis_title("sweeps"),
            "range": [0, most],
            "zeroline": False,
        },
        yaxis={**upright, "title": axis_title("log-likelihood per token")},
        yaxis2={**upright, "anchor": "x2"},
    )
    return figure


def _line(sampler: str, x: Any, y: Any, *, width: float, axis: str, opacity: float = 1.0) -> dict[str, Any]:
    return {
        "name": sampler,
        "x": x,
        "y": y,
        "mode": "lines" if len(x) > 1 else "markers",
        "line": {"color": SAMPLER_COLOURS[sampler], "width": width, "dash": _DASHES[sampler]},
        "marker": {"color": SAMPLER_COLOURS[sampler], "size": 7},
        "opacity": opacity,
        "xaxis": "x" + axis,
        "yaxis": "y" + axis,
    }


def _likelihoods(paths: Sequence[RacePath]) -> tuple[float, float]:
    values = np.concatenate([path.log_likelihood.ravel() for path in paths])
    return float(values.min()), float(values.max())


def apart(values: Sequence[float], gap: float) -> list[float]:
    """Move places for labels until they are a gap apart, in their order, around where they were."""
    places = np.asarray(values, dtype=float)
    order = np.argsort(places, kind="stable")
    wanted = places[order]
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
        "textfont": {"size": 13, "color": [SAMPLER_COLOURS.get(name, _GREY) for name in names]},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "xaxis": "x" + axis,
        "yaxis": "y" + axis,
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


def agreement_of_chains_figure(step: RaceStep, *, title: str = "") -> go.Figure:
    """Draw acceptance of proposals, R-hat and effective sample size against sweeps."""
    figure = house_figure(title, "", "", height=290, hovermode="closest")
    asked = [path for path in step.paths if path.sampler in ("alias", "fast")]
    for path in asked:
        figure.add_scatter(
            **_line(path.sampler, path.sweeps, path.acceptance, width=2, axis=""),
            hovertemplate=f"{path.sampler}: %{{y:.1%}} accepted in sweep %{{x}}<extra></extra>",
        )
    for axis, what in (("2", "r_hat"), ("3", "ess")):
        for path in step.paths:
            figure.add_scatter(
                **_line(path.sampler, path.checked, getattr(path, what), width=2, axis=axis),
                hovertemplate=f"{path.sampler}: %{{y:.3f}} after %{{x}} sweeps<extra></extra>",
            )
    most = max(5, *(len(path.seconds) for path in step.paths))
    figure.add_scatter(
        name="chains agree",
        x=[0, most],
        y=[_AGREED] * 2,
        mode="lines",
        line={"color": _GREY, "width": 1.5, "dash": "dash"},
        hovertemplate=f"below {_AGREED} chains are said to agree<extra></extra>",
        xaxis="x2",
        yaxis="y2",
    )
    if not asked:
        figure.add_scatter(**_labels(["nothing is proposed"], [most / 2], [0.93], axis="", side="center"))
    if not any(len(path.r_hat) for path in step.paths):
        for axis, middle in (("2", 1.06), ("3", 2.0)):
            waiting = _labels(["needs more sweeps"], [most / 2], [middle], axis=axis, side="center")
            figure.add_scatter(**waiting)
    hats = np.concatenate([[1.1], *(path.r_hat[np.isfinite(path.r_hat)] for path in step.paths)])
    sizes = np.concatenate([[4.0], *(path.ess[np.isfinite(path.ess)] for path in step.paths)])
    lowest = min((float(path.acceptance.min()) for path in asked), default=0.9)
    sweeps = {"range": [0, most], "zeroline": False, "title": axis_title("sweeps")}
    figure.update_layout(
        showlegend=False,
        margin={"t": 50, "r": 30},
        xaxis={**sweeps, "domain": [0, 0.24]},
        xaxis2={**sweeps, "domain": [0.39, 0.63], "anchor": "y2"},
        xaxis3={**sweeps, "domain": [0.76, 1], "anchor": "y3"},
        yaxis={"title": axis_title("accepted"), "tickformat": ".0%", "range": [max(lowest - 0.05, 0.0), 1.01]},
        yaxis2={"title": axis_title("R-hat"), "anchor": "x2", "range": [0.98, float(hats.max() * 1.03)]},
        yaxis3={"title": axis_title("ESS"), "anchor": "x3", "range": [0, float(sizes.max() * 1.08)]},
    )
    return figure


def speed_figure(step: RaceStep, *, title: str = "") -> go.Figure:
    """Draw tokens per second, and effective draws per second, of each sampler: bars on logarithmic axes.

    Where chains disagree (R-hat above 1.1) the number of effective draws means nothing and has no bar.
    """
    figure = house_figure(title, "", "", height=110 + 34 * len(step.paths), hovermode="closest")
    names = [path.sampler for path in step.paths]
    speeds = [path.speed for path in step.paths]
    sizes = [path.ess_per_second if len(path.r_hat) and path.r_hat[-1] <= _USABLE else np.nan for path in step.paths]
    for axis, values, scale in (("", speeds, _decades(speeds)), ("2", sizes, _decades(sizes))):
        known = np.isfinite(values)
        base = 10 ** scale["range"][0]
        figure.add_bar(
            name="ESS per second" if axis else "tokens per second",
            x=[value if fine else base for value, fine in zip(values, known, strict=True)],
            y=names,
            orientation="h",
            marker={"color": [SAMPLER_COLOURS[name] for name in names]},
            hovertemplate="%{y}: %{x:,.3g}<extra></extra>",
            xaxis="x" + axis,
            yaxis="y" + axis,
        )
        figure.add_scatter(
            name="numbers",
            x=[value if fine else base for value, fine in zip(values, known, strict=True)],
            y=names,
            text=[
                _number(value) if fine else _why_not(path)
                for value, fine, path in zip(values, known, step.paths, strict=True)
            ],
            mode="text",
            textposition="middle right",
            textfont={"size": 12, "color": _GREY},
            cliponaxis=False,
            hoverinfo="skip",
            xaxis="x" + axis,
            yaxis="y" + axis,
        )
    figure.update_layout(
        showlegend=False,
        margin={"r": 10, "t": 50},
        xaxis={**_decades(speeds), "domain": [0, 0.38], "title": axis_title("tokens per second")},
        xaxis2={**_decades(sizes), "domain": [0.56, 0.9], "anchor": "y2", "title": axis_title("ESS per second")},
        yaxis={"range": [len(names) - 0.4, -0.6], "showgrid": False, "ticklabelstandoff": 4},
        yaxis2={"range": [len(names) - 0.4, -0.6], "showgrid": False, "anchor": "x2", "showticklabels": False},
    )
    return figure


def _why_not(path: RacePath) -> str:
    """Say why there is no number of effective draws."""
    if not len(path.r_hat):
        return "needs more sweeps"
    return "nothing moves" if np.isnan(path.r_hat[-1]) else "chains disagree"


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


def variation_figure(step: ExactnessStep, *, title: str = "") -> go.Figure:
    """Draw total variation from the exact posterior against sweeps; dashed: as many independent draws."""
    figure = house_figure(title, "", "", height=420, hovermode="closest")
    first = step.curves[0]
    figure.add_scatter(
        name="independent draws",
        x=first.draws,
        y=first.floor,
        mode="lines",
        line={"color": _GREY, "width": 2, "dash": "dash"},
        hovertemplate="as many independent draws: %{y:.4f}<extra></extra>",
    )
    for curve in step.curves:
        figure.add_scatter(
            **_line(curve.sampler, curve.draws, curve.variation, width=2.5, axis=""),
            hovertemplate=f"{curve.sampler}: %{{y:.4f}} after %{{x:,}} sweeps<extra></extra>",
        )
    values = np.concatenate([first.floor, *(curve.variation for curve in step.curves)])
    low, high = np.log10(values.min()), np.log10(values.max())
    ends = [np.log10(first.floor[-1]), *(np.log10(curve.variation[-1]) for curve in step.curves)]
    names = ["independent draws", *(curve.sampler for curve in step.curves)]
    span = max(high - low, 0.5)
    places = [10**y for y in apart(ends, 0.06 * span)]
    figure.add_scatter(**_labels(names, [first.draws[-1]] * len(names), places, axis="", side="right"))
    start, end = np.log10(first.draws[0]), np.log10(max(first.draws[-1], 2 * first.draws[0]))
    figure.update_layout(
        showlegend=False,
        margin={"r": 130, "t": 50},  # for the names at the ends of the lines
        xaxis={**_log_axis(start, end), "title": axis_title("sweeps that count")},
        yaxis={
            **_log_axis(low - 0.1 * span, high + 0.04 * span),
            "title": axis_title("total variation from the posterior"),
        },
    )
    return figure

"""The panels of the lesson on convergence: samplers in a race, and samplers against a posterior that is known."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.plots import agreement_of_chains_figure, likelihood_figure, speed_figure, variation_figure
from semwork.topics import SAMPLERS, TinyProblem, tiny_problem
from semwork.topics.exactness import ExactnessStep, exactness_steps
from semwork.topics.race import RACES, RaceStep, SamplerRace
from widgets.panel import Panel

__all__ = ["sampler_bias", "sampler_race"]

_DATA = {
    "planted": "planted: 5 topics in 2 dimensions",
    "sample": "sample: 400 texts, vectors of 12 numbers",
    "newsgroups": f"20 newsgroups: {RACES['newsgroups'].documents} texts, GloVe",
}

_RACE_CODE = """\
from semwork.plots import agreement_of_chains_figure, likelihood_figure, speed_figure
from semwork.steps import last
from semwork.topics.race import SamplerRace

race = SamplerRace({data!r}, seed={seed})
end = last(
    race.steps(
        {samplers!r},
        mh_steps={mh_steps},
        refresh={refresh},
        freeze={freeze},
        burn_in={burn_in},
        chains={chains},
        max_sweeps={sweeps},
        seconds={seconds},  # a sampler may end earlier or later on another machine
    )
)
print(end.table.round(3).to_string(index=False))
figures = [likelihood_figure(end), agreement_of_chains_figure(end), speed_figure(end)]
for figure in figures:
    figure.show()
"""

_BIAS_CODE = """\
from semwork.plots import variation_figure
from semwork.steps import last
from semwork.topics import tiny_problem
from semwork.topics.exactness import exactness_steps

problem = tiny_problem(random_state={problem})
end = last(
    exactness_steps(
        problem,
        {samplers!r},
        refresh={refresh},
        mh_steps={mh_steps},
        thin={thin},
        sweeps={sweeps},
        random_state={seed},
    )
)
print(end.table.round(3).to_string(index=False))
figure = variation_figure(end)
figure.show()
"""


# --- controls -----------------------------------------------------------------------------------------------------


def _mh_steps() -> Any:
    return ipw.IntSlider(
        2, min=1, max=8, description="Metropolis–Hastings steps", tooltip="proposals per token, of alias and fast"
    )


def _samplers(chosen: Sequence[str]) -> Any:
    return ipw.SelectMultiple(
        options=SAMPLERS, value=tuple(chosen), rows=5, description="samplers", tooltip="Ctrl-click takes one in or out"
    )


def _seed(what: str) -> Any:
    return ipw.BoundedIntText(0, min=0, max=9999, description="seed", tooltip=what)


def _buttons(options: list[tuple[str, Any]], description: str, tooltip: str) -> Any:
    style = {"button_width": "112px"}
    return ipw.ToggleButtons(options=options, description=description, tooltip=tooltip, style=style)


def _race_controls() -> dict[str, Any]:
    return {
        "mh_steps": _mh_steps(),
        "refresh": ipw.SelectionSlider(
            options=[1, 2, 5, 10, 20],
            description="table filled every … sweeps",
            tooltip="how stale may the table of alias and fast become?",
        ),
        "freeze": _buttons(
            [("frozen", True), ("refreshed", False)],
            "after burn-in the table is",
            "refreshed: as we read the paper, biased",
        ),
        "chains": ipw.IntSlider(2, min=1, max=4, description="chains", tooltip="of each sampler, with other seeds"),
        "samplers": _samplers(SAMPLERS),
        "data": ipw.Dropdown(
            options=[(text, name) for name, text in _DATA.items()],
            value="sample",
            description="data",
            tooltip="newsgroups and GloVe are fetched first: see lesson 00",
        ),
        "sweeps": ipw.SelectionSlider(
            options=[20, 50, 100, 200, 400],
            value=100,
            description="sweeps at most",
            tooltip="a fifth of them is burn-in",
        ),
        "seconds": ipw.SelectionSlider(
            options=[1, 2, 5, 10, 30, 60], value=1, description="seconds of a chain at most", tooltip="by its own clock"
        ),
        "seed": _seed("of the start: all samplers begin with the same topics"),
    }


def _bias_controls() -> dict[str, Any]:
    return {
        "refresh": ipw.SelectionSlider(
            options=[
                ("never: frozen", 0),
                ("every 1000 sweeps", 1000),
                ("every 100", 100),
                ("every 10", 10),
                ("every sweep", 1),
            ],
            description="the table is filled anew",
            tooltip="for alias and fast; precision has no table",
        ),
        "mh_steps": _mh_steps(),
        "thin": ipw.SelectionSlider(
            options=[1, 5, 20, 100],
            description="every … sweep counts",
            tooltip="far apart, sweeps know little of each other",
        ),
        "samplers": _samplers(("alias", "precision", "fast")),
        "sweeps": ipw.SelectionSlider(
            options=[(f"{value:,}", value) for value in (10_000, 30_000, 100_000, 300_000, 1_000_000)],
            value=100_000,
            description="sweeps",
            tooltip="a million: up to a minute",
        ),
        "problem": ipw.BoundedIntText(
            0, min=0, max=9999, description="problem", tooltip="seed of the word vectors: another posterior"
        ),
        "seed": _seed("of the samplers"),
    }


# --- the race -----------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4)
def _race(data: str, seed: int) -> SamplerRace:
    return SamplerRace(data, seed=seed)


def _run_race(data: str, seed: int, samplers: Sequence[str], sweeps: int, **settings: Any) -> Iterator[RaceStep]:
    return _race(data, seed).steps(samplers, burn_in=sweeps // 5, max_sweeps=sweeps, **settings)


def _likelihood(step: RaceStep) -> go.Figure:
    best = max(step.paths, key=lambda path: path.log_likelihood[0, -1])
    return likelihood_figure(
        step,
        title=f"{step.race.tokens:,} tokens, {step.race.n_topics} topics: {best.sampler} is highest now",
    )


def _agreement(step: RaceStep) -> go.Figure:
    count = len(step.paths[0].log_likelihood)
    who = f"Do the {count} chains of a sampler agree?" if count > 1 else "Do the halves of a chain agree?"
    return agreement_of_chains_figure(step, title=f"{who} Below 1.01, the dashed line")


def _speed(step: RaceStep) -> go.Figure:
    slow, quick = (order(step.paths, key=lambda path: path.speed) for order in (min, max))
    ratio = f": {quick.sampler} is {quick.speed / slow.speed:,.1f} times as fast as {slow.sampler}"
    return speed_figure(step, title=f"Speed{ratio if slow is not quick else ''}")


def _race_code(sweeps: int, **settings: Any) -> str:
    return _RACE_CODE.format(burn_in=sweeps // 5, sweeps=sweeps, **settings)


def sampler_race() -> Panel:
    """A panel that starts samplers together and follows likelihood, acceptance, R-hat and ESS."""
    pictures = {"likelihood": _likelihood, "agreement": _agreement, "speed": _speed}
    controls = _race_controls()
    panel: Panel

    def settle(change: Any) -> None:
        """Give real data more time: in a second nobody would get past burn-in."""
        if not panel.restoring:
            with panel.together():
                controls["seconds"].value = 10 if change["new"] == "newsgroups" else 1

    # Before the panel listens: when it hears of other data the seconds are right.
    controls["data"].observe(settle, names="value")
    panel = Panel("Sampler race", controls, _run_race, pictures, code=_race_code)
    return panel


# --- the tiny problem ---------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def _problem(seed: int) -> TinyProblem:
    return tiny_problem(random_state=seed)


def _run_bias(problem: int, samplers: Sequence[str], seed: int, **settings: Any) -> Iterator[ExactnessStep]:
    return exactness_steps(_problem(problem), samplers, random_state=seed, **settings)


def _variation(step: ExactnessStep) -> go.Figure:
    worst = max(step.curves, key=lambda curve: curve.above_floor)
    return variation_figure(
        step, title=f"{worst.sampler} has {worst.above_floor:.2f} times the distance of independent draws"
    )


def sampler_bias() -> Panel:
    """A panel on the problem that can be enumerated: the curve of a biased sampler does not go down."""
    return Panel("Against the truth", _bias_controls(), _run_bias, _variation, code=_BIAS_CODE.format)

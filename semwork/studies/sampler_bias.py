"""Which samplers end at a posterior that can be written down, and which do not?"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import lcm

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.steps import Step
from semwork.studies import sampler_fields
from semwork.studies.settings import Settings, choice, seed, whole
from semwork.studies.study import Answer, Study
from semwork.topics.samplers import SAMPLERS, SamplerName
from semwork.topics.tiny import TinyProblem, VariationStep, tiny_problem, variation_steps

__all__ = ["BiasSettings", "BiasStep", "SamplerBias", "VariationCurve", "problem_of_seed"]

Floats = NDArray[np.float64]
_CHUNK = 200  # sweeps between two looks
_GROWTH = 1.12  # between two points of a curve, which is drawn on logarithmic axes


@dataclass(frozen=True, kw_only=True)
class BiasSettings(Settings):
    """Which samplers run, how, and on which problem."""

    refresh: int = choice(
        0,
        "the table is filled anew",
        "for alias and fast; precision has no table",
        {"never: frozen": 0, "every 1000 sweeps": 1000, "every 100": 100, "every 10": 10, "every sweep": 1},
        shown="slider",
    )
    mh_steps: int = sampler_fields.mh_steps()
    thin: int = whole(
        1, "every … sweep counts", "far apart, sweeps know little of each other", 1, 10_000, grid=(1, 5, 20, 100)
    )
    samplers: tuple[str, ...] = sampler_fields.samplers(("alias", "precision", "fast"))
    sweeps: int = whole(
        100_000,
        "sweeps",
        "a million: up to a minute",
        1,
        100_000_000,
        grid=(10_000, 30_000, 100_000, 300_000, 1_000_000),
    )
    problem: int = seed("seed of the word vectors: another posterior", "problem")
    seed: int = seed("of the samplers")


@dataclass(frozen=True, eq=False)
class VariationCurve:
    """Total variation of one sampler's visits from the posterior, after more and more sweeps.

    Attributes
    ----------
    sampler : str
        Its name.
    draws : ndarray of shape (n_points,)
        Sweeps after burn-in that count.
    variation : ndarray of shape (n_points,)
        Distance of the visited states from the posterior after so many sweeps, 0 to 1.
    floor : ndarray of shape (n_points,)
        What as many independent draws from the posterior are expected to have.
    acceptance : ndarray of shape (n_points,)
        Share of the proposals that were accepted since the point before.
    """

    sampler: SamplerName
    draws: NDArray[np.int64]
    variation: Floats
    floor: Floats
    acceptance: Floats

    @property
    def above_floor(self) -> float:
        """How many times the floor the last point is: near 1 for a sampler that is right and mixes well."""
        return float(self.variation[-1] / self.floor[-1])


@dataclass(frozen=True, kw_only=True)
class BiasStep(Step):
    """The curves of all samplers so far.

    Attributes
    ----------
    curves : tuple of VariationCurve
        One for each sampler.
    """

    curves: tuple[VariationCurve, ...]

    def of(self, sampler: str) -> VariationCurve:
        """Return the curve of one sampler.

        Parameters
        ----------
        sampler : str
            Its name, one of `SAMPLERS`.

        Returns
        -------
        VariationCurve
        """
        for curve in self.curves:
            if curve.sampler == sampler:
                return curve
        raise KeyError(f"there is no curve of {sampler!r}; there are {', '.join(c.sampler for c in self.curves)}")


@dataclass(frozen=True, eq=False)
class Distances(Answer):
    """How far samplers are from the posterior, beside independent draws."""

    curves: pd.DataFrame
    floor: pd.DataFrame
    title: str


def problem_of_seed(seed: int) -> TinyProblem:
    """Return the lesson's problem, with word vectors that are drawn with this seed."""
    return tiny_problem(random_state=seed)


class SamplerBias(Study[BiasSettings, BiasStep]):
    """Samplers side by side on a problem whose assignments of topics can be enumerated.

    Parameters
    ----------
    make_problem : callable, optional
        From a seed it makes a `TinyProblem`.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = SamplerBias()
    >>> end = last(study.steps(BiasSettings(samplers=("precision", "fast"), refresh=1, sweeps=20_000)))
    >>> bool(end.of("precision").above_floor < 1.3 < end.of("fast").above_floor)
    True
    """

    settings = BiasSettings

    def __init__(self, make_problem: Callable[[int], TinyProblem] = problem_of_seed) -> None:
        self.problem = functools.lru_cache(maxsize=8)(make_problem)

    def steps(self, settings: BiasSettings) -> Iterator[BiasStep]:
        """Run the samplers; a step adds a point to every curve."""
        settings = settings.checked()
        sampler_fields.check_some(settings.samplers, "no sampler was given")
        # A call that refreshes fills the table first: looking more often than refreshing would fill it more often.
        together = lcm(settings.refresh or 1, settings.thin)
        chunk = together * max(_CHUNK // together, 1)
        n_chunks = max(settings.sweeps // chunk, 1)
        problem, names = self.problem(settings.problem), [name for name in SAMPLERS if name in settings.samplers]
        runs = [
            variation_steps(
                problem,
                name,
                refresh=settings.refresh,
                mh_steps=settings.mh_steps,
                thin=settings.thin,
                sweeps_per_step=chunk,
                n_steps=n_chunks,
                random_state=settings.seed,
            )
            for name in names
        ]
        points: list[list[VariationStep]] = [[] for _ in runs]
        for place in _places(n_chunks):
            for run, found in zip(runs, points, strict=True):
                found.append(_after(run, place))
            worst = max(found[-1].variation / found[-1].floor for found in points)
            yield BiasStep(
                done=place,
                total=n_chunks,
                message=f"{place * chunk:,} sweeps; the worst sampler has {worst:.2f} times the floor",
                curves=tuple(_curve(name, found) for name, found in zip(names, points, strict=True)),
            )

    def table(self, step: BiasStep) -> pd.DataFrame:
        """Return one row per sampler: where its curve is now."""
        return pd.DataFrame(
            {
                "sampler": curve.sampler,
                "draws": curve.draws[-1],
                "total variation": curve.variation[-1],
                "floor": curve.floor[-1],
                "times the floor": curve.above_floor,
                "acceptance": curve.acceptance[-1],
            }
            for curve in step.curves
        )

    def distances(self, step: BiasStep) -> Distances:
        """Return the curves of all samplers, and of as many independent draws."""
        worst, first = max(step.curves, key=lambda curve: curve.above_floor), step.curves[0]
        tables = [pd.DataFrame({"draws": curve.draws, "variation": curve.variation}) for curve in step.curves]
        curves = pd.concat([table.assign(sampler=c.sampler) for table, c in zip(tables, step.curves, strict=True)])
        floor = pd.DataFrame({"draws": first.draws, "variation": first.floor})
        title = f"{worst.sampler} has {worst.above_floor:.2f} times the distance of independent draws"
        return Distances(curves, floor, title)


def _places(n_chunks: int) -> list[int]:
    """Return 1, 2, 3, …, then with growing gaps, to the end."""
    found = [1]
    while found[-1] < n_chunks:
        found.append(min(max(found[-1] + 1, round(found[-1] * _GROWTH)), n_chunks))
    return found


def _after(run: Iterator[VariationStep], place: int) -> VariationStep:
    """Go on to the step of that number; the acceptance is the mean of those on the way."""
    accepted = []
    for step in run:
        accepted.append(step.acceptance)
        if step.done == place:
            return replace(step, acceptance=float(np.mean(accepted)))
    raise RuntimeError(f"the run ended before its step {place}")


def _curve(name: SamplerName, points: list[VariationStep]) -> VariationCurve:
    return VariationCurve(
        sampler=name,
        draws=np.array([point.draws for point in points]),
        variation=np.array([point.variation for point in points]),
        floor=np.array([point.floor for point in points]),
        acceptance=np.array([point.acceptance for point in points]),
    )

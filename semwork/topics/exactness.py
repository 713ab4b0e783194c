"""Samplers side by side on the problem that can be enumerated: which of them end at the posterior, which do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.steps import Step
from semwork.topics.checking import check_count
from semwork.topics.samplers import SAMPLERS, SamplerName
from semwork.topics.tiny import TinyProblem, VariationStep, variation_steps

__all__ = ["ExactnessStep", "VariationCurve", "exactness_steps"]

Floats = NDArray[np.float64]
_CHUNK = 200  # sweeps between two looks
_GROWTH = 1.12  # between two points of a curve, which is drawn on logarithmic axes


@dataclass(frozen=True, eq=False)
class VariationCurve:
    """Total variation of one sampler's visits from the posterior, after more and more sweeps.

    Attributes
    ----------
    sampler
        Its name.
    draws
        Sweeps after burn-in that count.
    variation
        Distance of the visited states from the posterior after so many sweeps, 0 to 1.
    floor
        What as many independent draws from the posterior are expected to have.
    acceptance
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
class ExactnessStep(Step):
    """The curves of all samplers so far."""

    curves: tuple[VariationCurve, ...]

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per sampler: where its curve is now."""
        return pd.DataFrame(
            {
                "sampler": curve.sampler,
                "draws": curve.draws[-1],
                "total variation": curve.variation[-1],
                "floor": curve.floor[-1],
                "times the floor": curve.above_floor,
                "acceptance": curve.acceptance[-1],
            }
            for curve in self.curves
        )

    def of(self, sampler: str) -> VariationCurve:
        """Return the curve of one sampler."""
        for curve in self.curves:
            if curve.sampler == sampler:
                return curve
        raise KeyError(f"there is no curve of {sampler!r}; there are {', '.join(c.sampler for c in self.curves)}")


def exactness_steps(
    problem: TinyProblem,
    samplers: Sequence[str] = ("precision", "alias", "fast"),
    *,
    refresh: int = 0,
    mh_steps: int = 2,
    thin: int = 1,
    sweeps: int = 100_000,
    random_state: int = 0,
) -> Iterator[ExactnessStep]:
    """Run samplers on a tiny problem; a step adds a point to every curve.

    Parameters
    ----------
    problem
        As `tiny_problem` makes it.
    samplers
        Some of `SAMPLERS`.
    refresh
        For alias and fast: after how many sweeps the table is filled anew; 0 freezes it after burn-in.
    mh_steps, thin, random_state
        As of `variation_steps`.
    sweeps
        Of each sampler.

    Examples
    --------
    >>> from semwork.topics import tiny_problem
    >>> *_, end = exactness_steps(tiny_problem(), ("precision", "fast"), refresh=1, sweeps=20_000)
    >>> bool(end.of("precision").above_floor < 1.3 < end.of("fast").above_floor)
    True
    """
    unknown = [name for name in samplers if name not in SAMPLERS]
    if unknown or not samplers:
        given = f"there is no sampler {unknown[0]!r}" if unknown else "no sampler was given"
        raise ValueError(f"{given}; choose some of {', '.join(map(repr, SAMPLERS))}")
    # A call that refreshes fills the table first: looking more often than refreshing would fill it more often.
    together = lcm(check_count("refresh", refresh, at_least=0) or 1, check_count("thin", thin))
    chunk = together * max(_CHUNK // together, 1)
    n_chunks = max(check_count("sweeps", sweeps) // chunk, 1)
    options = {"refresh": refresh, "mh_steps": mh_steps, "thin": thin, "sweeps_per_step": chunk, "n_steps": n_chunks}
    names = [name for name in SAMPLERS if name in samplers]
    runs = [variation_steps(problem, name, random_state=random_state, **options) for name in names]
    kept: list[list[VariationStep]] = [[] for _ in runs]
    for place in _places(n_chunks):
        for run, points in zip(runs, kept, strict=True):
            points.append(_after(run, place))
        worst = max(points[-1].variation / points[-1].floor for points in kept)
        yield ExactnessStep(
            done=place,
            total=n_chunks,
            message=f"{place * chunk:,} sweeps; the worst sampler has {worst:.2f} times the floor",
            curves=tuple(_curve(name, points) for name, points in zip(names, kept, strict=True)),
        )


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
            return VariationStep(**{**vars(step), "acceptance": float(np.mean(accepted))})
    raise RuntimeError(f"the run ended before its step {place}")


def _curve(name: SamplerName, points: list[VariationStep]) -> VariationCurve:
    return VariationCurve(
        sampler=name,
        draws=np.array([point.draws for point in points]),
        variation=np.array([point.variation for point in points]),
        floor=np.array([point.floor for point in points]),
        acceptance=np.array([point.acceptance for point in points]),
    )

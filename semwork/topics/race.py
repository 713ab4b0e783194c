"""Samplers of one posterior side by side: how fast each one climbs, and whether its chains agree.

Samplers take turns on one core. The next sweep belongs to the one that has used the least time, and the clock of a
sampler runs only while it sweeps: seconds of two samplers can be compared, however many others are in the race and
whatever the machine does between sweeps. Threads would share cores, and the seconds of each would depend on the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.steps import Step
from semwork.topics.checking import check_count
from semwork.topics.data import TopicData, check_data, topic_data
from semwork.topics.diagnostics import bulk_ess, r_hat
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.records import TopicStep
from semwork.topics.samplers import SAMPLERS, SamplerName

__all__ = ["RACES", "RacePath", "RaceStep", "SamplerRace"]

Floats = NDArray[np.float64]
_GROWTH = 1.08  # R-hat takes milliseconds: it is computed anew when the run has grown by so much


@dataclass(frozen=True)
class RaceSetting:
    """What a race runs on unless told otherwise: topics, prior, and how many documents (``None``: all)."""

    n_topics: int
    prior: NormalInverseWishart | None
    documents: int | None = None


#: Name of the data → what the race takes of it. All of 20 newsgroups would be a quarter of an hour per naive sweep.
RACES = {
    "planted": RaceSetting(5, None),
    "sample": RaceSetting(12, NormalInverseWishart(psi=100.0, nu=150)),
    "newsgroups": RaceSetting(20, None, 100),
}


@dataclass(frozen=True, eq=False)
class RacePath:
    """What one sampler has done so far.

    Attributes
    ----------
    sampler
        Its name.
    seconds
        After each sweep, what a chain has taken on average.
    log_likelihood
        Chains × sweeps, per token.
    acceptance
        Of each sweep, over all chains; 1 for exact samplers.
    tokens_per_second
        Of each sweep.
    checked
        After which sweeps R-hat and ESS were computed.
    r_hat, ess
        Of log p(vectors, topics) of all chains, over the sweeps after burn-in, from the eighth on.
    """

    sampler: SamplerName
    seconds: Floats
    log_likelihood: Floats
    acceptance: Floats
    tokens_per_second: Floats
    checked: NDArray[np.int64]
    r_hat: Floats
    ess: Floats

    @property
    def sweeps(self) -> NDArray[np.int64]:
        """1, 2, …."""
        return np.arange(1, len(self.seconds) + 1)

    @property
    def speed(self) -> float:
        """Tokens per second: the median of the sweeps, because the first one fills caches."""
        return float(np.median(self.tokens_per_second))

    @property
    def ess_per_second(self) -> float:
        """Effective draws in a second of sampling, of all chains one after the other."""
        if not len(self.ess):
            return float("nan")
        spent = self.seconds[self.checked[-1] - 1] * len(self.log_likelihood)
        return float(self.ess[-1] / max(spent, 1e-9))


@dataclass(frozen=True, kw_only=True)
class RaceStep(Step):
    """All samplers after one more sweep of one of them.

    Attributes
    ----------
    paths
        Of the samplers that have swept at least once, in the order of `SAMPLERS`.
    """

    paths: tuple[RacePath, ...]
    race: SamplerRace = field(repr=False, compare=False)

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per sampler: where it is now."""
        return pd.DataFrame(
            {
                "sampler": path.sampler,
                "sweeps": len(path.seconds),
                "seconds": path.seconds[-1],
                "tokens per second": path.speed,
                "log-likelihood": path.log_likelihood[:, -1].mean(),
                "acceptance": path.acceptance[-1],
                "R-hat": path.r_hat[-1] if len(path.r_hat) else np.nan,
                "ESS": path.ess[-1] if len(path.ess) else np.nan,
                "ESS per second": path.ess_per_second,
            }
            for path in self.paths
        )

    def of(self, sampler: str) -> RacePath:
        """Return the path of one sampler."""
        for path in self.paths:
            if path.sampler == sampler:
                return path
        raise KeyError(f"{sampler!r} has not swept yet; {', '.join(path.sampler for path in self.paths)} have")


class _Racer:
    """One sampler: its chains, and what they have told."""

    def __init__(self, sampler: SamplerName, runs: list[Iterator[TopicStep]], burn_in: int, end: int) -> None:
        self.sampler, self.runs, self.burn_in, self.end = sampler, runs, burn_in, end
        self.told: list[list[TopicStep]] = []  # sweeps × chains
        self.checks: list[tuple[int, float, float]] = []
        self.seconds = 0.0

    def sweep(self) -> None:
        """Let every chain do one sweep."""
        self.told.append([next(run) for run in self.runs])
        self.seconds = float(np.mean([step.seconds for step in self.told[-1]]))
        self.path = self._path()

    def _check(self) -> None:
        done = len(self.told)
        due = not self.checks or done >= _GROWTH * self.checks[-1][0] or done == self.end
        if done - self.burn_in >= 8 and due:
            draws = np.array([[step.log_joint for step in steps] for steps in self.told[self.burn_in :]]).T
            half = draws.shape[1] // 2
            compared = draws if len(draws) > 1 else draws[:, -2 * half :].reshape(2, half)
            self.checks.append((done, r_hat(compared), bulk_ess(draws)))

    def _path(self) -> RacePath:
        self._check()
        checks = np.array(self.checks, dtype=np.float64).reshape(-1, 3)
        return RacePath(
            sampler=self.sampler,
            seconds=self._each("seconds").mean(axis=0),
            log_likelihood=self._each("log_likelihood"),
            acceptance=self._each("acceptance").mean(axis=0),
            tokens_per_second=self._each("tokens_per_second").mean(axis=0),
            checked=checks[:, 0].astype(np.int64),
            r_hat=checks[:, 1],
            ess=checks[:, 2],
        )

    def _each(self, name: str) -> Floats:
        return np.array([[getattr(step, name) for step in steps] for steps in self.told], dtype=np.float64).T


class SamplerRace:
    """Documents and a model that several samplers are run on.

    Parameters
    ----------
    data
        A name of `RACES`, or a `TopicData`.
    n_topics, prior, alpha
        Of the model; ``None`` takes what `RACES` has for the data.
    documents
        How many, drawn by the seed; ``None`` takes what `RACES` has, 0 takes all.
    seed
        Of the draw, and of every sampler: all of them start from the same topics.

    Examples
    --------
    >>> race = SamplerRace("planted")
    >>> *_, end = race.steps(("cholesky", "fast"), max_sweeps=8, chains=2)
    >>> end.table[["sampler", "sweeps"]].to_dict("list")
    {'sampler': ['cholesky', 'fast'], 'sweeps': [8, 8]}
    """

    def __init__(
        self,
        data: str | TopicData = "sample",
        n_topics: int | None = None,
        prior: NormalInverseWishart | None = None,
        alpha: float = 0.1,
        documents: int | None = None,
        seed: int = 0,
    ) -> None:
        if isinstance(data, str) and data not in RACES:
            raise ValueError(f"there is no race on {data!r}; there are {', '.join(map(repr, RACES))}, or a TopicData")
        self.data = topic_data(data) if isinstance(data, str) else data
        check_data(self.data)
        setting = RACES[data] if isinstance(data, str) else RaceSetting(10, None)
        self.n_topics = setting.n_topics if n_topics is None else n_topics
        self.prior = setting.prior if prior is None else prior
        self.alpha, self.seed = alpha, seed
        limit = check_count("documents", (setting.documents or 0) if documents is None else documents, at_least=0)
        order = np.random.default_rng(seed).permutation(len(self.data))[: limit or None]
        self.documents = [self.data.documents[row] for row in sorted(order)]

    @property
    def tokens(self) -> int:
        """Words of all documents."""
        return sum(map(len, self.documents))

    def steps(
        self,
        samplers: Sequence[str] = SAMPLERS,
        *,
        mh_steps: int = 2,
        refresh: int = 1,
        freeze: bool = True,
        burn_in: int = 20,
        chains: int = 1,
        max_sweeps: int = 100,
        seconds: float | None = None,
    ) -> Iterator[RaceStep]:
        """Run them; a step is one sweep of every chain of one sampler.

        Parameters
        ----------
        samplers
            Some of `SAMPLERS`.
        mh_steps, refresh, freeze, burn_in
            As of `GaussianLDA`.
        chains
            Of each sampler, with different seeds, one after the other; R-hat compares the halves of a single one.
        max_sweeps, seconds
            A sampler ends after so many sweeps, or when its chains have had so much time on average.
        """
        self._check(samplers, chains, seconds)
        racers = [
            _Racer(
                name,
                list(self._runs(name, chains, max_sweeps, mh_steps, refresh, freeze, burn_in)),
                burn_in,
                max_sweeps,
            )
            for name in SAMPLERS
            if name in samplers
        ]
        self._warm_up(racers)
        done, running = 0, list(racers)
        while running:
            racer = min(reversed(running), key=lambda one: one.seconds)  # of those at 0 the quick ones first
            racer.sweep()
            done += 1
            swept = [one for one in racers if one.told]
            yield RaceStep(
                done=done,
                total=max_sweeps * len(racers),
                message=", ".join(f"{one.sampler} {len(one.told)}" for one in swept) + " sweeps",
                paths=tuple(one.path for one in swept),
                race=self,
            )
            running = [one for one in running if len(one.told) < max_sweeps and one.seconds < (seconds or np.inf)]

    def _runs(
        self, sampler: SamplerName, chains: int, sweeps: int, mh_steps: int, refresh: int, freeze: bool, burn_in: int
    ) -> Iterator[Iterator[TopicStep]]:
        for chain in range(chains):
            model = GaussianLDA(
                self.n_topics,
                sampler,
                alpha=self.alpha,
                prior=self.prior,
                mh_steps=mh_steps,
                burn_in=burn_in,
                refresh=refresh,
                freeze=freeze,
                random_state=self.seed + 1000 * chain,
            )
            yield model.steps(self.documents, self.data.vectors, max_sweeps=sweeps)

    def _check(self, samplers: Sequence[str], chains: int, seconds: Any) -> None:
        if isinstance(samplers, str):
            raise TypeError(f"samplers is {samplers!r}; give several in a list, or one: [{samplers!r}]")
        unknown = [name for name in samplers if name not in SAMPLERS]
        if unknown or not samplers:
            given = f"there is no sampler {unknown[0]!r}" if unknown else "no sampler is in the race"
            raise ValueError(f"{given}; choose some of {', '.join(map(repr, SAMPLERS))}")
        check_count("chains", chains)
        if seconds is not None and (not isinstance(seconds, int | float) or not seconds > 0):
            raise ValueError(f"seconds is {seconds!r}; it must be above 0, or None for no limit")

    def _warm_up(self, racers: list[_Racer]) -> None:
        """Load or compile the samplers before any clock runs."""
        few: Any = [document for document in self.documents if document][:1]
        for racer in racers:
            model = GaussianLDA(2, racer.sampler, prior=self.prior, random_state=0, max_sweeps=1)
            model.fit(few, self.data.vectors)

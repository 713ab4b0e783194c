"""What one sampler tells on its way: its clock, its likelihood, and whether its chains agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semwork.topics.diagnostics import bulk_ess, r_hat
from semwork.topics.records import TopicStep
from semwork.topics.samplers import SamplerName

__all__ = ["SamplerPath", "SamplerRunner"]

Floats = NDArray[np.float64]
_GROWTH = 1.08  # R-hat takes milliseconds: it is computed anew when the run has grown by so much
_USABLE = 1.1  # with R-hat above it the number of effective draws means nothing


@dataclass(frozen=True, eq=False)
class SamplerPath:
    """What one sampler has done so far.

    Attributes
    ----------
    sampler : str
        Its name.
    seconds : ndarray of shape (n_sweeps,)
        After each sweep, what a chain has taken on average.
    log_likelihood : ndarray of shape (n_chains, n_sweeps)
        Per token.
    acceptance : ndarray of shape (n_sweeps,)
        Of each sweep, over all chains; 1 for exact samplers.
    tokens_per_second : ndarray of shape (n_sweeps,)
        Of each sweep.
    checked : ndarray of shape (n_checks,)
        After which sweeps R-hat and ESS were computed.
    r_hat, ess : ndarray of shape (n_checks,)
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

    @property
    def no_draws(self) -> str:
        """Why a number of effective draws would mean nothing; empty where it means something."""
        if not len(self.r_hat):
            return "needs more sweeps"
        if np.isnan(self.r_hat[-1]):
            return "nothing moves"
        return "" if self.r_hat[-1] <= _USABLE else "chains disagree"


class SamplerRunner:
    """One sampler: its chains, and what they have told.

    Parameters
    ----------
    sampler : str
        Its name.
    runs : list of iterators of TopicStep
        One for each chain.
    burn_in, end : int
        Sweeps that do not count, and all sweeps.
    """

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

    def _path(self) -> SamplerPath:
        self._check()
        checks = np.array(self.checks, dtype=np.float64).reshape(-1, 3)
        return SamplerPath(
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

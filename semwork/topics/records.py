"""The record of one sweep, and how the effective sample size is followed along a run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from semwork.steps import Step

__all__ = ["Following", "TopicStep"]


@dataclass(frozen=True, kw_only=True)
class TopicStep(Step):
    """One sweep over all tokens, and the state after it.

    Attributes
    ----------
    log_likelihood : float
        log p(words or vectors | topics of tokens), per token.
    log_joint : float
        log p(words or vectors, topics of tokens), per token: what the sampler climbs.
    seconds : float
        Sampling time since the start of the run, with filling of tables, without the making of this record.
    sweep_seconds : float
        The part of it that this sweep took.
    tokens_per_second : float
        Of this sweep.
    acceptance : float
        Share of Metropolis–Hastings proposals that were accepted; 1 for samplers that draw exactly.
    moved : float
        Share of the tokens that have another topic than before the sweep.
    topics_in_use : int
        Topics with at least one token.
    ess : float
        Bulk effective sample size of ``log_joint`` over the sweeps after burn-in, NaN before there are four. In a
        long run it is computed anew when the run has grown by a twentieth.
    table : {"refreshed", "stale", "frozen", "none"}
        What the proposals came from: ``"refreshed"`` (filled before this sweep), ``"stale"`` (filled earlier, to be
        filled again), ``"frozen"``, or ``"none"`` for exact samplers.
    unknown_tokens : int
        Tokens that were left out because their words have no vector.
    """

    log_likelihood: float
    log_joint: float
    seconds: float
    sweep_seconds: float
    tokens_per_second: float
    acceptance: float
    moved: float
    topics_in_use: int
    ess: float
    table: Literal["refreshed", "stale", "frozen", "none"] = "none"
    unknown_tokens: int = 0


class Following:
    """The draws of one number so far, and their effective sample size."""

    def __init__(self, burn_in: int) -> None:
        self.burn_in, self.draws = burn_in, list[float]()
        self._ess, self._known_at = math.nan, 0

    def add(self, draw: float) -> float:
        """Take the next draw; return the effective sample size."""
        self.draws.append(draw)
        kept = len(self.draws) - self.burn_in
        if kept >= 4 and kept >= self._known_at * 1.05:
            from semwork.topics.diagnostics import bulk_ess

            self._ess, self._known_at = bulk_ess(np.array([self.draws[self.burn_in :]])), kept
        return self._ess

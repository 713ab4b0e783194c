"""Several chains of one model, side by side, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from semwork.given import check_count, check_kind
from semwork.steps import Step
from semwork.threads import workers_of
from semwork.topics.base import TopicModel
from semwork.topics.diagnostics import bulk_ess, co_assignment, r_hat, token_pairs
from semwork.topics.records import TopicStep

__all__ = ["ChainsStep", "run_chains"]


@dataclass(frozen=True, kw_only=True)
class ChainsStep(Step):
    """One sweep of every chain.

    Attributes
    ----------
    steps : tuple of TopicStep
        The record of each chain.
    models : tuple of TopicModel
        The models, current after this sweep.
    r_hat, ess : float
        Of ``log_joint`` over all chains. Both are of numbers that do not depend on how topics are called.
    pairs_r_hat : float
        The largest R-hat of the co-assignment of the watched pairs of tokens, of those that change at all.
    pairs_ess : float
        The smallest bulk ESS of them.
    kept : int
        Draws of each chain that these four were computed from: those after burn-in, or while it lasts the later half.
    """

    steps: tuple[TopicStep, ...]
    models: tuple[Any, ...]
    r_hat: float
    ess: float
    pairs_r_hat: float
    pairs_ess: float
    kept: int


def run_chains(
    model: TopicModel,
    documents: Any,
    vectors: Any = None,
    chains: int = 4,
    n_jobs: int | None = None,
    max_sweeps: int | None = None,
    n_pairs: int = 20,
) -> Iterator[ChainsStep]:
    """Run chains with different seeds in parallel threads, a sweep of all of them per step.

    Parameters
    ----------
    model : TopicModel
        A `GaussianLDA` or an `LDA`; copies of it are run, with seeds drawn from its ``random_state``.
    documents, vectors : documents and vectors of words
        As for the model's ``steps``.
    max_sweeps : int or None
        As for the model's ``steps``.
    chains : int, default=4
        How many, from 2 for R-hat.
    n_jobs : int or None, default=None
        Threads, at most one for each chain; ``None`` for the model's ``n_jobs``. Numbers mean what they mean there.
    n_pairs : int, default=20
        How many pairs of tokens are watched.

    Yields
    ------
    ChainsStep

    Examples
    --------
    >>> from semwork.topics import GaussianLDA, planted
    >>> data = planted(n_topics=2, n_documents=20)
    >>> model = GaussianLDA(2, sampler="precision", burn_in=10, random_state=0)
    >>> *_, step = run_chains(model, data.documents, data.vectors, chains=2, max_sweeps=30)
    >>> len(step.models), step.kept
    (2, 20)
    """
    check_kind("model", model, TopicModel, "give a GaussianLDA or an LDA with its parameters, then the documents")
    check_count("chains", chains)
    check_count("n_pairs", n_pairs)
    threads = min(chains, workers_of(model.n_jobs if n_jobs is None else n_jobs))
    random = check_random_state(model.random_state)
    models = tuple(clone(model).set_params(random_state=int(random.randint(2**31 - 1))) for _ in range(chains))
    runs = [each.steps(documents, vectors, max_sweeps=max_sweeps) for each in models]
    burn_in = int(getattr(model, "burn_in", 0))
    joint: list[list[float]] = []
    together: list[Any] = []
    pairs = None
    with ThreadPoolExecutor(threads) as pool:
        while True:
            steps = tuple(pool.map(lambda run: next(run, None), runs))
            if any(step is None for step in steps):
                return
            found: tuple[TopicStep, ...] = tuple(step for step in steps if step is not None)
            topics = [np.concatenate(each.assignments_) for each in models]
            if pairs is None:
                starts = np.concatenate([[0], np.cumsum([len(tokens) for tokens in models[0].assignments_])])
                pairs = token_pairs(starts, n_pairs)
            joint.append([step.log_joint for step in found])
            together.append([co_assignment(each, pairs) for each in topics])
            skipped = burn_in if len(joint) > burn_in else len(joint) // 2
            draws = np.array(joint[skipped:]).T
            watched = np.array(together[skipped:], dtype=float).transpose(2, 1, 0)
            hats = [r_hat(pair) for pair in watched]
            sizes = [bulk_ess(pair) for pair in watched]
            done = found[0]
            hat, size = r_hat(draws), bulk_ess(draws)
            yield ChainsStep(
                done=done.done,
                total=done.total,
                message=f"{chains} chains, R-hat {hat:.3f}, ESS {size:.0f}",
                steps=found,
                models=models,
                r_hat=hat,
                ess=size,
                pairs_r_hat=_extreme(hats, np.max),
                pairs_ess=_extreme(sizes, np.min),
                kept=draws.shape[1],
            )


def _extreme(values: list[float], of: Any) -> float:
    """Return the largest or smallest of the values that exist; chains that never move and disagree have infinity."""
    known = [value for value in values if not np.isnan(value)]
    return float(of(known)) if known else float("nan")

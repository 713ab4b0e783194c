"""Fold documents into fixed topics, in threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semwork.threads import workers_of
from semwork.topics.documents import Documents

__all__ = ["Folded", "fold_in"]

Floats = NDArray[np.float64]


class Folded(NamedTuple):
    """Topics of tokens after the last sweep, mean proportions of documents, mean distributions of tokens."""

    topics: NDArray[np.int32]
    proportions: Floats
    tokens: Floats


def fold_in(
    documents: Documents,
    log_densities: Floats,
    alpha: Floats,
    *,
    seed: int,
    sweeps: int,
    n_jobs: int | None,
    tokens: bool = False,
) -> Folded:
    """Sample the topics of documents with fixed topics; the second half of the sweeps counts.

    ``log_densities`` is words × topics. A document without words gets the prior's proportions.

    Parameters
    ----------
    documents : Documents
        Whose tokens are sampled.
    log_densities : ndarray of shape (n_words, n_topics)
        Of each word under each topic.
    alpha : ndarray of shape (n_topics,)
        Dirichlet prior of proportions.
    seed : int
        Of the sampling.
    sweeps : int
        Over the tokens.
    n_jobs : int or None
        Threads.
    tokens : bool, default=False
        Whether the mean distribution of each token is kept.
    """
    from semwork.topics.samplers.folding import fold

    densities = np.exp(np.maximum(log_densities - log_densities.max(axis=1, keepdims=True, initial=-np.inf), -600.0))
    n_documents, n_topics = len(documents.starts) - 1, len(alpha)
    folded = Folded(
        np.zeros(len(documents.words), np.int32),
        np.zeros((n_documents, n_topics)),
        np.zeros((len(documents.words) if tokens else 0, n_topics)),
    )
    threads = min(workers_of(n_jobs), max(1, len(documents.words) // 10_000))
    bounds = np.linspace(0, n_documents, threads + 1).astype(int).tolist()

    def part(first: int, end: int) -> None:
        fold(documents.words, documents.starts, first, end, densities, alpha, seed, sweeps // 2, sweeps, *folded)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, bounds[:-1], bounds[1:]))
    return folded

"""Fold documents into fixed topics, in threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from semwork.topics.documents import Documents

__all__ = ["Folded", "fold_in", "threads_of"]

Floats = NDArray[np.float64]


class Folded(NamedTuple):
    """Topics of tokens after the last sweep, mean proportions of documents, mean distributions of tokens."""

    topics: NDArray[np.int32]
    proportions: Floats
    tokens: Floats


def threads_of(n_jobs: int | None) -> int:
    """Return how many threads ``n_jobs`` means: all cores for ``None``."""
    if n_jobs is None:
        return os.cpu_count() or 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int | np.integer) or n_jobs < 1:
        raise ValueError(f"n_jobs must be a whole number from 1, or None for all cores, got {n_jobs!r}")
    return int(n_jobs)


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
    """
    from semwork.topics.samplers.folding import fold

    densities = np.exp(np.maximum(log_densities - log_densities.max(axis=1, keepdims=True, initial=-np.inf), -600.0))
    n_documents, n_topics = len(documents.starts) - 1, len(alpha)
    folded = Folded(
        np.zeros(len(documents.words), np.int32),
        np.zeros((n_documents, n_topics)),
        np.zeros((len(documents.words) if tokens else 0, n_topics)),
    )
    threads = min(threads_of(n_jobs), max(1, len(documents.words) // 10_000))
    bounds = np.linspace(0, n_documents, threads + 1).astype(int).tolist()

    def part(first: int, end: int) -> None:
        fold(documents.words, documents.starts, first, end, densities, alpha, seed, sweeps // 2, sweeps, *folded)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, bounds[:-1], bounds[1:]))
    return folded

"""Topics of new documents while the topics stay as they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.loops import pick, uniform, weigh

__all__ = ["fold"]

Floats = NDArray[np.float64]


@compiled
def fold(
    words: NDArray[np.int32],
    starts: NDArray[np.int64],
    first: int,
    end: int,
    densities: Floats,
    alpha: Floats,
    seed: int,
    burn_in: int,
    n_sweeps: int,
    topics: NDArray[np.int32],
    proportions: Floats,
    tokens: Floats,
) -> None:
    """Draw the topics of documents ``first`` to ``end`` by Gibbs sampling from p(k) ∝ (n_dk + α_k) · density[w, k].

    ``proportions`` (documents × topics) and, where it has rows, ``tokens`` (tokens × topics) become the averages of
    the expected proportions and of the conditional distributions over the sweeps after burn-in. Every document has
    random numbers of its own, so the result does not depend on how documents are shared out among threads.
    """
    n_topics = len(alpha)
    prior = alpha.sum()
    row, weights, state = np.zeros(n_topics, np.int32), np.empty(n_topics), np.zeros(1, np.uint64)
    for document in range(first, end):
        state[0] = np.uint64(seed) + np.uint64(document) * np.uint64(0xD1342543DE82EF95)
        row[:] = 0
        length = starts[document + 1] - starts[document]
        for token in range(starts[document], starts[document + 1]):
            total = weigh(row, alpha, densities[words[token]], weights)
            topics[token] = pick(weights, uniform(state) * total)
            row[topics[token]] += 1
        for sweep in range(n_sweeps):
            kept = sweep >= burn_in
            for token in range(starts[document], starts[document + 1]):
                row[topics[token]] -= 1
                total = weigh(row, alpha, densities[words[token]], weights)
                topics[token] = pick(weights, uniform(state) * total)
                row[topics[token]] += 1
                if kept and len(tokens):
                    for k in range(n_topics):
                        tokens[token, k] += weights[k] / total / (n_sweeps - burn_in)
            if kept:
                for k in range(n_topics):
                    proportions[document, k] += (row[k] + alpha[k]) / (length + prior) / (n_sweeps - burn_in)

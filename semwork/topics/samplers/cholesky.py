"""Collapsed Gibbs with rank-1 changes of Cholesky factors, token by token: section 4.1 of the paper."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.factors import half_logdet, rank_one, squared_solution
from semwork.topics.samplers.loops import difference, log_t, pick, record, uniform, weigh
from semwork.topics.state import Arrays

__all__ = ["join", "leave", "score", "sweeps"]

Floats = NDArray[np.float64]


@compiled
def leave(s: Arrays, k: int, word: int, b: Floats) -> None:
    """Take one token of a word out of topic k: a downdate. κ_k and μ_k of equation 4 still count the token."""
    kappa = s.kappa + s.counts[k]
    difference(s.vectors[word], s.means[k], b)
    for i in range(len(b)):
        s.means[k, i] -= b[i] / (kappa - 1.0)
        b[i] *= math.sqrt(kappa / (kappa - 1.0))
    rank_one(s.matrices[k], b, -1.0)
    s.logdets[k] = 2.0 * half_logdet(s.matrices[k])
    s.counts[k] -= 1


@compiled
def join(s: Arrays, k: int, word: int, b: Floats) -> None:
    """Put one token of a word into topic k: an update. κ_k and μ_k of equation 4 count the token already."""
    s.counts[k] += 1
    kappa = s.kappa + s.counts[k]
    difference(s.vectors[word], s.means[k], b)
    for i in range(len(b)):
        s.means[k, i] += b[i] / kappa
        b[i] *= math.sqrt((kappa - 1.0) / kappa)
    rank_one(s.matrices[k], b, 1.0)
    s.logdets[k] = 2.0 * half_logdet(s.matrices[k])


@compiled
def score(s: Arrays, k: int, word: int, b: Floats) -> float:
    """Return the log predictive density of topic k at the vector of a word."""
    difference(s.vectors[word], s.means[k], b)
    n = s.counts[k]
    return log_t(s.constants[n], s.logdets[k], s.nu + n, s.kappa + n, squared_solution(s.matrices[k], b))


@compiled
def sweeps(s: Arrays, n_sweeps: int, visits: NDArray[np.int64], thin: int) -> tuple[int, int]:
    """Draw every token's topic ``n_sweeps`` times; return how many were looked at and how many moved."""
    n_topics = len(s.counts)
    b, scores, weights = np.empty(s.vectors.shape[1]), np.empty(n_topics), np.empty(n_topics)
    moved = 0
    for done in range(n_sweeps):
        for token in range(len(s.topics)):
            word, z = s.words[token], s.topics[token]
            row = s.document_topic[s.document[token]]
            row[z] -= 1
            leave(s, z, word, b)
            top = -np.inf
            for k in range(n_topics):
                scores[k] = score(s, k, word, b)
                top = max(top, scores[k])
            for k in range(n_topics):
                scores[k] = math.exp(scores[k] - top)
            new = pick(weights, uniform(s.seed) * weigh(row, s.alpha, scores, weights))
            row[new] += 1
            join(s, new, word, b)
            s.topics[token] = new
            moved += new != z
        if (done + 1) % thin == 0:
            record(s.topics, n_topics, visits)
    return n_sweeps * len(s.topics), moved

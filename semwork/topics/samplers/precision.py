"""Exact collapsed Gibbs with inverse matrices, word by word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.loops import (
    added,
    difference,
    log_t,
    log_t_own,
    pick,
    quadratic,
    record,
    removed,
    uniform,
    vectorised,
    weigh,
)
from semwork.topics.state import Arrays

__all__ = ["own_score", "score", "settle", "shift", "sweeps"]

Floats = NDArray[np.float64]


@vectorised
def shift(precision: Floats, mean: Floats, b: Floats, y: Floats, kappa: float, copies: float) -> float:
    """Let copies of one vector join (or leave, below 0) a topic of strength κ; return the growth of log|Ψ|.

    Whatever their number, the change of Ψ has rank one: f·b·bᵀ with f = κ·m / (κ + m), so Ψ⁻¹ changes as Sherman and
    Morrison say. ``b`` is the vector less the topic's mean, ``y`` is room for as many numbers.
    """
    f = kappa * copies / (kappa + copies)
    side = len(b)
    a = 0.0
    for i in range(side):
        row = precision[i]
        total = 0.0
        for j in range(side):
            total += row[j] * b[j]
        y[i] = total
        a += total * b[i]
    grown = max(1.0 + f * a, 1e-300)
    factor = f / grown
    for i in range(side):
        row = precision[i]
        scaled = factor * y[i]
        for j in range(side):
            row[j] -= scaled * y[j]
    step = copies / (kappa + copies)
    for i in range(side):
        mean[i] += step * b[i]
    return float(np.log(grown))


@compiled
def score(s: Arrays, k: int, logdet: float, a: float) -> float:
    """Return the log predictive density of topic k."""
    n = s.counts[k]
    return log_t(s.constants[n], logdet, s.nu + n, s.kappa + n, a)


@compiled
def own_score(s: Arrays, k: int, logdet: float, a: float) -> float:
    """Return the log predictive density of topic k for one of its own tokens, as if the token were not in it."""
    n = s.counts[k]
    return log_t_own(s.constants[n - 1], logdet, s.nu + n, s.kappa + n, a)


@compiled
def rescale(scores: Floats, score_of_z: float, z: int, densities: Floats) -> float:
    """Fill ``densities`` in units of the largest of now, where the old unit no longer fits; return its logarithm."""
    top = score_of_z
    for k in range(len(scores)):
        if k != z:
            top = max(top, scores[k])
    for k in range(len(scores)):
        densities[k] = np.exp((score_of_z if k == z else scores[k]) - top)
    return top


@compiled
def settle(s: Arrays, word: int, before: NDArray[np.int64], logdets: Floats, b: Floats, y: Floats) -> None:
    """Bring means and matrices up to date with the counts, after the tokens of one word have been drawn."""
    for k in range(len(before)):
        if s.counts[k] != before[k]:
            difference(s.vectors[word], s.means[k], b)
            copies = float(s.counts[k] - before[k])
            s.logdets[k] = logdets[k] + shift(s.matrices[k], s.means[k], b, y, s.kappa + before[k], copies)


@compiled
def sweeps(s: Arrays, n_sweeps: int, visits: NDArray[np.int64], thin: int) -> tuple[int, int]:
    """Draw every token's topic ``n_sweeps`` times; return how many were looked at and how many moved.

    All tokens of a word are drawn one after the other. They share their vector, so their K quadratic forms are
    computed once; when a token moves, those of its two topics change by a formula without any matrix, and all moves
    of a word together change the matrix of a topic by rank one.
    """
    n_topics = len(s.counts)
    side = s.vectors.shape[1]
    a, logdets, scores, densities = np.empty(n_topics), np.empty(n_topics), np.empty(n_topics), np.empty(n_topics)
    own_scores, own_known = np.empty(n_topics), np.zeros(n_topics, np.bool_)
    weights, b, y = np.empty(n_topics), np.empty(side), np.empty(side)
    before, old = np.empty(n_topics, np.int64), np.empty(n_topics)
    moved = 0
    for done in range(n_sweeps):
        for word in range(len(s.vectors)):
            if s.word_starts[word] == s.word_starts[word + 1]:
                continue
            top = -np.inf
            for k in range(n_topics):
                before[k], old[k], logdets[k], own_known[k] = s.counts[k], s.logdets[k], s.logdets[k], False
                difference(s.vectors[word], s.means[k], b)
                a[k] = quadratic(s.matrices[k], b)
                scores[k] = score(s, k, logdets[k], a[k])
                top = max(top, scores[k])
            for k in range(n_topics):
                densities[k] = np.exp(scores[k] - top)
            for place in range(s.word_starts[word], s.word_starts[word + 1]):
                token = s.order[place]
                z = s.topics[token]
                row = s.document_topic[s.document[token]]
                if not own_known[z]:
                    own_scores[z] = own_score(s, z, logdets[z], a[z])
                    own_known[z] = True
                row[z] -= 1
                with_it = densities[z]
                densities[z] = np.exp(own_scores[z] - top)
                total = weigh(row, s.alpha, densities, weights)
                if not 1e-200 < total < 1e200:
                    top = rescale(scores, own_scores[z], z, densities)
                    with_it = np.exp(min(scores[z] - top, 600.0))
                    total = weigh(row, s.alpha, densities, weights)
                new = pick(weights, uniform(s.seed) * total)
                densities[z] = with_it
                row[new] += 1
                if new != z:
                    moved += 1
                    s.topics[token] = new
                    a[z], growth = removed(s.kappa + s.counts[z], a[z])
                    logdets[z] += growth
                    s.counts[z] -= 1
                    a[new], growth = added(s.kappa + s.counts[new], a[new])
                    logdets[new] += growth
                    s.counts[new] += 1
                    own_known[z] = own_known[new] = False
                    scores[z], scores[new] = score(s, z, logdets[z], a[z]), score(s, new, logdets[new], a[new])
                    densities[z] = np.exp(min(scores[z] - top, 600.0))
                    densities[new] = np.exp(min(scores[new] - top, 600.0))
            settle(s, word, before, old, b, y)
        if (done + 1) % thin == 0:
            record(s.topics, n_topics, visits)
    return n_sweeps * len(s.topics), moved

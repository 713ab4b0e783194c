"""Collapsed Gibbs as the formula stands: every candidate's determinant and inverse from scratch, D³ each."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.factors import factorise, half_logdet, squared_solution
from semwork.topics.samplers.loops import difference, log_t, pick, record, uniform, vectorised, weigh
from semwork.topics.state import Arrays

__all__ = ["sweeps"]

Floats = NDArray[np.float64]


@vectorised
def change(psi: Floats, mean: Floats, b: Floats, kappa: float, copies: float) -> None:
    """Let a token join (1) or leave (−1) a topic of strength κ: equation 4 on Ψ itself."""
    f = kappa * copies / (kappa + copies)
    for i in range(len(b)):
        row, scaled = psi[i], f * b[i]
        for j in range(len(b)):
            row[j] += scaled * b[j]
        mean[i] += copies / (kappa + copies) * b[i]


@compiled
def sweeps(s: Arrays, n_sweeps: int, visits: NDArray[np.int64], thin: int) -> tuple[int, int]:
    """Draw every token's topic ``n_sweeps`` times; return how many were looked at and how many moved."""
    n_topics, size = s.means.shape
    b, factor = np.empty(size), np.zeros((size, size))
    scores, weights = np.empty(n_topics), np.empty(n_topics)
    moved = 0
    for done in range(n_sweeps):
        for token in range(len(s.topics)):
            x, z = s.vectors[s.words[token]], s.topics[token]
            row = s.document_topic[s.document[token]]
            row[z] -= 1
            difference(x, s.means[z], b)
            change(s.matrices[z], s.means[z], b, s.kappa + s.counts[z], -1.0)
            s.counts[z] -= 1
            top = -np.inf
            for k in range(n_topics):
                factorise(s.matrices[k], factor)
                logdet = 2.0 * half_logdet(factor)
                difference(x, s.means[k], b)
                n = s.counts[k]
                a = squared_solution(factor, b)
                scores[k] = log_t(s.constants[n], logdet, s.nu + n, s.kappa + n, a)
                top = max(top, scores[k])
            for k in range(n_topics):
                scores[k] = math.exp(scores[k] - top)
            new = pick(weights, uniform(s.seed) * weigh(row, s.alpha, scores, weights))
            row[new] += 1
            difference(x, s.means[new], b)
            change(s.matrices[new], s.means[new], b, s.kappa + s.counts[new], 1.0)
            s.counts[new] += 1
            s.topics[token] = new
            moved += new != z
        if (done + 1) % thin == 0:
            record(s.topics, n_topics, visits)
    for k in range(n_topics):
        factorise(s.matrices[k], factor)
        s.logdets[k] = 2.0 * half_logdet(factor)
    return n_sweeps * len(s.topics), moved

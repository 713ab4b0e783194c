"""Alias tables of stale densities, corrected by Metropolis–Hastings, token by token: section 4.2 of the paper."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.cholesky import join, leave, score
from semwork.topics.samplers.fast import FLOOR
from semwork.topics.samplers.loops import pick, record, uniform
from semwork.topics.state import Arrays

__all__ = ["fill", "sweeps"]

Floats = NDArray[np.float64]


@compiled
def fill(s: Arrays, table: Floats, tops: Floats, masses: Floats, keep: Floats, other: NDArray[np.int32]) -> None:
    """Write, for each word, α_k times its density under every topic of now, and the alias table of these numbers.

    Densities are in units of the word's best, whose log goes to ``tops``; the sum of a row goes to ``masses``.
    """
    n_topics = len(s.counts)
    b = np.empty(s.vectors.shape[1])
    small, large = np.empty(n_topics, np.int64), np.empty(n_topics, np.int64)
    for k in range(n_topics):
        for word in range(len(table)):
            table[word, k] = score(s, k, word, b)
    for word in range(len(table)):
        row = table[word]
        tops[word] = row.max()
        masses[word] = 0.0
        for k in range(n_topics):
            row[k] = s.alpha[k] * math.exp(max(row[k] - tops[word], FLOOR))
            masses[word] += row[k]
        # Vose: pair what is below the average with what is above it.
        n_small, n_large = 0, 0
        for k in range(n_topics):
            keep[word, k] = row[k] * n_topics / masses[word]
            other[word, k] = k
            if keep[word, k] < 1.0:
                small[n_small] = k
                n_small += 1
            else:
                large[n_large] = k
                n_large += 1
        while n_small and n_large:
            n_small -= 1
            low, high = small[n_small], large[n_large - 1]
            other[word, low] = high
            keep[word, high] -= 1.0 - keep[word, low]
            if keep[word, high] < 1.0:
                n_large -= 1
                small[n_small] = high
                n_small += 1
        for rest in range(n_small):
            keep[word, small[rest]] = 1.0
        for rest in range(n_large):
            keep[word, large[rest]] = 1.0


@compiled
def sweeps(  # noqa: PLR0912 # long: one loop, whose parts share too much to be cut
    s: Arrays,
    n_sweeps: int,
    visits: NDArray[np.int64],
    thin: int,
    table: Floats,
    tops: Floats,
    masses: Floats,
    keep: Floats,
    other: NDArray[np.int32],
    refresh: int,
    mh_steps: int,
) -> tuple[int, int, int, int]:
    """Draw every token's topic ``n_sweeps`` times; return tokens looked at, moved, proposals and those accepted.

    The proposal is n_dk·t_k, with densities of now for the topics that the document has, plus α_k·T[w, k] from the
    stale table. ``refresh`` is after how many sweeps the tables are filled again, 0 for never: then it is exact.
    """
    n_topics = len(s.counts)
    b, scores, weights = np.empty(s.vectors.shape[1]), np.empty(n_topics), np.empty(n_topics)
    moved, proposals, accepted = 0, 0, 0
    for done in range(n_sweeps):
        if refresh > 0 and done % refresh == 0 and n_sweeps > 1:
            fill(s, table, tops, masses, keep, other)
        for token in range(len(s.topics)):
            word, z = s.words[token], s.topics[token]
            row = s.document_topic[s.document[token]]
            row[z] -= 1
            leave(s, z, word, b)
            mass = 0.0
            for k in range(n_topics):
                weights[k] = 0.0
                scores[k] = math.nan  # not computed yet
                if row[k] > 0:
                    scores[k] = score(s, k, word, b)
                    weights[k] = row[k] * math.exp(min(scores[k] - tops[word], -FLOOR))
                    mass += weights[k]
            now = z
            for _ in range(mh_steps):
                proposals += 1
                if uniform(s.seed) * (mass + masses[word]) < mass:
                    new = pick(weights, uniform(s.seed) * mass)
                else:
                    new = int(uniform(s.seed) * n_topics)
                    if uniform(s.seed) >= keep[word, new]:
                        new = other[word, new]
                if new == now:
                    accepted += 1
                    continue
                if math.isnan(scores[now]):
                    scores[now] = score(s, now, word, b)
                if math.isnan(scores[new]):
                    scores[new] = score(s, new, word, b)
                target = (row[new] + s.alpha[new]) / (row[now] + s.alpha[now])
                proposal = (weights[now] + table[word, now]) / (weights[new] + table[word, new])
                ratio = math.log(target * proposal) + scores[new] - scores[now]
                if ratio >= 0 or uniform(s.seed) < math.exp(ratio):
                    accepted += 1
                    now = new
            row[now] += 1
            join(s, now, word, b)
            s.topics[token] = now
            moved += now != z
        if (done + 1) % thin == 0:
            record(s.topics, n_topics, visits)
    return n_sweeps * len(s.topics), moved, proposals, accepted

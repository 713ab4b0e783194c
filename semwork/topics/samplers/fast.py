"""Metropolis–Hastings with a stale table of all words' densities as proposal, word by word."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.loops import added, difference, pick, quadratic, record, removed, uniform, weigh
from semwork.topics.samplers.precision import own_score, score, settle
from semwork.topics.state import Arrays

__all__ = ["FLOOR", "fill", "sweeps"]

Floats = NDArray[np.float64]

FLOOR = -600.0
"""Least log density of the table, counted from the best topic of the word: no topic becomes unreachable."""


@compiled
def fill(s: Arrays, table: Floats) -> None:
    """Write the log predictive density of every word (rows) under every topic of now, less that of its best topic."""
    n_topics = len(s.counts)
    b = np.empty(s.vectors.shape[1])
    for k in range(n_topics):  # one matrix after the other, so that each stays in the cache for all words
        for word in range(len(table)):
            difference(s.vectors[word], s.means[k], b)
            table[word, k] = score(s, k, s.logdets[k], quadratic(s.matrices[k], b))
    for word in range(len(table)):
        top = table[word].max()
        for k in range(n_topics):
            table[word, k] = max(table[word, k] - top, FLOOR)


@compiled
def look(s: Arrays, k: int, word: int, a: Floats, known: NDArray[np.bool_], b: Floats) -> None:
    """Compute the quadratic form of a word in topic k, unless it is known."""
    if not known[k]:
        difference(s.vectors[word], s.means[k], b)
        a[k] = quadratic(s.matrices[k], b)
        known[k] = True


@compiled
def sweeps(
    s: Arrays, n_sweeps: int, visits: NDArray[np.int64], thin: int, table: Floats, refresh: int, mh_steps: int
) -> tuple[int, int, int, int]:
    """Draw every token's topic ``n_sweeps`` times; return tokens looked at, moved, proposals and those accepted.

    The proposal is (n_dk + α_k)·T[w, k]; the document's factor stands in the target too and cancels, so a proposal
    that names the topic of now costs nothing, another one two densities. These are computed when first needed, and
    once for all tokens of the word, as in `precision`. ``refresh`` is after how many sweeps the table is filled
    again, 0 for never: with 0 the sampler is exact.
    """
    n_topics = len(s.counts)
    side = s.vectors.shape[1]
    a, logdets, proposal = np.empty(n_topics), np.empty(n_topics), np.empty(n_topics)
    known = np.zeros(n_topics, np.bool_)
    weights, b, y = np.empty(n_topics), np.empty(side), np.empty(side)
    before, old = np.empty(n_topics, np.int64), np.empty(n_topics)
    moved, proposals, accepted = 0, 0, 0
    for done in range(n_sweeps):
        if refresh > 0 and done % refresh == 0 and n_sweeps > 1:
            fill(s, table)
        for word in range(len(s.vectors)):
            if s.word_starts[word] == s.word_starts[word + 1]:
                continue
            stale = table[word]
            for k in range(n_topics):
                before[k], old[k], logdets[k], known[k] = s.counts[k], s.logdets[k], s.logdets[k], False
                proposal[k] = math.exp(stale[k])
            for place in range(s.word_starts[word], s.word_starts[word + 1]):
                token = s.order[place]
                z = s.topics[token]
                row = s.document_topic[s.document[token]]
                row[z] -= 1
                total = weigh(row, s.alpha, proposal, weights)
                now = z
                now_score = math.nan  # not computed yet
                for _ in range(mh_steps):
                    proposals += 1
                    new = pick(weights, uniform(s.seed) * total)
                    if new == now:
                        accepted += 1
                        continue
                    look(s, now, word, a, known, b)
                    look(s, new, word, a, known, b)
                    if math.isnan(now_score):
                        now_score = own_score(s, z, logdets[z], a[z])
                    new_score = own_score(s, z, logdets[z], a[z]) if new == z else score(s, new, logdets[new], a[new])
                    ratio = new_score - now_score + stale[now] - stale[new]
                    if ratio >= 0 or uniform(s.seed) < math.exp(ratio):
                        accepted += 1
                        now, now_score = new, new_score
                row[now] += 1
                if now != z:
                    moved += 1
                    s.topics[token] = now
                    a[z], growth = removed(s.kappa + s.counts[z], a[z])
                    logdets[z] += growth
                    s.counts[z] -= 1
                    a[now], growth = added(s.kappa + s.counts[now], a[now])
                    logdets[now] += growth
                    s.counts[now] += 1
            settle(s, word, before, old, b, y)
        if (done + 1) % thin == 0:
            record(s.topics, n_topics, visits)
    return n_sweeps * len(s.topics), moved, proposals, accepted

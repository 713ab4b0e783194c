"""Collapsed Gibbs sampling for LDA, one word after the other; documents may be as short as a sentence."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln

from semwork.compiled import compiled

__all__ = ["Sampler"]


class Sampler:
    """Topics of all tokens, and sweeps that draw each anew given all others.

    Attributes
    ----------
    topics : ndarray of shape (n_tokens,), int16
        The topic of every token, tokens in the order of the documents.
    word_topic : ndarray of shape (n_words, n_topics), int32
        Words × topics: how many tokens of the word have the topic.
    topic_total : ndarray of shape (n_topics,), int64
        Tokens of each topic.
    """

    def __init__(
        self, counts: sparse.csr_array, n_topics: int, alpha: float, beta: float, random: np.random.RandomState
    ) -> None:
        self.alpha, self.beta, self._random = alpha, beta, random
        words = np.repeat(counts.indices, counts.data)
        starts = np.concatenate([[0], np.cumsum(counts.data)])[counts.indptr]
        starts = starts.astype(np.int32 if starts[-1] <= np.iinfo(np.int32).max else np.int64)
        document = np.repeat(np.arange(counts.shape[0]), np.diff(starts))
        order = np.argsort(words, kind="stable")
        ends = np.cumsum(np.bincount(words, minlength=counts.shape[1]))
        # By word: where its tokens begin, and for every token its place and its document's first place and end.
        owner, document = document, document[order]
        self._places = np.concatenate([[0], ends]), order.astype(starts.dtype), starts[document], starts[document + 1]
        self.topics = random.randint(n_topics, size=len(words)).astype(np.int16)
        # Documents with many more tokens than there are topics have a table of their topics.
        long = np.diff(starts) > 2 * n_topics
        row = np.where(long, np.cumsum(long) - 1, -1).astype(np.int32)
        inside = long[owner]
        cells = row[owner[inside]].astype(np.int64) * n_topics + self.topics[inside]
        table = np.bincount(cells, minlength=int(long.sum()) * n_topics).astype(np.int32)
        self._long = row[document], table.reshape(-1, n_topics)
        cells = words.astype(np.int64) * n_topics + self.topics
        table = np.bincount(cells, minlength=counts.shape[1] * n_topics).astype(np.int32)
        self.word_topic = table.reshape(counts.shape[1], n_topics)
        self.topic_total = np.bincount(self.topics, minlength=n_topics).astype(np.int64)

    def sweep(self) -> None:
        """Draw the topic of every token once."""
        uniform = self._random.random_sample(len(self.topics))
        counts = self.word_topic, self.topic_total
        _sweep(*self._places, *self._long, self.topics, *counts, self.alpha, self.beta, uniform)

    def log_likelihood(self) -> float:
        """Return log P(words | topics of the tokens), equation 2 of Griffiths & Steyvers."""
        n_words, n_topics = self.word_topic.shape
        how_often = np.bincount(self.word_topic.ravel())
        seen = np.flatnonzero(how_often)
        cells = how_often[seen] @ (gammaln(seen + self.beta) - gammaln(self.beta))
        prior = n_words * self.beta
        return float(cells + n_topics * gammaln(prior) - gammaln(self.topic_total + prior).sum())

    def topics_of_words(self) -> NDArray[np.float64]:
        """Return P(z | w), words × topics: P(w | z) with its prior, times the share P(z) of the topic, normalised."""
        prior = self.word_topic.shape[0] * self.beta
        rows = (self.word_topic + self.beta) * (self.topic_total / (self.topic_total + prior))
        rows /= rows.sum(axis=1, keepdims=True)
        return np.asarray(rows, dtype=np.float64)


@functools.partial(compiled, fastmath=frozenset({"reassoc", "contract"}))
def _weigh(n: NDArray[np.int32], alpha: float, q: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Fill ``weights`` with (n_k + α) · q_k and return their sum."""
    total = 0.0
    for k in range(len(q)):
        weights[k] = (n[k] + alpha) * q[k]
        total += weights[k]
    return total


@compiled
def _draw_long(
    n: NDArray[np.int32], k: int, alpha: float, q: NDArray[np.float64], weights: NDArray[np.float64], uniform: float
) -> int:
    """Draw the topic of a token that had topic k, from its document's table, and change the table."""
    n[k] -= 1
    left = uniform * _weigh(n, alpha, q, weights)
    for k in range(len(q)):  # noqa: PLR1704 - rounding must not walk past the last one
        left -= weights[k]
        if left < 0:
            break
    n[k] += 1
    return k


@compiled
def _draw_short(
    topics: NDArray[np.int16],
    place: int,
    first: int,
    end: int,
    alpha: float,
    mass: float,
    q: NDArray[np.float64],
    uniform: float,
) -> int:
    """Draw the topic of a token from the topics of the others in its document, between ``first`` and ``end``."""
    document = 0.0
    for other in range(first, place):
        document += q[topics[other]]
    for other in range(place + 1, end):
        document += q[topics[other]]
    left = uniform * (document + alpha * mass)
    k = 0
    if left < document:
        # Rounding must not walk out of the document: it stops at the last other token.
        for other in range(first, end):
            if other != place:
                k = int(topics[other])
                left -= q[k]
                if left < 0:
                    break
        return k
    left = (left - document) / alpha
    for k in range(len(q)):
        left -= q[k]
        if left < 0:
            break
    return k


@compiled
def _sweep(
    word_starts: NDArray[np.int64],
    places: NDArray[np.integer[Any]],
    firsts: NDArray[np.integer[Any]],
    ends: NDArray[np.integer[Any]],
    rows: NDArray[np.int32],
    long: NDArray[np.int32],
    topics: NDArray[np.int16],
    word_topic: NDArray[np.int32],
    topic_total: NDArray[np.int64],
    alpha: float,
    beta: float,
    uniform: NDArray[np.float64],
) -> None:
    """Draw every token's topic from p(k) ∝ (n_dk + α) · q_k, where q_k = (n_wk + β) / (n_k + Vβ).

    Going word by word, q stays in the processor's cache and changes in two entries per token. Its part Σ n_dk q_k is
    the sum of q over the document's other tokens, a dozen in a sentence; the rest, α Σ q_k, is a running sum. So the
    cost of a token is the length of its sentence, not the number of topics. In a long document it is the number of
    topics: all weights are computed from a row of ``long``, its n_dk.
    """
    n_words, n_topics = word_topic.shape
    prior = n_words * beta
    q, weights = np.empty(n_topics), np.empty(n_topics)
    for word in range(n_words):
        n = word_topic[word]
        mass = 0.0
        for k in range(n_topics):
            q[k] = (n[k] + beta) / (topic_total[k] + prior)
            mass += q[k]
        for token in range(word_starts[word], word_starts[word + 1]):
            place, first, end = places[token], firsts[token], ends[token]
            k = topics[place]
            n[k] -= 1
            topic_total[k] -= 1
            mass -= q[k]
            q[k] = (n[k] + beta) / (topic_total[k] + prior)
            mass += q[k]
            if rows[token] >= 0:
                k = _draw_long(long[rows[token]], k, alpha, q, weights, uniform[token])
            else:
                k = _draw_short(topics, place, first, end, alpha, mass, q, uniform[token])
            topics[place] = k
            n[k] += 1
            topic_total[k] += 1
            mass -= q[k]
            q[k] = (n[k] + beta) / (topic_total[k] + prior)
            mass += q[k]

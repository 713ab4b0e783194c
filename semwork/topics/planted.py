"""Small data with known topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semwork.given import check_count, check_positive

__all__ = ["Planted", "planted"]


@dataclass(frozen=True, eq=False)
class Planted:
    """Documents drawn from known Gaussian topics.

    Attributes
    ----------
    documents : list of ndarray of shape (document_length,)
        Word numbers, one array per document.
    vectors : ndarray of shape (n_words, n_dimensions)
        One row per word.
    words : list of str
        A name for each word, such as ``"c07"``: topic c's word 7.
    topics : list of ndarray of shape (document_length,)
        The true topic of every token, one array per document.
    word_topics : ndarray of shape (n_words,)
        The topic from which the vector of each word was drawn.
    means : ndarray of shape (n_topics, n_dimensions)
        The topics' means.
    proportions : ndarray of shape (n_documents, n_topics)
        The true topic proportions of each document.
    """

    documents: list[NDArray[np.int64]]
    vectors: NDArray[np.float64]
    words: list[str]
    topics: list[NDArray[np.int64]]
    word_topics: NDArray[np.int64]
    means: NDArray[np.float64]
    proportions: NDArray[np.float64]

    def agreement(self, assignments: list[NDArray[np.int32]]) -> float:
        """Return the share of tokens whose topic is the true one, topics being matched as well as they can be.

        Parameters
        ----------
        assignments : list of ndarray of shape (document_length,)
            The topic that was found for every token, one array per document.

        Returns
        -------
        float
        """
        from scipy.optimize import linear_sum_assignment

        true, found = np.concatenate(self.topics), np.concatenate(assignments)
        side = int(max(true.max(), found.max())) + 1
        table = np.bincount(true * side + found, minlength=side * side).reshape(side, side)
        rows, columns = linear_sum_assignment(-table)
        return float(table[rows, columns].sum() / len(true))


def planted(
    n_topics: int = 4,
    n_documents: int = 60,
    document_length: int = 30,
    words_per_topic: int = 25,
    n_dimensions: int = 2,
    separation: float = 6.0,
    alpha: float = 0.2,
    random_state: int | None = 0,
) -> Planted:
    """Draw documents from topics that are known.

    Parameters
    ----------
    n_topics, n_documents, document_length, words_per_topic, n_dimensions : int
        How much of each.
    separation : float, default=6.0
        Distance of the topics' means, in standard deviations of their words: 6 is easy, 2 is hard.
    alpha : float, default=0.2
        Of the documents' proportions: small for documents with one topic.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Planted

    Examples
    --------
    >>> data = planted(n_topics=3, n_documents=5, document_length=4)
    >>> len(data.documents), data.vectors.shape, data.words[26]
    (5, (75, 2), 'b01')
    """
    for name, value in (
        ("n_topics", n_topics), ("n_documents", n_documents), ("document_length", document_length),
        ("words_per_topic", words_per_topic), ("n_dimensions", n_dimensions),
    ):  # fmt: skip
        check_count(name, value)
    check_positive("separation", separation)
    check_positive("alpha", alpha)
    random = np.random.default_rng(random_state)
    means = _apart(n_topics, n_dimensions, separation, random)
    spreads = 0.5 + random.random((n_topics, n_dimensions))
    word_topics = np.repeat(np.arange(n_topics), words_per_topic)
    noise = random.standard_normal((len(word_topics), n_dimensions))
    vectors = means[word_topics] + spreads[word_topics] * noise
    letters = [_letters(k) for k in range(n_topics)]
    words = [f"{letters[k]}{place:02d}" for k in range(n_topics) for place in range(words_per_topic)]
    proportions = random.dirichlet(np.full(n_topics, alpha), size=n_documents)
    topics = [random.choice(n_topics, size=document_length, p=row) for row in proportions]
    documents = [z * words_per_topic + random.integers(words_per_topic, size=document_length) for z in topics]
    return Planted(documents, vectors, words, topics, word_topics, means, proportions)


def _apart(n_topics: int, n_dimensions: int, separation: float, random: np.random.Generator) -> NDArray[np.float64]:
    """Return random points of which no two are nearer than ``separation``, in as small a region as possible."""
    side = separation
    while True:
        for _ in range(50):
            points = random.uniform(-side, side, size=(n_topics, n_dimensions))
            apart = np.linalg.norm(points[:, None] - points[None], axis=2) + 1e9 * np.eye(n_topics)
            if apart.min() >= separation:
                return points
        side *= 1.2


def _letters(k: int) -> str:
    return (_letters(k // 26 - 1) if k >= 26 else "") + chr(ord("a") + k % 26)

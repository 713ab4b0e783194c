"""Topics as they stand after a sweep, which read texts and do not change."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from semwork.topics.base import TopicModel
from semwork.topics.documents import Documents
from semwork.topics.folding import fold_in

__all__ = ["FixedTopics", "Reading"]

Floats = NDArray[np.float64]
_SWEEPS = 4_000  # over one short text: a moment
_TOP = 10


@dataclass(frozen=True, eq=False)
class Reading:
    """How one model reads a text.

    Attributes
    ----------
    words : tuple of str
        The words that could have a topic, in reading order.
    known : ndarray of bool of shape (n_words,)
        Which of them the model knows; it drops the others.
    topics : ndarray of int of shape (n_words,)
        The likeliest topic of each word, −1 where it was dropped.
    proportions : ndarray of shape (n_topics,)
        Of the topics in the text.
    """

    words: tuple[str, ...]
    known: NDArray[np.bool_]
    topics: NDArray[np.int64]
    proportions: Floats


@dataclass(frozen=True, eq=False)
class FixedTopics:
    """The topics of one model; they read texts and do not change.

    Attributes
    ----------
    name : str
        What a picture calls the model.
    model : TopicModel
        A snapshot.
    words : container of str
        The words that have a density.
    alpha : float
        Dirichlet prior of proportions.

    Examples
    --------
    >>> from semwork.topics import LDA
    >>> model = LDA(2, max_sweeps=20, random_state=0).fit([["bank", "money"], ["river", "fish"]] * 5)
    >>> topics = FixedTopics("LDA", model.snapshot(), model.vocabulary_, 0.1)
    >>> topics.read(["money", "zebra"]).known.tolist()
    [True, False]
    """

    name: str
    model: TopicModel
    words: Container[str]
    alpha: float

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Tokens of each topic."""
        return self.model.topic_sizes_

    @cached_property
    def top_words(self) -> tuple[tuple[str, ...], ...]:
        """Ten of each topic."""
        return tuple(map(tuple, self.model.top_words(_TOP)))

    def knows(self, word: str) -> bool:
        """Whether the word has a density.

        Parameters
        ----------
        word : str
            Any word.
        """
        return word in self.words

    def log_density(self, words: Sequence[str]) -> Floats:
        """Return the log density of known words, words × topics.

        Parameters
        ----------
        words : sequence of str
            Words that have a density.
        """
        return self.model.topic_word_density(words).T

    def posterior(self, word: str) -> Floats:
        """Return p(topic | word), with the topics as likely beforehand as they are large.

        Parameters
        ----------
        word : str
            A word that has a density.
        """
        values = self.log_density([word])[0] + np.log(self.sizes + self.alpha)
        values = np.exp(values - values.max())
        return np.asarray(values / values.sum())

    def read(self, words: Sequence[str], seed: int = 0) -> Reading:
        """Find the topics of a text by sampling; the mean over the second half of many sweeps.

        Parameters
        ----------
        words : sequence of str
            The text's words that can have topics.
        seed : int
            Of the sampling.
        """
        known = np.array([self.knows(word) for word in words], dtype=bool)
        read = [word for word, is_known in zip(words, known, strict=True) if is_known]
        names = sorted(set(read))
        number = {name: place for place, name in enumerate(names)}
        tokens = np.array([number[word] for word in read], dtype=np.int32)
        documents = Documents(tokens, np.array([0, len(tokens)]), names, np.zeros((0, 0)))
        densities = self.log_density(names) if names else np.zeros((0, len(self.sizes)))
        alpha = np.full(len(self.sizes), self.alpha)
        folded = fold_in(documents, densities, alpha, seed=seed, sweeps=_SWEEPS, n_jobs=1, tokens=True)
        topics = np.full(len(words), -1, dtype=np.int64)
        topics[known] = folded.tokens.argmax(axis=1) if read else []
        return Reading(tuple(words), known, topics, folded.proportions[0])

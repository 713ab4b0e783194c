"""What one sweep over documents leaves behind, and how good its topics are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from semwork.text import Corpus
from semwork.topics.base import TopicModel
from semwork.topics.coherence import coherence
from semwork.topics.data import TopicData
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.geometry import TopicMap
from semwork.topics.lda import LDA
from semwork.topics.purity import purity
from semwork.topics.records import TopicStep

__all__ = ["Quality", "TopicJudge", "TopicSweep"]

Floats = NDArray[np.float64]
_TOP = 15  # words of a topic that are judged and kept


@dataclass(frozen=True, eq=False)
class Quality:
    """How good the topics of one model are.

    Attributes
    ----------
    coherence : float
        Mean NPMI of the top words.
    purity : float
        See `purity`; NaN where documents have no labels.
    top_words : tuple of tuple of str
        15 of each topic.
    sizes : ndarray of shape (n_topics,)
        Tokens of each topic.
    """

    coherence: float
    purity: float
    top_words: tuple[tuple[str, ...], ...]
    sizes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TopicSweep:
    """What one sweep has left behind.

    Attributes
    ----------
    log_likelihood, moved : float
        As in `TopicStep`.
    found, lda : Quality
        Of Gaussian LDA, and of LDA after as many sweeps.
    means : ndarray of shape (n_topics, 2)
        Topics in the plane.
    outlines : ndarray of shape (n_topics, n_points, 2)
        Their ellipses, as in `TopicMap`.
    word_topics : ndarray of shape (n_words,)
        The topic in which each word's tokens stand most often.
    here : ndarray of shape (n_topics, 15)
        How many tokens each of the top words has in its topic.
    counts : ndarray of shape (n_documents, n_topics)
        Tokens of each topic in each document.
    """

    log_likelihood: float
    moved: float
    found: Quality
    lda: Quality
    means: Floats
    outlines: Floats
    word_topics: NDArray[np.int32]
    here: NDArray[np.int64]
    counts: NDArray[np.uint16]


class TopicJudge:
    """Looks at two models after a sweep.

    Parameters
    ----------
    data : TopicData
        What they are sampled on.
    """

    def __init__(self, data: TopicData) -> None:
        self.data = data

    @cached_property
    def reference(self) -> Corpus:
        """Where coherence is counted: the documents that are not sampled, or these if there are no others."""
        texts = [" ".join(words) for words in self.data.others or self.data.documents]
        return Corpus.from_texts(texts, min_count=1, weighting="count")

    def quality(self, model: TopicModel) -> Quality:
        """Return how good the topics of a model are."""
        top = model.top_words(_TOP)
        judged = coherence([words for words in top if words], self.reference).mean
        shares = purity(model.document_topics_, self.data.labels) if self.data.has_labels else float("nan")
        return Quality(judged, shares, tuple(map(tuple, top)), model.topic_sizes_)

    def swept(self, model: GaussianLDA, lda: LDA, seen: TopicMap, sampled: TopicStep) -> TopicSweep:
        """Return what a sweep of both has left behind; later sweeps do not change it."""
        found = self.quality(model)
        n_topics, n_documents = len(found.sizes), len(model.tokens_)
        topics, words = np.concatenate(model.assignments_), np.concatenate(model.tokens_)
        owner = np.repeat(np.arange(n_documents), [len(tokens) for tokens in model.tokens_])
        counts = np.bincount(owner * n_topics + topics, minlength=n_documents * n_topics)
        both = np.bincount(words.astype(np.int64) * n_topics + topics, minlength=len(model.vocabulary_) * n_topics)
        both = both.reshape(-1, n_topics)
        place = {word: row for row, word in enumerate(model.vocabulary_)}
        here = np.zeros((n_topics, _TOP), np.int64)
        for topic, top in enumerate(found.top_words):
            here[topic, : len(top)] = both[[place[word] for word in top], topic] if top else 0
        return TopicSweep(
            sampled.log_likelihood,
            sampled.moved,
            found,
            self.quality(lda),
            seen.means,
            seen.outlines,
            seen.words["topic"].to_numpy().astype(np.int32),
            here,
            counts.reshape(n_documents, n_topics).astype(np.uint16),
        )

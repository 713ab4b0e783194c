"""The corpora of the experiments on topics: documents to learn from, documents to judge, references for coherence."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import load
from semwork.datasets.records import LabelledDocuments, WordVectors
from semwork.text import Corpus
from semwork.text.analyzers import Analyzer
from semwork.topics.data import topic_words

__all__ = ["REFERENCES", "TopicCorpus", "references", "topic_corpus", "unit_vectors"]

#: Where the words of topics are counted together: the first is for choices, the others are for reports.
REFERENCES = ("20 newsgroups, dev", "20 newsgroups, test", "Reuters R52", "Brown")
_SENTENCES = 10  # of a piece of Brown: a whole file has 2,000 words, and most words meet there


@dataclass(frozen=True, eq=False)
class TopicCorpus:
    """Training and test documents in the words that topics are learnt from.

    Attributes
    ----------
    training, test : list of list of str
        Words in reading order; those of the test documents are among those of the training documents.
    training_labels : ndarray of shape (n_training_documents,), int64
        The class of each training document.
    test_labels : ndarray of shape (n_test_documents,), int64
        The class of each test document.
    seen : frozenset of str
        All words of the training texts, those that topics are not learnt from, too.
    vectors : WordVectors
        Of all words that have one, not only of those of the documents.
    """

    training: list[list[str]]
    test: list[list[str]]
    training_labels: NDArray[np.int64]
    test_labels: NDArray[np.int64]
    seen: frozenset[str]
    vectors: WordVectors


@functools.lru_cache(maxsize=2)
def topic_corpus(name: str) -> TopicCorpus:
    """Return ``"newsgroups"`` or ``"reuters"`` (R52) with GloVe: no stop words, words that occur 5 times or more."""
    loaded = load("newsgroups") if name == "newsgroups" else load("reuters8", variant="r52")
    return _split(loaded, load("glove"))


def _split(documents: LabelledDocuments, vectors: WordVectors) -> TopicCorpus:
    training, test = documents.subset("train"), documents.subset("test")
    learnt = topic_words(list(training.texts), set(vectors.index))
    known = {word for words in learnt for word in words}
    words_of = Analyzer()
    seen = frozenset(word for text in training.texts for word in words_of(text))
    held = [[word for word in words_of(text) if word in known] for text in test.texts]
    return TopicCorpus(learnt, held, training.labels, test.labels, seen, vectors)


def unit_vectors(vectors: WordVectors) -> WordVectors:
    """Return the same vectors, all of length 1.

    Examples
    --------
    >>> found = unit_vectors(WordVectors("two", ["a", "b"], np.array([[3.0, 4.0], [0.0, 2.0]], dtype=np.float32)))
    >>> found.vectors.tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 1.0]]
    """
    lengths = np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
    return WordVectors(f"{vectors.name}, unit", vectors.words, vectors.vectors / np.maximum(lengths, 1e-12))


@functools.lru_cache(maxsize=1)
def references() -> dict[str, Corpus]:
    """Return the corpora in which words of topics are counted together; no document of them was learnt from."""
    texts = list(load("newsgroups").subset("test").texts)
    order = np.random.default_rng(0).permutation(len(texts))
    halves = [[texts[row] for row in np.sort(part)] for part in np.array_split(order, 2)]
    found = (*halves, list(load("reuters8", variant="r52").texts), _pieces(load("brown")))
    return {
        name: Corpus.from_texts(part, min_count=1, weighting="count")
        for name, part in zip(REFERENCES, found, strict=True)
    }


def _pieces(brown: Any) -> list[str]:
    """Join ten sentences of a file at a time."""
    rows = zip(brown.table["file"].tolist(), brown.texts, strict=True)
    found = []
    for _, sentences in groupby(rows, key=lambda row: row[0]):
        while piece := [text for _, text in islice(sentences, _SENTENCES)]:
            found.append(" ".join(piece))
    return found

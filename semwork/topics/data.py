"""Documents with word vectors, ready for topic models: planted, the sample, 20 newsgroups with GloVe."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds

from semwork.datasets import load
from semwork.datasets.records import LabelledDocuments, Sentences, WordVectors
from semwork.given import check_count, check_kind, check_word
from semwork.text import Corpus
from semwork.text.analyzers import Analyzer
from semwork.text.stopwords import STOP_WORDS
from semwork.topics.planted import planted

__all__ = ["TOPIC_DATA", "TopicData", "check_data", "cooccurrence_vectors", "topic_data", "topic_words"]

#: Names of what `topic_data` gives; all but the last need no download.
TOPIC_DATA = ("planted", "sample", "newsgroups")
_SHORTEST = 3
_LARGE = 5_000  # texts: among so many, words that occur twice are as good as unknown
_FEWEST_WORDS = 8


@dataclass(frozen=True, eq=False)
class TopicData:
    """Documents as lists of words, and vectors of these words.

    Attributes
    ----------
    name : str
        One of `TOPIC_DATA`, or that of one's own data.
    documents : list of list of str
        Words in reading order; only words that have a vector.
    vectors : WordVectors
        One for each word.
    labels : ndarray of str of shape (n_documents,)
        The true class of each document; for planted data its largest topic; ``""`` where nobody knows.
    training : ndarray of bool of shape (n_documents,)
        Which documents are for training.
    texts : list of str
        What a person reads.
    others : list of list of str
        Documents that were left out: in them, which no model has seen, coherence can be counted.
    """

    name: str
    documents: list[list[str]]
    vectors: WordVectors
    labels: NDArray[np.str_]
    training: NDArray[np.bool_]
    texts: list[str]
    others: list[list[str]] = field(default_factory=list)

    @classmethod
    def from_texts(cls, data: LabelledDocuments | Sentences, vectors: WordVectors | None = None) -> TopicData:
        """Take the words that can have topics from texts of one's own.

        Parameters
        ----------
        data : LabelledDocuments or Sentences
            The texts. Those of the split ``"test"`` are not for training; texts without labels have none here, either.
        vectors : WordVectors or None
            Of words; other words are left out. ``None`` makes vectors of up to 12 numbers from the texts themselves.

        Returns
        -------
        TopicData

        Examples
        --------
        >>> from semwork.datasets import load
        >>> len(TopicData.from_texts(load("sample").documents))
        400
        """
        check_kind("data", data, (LabelledDocuments, Sentences), "make some with semwork.datasets.from_table")
        texts = list(data.texts)
        min_count = 2 if len(texts) < _LARGE else 5
        known = None if vectors is None else set(vectors.index)
        words = topic_words(texts, known, min_count=min_count)
        used = sorted({word for document in words for word in document})
        if len(used) < _FEWEST_WORDS:
            without = " and have a vector" if vectors is not None else ""
            raise ValueError(
                f"{data.name} has {len(used)} words that can have topics: they have three letters or more, are no stop "
                f"words, occur {min_count} times{without}; {_FEWEST_WORDS} are needed"
            )
        if vectors is None:
            made = cooccurrence_vectors(texts, used, min(12, len(used) // 2))
        else:
            rows = [vectors.index[word] for word in used]
            made = WordVectors(vectors.name, used, np.ascontiguousarray(vectors.vectors[rows]))
        if isinstance(data, LabelledDocuments):
            return _labelled(data.name, data, words, made)
        count = len(texts)
        return cls(data.name, words, made, np.full(count, "", dtype=np.str_), np.ones(count, dtype=bool), texts)

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def has_labels(self) -> bool:
        """Whether documents have true classes."""
        return bool((self.labels != "").any())

    @property
    def tokens(self) -> int:
        """Words of all documents together."""
        return sum(map(len, self.documents))

    def limited(self, most: int) -> TopicData:
        """Return the data with so many documents for training at most, spread evenly, and all others.

        Parameters
        ----------
        most : int
            Documents for training that are kept; those that are not for training are all kept.

        Returns
        -------
        TopicData

        Examples
        --------
        >>> few = topic_data("sample").limited(50)
        >>> int(few.training.sum()), len(few)
        (50, 146)
        """
        check_count("most", most)
        ours = np.flatnonzero(self.training)
        if most >= len(ours):
            return self
        spread = ours[np.linspace(0, len(ours) - 1, most).astype(int)]
        return self._chosen(np.sort(np.concatenate([spread, np.flatnonzero(~self.training)])))

    def for_training(self) -> TopicData:
        """Return the documents for training alone; the others are the reference for coherence."""
        others = [self.documents[row] for row in np.flatnonzero(~self.training)]
        return replace(self._chosen(np.flatnonzero(self.training)), others=others)

    def with_vectors(self, vectors: WordVectors) -> TopicData:
        """Return the data with other vectors; words that have none are left out.

        Parameters
        ----------
        vectors : WordVectors
            Such as ``load("glove")``, or your own.

        Returns
        -------
        TopicData

        Examples
        --------
        >>> sample = topic_data("sample")
        >>> few = WordVectors("few", sample.vectors.words[:50], sample.vectors.vectors[:50, :5])
        >>> sample.with_vectors(few).vectors.vectors.shape
        (50, 5)
        """
        check_kind("vectors", vectors, WordVectors, "load some, or make them with semwork.datasets.from_table")
        used = [word for word in self.vectors.words if word in vectors.index]
        if len(used) < _FEWEST_WORDS:
            raise ValueError(
                f"{vectors.name} has vectors for {len(used)} of the {len(self.vectors):,} words of {self.name}; "
                f"{_FEWEST_WORDS} are needed. Are they of the same language, in lower case?"
            )
        known = set(used)
        rows = np.ascontiguousarray(vectors.vectors[[vectors.index[word] for word in used]])
        documents, others = (
            [[word for word in words if word in known] for words in texts] for texts in (self.documents, self.others)
        )
        return replace(self, documents=documents, others=others, vectors=WordVectors(vectors.name, used, rows))

    def with_test(self) -> TopicData:
        """Return the data with one document in four not for training, where all of them are.

        Returns
        -------
        TopicData
        """
        return self if not self.training.all() else replace(self, training=np.arange(len(self)) % 4 != 3)

    def _chosen(self, rows: NDArray[np.int64]) -> TopicData:
        return replace(
            self,
            documents=[self.documents[row] for row in rows],
            texts=[self.texts[row] for row in rows],
            labels=self.labels[rows],
            training=self.training[rows],
        )


def check_data(data: object) -> None:
    """Refuse what is no `TopicData`."""
    advice = (
        "load one, such as topic_data('sample'), or make one with TopicData; GaussianLDA itself takes any documents"
    )
    check_kind("data", data, TopicData, advice)


def topic_data(name: str = "sample") -> TopicData:
    """Return one of the three, made once.

    Parameters
    ----------
    name : {"planted", "sample", "newsgroups"}
        The last one needs 20 newsgroups and GloVe.

    Returns
    -------
    TopicData

    Examples
    --------
    >>> sample = topic_data("sample")
    >>> len(sample), len(set(sample.labels)), sample.vectors.vectors.shape[1]
    (400, 8, 12)
    """
    check_word("name", name, TOPIC_DATA, "TopicData makes one of other documents and vectors")
    return _topic_data(name)


@functools.lru_cache(maxsize=4)
def _topic_data(name: str) -> TopicData:
    if name == "planted":
        return _planted()
    if name == "sample":
        return _sample()
    if name == "newsgroups":
        return _newsgroups()
    raise ValueError(f"there is no topic data {name!r}; there are {', '.join(TOPIC_DATA)}")


def topic_words(texts: list[str], known: set[str] | None = None, min_count: int = 5) -> list[list[str]]:
    """Return the words of each text that can have topics: no stop words, three letters or more, not too rare.

    Parameters
    ----------
    texts : list of str
        Documents.
    known : set of str or None
        Words that may be used; ``None``: all.
    min_count : int, default=5
        How often a word must occur in all documents together.
    """
    words_of = Analyzer()
    split = [words_of(text) for text in texts]
    counts = Counter(word for words in split for word in words)
    kept = {
        word
        for word, count in counts.items()
        if count >= min_count and len(word) >= _SHORTEST and word not in STOP_WORDS and (known is None or word in known)
    }
    return [[word for word in words if word in kept] for words in split]


def cooccurrence_vectors(texts: list[str], words: list[str], dimensions: int = 12) -> WordVectors:
    """Return vectors of words from the texts alone: leading singular vectors of positive PMI within a text.

    A stand-in for vectors that were learnt from a large corpus, for data that nobody has to download.

    Parameters
    ----------
    texts : list of str
        Where words are counted.
    words : list of str
        The words that get a vector.
    dimensions : int, default=12
        How long a vector is.
    """
    corpus = Corpus.from_texts(texts, min_count=1, weighting="count")
    present = sparse.csr_array((corpus.counts > 0).astype(np.float64))
    together = sparse.coo_array(present.T @ present)
    often = np.asarray(present.sum(axis=0)).ravel()
    pmi = np.log(together.data * present.shape[0] / (often[together.row] * often[together.col]))
    matrix = sparse.csr_array((np.maximum(pmi, 0.0), (together.row, together.col)), shape=together.shape)
    start = np.random.default_rng(0).normal(size=matrix.shape[0])
    left, sizes, _ = svds(matrix, k=dimensions, v0=start)
    order = np.argsort(-sizes)
    found = left[:, order] * np.sqrt(sizes[order])
    found *= np.sign(found[np.abs(found).argmax(axis=0), np.arange(dimensions)])  # signs are arbitrary
    rows = [corpus.columns[word] for word in words]
    # How long a vector is says how often its word occurs, which is not what it means.
    lengths = np.maximum(np.linalg.norm(found[rows], axis=1, keepdims=True), 1e-12)
    scaled = found[rows] / lengths * np.sqrt(dimensions)
    return WordVectors("co-occurrence", list(words), np.ascontiguousarray(scaled, dtype=np.float32))


def _planted() -> TopicData:
    made = planted(n_topics=5, n_documents=120, document_length=40, n_dimensions=2)
    documents = [[made.words[word] for word in document] for document in made.documents]
    labels = np.array([f"topic {chr(ord('a') + row.argmax())}" for row in made.proportions])
    vectors = WordVectors("planted", made.words, made.vectors.astype(np.float32))
    training = np.arange(len(documents)) % 4 != 0
    return TopicData("planted", documents, vectors, labels, training, [" ".join(words) for words in documents])


def _labelled(name: str, documents: LabelledDocuments, words: list[list[str]], vectors: WordVectors) -> TopicData:
    labels = np.asarray(documents.label_names)[documents.labels]
    return TopicData(name, words, vectors, labels, np.asarray(documents.split) == "train", list(documents.texts))


def _sample() -> TopicData:
    sample = load("sample")
    documents = topic_words(list(sample.documents.texts), min_count=2)
    words = sorted({word for document in documents for word in document})
    return _labelled("sample", sample.documents, documents, cooccurrence_vectors(list(sample.texts), words))


def _newsgroups() -> TopicData:
    glove, documents = load("glove"), load("newsgroups")
    words = topic_words(list(documents.texts), set(glove.index))
    used = sorted({word for document in words for word in document})
    rows = np.ascontiguousarray(glove.vectors[[glove.index[word] for word in used]])
    return _labelled("newsgroups", documents, words, WordVectors("glove", used, rows))

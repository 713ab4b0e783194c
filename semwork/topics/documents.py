"""Documents as topic models read them: word numbers, one after the other, and a vector for each word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets.records import LabelledDocuments, WordVectors
from semwork.given import said
from semwork.text.analyzers import Analyzer
from semwork.text.corpus import Corpus
from semwork.text.stopwords import STOP_WORDS

__all__ = ["Documents", "read_documents", "read_words"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Documents:
    """Tokens of all documents.

    Attributes
    ----------
    words : ndarray of int32 of shape (n_tokens,)
        The number of each token's word in ``names`` and ``vectors``.
    starts : ndarray of int64 of shape (n_documents + 1,)
        Where each document begins in ``words``, and where the last one ends.
    names : list
        The words, or the row numbers of their vectors where words have no names.
    vectors : ndarray of shape (n_words, n_dimensions)
        One row per word; without columns where nobody asked for vectors.
    unknown : dict of str to int
        How many tokens were left out for each word without a vector.
    """

    words: NDArray[np.int32]
    starts: NDArray[np.int64]
    names: list[Any]
    vectors: Floats
    unknown: dict[str, int] = field(default_factory=dict)

    @property
    def unknown_tokens(self) -> int:
        """How many tokens were left out."""
        return sum(self.unknown.values())

    def split(self, values: NDArray[Any]) -> list[NDArray[Any]]:
        """Cut one value per token into one array (a view) per document.

        Parameters
        ----------
        values : ndarray of shape (n_tokens,)
            One value per token.
        """
        return [values[first:end] for first, end in pairwise(self.starts.tolist())]


def read_documents(documents: Any, vectors: Any) -> Documents:
    """Read documents and the vectors of their words.

    Parameters
    ----------
    documents : Corpus, LabelledDocuments, list of str, or list of lists of int
        A `Corpus`; a `LabelledDocuments` or a list of texts, which are split into words (without stop words); or one
        list of word numbers per document.
    vectors : ndarray of shape (n_words, n_dimensions)
        A `WordVectors` for words, an array for word numbers, which are its rows.

    Examples
    --------
    >>> read = read_documents([[0, 2, 2], []], np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    >>> read.words.tolist(), read.starts.tolist(), read.names
    ([0, 1, 1], [0, 3, 3], [0, 2])
    """
    documents = _listed(documents)
    if isinstance(vectors, WordVectors):
        named = read_words(documents)
        rows = np.array([vectors.index.get(name, -1) for name in named.names], dtype=np.int64)
        return _with_vectors(named, rows, vectors.vectors)
    if _has_words(documents):
        raise TypeError(
            f"documents are words, and vectors is a {type(vectors).__name__}: give a WordVectors, such as "
            "load('glove'), or WordVectors('mine', words, array)"
        )
    array = np.asarray(vectors)
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.number) or 0 in array.shape:
        raise ValueError(
            f"vectors has the shape {array.shape} and the type {array.dtype}; give a WordVectors, or an array of "
            "numbers with one row per word"
        )
    numbers = _word_numbers(documents, len(array))
    used = np.unique(numbers.words)
    compact = np.searchsorted(used, numbers.words).astype(np.int32)
    whole = Documents(compact, numbers.starts, used.tolist(), np.zeros((len(used), 0)))
    return _with_vectors(whole, used.astype(np.int64), array)


def read_words(documents: Any) -> Documents:
    """Read documents whose words need no vectors: those of `read_documents`, or lists of word numbers or words.

    Parameters
    ----------
    documents : Corpus, LabelledDocuments, list of str, or list of lists of int or str
        What is read.
    """
    documents = _listed(documents)
    if not isinstance(documents, Corpus) and _has_words(documents):
        words_of = Analyzer()
        return _lists_of_words(
            [
                [word for word in words_of(document) if word not in STOP_WORDS]
                if isinstance(document, str)
                else document
                for document in documents
            ]
        )
    if isinstance(documents, Corpus):
        counts = documents.counts
        words = np.repeat(counts.indices, counts.data).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(counts.sum(axis=1))]).astype(np.int64)
        return Documents(words, starts, documents.vocabulary.tolist(), np.zeros((len(documents.vocabulary), 0)))
    numbers = _word_numbers(documents, None)
    used = np.unique(numbers.words)
    compact = np.searchsorted(used, numbers.words).astype(np.int32)
    return Documents(compact, numbers.starts, used.tolist(), np.zeros((len(used), 0)))


def _listed(documents: Any) -> Any:
    """Return a corpus as it is, anything else as a list: a generator can be gone through only once."""
    if isinstance(documents, Corpus):
        return documents
    if isinstance(documents, LabelledDocuments):
        return list(documents.texts)
    if isinstance(documents, str):
        raise TypeError(f"documents is one text, {documents!r:.40}; give a list of texts")
    if hasattr(documents, "iloc") and hasattr(documents, "columns"):  # going through a table gives names of columns
        raise TypeError(f"documents is {said(documents)}; give the column that has the texts")
    if not isinstance(documents, Iterable):
        raise TypeError(
            f"documents is a {type(documents).__name__}; give a Corpus, a LabelledDocuments, a list of texts, or one "
            "list of word numbers per document"
        )
    return list(documents)


def _has_words(documents: Any) -> bool:
    """Whether documents are text: a corpus, strings, or lists of strings."""
    if isinstance(documents, Corpus):
        return True
    for document in documents:
        if isinstance(document, str):
            return True
        if isinstance(document, Sequence) and len(document):
            return isinstance(document[0], str)
    return False


def _lists_of_words(documents: list[Sequence[str]]) -> Documents:
    names = sorted({word for document in documents for word in document})
    number = {name: place for place, name in enumerate(names)}
    words = np.array([number[word] for document in documents for word in document], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum([len(document) for document in documents])]).astype(np.int64)
    return Documents(words, starts, names, np.zeros((len(names), 0)))


def _word_numbers(documents: Any, n_words: int | None) -> Documents:
    arrays = []
    for place, document in enumerate(documents):
        array = np.asarray(document)
        if array.ndim != 1 or not (len(array) == 0 or np.issubdtype(array.dtype, np.integer)):
            raise TypeError(
                f"document {place} is {document!r:.60}; a document is a list of whole numbers, the rows of its words "
                "in vectors"
            )
        arrays.append(array.astype(np.int64))
    if not arrays:
        raise ValueError("there are no documents: documents is empty, give at least one")
    words = np.concatenate(arrays)
    wrong = np.flatnonzero((words < 0) | (words >= (np.iinfo(np.int32).max if n_words is None else n_words)))
    if len(wrong):
        allowed = "0 or more" if n_words is None else f"from 0 to {n_words - 1}, the rows of vectors"
        raise ValueError(f"a document has the word number {words[wrong[0]]}; word numbers must be {allowed}")
    starts = np.concatenate([[0], np.cumsum([len(array) for array in arrays])]).astype(np.int64)
    return Documents(words.astype(np.int32), starts, [], np.zeros((0, 0)))


def _with_vectors(documents: Documents, rows: NDArray[np.int64], vectors: NDArray[Any]) -> Documents:
    """Keep the words that have a row, count the others, and look at the vectors."""
    counts = np.bincount(documents.words, minlength=len(rows))
    known = np.flatnonzero(rows >= 0)
    unknown = {str(documents.names[w]): int(counts[w]) for w in np.flatnonzero((rows < 0) & (counts > 0)).tolist()}
    known = known[counts[known] > 0]
    chosen = np.asarray(vectors[rows[known]], dtype=np.float64)
    names = [documents.names[w] for w in known.tolist()]
    if not np.isfinite(chosen).all():
        bad = int(np.flatnonzero(~np.isfinite(chosen).all(axis=1))[0])
        raise ValueError(
            f"the vector of {names[bad]!r} has NaN or infinity in it; mend it, or leave the word out of the documents"
        )
    empty = np.flatnonzero(~chosen.any(axis=1))
    if len(empty):
        raise ValueError(
            f"the vector of {names[int(empty[0])]!r} is all zeros ({len(empty)} such words), which usually stands for "
            "a word without a vector; leave these words out of the documents"
        )
    new_number = np.full(len(rows), -1, dtype=np.int32)
    new_number[known] = np.arange(len(known), dtype=np.int32)
    words = new_number[documents.words]
    kept = np.concatenate([[0], np.cumsum(words >= 0)])
    return Documents(words[words >= 0], kept[documents.starts], names, chosen, unknown)

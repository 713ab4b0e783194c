"""Labelled documents as the kernels want them: one matrix, and a yes or no for each class."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import LabelledDocuments, Sample, load
from semwork.given import check_kind, check_word
from semwork.text import Corpus

__all__ = ["DOCUMENT_SETS", "DocumentSet", "document_set"]

#: The data sets that have labelled documents.
DOCUMENT_SETS = ("sample", "medline", "reuters8", "newsgroups")


@dataclass(frozen=True, eq=False)
class DocumentSet:
    """Documents, weighted as in the paper [1]_, and their classes.

    Parameters
    ----------
    name : str
        The data set.
    corpus : Corpus
        Stems, stop words left out, weights ``log(1 + tf) · log(m / df)``, documents of unit length.
    classes : dict of str to ndarray of shape (n_documents,)
        Name → which documents belong to it.
    labels : ndarray of shape (n_documents,) or None
        The number of its class for each document, where each has one; ``None`` for Medline, where a document may be
        relevant to several queries or none.

    References
    ----------
    .. [1] J. Kandola, J. Shawe-Taylor & N. Cristianini (2002), Learning Semantic Similarity, NIPS, section 5.1.
    """

    name: str
    corpus: Corpus
    classes: dict[str, NDArray[np.bool_]]
    labels: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        """Refuse documents that are not weighted yet."""
        check_kind("corpus", self.corpus, Corpus, "make one with Corpus.from_texts(texts, weighting='log')")

    @classmethod
    def from_documents(cls, documents: LabelledDocuments, limit: int | None = None, seed: int = 0) -> Self:
        """Weigh documents with one label each; a class with a single document is left out.

        Parameters
        ----------
        documents : LabelledDocuments
            Texts and labels.
        limit : int or None, default=None
            How many documents at most; they are drawn at random.
        seed : int, default=0
            Which documents are drawn.

        Returns
        -------
        DocumentSet

        Examples
        --------
        >>> from semwork.datasets import load
        >>> len(DocumentSet.from_documents(load("sample").documents, limit=100))
        100
        """
        check_kind("documents", documents, LabelledDocuments, "make some with semwork.datasets.from_table")
        rows = _drawn(len(documents), limit, seed)
        labels = documents.labels[rows]
        found = {label: labels == number for number, label in enumerate(documents.label_names)}
        classes = {label: belongs for label, belongs in found.items() if belongs.sum() > 1}
        if len(classes) < 2:
            raise ValueError(
                f"{documents.name} has {len(classes)} classes of two documents or more; kernels tell one class from "
                "the others, and need two"
            )
        return cls(documents.name, _weighted(documents.texts, rows), classes, labels)

    def __len__(self) -> int:
        return len(self.corpus)

    def target(self, name: str) -> NDArray[np.float64]:
        """Return 1 for the documents of a class and −1 for the others.

        Parameters
        ----------
        name : str
            The class.
        """
        check_word("the class", name, self.classes)
        if name not in self.classes:
            raise ValueError(f"{self.name} has no class {name!r:.60}; it has {', '.join(self.classes)}")
        return np.where(self.classes[name], 1.0, -1.0)

    def split(self, name: str, share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of training and test documents, at random, both with the same share of the class.

        Parameters
        ----------
        name : str
            The class.
        share : float
            Share of the documents for training, between 0 and 1.
        seed : int
            Which documents those are.
        """
        if not 0 < share < 1:
            raise ValueError(f"the training share must lie between 0 and 1, got {share!r}")
        belongs, rng = self.classes[name], np.random.default_rng(seed)
        training = []
        for part in (True, False):
            rows = rng.permutation(np.flatnonzero(belongs == part))
            if len(rows) < 2:
                raise ValueError(
                    f"the class {name!r} of {self.name} has {belongs.sum()} of {len(self)} documents: too few"
                )
            training.append(rows[: min(max(1, round(share * len(rows))), len(rows) - 1)])
        chosen = np.zeros(len(self), dtype=bool)
        chosen[np.concatenate(training)] = True
        return np.flatnonzero(chosen), np.flatnonzero(~chosen)


def document_set(name: str, limit: int | None = None, seed: int = 0) -> DocumentSet:
    """Load labelled documents.

    Parameters
    ----------
    name : {"sample", "medline", "reuters8", "newsgroups"}
        The data set.
    limit : int or None, default=None
        How many documents at most; they are drawn at random.
    seed : int, default=0
        Which documents are drawn.
    """
    check_word("name", name, DOCUMENT_SETS, "DocumentSet(name, corpus, classes) makes one of other documents")
    return _document_set(name, limit, seed)


@functools.lru_cache(maxsize=4)
def _document_set(name: str, limit: int | None, seed: int) -> DocumentSet:
    if name not in DOCUMENT_SETS:
        raise ValueError(f"the document sets are {', '.join(DOCUMENT_SETS)}; got {name!r:.60}")
    data = load(name)
    if isinstance(data, Sample):
        data = data.documents
    if isinstance(data, LabelledDocuments):
        return replace(DocumentSet.from_documents(data, limit, seed), name=name)
    rows = _drawn(len(data.candidates), limit, seed)
    relevant = {}
    for number, targets in zip(data.query_table["number"], data.targets, strict=True):
        relevant[f"query {number}"] = np.isin(rows, targets)
    return DocumentSet(name, _weighted(data.candidates, rows), relevant)


def _drawn(count: int, limit: int | None, seed: int) -> NDArray[np.int64]:
    """Rows of the documents: all of them, or as many as the limit, drawn at random."""
    rows = np.arange(count)
    if limit is not None and limit < count:
        rows = np.sort(np.random.default_rng(seed).permutation(rows)[:limit])
    return rows


def _weighted(texts: Sequence[str], rows: NDArray[np.int64]) -> Corpus:
    return Corpus.from_texts(
        [texts[row] for row in rows], "stem", min_count=2, weighting="log", normalize=True, stop_words=True
    )

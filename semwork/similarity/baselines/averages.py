"""Averaged word vectors: the plain modern yardstick, with smooth inverse frequency (SIF) weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from semwork.datasets import WordVectors, load
from semwork.given import check_positive
from semwork.similarity.base import Reads, SentenceModel
from semwork.steps import Step
from semwork.text import choose_analyzer
from semwork.text.encode import UNKNOWN, Encoded, check_texts, encode

__all__ = ["WordAverage"]

Vector = NDArray[np.float64]


class WordAverage(SentenceModel):
    r"""The weighted mean of a sentence's word vectors, less the direction that all sentences share.

    With SIF weights a word counts :math:`a/(a + p(w))`, p(w) its share of all words in the texts of the fit, so that
    frequent words count little; then the projection on the first singular vector of the fitted sentences is removed,
    :math:`v - u u^T v`.

    Parameters
    ----------
    vectors : WordVectors or None, default=None
        The word vectors; ``None`` loads GloVe at the fit.
    weighting : {"sif", "idf", "uniform"}, default="sif"
        ``"sif"``; ``"idf"`` for :math:`\ln(N/(df + 1))`, not below 0, over the N texts of the fit; ``"uniform"``.
    a : float, default=0.001
        The constant of SIF.
    remove_component : bool, default=True
        Whether the common direction is removed.
    analyzer : str, Analyzer or callable, default="word"
        As in :class:`~semwork.text.Corpus`. Its terms are looked up among the words, so that stems find few.

    Attributes
    ----------
    vectors_ : WordVectors
        The word vectors in use.
    word_weights_ : ndarray of shape (n_vectors,), float64
        One weight per row of ``vectors_``. A word that the fit has not seen has p = 0 or df = 0.
    component_ : ndarray of shape (n_dimensions,), float64
        The direction removed, of length 1, or zeros if none is.
    coverage_ : float
        The share of the words in the texts of the fit that have a vector.

    Notes
    -----
    Words without a vector are passed over; the mean is over the others. A sentence without any is a row of zeros.

    References
    ----------
    .. [1] S. Arora, Y. Liang & T. Ma (2017), A Simple but Tough-to-Beat Baseline for Sentence Embeddings, ICLR,
       Algorithm 1.
    .. [2] J. Pennington, R. Socher & C. Manning (2014), GloVe: Global Vectors for Word Representation, EMNLP.

    Examples
    --------
    >>> vectors = WordVectors("tiny", ["a", "cat", "dog"], np.array([[1, 1], [1, 0], [0, 1]], dtype=np.float32))
    >>> model = WordAverage(vectors, "uniform", remove_component=False).fit(["a cat", "a dog"])
    >>> model.transform(["a cat", "a cat and a dog", "nothing"]).tolist()
    [[1.0, 0.5], [0.75, 0.75], [0.0, 0.0]]
    """

    reads: ClassVar[Reads] = "texts"

    def __init__(
        self,
        vectors: WordVectors | None = None,
        weighting: Literal["sif", "idf", "uniform"] = "sif",
        a: float = 1e-3,
        remove_component: bool = True,
        analyzer: Any = "word",
    ) -> None:
        self.vectors = vectors
        self.weighting = weighting
        self.a = a
        self.remove_component = remove_component
        self.analyzer = analyzer

    def steps(self, X: Iterable[str]) -> Iterator[Step]:
        """Count the words, weigh them and find the common direction, in one step."""
        if self.weighting not in ("sif", "idf", "uniform"):
            raise ValueError(f"weighting must be 'sif', 'idf' or 'uniform', got {self.weighting!r}")
        a = check_positive("a", self.a)
        texts = check_texts(X)
        if not texts:
            raise ValueError("there are no sentences: texts is empty, give at least one string")
        self.vectors_ = _chosen(self.vectors)
        encoded = self._encode(texts)
        self.word_weights_ = self._weigh(encoded, a)
        self.coverage_ = float(np.mean(encoded.ids >= 0)) if len(encoded.ids) else 0.0
        self.component_ = np.zeros(self.vectors_.vectors.shape[1])
        if self.remove_component:
            self.component_ = _first_direction(self._means(encoded))
        yield Step(
            done=1, total=1, message=f"{len(texts):,} sentences, {self.coverage_:.1%} of the words have a vector"
        )

    def transform(self, X: Iterable[str]) -> NDArray[np.float64]:
        """Return the weighted means, less the common direction."""
        check_is_fitted(self)
        means = self._means(self._encode(check_texts(X)))
        return means - np.outer(means @ self.component_, self.component_)

    @property
    def _n_features_out(self) -> int:
        return len(self.component_)

    def _encode(self, texts: list[str]) -> Encoded:
        """Texts as row numbers of the word vectors."""
        rows = self.vectors_.index
        return encode(texts, choose_analyzer(self.analyzer), frozenset(), lambda term: rows.get(term, UNKNOWN))

    def _weigh(self, encoded: Encoded, a: float) -> Vector:
        known = encoded.ids >= 0
        size = len(self.vectors_)
        if self.weighting == "uniform":
            return np.ones(size)
        if self.weighting == "sif":
            share = np.bincount(encoded.ids[known], minlength=size) / max(1, len(encoded.ids))
            return np.asarray(a / (a + share))
        ends = np.concatenate([[0], np.cumsum(known)])[encoded.starts]
        once = sparse.csr_array((np.ones(ends[-1]), encoded.ids[known], ends), shape=(len(encoded), size))
        once.sum_duplicates()
        return np.maximum(np.log(len(encoded) / (np.bincount(once.indices, minlength=size) + 1.0)), 0.0)

    def _means(self, encoded: Encoded) -> NDArray[np.float64]:
        """Σ weight · vector / number of words, over the words that have a vector."""
        known = encoded.ids >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[encoded.starts]
        used, columns = np.unique(encoded.ids[known], return_inverse=True)
        rows = sparse.csr_array(
            (self.word_weights_[encoded.ids[known]], columns, ends), shape=(len(encoded), len(used))
        )
        sums = np.asarray(rows @ np.asarray(self.vectors_.vectors[used], dtype=np.float64))
        return sums / np.maximum(np.diff(ends), 1)[:, None]


def _chosen(vectors: Any) -> WordVectors:
    chosen = load("glove") if vectors is None else vectors
    if not isinstance(chosen, WordVectors):
        raise TypeError(f"vectors must be WordVectors, such as load('glove'), or None, got {type(vectors).__name__}")
    if np.ndim(chosen.vectors) != 2 or len(chosen.words) != len(chosen.vectors):
        raise ValueError(
            f"the vectors {chosen.name!r} have the shape {np.shape(chosen.vectors)} for {len(chosen.words)} words; "
            "there must be one row per word"
        )
    return chosen


def _first_direction(rows: NDArray[np.float64]) -> Vector:
    """Return the first right singular vector: of the small Gram matrix, so that the sentences cost one product."""
    values, directions = np.linalg.eigh(rows.T @ rows)
    return directions[:, -1] if values[-1] > 0 else np.zeros(rows.shape[1])

"""Phrase overlap: sentences compared by the n-grams that they share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from semwork.similarity.base import Reads, SentenceModel
from semwork.steps import Step
from semwork.text import Corpus

__all__ = ["NGramOverlap"]


class NGramOverlap(SentenceModel):
    """The number of n-grams that two sentences have in common.

    The paper returns "the number of overlapping ngrams as the similarity score" and does not say which n. Here they
    are words, pairs and triples: with words alone this would be word overlap, and without them most pairs of
    definitions would share nothing at all. An n-gram counts once however often a sentence repeats it.

    Parameters
    ----------
    ngram_range : tuple of (int, int), default=(1, 3)
        Smallest and largest n.
    weighting : {"overlap", "tfidf"}, default="overlap"
        ``"overlap"`` for the number of shared n-grams (the inner product of rows of ones), ``"tfidf"`` for the cosine
        of TF-IDF weighted n-grams, which the paper found better.
    analyzer : str, Analyzer or callable, default="stem"
        As in :class:`~semwork.text.Corpus`; n-grams are made of stems, so that *banks* and *bank* overlap.
    min_count : int, default=1
        N-grams seen less often in the texts of the fit are passed over. 1 keeps all: what is rare there may still be
        shared with a new sentence. N-grams that the texts of the fit do not have are always passed over.

    Attributes
    ----------
    corpus_ : Corpus
        The n-grams of the texts of the fit.

    References
    ----------
    W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, section 5, model (b), and section 5.2.1 for
    its TF-IDF form.

    Examples
    --------
    >>> texts = ["a bank of the river", "the bank of the town", "money"]
    >>> model = NGramOverlap().fit(texts)
    >>> rows = model.transform(texts)
    >>> model.measure, (rows @ rows.T).toarray().astype(int).tolist()  # bank, of, the, bank of, of the, bank of the
    ('dot', [[12, 6, 0], [6, 11, 0], [0, 0, 1]])
    """

    reads: ClassVar[Reads] = "texts"

    def __init__(
        self,
        ngram_range: tuple[int, int] = (1, 3),
        weighting: Literal["overlap", "tfidf"] = "overlap",
        analyzer: Any = "stem",
        min_count: int = 1,
    ) -> None:
        self.ngram_range = ngram_range
        self.weighting = weighting
        self.analyzer = analyzer
        self.min_count = min_count

    @property
    def measure(self) -> Literal["cosine", "dot"]:  # type: ignore[override]  # it follows from the weighting
        """``"dot"`` counts the shared n-grams, ``"cosine"`` compares their weights."""
        return "dot" if self.weighting == "overlap" else "cosine"

    def steps(self, X: Iterable[str]) -> Iterator[Step]:
        """Collect the n-grams of the texts."""
        if self.weighting not in ("overlap", "tfidf"):
            raise ValueError(f"weighting must be 'overlap' or 'tfidf', got {self.weighting!r}")
        self.corpus_ = Corpus.from_texts(
            X,
            self.analyzer,
            min_count=self.min_count,
            weighting="count" if self.weighting == "overlap" else "tfidf",
            ngram_range=self.ngram_range,
        )
        size = f"{len(self.corpus_):,} sentences, {len(self.corpus_.vocabulary):,} n-grams"
        yield Step(done=1, total=1, message=size)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the n-grams; there are no names of columns to start from.

        Parameters
        ----------
        input_features : None
            Not used.

        Returns
        -------
        ndarray of str of shape (n_ngrams,)
        """
        del input_features
        check_is_fitted(self)
        return self.corpus_.vocabulary

    def transform(self, X: Iterable[str]) -> sparse.csr_array:
        """Return a row of ones, or of weights, at the n-grams of each text."""
        check_is_fitted(self)
        rows = self.corpus_.transform(X)
        if self.weighting == "overlap":
            rows.data = np.ones_like(rows.data)
        return rows

"""A corpus: texts, their vocabulary and the sparse matrix of weights that the models work on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.given import is_whole
from semwork.model_files import pack_texts, read_model, unpack_texts, write_model
from semwork.text.analyzers import Analyzer
from semwork.text.choice import AnalyzerLike, StopWordsLike, choose_analyzer, choose_stop_words
from semwork.text.counting import Counted, count
from semwork.text.encode import check_texts
from semwork.text.keeping import analyzer_from, analyzer_head, counted_arrays, counted_from
from semwork.text.weighting import WeightingName, check_weighting, term_weights, weigh

__all__ = ["Corpus"]

_TRIED = 100  # texts of a file that are counted again, to see whether they are still read in the same way


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Texts as a documents × terms matrix; make one with `Corpus.from_texts`.

    Attributes
    ----------
    texts : list of str
        The documents, as given.
    counts : csr_array of shape (n_documents, n_terms)
        How often each term occurs in each document: a CSR array of integers, rows in the order of `texts`, columns
        in the order of `vocabulary`.
    matrix : csr_array of shape (n_documents, n_terms)
        The weights: a CSR array of float64 with sorted indices, no duplicates and no stored zeros.
    vocabulary : ndarray of shape (n_terms,), object
        The terms in the order of their code points (for lower-case English: the alphabet), a read-only array of
        strings. The order depends on the set of terms only, not on the order of the documents.
    columns : dict of str to int
        Term → column.
    document_frequency : ndarray of shape (n_terms,), int64
        In how many documents each term occurs.
    term_weights : ndarray of shape (n_terms,), float64
        The global weight (idf) of each term, see `semwork.text.weighting.term_weights`.
    analyzer : Analyzer
        What makes terms of a text.
    min_count : int
        Terms that occur less often were dropped.
    weighting : {"tfidf", "log", "count"}
        How counts were weighed.
    normalize : bool
        Whether rows have unit length.
    stop_words : frozenset of str
        Words that were left out.
    ngram_range : tuple of (int, int)
        Smallest and largest n of the n-grams.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["A cat and a dog.", "The dog barks.", "Cats sleep."], analyzer="stem")
    >>> corpus
    Corpus(3 documents × 3 terms, 5 cells, analyzer='stem', min_count=2, weighting='tfidf')
    >>> corpus.vocabulary.tolist()
    ['a', 'cat', 'dog']
    >>> corpus.counts.toarray().tolist()
    [[2, 1, 1], [0, 0, 1], [0, 1, 0]]
    >>> corpus.transform(["A dog, a dog and a zebra"]).nnz
    1
    """

    texts: list[str]
    analyzer: Analyzer
    min_count: int
    weighting: WeightingName
    normalize: bool
    stop_words: frozenset[str]
    ngram_range: tuple[int, int]
    _counted: Counted = field(repr=False)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        analyzer: AnalyzerLike = "word",
        *,
        min_count: int = 2,
        weighting: WeightingName = "tfidf",
        normalize: bool = False,
        stop_words: StopWordsLike = False,
        ngram_range: tuple[int, int] = (1, 1),
    ) -> Corpus:
        """Split, count and weigh texts.

        Parameters
        ----------
        texts : iterable of str
            The documents, strings; a generator will do. Empty texts and texts without a known word become empty
            rows.
        analyzer : str, Analyzer or callable
            ``"word"``, ``"stem"`` (Porter), ``"lemma"`` (WordNet's most frequent lemma), an `Analyzer`, or a
            function from a text to a list of terms. The names fold case; ``Analyzer(lowercase=False)`` does not.
        min_count : int
            Terms that occur less often in the whole corpus are dropped. 2, as in the papers, drops words seen once.
        weighting : {"tfidf", "log", "count"}
            ``"tfidf"``: ``tf · ln(N / (df + 1))``, never below 0, for WTMF [1]_;
            ``"log"``: ``ln(1 + tf) · ln(N / df)``, as in the kernels paper [2]_; ``"count"``: ``tf``.
        normalize : bool
            Whether rows are scaled to unit length. The WTMF papers do not, the kernels paper does.
        stop_words : bool or iterable of str
            ``True`` leaves out English function words (`STOP_WORDS`); or give a list. They are compared with the
            words of the text, before stems and lemmas are taken, and left out before n-grams are formed.
        ngram_range : tuple of (int, int)
            Smallest and largest n: ``(1, 2)`` counts words and pairs of neighbours, named ``"left right"``.

        Returns
        -------
        Corpus

        Raises
        ------
        ValueError
            When there is no document, or no term is left.

        References
        ----------
        .. [1] W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, sections 2 and 5.1.
        .. [2] J. Kandola, J. Shawe-Taylor & N. Cristianini (2002), Learning Semantic Similarity, NIPS, section 5.1.
        """
        check_weighting(weighting)
        _check_min_count(min_count)
        _check_ngram_range(ngram_range)
        chosen = choose_analyzer(analyzer)
        left_out = choose_stop_words(stop_words, chosen)
        checked = check_texts(texts)
        if not checked:
            raise ValueError("there are no documents: texts is empty, give at least one string")
        smallest, largest = ngram_range
        counted = count(checked, chosen, left_out, min_count, smallest, largest)
        corpus = cls(checked, chosen, min_count, weighting, normalize, left_out, (smallest, largest), counted)
        if not corpus.matrix.nnz:
            warnings.warn(
                f"all weights are 0: with weighting={weighting!r} a term that occurs in (nearly) all of the "
                f"{len(checked)} documents weighs nothing; give more texts or weighting='count'",
                stacklevel=2,
            )
        return corpus

    def reweighted(self, weighting: WeightingName, *, normalize: bool = False) -> Corpus:
        """Return the same corpus with other weights; nothing is counted again.

        Parameters
        ----------
        weighting : {"tfidf", "log", "count"}
            As in `from_texts`.
        normalize : bool
            Whether rows are scaled to unit length.

        Returns
        -------
        Corpus
        """
        check_weighting(weighting)
        return replace(self, weighting=weighting, normalize=normalize)

    def transform(self, texts: Iterable[str]) -> sparse.csr_array:
        """Weigh new texts with this corpus's columns and idf; words that are no terms are passed over.

        Parameters
        ----------
        texts : iterable of str
            Strings; none at all gives a matrix without rows.

        Returns
        -------
        scipy.sparse.csr_array
            ``len(texts)`` × ``len(vocabulary)``. For the corpus's own texts it equals `matrix`.
        """
        counts = self._counted.count_again(check_texts(texts), self.analyzer, self.stop_words)
        return weigh(counts, self.term_weights, self.weighting, self.normalize)

    def tokens(self, text: str) -> list[str]:
        """Return a text's terms in reading order, without stop words, whether or not the corpus knows them.

        Parameters
        ----------
        text : str
            Any text, of the corpus or not.

        Returns
        -------
        list of str
        """
        if not isinstance(text, str):
            raise TypeError(f"tokens takes one text, a string, got {text!r:.60} ({type(text).__name__})")
        words = map(self.analyzer.clean, self.analyzer.split(text))
        kept = (word for word in words if word and word not in self.stop_words)
        return [term for term in map(self.analyzer.base, kept) if term]

    def save(self, path: str | Path) -> Path:
        """Write the corpus to an ``.npz`` file (arrays, texts as bytes, settings as JSON; nothing is pickled).

        An analyzer of your own, a function or a class, cannot be kept; give it again to `load`.

        Parameters
        ----------
        path : str or Path
            The file; its name ends in ``.npz``.

        Returns
        -------
        Path
            Where the file is.
        """
        return write_model(path, type(self), *self._to_file())

    @classmethod
    def load(cls, path: str | Path, analyzer: AnalyzerLike | None = None) -> Corpus:
        """Read a corpus that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        analyzer : str, Analyzer, callable or None
            Only for a corpus that was made with an analyzer of your own: the same one. It is tried on the first texts.

        Returns
        -------
        Corpus
        """
        return cls._from_file(*read_model(path, cls), analyzer)

    def _to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        head = {
            "analyzer": analyzer_head(self.analyzer),
            "min_count": int(self.min_count),
            "weighting": self.weighting,
            "normalize": bool(self.normalize),
            "stop_words": sorted(self.stop_words),
            "ngram_range": [int(n) for n in self.ngram_range],
        }
        return head, pack_texts("texts", self.texts) | counted_arrays(self._counted)

    @classmethod
    def _from_file(cls, head: dict[str, Any], arrays: dict[str, Any], given: AnalyzerLike | None) -> Corpus:
        analyzer, texts = analyzer_from(head["analyzer"], given), unpack_texts("texts", arrays)
        smallest, largest = head["ngram_range"]
        counted = counted_from(arrays, (smallest, largest))
        settings = head["min_count"], head["weighting"], head["normalize"], frozenset(head["stop_words"])
        corpus = cls(texts, analyzer, *settings, (smallest, largest), counted)
        again = counted.count_again(texts[:_TRIED], analyzer, corpus.stop_words)
        if (again != corpus.counts[:_TRIED]).nnz:
            said = f"the analyzer {analyzer.name!r} reads the first texts otherwise than when the corpus was saved"
            if given is not None:
                raise ValueError(f"{said}; give the one that it was made with")
            warnings.warn(
                f"{said}, by another version of semwork or of its data: new texts are not counted as those of the "
                "corpus were. Make it again, Corpus.from_texts(corpus.texts, …), and fit again what was fitted on it",
                stacklevel=3,
            )
        return corpus

    @property
    def counts(self) -> sparse.csr_array:
        """Raw counts, documents × terms."""
        return self._counted.counts

    @property
    def vocabulary(self) -> NDArray[np.object_]:
        """The terms in column order."""
        return self._counted.vocabulary

    @property
    def columns(self) -> dict[str, int]:
        """Term → column."""
        return self._counted.columns

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """Number of documents that have the term, for every column."""
        return np.bincount(self.counts.indices, minlength=len(self.vocabulary))

    @cached_property
    def term_weights(self) -> NDArray[np.float64]:
        """Global weight (idf) of every column."""
        return term_weights(self.document_frequency, len(self), self.weighting)

    @cached_property
    def matrix(self) -> sparse.csr_array:
        """Weights, documents × terms."""
        return weigh(self.counts, self.term_weights, self.weighting, self.normalize)

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        parts = [f"{len(self):,} documents × {len(self.vocabulary):,} terms", f"{self.counts.nnz:,} cells"]
        parts += [f"{name}={value!r}" for name, value in self._settings().items()]
        return f"Corpus({', '.join(parts)})"

    def _settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = {
            "analyzer": self.analyzer.name,
            "min_count": self.min_count,
            "weighting": self.weighting,
        }
        if self.normalize:
            settings["normalize"] = True
        if self.stop_words:
            settings["stop_words"] = len(self.stop_words)
        if self.ngram_range != (1, 1):
            settings["ngram_range"] = self.ngram_range
        return settings

    def _repr_html_(self) -> str:
        """Show the size, the settings, the most widespread terms and the first texts."""
        top = np.argsort(-self.document_frequency, kind="stable")[:12]
        terms = ", ".join(f"<bdi>{escape(self.vocabulary[i])}</bdi>&nbsp;({self.document_frequency[i]:,})" for i in top)
        settings = ", ".join(f"{name} = {escape(str(value))}" for name, value in self._settings().items())
        filled = self.counts.nnz / max(1, len(self) * len(self.vocabulary))
        facts = {
            "documents": f"{len(self):,}",
            "terms": f"{len(self.vocabulary):,}",
            "cells": f"{self.counts.nnz:,} ({filled:.2%})",
            "settings": settings,
            "in most documents": terms,
        }
        body = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{fact}</td></tr>" for name, fact in facts.items()
        )
        texts = "".join(f"<li><bdi>{escape(_short(text))}</bdi></li>" for text in self.texts[:3])
        return f"<div><strong>Corpus</strong><table>{body}</table><ol start='0'>{texts}</ol></div>"


def _short(text: str, length: int = 100) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _check_min_count(min_count: int) -> None:
    if not is_whole(min_count) or min_count < 1:
        raise ValueError(f"min_count must be a whole number from 1, got {min_count!r}; 1 keeps every term")


def _check_ngram_range(ngram_range: tuple[int, int]) -> None:
    whole = isinstance(ngram_range, tuple | list) and all(is_whole(n) for n in ngram_range)
    if not whole or len(ngram_range) != 2 or not 1 <= ngram_range[0] <= ngram_range[1]:
        raise ValueError(
            f"ngram_range must be two whole numbers, 1 ≤ smallest ≤ largest, got {ngram_range!r}; "
            "(1, 2) is words and pairs"
        )

"""What both topic models share: a run that can be drained, files, top words, checks."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from semwork.datasets.records import WordVectors
from semwork.given import check_count
from semwork.model_files import plain_parameters, read_model, write_model
from semwork.steps import last
from semwork.topics.counts import is_matrix, words_of_counts
from semwork.topics.documents import Documents
from semwork.topics.folding import Folded, fold_in
from semwork.topics.records import TopicStep

__all__ = ["TopicModel", "vectors_among"]

Floats = NDArray[np.float64]


class TopicModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Documents in; topics of tokens, words of topics and proportions of documents out.

    As a transformer of scikit-learn, a model also reads a matrix of counts (an array of two dimensions, a sparse
    matrix, or a table of pandas): a row for each document, a column for each word, which is called by its number, or by
    its name in a table.
    """

    n_topics: int
    n_jobs: int | None
    random_state: Any

    vocabulary_: list[Any]
    tokens_: list[NDArray[np.int32]]
    assignments_: list[NDArray[np.int32]]
    unknown_words_: dict[str, int]
    log_joint_path_: list[float]
    n_sweeps_: int

    @abstractmethod
    def steps(self, documents: Any, vectors: Any, max_sweeps: int | None = None) -> Iterator[TopicStep]:
        """Sample sweep by sweep; the fitted attributes are current after every step.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            What is sampled.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Of the words; LDA needs none.
        max_sweeps : int or None
            Instead of the parameter of the model.
        """

    @abstractmethod
    def topic_word_density(self, words: Sequence[Any] | None = None) -> Floats:
        """Return the log density of words (columns) under each topic (rows).

        Parameters
        ----------
        words : sequence of str or int, or None
            ``None`` for ``vocabulary_``.
        """

    @property
    @abstractmethod
    def topic_sizes_(self) -> NDArray[np.int64]:
        """Tokens of each topic."""

    @abstractmethod
    def _read_new(self, documents: Any, vectors: Any) -> tuple[Documents, Floats]:
        """Read documents for fixed topics: tokens, and words × topics log densities."""

    @abstractmethod
    def _alpha(self) -> Floats:
        """Return the Dirichlet prior of proportions."""

    def fit(self, documents: Any, y: Any = None, vectors: Any = None) -> Self:
        """Run all sweeps; the arguments are those of :meth:`steps`.

        The vectors may stand in the second place, too. Labels, which a pipeline puts there, are not used.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            What is sampled.
        y : object
            Labels, which are not used, or the vectors.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Of the words; LDA needs none.
        """
        last(self.steps(documents, vectors_among(y) if vectors is None else vectors))
        return self

    def fit_transform(self, documents: Any, y: Any = None, vectors: Any = None) -> Any:
        """Fit, and return the topic proportions that :meth:`transform` gives for the same documents.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            What is sampled.
        y : object
            Labels, which are not used, or the vectors.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Of the words; LDA needs none.

        Returns
        -------
        ndarray of shape (n_documents, n_topics)
        """
        return self.fit(documents, y, vectors).transform(documents)

    @property
    def _n_features_out(self) -> int:
        """How many proportions a document has: scikit-learn names them after the class and numbers them."""
        return len(self.topic_sizes_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.positive_only = True
        return tags

    def _documents(self, given: Any, *, fitting: bool) -> Any:
        """Return documents; a matrix of counts becomes lists of its words."""
        if is_matrix(given):
            return words_of_counts(self, given, fitting=fitting)
        if fitting:
            for name in ("n_features_in_", "feature_names_in_"):
                self.__dict__.pop(name, None)
        return given

    @property
    def unknown_tokens_(self) -> int:
        """How many tokens were left out because their words have no vector."""
        return sum(self.unknown_words_.values())

    def top_words(self, n: int = 10) -> list[list[Any]]:
        """Return the n densest words of each topic among those of the fit; none for a topic without tokens.

        Parameters
        ----------
        n : int, default=10
            How many.
        """
        n = check_count("n", n)
        (names, density), sizes = self._ranked(), self.topic_sizes_
        found: list[list[Any]] = []
        for row, size in zip(density, sizes.tolist(), strict=True):
            best = np.argsort(-row, kind="stable")[:n] if size else np.array([], dtype=int)
            found.append([names[i] for i in best.tolist()])
        return found

    def _ranked(self) -> tuple[list[Any], Floats]:
        """Return the words that topics may be named by, and their log densities, topics × words."""
        return self.vocabulary_, self.topic_word_density()

    def transform(self, documents: Any, vectors: Any = None, *, sweeps: int = 40) -> Floats:
        """Return the topic proportions of documents (rows), with topics fixed as they are.

        Gibbs sampling over the new documents' tokens; the mean over the second half of the sweeps. A document without
        known words gets the prior's proportions. ``vectors`` is needed only for words that the fit has not seen, after
        the model was loaded from a file.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            What is read.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Of their words.
        sweeps : int, default=40
            Over the tokens.

        Returns
        -------
        ndarray of shape (n_documents, n_topics)
        """
        return self._folded(documents, vectors, sweeps)[1].proportions

    def topics_of_tokens(self, documents: Any, vectors: Any = None, *, sweeps: int = 40) -> list[pd.DataFrame]:
        """Return a table for each document: ``word``, its likeliest ``topic`` there and its ``probability``.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            What is read.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Of their words.
        sweeps : int, default=40
            Over the tokens.
        """
        read, folded = self._folded(documents, vectors, sweeps, tokens=True)
        names = np.array(read.names, dtype=object)
        return [
            pd.DataFrame(
                {"word": names[words], "topic": rows.argmax(axis=1), "probability": rows.max(axis=1, initial=0)}
            )
            for words, rows in zip(read.split(read.words), read.split(folded.tokens), strict=True)
        ]

    def _folded(self, documents: Any, vectors: Any, sweeps: int, *, tokens: bool = False) -> tuple[Documents, Folded]:
        check_is_fitted(self)
        check_count("sweeps", sweeps, at_least=2)
        read, densities = self._read_new(documents, vectors)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        alpha, n_jobs = self._alpha(), self.n_jobs
        return read, fold_in(read, densities, alpha, seed=seed, sweeps=sweeps, n_jobs=n_jobs, tokens=tokens)

    def _adopt(self, read: Documents, topics: NDArray[np.int32]) -> None:
        """Show tokens and their topics, document by document; both are views of the sampler's own arrays."""
        if not len(read.words):
            said = f": none of the {len(read.unknown)} different words has a vector" if read.unknown else ""
            raise ValueError(
                f"there is no token in {len(read.starts) - 1} documents{said}; give documents with known words"
            )
        self.vocabulary_ = read.names
        self.unknown_words_ = dict(sorted(read.unknown.items(), key=lambda item: (-item[1], item[0])))
        self.tokens_, self.assignments_ = read.split(read.words), read.split(topics)

    def snapshot(self) -> Self:
        """Return the model as it is now: the next sweep may write over its arrays, but not over those of the snapshot.

        A snapshot shows what the model shows, reads documents, and can be saved.
        """
        check_is_fitted(self)
        now = copy.copy(self)
        ends = np.cumsum([len(topics) for topics in self.assignments_])
        now.assignments_ = np.split(np.concatenate(self.assignments_), ends[:-1])
        now.log_joint_path_ = list(self.log_joint_path_)
        return now

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to an ``.npz`` file (arrays, and the parameters as JSON; nothing is pickled).

        Parameters
        ----------
        path : str or Path
            The file.
        """
        check_is_fitted(self)
        head: dict[str, Any] = {
            "parameters": self._plain_parameters(), "vocabulary": self.vocabulary_, "unknown": self.unknown_words_,
        }  # fmt: skip
        if hasattr(self, "n_features_in_"):
            head["columns"] = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            head["column_names"] = self.feature_names_in_.tolist()
        words, topics = np.concatenate(self.tokens_), np.concatenate(self.assignments_)
        starts = np.concatenate([[0], np.cumsum([len(document) for document in self.tokens_])])
        return write_model(
            path, type(self), head, {"words": words, "topics": topics, "starts": starts} | self._arrays()
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        head, arrays = read_model(path, cls)
        model = cls(**cls._from_plain(head["parameters"]))
        read = Documents(arrays["words"], arrays["starts"], head["vocabulary"], np.zeros((0, 0)), head["unknown"])
        model._adopt(read, arrays["topics"])
        model._restore(arrays)
        if "columns" in head:
            model.n_features_in_ = head["columns"]
        if "column_names" in head:
            model.feature_names_in_ = np.array(head["column_names"], dtype=object)
        return model

    @abstractmethod
    def _arrays(self) -> dict[str, Any]:
        """Return what a file keeps besides tokens and topics."""

    @abstractmethod
    def _restore(self, arrays: dict[str, Any]) -> None:
        """Take what a file kept."""

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON can keep them."""
        return plain_parameters(self.get_params(deep=False))

    @classmethod
    def _from_plain(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        return parameters


def vectors_among(second: Any) -> Any:
    """Return what stands in the place of labels if it is vectors of words."""
    dimensions = np.ndim(second) if isinstance(second, list | tuple) else getattr(second, "ndim", 0)
    return second if isinstance(second, WordVectors) or dimensions > 1 else None

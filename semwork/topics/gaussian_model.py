"""Gaussian topics: what they show of themselves, how dense words are under them, and what a file keeps of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from semwork.blas import one_thread_inside
from semwork.datasets.records import WordVectors
from semwork.topics.base import TopicModel
from semwork.topics.documents import Documents, read_documents
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.samplers import Sampler, SamplerName
from semwork.topics.state import State

__all__ = ["GaussianTopicModel", "densities"]

Floats = NDArray[np.float64]


class GaussianTopicModel(TopicModel):
    """A topic model whose topics are Gaussians, whatever samples them."""

    sampler: SamplerName
    prior: NormalInverseWishart | None

    _state: State
    _source: Any  # the vectors of the fit, as they were given
    _batches: int
    _known: dict[Any, Floats]  # words of all batches, and their vectors: what a file keeps
    _fresh: dict[str, Any]  # what was computed from the state as it is now

    @property
    def _beliefs(self) -> list[NormalInverseWishart]:
        """The posterior of each topic, computed once after each sweep."""
        check_is_fitted(self)
        if "beliefs" not in self._fresh:
            with one_thread_inside():
                self._fresh["beliefs"] = self._state.beliefs()
        beliefs: list[NormalInverseWishart] = self._fresh["beliefs"]
        return beliefs

    @property
    def means_(self) -> Floats:
        """Posterior means of the topics' means, K × D."""
        return np.stack([belief.mean for belief in self._beliefs])

    @property
    def covariances_(self) -> Floats:
        """Posterior means of the topics' covariances, K × D × D."""
        return np.stack([belief.expected_covariance for belief in self._beliefs])

    @property
    def word_vectors_(self) -> Floats:
        """The vectors of ``vocabulary_``."""
        check_is_fitted(self)
        return self._state.arrays.vectors

    @property
    def document_topics_(self) -> Floats:
        """Expected topic proportions of the documents, given the topics of their tokens now."""
        check_is_fitted(self)
        return self._state.document_topics()

    @property
    def topic_sizes_(self) -> NDArray[np.int64]:
        """Tokens of each topic, those of earlier batches among them."""
        check_is_fitted(self)
        return self._state.arrays.counts.copy()

    def snapshot(self) -> Self:
        """Return the model as it is now, see `TopicModel.snapshot`."""
        now = super().snapshot()
        now._state = self._state.snapshot()
        return now

    def _ranked(self) -> tuple[list[Any], Floats]:
        """Rank the words of all batches."""
        if not self._batches:
            return super()._ranked()
        if "known" not in self._fresh:
            self._fresh["known"] = densities(self._beliefs, np.stack(list(self._known.values()))).T
        return list(self._known), self._fresh["known"]

    def topic_word_density(self, words: Sequence[Any] | None = None) -> Floats:
        """Return the log posterior predictive density of words under each topic, K × words.

        Parameters
        ----------
        words : sequence of str or int, or None
            Words or row numbers, whether or not the fit has seen them; ``None`` for ``vocabulary_``.
        """
        if words is None:
            if "density" not in self._fresh:
                self._fresh["density"] = densities(self._beliefs, self._state.arrays.vectors).T
            return np.asarray(self._fresh["density"])
        return np.asarray(densities(self._beliefs, self._vectors_of(words)).T)

    def _vectors_of(self, words: Sequence[Any]) -> Floats:
        check_is_fitted(self)
        if isinstance(self._source, WordVectors):
            missing = [word for word in words if word not in self._source]
            if missing:
                raise KeyError(f"there is no vector for {missing[0]!r}; {len(missing)} of {len(words)} words have none")
            return np.stack([np.asarray(self._source[word], dtype=np.float64) for word in words])
        rows = np.asarray(words, dtype=None if len(words) else np.int64)
        if rows.ndim != 1 or not np.issubdtype(rows.dtype, np.integer):
            raise TypeError(f"words must be row numbers of the vectors, as in the fit, got {words!r:.60}")
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self._source):
            raise ValueError(f"words must lie between 0 and {len(self._source) - 1}, got {rows.min()} to {rows.max()}")
        return np.asarray(self._source[rows], dtype=np.float64)

    def _read_new(self, documents: Any, vectors: Any) -> tuple[Documents, Floats]:
        documents = self._documents(documents, fitting=False)
        read = read_documents(documents, self._source if vectors is None else vectors)
        if vectors is None and read.unknown and not isinstance(next(iter(self._known)), str):
            raise ValueError(
                f"the word number {next(iter(read.unknown))} is not among the {len(self._known)} of the fit, and a "
                "file keeps no other vectors; give them, too: transform(documents, vectors)"
            )
        self._check_size(self._beliefs, read)
        return read, densities(self._beliefs, read.vectors)

    def _check_size(self, beliefs: list[NormalInverseWishart], read: Documents) -> None:
        known, given = len(beliefs[0].mean), read.vectors.shape[1]
        if known != given:
            raise ValueError(f"vectors have {given} numbers, and the model was fitted on vectors of {known}")

    def _alpha(self) -> Floats:
        return self._state.arrays.alpha

    def _plain_parameters(self) -> dict[str, Any]:
        prior = self.prior
        plain = self.__class__(**(self.get_params(deep=False) | {"prior": None}))
        found = super(GaussianTopicModel, plain)._plain_parameters()
        if prior is not None:
            mean, psi = np.asarray(prior.mean).tolist(), np.asarray(prior.psi).tolist()
            found["prior"] = {"mean": mean, "kappa": float(prior.kappa), "psi": psi}
            found["prior"]["nu"] = None if prior.nu is None else float(prior.nu)
        return found

    @classmethod
    def _from_plain(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        prior = parameters["prior"]
        return parameters | {"prior": None if prior is None else NormalInverseWishart(**prior)}

    def _arrays(self) -> dict[str, Any]:
        """Keep the words' vectors, and of each topic what it knew before these tokens."""
        base = self._state.base
        return {
            "vectors": self._state.arrays.vectors,
            "known_words": np.array(list(self._known)),
            "known_vectors": np.stack(list(self._known.values())),
            "base_means": np.stack([belief.mean for belief in base]),
            "base_psis": np.stack([belief.psi for belief in base]),
            "base_counts": np.array([belief.kappa - self._state.prior.kappa for belief in base]),
            "log_joint_path": np.array(self.log_joint_path_),
            "alpha": self._state.arrays.alpha,
            "batches": np.array(self._batches),
        }

    def _restore(self, arrays: dict[str, Any]) -> None:
        size = arrays["vectors"].shape[1]
        prior = (NormalInverseWishart() if self.prior is None else self.prior).of_size(size)
        base = [
            NormalInverseWishart(mean, prior.kappa + count, psi, prior.degrees + count)
            for mean, psi, count in zip(arrays["base_means"], arrays["base_psis"], arrays["base_counts"], strict=True)
        ]
        keeps = Sampler(self.sampler).keeps
        tokens = arrays["words"], arrays["starts"], arrays["vectors"]
        with one_thread_inside():
            self._state = State(*tokens, self.n_topics, arrays["alpha"], prior, keeps, 0, arrays["topics"], base)
        self.log_joint_path_ = arrays["log_joint_path"].tolist()
        self.n_sweeps_, self._fresh = len(self.log_joint_path_), {}
        self._batches = int(arrays["batches"])
        names = arrays["known_words"].tolist()
        self._known = dict(zip(names, arrays["known_vectors"], strict=True))
        self._source = WordVectors("of the fit", names, arrays["known_vectors"])


def densities(beliefs: list[NormalInverseWishart], vectors: Floats) -> Floats:
    """Return the log predictive density of each topic (columns) at each vector (rows).

    Parameters
    ----------
    beliefs : list of NormalInverseWishart
        One for each topic.
    vectors : ndarray of shape (n_vectors, n_dimensions)
        Where the densities are asked for.
    """
    with one_thread_inside():
        return np.stack([belief.log_density(vectors) for belief in beliefs], axis=1)

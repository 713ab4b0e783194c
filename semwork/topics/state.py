"""The state that all samplers of Gaussian LDA share: topics of tokens, and what each topic believes."""

from __future__ import annotations

import copy
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve
from scipy.special import gammaln

from semwork.topics.prior import NormalInverseWishart, log_evidence, predictive_constant

__all__ = ["Arrays", "Keeps", "State"]

Floats = NDArray[np.float64]
Keeps = Literal["psi", "factor", "precision"]


class Arrays(NamedTuple):
    """What a compiled sampler reads and changes. T tokens, V words, D numbers, K topics, N documents."""

    words: NDArray[np.int32]  # T: the word of each token, documents one after the other
    starts: NDArray[np.int64]  # N + 1: where documents begin
    document: NDArray[np.int32]  # T: the document of each token
    order: NDArray[np.int64]  # T: tokens sorted by word
    word_starts: NDArray[np.int64]  # V + 1: where words begin in `order`
    topics: NDArray[np.int32]  # T
    document_topic: NDArray[np.int32]  # N × K
    vectors: Floats  # V × D
    counts: NDArray[np.int64]  # K: tokens of each topic, those of earlier batches among them
    means: Floats  # K × D
    matrices: Floats  # K × D × D: Ψ, its upper Cholesky factor, or its inverse, as the sampler keeps it
    logdets: Floats  # K: log|Ψ|
    constants: Floats  # what log t owes to the number of tokens, by that number
    alpha: Floats  # K
    kappa: float
    nu: float
    seed: NDArray[np.uint64]  # 1: the state of the random numbers


class State:
    """Tokens with topics, and the posterior of each topic.

    Parameters
    ----------
    words, starts : ndarray of shape (n_tokens,) and (n_documents + 1,)
        The words of all tokens, and where each document begins (one more at the end).
    vectors : ndarray of shape (n_words, n_dimensions)
        One row per word.
    n_topics, alpha, prior : int, ndarray of shape (n_topics,), NormalInverseWishart
        The model; ``prior`` was made by ``of_size``.
    keeps : {"psi", "factor", "precision"}
        What ``matrices`` holds of each topic: ``"psi"`` Ψ itself, ``"factor"`` its upper Cholesky factor,
        ``"precision"`` its inverse.
    seed : int
        Of all random numbers.
    topics : ndarray of shape (n_tokens,) or None
        The topics to start from; drawn uniformly if not given.
    base : list of NormalInverseWishart or None
        What topics believe before the first token: one posterior for each, from earlier batches. The prior if not
        given.
    """

    def __init__(
        self,
        words: NDArray[np.int32],
        starts: NDArray[np.int64],
        vectors: Floats,
        n_topics: int,
        alpha: Floats,
        prior: NormalInverseWishart,
        keeps: Keeps,
        seed: int,
        topics: NDArray[np.int32] | None = None,
        base: list[NormalInverseWishart] | None = None,
    ) -> None:
        self.prior, self.keeps, self.n_topics = prior, keeps, n_topics
        self.base = [prior] * n_topics if base is None else base
        self.size = vectors.shape[1]
        document = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
        random = np.random.default_rng(seed)
        if topics is None:
            topics = random.integers(n_topics, size=len(words)).astype(np.int32)
        seen = np.rint([belief.kappa - prior.kappa for belief in self.base]).astype(np.int64)
        most = int(seen.max()) + len(words) + 2
        self.arrays = Arrays(
            words=words,
            starts=starts,
            document=document,
            order=np.argsort(words, kind="stable"),
            word_starts=np.concatenate([[0], np.cumsum(np.bincount(words, minlength=len(vectors)))]),
            topics=topics,
            document_topic=np.zeros((len(starts) - 1, n_topics), np.int32),
            vectors=np.ascontiguousarray(vectors, dtype=np.float64),
            counts=np.zeros(n_topics, np.int64),
            means=np.zeros((n_topics, self.size)),
            matrices=np.zeros((n_topics, self.size, self.size)),
            logdets=np.zeros(n_topics),
            constants=predictive_constant(np.arange(most, dtype=np.float64), self.size, prior.kappa, prior.degrees),
            alpha=alpha,
            kappa=prior.kappa,
            nu=prior.degrees,
            seed=random.integers(2**63, size=1).astype(np.uint64),
        )
        self._seen = seen
        self._before = (
            np.array([belief.kappa for belief in self.base]),
            np.array([belief.degrees for belief in self.base]),
            np.linalg.slogdet(np.stack([belief.psi for belief in self.base]))[1],
        )
        self.rebuild()

    def snapshot(self) -> State:
        """Return the state as it is now, in arrays of its own where a sampler writes."""
        now = copy.copy(self)
        written = ("topics", "document_topic", "counts", "means", "matrices", "logdets", "seed")
        now.arrays = self.arrays._replace(**{name: getattr(self.arrays, name).copy() for name in written})
        return now

    def beliefs(self) -> list[NormalInverseWishart]:
        """Return the posterior of each topic, computed from its tokens."""
        a = self.arrays
        cells = a.words.astype(np.int64) * self.n_topics + a.topics
        table = np.bincount(cells, minlength=len(a.vectors) * self.n_topics).reshape(len(a.vectors), self.n_topics)
        found = []
        for k, belief in enumerate(self.base):
            present = np.flatnonzero(table[:, k])
            found.append(belief.posterior(a.vectors[present], table[present, k]))
        return found

    def rebuild(self) -> None:
        """Compute everything that follows from the topics of tokens, so that rounding does not add up."""
        a = self.arrays
        cells = a.document.astype(np.int64) * self.n_topics + a.topics
        a.document_topic[:] = np.bincount(cells, minlength=a.document_topic.size).reshape(a.document_topic.shape)
        a.counts[:] = self._seen + np.bincount(a.topics, minlength=self.n_topics)
        for k, belief in enumerate(self.beliefs()):
            a.means[k] = belief.mean
            factor = np.linalg.cholesky(belief.psi)
            a.logdets[k] = 2 * np.log(np.diag(factor)).sum()
            a.matrices[k] = self._as_sampler_keeps(belief.psi, factor)

    def _as_sampler_keeps(self, psi: Floats, factor: Floats) -> Floats:
        if self.keeps == "psi":
            return psi
        if self.keeps == "factor":
            return factor.T
        inverse = cho_solve((factor, True), np.eye(self.size))
        return np.asarray(0.5 * (inverse + inverse.T))

    def log_likelihood(self) -> float:
        """Return log p(vectors | topics of tokens): Gaussians and their parameters are integrated out."""
        a = self.arrays
        after = a.kappa + a.counts, a.nu + a.counts, a.logdets
        return float(log_evidence(self.size, self._before, after).sum())

    def log_topics(self) -> float:
        """Return log p(topics of tokens): proportions of documents are integrated out."""
        a = self.arrays
        lengths = np.diff(a.starts)
        total = float(a.alpha.sum())
        value = len(lengths) * gammaln(total) - gammaln(lengths + total).sum()
        if (a.alpha == a.alpha[0]).all():
            how_often = np.bincount(a.document_topic.ravel())
            seen = np.flatnonzero(how_often)
            return float(value + how_often[seen] @ (gammaln(seen + a.alpha[0]) - gammaln(a.alpha[0])))
        return float(value + (gammaln(a.document_topic + a.alpha) - gammaln(a.alpha)).sum())

    def document_topics(self) -> Floats:
        """Return the expected proportions of each document, (n_dk + α_k) / (n_d + Σα)."""
        rows = self.arrays.document_topic + self.arrays.alpha
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    def log_densities(self, vectors: Any = None) -> Floats:
        """Return the predictive log density of every topic (columns) at each vector (rows), from the topics' tokens.

        Parameters
        ----------
        vectors : array-like of shape (n_vectors, n_dimensions) or None
            Those of the state's words if not given.
        """
        rows = self.arrays.vectors if vectors is None else np.asarray(vectors, dtype=np.float64)
        return np.stack([belief.log_density(rows) for belief in self.beliefs()], axis=1)

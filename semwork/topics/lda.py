"""Latent Dirichlet allocation: topics are distributions over words."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import gammaln
from sklearn.utils.validation import check_is_fitted, check_random_state

from semwork.given import check_count, check_positive
from semwork.threads import workers_of
from semwork.topics.base import TopicModel
from semwork.topics.documents import Documents, read_documents, read_words
from semwork.topics.records import Following, TopicStep

__all__ = ["LDA"]

Floats = NDArray[np.float64]


class LDA(TopicModel):
    r"""Latent Dirichlet allocation, sampled by collapsed Gibbs, with the interface of `GaussianLDA`.

    A token's topic is drawn from :math:`p(k) ∝ (n_{dk}+α) (n_{wk}+β) / (n_k+Vβ)` [1]_, exactly.

    Parameters
    ----------
    n_topics : int, default=50
        K.
    alpha : float or None, default=None
        Dirichlet prior of a document's proportions, a number; ``None`` for 1 / K.
    beta : float, default=0.01
        Dirichlet prior of a topic's words.
    burn_in : int, default=50
        Sweeps that do not count for the effective sample size.
    max_sweeps : int, default=100
        Sweeps over all tokens.
    random_state : int, RandomState or None, default=None
        Seed. The same seed gives the same result.
    n_jobs : int or None, default=None
        Threads for :meth:`transform` and for chains; ``None`` and −1 mean all cores, −2 all but one.

    Attributes
    ----------
    topic_word_ : ndarray of shape (n_topics, n_words)
        K × words: the expected distributions.
    assignments_, tokens_ : list of ndarray of shape (n_tokens,)
        As in `GaussianLDA`, as all that follow.
    vocabulary_ : list of str or int
        The words of the fit.
    document_topics_ : ndarray of shape (n_documents, n_topics)
        Expected topic proportions.
    topic_sizes_ : ndarray of shape (n_topics,)
        Tokens of each topic.
    unknown_words_ : dict of str to int
        Words that were left out, and how often.
    log_joint_path_ : list of float
        log p(words, topics of tokens) per token after each sweep.
    n_sweeps_ : int
        Sweeps done.

    References
    ----------
    .. [1] T. Griffiths & M. Steyvers (2004), Finding scientific topics, PNAS 101.

    Examples
    --------
    >>> documents = [["bank", "money"], ["money", "loan"], ["river", "fish"], ["fish", "river"]] * 5
    >>> model = LDA(2, max_sweeps=50, random_state=0).fit(documents)
    >>> sorted(sorted(words) for words in model.top_words(2))
    [['bank', 'money'], ['fish', 'river']]
    """

    def __init__(
        self,
        n_topics: int = 50,
        alpha: float | None = None,
        beta: float = 0.01,
        burn_in: int = 50,
        max_sweeps: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_topics = n_topics
        self.alpha = alpha
        self.beta = beta
        self.burn_in = burn_in
        self.max_sweeps = max_sweeps
        self.random_state = random_state
        self.n_jobs = n_jobs

    def steps(self, documents: Any, vectors: Any = None, max_sweeps: int | None = None) -> Iterator[TopicStep]:
        """Sample sweep by sweep; the fitted attributes are current after every step.

        ``documents`` may also be lists of words, or a matrix of counts. ``vectors`` is not used, except that words
        without a vector are left out when it is given, so that both models can be fitted on the same tokens.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            What is sampled; lists of words, too.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Words without one are left out.
        max_sweeps : int or None
            Instead of the parameter of the model.

        Yields
        ------
        TopicStep
        """
        n_topics = check_count("n_topics", self.n_topics)
        alpha = check_positive("alpha", 1.0 / n_topics if self.alpha is None else self.alpha)
        beta = check_positive("beta", self.beta)
        total = check_count("max_sweeps", self.max_sweeps if max_sweeps is None else max_sweeps)
        burn_in = check_count("burn_in", self.burn_in, at_least=0)
        workers_of(self.n_jobs)
        if n_topics > np.iinfo(np.int16).max:
            raise ValueError(f"n_topics is {n_topics}; the sampler has room for {np.iinfo(np.int16).max} topics")
        documents = self._documents(documents, fitting=True)
        read = read_words(documents) if vectors is None else read_documents(documents, vectors)
        topics = np.zeros(len(read.words), np.int32)
        yield from self._sampled(read, topics, alpha, beta, total, burn_in)

    def _sampled(
        self, read: Documents, topics: NDArray[np.int32], alpha: float, beta: float, total: int, burn_in: int
    ) -> Iterator[TopicStep]:
        from semwork.gibbs import Sampler  # compiles at its first use

        n_documents, n_words = len(read.starts) - 1, len(read.names)
        owner = np.repeat(np.arange(n_documents), np.diff(read.starts))
        # The sampler has tokens in the order of a sparse matrix: by document, then by word.
        order = np.lexsort((read.words, owner))
        shape, ones = (n_documents, n_words), np.ones(len(owner), np.int64)
        counts = sparse.csr_array(sparse.coo_array((ones, (owner, read.words)), shape=shape))
        counts.sum_duplicates()
        self._adopt(read, topics)
        sampler = Sampler(counts, self.n_topics, alpha, beta, check_random_state(self.random_state))
        self._show(sampler, topics, order, owner)
        self._prior, self.n_sweeps_ = (alpha, beta), 0
        self.log_joint_path_ = []
        following, seconds = Following(burn_in), 0.0
        for done in range(1, total + 1):
            before = sampler.topics.copy()
            start = time.perf_counter()
            sampler.sweep()
            took = time.perf_counter() - start
            seconds += took
            self._show(sampler, topics, order, owner)
            self.n_sweeps_ = done
            likelihood = sampler.log_likelihood()
            joint = (likelihood + self._log_topics(np.diff(read.starts), alpha)) / len(owner)
            self.log_joint_path_.append(joint)
            unknown = self.unknown_tokens_
            said = f"; {unknown:,} tokens are of words without a vector and left out" if unknown else ""
            yield TopicStep(
                done=done,
                total=total,
                message=f"log-likelihood {likelihood / len(owner):.4f} per token{said}",
                log_likelihood=likelihood / len(owner),
                log_joint=joint,
                seconds=seconds,
                sweep_seconds=took,
                tokens_per_second=len(owner) / max(took, 1e-9),
                acceptance=1.0,
                moved=float((before != sampler.topics).mean()),
                topics_in_use=int((sampler.topic_total > 0).sum()),
                ess=following.add(joint),
                unknown_tokens=unknown,
            )

    def _show(
        self, sampler: Any, topics: NDArray[np.int32], order: NDArray[np.int64], owner: NDArray[np.int64]
    ) -> None:
        """Let the attributes say what the sampler has now."""
        topics[order] = sampler.topics
        self.topic_word_counts_ = sampler.word_topic.T.copy()  # of whole sweeps only, whatever interrupts the next one
        n_documents = len(self.tokens_)
        cells = owner * self.n_topics + topics
        self._document_topic = np.bincount(cells, minlength=n_documents * self.n_topics).reshape(n_documents, -1)

    def _log_topics(self, lengths: NDArray[np.int64], alpha: float) -> float:
        """Return log p(topics of tokens)."""
        how_often = np.bincount(self._document_topic.ravel())
        seen = np.flatnonzero(how_often)
        value = how_often[seen] @ (gammaln(seen + alpha) - gammaln(alpha))
        total = self.n_topics * alpha
        return float(value + len(lengths) * gammaln(total) - gammaln(lengths + total).sum())

    @property
    def topic_sizes_(self) -> NDArray[np.int64]:
        """Tokens of each topic."""
        check_is_fitted(self)
        return np.asarray(self.topic_word_counts_.sum(axis=1))

    @property
    def topic_word_(self) -> Floats:
        """Expected distribution of each topic over the words, K × words."""
        check_is_fitted(self)
        rows = self.topic_word_counts_ + self._prior[1]
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    @property
    def document_topics_(self) -> Floats:
        """Expected topic proportions of the documents, given the topics of their tokens now."""
        check_is_fitted(self)
        rows = self._document_topic + self._prior[0]
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    def topic_word_density(self, words: Sequence[Any] | None = None) -> Floats:
        """Return the log probability of words under each topic, K × words; ``None`` for ``vocabulary_``.

        Parameters
        ----------
        words : sequence of str or int, or None
            Words of the fit.

        Returns
        -------
        ndarray of shape (n_topics, n_words)
        """
        density = np.log(self.topic_word_)
        if words is None:
            return np.asarray(density)
        place = {name: column for column, name in enumerate(self.vocabulary_)}
        missing = [word for word in words if word not in place]
        if missing:
            raise KeyError(f"{missing[0]!r} is not among the words of the fit; LDA knows no others")
        return np.asarray(density[:, [place[word] for word in words]])

    def _read_new(self, documents: Any, vectors: Any) -> tuple[Documents, Floats]:
        """Leave out the words that the fit has not seen."""
        del vectors
        read = read_words(self._documents(documents, fitting=False))
        place = {name: column for column, name in enumerate(self.vocabulary_)}
        columns = np.array([place.get(name, -1) for name in read.names], dtype=np.int32)
        words = columns[read.words] if len(columns) else read.words
        kept = np.concatenate([[0], np.cumsum(words >= 0)])
        counts = np.bincount(read.words, minlength=len(columns))
        unknown = {str(read.names[w]): int(counts[w]) for w in np.flatnonzero((columns < 0) & (counts > 0)).tolist()}
        known = Documents(words[words >= 0], kept[read.starts], self.vocabulary_, np.zeros((0, 0)), unknown)
        return known, self.topic_word_density().T

    def _alpha(self) -> Floats:
        return np.full(self.n_topics, self._prior[0])

    def _arrays(self) -> dict[str, Any]:
        return {
            "topic_word_counts": self.topic_word_counts_,
            "document_topic": self._document_topic,
            "log_joint_path": np.array(self.log_joint_path_),
            "prior": np.array(self._prior),
        }

    def _restore(self, arrays: dict[str, Any]) -> None:
        self.topic_word_counts_, self._document_topic = arrays["topic_word_counts"], arrays["document_topic"]
        self.log_joint_path_ = arrays["log_joint_path"].tolist()
        self._prior = float(arrays["prior"][0]), float(arrays["prior"][1])
        self.n_sweeps_ = len(self.log_joint_path_)

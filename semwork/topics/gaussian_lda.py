"""Gaussian LDA: topics are Gaussians over word vectors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_random_state

from semwork.blas import one_thread_inside
from semwork.datasets.records import WordVectors
from semwork.given import check_count
from semwork.steps import last
from semwork.threads import workers_of
from semwork.topics.base import vectors_among
from semwork.topics.checking import check_alpha
from semwork.topics.documents import Documents, read_documents
from semwork.topics.folding import fold_in
from semwork.topics.gaussian_model import GaussianTopicModel, densities
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.records import Following, TopicStep
from semwork.topics.samplers import SAMPLERS, Sampler, SamplerName, Swept
from semwork.topics.state import State

__all__ = ["GaussianLDA"]

Floats = NDArray[np.float64]

# How long vectors may be beside the prior (`_spread`). An inverse loses twice the digits that a factor loses.
_DELICATE = 1e3
_MOST_SPREAD = {"psi": 1e10, "factor": 1e10, "precision": 1e6}


class GaussianLDA(GaussianTopicModel):
    r"""Latent Dirichlet allocation over word vectors, sampled by collapsed Gibbs.

    A document mixes topics, a topic is a Gaussian in the space of word vectors with a normal–inverse-Wishart prior.
    A token's topic is drawn from :math:`p(k) ∝ (n_{dk}+α_k)\, t_{ν_k-D+1}(v | μ_k, \frac{κ_k+1}{κ_k}Σ_k)`, equation 1
    of the paper [1]_.

    Parameters
    ----------
    n_topics : int, default=50
        K.
    sampler : {"naive", "cholesky", "alias", "precision", "fast"}, default="fast"
        ``"naive"`` computes determinant and inverse for every candidate; ``"cholesky"`` changes factors by rank one;
        ``"alias"`` draws from stale alias tables and corrects by Metropolis–Hastings, all three as in the paper.
        ``"precision"`` is exact and goes word by word, so that tokens of a word share its densities; ``"fast"`` draws
        from a stale table and corrects, word by word. Naive, cholesky and precision are always exact.
    alpha : float, array-like of shape (n_topics,) or None, default=None
        Dirichlet prior of a document's proportions, a number or one per topic; ``None`` for 1 / K, as the authors' code
        has it.
    prior : NormalInverseWishart or None, default=None
        Of a topic; ``None`` for the paper's: mean 0, Ψ = 3·I, and κ = 0.1, ν = D, which it does not name (the authors'
        code has these two; it has the mean of all vectors and Ψ = 3D·I for the others).
    mh_steps : int, default=2
        Proposals per token, for alias and fast.
    burn_in : int, default=50
        Sweeps that do not count. While they last, tables are filled anew every ``refresh`` sweeps.
    refresh : int, default=1
        After how many sweeps a table is filled anew.
    freeze : bool, default=True
        Whether tables stay as they are after ``burn_in``, which makes the sweeps after it exact. ``False`` refreshes
        always, which is how we read the paper (it names no schedule), and is **biased**: a table filled from the
        current state makes the proposal depend on the token that it proposes for, which the acceptance does not know
        of.
    max_sweeps : int, default=100
        Sweeps over all tokens. With no more than ``burn_in`` of them no sweep counts.
    random_state : int, RandomState or None, default=None
        Seed. The same seed gives the same result.
    n_jobs : int or None, default=None
        Threads for :meth:`transform` and for chains; ``None`` and −1 mean all cores, −2 all but one. One chain runs in
        one thread.

    Attributes
    ----------
    assignments_ : list of ndarray of shape (n_tokens,)
        The topic of every token, one array per document; the next sweep writes over them: copy what you want to keep.
    tokens_ : list of ndarray of shape (n_tokens,)
        The words of the same tokens, as places in ``vocabulary_``.
    vocabulary_ : list of str or int
        The words of the fit, or the row numbers of their vectors.
    means_, covariances_ : ndarray of shape (n_topics, n_dimensions) and (n_topics, n_dimensions, n_dimensions)
        K × D and K × D × D: posterior means of the Gaussians' parameters.
    document_topics_ : ndarray of shape (n_documents, n_topics)
        Expected topic proportions, documents × K.
    topic_sizes_ : ndarray of shape (n_topics,)
        Tokens of each topic.
    word_vectors_ : ndarray of shape (n_words, n_dimensions)
        The vectors of ``vocabulary_``, one row each.
    unknown_words_, unknown_tokens_ : dict of str to int, and int
        Words without a vector and how often each was left out; all of these together.
    log_joint_path_ : list of float
        log p(vectors, topics of tokens) per token after each sweep.
    n_sweeps_ : int
        Sweeps done.

    References
    ----------
    .. [1] R. Das, M. Zaheer & C. Dyer (2015), Gaussian LDA for Topic Models with Word Embeddings, ACL.

    Examples
    --------
    >>> from semwork.topics import planted
    >>> data = planted(n_topics=2, n_documents=20, random_state=0)
    >>> model = GaussianLDA(2, sampler="precision", max_sweeps=20, random_state=0).fit(data.documents, data.vectors)
    >>> model.transform([[0, 0, 0]]).shape
    (1, 2)
    """

    def __init__(
        self,
        n_topics: int = 50,
        sampler: SamplerName = "fast",
        alpha: Any = None,
        prior: NormalInverseWishart | None = None,
        mh_steps: int = 2,
        burn_in: int = 50,
        refresh: int = 1,
        freeze: bool = True,
        max_sweeps: int = 100,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_topics = n_topics
        self.sampler = sampler
        self.alpha = alpha
        self.prior = prior
        self.mh_steps = mh_steps
        self.burn_in = burn_in
        self.refresh = refresh
        self.freeze = freeze
        self.max_sweeps = max_sweeps
        self.random_state = random_state
        self.n_jobs = n_jobs

    def steps(self, documents: Any, vectors: Any, max_sweeps: int | None = None) -> Iterator[TopicStep]:
        """Sample sweep by sweep; the fitted attributes are current after every step.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            One list of word numbers per document (rows of ``vectors``), or a `Corpus`, a `LabelledDocuments` or a list
            of texts together with a `WordVectors`; or a matrix of counts whose columns are the rows of ``vectors`` (or,
            in a table, are called as words of a `WordVectors`). Empty documents are allowed. Words without a vector are
            left out, counted in ``unknown_words_`` and named in the message of each step.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions)
            The vectors of words: an array, or a `WordVectors`.
        max_sweeps : int, default=100
            Instead of the parameter of the model.

        Yields
        ------
        TopicStep
        """
        self._check_parameters()
        total = check_count("max_sweeps", self.max_sweeps if max_sweeps is None else max_sweeps)
        if vectors is None:
            raise ValueError(
                "GaussianLDA needs the vectors of words: give a WordVectors, or an array with one row per word, "
                "fit(documents, vectors)"
            )
        read = read_documents(self._documents(documents, fitting=True), vectors)
        yield from self._sampled(read, _as_source(vectors), total, self.burn_in, base=None)

    def partial_fit(self, documents: Any, y: Any = None, vectors: Any = None, *, sweeps: int = 10) -> Self:
        """Sample a batch of documents and let its tokens join the topics: section 5.2 of the paper, online.

        The tokens of earlier batches, or of the fit, stay in their topics and are not drawn again. Tables, where the
        sampler has any, are filled before the first sweep of the batch only; in the first batch of a new model, which
        has all to learn, also while it burns in: half of its sweeps, or ``burn_in`` if that is less.

        ``assignments_``, ``tokens_``, ``vocabulary_``, ``document_topics_``, ``unknown_words_``, ``log_joint_path_``
        and ``n_sweeps_`` are those of the batch; topics and `top_words` are of all batches. The vectors may stand in
        the second place, as in ``fit``.

        Parameters
        ----------
        documents : Corpus, LabelledDocuments, list of str, list of lists, or matrix of counts
            The batch.
        y : object
            Labels, which are not used, or the vectors.
        vectors : WordVectors or array-like of shape (n_words, n_dimensions), or None
            Needed in the first batch of a new model.
        sweeps : int, default=10
            Over the tokens of the batch.
        """
        last(self.partial_steps(documents, vectors_among(y) if vectors is None else vectors, sweeps=sweeps))
        return self

    def partial_steps(self, documents: Any, vectors: Any = None, *, sweeps: int = 10) -> Iterator[TopicStep]:
        """Do what :meth:`partial_fit` does, sweep by sweep.

        Parameters
        ----------
        documents, vectors, sweeps : documents, vectors of words, int
            As for :meth:`partial_fit`.

        Yields
        ------
        TopicStep
        """
        self._check_parameters()
        total = check_count("sweeps", sweeps)
        fitted = hasattr(self, "_state")
        if vectors is None and not fitted:
            raise ValueError("the first batch needs vectors: partial_fit(documents, vectors)")
        source = self._source if vectors is None else _as_source(vectors)
        read = read_documents(self._documents(documents, fitting=not fitted), source)
        burn_in = 0 if fitted else min(self.burn_in, total // 2)
        yield from self._sampled(read, source, total, burn_in, base=self._beliefs if fitted else None)

    def _sampled(
        self, read: Documents, source: Any, total: int, burn_in: int, base: list[NormalInverseWishart] | None
    ) -> Iterator[TopicStep]:
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        batches: int = 0 if base is None else self._batches + 1
        if base is not None:
            self._check_same(base, read)
            # Each batch has random numbers of its own, or all would share the draws of the first.
            seed = int(np.random.SeedSequence([seed, batches]).generate_state(1)[0] // 2)
        prior = (NormalInverseWishart() if self.prior is None else self.prior).of_size(read.vectors.shape[1])
        alpha, topics = check_alpha(self.alpha, self.n_topics), None
        sampler = Sampler(self.sampler, self.mh_steps, delicate=_spread(read, prior) > _DELICATE)
        _check_spread(read, prior, sampler)
        if base is not None:
            topics = fold_in(read, densities(base, read.vectors), alpha, seed=seed, sweeps=2, n_jobs=1).topics
        with one_thread_inside():
            state = State(
                read.words, read.starts, read.vectors, self.n_topics, alpha, prior, sampler.keeps, seed, topics, base
            )
        self._adopt(read, state.arrays.topics)
        self._state, self._source, self._batches = state, source, batches
        self._fresh = {}
        known = self._known if base is not None else {}
        # Of all batches: what a file keeps, so that a loaded model reads documents with these words.
        self._known = known | dict(zip(read.names, read.vectors, strict=True))
        self.log_joint_path_ = []
        self.n_sweeps_ = 0
        following = Following(burn_in)
        seconds = 0.0
        for done in range(1, total + 1):
            refresh = self._refreshes(done, burn_in, online=base is not None) and not sampler.exact
            self._fresh = {}  # an interrupt comes before the line below the sweep
            start = time.perf_counter()
            with one_thread_inside():
                swept = sampler.sweep(state, refresh=int(refresh))
            took = time.perf_counter() - start
            seconds += took
            self._fresh, self.n_sweeps_ = {}, done
            frozen = base is not None or (done > burn_in and self.freeze)
            table = "none" if sampler.exact else "refreshed" if refresh else "frozen" if frozen else "stale"
            yield self._record(swept, following, done, total, seconds, took, table)

    def _refreshes(self, done: int, burn_in: int, *, online: bool) -> bool:
        """Whether the table is filled before sweep ``done``."""
        if online or (self.freeze and done > burn_in):
            return done == 1
        return (done - 1) % self.refresh == 0

    def _record(
        self, swept: Swept, following: Following, done: int, total: int, seconds: float, took: float, table: Any
    ) -> TopicStep:
        n_tokens = len(self._state.arrays.topics)
        likelihood = self._state.log_likelihood()
        if not np.isfinite(likelihood):
            raise FloatingPointError(
                f"the log-likelihood is {likelihood} after sweep {done}: numbers were lost in rounding; "
                "sampler='cholesky' loses the fewest, or scale the vectors down, or give a wider prior"
            )
        joint = (likelihood + self._state.log_topics()) / n_tokens
        self.log_joint_path_.append(joint)
        unknown = self.unknown_tokens_
        message = f"log-likelihood {likelihood / n_tokens:.4f} per token"
        if unknown:
            message += f"; {unknown:,} tokens of {len(self.unknown_words_):,} words have no vector and are left out"
        return TopicStep(
            done=done,
            total=total,
            message=message,
            log_likelihood=likelihood / n_tokens,
            log_joint=joint,
            seconds=seconds,
            sweep_seconds=took,
            tokens_per_second=n_tokens / max(took, 1e-9),
            acceptance=swept.acceptance,
            moved=swept.moved / swept.tokens,
            topics_in_use=int((self._state.arrays.counts > 0).sum()),
            ess=following.add(joint),
            table=table,
            unknown_tokens=unknown,
        )

    def _check_same(self, base: list[NormalInverseWishart], read: Documents) -> None:
        """Refuse a batch for a model whose topics are not those that were fitted."""
        self._check_size(base, read)
        if self.n_topics != len(base):
            raise ValueError(f"n_topics is {self.n_topics}, and the model was fitted with {len(base)}; fit it again")
        now, then = (NormalInverseWishart() if self.prior is None else self.prior), self._state.prior
        now = now.of_size(len(then.mean))
        numbers = (now.kappa, now.degrees) == (then.kappa, then.degrees)
        if not (numbers and np.array_equal(now.mean, then.mean) and np.array_equal(now.psi, then.psi)):
            raise ValueError("the prior is not the one that the model was fitted with; fit it again")
        named, other = (isinstance(next(iter(names)), str) for names in (self._known, read.names or self._known))
        if named != other:
            said = {True: "words", False: "row numbers"}
            raise ValueError(
                f"this batch has {said[other]}, and the model was fitted on {said[named]}; give it documents as before"
            )
        for name, vector in zip(read.names, read.vectors, strict=True):
            if name in self._known and not np.allclose(self._known[name], vector, rtol=1e-6):
                raise ValueError(
                    f"the vector of {name!r} is not the one that the model was fitted with; give the same vectors, "
                    "with new words added at the end"
                )

    def _check_parameters(self) -> None:
        for name in ("n_topics", "mh_steps", "refresh", "max_sweeps"):
            check_count(name, getattr(self, name))
        check_count("burn_in", self.burn_in, at_least=0)
        check_alpha(self.alpha, self.n_topics)
        workers_of(self.n_jobs)
        if self.sampler not in SAMPLERS:
            raise ValueError(f"sampler is {self.sampler!r}; choose one of {', '.join(map(repr, SAMPLERS))}")
        if not isinstance(self.freeze, bool):
            raise TypeError(f"freeze is {self.freeze!r}; it must be True or False")
        if self.prior is not None and not isinstance(self.prior, NormalInverseWishart):
            raise TypeError(f"prior must be a NormalInverseWishart or None, got {self.prior!r:.60}")


def _as_source(vectors: Any) -> Any:
    """Return word vectors as they are, and anything else as an array."""
    return vectors if isinstance(vectors, WordVectors) else np.asarray(vectors)


def _spread(read: Documents, prior: NormalInverseWishart) -> float:
    """Return how long vectors are beside the prior: the longest squared distance from its mean, in units of Ψ."""
    if not len(read.vectors):
        return 0.0
    furthest = float(((read.vectors - prior.mean) ** 2).sum(axis=1).max())
    return furthest / float(np.linalg.eigvalsh(prior.psi)[0])


def _check_spread(read: Documents, prior: NormalInverseWishart, sampler: Sampler) -> None:
    """Refuse vectors beside which the prior vanishes in rounding: their topics could not be followed."""
    found, most = _spread(read, prior), _MOST_SPREAD[sampler.keeps]
    if found > most:
        other = "" if sampler.keeps != "precision" or found > _MOST_SPREAD["factor"] else ", or sampler='cholesky'"
        raise ValueError(
            f"the longest vector's squared distance from the prior's mean is {found:.3g} times the smallest eigenvalue "
            f"of psi, and {sampler.name!r} can follow topics up to {most:.0e}: beside such vectors the prior is lost "
            "in rounding; scale the vectors down, or give a prior that fits them, such as "
            f"NormalInverseWishart(mean=vectors.mean(axis=0), psi=np.cov(vectors.T)){other}"
        )

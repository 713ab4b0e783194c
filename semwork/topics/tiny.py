"""A problem so small that its posterior can be written down, and how far a sampler is from it.

A measure of samplers for everybody who writes one: the package's own are tested with it, and compiled by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from semwork.given import check_count
from semwork.steps import Step
from semwork.topics.checking import check_alpha
from semwork.topics.documents import read_documents
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.samplers import SAMPLERS, Sampler, SamplerName
from semwork.topics.state import State

__all__ = ["TinyProblem", "VariationStep", "tiny_problem", "variation_steps"]

Floats = NDArray[np.float64]
_MOST = 2_000_000  # states that are enumerated


@dataclass(frozen=True, eq=False)
class TinyProblem:
    """Documents, vectors and a model with few enough assignments of topics to look at them all.

    Attributes
    ----------
    documents : list of list of int
        The words of each, as rows of ``vectors``.
    vectors : ndarray of shape (n_words, n_dimensions)
        The vectors of words.
    n_topics : int
        K.
    alpha : ndarray of shape (n_topics,)
        Dirichlet prior of proportions.
    prior : NormalInverseWishart
        Of a topic.
    """

    documents: list[list[int]]
    vectors: Floats
    n_topics: int
    alpha: Floats
    prior: NormalInverseWishart

    @cached_property
    def states(self) -> NDArray[np.int64]:
        """All assignments, one row each; the topics of a row are the digits of its number, the first token first."""
        n_tokens = sum(map(len, self.documents))
        codes = np.arange(self.n_topics**n_tokens)
        powers = self.n_topics ** np.arange(n_tokens - 1, -1, -1)
        return np.asarray(codes[:, None] // powers % self.n_topics)

    @cached_property
    def posterior(self) -> Floats:
        """p(assignment | vectors) of every state, by enumeration.

        It shares no code with the samplers: a topic's evidence is the product of the predictive densities of its
        tokens, one after the other.
        """
        tokens = [word for document in self.documents for word in document]
        owner = np.repeat(np.arange(len(self.documents)), [len(document) for document in self.documents])
        evidence = self._evidence(tokens)
        values = np.zeros(len(self.states))
        powers = 1 << np.arange(len(tokens))
        for k in range(self.n_topics):
            inside = self.states == k
            values += evidence[inside @ powers]
            for document in range(len(self.documents)):
                n = inside[:, owner == document].sum(axis=1)
                values += gammaln(n + self.alpha[k]) - gammaln(self.alpha[k])
        weights = np.exp(values - values.max())
        return np.asarray(weights / weights.sum())

    def _evidence(self, tokens: list[int]) -> Floats:
        """Return log p(vectors of the tokens in one topic) for each subset of the tokens."""
        found = np.zeros(1 << len(tokens))
        for subset in range(1, len(found)):
            newest = subset.bit_length() - 1
            rest = subset - (1 << newest)
            earlier = [word for place, word in enumerate(tokens) if rest >> place & 1]
            belief = self.prior.posterior(self.vectors[earlier]) if earlier else self.prior
            found[subset] = found[rest] + belief.log_density(self.vectors[tokens[newest]])
        return found

    def floor(self, draws: int) -> float:
        """Return the total variation that so many independent draws from the posterior are expected to have.

        Parameters
        ----------
        draws : int
            How many.

        Returns
        -------
        float
        """
        p = self.posterior
        expected = np.sqrt(2 * p * (1 - p) / (np.pi * draws))
        # The square root is for many visits; where fewer than one is expected, E|n − Np| is near 2Np(1 − p)^N.
        rare = p * draws < 1
        expected[rare] = 2 * p[rare] * (1 - p[rare]) ** draws
        return float(expected.sum() / 2)

    def variation(self, visits: NDArray[np.int64]) -> float:
        """Return the total variation distance of visited states from the posterior.

        Parameters
        ----------
        visits : ndarray of shape (n_states,)
            How often each state was visited.

        Returns
        -------
        float
        """
        return float(np.abs(visits / visits.sum() - self.posterior).sum() / 2)

    def state(self, sampler: Sampler, seed: int) -> State:
        """Return a random start.

        Parameters
        ----------
        sampler : Sampler
            What will sweep over it.
        seed : int
            Of the start.

        Returns
        -------
        State
        """
        read = read_documents(self.documents, self.vectors)
        prior, alpha = self.prior, self.alpha
        return State(read.words, read.starts, read.vectors, self.n_topics, alpha, prior, sampler.keeps, seed)


def tiny_problem(
    documents: Any = ((0, 1, 2, 3), (3, 4, 5)),
    vectors: Any = None,
    n_topics: int = 3,
    alpha: Any = 0.5,
    prior: NormalInverseWishart | None = None,
    random_state: int = 0,
) -> TinyProblem:
    """Return a problem with 3 topics and 7 tokens, 2,187 assignments, unless told otherwise.

    Parameters
    ----------
    documents : sequence of sequence of int
        Word numbers.
    vectors : array-like of shape (n_words, n_dimensions) or None
        Drawn with ``random_state``, in two dimensions, if not given.
    n_topics : int, default=3
        K.
    alpha : float or array-like of shape (n_topics,), default=0.5
        Dirichlet prior of proportions.
    prior : NormalInverseWishart or None
        Of a topic.
    random_state : int, default=0
        Seed of the vectors.

    Returns
    -------
    TinyProblem

    Examples
    --------
    >>> problem = tiny_problem()
    >>> problem.states.shape, round(float(problem.posterior.sum()), 12)
    ((2187, 7), 1.0)
    >>> 0.02 < problem.floor(100_000) < 0.06
    True
    """
    lists = [list(document) for document in documents]
    n_tokens, check = sum(map(len, lists)), check_count("n_topics", n_topics)
    if n_tokens < 1:
        raise ValueError(f"documents is {documents!r:.60}, without any token; give at least one")
    if check**n_tokens > _MOST:
        raise ValueError(
            f"{n_topics} topics and {n_tokens} tokens have {n_topics**n_tokens:,} assignments; up to "
            f"{_MOST:,} assignments can be looked at: take fewer tokens or topics"
        )
    if vectors is None:
        vectors = np.random.default_rng(random_state).standard_normal((max(map(max, filter(None, lists))) + 1, 2))
    read = read_documents(lists, vectors)
    prior = NormalInverseWishart(kappa=0.5, psi=1.0, nu=3.0) if prior is None else prior
    sized = prior.of_size(read.vectors.shape[1])
    rows = np.asarray(vectors, dtype=np.float64)
    return TinyProblem(lists, rows, n_topics, check_alpha(alpha, n_topics), sized)


@dataclass(frozen=True, kw_only=True)
class VariationStep(Step):
    """How far the visited states are from the posterior after ``draws`` sweeps.

    Attributes
    ----------
    draws : int
        Sweeps that count so far: those after burn-in, or every ``thin``-th of them.
    variation : float
        Total variation distance between the share of visits and the posterior, 0 to 1.
    floor : float
        What as many independent draws from the posterior are expected to have.
    acceptance : float
        Share of proposals accepted since the step before.
    """

    draws: int
    variation: float
    floor: float
    acceptance: float


def variation_steps(
    problem: TinyProblem,
    sampler: SamplerName = "fast",
    *,
    refresh: int = 0,
    mh_steps: int = 2,
    thin: int = 1,
    burn_in: int = 100,
    sweeps_per_step: int = 5_000,
    n_steps: int = 40,
    random_state: int = 0,
) -> Iterator[VariationStep]:
    """Run a sampler on a tiny problem and follow its total variation from the exact posterior.

    Parameters
    ----------
    problem : TinyProblem
        As `tiny_problem` makes it.
    sampler : {"naive", "cholesky", "alias", "precision", "fast"}, default="fast"
        Who runs.
    refresh : int, default=0
        For alias and fast: the table is filled anew after so many sweeps. 0 freezes it after burn-in, and the curve
        goes down with its floor; with 1, how we read the paper, it stays up.
    mh_steps : int, default=2
        Proposals per token, for alias and fast.
    thin : int, default=1
        Every how many sweeps the state counts. Neighbouring sweeps are alike, which keeps the distance of a right
        sampler above that of independent draws where it mixes slowly; sweeps far apart are nearly independent. A bias
        stays, however far apart they are.
    burn_in : int, default=100
        Sweeps that do not count.
    sweeps_per_step, n_steps : int
        How many sweeps to a step, a multiple of ``thin``, and how many steps.
    random_state : int, default=0
        Seed of the start and of the sampling.

    Yields
    ------
    VariationStep

    Examples
    --------
    >>> steps = list(variation_steps(tiny_problem(), "precision", n_steps=2))
    >>> steps[-1].draws, steps[-1].variation < steps[0].variation < 0.3
    (10000, True)
    """
    if sampler not in SAMPLERS:
        raise ValueError(f"sampler is {sampler!r}; choose one of {', '.join(map(repr, SAMPLERS))}")
    check_count("refresh", refresh, at_least=0)
    counts = {"sweeps_per_step": sweeps_per_step, "n_steps": n_steps, "mh_steps": mh_steps, "thin": thin}
    for name, value in counts.items():
        check_count(name, value)
    if sweeps_per_step % thin:
        raise ValueError(f"sweeps_per_step is {sweeps_per_step}; it must be a multiple of thin, which is {thin}")
    if refresh > sweeps_per_step:
        raise ValueError(
            f"refresh is {refresh}; the table is filled at the beginning of each step, too: let sweeps_per_step be "
            f"{refresh} or more, it is {sweeps_per_step}"
        )
    check_count("burn_in", burn_in, at_least=0)
    runner = Sampler(sampler, mh_steps)
    state = problem.state(runner, random_state)
    if burn_in:
        runner.sweep(state, burn_in, refresh=1)
    runner.fill(state)
    visits = np.zeros(len(problem.states), np.int64)
    for done in range(1, n_steps + 1):
        swept = runner.sweep(state, sweeps_per_step, visits, refresh, thin)
        draws = done * sweeps_per_step // thin
        variation, floor = problem.variation(visits), problem.floor(draws)
        yield VariationStep(
            done=done,
            total=n_steps,
            message=f"total variation {variation:.4f} after {draws:,} sweeps, floor {floor:.4f}",
            draws=draws,
            variation=variation,
            floor=floor,
            acceptance=swept.acceptance,
        )

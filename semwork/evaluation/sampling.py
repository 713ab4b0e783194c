"""The paper's short cut: rank a target among a random sample of the candidates, and what that costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semwork.evaluation.checks import Floats
from semwork.evaluation.ranking import Ranking

__all__ = ["Sampled", "sample_candidates", "sampled"]

Seed = int | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class Sampled:
    """ATOP among a sample of the candidates, beside the exact one.

    Attributes
    ----------
    atop : float
        Mean over the repeats.
    exact : float
        ATOP among all candidates.
    standard_error : float
        How far `atop` lies from `exact` by the luck of the sample (one standard deviation, from the formula for
        drawing without replacement, not from an estimate).
    size : int
        Candidates in a sample, the target among them.
    values : ndarray of shape (repeats,)
        ATOP of each repeat.

    Examples
    --------
    >>> print(Sampled(atop=0.8516, exact=0.8515, standard_error=0.0001, size=1000, values=np.array([0.8516])))
    ATOP 0.8516 among 1000 candidates, 0.8515 among all: +0.0001 (standard error 0.0001)
    """

    atop: float
    exact: float
    standard_error: float
    size: int
    values: Floats

    @property
    def difference(self) -> float:
        """What the sample says minus what is exact."""
        return self.atop - self.exact

    def __str__(self) -> str:
        return (
            f"ATOP {self.atop:.4f} among {self.size} candidates, {self.exact:.4f} among all: {self.difference:+.4f} "
            f"(standard error {self.standard_error:.4f})"
        )


def sample_candidates(ranking: Ranking, size: int = 1000, random_state: Seed = 0) -> Ranking:
    """Rank every target among ``size − 1`` other candidates, drawn anew for each target without replacement.

    Nothing is compared again: of so many better, tied and worse candidates a sample holds a multivariate
    hypergeometric number each.

    Parameters
    ----------
    ranking : Ranking
        The exact ranking.
    size : int
        Candidates in a sample, the target among them.
    random_state : int, Generator or None
        Seed of the samples.

    Returns
    -------
    Ranking

    Examples
    --------
    >>> exact = Ranking.from_counts(better=[0, 500], tied=[0, 0], query=[0, 1], n_candidates=5001, n_queries=2)
    >>> ranks = sample_candidates(exact, 1001).ranks
    >>> bool(ranks[0] == 1), bool(abs(ranks[1] - 101) < 50)  # still first; about a tenth of 1000
    (True, True)
    """
    _check_size(ranking, size)
    rng = np.random.default_rng(random_state)
    others, drawn = ranking.n_candidates - 1, size - 1
    better = rng.hypergeometric(ranking.better, others - ranking.better, drawn)
    tied = rng.hypergeometric(ranking.tied, others - ranking.better - ranking.tied, drawn - better)
    return Ranking.from_counts(better, tied, ranking.query, size, ranking.n_queries)


def sampled(ranking: Ranking, size: int = 1000, repeats: int = 1, random_state: Seed = 0) -> Sampled:
    """ATOP as the paper computed it, "among a random sample (size=1000)", with its error.

    Parameters
    ----------
    ranking : Ranking
        The exact ranking.
    size : int
        Candidates in a sample, the target among them.
    repeats : int
        How often all queries are sampled anew.
    random_state : int, Generator or None
        Seed of the samples.

    Returns
    -------
    Sampled

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, section 5.2: the difference between 1000 samples and
    all data "is tiny for ATOPtest (±0.0001)".
    """
    _check_size(ranking, size)
    if repeats < 1:
        raise ValueError(f"repeats is {repeats}; sample at least once")
    rng = np.random.default_rng(random_state)
    values = np.array([sample_candidates(ranking, size, rng).atop for _ in range(repeats)])
    return Sampled(
        atop=float(values.mean()),
        exact=ranking.atop,
        standard_error=_standard_error(ranking, size) / float(np.sqrt(repeats)),
        size=size,
        values=values,
    )


def _check_size(ranking: Ranking, size: int) -> None:
    if not 2 <= size <= ranking.n_candidates:
        raise ValueError(
            f"size is {size}; with {ranking.n_candidates} candidates a sample has from 2 to {ranking.n_candidates}, "
            "the target among them; for few candidates take the exact ATOP"
        )


def _standard_error(ranking: Ranking, size: int) -> float:
    """Standard deviation of the sampled ATOP: a better candidate costs 1, a tied one ½, the others nothing."""
    others, drawn = ranking.n_candidates - 1, size - 1
    if drawn == others:
        return 0.0
    cost = (ranking.better + ranking.tied / 2) / others
    spread = (ranking.better + ranking.tied / 4) / others - cost**2
    variance = np.maximum(spread, 0) / drawn * (others - drawn) / (others - 1)
    targets = np.bincount(ranking.query, minlength=ranking.n_queries)[ranking.query]
    return float(np.sqrt((variance / targets**2).sum()) / ranking.n_queries)

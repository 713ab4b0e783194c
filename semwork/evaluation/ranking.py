"""The ranks of the right answers, and every retrieval score that follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from semwork.evaluation.checks import Floats

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Ranking", "found_at"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Ranking:
    """At which rank each query finds each of its targets; make one with `rank` or `Ranking.from_counts`.

    Candidates that tie with a target share their ranks (mid-rank). So a query whose similarities are all equal, such
    as one without a known word, finds its target in the middle: it scores 0.5, chance, as in the paper.

    Attributes
    ----------
    ranks : ndarray of shape (n_targets,), float64
        One mid-rank per (query, target), from 1 (best) to `n_candidates`. The other targets of the same query count
        as candidates like any other.
    tied : ndarray of shape (n_targets,), int64
        With how many other candidates the target ties.
    query : ndarray of shape (n_targets,), int64
        The index of the query, from 0. Every query has one target or more.
    n_candidates, n_queries : int
        How many there are.

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, equation 6 and section 5.2.

    Examples
    --------
    >>> ranking = Ranking.from_counts(better=[0, 3, 1], tied=[0, 0, 2], query=[0, 0, 1], n_candidates=5, n_queries=2)
    >>> ranking
    Ranking(2 queries, 3 targets, 5 candidates, ATOP 0.5625)
    >>> ranking.ranks
    array([1., 4., 3.])
    >>> ranking.scores
    array([0.625, 0.5  ])
    >>> ranking.topk([0.0, 0.5, 1.0])
    array([0.25, 0.75, 1.  ])
    >>> ranking.hit(1), round(ranking.mrr, 3)
    (0.5, 0.667)
    """

    ranks: Floats
    tied: NDArray[np.integer[Any]]
    query: NDArray[np.integer[Any]]
    n_candidates: int
    n_queries: int

    def __post_init__(self) -> None:
        if self.n_candidates < 2:
            raise ValueError(f"ranking needs at least 2 candidates; there are {self.n_candidates}")
        for name, kind in (("ranks", float), ("tied", np.int64), ("query", np.int64)):
            given = np.asarray(getattr(self, name))
            if kind is not float and given.size and given.dtype.kind not in "iu":
                raise ValueError(f"{name} is of type {given.dtype}; give whole numbers")
            values: Any = np.array(given, dtype=kind)
            if values.shape != (len(self.ranks),):
                raise ValueError(f"{name} has the shape {values.shape}; give one entry per target: {len(self.ranks)}")
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        better = self.ranks - 1 - self.tied / 2
        inside = (self.tied >= 0) & (better >= 0) & (better % 1 == 0) & (better + self.tied <= self.n_candidates - 1)
        if not inside.all():
            at = int(np.argmin(inside))
            raise ValueError(
                f"entry {at} has the rank {self.ranks[at]} and {self.tied[at]} ties, which {self.n_candidates} "
                "candidates cannot give; count only other candidates, each as better, tied or worse"
            )
        if len(self.query) and not (self.query.min() >= 0 and self.query.max() < self.n_queries):
            raise ValueError(
                f"query runs from {self.query.min()} to {self.query.max()}; with {self.n_queries} queries it must stay "
                f"between 0 and {self.n_queries - 1}"
            )
        without = np.flatnonzero(self._targets == 0)
        if len(without):
            raise ValueError(
                f"{len(without)} of {self.n_queries} queries have no target (the first is query {without[0]}); a score "
                "needs at least one, leave such queries out"
            )

    @classmethod
    def from_counts(
        cls, better: ArrayLike, tied: ArrayLike, query: ArrayLike, n_candidates: int, n_queries: int
    ) -> Self:
        """Make a ranking from how many other candidates are better than each target, and how many tie with it.

        Parameters
        ----------
        better : array-like of shape (n_targets,), int
            How many other candidates are better than each target.
        tied : array-like of shape (n_targets,), int
            How many other candidates tie with each target.
        query : array-like of shape (n_targets,), int
            The index of the query of each target.
        n_candidates, n_queries : int
            How many there are.

        Returns
        -------
        Ranking
        """
        above, level = np.atleast_1d(np.asarray(better)), np.atleast_1d(np.asarray(tied))
        if above.shape != level.shape:
            raise ValueError(f"better has the shape {above.shape}, tied has {level.shape}; give one entry per target")
        return cls(
            ranks=np.asarray(1 + above + level / 2, dtype=float),
            tied=level,
            query=np.atleast_1d(np.asarray(query)),
            n_candidates=int(n_candidates),
            n_queries=int(n_queries),
        )

    @classmethod
    def joined(cls, blocks: Iterable[Ranking]) -> Self:
        """Put blocks of queries, ranked against the same candidates, one after the other.

        Parameters
        ----------
        blocks : iterable of Ranking
            In the order of their queries.
        """
        parts = list(blocks)
        sizes = sorted({part.n_candidates for part in parts})
        if len(sizes) != 1:
            said = f"these have {sizes}" if sizes else "there is no block"
            raise ValueError(f"blocks that are joined need the same number of candidates; {said}")
        starts = np.cumsum([0, *(part.n_queries for part in parts)])
        return cls(
            ranks=np.concatenate([part.ranks for part in parts]),
            tied=np.concatenate([part.tied for part in parts]),
            query=np.concatenate([part.query + start for part, start in zip(parts, starts[:-1], strict=True)]),
            n_candidates=sizes[0],
            n_queries=int(starts[-1]),
        )

    def __repr__(self) -> str:
        score = f", ATOP {self.atop:.4f}" if self.n_queries else ""
        return f"Ranking({self.n_queries} queries, {len(self.ranks)} targets, {self.n_candidates} candidates{score})"

    @property
    def better(self) -> NDArray[np.int64]:
        """How many candidates are better than the target, one entry per (query, target)."""
        return np.asarray(self.ranks - 1 - self.tied / 2, dtype=np.int64)

    @property
    def _targets(self) -> NDArray[np.int64]:
        return np.asarray(np.bincount(self.query, minlength=self.n_queries), dtype=np.int64)

    @property
    def _best(self) -> Floats:
        best = np.full(self.n_queries, np.inf)
        np.minimum.at(best, self.query, self.ranks)
        return best

    def _check_not_empty(self) -> None:
        if not self.n_queries:
            raise ValueError("there is no query to score; the ranking is empty")

    @property
    def scores(self) -> Floats:
        """ATOP of each query: the mean of ``(N − r) / (N − 1)`` over its targets."""
        each = 1 - (self.ranks - 1) / (self.n_candidates - 1)
        return np.asarray(np.bincount(self.query, each, minlength=self.n_queries) / self._targets)

    @property
    def atop(self) -> float:
        """Mean ATOP over the queries: the area under `topk`. 1 is perfect (for one target each), 0.5 is chance."""
        self._check_not_empty()
        return float(self.scores.mean())

    def topk(self, share: ArrayLike) -> Floats:
        """TOPK: the share of a query's targets in the top ``share`` (0 to 1) of the candidates, mean over the queries.

        Rank ``r`` lies at the share ``(r − 1) / (N − 1)``, so that the area under the curve is exactly `atop`.

        Parameters
        ----------
        share : float or array-like of shape (n_shares,)
            Which part of the candidates is looked at.

        Returns
        -------
        ndarray of shape (n_shares,)
            Of no dimension for a single share.
        """
        self._check_not_empty()
        return found_at((self.ranks - 1) / (self.n_candidates - 1), share, 1 / self._targets[self.query])

    def hit(self, k: int) -> float:
        """Share of the queries that have a target at rank ``k`` or better.

        Parameters
        ----------
        k : int
            From 1.

        Returns
        -------
        float
        """
        self._check_not_empty()
        if k < 1:
            raise ValueError(f"k is {k}; ranks begin at 1")
        return float(np.mean(self._best <= k))

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank of each query's best target."""
        self._check_not_empty()
        return float(np.mean(1 / self._best))

    def subset(self, mask: ArrayLike) -> Ranking:
        """Only the queries where ``mask`` is true, numbered anew from 0.

        Parameters
        ----------
        mask : array-like of shape (n_queries,), bool
            Which queries stay.

        Returns
        -------
        Ranking
        """
        keep = np.asarray(mask)
        if keep.dtype != bool or keep.shape != (self.n_queries,):
            raise ValueError(
                f"mask has the type {keep.dtype} and the shape {keep.shape}; give one boolean per query: "
                f"{self.n_queries}, such as split == 'dev'"
            )
        entries, number = keep[self.query], np.cumsum(keep) - 1
        return Ranking(
            ranks=self.ranks[entries],
            tied=self.tied[entries],
            query=number[self.query[entries]],
            n_candidates=self.n_candidates,
            n_queries=int(keep.sum()),
        )

    def table(self) -> pd.DataFrame:
        """One row per query: its number of targets, the rank of the best one, and its scores.

        Returns
        -------
        DataFrame of shape (n_queries, 5)
            ``query``, ``targets``, ``best_rank``, ``reciprocal_rank`` and ``atop``.
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "query": np.arange(self.n_queries),
                "targets": self._targets,
                "best_rank": self._best,
                "reciprocal_rank": 1 / self._best,
                "atop": self.scores,
            }
        )


def found_at(positions: Floats, share: ArrayLike, weights: ArrayLike = 1.0) -> Floats:
    """Weighted share of the positions (0 is the top, 1 the bottom) that are at most ``share``.

    Parameters
    ----------
    positions : ndarray of shape (n_positions,)
        Between 0 and 1.
    share : float or array-like of shape (n_shares,)
        Between 0 and 1.
    weights : float or array-like of shape (n_positions,)
        How much each position counts.

    Returns
    -------
    ndarray of shape (n_shares,)
        Of no dimension for a single share.

    Examples
    --------
    >>> found_at(np.array([0.0, 0.5]), [0.1, 0.6])
    array([0.5, 1. ])
    """
    wanted = np.asarray(share, dtype=float)
    if not ((wanted >= 0) & (wanted <= 1 + 1e-9)).all():
        raise ValueError(f"share must lie between 0 and 1, the part of the candidates looked at; it is {wanted}")
    order = np.argsort(positions, kind="stable")
    total = np.concatenate([[0.0], np.cumsum(np.broadcast_to(np.asarray(weights, dtype=float), order.shape)[order])])
    # A share such as 0.1 + 0.2 must still reach the position 0.3.
    found = np.searchsorted(positions[order], wanted + 1e-12, side="right")
    return np.asarray(total[found] / total[-1])

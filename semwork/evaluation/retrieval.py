"""How high a retrieval model ranks the right answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from semwork.evaluation.checks import Floats, numbers
from semwork.evaluation.ranking import Ranking, found_at

__all__ = ["atop", "rank", "rank_scores", "target_entries", "topk"]

_CELLS = 4_000_000  # similarities compared at a time, so that a block needs little more memory than it has

Indices = NDArray[np.int64]


def rank(similarity: Any, targets: ArrayLike | Iterable[ArrayLike]) -> Ranking:
    """Rank all candidates for every query and keep the ranks of the targets.

    Parameters
    ----------
    similarity : {array-like, sparse matrix} of shape (n_queries, n_candidates)
        How similar each candidate is to each query; a sparse matrix where most are zero.
    targets : array-like of shape (n_queries,), or sequence of n_queries array-likes
        For each query the index of its one right candidate, or an array of several.

    Returns
    -------
    Ranking

    Examples
    --------
    >>> rank([[0.9, 0.1, 0.5], [0.2, 0.2, 0.8]], [[0], [0, 2]]).ranks
    array([1. , 2.5, 1. ])
    """
    values = _matrix(similarity)
    n_queries, n_candidates = values.shape
    query, target = target_entries(targets, n_queries, n_candidates)
    better, tied = (_counts_sparse if sparse.issparse(values) else _counts)(values, query, target)
    return Ranking.from_counts(better, tied, query, n_candidates, n_queries)


def rank_scores(similarity: Any, targets: ArrayLike | Iterable[ArrayLike]) -> Floats:
    """ATOP of each query: the mean over its targets of ``(N − r) / (N − 1)``, rank ``r`` of ``N`` candidates.

    Candidates that tie with the target count half (mid-rank), so that a query whose similarities are all equal,
    such as one with no known word, scores 0.5: chance.

    Parameters
    ----------
    similarity : {array-like, sparse matrix} of shape (n_queries, n_candidates)
        How similar each candidate is to each query; a sparse matrix where most are zero.
    targets : array-like of shape (n_queries,), or sequence of n_queries array-likes
        For each query the index of its one right candidate, or an array of several.

    Returns
    -------
    ndarray of shape (n_queries,)

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, equation 6 and section 5.2.

    Examples
    --------
    >>> rank_scores([[0.9, 0.1, 0.5], [0.0, 0.0, 0.0]], [0, 1])
    array([1. , 0.5])
    """
    return rank(similarity, targets).scores


def _matrix(similarity: Any) -> Any:
    """The similarities as CSR or as a dense array of floats, without NaN."""
    if sparse.issparse(similarity):
        values = similarity.tocsr()
        if not values.has_canonical_format:
            values = values.copy()
            values.sum_duplicates()
    else:
        values = np.atleast_2d(np.asarray(similarity))
        values = values if values.dtype.kind == "f" else values.astype(float)
    if values.ndim != 2:
        raise ValueError(f"similarity has the shape {values.shape}; give queries × candidates")
    if values.shape[1] < 2:
        raise ValueError(f"ranking needs at least 2 candidates; there are {values.shape[1]}")
    if np.isnan(values.data if sparse.issparse(values) else values).any():
        raise ValueError("similarity holds NaN; score texts without a known word as 0 instead")
    return values


def target_entries(targets: Any, n_queries: int, n_candidates: int) -> tuple[Indices, Indices]:
    """The targets as flat arrays: the query and the candidate of each entry.

    Parameters
    ----------
    targets : array-like of shape (n_queries,), or sequence of n_queries array-likes
        For each query the index of its one right candidate, or an array of several.
    n_queries, n_candidates : int
        How many there are.

    Returns
    -------
    query, target : ndarray of shape (n_targets,), int64
    """
    if not isinstance(targets, Iterable):
        raise TypeError(f"targets is {targets!r}; give a sequence with one target, or one array of targets, per query")
    if isinstance(targets, np.ndarray) and targets.ndim == 1 and targets.dtype.kind in "iu":
        lengths, target = np.ones(len(targets), dtype=int), targets
    else:
        each = [np.ravel(found) for found in targets]
        lengths = np.array([len(found) for found in each], dtype=int)
        target = np.concatenate([found for found in each if len(found)] or [np.empty(0, dtype=int)])
    if len(lengths) != n_queries:
        raise ValueError(
            f"{n_queries} queries need {n_queries} targets, one each, or one array of targets each; there are "
            f"{len(lengths)}"
        )
    if target.dtype.kind not in "iu":
        raise ValueError(f"targets are of type {target.dtype}; give the indices of candidates, whole numbers")
    query, target = np.repeat(np.arange(n_queries), lengths), target.astype(np.int64)
    outside = (target < 0) | (target >= n_candidates)
    if outside.any():
        at = int(np.argmax(outside))
        raise ValueError(
            f"query {query[at]} has the target {target[at]}; with {n_candidates} candidates a target is an index from "
            f"0 to {n_candidates - 1}"
        )
    if len(np.unique(query * n_candidates + target)) < len(target):
        raise ValueError("a query has the same target twice; name each target of a query once")
    return query, target


def _counts(values: Any, query: Indices, target: Indices) -> tuple[Indices, Indices]:
    """For each entry: how many candidates beat the target, and how many others tie with it."""
    better, tied = np.empty(len(query), dtype=np.int64), np.empty(len(query), dtype=np.int64)
    rows = max(1, _CELLS // values.shape[1])
    for start in range(0, len(query), rows):
        block = slice(start, start + rows)
        similar = values[query[block]]
        at_target = values[query[block], target[block]][:, None]
        better[block] = (similar > at_target).sum(axis=1)
        tied[block] = (similar == at_target).sum(axis=1) - 1
    return better, tied


def _counts_sparse(values: Any, query: Indices, target: Indices) -> tuple[Indices, Indices]:
    """The same, where most similarities are zero and not stored."""
    # Picking no cell at all gives another sparse array instead of numbers.
    at_target = np.asarray(values[query, target]).ravel() if len(query) else np.empty(0)
    one_each = np.array_equal(query, np.arange(values.shape[0]))
    rows = values if one_each else values[query]  # one row per entry
    lengths = np.diff(rows.indptr)
    entry = np.repeat(np.arange(len(query)), lengths)
    higher = np.bincount(entry[rows.data > at_target[entry]], minlength=len(query))
    equal = np.bincount(entry[rows.data == at_target[entry]], minlength=len(query))
    not_stored = values.shape[1] - lengths
    return higher + not_stored * (at_target < 0), equal + not_stored * (at_target == 0) - 1


def atop(scores: ArrayLike) -> float:
    """Mean ATOP over the queries: the area under the recall curve. 1 is perfect, 0.5 is chance.

    Parameters
    ----------
    scores : array-like of shape (n_queries,)
        ATOP of each query, as `rank_scores` gives.

    Returns
    -------
    float

    Examples
    --------
    >>> atop([1.0, 0.5])
    0.75
    """
    return float(np.mean(numbers(scores, "scores")))


def topk(scores: ArrayLike, share: ArrayLike) -> Floats:
    """Share of the queries whose target is in the top ``share`` (0 to 1) of the candidates.

    For queries with one target each; `Ranking.topk` also counts several.

    Parameters
    ----------
    scores : array-like of shape (n_queries,)
        ATOP of each query, as `rank_scores` gives.
    share : float or array-like of shape (n_shares,)
        Which part of the candidates is looked at.

    Returns
    -------
    ndarray of shape (n_shares,)
        Of no dimension for a single share.

    Examples
    --------
    >>> topk([1.0, 0.5], [0.1, 0.6])
    array([0.5, 1. ])
    """
    return found_at(1 - numbers(scores, "scores"), share)

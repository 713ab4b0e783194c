"""How high a retrieval model ranks the right answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

__all__ = ["atop", "rank_scores", "topk"]

Floats = NDArray[np.floating[Any]]


def rank_scores(similarity: Any, targets: ArrayLike) -> Floats:
    """ATOP of each query: ``(N − r) / (N − 1)`` for a target at rank ``r`` of ``N`` candidates.

    Candidates that tie with the target count half (mid-rank), so that a query whose similarities are all equal,
    such as one with no known word, scores 0.5: chance.

    Parameters
    ----------
    similarity
        Queries × candidates; a sparse matrix where most are zero.
    targets
        For each query the index of its one right candidate.

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, section 5.1.

    Examples
    --------
    >>> rank_scores([[0.9, 0.1, 0.5], [0.0, 0.0, 0.0]], [0, 1])
    array([1. , 0.5])
    """
    values = similarity if sparse.issparse(similarity) else np.atleast_2d(np.asarray(similarity, dtype=float))
    right = np.asarray(targets, dtype=int)
    queries, candidates = values.shape
    if right.shape != (queries,):
        raise ValueError(f"{queries} queries need {queries} targets, one each; targets has the shape {right.shape}")
    if candidates < 2:
        raise ValueError(f"ranking needs at least 2 candidates; there are {candidates}")
    stored = values.data if sparse.issparse(values) else values
    if np.isnan(stored).any():
        raise ValueError("similarity holds NaN; score texts without a known word as 0 instead")
    better, tied = _counts_sparse(values, right) if sparse.issparse(values) else _counts(values, right)
    return np.asarray(1 - (better + tied / 2) / (candidates - 1))


def _counts(values: Any, right: Any) -> tuple[Any, Any]:
    """For each query: how many candidates beat the target, and how many others tie with it."""
    own = values[np.arange(len(right)), right][:, None]
    return (values > own).sum(axis=1), (values == own).sum(axis=1) - 1


def _counts_sparse(values: Any, right: Any) -> tuple[Any, Any]:
    """The same, where most similarities are zero and not stored."""
    rows = values.tocsr()
    queries, candidates = rows.shape
    own = np.asarray(rows[np.arange(queries), right]).ravel()
    lengths = np.diff(rows.indptr)
    row_of = np.repeat(np.arange(queries), lengths)
    higher = np.bincount(row_of, rows.data > own[row_of], minlength=queries)
    equal = np.bincount(row_of, rows.data == own[row_of], minlength=queries)
    not_stored = candidates - lengths
    return higher + not_stored * (own < 0), equal + not_stored * (own == 0) - 1


def atop(scores: ArrayLike) -> float:
    """Mean ATOP over the queries: the area under the recall curve. 1 is perfect, 0.5 is chance.

    Examples
    --------
    >>> atop([1.0, 0.5])
    0.75
    """
    return float(np.mean(np.asarray(scores, dtype=float)))


def topk(scores: ArrayLike, share: ArrayLike) -> Floats:
    """Share of the queries whose target is in the top ``share`` of the candidates.

    Examples
    --------
    >>> topk([1.0, 0.5], [0.1, 0.6])
    array([0.5, 1. ])
    """
    position = np.sort(1 - np.asarray(scores, dtype=float))
    found = np.searchsorted(position, np.asarray(share, dtype=float) + 1e-12, side="right")
    return np.asarray(found / len(position))

"""Which candidates are nearest, and at which rank is the right one: in blocks, on all cores, never all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.blas import one_thread_inside
from semwork.compiled import compiled
from semwork.evaluation import Ranking
from semwork.evaluation.retrieval import target_entries
from semwork.given import is_whole
from semwork.similarity.cosine import unit_rows
from semwork.steps import Step, last
from semwork.threads import workers_of

__all__ = ["RankStep", "nearest", "pairwise", "rank", "rank_steps"]

Measure = Literal["cosine", "dot"]

_BLOCK_CELLS = 8_000_000  # similarities held at a time
_TILE, _QUERIES = 1024, 256  # candidates × queries compared at a time: 1 MB of float32
_PER_STEP = 1024  # queries between two steps
_SLACK = 16  # units of rounding by which two products of equal rows may differ, by where they stand in their block


@dataclass(frozen=True, kw_only=True)
class RankStep(Step):
    """Progress of a ranking; the last step holds it.

    Attributes
    ----------
    ranking : Ranking or None
        ``None`` until the last step.
    """

    ranking: Ranking | None = None


def _prepared(left: Any, right: Any, measure: Measure, names: tuple[str, str]) -> tuple[Any, Any]:
    """Both sides as CSR or C-ordered floats, of length 1 for the cosine; or say what is wrong with them."""
    if measure not in ("cosine", "dot"):
        raise ValueError(f"measure is {measure!r}; it must be 'cosine' or 'dot'")
    if sparse.issparse(left) != sparse.issparse(right):
        raise TypeError(
            f"{names[0]} are a {type(left).__name__} and {names[1]} a {type(right).__name__}; both have to be dense or "
            "both sparse, as the same model gives"
        )
    left, right = (side if sparse.issparse(side) else np.asarray(side) for side in (left, right))
    if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[1]:
        raise ValueError(
            f"{names[0]} have the shape {left.shape} and {names[1]} {right.shape}; both need the same number of "
            "columns, as the same model gives"
        )
    return _floats(left, measure, names[0]), _floats(right, measure, names[1])


def _floats(rows: Any, measure: Measure, name: str) -> Any:
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    if not np.isfinite(rows.data if sparse.issparse(rows) else rows).all():
        raise ValueError(f"{name} hold NaN or infinity; every number of a vector has to be finite")
    rows = unit_rows(rows) if measure == "cosine" else rows
    return sparse.csr_array(rows) if sparse.issparse(rows) else np.ascontiguousarray(rows)


def _lengths(rows: Any) -> Any:
    squares = rows.multiply(rows).sum(axis=1) if sparse.issparse(rows) else np.einsum("ij,ij->i", rows, rows)
    return np.sqrt(squares)


def pairwise(left: Any, right: Any, *, measure: Measure = "cosine") -> NDArray[np.float64]:
    """Similarity of each row of ``left`` with the same row of ``right``.

    Parameters
    ----------
    left, right : {ndarray, sparse matrix} of shape (n_rows, n_dimensions)
        Rows of vectors; both sides are dense, or both are sparse.
    measure : {"cosine", "dot"}
        How two rows are compared.

    Returns
    -------
    ndarray of shape (n_rows,), float64

    Examples
    --------
    >>> pairwise(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([1., 0.])
    """
    a, b = _prepared(left, right, measure, ("left rows", "right rows"))
    if a.shape != b.shape:
        raise ValueError(f"pairs need two sides of one shape; these are {a.shape} and {b.shape}")
    if sparse.issparse(a):
        return np.asarray(a.multiply(b).sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(np.einsum("ij,ij->i", a, b, dtype=np.float64))


def nearest(queries: Any, candidates: Any, k: int = 10, *, measure: Measure = "cosine") -> tuple[Any, Any]:
    """Return indices and similarities of the k nearest candidates of every query, best first.

    Ties are broken by the candidates' order.

    Parameters
    ----------
    queries : {ndarray, sparse matrix} of shape (n_queries, n_dimensions)
        Rows of vectors.
    candidates : {ndarray, sparse matrix} of shape (n_candidates, n_dimensions)
        Rows of vectors; both sides are dense, or both are sparse.
    k : int
        How many candidates; all of them where there are fewer.
    measure : {"cosine", "dot"}
        How two rows are compared.

    Returns
    -------
    indices : ndarray of shape (n_queries, k), int
    similarities : ndarray of shape (n_queries, k), float64

    Examples
    --------
    >>> nearest(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), k=2)[0]
    array([[1, 2]])
    """
    if not is_whole(k) or k < 1:
        raise ValueError(f"k is {k!r}; ask for 1 or more candidates")
    left, right = _prepared(queries, candidates, measure, ("queries", "candidates"))
    if right.shape[0] < 1:
        raise ValueError("there are no candidates to search among; give at least one")
    k = min(int(k), right.shape[0])
    find = _nearest_sparse if sparse.issparse(right) else _nearest_dense
    block = max(1, _BLOCK_CELLS // right.shape[0])
    places = np.empty((left.shape[0], k), np.intp)
    values = np.empty((left.shape[0], k), np.float64)
    for start in range(0, left.shape[0], block):
        for row, (place, value) in enumerate(find(left[start : start + block], right, k), start):
            places[row], values[row] = place, value
    return places, values


def _nearest_sparse(queries: Any, candidates: Any, k: int) -> Iterator[tuple[Any, Any]]:
    similar = (queries @ candidates.T).toarray()
    for one, edge in zip(similar, _kth(similar, k), strict=True):
        inside = np.flatnonzero(one >= edge)
        chosen = inside[np.argsort(-one[inside], kind="stable")[:k]]
        yield chosen, one[chosen]


def _nearest_dense(queries: Any, candidates: Any, k: int) -> Iterator[tuple[Any, Any]]:
    """Choose by a fast product, and order by a careful one, in which equal rows have equal values."""
    similar = queries @ candidates.T
    slack = _SLACK * np.finfo(similar.dtype).eps * _lengths(queries) * _lengths(candidates).max()
    for query, one, edge in zip(queries, similar, _kth(similar, k) - slack, strict=True):
        if not query.any():
            yield np.arange(k), np.zeros(k)
            continue
        inside = np.flatnonzero(one >= edge)
        exact = np.multiply(candidates[inside], query, dtype=np.float64).sum(axis=1)
        chosen = np.argsort(-exact, kind="stable")[:k]
        yield inside[chosen], exact[chosen]


def _kth(similar: Any, k: int) -> Any:
    """The k-th largest value of every row."""
    return np.partition(similar, similar.shape[1] - k, axis=1)[:, similar.shape[1] - k]


def rank(
    queries: Any,
    candidates: Any,
    targets: Sequence[Any] | NDArray[np.intp],
    *,
    measure: Measure = "cosine",
    n_jobs: int | None = None,
) -> Ranking:
    """Rank all candidates for every query; keep only where the targets are.

    Parameters
    ----------
    queries : {ndarray, sparse matrix} of shape (n_queries, n_dimensions)
        Rows of vectors.
    candidates : {ndarray, sparse matrix} of shape (n_candidates, n_dimensions)
        Rows of vectors; both sides are dense, or both are sparse.
    targets : array-like of shape (n_queries,), or sequence of n_queries array-likes
        For each query the indices of its right candidates, or one index.
    measure : {"cosine", "dot"}
        How two rows are compared.
    n_jobs : int or None
        Threads; ``None`` and −1 mean all cores, −2 all but one, and so on.

    Returns
    -------
    Ranking

    Examples
    --------
    >>> rank(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.1], [1.0, 1.0]]), [2]).ranks
    array([2.])
    """
    result = last(rank_steps(queries, candidates, targets, measure=measure, n_jobs=n_jobs)).ranking
    assert result is not None  # noqa: S101 - the last step has it
    return result


def rank_steps(
    queries: Any, candidates: Any, targets: Any, *, measure: Measure = "cosine", n_jobs: int | None = None
) -> Iterator[RankStep]:
    """Return the same as :func:`rank`, step by step.

    Parameters
    ----------
    queries, candidates, targets, measure, n_jobs : as in `rank`

    Yields
    ------
    RankStep
        The last one holds the ranking.
    """
    left, right = _prepared(queries, candidates, measure, ("queries", "candidates"))
    total, n_candidates = left.shape[0], right.shape[0]
    if n_candidates < 2 or total < 1:
        raise ValueError(f"ranking needs queries and at least 2 candidates; there are {total} and {n_candidates}")
    query, flat = target_entries(targets, total, n_candidates)
    counts = np.bincount(query, minlength=total)
    if not counts.all():
        raise ValueError(f"query {int(np.argmin(counts))} has no target; give at least one, or leave the query out")
    ends = np.concatenate([[0], np.cumsum(counts)])
    threads = workers_of(n_jobs)
    counting = _Sparse(right) if sparse.issparse(right) else _Dense(right)
    better, tied = np.zeros(len(flat), np.int64), np.zeros(len(flat), np.int64)

    def count(bounds: tuple[int, int]) -> None:
        start, stop = bounds
        counting.count(left[start:stop], ends[start : stop + 1], flat, better, tied)

    with ThreadPoolExecutor(threads) as pool:
        for begin in range(0, total, _PER_STEP):
            end = min(begin + _PER_STEP, total)
            with one_thread_inside():
                list(pool.map(count, [(at, min(at + _QUERIES, end)) for at in range(begin, end, _QUERIES)]))
            if end < total:
                yield RankStep(done=end, total=total, message=f"{end:,} of {total:,} queries ranked")
    ranking = Ranking.from_counts(better, tied, query, n_candidates, total)
    yield RankStep(done=total, total=total, message=f"{total:,} queries ranked", ranking=ranking)


class _Dense:
    """Counts tile by tile, each small enough to stay in the cache between the product and the comparison."""

    def __init__(self, candidates: Any) -> None:
        self.candidates = candidates
        self.lengths = _lengths(candidates)

    def count(self, queries: Any, ends: Any, targets: Any, better: Any, tied: Any) -> None:
        entries = slice(ends[0], ends[-1])
        query = np.repeat(np.arange(len(queries)), np.diff(ends))
        of_target = np.einsum("ij,ij->i", queries[query], self.candidates[targets[entries]])
        slack = _SLACK * np.finfo(of_target.dtype).eps * _lengths(queries)[query] * self.lengths[targets[entries]]
        slack = slack.astype(of_target.dtype)
        for start in range(0, len(self.candidates), _TILE):
            similar = queries @ self.candidates[start : start + _TILE].T
            here = targets[entries] - start
            _count_tile(similar, query, here, of_target - slack, of_target + slack, better[entries], tied[entries])


class _Sparse:
    """Counts by adding up the candidates that share a word, word by word."""

    def __init__(self, candidates: Any) -> None:
        by_word = candidates.T.tocsr()
        self.size = candidates.shape[0]
        self.lengths = _lengths(candidates)
        self.parts = (by_word.indptr.astype(np.int64), by_word.indices.astype(np.int32), by_word.data.astype(float))

    def count(self, queries: Any, ends: Any, targets: Any, better: Any, tied: Any) -> None:
        parts = (queries.indptr.astype(np.int64), queries.indices.astype(np.int32), queries.data.astype(float))
        entries = slice(ends[0], ends[-1])
        slack = 1e-12 * np.repeat(_lengths(queries), np.diff(ends)) * self.lengths[targets[entries]]
        here = ends - ends[0]
        _count_sparse(*parts, *self.parts, self.size, here, targets[entries], slack, better[entries], tied[entries])


@compiled
def _count_tile(similar: Any, query: Any, target: Any, low: Any, high: Any, better: Any, tied: Any) -> None:
    """Add how many similarities lie above the target's, and how many beside it; its own, if it is here, is left out."""
    for entry in range(len(query)):
        row, least, most = similar[query[entry]], low[entry], high[entry]
        above, near = np.int32(0), np.int32(0)
        for value in row:
            above += np.int32(value > most)
            near += np.int32(value >= least)
        if 0 <= target[entry] < len(row):
            above -= np.int32(row[target[entry]] > most)
            near -= np.int32(row[target[entry]] >= least)
        better[entry] += above
        tied[entry] += near - above


@compiled
def _count_sparse(indptr: Any, indices: Any, data: Any, word_ptr: Any, word_rows: Any, word_data: Any, size: int,
                  ends: Any, targets: Any, slack: Any, better: Any, tied: Any) -> None:  # fmt: skip
    similar = np.zeros((1, size))
    row = similar[0]
    for query in range(len(indptr) - 1):
        row[:] = 0
        for cell in range(indptr[query], indptr[query + 1]):
            weight, word = data[cell], indices[cell]
            for at in range(word_ptr[word], word_ptr[word + 1]):
                row[word_rows[at]] += weight * word_data[at]
        start, stop = ends[query], ends[query + 1]
        of_target = row[targets[start:stop]]
        here = np.zeros(stop - start, np.int64)
        low, high = of_target - slack[start:stop], of_target + slack[start:stop]
        _count_tile(similar, here, targets[start:stop], low, high, better[start:stop], tied[start:stop])

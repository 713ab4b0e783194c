"""Which candidates are nearest, and at which rank is the right one: in blocks, on all cores, never all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from semwork.evaluation import Ranking
from semwork.similarity.blas import one_thread_inside
from semwork.similarity.cosine import unit_rows
from semwork.similarity.solver import threads_of
from semwork.steps import Step, last

__all__ = ["RankStep", "nearest", "pairwise", "rank", "rank_steps"]

Measure = Literal["cosine", "dot"]

_BLOCK_CELLS = 8_000_000  # similarities held at a time
_TILE, _QUERIES = 1024, 256  # candidates × queries compared at a time: 1 MB of float32
_PER_STEP = 1024  # queries between two steps
_compiled = njit(nogil=True, cache=True)


@dataclass(frozen=True, kw_only=True)
class RankStep(Step):
    """Progress of a ranking; the last step holds it."""

    ranking: Ranking | None = None


def _prepared(rows: Any, measure: Measure) -> Any:
    """Unit rows for the cosine; CSR or C-ordered."""
    if measure not in ("cosine", "dot"):
        raise ValueError(f"measure is {measure!r}; it must be 'cosine' or 'dot'")
    rows = unit_rows(rows) if measure == "cosine" else rows
    return sparse.csr_array(rows) if sparse.issparse(rows) else np.ascontiguousarray(rows)


def pairwise(left: Any, right: Any, *, measure: Measure = "cosine") -> NDArray[np.float64]:
    """Similarity of each row of ``left`` with the same row of ``right``.

    Examples
    --------
    >>> pairwise(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([1., 0.])
    """
    if left.shape != right.shape:
        raise ValueError(f"pairs need two sides of one shape; these are {left.shape} and {right.shape}")
    a, b = _prepared(left, measure), _prepared(right, measure)
    if sparse.issparse(a):
        return np.asarray(a.multiply(b).sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(np.einsum("ij,ij->i", a, b, dtype=np.float64))


def nearest(queries: Any, candidates: Any, k: int = 10, *, measure: Measure = "cosine") -> tuple[Any, Any]:
    """Return indices and similarities of the k nearest candidates of every query, best first.

    Ties are broken by the candidates' order.

    Examples
    --------
    >>> nearest(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), k=2)[0]
    array([[1, 2]])
    """
    if k < 1:
        raise ValueError(f"k is {k}; ask for 1 or more candidates")
    _check_columns(queries, candidates)
    left, right = _prepared(queries, measure), _prepared(candidates, measure).T
    k = min(k, right.shape[1])
    block = max(1, _BLOCK_CELLS // right.shape[1])
    places = np.empty((left.shape[0], k), np.intp)
    values = np.empty((left.shape[0], k), np.float64)
    for start in range(0, left.shape[0], block):
        product = left[start : start + block] @ right
        similar = product.toarray() if sparse.issparse(product) else product
        edge = -np.partition(-similar, k - 1, axis=1)[:, k - 1 : k]
        for row, (one, least) in enumerate(zip(similar, edge, strict=True)):
            inside = np.flatnonzero(one >= least)
            chosen = inside[np.argsort(-one[inside], kind="stable")[:k]]
            places[start + row], values[start + row] = chosen, one[chosen]
    return places, values


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
    queries, candidates
        Rows of vectors, both dense or both sparse.
    targets
        For each query the indices of its right candidates, or one index.

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
    """Return the same as :func:`rank`, step by step."""
    _check_columns(queries, candidates)
    total, n_candidates = queries.shape[0], candidates.shape[0]
    lists = [np.atleast_1d(np.asarray(found, dtype=np.int64)) for found in targets]
    if len(lists) != total:
        raise ValueError(f"there are {total} queries and {len(lists)} lists of targets; each query needs its own")
    flat = np.concatenate(lists) if lists else np.empty(0, np.int64)
    if n_candidates < 2 or total < 1:
        raise ValueError(f"ranking needs queries and at least 2 candidates; there are {total} and {n_candidates}")
    if len(flat) and not (flat.min() >= 0 and flat.max() < n_candidates):
        raise ValueError(f"a target is {flat.min()} or {flat.max()}; targets are indices of {n_candidates} candidates")
    ends = np.concatenate([[0], np.cumsum([len(found) for found in lists])])
    left, right = _prepared(queries, measure), _prepared(candidates, measure)
    threads = threads_of(n_jobs)
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
    query = np.repeat(np.arange(total), np.diff(ends))
    ranking = Ranking.from_counts(better, tied, query, n_candidates, total)
    yield RankStep(done=total, total=total, message=f"{total:,} queries ranked", ranking=ranking)


def _check_columns(queries: Any, candidates: Any) -> None:
    if queries.ndim != 2 or candidates.ndim != 2 or queries.shape[1] != candidates.shape[1]:
        raise ValueError(
            f"queries have the shape {queries.shape} and candidates {candidates.shape}; both need the same number of "
            "columns, as the same model gives"
        )


class _Dense:
    """Counts tile by tile, each small enough to stay in the cache between the product and the comparison."""

    def __init__(self, candidates: Any) -> None:
        self.candidates = candidates

    def count(self, queries: Any, ends: Any, targets: Any, better: Any, tied: Any) -> None:
        entries = slice(ends[0], ends[-1])
        query = np.repeat(np.arange(len(queries)), np.diff(ends))
        own = np.einsum("ij,ij->i", queries[query], self.candidates[targets[entries]])
        # Two products of equal rows may differ in the last digits, by where they stand in their block.
        slack = own.dtype.type(16 * np.finfo(own.dtype).eps)
        for start in range(0, len(self.candidates), _TILE):
            similar = queries @ self.candidates[start : start + _TILE].T
            _count_tile(similar, query, own - slack, own + slack, better[entries], tied[entries])
        tied[entries] -= 1  # the target itself


class _Sparse:
    """Counts by adding up the candidates that share a word, word by word."""

    def __init__(self, candidates: Any) -> None:
        by_word = candidates.T.tocsr()
        self.size = candidates.shape[0]
        self.parts = (by_word.indptr.astype(np.int64), by_word.indices.astype(np.int32), by_word.data.astype(float))

    def count(self, queries: Any, ends: Any, targets: Any, better: Any, tied: Any) -> None:
        own = (queries.indptr.astype(np.int64), queries.indices.astype(np.int32), queries.data.astype(float))
        _count_sparse(*own, *self.parts, self.size, ends, targets, better, tied)


@_compiled  # type: ignore[untyped-decorator]
def _count_tile(similar: Any, query: Any, low: Any, high: Any, better: Any, tied: Any) -> None:
    """Add how many similarities lie above the target's, and how many beside it."""
    for entry in range(len(query)):
        row, least, most = similar[query[entry]], low[entry], high[entry]
        above, near = np.int32(0), np.int32(0)
        for value in row:
            above += np.int32(value > most)
            near += np.int32(value >= least)
        better[entry] += above
        tied[entry] += near - above


@_compiled  # type: ignore[untyped-decorator]
def _count_sparse(indptr: Any, indices: Any, data: Any, word_ptr: Any, word_rows: Any, word_data: Any, size: int,
                  ends: Any, targets: Any, better: Any, tied: Any) -> None:  # fmt: skip
    similar = np.zeros((1, size))
    row = similar[0]
    for query in range(len(indptr) - 1):
        row[:] = 0
        for cell in range(indptr[query], indptr[query + 1]):
            weight, word = data[cell], indices[cell]
            for at in range(word_ptr[word], word_ptr[word + 1]):
                row[word_rows[at]] += weight * word_data[at]
        start, stop = ends[query], ends[query + 1]
        own = row[targets[start:stop]]
        here = np.zeros(stop - start, np.int64)
        _count_tile(similar, here, own - 1e-12, own + 1e-12, better[start:stop], tied[start:stop])
        tied[start:stop] -= 1

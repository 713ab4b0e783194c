"""Both halves of an alternating step: whiten the fixed side, solve every row of the other one exactly."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.blas import one_thread_inside
from semwork.similarity.als import LANES, SHORT, Workspace, aligned, solve_rows
from semwork.similarity.simd import padded
from semwork.threads import workers_of

__all__ = [
    "Half",
    "Side",
    "SingularSystemWarning",
    "memory_for_whitened",
    "pool_of",
    "threads_for",
    "whitening",
]

Rows = NDArray[np.floating[Any]]
SMALL = 5e7  # cells · K², a few milliseconds


class SingularSystemWarning(UserWarning):
    """A system had no unique solution; the shortest one was taken."""


def threads_for(n_jobs: int | None, cells: int, n_components: int) -> int:
    """Number of threads for one side: without a wish one thread where handing work over would take longer."""
    return 1 if n_jobs is None and cells * n_components**2 < SMALL else workers_of(n_jobs)


@contextlib.contextmanager
def pool_of(threads: int) -> Iterator[ThreadPoolExecutor | None]:
    """Threads, or ``None`` when the calling one is enough."""
    if threads == 1:
        yield None
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool


class Side:
    """The rows of a sparse matrix, sorted by their number of cells and dealt to threads of equal load."""

    def __init__(self, matrix: Any, dtype: Any, threads: int) -> None:
        self.shape = matrix.shape
        self.indptr = matrix.indptr.astype(np.int64, copy=False)
        self.indices = matrix.indices.astype(np.int32, copy=False)
        self.data = matrix.data.astype(dtype, copy=False)
        lengths = np.diff(self.indptr)
        order = np.argsort(lengths, kind="stable")
        short = int(np.searchsorted(lengths[order], SHORT, side="right"))
        # Short rows go in packets that fill the lanes. Long ones, from the longest, to whoever has least to do.
        whose = np.arange(short) // LANES % threads
        dealt: list[list[Any]] = [[order[:short][whose == thread]] for thread in range(threads)]
        load = np.zeros(threads)
        longest_first: list[list[int]] = [[] for _ in range(threads)]
        for row in order[short:][::-1]:
            thread = int(np.argmin(load))
            longest_first[thread].append(row)
            load[thread] += lengths[row]
        for thread, rows in enumerate(longest_first):
            dealt[thread].append(np.array(rows[::-1], dtype=order.dtype))
        self.dealt = [np.concatenate(parts) for parts in dealt]


class Half:
    """Solves one side against the other, again and again, in the same memory.

    Parameters
    ----------
    side : Side
        The rows to solve.
    pool : ThreadPoolExecutor or None
        Threads; as many as the side was dealt to. ``None`` for the thread that calls.
    """

    def __init__(self, side: Side, pool: ThreadPoolExecutor | None) -> None:
        self.side = side
        self._map: Any = pool.map if pool is not None else map
        self._spaces: list[Workspace] = []

    def solve(
        self,
        factors: Rows,
        missing_weight: float,
        regularization: float,
        *,
        into: Rows | None = None,
        whitened: Rows | None = None,
    ) -> tuple[Rows, float]:
        """Solve every row against the rows of the other side.

        Parameters
        ----------
        factors : ndarray of shape (n_fixed, n_components)
            The fixed side.
        missing_weight : float
            w_m.
        regularization : float
            λ.
        into : ndarray of shape (n_rows, n_components), or None
            Memory for the result, if there is some to use again.
        whitened : ndarray of shape (n_fixed, n_padded), or None
            Memory for the whitened factors, as `memory_for_whitened` gives, if there is some to use again.

        Returns
        -------
        rows : ndarray of shape (n_rows, n_components)
            The solutions.
        gain : float
            By how much they lower the objective from ``Σx²``.
        """
        with one_thread_inside():
            whitener = whitening(self._gram(factors), missing_weight, regularization, factors.dtype)
            if whitener is None:
                return _shortest(self.side, factors)
            dtype: Any = factors.dtype.type
            whitener = np.ascontiguousarray(whitener, dtype=dtype)
            width = whitener.shape[1]
            square = width == factors.shape[1]
            rows = _memory(whitened, len(factors), padded(width, dtype), dtype)
            self._multiply(factors, np.pad(whitener, ((0, 0), (0, rows.shape[1] - width))), rows)
            result = _memory(into if square else None, self.side.shape[0], width, dtype)
            gain = self._solve_rows(rows, dtype(1 - missing_weight), result)
            solved = result if square else _memory(into, self.side.shape[0], factors.shape[1], dtype)
            self._multiply(result, whitener.T, solved)
        return solved, gain

    def _solve_rows(self, rows: Rows, cell_weight: Any, result: Rows) -> float:
        side = self.side
        dtype: Any = rows.dtype.type

        if not self._spaces or not self._spaces[0].fits(result.shape[1], dtype):
            self._spaces = [Workspace(result.shape[1], dtype) for _ in side.dealt]

        def work(order: Any, space: Workspace) -> float:
            gain = solve_rows(order, side.indptr, side.indices, side.data, rows, cell_weight, result, *space.arrays())
            return float(gain)

        gain = float(sum(self._map(work, side.dealt, self._spaces)))
        if not np.isfinite(gain):
            raise FloatingPointError(
                f"the vectors grew beyond what {dtype.__name__} holds; raise regularization, scale the weights down, "
                "or use dtype='float64'"
            )
        return gain

    # BLAS's own threads would go on spinning for a while and take time from ours: products are cut into blocks instead.

    def _multiply(self, rows: Rows, matrix: Rows, out: Rows) -> None:
        """``out = rows @ matrix``; out may be rows."""

        def work(block: slice) -> None:
            if out is not rows:
                np.matmul(rows[block], matrix, out=out[block])
                return
            for part in _blocks(block.stop, 256, block.start):  # a copy that stays in the cache
                out[part] = rows[part] @ matrix

        list(self._map(work, _blocks(len(rows), 8192)))

    def _gram(self, rows: Rows) -> NDArray[np.float64]:
        products = self._map(lambda block: (rows[block].T @ rows[block]).astype(np.float64), _blocks(len(rows), 8192))
        return np.asarray(sum(products, np.zeros((rows.shape[1], rows.shape[1]))))


def _blocks(end: int, size: int, first: int = 0) -> list[slice]:
    return [slice(start, min(start + size, end)) for start in range(first, end, size)]


def memory_for_whitened(rows: int, width: int, dtype: Any) -> Rows:
    """Room for the whitened factors: whole vector registers, from a cache line on."""
    return np.asarray(aligned(rows, padded(width, dtype), dtype))


def _memory(array: Rows | None, rows: int, columns: int, dtype: Any) -> Rows:
    """The first rows of an array if it serves, a new one if not."""
    if array is not None and len(array) >= rows and array.shape[1] == columns and array.dtype == dtype:
        return array[:rows]
    return np.asarray(aligned(rows, columns, dtype))


def whitening(
    gram: NDArray[np.float64], missing_weight: float, regularization: float, dtype: Any
) -> NDArray[np.float64] | None:
    """T with ``T Tᵀ = (w_m FᵀF + λI)⁻¹``; where that inverse does not exist, on the directions that F has.

    Returns ``None`` when nothing is left: ``w_m = λ = 0``, or all of F is zero.

    Parameters
    ----------
    gram : ndarray of shape (n_components, n_components), float64
        FᵀF.
    missing_weight : float
        w_m.
    regularization : float
        λ.
    dtype : dtype
        Of the factors; it decides what counts as zero.

    Returns
    -------
    ndarray of shape (n_components, rank), float64, or None
    """
    system = missing_weight * gram + regularization * np.eye(len(gram))
    tiny = np.finfo(dtype).eps * len(gram)
    try:
        lower = np.linalg.cholesky(system)
        pivots = np.diag(lower)
        # Rounding alone leaves pivots of this size where there should be none: only eigenvalues can tell them apart.
        rounding = 100 * np.sqrt(np.finfo(np.float64).eps * len(gram))
        if pivots.min() > pivots.max() * max(np.sqrt(tiny), rounding):
            return np.asarray(np.linalg.inv(lower).T)
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(system)
    kept = values > max(values[-1], 0) * tiny
    if not kept.any():
        return None
    if not kept.all():
        warnings.warn(
            f"with regularization={regularization:g} and missing_weight={missing_weight:g} the {len(gram)} dimensions "
            f"are not all determined: {int((~kept).sum())} are left at the shortest solution. A small regularization "
            "(0.001) makes every system regular",
            SingularSystemWarning,
            stacklevel=5,
        )
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


def _shortest(side: Side, factors: Rows) -> tuple[Rows, float]:
    """Without missing words and without a penalty: the shortest least-squares solution of each row by itself."""
    warnings.warn(
        "missing_weight=0 and regularization=0 leave most rows with more unknowns than cells: each gets its shortest "
        "solution, one by one, which is slow. Use a small regularization to have a well-posed problem",
        SingularSystemWarning,
        stacklevel=5,
    )
    result = np.zeros((side.shape[0], factors.shape[1]), factors.dtype)
    gain = 0.0
    for row in range(side.shape[0]):
        cells = slice(side.indptr[row], side.indptr[row + 1])
        x, known = side.data[cells], factors[side.indices[cells]]
        if len(x):
            result[row] = np.linalg.lstsq(known, x, rcond=None)[0]
            gain += float(x @ x) - float(np.sum((known @ result[row] - x) ** 2))
    return result, gain

"""Both halves of an alternating step: whiten the fixed side, solve every row of the other one exactly."""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.similarity.als import LANES, SHORT, Workspace, solve_rows
from semwork.similarity.blas import addresses, one_thread_inside

__all__ = ["Side", "SingularSystemWarning", "solve", "threads_of", "whitening"]

Rows = NDArray[np.floating[Any]]


class SingularSystemWarning(UserWarning):
    """A system had no unique solution; the shortest one was taken."""


def threads_of(n_jobs: int | None) -> int:
    """Number of threads: ``None`` and -1 mean every core this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs is None:
        return cores
    if n_jobs == 0:
        raise ValueError("n_jobs is 0; give a number of threads, or None for all cores")
    return n_jobs if n_jobs > 0 else max(1, cores + 1 + n_jobs)


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
        packets = np.array_split(order[:short], range(LANES, short, LANES)) if short else []
        dealt: list[list[Any]] = [packets[thread::threads] for thread in range(threads)]
        load = np.zeros(threads)
        longest_first: list[list[int]] = [[] for _ in range(threads)]
        for row in order[short:][::-1]:
            thread = int(np.argmin(load))
            longest_first[thread].append(row)
            load[thread] += lengths[row]
        for thread, rows in enumerate(longest_first):
            dealt[thread].append(np.array(rows[::-1], dtype=order.dtype))
        self.dealt = [np.concatenate(parts) if parts else order[:0] for parts in dealt]


def whitening(factors: Rows, missing_weight: float, regularization: float) -> NDArray[np.float64] | None:
    """T with ``T Tᵀ = (w_m FᵀF + λI)⁻¹``; where that inverse does not exist, on the directions that F has.

    Returns ``None`` when nothing is left: ``w_m = λ = 0``, or all of F is zero.
    """
    gram = (factors.T @ factors).astype(np.float64)
    system = missing_weight * gram + regularization * np.eye(len(gram))
    try:
        lower = np.linalg.cholesky(system)
        pivots = np.diag(lower)
        if pivots.min() > pivots.max() * np.sqrt(np.finfo(factors.dtype).eps * len(gram)):
            return np.asarray(np.linalg.inv(lower).T)
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(system)
    kept = values > max(values[-1], 0) * np.finfo(factors.dtype).eps * len(gram)
    if not kept.any():
        return None
    warnings.warn(
        f"with regularization={regularization:g} and missing_weight={missing_weight:g} the {len(gram)} dimensions are "
        f"not all determined: {int((~kept).sum())} are left at the shortest solution. A small regularization "
        "(0.001) makes every system regular",
        SingularSystemWarning,
        stacklevel=4,
    )
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


def solve(side: Side, factors: Rows, missing_weight: float, regularization: float) -> tuple[Rows, float]:
    """Solve every row of one side against the rows of the other.

    Returns
    -------
    rows, gain
        The solutions, and by how much they lower the objective from ``Σx²``.
    """
    whitener = whitening(factors, missing_weight, regularization)
    if whitener is None:
        return _shortest(side, factors)
    dtype: Any = factors.dtype.type
    whitener = np.ascontiguousarray(whitener, dtype=dtype)
    whitened = factors @ whitener
    result = np.empty((side.shape[0], whitened.shape[1]), dtype)
    routines, own = addresses(dtype), dtype(1 - missing_weight)

    def work(order: Any, rows: Rows) -> float:
        space = Workspace(rows.shape[1], dtype)
        return float(
            solve_rows(order, side.indptr, side.indices, side.data, rows, own, result, routines, *space.arrays())
        )

    with one_thread_inside(), ThreadPoolExecutor(len(side.dealt)) as threads:
        gain = sum(threads.map(work, side.dealt, [whitened] * len(side.dealt)))
    if not np.isfinite(gain):
        raise FloatingPointError(
            f"the vectors grew beyond what {dtype.__name__} holds; raise regularization, scale the weights down, or "
            "use dtype='float64'"
        )
    del whitened  # the next product needs its memory
    return _times(result, whitener.T), gain


def _times(rows: Rows, matrix: Rows, block: int = 8192) -> Rows:
    """``rows @ matrix`` into the memory of ``rows`` where the shapes allow it."""
    if matrix.shape[0] != matrix.shape[1]:
        return rows @ matrix
    for start in range(0, len(rows), block):
        rows[start : start + block] = rows[start : start + block] @ matrix
    return rows


def _shortest(side: Side, factors: Rows) -> tuple[Rows, float]:
    """Without missing words and without a penalty: the shortest least-squares solution of each row by itself."""
    warnings.warn(
        "missing_weight=0 and regularization=0 leave most rows with more unknowns than cells: each gets its shortest "
        "solution, one by one, which is slow. Use a small regularization to have a well-posed problem",
        SingularSystemWarning,
        stacklevel=4,
    )
    result = np.zeros((side.shape[0], factors.shape[1]), factors.dtype)
    gain = 0.0
    for row in range(side.shape[0]):
        cells = slice(side.indptr[row], side.indptr[row + 1])
        x, own = side.data[cells], factors[side.indices[cells]]
        if len(x):
            result[row] = np.linalg.lstsq(own, x, rcond=None)[0]
            gain += float(x @ x) - float(np.sum((own @ result[row] - x) ** 2))
    return result, gain

"""Joining two rows of letters with fewer constraints: what an alignment is without one of its rules."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.structures.problem import Floats
from semwork.structures.tasks.alignment import align

__all__ = ["join", "loose_alignment", "rules"]

_ONE_TO_ONE, _NO_CROSSING = 1, 2


def rules(one_to_one: bool, crossing: bool) -> int:
    """Return both choices as the number that `join` takes."""
    return _ONE_TO_ONE * one_to_one + _NO_CROSSING * (not crossing)


@compiled
def join(kept: int, pairs: Floats, left: Floats, right: Floats, chosen: NDArray[np.bool_]) -> float:
    """Find the best joins under the rules that are kept; arguments and result are those of `align`."""
    if kept == _ONE_TO_ONE + _NO_CROSSING:
        return float(align(pairs, left, right, chosen))
    if kept == _ONE_TO_ONE:
        return float(_assign(pairs, left, right, chosen))
    m, n = pairs.shape
    total = 0.0
    chosen[: m * n] = False
    for i in range(m):
        chosen[m * n + i] = left[i] > 0
        total += max(left[i], 0.0)
    for j in range(n):
        chosen[m * n + m + j] = right[j] > 0
        total += max(right[j], 0.0)
    if kept == _NO_CROSSING:
        return float(total + _chain(pairs, chosen))
    for i in range(m):
        for j in range(n):
            chosen[i * n + j] = pairs[i, j] > 0
            total += max(pairs[i, j], 0.0)
    return total


@compiled
def _chain(pairs: Floats, chosen: NDArray[np.bool_]) -> float:
    """Choose pairs that do not cross: all that are above 0 on one way that goes right or down."""
    m, n = pairs.shape
    best = np.zeros((m + 1, n + 1))
    for i in range(m):
        for j in range(n):
            best[i + 1, j + 1] = max(best[i, j + 1], best[i + 1, j]) + max(pairs[i, j], 0.0)
    i, j = m, n
    while i > 0 and j > 0:
        chosen[(i - 1) * n + j - 1] = pairs[i - 1, j - 1] > 0
        if best[i - 1, j] >= best[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return float(best[m, n])


@compiled
def _take_in(row: int, cost: Floats, row_of: NDArray[np.int64], u: Floats, v: Floats) -> None:
    """Give one more row a column, along the shortest way of moving others."""
    last = cost.shape[1]
    least, came = np.full(last, np.inf), np.full(last, -1)
    used = np.zeros(last + 1, dtype=np.bool_)
    at = last
    row_of[last] = row
    while row_of[at] >= 0:
        used[at] = True
        here, step, to = row_of[at], np.inf, -1
        for j in range(last):
            if not used[j]:
                reduced = cost[here, j] - u[here] - v[j]
                if reduced < least[j]:
                    least[j], came[j] = reduced, at
                if least[j] < step:
                    step, to = least[j], j
        for j in range(last + 1):
            if used[j]:
                u[row_of[j]] += step
                v[j] -= step
            elif j < last:
                least[j] -= step
        at = to
    while at != last:
        row_of[at] = row_of[came[at]]
        at = came[at]
    row_of[last] = -1


@compiled
def _assign(pairs: Floats, left: Floats, right: Floats, chosen: NDArray[np.bool_]) -> float:
    """Choose for every letter one partner or none, crossing or not: the Hungarian method.

    Left letter i may take column j, or column n + i, which stands for "alone". The cost of joining counts what both
    letters lose by not being alone.
    """
    m, n = pairs.shape
    cost = np.full((m, n + m), np.inf)
    for i in range(m):
        for j in range(n):
            cost[i, j] = left[i] + right[j] - pairs[i, j]
        cost[i, n + i] = 0.0
    row_of = np.full(n + m + 1, -1)  # the last column is where a new row begins
    u, v = np.zeros(m), np.zeros(n + m + 1)
    for row in range(m):
        _take_in(row, cost, row_of, u, v)
    chosen[: m * n] = False
    chosen[m * n :] = True
    total = left.sum() + right.sum()
    for j in range(n):
        if row_of[j] >= 0:
            chosen[row_of[j] * n + j] = True
            chosen[m * n + row_of[j]] = False
            chosen[m * n + m + j] = False
            total -= cost[row_of[j], j]
    return float(total)


def loose_alignment(m: int, n: int, one_to_one: bool, crossing: bool) -> Callable[[Floats], NDArray[np.bool_]]:
    """Return a solver for a problem whose parts are all pairs row by row, the left letters, the right letters."""
    kept = rules(one_to_one, crossing)

    def solve(scores: Floats) -> NDArray[np.bool_]:
        chosen = np.empty(m * n + m + n, dtype=np.bool_)
        join(kept, scores[: m * n].reshape(m, n), scores[m * n : m * n + m], scores[m * n + m :], chosen)
        return chosen

    return solve

"""Monotone alignment of two rows of letters: the best one by dynamic programming."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.structures.problem import Floats

__all__ = ["align"]


@compiled
def align(pairs: Floats, left: Floats, right: Floats, chosen: NDArray[np.bool_]) -> float:
    """Find the best alignment: every letter is joined with one of the other side or left alone, nothing crosses.

    ``pairs[i, j]`` is the score of joining, ``left[i]`` and ``right[j]`` of leaving alone. Sets ``chosen``: all pairs
    row by row, then the left letters, then the right ones. Returns the score.
    """
    m, n = pairs.shape
    best = np.empty((m + 1, n + 1))
    best[0, 0] = 0.0
    for i in range(m):
        best[i + 1, 0] = best[i, 0] + left[i]
    for j in range(n):
        best[0, j + 1] = best[0, j] + right[j]
    for i in range(m):
        for j in range(n):
            best[i + 1, j + 1] = max(best[i, j] + pairs[i, j], best[i, j + 1] + left[i], best[i + 1, j] + right[j])
    chosen[:] = False
    i, j = m, n
    while i > 0 or j > 0:
        if i > 0 and j > 0 and best[i, j] == best[i - 1, j - 1] + pairs[i - 1, j - 1]:
            i -= 1
            j -= 1
            chosen[i * n + j] = True
        elif i > 0 and best[i, j] == best[i - 1, j] + left[i - 1]:
            i -= 1
            chosen[m * n + i] = True
        else:
            j -= 1
            chosen[m * n + m + j] = True
    return float(best[m, n])

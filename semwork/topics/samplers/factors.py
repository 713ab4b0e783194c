"""Upper Cholesky factors, Ψ = UᵀU: fresh ones, and those of a matrix that changes by rank one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.topics.samplers.loops import vectorised

__all__ = ["factorise", "half_logdet", "rank_one", "squared_solution"]

Floats = NDArray[np.float64]


# Loops run over slices from 0: over range(i + 1, side) numba would ask of each index whether it is negative.


@vectorised
def factorise(psi: Floats, factor: Floats) -> None:
    """Fill the upper half of ``factor``: D³/6 products."""
    side = len(psi)
    for i in range(side):
        for j in range(side):
            factor[i, j] = psi[i, j]
    for i in range(side):
        pivot = math.sqrt(factor[i, i])
        factor[i, i] = pivot
        tail = factor[i, i + 1 :]
        for j in range(len(tail)):
            tail[j] /= pivot
        for k in range(len(tail)):
            below, right, scale = factor[i + 1 + k, i + 1 + k :], tail[k:], tail[k]
            for j in range(len(right)):
                below[j] -= scale * right[j]


@compiled
def half_logdet(factor: Floats) -> float:
    """Return ½·log|Ψ|, with a logarithm of several numbers at a time."""
    total, product = 0.0, 1.0
    for i in range(len(factor)):
        product *= factor[i, i]
        if not 1e-100 < product < 1e100:
            total += math.log(product)
            product = 1.0
    return total + math.log(product)


@vectorised
def squared_solution(factor: Floats, b: Floats) -> float:
    """Return bᵀΨ⁻¹b by forward substitution; b is used up.

    Four rows at a time: each number waits for the one before it, and this waiting, not the products, is what takes
    time. With four rows the rest of b is read and written a quarter as often, and no division is waited for.
    """
    total = 0.0
    side, i = len(b), 0
    while i + 4 <= side:
        row_0, row_1, row_2, row_3 = factor[i], factor[i + 1], factor[i + 2], factor[i + 3]
        scale_0, scale_1, scale_2, scale_3 = 1 / row_0[i], 1 / row_1[i + 1], 1 / row_2[i + 2], 1 / row_3[i + 3]
        x_0 = b[i] * scale_0
        x_1 = (b[i + 1] - x_0 * row_0[i + 1]) * scale_1
        x_2 = (b[i + 2] - x_0 * row_0[i + 2] - x_1 * row_1[i + 2]) * scale_2
        x_3 = (b[i + 3] - x_0 * row_0[i + 3] - x_1 * row_1[i + 3] - x_2 * row_2[i + 3]) * scale_3
        total += x_0 * x_0 + x_1 * x_1 + x_2 * x_2 + x_3 * x_3
        i += 4
        rest, tail_0, tail_1, tail_2, tail_3 = b[i:], row_0[i:], row_1[i:], row_2[i:], row_3[i:]
        for j in range(len(rest)):
            rest[j] -= x_0 * tail_0[j] + x_1 * tail_1[j] + x_2 * tail_2[j] + x_3 * tail_3[j]
    while i < side:
        x = b[i] / factor[i, i]
        total += x * x
        tail, rest = factor[i, i + 1 :], b[i + 1 :]
        for j in range(len(rest)):
            rest[j] -= x * tail[j]
        i += 1
    return total


@vectorised
def rank_one(factor: Floats, v: Floats, sign: float) -> None:
    """Update (sign 1) or downdate (sign −1) the factor to that of Ψ ± v·vᵀ; v is used up."""
    for i in range(len(v)):
        old = factor[i, i]
        # Where rounding leaves nothing, a sliver: a topic's Ψ never falls below the prior's.
        new = math.sqrt(max(old * old + sign * v[i] * v[i], 1e-300))
        c, s = new / old, v[i] / old
        factor[i, i] = new
        inverse, signed = 1.0 / c, sign * s
        tail, rest = factor[i, i + 1 :], v[i + 1 :]
        for j in range(len(rest)):
            changed = (tail[j] + signed * rest[j]) * inverse
            tail[j] = changed
            rest[j] = c * rest[j] - s * changed

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
    """Return bᵀΨ⁻¹b by forward substitution; b is used up."""
    total = 0.0
    for i in range(len(b)):
        value = b[i] / factor[i, i]
        total += value * value
        tail, rest = factor[i, i + 1 :], b[i + 1 :]
        for j in range(len(rest)):
            rest[j] -= value * tail[j]
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

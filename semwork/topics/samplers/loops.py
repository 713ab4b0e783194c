"""Small compiled loops that all samplers share: random numbers, draws, quadratic forms, densities, tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled

__all__ = [
    "added",
    "difference",
    "log_t",
    "log_t_own",
    "pick",
    "quadratic",
    "record",
    "removed",
    "uniform",
    "vectorised",
    "weigh",
]

F = TypeVar("F", bound=Callable[..., Any])
Floats = NDArray[np.float64]

_STEP, _MIX_1, _MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)


def vectorised(function: F) -> F:
    """Compile, with sums in any order and products fused into them; infinities and NaN keep their meaning."""
    return compiled(function, fastmath=frozenset({"reassoc", "contract", "nsz", "arcp"}))


@compiled
def uniform(seed: NDArray[np.uint64]) -> float:
    """Return the next number of [0, 1): splitmix64, whose whole state is one number that the caller owns."""
    seed[0] += _STEP
    z = seed[0]
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    z = z ^ (z >> _31)
    return float(z >> _11) * (1.0 / 9007199254740992.0)


@compiled
def pick(weights: Floats, mass: float) -> int:
    """Return the place where the running sum of the weights passes ``mass``."""
    last = 0
    for k in range(len(weights)):
        if weights[k] > 0:
            last = k  # rounding must not walk past the end, nor end at a weight of 0
            mass -= weights[k]
            if mass < 0:
                return k
    return last


@vectorised
def weigh(row: NDArray[np.int32], alpha: Floats, densities: Floats, weights: Floats) -> float:
    """Fill ``weights`` with (n_dk + α_k) · density_k and return their sum."""
    total = 0.0
    for k in range(len(weights)):
        weights[k] = (row[k] + alpha[k]) * densities[k]
        total += weights[k]
    return total


@vectorised
def difference(x: Floats, mean: Floats, b: Floats) -> None:
    """``b = x − mean``."""
    for i in range(len(b)):
        b[i] = x[i] - mean[i]


@vectorised
def quadratic(square: Floats, b: Floats) -> float:
    """Return bᵀ·square·b."""
    side = len(b)
    total = 0.0
    for i in range(side):
        row = square[i]
        inner = 0.0
        for j in range(side):
            inner += row[j] * b[j]
        total += inner * b[i]
    return total


@compiled
def log_t(constant: float, logdet: float, nu: float, kappa: float, a: float) -> float:
    """Return the log predictive density of a topic, its t distribution, where a = bᵀΨ⁻¹b and b = x − μ."""
    return constant - 0.5 * logdet - 0.5 * (nu + 1.0) * math.log1p(kappa / (kappa + 1.0) * a)


@compiled
def log_t_own(constant_before: float, logdet: float, nu: float, kappa: float, a: float) -> float:
    """Return the same for a token of the topic, as if it had been taken out, though nothing is taken out.

    ``constant_before`` is that of one token fewer; all else includes the token.
    """
    left = max(1.0 - kappa / (kappa - 1.0) * a, 1e-300)
    return constant_before - 0.5 * logdet + 0.5 * (nu - 1.0) * math.log(left)


@compiled
def added(kappa: float, a: float) -> tuple[float, float]:
    """Return a and the growth of log|Ψ| when the vector itself joins the topic of strength κ."""
    f = kappa / (kappa + 1.0)
    return f * f * a / (1.0 + f * a), math.log1p(f * a)


@compiled
def removed(kappa: float, a: float) -> tuple[float, float]:
    """Return a and the growth (below 0) of log|Ψ| when the vector itself leaves the topic of strength κ."""
    c = kappa / (kappa - 1.0)
    left = max(1.0 - c * a, 1e-300)
    return c * c * a / left, math.log(left)


@compiled
def record(topics: NDArray[np.int32], n_topics: int, visits: NDArray[np.int64]) -> None:
    """Count the visit of this state, its topics read as the digits of a number; no counter, no count."""
    if len(visits):
        code = 0
        for place in range(len(topics)):
            code = code * n_topics + topics[place]
        visits[code] += 1

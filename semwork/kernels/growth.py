"""How a kernel changes the eigenvalues: an eigenvalue α of K becomes ``α · growth(α)``.

============  ==================  =================
kernel        growth              slope of its log
============  ==================  =================
exponential   ``exp(λα)``         ``α``
von Neumann   ``1 / (1 − λα)``    ``α / (1 − λα)``
============  ==================  =================

As functions of the decay λ both are log-convex. Sums and products of log-convex functions are log-convex too, and on
that rests the certificate of `semwork.kernels.optimum`.
"""

from __future__ import annotations

import numpy as np

from semwork.kernels.checking import Floats, Kind

__all__ = ["excess", "growth", "log_scale", "slopes"]


def log_scale(kind: Kind, decay: float, largest: float) -> float:
    """Log of the factor by which `growth` and `excess` are smaller than the formula says, so that none overflows."""
    return decay * largest if kind == "exponential" else 0.0


def growth(kind: Kind, values: Floats, decays: Floats | float, largest: float) -> Floats:
    """Growth of each eigenvalue (last axis) for each decay; exponentials are divided by the largest."""
    decays = np.asarray(decays, dtype=np.float64)[..., None]
    if kind == "exponential":
        return np.exp(decays * (values - largest))
    return 1 / (1 - decays * values)


def slopes(kind: Kind, values: Floats, decays: Floats) -> Floats:
    """Derivative of the log of the growth by the decay."""
    decays = np.asarray(decays, dtype=np.float64)[..., None]
    return values + 0 * decays if kind == "exponential" else values / (1 - decays * values)


def excess(kind: Kind, values: Floats, decay: float, largest: float) -> Floats:
    """``(growth(α) − growth(0)) / α``, which is λ at α = 0: the weight of an eigenvector in the proximity matrix."""
    if kind == "von_neumann":
        return decay / (1 - decay * values)
    small = decay * values < 1e-8
    safe = np.where(small, 1.0, values)
    # expm1(λα)/α, divided by exp(λ·largest)
    grown = -np.expm1(-decay * safe) * np.exp(decay * (safe - largest)) / safe
    return np.where(small, decay * np.exp(-decay * largest), grown)

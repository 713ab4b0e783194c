"""What topic models ask of their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["as_numbers", "check_alpha"]


def as_numbers(name: str, value: Any, allowed: str) -> NDArray[np.float64]:
    """Return numbers as an array; say which were not numbers, and what is allowed."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be {allowed}, got {value!r:.60}") from None


def check_alpha(value: Any, n_topics: int) -> NDArray[np.float64]:
    """Return the Dirichlet prior of a document's topics, one number for each: 1 / K where nothing is given."""
    allowed = f"a number above 0, {n_topics} of them (one per topic), or None for 1 / n_topics"
    alpha = as_numbers("alpha", 1.0 / n_topics if value is None else value, allowed)
    if alpha.shape not in ((), (n_topics,)) or not (np.isfinite(alpha) & (alpha > 0)).all():
        raise ValueError(f"alpha must be {allowed}, got {value!r:.60}")
    return np.broadcast_to(alpha, n_topics).copy()

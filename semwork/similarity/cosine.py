"""Cosine similarity of dense or sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.preprocessing import normalize

__all__ = ["cosine"]


def cosine(left: Any, right: Any) -> NDArray[np.floating[Any]]:
    """Cosine of every row of ``left`` with every row of ``right``; an all-zero row is at 0 to everything.

    Examples
    --------
    >>> cosine(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[1., 0.]])
    """
    product = normalize(left) @ normalize(right).T
    return np.asarray(product.toarray() if sparse.issparse(product) else product)

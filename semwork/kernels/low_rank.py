"""The first singular vectors of many documents and norms of their kernel; no documents × documents matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from semwork.kernels.checking import Floats

__all__ = ["block_rows", "first_singular", "squared_gram_norm"]

_BLOCK_BYTES = 32_000_000


def first_singular(X: sparse.csr_array, rank: int, random_state: Any) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues of ``XᵀX`` (falling) and their eigenvectors as columns (terms × rank).

    Randomised subspace iteration (Halko, Martinsson & Tropp 2011) with enough rounds that the values of word counts,
    which fall slowly, settle.
    """
    _, singular, right = randomized_svd(
        sparse.csr_matrix(X), n_components=rank, n_oversamples=max(10, rank // 5), n_iter=6, random_state=random_state
    )
    return singular.astype(np.float64) ** 2, np.ascontiguousarray(right.T, dtype=np.float64)


def block_rows(X: sparse.csr_array) -> list[slice]:
    """Cut the rows so that the product of a block with all other rows stays small."""
    rows = max(1, _BLOCK_BYTES // (12 * max(X.shape[0], 1)))
    return [slice(start, start + rows) for start in range(0, X.shape[0], rows)]


def squared_gram_norm(X: sparse.csr_array) -> float:
    """``‖XXᵀ‖²``, block by block."""
    turned = X.T.tocsr()
    total = 0.0
    for rows in block_rows(X):
        values = (X[rows] @ turned).data
        total += float(values @ values)
    return total

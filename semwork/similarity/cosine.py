"""Cosine similarity of dense or sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["cosine", "sparse_cosine"]


def _unit_rows(rows: Any) -> Any:
    """Scale rows to length 1; an all-zero row stays as it is."""
    squares = rows.multiply(rows).sum(axis=1) if sparse.issparse(rows) else np.einsum("ij,ij->i", rows, rows)
    lengths = np.sqrt(np.asarray(squares, dtype=float).ravel())
    return sparse.diags_array(1 / np.where(lengths > 0, lengths, 1)) @ rows


def cosine(left: Any, right: Any) -> NDArray[np.floating[Any]]:
    """Cosine of every row of ``left`` with every row of ``right``; an all-zero row is at 0 to everything.

    Examples
    --------
    >>> cosine(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[1., 0.]])
    """
    product = sparse_cosine(left, right)
    return np.asarray(product.toarray() if sparse.issparse(product) else product)


def sparse_cosine(left: Any, right: Any) -> Any:
    """Return the same as :func:`cosine`, left sparse when both sides are."""
    return _unit_rows(left) @ _unit_rows(right).T

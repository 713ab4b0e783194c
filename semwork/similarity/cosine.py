"""Cosine similarity of dense or sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["cosine", "unit_rows"]


def unit_rows(rows: Any) -> Any:
    """Scale rows to length 1; an all-zero row stays as it is.

    Parameters
    ----------
    rows : {array-like, sparse matrix} of shape (n_rows, n_dimensions)
        The rows.

    Returns
    -------
    {ndarray, sparse matrix} of shape (n_rows, n_dimensions)
    """
    squares = rows.multiply(rows).sum(axis=1) if sparse.issparse(rows) else np.einsum("ij,ij->i", rows, rows)
    lengths = np.sqrt(np.asarray(squares, dtype=float).ravel())
    scale = 1 / np.where(lengths > 0, lengths, 1)
    if sparse.issparse(rows):
        return sparse.diags_array(scale) @ rows
    rows = np.asarray(rows)
    return rows * (scale.astype(rows.dtype) if rows.dtype.kind == "f" else scale)[:, None]


def cosine(left: Any, right: Any) -> NDArray[np.floating[Any]]:
    """Cosine of every row of ``left`` with every row of ``right``; an all-zero row is at 0 to everything.

    Parameters
    ----------
    left : {array-like, sparse matrix} of shape (n_left, n_dimensions)
        Rows of vectors.
    right : {array-like, sparse matrix} of shape (n_right, n_dimensions)
        Rows of vectors; both sides are dense, or both are sparse.

    Returns
    -------
    ndarray of shape (n_left, n_right)

    Examples
    --------
    >>> cosine(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[1., 0.]])
    """
    product = unit_rows(left) @ unit_rows(right).T
    return np.asarray(product.toarray() if sparse.issparse(product) else product)

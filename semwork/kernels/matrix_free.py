"""Products with the proximity matrix itself, exact, when nothing of its size can be formed."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg, eigsh, expm_multiply

from semwork.kernels.checking import Floats, Kind, check_decay

__all__ = ["largest_eigenvalue", "proximity_product"]


def _gram(X: sparse.csr_array) -> LinearOperator:
    n = X.shape[1]

    def apply(vectors: Floats) -> Floats:
        product: Floats = X.T @ (X @ vectors)
        return product

    return LinearOperator((n, n), matvec=apply, rmatvec=apply, matmat=apply, rmatmat=apply, dtype=np.float64)


def largest_eigenvalue(X: Any) -> float:
    """Return ‖K‖ of documents, by Lanczos' iteration.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_documents, n_terms)
        Documents × terms.

    Returns
    -------
    float
    """
    documents = sparse.csr_array(X, dtype=np.float64)
    if min(documents.shape) < 3:
        return float(np.linalg.norm(documents.toarray(), 2) ** 2)
    [value] = eigsh(_gram(documents), k=1, return_eigenvectors=False, v0=np.ones(documents.shape[1]))
    return float(value)


def proximity_product(X: Any, vectors: Any, kind: Kind, decay: float) -> Floats:
    """Return ``exp(λG) v`` or ``(I − λG)⁻¹ v`` for vectors of terms, from products with ``G = XᵀX`` alone.

    No rank is lost and nothing larger than the vectors is kept, so it tells how far a low rank is off. The exponential
    is a scaled Taylor series (Al-Mohy & Higham 2011), the inverse conjugate gradients.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_documents, n_terms)
        Documents × terms.
    vectors : array-like of shape (n_terms,) or (n_terms, n_vectors)
        One vector of terms, or several as columns.
    kind : {"exponential", "von_neumann"}
        The kernel.
    decay : float
        λ; below 1/‖K‖ for the von Neumann kernel.

    Returns
    -------
    ndarray of the shape of vectors

    Examples
    --------
    >>> proximity_product([[1.0, 1.0], [0.0, 1.0]], [1.0, 0.0], "von_neumann", 0.2).round(4).tolist()
    [1.3636, 0.4545]
    """
    documents, given = sparse.csr_array(X, dtype=np.float64), np.asarray(vectors, dtype=np.float64)
    if given.ndim not in (1, 2) or len(given) != documents.shape[1]:
        raise ValueError(
            f"vectors must have one value for each of the {documents.shape[1]:,} terms, got the shape {given.shape}"
        )
    decay = check_decay(decay, kind, largest_eigenvalue(documents))
    gram = _gram(documents)
    if kind == "exponential":
        grown: Floats = expm_multiply(decay * gram, given, traceA=decay * float((documents.data**2).sum()))
        return grown
    system = LinearOperator(gram.shape, matvec=lambda vector: vector - decay * (gram @ vector), dtype=np.float64)
    columns = given.reshape(len(given), -1).T
    solved = []
    for column in columns:
        solution, failed = cg(system, column, rtol=1e-12, maxiter=20 * len(column))
        if failed:
            raise ValueError(
                f"the decay {decay:g} is so near 1/‖K‖ that conjugate gradients did not settle; take a smaller one"
            )
        solved.append(solution)
    return np.array(solved).T.reshape(given.shape)

"""Eigenvalues of a kernel, and what its eigenvectors have of a few vectors, without the eigenvectors themselves."""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.linalg import lapack

from semwork.blas import one_thread_inside
from semwork.kernels.checking import Floats

__all__ = ["projected_on_eigenvectors"]

_SMALL = 3


def projected_on_eigenvectors(K: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """Return the eigenvalues of a symmetric matrix, rising, and ``Vᵀ columns``.

    With ``K = Q T Qᵀ``, T tridiagonal, and ``T = Z D Zᵀ`` the eigenvectors are QZ, and ``Vᵀc = Zᵀ(Qᵀc)``: Q is applied
    to the few columns, reflection by reflection, instead of to all of Z. That is half of the work.

    Examples
    --------
    >>> values, found = projected_on_eigenvectors(np.diag([1.0, 4.0, 2.0]), np.ones((3, 1)))
    >>> values.tolist(), (found[:, 0] ** 2).round(12).tolist()
    ([1.0, 2.0, 4.0], [1.0, 1.0, 1.0])
    """
    if len(K) < _SMALL:
        values, vectors = linalg.eigh(K)
        return values, vectors.T @ columns
    # A thousand small products, one after the other: a second thread would mostly be waited for.
    with one_thread_inside():
        reflections, diagonal, beside, factors, failed = lapack.dsytrd(
            K, lower=1, lwork=int(lapack.dsytrd_lwork(len(K), lower=1)[0])
        )
        if failed:
            raise linalg.LinAlgError(f"LAPACK's dsytrd gave up with the number {failed}")
        rotated = np.array(columns, dtype=np.float64, order="F")
        below = np.asfortranarray(reflections[1:, :-1])
        given = "L", "T", below, factors, np.asfortranarray(rotated[1:])
        rotated[1:], _, failed = lapack.dormqr(*given, lwork=int(lapack.dormqr(*given, lwork=-1)[1][0]))
        if failed:
            raise linalg.LinAlgError(f"LAPACK's dormqr gave up with the number {failed}")
        values, inner = linalg.eigh_tridiagonal(diagonal, beside, lapack_driver="stemr")
        return values, inner.T @ rotated

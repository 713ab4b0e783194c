"""Eigenvalues of a kernel, and what its eigenvectors have of a few vectors, without the eigenvectors themselves."""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.linalg import lapack

from semwork.blas import one_thread_inside
from semwork.compiled import compiled
from semwork.kernels.checking import Floats

__all__ = ["projected_on_eigenvectors"]

_SMALL = 3
_STEPS = 80  # for one eigenvalue; two or three are usual


def projected_on_eigenvectors(K: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """Return the eigenvalues of a symmetric matrix, rising, and ``Vᵀ columns``.

    With ``K = Q T Qᵀ``, T tridiagonal, and ``T = Z D Zᵀ`` the eigenvectors are QZ, and ``Vᵀc = Zᵀ(Qᵀc)``: the
    reflections that make Q and the rotations that make Z are applied to the few columns, and neither matrix is made.

    Examples
    --------
    >>> values, found = projected_on_eigenvectors(np.diag([1.0, 4.0, 2.0]), np.ones((3, 1)))
    >>> values.tolist(), (found[:, 0] ** 2).round(12).tolist()
    ([1.0, 2.0, 4.0], [1.0, 1.0, 1.0])
    """
    if len(K) < _SMALL:
        values, vectors = linalg.eigh(K)
        return values, vectors.T @ columns
    # A thousand small products: where the other core is busy, a second thread takes thirty times as long.
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
    found = np.ascontiguousarray(rotated)
    # In units of its largest row, so that squares neither overflow nor vanish.
    unit = float(max(np.abs(diagonal).max(), np.abs(beside).max(), np.finfo(np.float64).tiny))
    values = diagonal / unit
    if not _diagonalise(values, np.append(beside / unit, 0.0), found):
        raise linalg.LinAlgError("the eigenvalues of the tridiagonal matrix were not found")
    order = np.argsort(values, kind="stable")
    return values[order] * unit, found[order]


@compiled
def _diagonalise(diagonal: Floats, beside: Floats, columns: Floats) -> bool:
    """Turn a tridiagonal matrix into a diagonal one by implicit QL steps, each rotation applied to the columns, too.

    The largest element is 1; one beside the diagonal counts as 0 when it is rounding compared with that. (LAPACK's
    routines apply the rotations to a whole square of eigenvectors.)
    """
    size = len(diagonal)
    nothing = np.finfo(np.float64).eps
    for first in range(size):
        for _ in range(_STEPS):
            last = first
            while last < size - 1 and abs(beside[last]) > nothing:
                last += 1
            if last == first:
                break
            half = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first])
            root = np.sqrt(half * half + 1.0)
            bulge = diagonal[last] - diagonal[first] + beside[first] / (half + (root if half >= 0 else -root))
            sine, cosine, moved = 1.0, 1.0, 0.0
            split = False
            for at in range(last - 1, first - 1, -1):
                off, inner = sine * beside[at], cosine * beside[at]
                length = np.sqrt(off * off + bulge * bulge)
                beside[at + 1] = length
                if length == 0.0:
                    diagonal[at + 1] -= moved
                    beside[last] = 0.0
                    split = True
                    break
                sine, cosine = off / length, bulge / length
                rest = diagonal[at + 1] - moved
                turn = (diagonal[at] - rest) * sine + 2.0 * cosine * inner
                moved = sine * turn
                diagonal[at + 1] = rest + moved
                bulge = cosine * turn - inner
                for column in range(columns.shape[1]):
                    lower, upper = columns[at, column], columns[at + 1, column]
                    columns[at + 1, column] = sine * lower + cosine * upper
                    columns[at, column] = cosine * lower - sine * upper
            if not split:
                diagonal[first] -= moved
                beside[first] = bulge
                beside[last] = 0.0
        else:
            return False
    return True

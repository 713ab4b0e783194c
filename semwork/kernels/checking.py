"""What the kernels ask of a matrix, of labels and of a decay."""

from __future__ import annotations

from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = [
    "Floats",
    "Kind",
    "check_decay",
    "check_decays",
    "check_kernel",
    "check_kernel_kind",
    "check_target",
    "one_hot",
]

Floats = NDArray[np.float64]
Kind = Literal["exponential", "von_neumann"]

# Rounding leaves a kernel matrix this far from symmetric, and its eigenvalues this far below 0.
_TOLERANCE = 1e-8


def check_kernel_kind(kind: Any) -> None:
    """Raise when there is no kernel of this name."""
    if not isinstance(kind, str) or kind not in get_args(Kind):
        raise ValueError(f"kind must be 'exponential' or 'von_neumann', got {kind!r:.60}")


def check_kernel(K: Any) -> Floats:
    """Return a square, symmetric, finite matrix."""
    matrix = K.toarray() if sparse.issparse(K) else np.asarray(K)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"K must be square, documents × documents, got the shape {matrix.shape}; "
            "of a documents × terms matrix X it is X @ X.T"
        )
    if not len(matrix):
        raise ValueError("there are no documents: K is 0 × 0, give at least one document")
    if matrix.dtype.kind not in "fiub":
        raise ValueError(f"K must hold numbers, got the type {matrix.dtype}")
    matrix = matrix.astype(np.float64)
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise ValueError(f"K[{row}, {column}] is {matrix[row, column]}: every value must be a finite number")
    if np.array_equal(matrix, matrix.T):
        return matrix
    apart = np.abs(matrix - matrix.T)
    if apart.max() > _TOLERANCE * np.abs(matrix).max():
        row, column = np.unravel_index(int(apart.argmax()), apart.shape)
        raise ValueError(
            f"K must be symmetric, but K[{row}, {column}] = {matrix[row, column]:g} and "
            f"K[{column}, {row}] = {matrix[column, row]:g}"
        )
    symmetric: Floats = (matrix + matrix.T) / 2
    return symmetric


def check_spectrum(values: Floats) -> Floats:
    """Return eigenvalues without the negative ones that rounding leaves; refuse a matrix that is no kernel."""
    largest = float(np.abs(values).max(initial=0.0))
    if values.min(initial=0.0) < -_TOLERANCE * largest:
        raise ValueError(
            f"K is no kernel matrix: its eigenvalue {values.min():g} is below 0 (the largest is {values.max():g}); "
            "inner products of documents, X @ X.T, have none below 0"
        )
    return np.maximum(values, 0.0)


def check_target(y: Any, n_documents: int) -> Floats:
    """Return labels as a matrix Y, one row per document, so that the target of the alignment is ``Y Yᵀ``.

    Labels −1 and 1 give one column; a matrix of several columns (see `one_hot`) is taken as it is.
    """
    target = np.asarray(y)
    if target.ndim not in (1, 2) or len(target) != n_documents:
        raise ValueError(
            f"y must have one label for each of the {n_documents:,} documents, got an array of the shape {target.shape}"
        )
    if target.dtype.kind not in "fiub" or not np.isfinite(target.astype(np.float64)).all():
        raise ValueError(f"labels must be −1 and 1, got {_some(target)}; for more classes give one_hot(labels)")
    target = target.astype(np.float64)
    if target.ndim == 2 and target.shape[1] > 1:
        _check_one_hot(target)
        return target
    found = set(np.unique(target).tolist())
    if not found <= {-1.0, 1.0}:
        hint = "write 2 * y − 1" if found == {0.0, 1.0} else "for more classes give one_hot(labels)"
        raise ValueError(f"labels must be −1 and 1, got {_some(target)}; {hint}")
    if len(found) < 2:
        raise ValueError(
            f"all {n_documents:,} labels are {found.pop():g}: alignment needs documents of both classes, −1 and 1"
        )
    return target.reshape(-1, 1)


def _check_one_hot(target: Floats) -> None:
    if not np.isin(target, (0.0, 1.0)).all() or not (target.sum(axis=1) == 1).all():
        raise ValueError(
            f"a target of {target.shape[1]} columns must be one-hot: one 1 in every row and 0 elsewhere; "
            "make it with one_hot(labels)"
        )
    if (target.sum(axis=0) > 0).sum() < 2:
        raise ValueError("all documents are of one class: alignment needs documents of at least two")


def _some(values: NDArray[Any]) -> str:
    found = list(dict.fromkeys(values.ravel().tolist()))
    return ", ".join(map(repr, found[:4])) + (", …" if len(found) > 4 else "")


def one_hot(labels: Any) -> Floats:
    """Return a documents × classes matrix of 0 and 1: its Gram matrix is the target of several classes.

    Parameters
    ----------
    labels : array-like of shape (n_documents,)
        The class of each document, of any name.

    Returns
    -------
    ndarray of shape (n_documents, n_classes)

    Examples
    --------
    >>> one_hot(["cat", "dog", "cat"]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    given = np.asarray(labels)
    if given.ndim != 1 or (given.dtype.kind == "f" and not np.isfinite(given).all()):
        raise ValueError(f"labels must be a list with one name or number for each document, got {labels!r:.60}")
    names, rows = np.unique(given, return_inverse=True)
    target: Floats = np.eye(len(names))[rows]
    return target


def check_decay(decay: Any, kind: Kind, largest: float, *, linear: bool = False) -> float:
    """Return a decay that this kernel has, for a matrix whose largest eigenvalue is given.

    0, where the kernel is K itself, is allowed with ``linear``.
    """
    check_kernel_kind(kind)
    limit = 1 / largest if kind == "von_neumann" and largest > 0 else np.inf
    allowed = "from 0" if linear else "above 0"
    if not np.isinf(limit):
        allowed += f" and below 1/‖K‖ = {limit:.6g}"
    number = not isinstance(decay, bool) and isinstance(decay, Real)
    if not number or not 0 <= float(decay) < limit or (decay == 0 and not linear):
        plain = "; at 0 the kernel is K itself" if number and decay == 0 else ""
        raise ValueError(f"the decay of the {kind} kernel must be a number {allowed}, got {decay!r:.60}{plain}")
    return float(decay)


def check_decays(decays: Any, kind: Kind, largest: float) -> Floats:
    """Return several decays."""
    values = np.asarray(decays)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"decays must be a list of at least one number, got {decays!r:.60}")
    return np.array([check_decay(value, kind, largest) for value in values.tolist()])

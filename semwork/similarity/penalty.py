"""How strong a penalty suits a matrix, and whether one was too strong for it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.steps import Step

__all__ = [
    "ONE_DIRECTION",
    "ZERO",
    "CollapsedVectorsWarning",
    "automatic_regularization",
    "collapse",
    "singular_values",
    "warn_of",
]

Rows = NDArray[np.floating[Any]]

SHARE = 0.084  # of σ_K: the paper's λ = 20 on the paper's corpus
LEAST = 0.01  # of σ_1: texts that stand twice make σ_K zero, and without a penalty the systems are singular
_DENSE = 500
ZERO, ONE_DIRECTION = "nearly zero", "nearly all in one direction"
_UNEXPLAINED = 1 - 1e-6
# Of the vectors' squared length in one direction. Two dimensions reach .96 on texts that are told apart well enough,
# twenty have not passed .8 where λ fits, and a thousand definitions with λ = 20 (neighbours at .99) have .86.
_SHARE_OF_FEW, _SHARE_OF_MANY, _MANY_DIMENSIONS = 0.95, 0.85, 10


class CollapsedVectorsWarning(UserWarning):
    """The vectors hardly tell one sentence from another, because the penalty is too strong for the weights."""


def singular_values(X: sparse.csr_array, count: int) -> NDArray[np.float64]:
    """Return the largest singular values, largest first, to about one per cent.

    Parameters
    ----------
    X : csr_array of shape (n_sentences, n_words)
        The weights.
    count : int
        How many singular values.

    Returns
    -------
    ndarray of shape (min(count, n_sentences, n_words),), float64
    """
    count = min(count, *X.shape)
    if min(X.shape) <= _DENSE or count == min(X.shape):
        short = X if X.shape[0] <= X.shape[1] else X.T
        squares = np.linalg.eigvalsh((short @ short.T).toarray().astype(np.float64))
        return np.asarray(np.sqrt(np.clip(squares[::-1][:count], 0.0, None)))
    from scipy.sparse.linalg import LinearOperator, eigsh

    # One per cent needs no double precision; transposed once, both products walk along rows.
    tall = sparse.csr_array(X if X.shape[0] >= X.shape[1] else X.T).astype(np.float32)
    wide = tall.T.tocsr()
    size = tall.shape[1]
    gram = LinearOperator((size, size), matvec=lambda v: wide @ (tall @ v), dtype=np.float32)
    squares = eigsh(gram, count, v0=np.ones(size, np.float32), tol=1e-2, return_eigenvectors=False)
    return np.asarray(np.sqrt(np.clip(np.sort(squares)[::-1], 0.0, None)), dtype=np.float64)


def automatic_regularization(X: sparse.csr_array, n_components: int) -> float:
    """Return the λ that WTMF takes for ``regularization="auto"``: ``0.084 · max(σ_K, σ_1 / 100)``.

    With w_m = 1 the best factors have the singular values ``max(σ_k − λ, 0)``, so a λ above σ_K costs dimensions and
    one above σ_1 leaves nothing. The share is the paper's: λ = 20 where σ_100 is 238, on WordNet and Brown.

    Parameters
    ----------
    X : csr_array of shape (n_sentences, n_words)
        The weights.
    n_components : int
        K, the length of a sentence vector.

    Returns
    -------
    float

    Examples
    --------
    >>> X = sparse.csr_array(np.diag([50.0, 20.0, 10.0]))
    >>> round(automatic_regularization(X, 2), 2)
    1.68
    """
    if not X.nnz:
        return 1.0  # there is nothing to fit: any penalty keeps all vectors at zero
    values = singular_values(X, n_components)
    return float(SHARE * max(values[-1], LEAST * values[0]))


def collapse(rows: Rows, objective: float, squares: float) -> str:
    """Say in which way the sentences' vectors have collapsed; the empty string when they have not.

    Parameters
    ----------
    rows : ndarray of shape (n_sentences, n_components)
        The sentences' vectors.
    objective : float
        What the fit ended with.
    squares : float
        The sum of the squared weights, which is the objective of vectors that are zero.

    Returns
    -------
    {"", "nearly zero", "nearly all in one direction"}
    """
    if squares > 0 and objective >= _UNEXPLAINED * squares:
        return ZERO
    if rows.shape[1] == 1:
        return ""  # one dimension is one direction
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0]
    if len(unit) < 2:
        return ""
    share = float(np.linalg.eigvalsh((unit.T @ unit).astype(np.float64))[-1]) / len(unit)
    return ONE_DIRECTION if share > (_SHARE_OF_FEW if rows.shape[1] < _MANY_DIMENSIONS else _SHARE_OF_MANY) else ""


def warn_of(step: Step) -> None:
    """Warn where the last step of a fit says that the vectors have collapsed: who drains the steps reads none."""
    collapsed = getattr(step, "collapsed", "")
    if collapsed:
        warnings.warn(collapsed, CollapsedVectorsWarning, stacklevel=3)

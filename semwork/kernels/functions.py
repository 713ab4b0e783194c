"""The kernels and the alignment as plain functions of a kernel matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from semwork.kernels.checking import (
    Floats,
    Kind,
    check_decays,
    check_kernel,
    check_kernel_kind,
    check_spectrum,
    check_target,
)
from semwork.kernels.curve import AlignmentCurve, Quadratic
from semwork.kernels.spectrum import KernelSpectrum, gram_norm
from semwork.kernels.tridiagonal import projected_on_eigenvectors

__all__ = ["alignment", "centered_alignment", "decay_path", "exponential_kernel", "von_neumann_kernel"]


def von_neumann_kernel(K: Any, decay: float) -> Floats:
    """Return ``K (I − λK)⁻¹ = K + λK² + λ²K³ + …`` for ``0 < λ < 1/‖K‖`` (Proposition 1 of [1]_).

    Parameters
    ----------
    K : array-like of shape (n, n)
        Kernel matrix.
    decay : float
        λ.

    Returns
    -------
    ndarray of shape (n, n)

    References
    ----------
    .. [1] J. Kandola, J. Shawe-Taylor & N. Cristianini (2002), Learning Semantic Similarity, NIPS, section 3.

    Examples
    --------
    >>> von_neumann_kernel([[1.0, 0.0], [0.0, 0.5]], 0.5).round(4).tolist()
    [[2.0, 0.0], [0.0, 0.6667]]
    """
    return KernelSpectrum.of(K).kernel("von_neumann", decay)


def exponential_kernel(K: Any, decay: float, *, scaled: bool = False) -> Floats:
    """Return ``K exp(λK)`` for ``λ > 0`` (Definition 4 of [1]_), or divided by ``exp(λ‖K‖)`` with ``scaled``.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Kernel matrix.
    decay : float
        λ.
    scaled : bool, default=False
        Whether it is divided.

    Returns
    -------
    ndarray of shape (n, n)

    References
    ----------
    .. [1] J. Kandola, J. Shawe-Taylor & N. Cristianini (2002), Learning Semantic Similarity, NIPS, section 4.
    """
    return KernelSpectrum.of(K).kernel("exponential", decay, scaled=scaled)


def alignment(K: Any, y: Any) -> float:
    """Return ``⟨K, YYᵀ⟩ / (‖K‖ ‖YYᵀ‖)``, 0 for a kernel of zeros.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Kernel matrix.
    y : array-like of shape (n,) or (n, n_classes)
        Labels −1 and 1, or ``one_hot(labels)`` for more classes.

    Returns
    -------
    float

    Examples
    --------
    >>> alignment([[1.0, -1.0], [-1.0, 1.0]], [1, -1])
    1.0
    """
    kernel = check_kernel(K)
    return _cosine(kernel, check_target(y, len(kernel)))


def centered_alignment(K: Any, y: Any) -> float:
    """Return the alignment of ``HKH`` with ``HYYᵀH``, ``H = I − 11ᵀ/n``; 0 for a constant kernel.

    Centring takes away what all documents have in common, so that a kernel does not look good because most labels
    are equal.

    Parameters
    ----------
    K : array-like of shape (n, n)
        Kernel matrix.
    y : array-like of shape (n,) or (n, n_classes)
        Labels −1 and 1, or ``one_hot(labels)`` for more classes.

    Returns
    -------
    float

    References
    ----------
    .. [1] C. Cortes, M. Mohri & A. Rostamizadeh (2012), Algorithms for Learning Kernels Based on Centered
       Alignment, JMLR 13, definition 4.
    """
    kernel = check_kernel(K)
    target = check_target(y, len(kernel))
    means = kernel.mean(axis=0)
    centered = kernel - means - means[:, None] + means.mean()
    if np.linalg.norm(centered) <= 1e-12 * np.linalg.norm(kernel):
        return 0.0
    return _cosine(centered, target - target.mean(axis=0))


def _cosine(kernel: Floats, target: Floats) -> float:
    norm = float(np.linalg.norm(kernel) * np.linalg.norm(target.T @ target))
    return float(np.einsum("ij,ik,kj->", target, kernel, target, optimize=True)) / norm if norm > 0 else 0.0


def decay_path(K: Any, y: Any, kind: Kind, decays: Any) -> pd.DataFrame:
    """Return alignment and centred alignment along decays, from one decomposition.

    Parameters
    ----------
    K : array-like of shape (n, n) or KernelSpectrum
        Kernel matrix, or its `KernelSpectrum` when it is at hand.
    y : array-like of shape (n,) or (n, n_classes)
        Labels −1 and 1, or ``one_hot(labels)``.
    kind : {"exponential", "von_neumann"}
        ``"exponential"`` or ``"von_neumann"``.
    decays : array-like of shape (n_decays,)
        Decays above 0 (and below ``1/‖K‖`` for the von Neumann kernel).

    Returns
    -------
    pandas.DataFrame
        Columns ``decay``, ``relative decay`` (λ‖K‖), ``alignment``, ``centered alignment``.
    """
    check_kernel_kind(kind)
    plain, centered = (
        [K.curve(y, kind, centered=centered) for centered in (False, True)]
        if isinstance(K, KernelSpectrum)
        else _curves(check_kernel(K), y, kind)
    )
    checked = check_decays(decays, kind, plain.largest)
    return pd.DataFrame(
        {
            "decay": checked,
            "relative decay": checked * plain.largest,
            "alignment": plain.at(checked),
            "centered alignment": centered.at(checked),
        }
    )


def _curves(K: Floats, y: Any, kind: Kind) -> list[AlignmentCurve]:
    """Both alignments as functions of the decay, without eigenvectors."""
    target = check_target(y, len(K))
    middle = target - target.mean(axis=0)
    columns = target.shape[1]
    values, found = projected_on_eigenvectors(K, np.column_stack([target, middle, np.ones(len(K))]))
    values = check_spectrum(values)
    squares, ones = values**2, found[:, -1] ** 2
    norms = Quadratic(squares), Quadratic(squares, squares * ones, values * ones, len(K))
    parts = (target, found[:, :columns]), (middle, found[:, columns:-1])
    return [
        AlignmentCurve(kind, values, values * (projected**2).sum(axis=1), norm, gram_norm(side))
        for norm, (side, projected) in zip(norms, parts, strict=True)
    ]

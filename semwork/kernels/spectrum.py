"""One eigendecomposition of a kernel matrix, and all that follows from it for any decay."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy import linalg

from semwork.kernels.checking import (
    Floats,
    Kind,
    check_decay,
    check_kernel,
    check_kernel_kind,
    check_spectrum,
    check_target,
)
from semwork.kernels.curve import AlignmentCurve, Quadratic
from semwork.kernels.growth import growth, log_scale

__all__ = ["KernelSpectrum", "gram_norm"]


@dataclass(frozen=True, eq=False)
class KernelSpectrum:
    """Eigenvalues (falling) and eigenvectors (columns) of a kernel matrix ``K = V diag(values) Vᵀ``.

    Attributes
    ----------
    values : ndarray of shape (n,)
        Eigenvalues.
    vectors : ndarray of shape (n, n)
        Eigenvectors, one in each column.

    Examples
    --------
    >>> spectrum = KernelSpectrum.of([[2.0, 1.0], [1.0, 2.0]])
    >>> spectrum.values.round(6).tolist()
    [3.0, 1.0]
    >>> spectrum.kernel("von_neumann", 0.1).round(4).tolist()
    [[2.6984, 1.5873], [1.5873, 2.6984]]
    """

    values: Floats
    vectors: Floats

    @classmethod
    def of(cls, K: Any) -> KernelSpectrum:
        """Decompose a kernel matrix.

        Parameters
        ----------
        K : array-like of shape (n, n)
            Symmetric, without negative eigenvalues.

        Returns
        -------
        KernelSpectrum
        """
        values, vectors = linalg.eigh(check_kernel(K), driver="evd")
        return cls(check_spectrum(values)[::-1], vectors[:, ::-1])

    def __len__(self) -> int:
        return len(self.values)

    @property
    def largest(self) -> float:
        """The largest eigenvalue, ‖K‖."""
        return float(self.values.max(initial=0.0))

    @cached_property
    def ones(self) -> Floats:
        """``⟨v, 1⟩`` for every eigenvector."""
        total: Floats = self.vectors.sum(axis=0)
        return total

    def eigenvalues(self, kind: Kind, decay: float) -> Floats:
        """Eigenvalues of the kernel at a decay; those of the exponential kernel are divided by ``exp(λ‖K‖)``.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.

        Returns
        -------
        ndarray of shape (n,)
            In the order of `values`.
        """
        decay = check_decay(decay, kind, self.largest)
        return self.values * growth(kind, self.values, decay, self.largest)

    def kernel(self, kind: Kind, decay: float, *, scaled: bool = False) -> Floats:
        """Return the kernel at a decay, or divided by its largest eigenvalue's growth (``scaled``).

        Without ``scaled`` an exponential kernel beyond the range of floating point numbers is refused.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.
        scaled : bool, default=False
            Whether it is divided.

        Returns
        -------
        ndarray of shape (n, n)
        """
        values = self.eigenvalues(kind, decay)
        if scaled:
            values = values / growth(kind, np.array([self.largest]), decay, self.largest)[0]
        elif log_scale(kind, decay, self.largest) > _LARGEST_LOG:
            raise ValueError(
                f"exp(λ‖K‖) is too large for a number at the decay λ = {decay:g} (‖K‖ = {self.largest:g}); "
                f"use a decay below {_LARGEST_LOG / self.largest:.4g}, or scaled=True, which divides by it"
            )
        else:
            values = values * np.exp(log_scale(kind, decay, self.largest))
        kernel: Floats = (self.vectors * values) @ self.vectors.T
        return (kernel + kernel.T) / 2

    def curve(self, y: Any, kind: Kind, *, centered: bool = False) -> AlignmentCurve:
        """Return the alignment with labels ``y`` as a function of the decay.

        Centred alignment [1]_ is that of ``HKH`` with ``HYYᵀH``, where ``H = I − 11ᵀ/n``. With ``t = Vᵀ1`` and μ the
        eigenvalues of the kernel, ``‖HKH‖² = Σμ² − 2Σμ²t²/n + (Σμt²)²/n²``.

        Parameters
        ----------
        y : array-like of shape (n,) or (n, n_classes)
            Labels −1 and 1, or ``one_hot(labels)``.
        kind : {"exponential", "von_neumann"}
            The kernel.
        centered : bool, default=False
            Whether the alignment is centred.

        Returns
        -------
        AlignmentCurve

        References
        ----------
        .. [1] C. Cortes, M. Mohri & A. Rostamizadeh (2012), Algorithms for Learning Kernels Based on Centered
           Alignment, JMLR 13, definition 4.
        """
        check_kernel_kind(kind)
        target = check_target(y, len(self))
        values, n = self.values, len(self)
        squared = values**2
        if not centered:
            return AlignmentCurve(kind, values, values * self.scores(target), Quadratic(squared), gram_norm(target))
        target = target - target.mean(axis=0)
        square = self.ones**2
        norm = Quadratic(squared, squared * square, values * square, n)
        return AlignmentCurve(kind, values, values * self.scores(target), norm, gram_norm(target))

    def scores(self, target: Floats) -> Floats:
        """``‖Yᵀv‖²`` for every eigenvector: how much of the target it carries.

        Parameters
        ----------
        target : ndarray of shape (n, n_classes)
            Y, one column of −1 and 1, or one for each class.

        Returns
        -------
        ndarray of shape (n,)
        """
        projected = self.vectors.T @ target
        found: Floats = np.einsum("ij,ij->i", projected, projected)
        return found

    def breakdown(self, y: Any, kind: Kind, decay: float, *, top: int = 10) -> pd.DataFrame:
        """Return which eigenvectors the alignment comes from.

        One row for each of the first eigenvectors and one for the rest: the eigenvalue before and after, its share
        of ``yᵀKy`` (shares sum to 1), its share of ``‖K‖²``, its cosine with the vector of all ones, and with the
        labels.

        Parameters
        ----------
        y : array-like of shape (n,) or (n, n_classes)
            Labels −1 and 1, or ``one_hot(labels)``.
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.
        top : int, default=10
            How many eigenvectors have a row of their own.

        Returns
        -------
        DataFrame
        """
        target = check_target(y, len(self))
        after = self.eigenvalues(kind, decay)
        inner, square = after * self.scores(target), after**2
        n, total = len(self), np.linalg.norm(target)
        table = pd.DataFrame(
            {
                "eigenvector": np.arange(1, n + 1).astype(str),
                "eigenvalue": self.values,
                "eigenvalue after": after / max(float(after.max()), np.finfo(float).tiny),
                "share of inner product": inner / max(float(inner.sum()), np.finfo(float).tiny),
                "share of norm": square / max(float(square.sum()), np.finfo(float).tiny),
                "cosine with ones": np.abs(self.ones) / np.sqrt(n),
                "cosine with labels": np.sqrt(self.scores(target)) / total,
            }
        )
        rest = table.iloc[top:]
        if not len(rest):
            return table
        summed = rest[["share of inner product", "share of norm"]].sum()
        squared = rest[["cosine with ones", "cosine with labels"]].pow(2).sum().pow(0.5)
        line = {"eigenvector": f"{top + 1} to {n}", **summed, **squared}
        return pd.concat([table.iloc[:top], pd.DataFrame([line])], ignore_index=True)


_LARGEST_LOG = 700.0


def gram_norm(target: Floats) -> float:
    """‖YYᵀ‖, from the small matrix YᵀY."""
    return float(np.linalg.norm(target.T @ target))

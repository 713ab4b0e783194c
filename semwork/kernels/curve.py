"""The alignment of a kernel with its target as a function of the decay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semwork.kernels.checking import Floats, Kind
from semwork.kernels.growth import growth, slopes

__all__ = ["AlignmentCurve", "Quadratic", "Rest", "block_curve"]

# Below this share of the kernel's own squared norm, what centring leaves is rounding.
_NOTHING = 1e-14


@dataclass(frozen=True)
class Quadratic:
    """``‖K(λ)‖²`` as a quadratic form of the growths g, with coefficients that are never negative.

    ``Σ squares·g² − 2/n · Σ cross·g² + (Σ rank_one·g)² / n²`` when the matrix has the eigenvectors of K (``cross`` and
    ``rank_one`` are what centring takes away, 0 without it), or ``gᵀ full g``.
    """

    squares: Floats
    cross: Floats | None = None
    rank_one: Floats | None = None
    count: int = 1
    full: Floats | None = None

    def value_and_slope(self, g: Floats, s: Floats) -> tuple[Floats, Floats]:
        """Return the squared norm, and the derivative of the log of the norm, for rows of growths and their slopes."""
        if self.full is not None:
            moved = g @ self.full
            square, half = (moved * g).sum(axis=-1), (moved * g * s).sum(axis=-1)
            ceiling = square
        else:
            ceiling = (g * g) @ self.squares
            square, half = ceiling, (g * g * s) @ self.squares
            if self.cross is not None and self.rank_one is not None:
                n, line = self.count, g @ self.rank_one
                square = square - 2 / n * ((g * g) @ self.cross) + line**2 / n**2
                half = half - 2 / n * ((g * g * s) @ self.cross) + line * ((g * s) @ self.rank_one) / n**2
        empty = square <= _NOTHING * ceiling
        safe = np.where(empty, 1.0, square)
        return np.where(empty, 0.0, square), np.where(empty, 0.0, half / safe)


@dataclass(frozen=True)
class AlignmentCurve:
    """``A(λ) = Σ inner·g(λ) / (target_norm · ‖K(λ)‖)``: numbers of one eigendecomposition serve every decay.

    Parameters
    ----------
    kind : {"exponential", "von_neumann"}
        The kernel.
    values : ndarray of shape (n_values,)
        Eigenvalues of K (with a low rank, the last one stands for the rest).
    inner : ndarray of shape (n_values,)
        ``⟨part of K, target⟩`` for every eigenvalue, never negative.
    norm : Quadratic
        The squared norm of the kernel.
    target_norm : float
        The norm of the target.
    """

    kind: Kind
    values: Floats
    inner: Floats
    norm: Quadratic
    target_norm: float

    @property
    def largest(self) -> float:
        """The largest eigenvalue, ‖K‖."""
        return float(self.values.max(initial=0.0))

    def at(self, decays: Floats | float) -> Floats:
        """Return the alignment at each decay, 0 included; where the kernel vanishes the alignment is 0.

        Parameters
        ----------
        decays : float or array-like of any shape
            λ, 0 or more.

        Returns
        -------
        ndarray of the shape of decays
        """
        return self._parts(decays)[0]

    def log_slopes(self, decays: Floats | float) -> tuple[Floats, Floats]:
        """Return the derivatives of the logs of ``⟨K, target⟩`` and of ``‖K‖``: both rise with the decay.

        Where they are equal the alignment is stationary: ``(Σμ'z)(Σμ²) = (Σμz)(Σμμ')``.

        Parameters
        ----------
        decays : as in `at`

        Returns
        -------
        inner, norm : ndarray of the shape of decays
        """
        return self._parts(decays)[1:]

    def _parts(self, decays: Floats | float) -> tuple[Floats, Floats, Floats]:
        decays = np.asarray(decays, dtype=np.float64)
        g, s = growth(self.kind, self.values, decays, self.largest), slopes(self.kind, self.values, decays)
        square, norm_slope = self.norm.value_and_slope(g, s)
        top = g @ self.inner
        flat = (square == 0) | (top <= 0)
        alignment = np.where(flat, 0.0, top / np.where(flat, 1.0, self.target_norm * np.sqrt(square)))
        inner_slope = ((g * s) @ self.inner) / np.where(top <= 0, 1.0, top)
        return alignment, np.where(flat, 0.0, inner_slope), np.where(flat, 0.0, norm_slope)


@dataclass(frozen=True)
class Rest:
    """What a low rank leaves of the kernel, R: one value stands for its eigenvalues.

    Parameters
    ----------
    value : float
        That eigenvalue.
    inner : float
        ``⟨R, target⟩``.
    cross : ndarray of shape (n_values,)
        ``fᵀRf`` for every part f of the kernel.
    norm : float
        ``‖R‖²``.
    """

    value: float
    inner: float
    cross: Floats
    norm: float


def block_curve(kind: Kind, values: Floats, parts: Floats, target: Floats, rest: Rest | None = None) -> AlignmentCurve:
    """Return the alignment of a kernel ``Σ g(α)·f fᵀ`` whose parts f (columns) need not be orthogonal.

    So it is for the training documents when the eigenvectors are those of more documents. O(parts²) for each decay.
    """
    inner = ((parts.T @ target) ** 2).sum(axis=1)
    full = (parts.T @ parts) ** 2
    if rest is not None:
        full = np.block([[full, rest.cross[:, None]], [rest.cross[None, :], np.array([[rest.norm]])]])
        values, inner = np.append(values, rest.value), np.append(inner, rest.inner)
    norm = Quadratic(np.diag(full), full=full)
    return AlignmentCurve(kind, values, inner, norm, float(np.linalg.norm(target.T @ target)))

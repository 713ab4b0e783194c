"""The normal–inverse-Wishart prior of a topic, its posterior and its densities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from semwork.topics.checking import as_numbers

__all__ = ["NormalInverseWishart", "log_evidence", "predictive_constant"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NormalInverseWishart:
    """Prior of a topic: Σ ~ W⁻¹(Ψ, ν), μ ~ N(mean, Σ / κ).

    Parameters
    ----------
    mean : float or array-like of shape (n_dimensions,)
        Where topics are expected: D numbers, or one for all. The paper: 0.
    kappa : float
        κ, above 0: how many tokens the belief in ``mean`` is worth.
    psi : float or array-like of shape (n_dimensions, n_dimensions)
        Ψ: a D × D matrix, symmetric and positive definite, or a number c that stands for c·I. The paper: 3.
    nu : float or None
        ν, above D − 1: how many tokens the belief in Ψ is worth; ``None`` for D, the weakest whole number.

    Examples
    --------
    >>> prior = NormalInverseWishart(psi=3.0).of_size(2)
    >>> prior.psi.tolist(), prior.nu
    ([[3.0, 0.0], [0.0, 3.0]], 2.0)
    >>> round(float(prior.log_density(np.zeros(2))), 3)
    -5.334
    """

    mean: Any = 0.0
    kappa: float = 0.1
    psi: Any = 3.0
    nu: float | None = None

    def of_size(self, size: int) -> Self:
        """Return the same prior with all its arrays for vectors of ``size`` numbers; say what does not fit.

        Parameters
        ----------
        size : int
            Numbers of a vector.
        """
        mean = as_numbers("the prior's mean", self.mean, f"a number, or {size} of them")
        psi = as_numbers("the prior's psi", self.psi, f"a number c for c·I, or a {size} × {size} covariance matrix")
        if mean.shape not in ((), (size,)) or not np.isfinite(mean).all():
            raise ValueError(
                f"the prior's mean has the shape {mean.shape} and must be a finite number or {size} of them, as the "
                f"vectors have {size} numbers"
            )
        if psi.shape not in ((), (size, size)) or not np.isfinite(psi).all():
            raise ValueError(
                f"the prior's psi has the shape {psi.shape} and must be a finite number or a {size} × {size} matrix, "
                f"as the vectors have {size} numbers"
            )
        psi = psi * np.eye(size) if psi.ndim == 0 else psi
        if not np.allclose(psi, psi.T, rtol=0, atol=1e-8 * np.abs(psi).max()):
            i, j = np.unravel_index(np.abs(psi - psi.T).argmax(), psi.shape)
            raise ValueError(
                f"the prior's psi is not symmetric: it has {psi[i, j]:g} in row {i}, column {j}, and {psi[j, i]:g} in "
                f"row {j}, column {i}; give a covariance matrix, or a number c for c·I"
            )
        psi = 0.5 * (psi + psi.T)  # what is left of rounding
        smallest = float(np.linalg.eigvalsh(psi)[0])
        if smallest <= 1e-12 * max(abs(float(np.trace(psi))), 1e-300):
            raise ValueError(
                f"the prior's psi is not positive definite: its smallest eigenvalue is {smallest:.3g}; add a little to "
                "the diagonal, or give a number above 0"
            )
        degrees = as_numbers(
            "the prior's nu", size if self.nu is None else self.nu, f"a number above {size - 1}, or None"
        )
        nu = float(degrees) if degrees.ndim == 0 else np.nan
        if not size - 1 < nu < np.inf:
            given = f"{nu:g}" if degrees.ndim == 0 else repr(self.nu)
            raise ValueError(f"the prior's nu is {given}; with vectors of {size} numbers it must be above {size - 1}")
        strength = as_numbers("the prior's kappa", self.kappa, "a number above 0")
        kappa = float(strength) if strength.ndim == 0 else np.nan
        if not 0 < kappa < np.inf:
            raise ValueError(f"the prior's kappa is {self.kappa!r}; it must be a number above 0")
        return type(self)(np.broadcast_to(mean, size).copy(), kappa, psi, nu)

    @property
    def degrees(self) -> float:
        """ν of a prior made by `of_size`."""
        if self.nu is None:
            raise ValueError("this prior does not know its size yet; call of_size(D) first")
        return self.nu

    def posterior(self, vectors: Floats, counts: Any = None) -> Self:
        """Return the belief after seeing vectors (rows), each as often as ``counts`` says: equation 2 of the paper.

        Parameters
        ----------
        vectors : array-like of shape (n_vectors, n_dimensions)
            What was seen.
        counts : array-like of shape (n_vectors,) or None
            How often each; ``None`` for once.
        """
        weights = np.ones(len(vectors)) if counts is None else np.asarray(counts, dtype=np.float64)
        n = float(weights.sum())
        if n == 0:
            return self
        average = weights @ vectors / n
        apart = vectors - average
        shift = average - self.mean
        psi = self.psi + (apart.T * weights) @ apart + self.kappa * n / (self.kappa + n) * np.outer(shift, shift)
        mean = self.mean + n / (self.kappa + n) * shift
        return type(self)(mean, self.kappa + n, 0.5 * (psi + psi.T), self.degrees + n)

    def log_density(self, vectors: Floats) -> Floats:
        """Return the log of the predictive density, a multivariate t, at each row.

        Parameters
        ----------
        vectors : array-like of shape (..., n_dimensions)
            Where the density is asked for.

        Returns
        -------
        ndarray of shape (n_vectors,)
            Of no dimension for a single vector.
        """
        rows = np.atleast_2d(vectors)
        size = rows.shape[1]
        factor = np.linalg.cholesky(self.psi)
        from scipy.linalg import solve_triangular

        whitened = solve_triangular(factor, (rows - self.mean).T, lower=True)
        a = np.einsum("ij,ij->j", whitened, whitened)
        constant = predictive_constant(np.zeros(1), size, self.kappa, self.degrees)[0]
        logdet = 2 * np.log(np.diag(factor)).sum()
        values = constant - 0.5 * logdet - 0.5 * (self.degrees + 1) * np.log1p(self.kappa / (self.kappa + 1) * a)
        return np.asarray(values if vectors.ndim == 2 else values[0])

    @property
    def expected_covariance(self) -> Floats:
        """E[Σ] = Ψ / (ν − D − 1) where it exists, else the scale Ψ / (ν − D + 1) of the predictive density."""
        size = len(self.psi)
        free = self.degrees - size - 1
        return np.asarray(self.psi / (free if free > 0 else self.degrees - size + 1))


def predictive_constant(counts: Floats, size: int, kappa: float, nu: float) -> Floats:
    """Return all of log t that depends on a topic's number of tokens only, for each such number."""
    strength, freedom = kappa + counts, nu + counts
    gammas = gammaln((freedom + 1) / 2) - gammaln((freedom - size + 1) / 2)
    return np.asarray(gammas - 0.5 * size * (np.log(np.pi) + np.log1p(1 / strength)))


def log_evidence(size: int, before: tuple[Any, Any, Any], after: tuple[Any, Any, Any]) -> Floats:
    """Return log p(vectors) for many beliefs at once, from what κ, ν and log|Ψ| were before and are after them."""
    (kappa_0, nu_0, logdet_0), (kappa, nu, logdet) = before, after
    halves = np.arange(size) / 2  # the multivariate gamma function is a product of so many plain ones
    gammas = gammaln(nu[:, None] / 2 - halves).sum(axis=1) - gammaln(nu_0[:, None] / 2 - halves).sum(axis=1)
    value = gammas - 0.5 * size * ((nu - nu_0) * np.log(np.pi) + np.log(kappa / kappa_0))
    return np.asarray(value + 0.5 * (nu_0 * logdet_0 - nu * logdet))

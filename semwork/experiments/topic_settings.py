"""The priors that are tried on 20 newsgroups, and the one that the paper has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semwork.topics import NormalInverseWishart

__all__ = ["CANDIDATES", "PAPER", "PLAIN_LDA", "Setting"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """A model with its prior and what is done to the vectors.

    Parameters
    ----------
    model : {"Gaussian LDA", "LDA"}
        ``"Gaussian LDA"`` or ``"LDA"``.
    vectors : {"as they are", "unit"}
        ``"as they are"``, or ``"unit"`` length.
    shape : {"identity", "covariance", "sphere"}
        Of Ψ: ``"identity"``; ``"covariance"``, that of the vectors of all training tokens; ``"sphere"``, the identity
        times the mean variance of these.
    strength : int
        Tokens that the prior is worth: ν = D + strength.
    scale : float
        Ψ = scale · shape, times the strength where it is not 0.
    alpha : float or None
        Of documents; ``None`` for 1 / K.
    """

    model: str = "Gaussian LDA"
    vectors: str = "as they are"
    shape: str = "identity"
    strength: int = 0
    scale: float = 3.0
    alpha: float | None = None

    @property
    def name(self) -> str:
        """What a table calls it."""
        alpha = "" if self.alpha is None else f", α = {self.alpha:g}"
        if self.model == "LDA":
            return f"LDA{alpha}"
        matrix = {"identity": "I", "sphere": "σ²I", "covariance": "Cov"}[self.shape]
        factor = self.scale * (self.strength or 1)
        prior = f"Ψ = {factor:,.10g}·{matrix}, ν = D" + (f" + {self.strength:,}" if self.strength else "")
        return f"Gaussian LDA, {prior}, vectors {self.vectors}{alpha}"

    def prior(self, vectors: Floats, counts: NDArray[np.int64]) -> NormalInverseWishart:
        """Return the prior for these vectors of words, each of which occurs so often."""
        size = vectors.shape[1]
        factor = self.scale * (self.strength or 1)
        center, matrix = np.zeros(size), np.eye(size)
        if self.shape != "identity":
            center = counts @ vectors / counts.sum()
            covariance = np.cov(vectors.T, fweights=counts)
            matrix = covariance if self.shape == "covariance" else matrix * float(np.trace(covariance)) / size
        return NormalInverseWishart(center, psi=factor * matrix, nu=float(size + self.strength))


PAPER = Setting()
PLAIN_LDA = Setting("LDA", vectors="", shape="", scale=0.0)
CANDIDATES = (
    PAPER,
    Setting(scale=150.0),  # the authors' code: 3·D
    Setting(shape="covariance", strength=20_000, scale=0.5),
    Setting(vectors="unit", shape="covariance", strength=20_000, scale=0.5),
    Setting(vectors="unit", shape="covariance", strength=20_000, scale=0.25),
    Setting(vectors="unit", shape="covariance", strength=200_000, scale=0.25),
    Setting(vectors="unit", shape="covariance", strength=200_000, scale=0.125),
    Setting(vectors="unit", shape="sphere", strength=200_000, scale=0.5),
    Setting(vectors="unit", shape="sphere", strength=200_000, scale=0.25),
)

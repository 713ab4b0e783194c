"""The training documents' part of a kernel whose eigenvectors are those of other documents, or only the first ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from semwork.kernels.checking import Floats, Kind
from semwork.kernels.curve import AlignmentCurve, Rest, block_curve
from semwork.kernels.low_rank import squared_gram_norm

__all__ = ["TrainingBlock"]


@dataclass(frozen=True)
class _Geometry:
    parts: Floats
    cross: Floats
    norm: float


class TrainingBlock:
    """The kernel ``g(rest)·R + Σ g(α)·f fᵀ`` of documents, and its alignment with any labels.

    Parameters
    ----------
    documents : sparse array of shape (n_documents, n_terms)
        Documents × terms.
    values : ndarray of shape (n_values,)
        The eigenvalues α.
    parts : ndarray of shape (n_documents, n_values)
        Projections f of the documents on the eigenvectors, one column each.
    rest : float
        The eigenvalue that stands for those of R, what is left of K.
    """

    def __init__(self, documents: sparse.csr_array, values: Floats, parts: Floats, rest: float) -> None:
        self.documents, self.values, self.parts, self.rest = documents, values, parts, rest
        self.mean: Floats = np.asarray(documents.sum(axis=0)).ravel() / documents.shape[0]
        self._known: dict[bool, _Geometry] = {}
        self._squared_norm: float | None = None

    def curve(self, target: Floats, kind: Kind, *, centered: bool) -> AlignmentCurve:
        """Return the alignment with a target; all but O(documents) is computed once for all targets.

        Centred, K, R and f are those of documents less their mean.
        """
        if centered not in self._known:
            self._known[centered] = self._geometry(centered)
        found = self._known[centered]
        if centered:
            target = target - target.mean(axis=0)
        # a centred target needs no centred documents: its columns sum to 0
        whole = float(((self.documents.T @ target) ** 2).sum())
        covered = float(((found.parts.T @ target) ** 2).sum())
        rest = Rest(self.rest, max(whole - covered, 0.0), found.cross, found.norm)
        return block_curve(kind, self.values, found.parts, target, rest)

    def _geometry(self, centered: bool) -> _Geometry:
        parts = self.parts - self.parts.mean(axis=0) if centered else self.parts
        gram = parts.T @ parts
        with_parts = self.documents.T @ parts
        if centered:
            with_parts = with_parts - np.outer(self.mean, parts.sum(axis=0))
        squares = (with_parts**2).sum(axis=0)
        cross = np.maximum(squares - (gram**2).sum(axis=0), 0.0)
        norm = self._norm(centered) - 2 * float(squares.sum()) + float((gram**2).sum())
        return _Geometry(parts, cross, max(norm, 0.0))

    def _norm(self, centered: bool) -> float:
        """``‖K‖²``, or that of the kernel of documents less their mean."""
        if self._squared_norm is None:
            self._squared_norm = squared_gram_norm(self.documents)
        if not centered:
            return self._squared_norm
        n, to_mean = self.documents.shape[0], self.documents @ self.mean
        # HKH = K − 1kᵀ − k1ᵀ + κ11ᵀ with k = Xm, κ = ‖m‖² (the means of rows, and of all)
        return float(self._squared_norm - 2 * n * (to_mean @ to_mean) + n**2 * (self.mean @ self.mean) ** 2)

"""Which terms a kernel takes to be related: the paper's proximity matrix, read off its eigenvectors row by row.

It is the kernel seen from its terms, a part of the model; that `semwork.studies` alone asks for it does not matter.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

from semwork.kernels.checking import Floats, Kind
from semwork.kernels.growth import excess, growth
from semwork.kernels.spectrum import KernelSpectrum

__all__ = ["TermProximity"]


class TermProximity:
    """The proximity matrix P = exp(λG) or (I − λG)⁻¹ of terms, row by row, for any decay.

    Parameters
    ----------
    documents : sparse array of shape (n_documents, n_terms)
        Documents × terms.
    spectrum : KernelSpectrum
        Eigenvectors of the documents' kernel.
    """

    def __init__(self, documents: sparse.csr_array, spectrum: KernelSpectrum) -> None:
        self.documents = documents
        self.spectrum = spectrum
        self.basis: Floats = documents.T @ spectrum.vectors
        self._squares = self.basis**2
        self._present = documents.astype(bool).astype(np.int32)

    def related(self, term: int, kind: Kind, decay: float, n: int = 10) -> pd.DataFrame:
        """Return the terms nearest to a term (a column of the documents), and half as many that it never met.

        ``proximity`` is the cosine ``P_ij / √(P_ii P_jj)``, ``documents together`` in how many documents both occur;
        terms that never met are related through other terms.
        """
        base = float(growth(kind, np.zeros(1), decay, self.spectrum.largest)[0])
        weights = excess(kind, self.spectrum.values, decay, self.spectrum.largest)
        row = self.basis @ (weights * self.basis[term])
        row[term] += base
        diagonal = base + self._squares @ weights
        cosine = row / np.sqrt(diagonal * diagonal[term])
        cosine[term] = -np.inf
        together = np.asarray((self._present[:, [term]].T @ self._present).todense()).ravel()
        order = np.argsort(-cosine, kind="stable")[: self.documents.shape[1] - 1]
        met = order[together[order] > 0][:n]
        unmet = order[(together[order] == 0) & (cosine[order] > 0)][: n // 2]
        shown = np.concatenate([met, unmet])
        shown = shown[np.argsort(-cosine[shown], kind="stable")]
        return pd.DataFrame({"term": shown, "proximity": cosine[shown], "documents together": together[shown]})

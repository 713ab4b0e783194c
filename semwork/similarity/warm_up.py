"""Compile what the models need and keep it, so that the first slider move does not wait for a compiler.

``semwork lab`` starts this beside JupyterLab; it is not needed otherwise.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from semwork.similarity import WTMF, LDAVectors, TfidfCosine, rank

__all__ = ["warm_up"]


def warm_up() -> None:
    """Fit, fold in and rank something tiny with each compiled model."""
    rng = np.random.default_rng(0)
    X = sparse.csr_array((rng.random((80, 60)) < 0.3).astype(float))
    for model in (TfidfCosine(), WTMF(2, max_iter=1)):
        rows = model.fit_transform(X)
        rank(rows[:3], rows, [0, 1, 2])
    LDAVectors(2, max_iter=1, samples=1).fit(X.astype(int))


if __name__ == "__main__":
    warm_up()

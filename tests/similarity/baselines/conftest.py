"""Small problems that several baselines are tried on."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse


@pytest.fixture
def random_weights():
    """A function that makes a sparse matrix of weights, one row of which is empty."""

    def make(seed, sentences=14, words=11):
        rng = np.random.default_rng(seed)
        rows = rng.gamma(1.0, 2.0, (sentences, words)) * (rng.random((sentences, words)) < 0.4)
        rows[3] = 0
        rows[0, 0] = 1
        return sparse.csr_array(rows)

    return make

"""Features of compiled problems: as many columns as there are, and in units of their spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from semwork.structures.problem import Compiled, Floats, Row

__all__ = ["divided", "spreads", "widened"]


def widened(problem: Compiled, width: int) -> Compiled:
    """Return a problem with as many columns as there are features by now."""
    if problem.features.shape[1] == width:
        return problem
    features = sparse.csr_array(problem.features, copy=True)
    features.resize((problem.size, width))
    always = sparse.csr_array(problem.always, copy=True)
    always.resize((1, width))
    return replace(problem, features=features, always=always)


def spreads(rows: Sequence[Row], width: int) -> Floats:
    """Return the standard deviation of each feature over some rows.

    A column that never changes, such as a bias, is made large and so hardly penalised.
    """
    columns, values = (np.concatenate([row[which] for row in rows]) for which in (0, 1))
    mean = np.bincount(columns, values, width) / len(rows)
    square = np.bincount(columns, values**2, width) / len(rows)
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    constant = spread <= 1e-6 * np.sqrt(square)  # what rounding leaves of the difference above
    return np.where(constant, np.where(mean != 0, np.abs(mean) / 10, 1.0), spread)


def divided(problem: Compiled, scales: Floats) -> Compiled:
    """Return a problem whose features are in units of these scales."""

    def in_units(matrix: sparse.csr_array) -> sparse.csr_array:
        return sparse.csr_array((matrix.data / scales[matrix.indices], matrix.indices, matrix.indptr), matrix.shape)

    return replace(problem, features=in_units(problem.features), always=in_units(problem.always))

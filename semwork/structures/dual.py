"""Dual coordinate descent for the convex part of LCLR: squared hinge, several structures for each negative example."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg

from semwork.compiled import compiled
from semwork.structures.interior import interior_point, take_worst
from semwork.structures.problem import Floats, Row

__all__ = ["CutSet"]


_SWEEPS = 10
_NEWTON = 8
_MOST_IN_ONE_MATRIX = 1000  # features up to which their products fit into one small matrix
_RIDGE = 1e-7  # vectors of a group may depend on each other


class CutSet:
    """Vectors Φ with a sign and a group, their dual variables, and the weights that follow from them.

    The problem is ``min λ/2 ‖u‖² + Σ_g max(0, max_{c in g} (1 − sign_c · u·Φ_c))²`` with one group for every example:
    a positive example has one vector, a negative one as many as structures were found for it. Its dual has a variable
    α ≥ 0 for each vector, ``u = Σ α·sign·Φ / λ``, and the sum of a group's variables in its gradient.
    """

    def __init__(self, n_features: int, n_groups: int, regularization: float) -> None:
        self.regularization = regularization
        self.weights: Floats = np.zeros(n_features)
        self.group_sums: Floats = np.zeros(n_groups)
        self._rows: list[Row] = []
        self._signs: list[float] = []
        self._groups: list[int] = []
        self.alpha: Floats = np.zeros(0)
        self._matrix: sparse.csr_array | None = None
        self._seen: set[tuple[int, bytes]] = set()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Row, sign: float, group: int) -> bool:
        """Add a vector, given by its columns and their values; ``False`` if the group has it already."""
        key = (group, row[0].tobytes() + row[1].tobytes())
        if key in self._seen:
            return False
        self._seen.add(key)
        self._rows.append(row)
        self._signs.append(sign)
        self._groups.append(group)
        self.alpha = np.append(self.alpha, 0.0)
        self._matrix = None
        return True

    def replace(self, place: int, row: Row) -> None:
        """Give a vector other values; its dual variable stays, and the weights follow."""
        share = self.alpha[place] * self._signs[place] / self.regularization
        for (columns, values), sign in ((self._rows[place], -1.0), (row, 1.0)):
            self.weights[columns] += sign * share * values
        self._rows[place] = row
        self._matrix = None

    @property
    def matrix(self) -> sparse.csr_array:
        """All vectors, one in each row."""
        if self._matrix is None:
            columns, values = (np.concatenate([row[which] for row in self._rows]) for which in (0, 1))
            ends = np.concatenate([[0], np.cumsum([len(row[0]) for row in self._rows])])
            self._matrix = sparse.csr_array((values, columns, ends), shape=(len(self), len(self.weights)))
        return self._matrix

    def solve(self, tolerance: float, max_rounds: int, random: np.random.RandomState) -> tuple[int, float]:
        """Maximise the dual until its gap to the primal is small relative to the primal.

        With few features by an interior point method. With many, a round is a few sweeps of coordinate descent, which
        find out which variables are 0, and a few Newton steps on the others, without which the last digits would take
        thousands of sweeps.

        Returns the rounds and the gap.
        """
        matrix = self.matrix
        signs, groups = np.array(self._signs), np.array(self._groups, dtype=np.int64)
        if matrix.shape[1] <= _MOST_IN_ONE_MATRIX:
            rows = matrix.toarray() * signs[:, None]
            self.alpha = interior_point(rows, groups, len(self.group_sums), self.regularization, tolerance)
            self._follow(matrix, signs, groups)
            gap, enough = self._gap(tolerance)
            if enough:
                return 1, gap
        norms = np.asarray(matrix.multiply(matrix).sum(axis=1), dtype=np.float64).ravel()
        for done in range(1, max_rounds + 1):
            for _ in range(_SWEEPS):
                _sweep(
                    matrix.indptr, matrix.indices, matrix.data, signs, groups, norms, random.permutation(len(self)),
                    self.alpha, self.weights, self.group_sums, self.regularization,
                )  # fmt: skip
            gap, enough = self._gap(tolerance)
            if enough:
                return done, gap
            self._newton(matrix, signs, groups)
        return max_rounds, gap

    def _gap(self, tolerance: float) -> tuple[float, bool]:
        """Primal less dual objective, and whether that is small enough."""
        primal = self.objective()
        gap = primal - self.dual_objective()
        return gap, gap <= tolerance * max(abs(primal), 1e-12)

    def _newton(self, matrix: sparse.csr_array, signs: Floats, groups: NDArray[np.int64]) -> None:
        """One step for the variables above 0, to the optimum of these or to where the first of them becomes 0."""
        for _ in range(_NEWTON):
            free = np.flatnonzero(self.alpha > 0)
            if not len(free):
                return
            rows, group = sparse.csr_array(matrix[free].multiply(signs[free, None])), groups[free]
            gradient = 1 - rows @ self.weights - self.group_sums[group] / 2
            direction = _solve(rows, group, gradient, self.regularization)
            falling = direction < 0
            reach = -self.alpha[free][falling] / direction[falling]
            step = min(1.0, float(reach.min(initial=1.0)))
            moved = self.alpha[free] + step * direction
            if step < 1:
                moved[np.flatnonzero(falling)[reach <= step * (1 + 1e-12)]] = 0.0
            self.alpha[free] = np.maximum(moved, 0.0)
            self._follow(matrix, signs, groups)
            if step == 1:
                return

    def _follow(self, matrix: sparse.csr_array, signs: Floats, groups: NDArray[np.int64]) -> None:
        """Make weights and sums of groups those of the dual variables."""
        self.weights = np.asarray(matrix.T @ (self.alpha * signs)) / self.regularization
        self.group_sums = np.bincount(groups, self.alpha, minlength=len(self.group_sums)).astype(np.float64)

    def losses(self) -> Floats:
        """Return the loss of every group for the vectors that are known."""
        margins = 1 - np.array(self._signs) * (self.matrix @ self.weights)
        worst = np.zeros(len(self.group_sums))
        take_worst(worst, np.array(self._groups, dtype=np.int64), margins)
        losses: Floats = worst**2
        return losses

    def objective(self) -> float:
        """The primal objective for the vectors that are known."""
        return float(self.regularization / 2 * self.weights @ self.weights + self.losses().sum())

    def dual_objective(self) -> float:
        """The dual objective, never above the primal."""
        return float(
            self.alpha.sum() - self.regularization / 2 * self.weights @ self.weights - (self.group_sums**2).sum() / 4
        )


def _solve(rows: sparse.csr_array, group: NDArray[np.int64], gradient: Floats, regularization: float) -> Floats:
    """Solve ``(RRᵀ/λ + ½ [same group] + ridge) x = gradient`` by conjugate gradients."""
    across = sparse.csr_array(rows.T)
    groups = int(group.max()) + 1

    def product(vector: Floats) -> Floats:
        sums = np.bincount(group, vector, minlength=groups)
        result: Floats = rows @ (across @ vector) / regularization + sums[group] / 2 + _RIDGE * vector
        return result

    operator = LinearOperator((len(gradient), len(gradient)), matvec=product, dtype=np.float64)
    found: Floats = cg(operator, gradient, rtol=1e-10, maxiter=300)[0]
    return found


@compiled
def _sweep(
    starts: NDArray[np.integer[Any]],
    columns: NDArray[np.integer[Any]],
    values: Floats,
    signs: Floats,
    groups: NDArray[np.int64],
    norms: Floats,
    order: NDArray[np.integer[Any]],
    alpha: Floats,
    weights: Floats,
    group_sums: Floats,
    regularization: float,
) -> None:
    """Set every dual variable once to its best value given the others."""
    for place in order:
        score = 0.0
        for cell in range(starts[place], starts[place + 1]):
            score += values[cell] * weights[columns[cell]]
        group = groups[place]
        gradient = 1.0 - signs[place] * score - group_sums[group] / 2
        old = alpha[place]
        new = max(0.0, old + gradient / (norms[place] / regularization + 0.5))
        change = new - old
        if change != 0.0:
            alpha[place] = new
            group_sums[group] += change
            step = change * signs[place] / regularization
            for cell in range(starts[place], starts[place + 1]):
                weights[columns[cell]] += step * values[cell]

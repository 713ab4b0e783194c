"""An interior point method for the convex part of LCLR when there are few features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from semwork.blas import one_thread_inside
from semwork.compiled import compiled
from semwork.structures.problem import Floats

__all__ = ["interior_point", "take_worst"]

_ITERATIONS = 100
_BACK = 0.995  # of the way to the border
_NEAR = 1e-5  # a relative gap from which on each step must make it smaller


def interior_point(
    rows: Floats, groups: NDArray[np.int64], n_groups: int, regularization: float, tolerance: float
) -> Floats:
    """Return the dual variables of ``min λ/2 ‖u‖² + Σ_g ξ_g²`` with ``rows @ u + ξ_{group} ≥ 1``.

    Predictor and corrector steps of Mehrotra [1]_. Slacks ξ are eliminated group by group, so that each step solves one
    system of features × features, however many vectors there are and however alike they are.

    Parameters
    ----------
    rows : ndarray of shape (n_vectors, n_features)
        Vectors × features, each vector with the sign of its example.
    groups : ndarray of shape (n_vectors,)
        The example of each vector.
    n_groups : int
        How many examples there are.
    regularization : float
        λ.
    tolerance : float
        The end: the gap between primal and dual objective, relative to the primal.

    References
    ----------
    .. [1] S. Mehrotra (1992), On the implementation of a primal-dual interior point method, SIAM J. Optim. 2.
    """
    state = _State(rows, groups, n_groups, regularization)
    best, found = np.inf, state.alpha
    with one_thread_inside():  # matrices are small
        for _ in range(_ITERATIONS):
            state.look()
            gap = state.gap()
            if gap < best:
                best, found = gap, state.alpha
            elif best < _NEAR:  # numbers have no more digits for it
                break
            if gap <= tolerance:
                break
            try:
                state.advance()
            except np.linalg.LinAlgError:  # as near to the border as numbers go; the caller looks at the gap
                break
    return np.where(found > 1e-9 * found.max(), found, 0.0)


class _State:
    """Weights u, slacks of the examples, and for each constraint its dual variable and the room it leaves."""

    def __init__(self, rows: Floats, groups: NDArray[np.int64], n_groups: int, regularization: float) -> None:
        self.rows, self.groups, self.n_groups, self.regularization = rows, groups, n_groups, regularization
        self.crowded = np.flatnonzero((np.bincount(groups, minlength=n_groups) > 1)[groups])
        self.u, self.slack = np.zeros(rows.shape[1]), np.full(n_groups, 2.0)
        self.alpha, self.room = np.ones(len(rows)), np.ones(len(rows))

    def _per_group(self, values: Floats) -> Floats:
        return np.bincount(self.groups, values, self.n_groups).astype(np.float64)

    def look(self) -> None:
        """See how far the conditions of the optimum are from being true."""
        self.off_u = self.rows.T @ self.alpha - self.regularization * self.u
        self.off_slack = self._per_group(self.alpha) - 2 * self.slack
        self.off_room = 1 + self.room - self.rows @ self.u - self.slack[self.groups]
        self.left = float(self.alpha @ self.room)

    def gap(self) -> float:
        """Primal less dual objective of the weights that follow from the dual variables, relative to the primal."""
        u = self.rows.T @ self.alpha / self.regularization
        worst = np.zeros(self.n_groups)
        take_worst(worst, self.groups, 1 - self.rows @ u)
        penalty = self.regularization / 2 * float(u @ u)
        primal = penalty + float(worst @ worst)
        dual = float(self.alpha.sum()) - penalty - float((self._per_group(self.alpha) ** 2).sum()) / 4
        return (primal - dual) / max(primal, 1e-12)

    def advance(self) -> None:
        """Predict, correct, go."""
        self._factorise()
        _, _, droom, dalpha = self._step(-self.alpha * self.room)
        far = _reach(self.alpha, dalpha), _reach(self.room, droom)
        after = float((self.alpha + far[0] * dalpha) @ (self.room + far[1] * droom))
        centre = (after / self.left) ** 3 * self.left / len(self.rows)
        du, dslack, droom, dalpha = self._step(centre - self.alpha * self.room - dalpha * droom)
        # u stands in the conditions of both, so all go equally far.
        far_both = _BACK * min(_reach(self.alpha, dalpha), _reach(self.room, droom))
        self.u, self.slack = self.u + far_both * du, self.slack + far_both * dslack
        self.alpha, self.room = self.alpha + far_both * dalpha, self.room + far_both * droom

    def _factorise(self) -> None:
        """The system for u; slacks are eliminated around the weighed mean of each group, so that nothing cancels."""
        self.weight = self.alpha / self.room
        total = self._per_group(self.weight)
        means = _weighed(self.rows, self.weight, self.groups, self.n_groups) / np.maximum(total, 1e-300)[:, None]
        apart = self.rows[self.crowded] - means[self.groups[self.crowded]]
        system = apart.T @ (apart * self.weight[self.crowded, None]) + means.T @ (
            means * (2 * total / (2 + total))[:, None]
        )
        system[np.diag_indices(len(system))] += self.regularization
        self.factor = cho_factor(system, lower=True, check_finite=False)
        self.slack_diagonal, self.sums = 2 + total, means * total[:, None]

    def _step(self, product: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Where dual variable times room would change by ``product`` and nothing else would be off."""
        given = product / self.room + self.weight * self.off_room
        right, right_slack = self.off_u + self.rows.T @ given, self.off_slack + self._per_group(given)
        du = cho_solve(self.factor, right - self.sums.T @ (right_slack / self.slack_diagonal), check_finite=False)
        dslack = (right_slack - self.sums @ du) / self.slack_diagonal
        droom = self.rows @ du + dslack[self.groups] - self.off_room
        return du, dslack, droom, (product - self.alpha * droom) / self.room


def _reach(values: Floats, direction: Floats) -> float:
    """How far one can go until the first value is 0, at most a whole step."""
    falling = direction < 0
    return float(np.min(-values[falling] / direction[falling], initial=1.0))


@compiled
def _weighed(rows: Floats, weight: Floats, groups: NDArray[np.int64], n_groups: int) -> Floats:
    """Sum of the weighed rows of each group."""
    sums = np.zeros((n_groups, rows.shape[1]))
    for row in range(len(groups)):
        for column in range(rows.shape[1]):
            sums[groups[row], column] += weight[row] * rows[row, column]
    return sums


@compiled
def take_worst(worst: Floats, groups: NDArray[np.int64], margins: Floats) -> None:
    """Raise the number of each group to its largest margin."""
    for row in range(len(groups)):
        worst[groups[row]] = max(worst[groups[row]], margins[row])

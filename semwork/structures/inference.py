"""The best structure of an example: a linear program first, an integer program where that is not integral."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from semwork.structures.problem import Chosen, Compiled, Floats

__all__ = ["Solution", "best_structure"]

_INTEGRAL = 1e-6


@dataclass(frozen=True, eq=False)
class Solution:
    """A structure.

    Parameters
    ----------
    chosen : ndarray of bool of shape (n_parts,)
        Which parts it has.
    value : float
        Sum of their scores.
    bound : float
        No structure has a larger sum; equal to ``value`` when the structure is proved to be best.
    how : {"solver", "linear program", "integer program"}
        ``"solver"`` (the problem's own), ``"linear program"`` or ``"integer program"``.
    """

    chosen: Chosen
    value: float
    bound: float
    how: str

    @property
    def gap(self) -> float:
        """How much better an unknown structure could be: 0 when the search was completed."""
        return max(self.bound - self.value, 0.0)


def best_structure(
    problem: Compiled, scores: Floats, *, time_limit: float | None = None, relax: bool = True, use_solver: bool = True
) -> Solution:
    """Return the structure with the largest sum of scores among those that satisfy all constraints.

    Parameters
    ----------
    problem : Compiled
        The example.
    scores : ndarray of shape (n_parts,)
        One number for each part.
    time_limit : float or None, default=None
        Seconds for the integer program. When they are over, the best structure so far is returned with the bound
        reached; with none so far, that is an error.
    relax : bool, default=True
        Whether the linear relaxation is tried first: where its solution is integral it is the best structure.
    use_solver : bool, default=True
        Whether the problem's own solver may be used, where it has one.

    Returns
    -------
    Solution
    """
    if scores.shape != (problem.size,) or not np.isfinite(scores).all():
        raise ValueError(f"scores must be {problem.size} finite numbers, one for each part, got {scores!r:.80}")
    if problem.size == 0:
        return Solution(np.zeros(0, dtype=bool), 0.0, 0.0, "solver")
    if use_solver and problem.solver is not None:
        found = problem.solver(scores)
        if found is not None:
            value = float(scores[found].sum())
            return Solution(found, value, value, "solver")
    if not len(problem.limits.low):
        chosen = scores > 0
        value = float(scores[chosen].sum())
        return Solution(chosen, value, value, "solver")
    if relax:
        relaxed = _relaxed(problem, scores)
        if relaxed is not None:
            return relaxed
    return _integer(problem, scores, time_limit)


def _relaxed(problem: Compiled, scores: Floats) -> Solution | None:
    """The optimum of the linear relaxation if it is a structure."""
    limits = problem.limits
    rows, equal = limits.matrix, limits.low == limits.high
    above, below = ~equal & np.isfinite(limits.high), ~equal & np.isfinite(limits.low)
    unequal = sparse.vstack([rows[above], -rows[below]]) if (above | below).any() else None
    found = linprog(
        -scores,
        A_ub=unequal,
        b_ub=None if unequal is None else np.concatenate([limits.high[above], -limits.low[below]]),
        A_eq=rows[equal] if equal.any() else None,
        b_eq=limits.low[equal] if equal.any() else None,
        bounds=(0, 1),
        method="highs",
    )
    if found.status == 2:
        raise _infeasible(problem)
    if found.status != 0 or np.abs(found.x - np.rint(found.x)).max() > _INTEGRAL:
        return None
    chosen = np.rint(found.x).astype(bool)
    value = float(scores[chosen].sum())
    return Solution(chosen, value, value, "linear program")


def _integer(problem: Compiled, scores: Floats, time_limit: float | None) -> Solution:
    options = {"mip_rel_gap": 0.0} | ({} if time_limit is None else {"time_limit": float(time_limit)})
    found = milp(
        -scores,
        integrality=np.ones(problem.size),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(problem.limits.matrix, problem.limits.low, problem.limits.high),
        options=options,
    )
    if found.status == 2:
        raise _infeasible(problem)
    if found.x is None:
        raise TimeoutError(
            f"no structure was found in {time_limit} seconds ({problem.size} parts, "
            f"{len(problem.limits.low)} constraints): {found.message}; give more time"
        )
    chosen = np.rint(found.x).astype(bool)
    value = float(scores[chosen].sum())
    bound = value if found.status == 0 else max(float(-found.mip_dual_bound), value)
    return Solution(chosen, value, bound, "integer program")


def _infeasible(problem: Compiled) -> ValueError:
    """Name a constraint without which the others can be satisfied, or the fewest that cannot be together."""
    limits = problem.limits
    names = list(dict.fromkeys(limits.names))
    for name in names:
        rest = np.array([other != name for other in limits.names])
        found = milp(
            np.zeros(problem.size),
            integrality=np.ones(problem.size),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(limits.matrix[rest], limits.low[rest], limits.high[rest]),
        )
        if found.status == 0:
            return ValueError(f"no structure satisfies all constraints; without {name!r} one does")
    return ValueError(
        f"no structure satisfies all constraints, and leaving one of them out does not help: {', '.join(names[:6])}"
    )

"""Prices for the right words of two graphs: they bound from above what a mapping can gain, and often prove it best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled

__all__ = ["TINY", "bound_by_prices"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Gains that differ by less are the same.
TINY = 1e-11
_NEVER = -1e12
_PATIENCE = 4  # rounds without a better bound, after which steps become shorter


@compiled
def bound_by_prices(
    parent: Ints,
    starts: Ints,
    to: Ints,
    above: Ints,
    gain: Floats,
    bonus: Floats,
    decision: Ints,
    price: Floats,
    rounds: int,
    best: float,
    taken: Ints,
) -> tuple[float, float, int]:
    """Bound what is possible with these decisions, by prices that get better round by round.

    ``price`` becomes the best prices, ``taken`` the best mapping if one better than ``best`` is met on the way. Returns
    the bound, the value of the best mapping, and a choice to decide next: one of a word that several want.
    """
    count, n = len(parent), len(price)
    open_gain, alone = _allowed(starts, to, gain, decision, n)
    lowest_price, lowest, pace, waited = price.copy(), np.inf, 1.0, 0
    values, deleted = np.empty(len(to)), np.empty(count)
    tried, used, free = np.full(count, -1, dtype=np.int64), np.empty(n), np.ones(n, dtype=np.bool_)
    for _ in range(rounds):
        total = _pass_up(parent, starts, to, above, open_gain, alone, bonus, price, values, deleted)
        bound = total + price.sum()
        waited += 1
        if bound < lowest - TINY:
            lowest, waited = bound, 0
            lowest_price[:] = price
        free[:] = True
        _pass_down(parent, starts, to, above, values, deleted, bonus, free, False, tried)
        used[:] = 0.0
        for k in range(count):
            if tried[k] >= 0:
                used[tried[k]] += 1.0
        if used.max() > 1.0:
            _pass_down(parent, starts, to, above, values, deleted, bonus, free, True, tried)
        value = _worth(parent, starts, to, above, gain, bonus, tried)
        if value > best:
            best = value
            taken[:] = tried
        if lowest <= best + TINY:
            return lowest, best, -1
        if waited >= _PATIENCE:
            pace, waited = pace / 2, 0
        if pace < 0.01 or not _change_prices(price, used, pace * (bound - best)):
            break
    price[:] = lowest_price
    _pass_up(parent, starts, to, above, open_gain, alone, bonus, price, values, deleted)
    free[:] = True
    _pass_down(parent, starts, to, above, values, deleted, bonus, free, False, tried)
    return lowest, best, _undecided(starts, to, decision, open_gain, price, tried)


@compiled
def _allowed(starts: Ints, to: Ints, gain: Floats, decision: Ints, n: int) -> tuple[Floats, Floats]:
    """Gains of the choices that the decisions leave open, the others very low; and of being left out, likewise."""
    count = len(starts) - 1
    alone, gone = np.zeros(count), np.zeros(n, dtype=np.bool_)
    for k in range(count):
        for i in range(starts[k], starts[k + 1]):
            if decision[i] == 1:
                alone[k], gone[to[i]] = _NEVER, True
    left = np.full(len(gain), _NEVER)
    for k in range(count):
        for i in range(starts[k], starts[k + 1]):
            if decision[i] == 1 or (decision[i] == 0 and alone[k] == 0.0 and not gone[to[i]]):
                left[i] = gain[i]
    return left, alone


@compiled
def _undecided(starts: Ints, to: Ints, decision: Ints, open_gain: Floats, price: Floats, tried: Ints) -> int:
    """Choose an open choice: of a right word that several want, else of one that has a price and nobody wants."""
    wanted = np.zeros(len(price), dtype=np.int64)
    for k in range(len(tried)):
        if tried[k] >= 0:
            wanted[tried[k]] += 1
    found, most = -1, 0.0
    for k in range(len(tried)):
        for i in range(starts[k], starts[k + 1]):
            if decision[i] == 0 and open_gain[i] > _NEVER:
                d = to[i]
                if tried[k] == d and wanted[d] > 1:
                    return i
                if wanted[d] == 0 and price[d] > most:
                    found, most = i, price[d]
    return found


@compiled
def _change_prices(price: Floats, used: Floats, step: float) -> bool:
    """Raise what several want and lower what nobody wants; ``False`` if there is nothing to change."""
    steepness = 0.0
    for d in range(len(price)):
        if used[d] > 1.0 or (used[d] < 1.0 and price[d] > 0.0):
            steepness += (used[d] - 1.0) ** 2
    for d in range(len(price)):
        if steepness > 0.0:
            price[d] = max(0.0, price[d] + step / steepness * (used[d] - 1.0))
    return steepness > 0.0


@compiled
def _pass_up(
    parent: Ints,
    starts: Ints,
    to: Ints,
    above: Ints,
    gain: Floats,
    alone: Floats,
    bonus: Floats,
    price: Floats,
    values: Floats,
    deleted: Floats,
) -> float:
    """Set the value of every choice with all words below it, prices paid; returns the best of the roots."""
    count, n = len(parent), len(price)
    base = np.zeros(count)  # what the words below gain whatever their head takes
    extra = np.zeros((count, n))  # … and more, if it takes this one
    tied = np.full(n, -np.inf)
    total = 0.0
    for k in range(count - 1, -1, -1):
        deleted[k] = alone[k] + base[k]
        first, first_above, second = deleted[k], -1, -np.inf
        for i in range(starts[k], starts[k + 1]):
            values[i] = gain[i] - price[to[i]] + base[k] + extra[k, to[i]]
            if above[i] >= 0:
                tied[above[i]] = max(tied[above[i]], values[i] + bonus[i])
            if values[i] > first:
                if first_above != above[i]:
                    second = first
                first, first_above = values[i], above[i]
            elif above[i] != first_above:
                second = max(second, values[i])
        if parent[k] < 0:
            total += first
            continue
        base[parent[k]] += first
        for i in range(starts[k], starts[k + 1]):
            c = above[i]
            if c >= 0 and tied[c] > -np.inf:
                other = second if first_above == c else first
                extra[parent[k], c] += max(other, tied[c]) - first
                tied[c] = -np.inf
    return total


@compiled
def _pass_down(
    parent: Ints,
    starts: Ints,
    to: Ints,
    above: Ints,
    values: Floats,
    deleted: Floats,
    bonus: Floats,
    free: Bools,
    once: bool,
    taken: Ints,
) -> None:
    """Let every word take what is best given its head; with ``once`` only what nobody before it took."""
    for k in range(len(parent)):
        head = taken[parent[k]] if parent[k] >= 0 else -1
        best, taken[k] = deleted[k], -1
        for i in range(starts[k], starts[k + 1]):
            if free[to[i]]:
                value = values[i] + (bonus[i] if head >= 0 and above[i] == head else 0.0)
                if value > best:
                    best, taken[k] = value, to[i]
        if once and taken[k] >= 0:
            free[taken[k]] = False


@compiled
def _worth(parent: Ints, starts: Ints, to: Ints, above: Ints, gain: Floats, bonus: Floats, taken: Ints) -> float:
    """Sum of gains and bonuses, without prices."""
    total = 0.0
    for k in range(len(parent)):
        for i in range(starts[k], starts[k + 1]):
            if to[i] == taken[k]:
                total += gain[i]
                if above[i] >= 0 and taken[parent[k]] == above[i]:
                    total += bonus[i]
    return total

"""Which pairs of words of two graphs can be worth mapping, and which words have to be decided together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled

__all__ = ["components", "heads_first", "undominated"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@compiled
def _bonus(edge: Floats, alive: Bools, left_heads: Ints, right_heads: Ints, b: int, d: int) -> float:
    """What the edge to the heads can add at most."""
    above, across = left_heads[b], right_heads[d]
    if above >= 0 and across >= 0 and alive[above, across]:
        return max(float(edge[b, d]), 0.0)
    return 0.0


@compiled
def undominated(word: Floats, edge: Floats, left_heads: Ints, right_heads: Ints) -> Bools:
    """Return which pairs can be worth more than deleting both: the gain with all edges that could help is above 0."""
    m, n = word.shape
    alive = np.ones((m, n), dtype=np.bool_)
    dropped = True
    while dropped:
        dropped = False
        # Dependents are mapped once each, on either side: the smaller sum of best edges bounds their help.
        below = np.minimum(
            _help_of_dependents(edge, alive, left_heads, right_heads),
            _help_of_dependents(edge.T, alive.T, right_heads, left_heads).T,
        )
        for b in range(m):
            for d in range(n):
                if alive[b, d]:
                    bonus = _bonus(edge, alive, left_heads, right_heads, b, d)
                    if word[b, d] + bonus + below[b, d] <= 0.0:
                        alive[b, d] = False
                        dropped = True
    return alive


@compiled
def _help_of_dependents(edge: Floats, alive: Bools, heads: Ints, other_heads: Ints) -> Floats:
    """For each pair of words, the sum over the first one's dependents of their best edge to one of the second's."""
    m, n = edge.shape
    total = np.zeros((m, n))
    for b in range(m):
        if heads[b] >= 0:
            best = np.zeros(n)
            for d in range(n):
                if alive[b, d] and other_heads[d] >= 0:
                    best[other_heads[d]] = max(best[other_heads[d]], edge[b, d])
            total[heads[b]] += best
    return total


@compiled
def components(alive: Bools, edge: Floats, left_heads: Ints, right_heads: Ints) -> Ints:
    """Return a label for each left word: those that compete for a right word, or are tied by an edge, have the same."""
    m, n = alive.shape
    label = np.arange(m)
    changed = True
    while changed:
        changed = False
        for d in range(n):
            first = -1
            for b in range(m):
                if alive[b, d] and (first < 0 or label[b] < first):
                    first = label[b]
            for b in range(m):
                if alive[b, d] and label[b] != first:
                    label[b] = first
                    changed = True
        for b in range(m):
            above = left_heads[b]
            if above < 0 or label[above] == label[b]:
                continue
            for d in range(n):
                across = right_heads[d]
                if alive[b, d] and across >= 0 and alive[above, across] and edge[b, d] != 0.0:
                    low = min(label[b], label[above])
                    label[b] = low
                    label[above] = low
                    changed = True
                    break
    for b in range(m):
        if not alive[b].any():
            label[b] = -1
    return label


@compiled
def heads_first(heads: Ints) -> Ints:
    """Return the words in an order in which each one comes after its head."""
    depth = np.zeros(len(heads), dtype=np.int64)
    for b in range(len(heads)):
        above = heads[b]
        while above >= 0:
            depth[b] += 1
            above = heads[above]
    return np.argsort(depth, kind="mergesort")

"""The best alignment of two dependency graphs, exactly: branch and bound on the words, edges follow.

Equations 6 to 11 of Chang et al. (2010) make edges a function of words: an edge is mapped if and only if both its
ends are. With every deletion as the zero, mapping word b on word d gains ``word[b, d]``, and ``edge[b, d]`` more if
the heads of b and d are mapped on each other too. So the integer program is a matching with one bonus for each pair,
which depends on one other pair.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled

__all__ = ["best_mapping"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_TINY = 1e-11


@compiled
def best_mapping(word: Floats, edge: Floats, left_heads: Ints, right_heads: Ints, limit: int) -> tuple[Ints, int]:
    """Return for every left word its right word (-1: deleted) and the nodes that were looked at.

    Parameters
    ----------
    word, edge
        Left × right words: gain of mapping the words, and of mapping the edges to their heads.
    left_heads, right_heads
        Place of each word's head; -1 for a root.
    limit
        Nodes after which the search is given up; the number returned is then larger, and the mapping not proved.
    """
    m, n = word.shape
    alive = _undominated(word, edge, left_heads, right_heads)
    optimistic = np.zeros((m, n))
    for b in range(m):
        for d in range(n):
            if alive[b, d]:
                optimistic[b, d] = word[b, d] + _bonus(edge, alive, left_heads, right_heads, b, d)
    prices = _prices(optimistic, alive)
    result = np.full(m, -1, dtype=np.int64)
    component = _components(alive, edge, left_heads, right_heads)
    order = _heads_first(left_heads)
    nodes = 0
    members = np.empty(m, dtype=np.int64)
    for label in range(m):
        count = 0
        for b in order:
            if component[b] == label:
                members[count] = b
                count += 1
        if count:
            nodes += _search(
                members[:count], word, edge, optimistic, alive, prices, left_heads, right_heads, result, limit - nodes
            )
            if nodes > limit:
                break
    return result, nodes


@compiled
def _bonus(edge: Floats, alive: Bools, left_heads: Ints, right_heads: Ints, b: int, d: int) -> float:
    """What the edge to the heads can add at most."""
    above, across = left_heads[b], right_heads[d]
    if above >= 0 and across >= 0 and alive[above, across]:
        return max(float(edge[b, d]), 0.0)
    return 0.0


@compiled
def _undominated(word: Floats, edge: Floats, left_heads: Ints, right_heads: Ints) -> Bools:
    """Pairs that can be worth more than deleting both words: their gain with all edges that could help is above 0."""
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
def _prices(gain: Floats, alive: Bools) -> Floats:
    """Prices of right words from the best matching without the ties between edges (shortest augmenting paths)."""
    m, n = gain.shape
    cost = np.zeros((m + 1, n + 2))  # column n + 1 is deletion, free for everyone
    cost[1:, 1 : n + 1] = np.where(alive, -gain, np.inf)
    u, v = np.zeros(m + 1), np.zeros(n + 2)
    owner = np.zeros(n + 2, dtype=np.int64)
    way = np.zeros(n + 2, dtype=np.int64)
    for row in range(1, m + 1):
        owner[0] = row
        column = 0
        least = np.full(n + 2, np.inf)
        used = np.zeros(n + 2, dtype=np.bool_)
        while column == 0 or owner[column] != 0:
            used[column] = True
            here, following = owner[column], 0
            for j in range(1, n + 2):
                reduced = cost[here, j] - u[here] - v[j]
                if not used[j] and reduced < least[j]:
                    least[j], way[j] = reduced, column
                if not used[j] and (following == 0 or least[j] < least[following]):
                    following = j
            delta = least[following]
            for j in range(n + 2):
                if used[j]:
                    u[owner[j]] += delta
                    v[j] -= delta
                else:
                    least[j] -= delta
            column = following
        while column != 0:
            owner[column] = owner[way[column]]
            column = way[column]
        owner[n + 1] = 0
    return np.maximum(-v[1 : n + 1], 0.0)


@compiled
def _components(alive: Bools, edge: Floats, left_heads: Ints, right_heads: Ints) -> Ints:
    """Left words that compete for a right word, or are tied by an edge, get the same label."""
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
def _heads_first(heads: Ints) -> Ints:
    depth = np.zeros(len(heads), dtype=np.int64)
    for b in range(len(heads)):
        above = heads[b]
        while above >= 0:
            depth[b] += 1
            above = heads[above]
    return np.argsort(depth, kind="mergesort")


@compiled
def _search(
    members: Ints,
    word: Floats,
    edge: Floats,
    optimistic: Floats,
    alive: Bools,
    prices: Floats,
    left_heads: Ints,
    right_heads: Ints,
    result: Ints,
    limit: int,
) -> int:
    """Decide the words of one component one after the other, heads first, the most promising choice first."""
    count, n = len(members), word.shape[1]
    current = np.full(len(left_heads), -2, dtype=np.int64)  # -2: not decided
    free = np.zeros(n, dtype=np.bool_)
    for b in members:
        free |= alive[b]
    choices = np.empty((count, n + 1), dtype=np.int64)
    left = np.zeros(count, dtype=np.int64)  # choices that are not tried yet
    values = np.zeros(count + 1)
    best, nodes, depth = -np.inf, 1, 0
    left[0] = _sorted_choices(
        members[0], word, edge, optimistic, alive, prices, left_heads, right_heads, current, free, choices[0]
    )
    while depth >= 0:
        b = members[depth]
        if current[b] >= 0:
            free[current[b]] = True
        current[b] = -2
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        d = choices[depth, left[depth]]
        values[depth + 1] = values[depth]
        if d >= 0:
            values[depth + 1] += _gain(b, d, word, edge, optimistic, current, left_heads, right_heads)
            free[d] = False
        current[b] = d
        nodes += 1
        if nodes > limit:
            return nodes
        bound = values[depth + 1] + _most(
            members[depth + 1 :], word, edge, optimistic, alive, prices, left_heads, right_heads, current, free
        )
        if bound <= best + _TINY:
            continue
        if depth + 1 == count:
            best = values[count]
            result[members] = current[members]
            continue
        depth += 1
        left[depth] = _sorted_choices(
            members[depth], word, edge, optimistic, alive, prices, left_heads, right_heads, current, free,
            choices[depth],
        )  # fmt: skip
    return nodes


@compiled
def _most(
    members: Ints,
    word: Floats,
    edge: Floats,
    optimistic: Floats,
    alive: Bools,
    prices: Floats,
    left_heads: Ints,
    right_heads: Ints,
    current: Ints,
    free: Bools,
) -> float:
    """No choices for these words gain more: each pays the price of its right word, and the prices come back."""
    total = 0.0
    wanted = np.zeros(len(free), dtype=np.bool_)
    for b in members:
        top = 0.0
        for d in range(len(free)):
            if free[d] and alive[b, d]:
                if not wanted[d]:
                    wanted[d] = True
                    total += prices[d]
                top = max(top, _gain(b, d, word, edge, optimistic, current, left_heads, right_heads) - prices[d])
        total += top
    return total


@compiled
def _sorted_choices(
    b: int,
    word: Floats,
    edge: Floats,
    optimistic: Floats,
    alive: Bools,
    prices: Floats,
    left_heads: Ints,
    right_heads: Ints,
    current: Ints,
    free: Bools,
    into: Ints,
) -> int:
    """Write the right words that b can have, and -1 for deletion, the most promising last; returns how many."""
    keys = np.zeros(len(into))
    into[0] = -1
    size = 1
    for d in range(len(free)):
        if free[d] and alive[b, d]:
            into[size] = d
            keys[size] = _gain(b, d, word, edge, optimistic, current, left_heads, right_heads) - prices[d]
            size += 1
    into[:size] = into[:size][np.argsort(keys[:size], kind="mergesort")]
    return size


@compiled
def _gain(
    b: int,
    d: int,
    word: Floats,
    edge: Floats,
    optimistic: Floats,
    current: Ints,
    left_heads: Ints,
    right_heads: Ints,
) -> float:
    """Gain of b → d: exact when b's head is decided, else the most it can be."""
    above = left_heads[b]
    if above < 0 or right_heads[d] < 0:
        return float(word[b, d])
    if current[above] == -2:
        return float(optimistic[b, d])
    return float(word[b, d]) + (float(edge[b, d]) if current[above] == right_heads[d] else 0.0)

"""The best alignment of two dependency graphs, exactly: prices for right words, then branch and bound.

Equations 6 to 11 of Chang et al. (2010) make edges a function of words: an edge is mapped if and only if both its
ends are. With every deletion as the zero, mapping word b on word d gains ``word[b, d]``, and ``edge[b, d]`` more if
the heads of b and d are mapped on each other too. So the integer program is: give every left word a right word, or
none; edges tie a word to its head only, which makes a tree; and no right word is taken twice.

Without the last rule the best choice comes from one pass up the tree (dynamic programming). So that rule gets a price
for each right word (Lagrangian relaxation): whatever the prices, the best choice with prices to be paid, plus all
prices, is a bound from above. Prices rise where several words want the same one. Mostly the choice that remains has no
conflict and is proved best; where it has one, branch and bound goes on, and each decision costs its regret.
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
_PRICE_ROUNDS = 120
_PATIENCE = 4  # rounds without a better bound, after which steps become shorter


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
    m = len(left_heads)
    alive = _undominated(word, edge, left_heads, right_heads)
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
            nodes += _solve(members[:count], word, edge, alive, left_heads, right_heads, result, max(limit - nodes, 0))
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
def _solve(
    members: Ints,
    word: Floats,
    edge: Floats,
    alive: Bools,
    left_heads: Ints,
    right_heads: Ints,
    result: Ints,
    limit: int,
) -> int:
    """Map the words of one component, which stand in an order with heads first; returns the nodes."""
    count, n = len(members), word.shape[1]
    place = np.full(len(left_heads), -1, dtype=np.int64)
    for k in range(count):
        place[members[k]] = k
    parent = np.full(count, -1, dtype=np.int64)
    starts = np.zeros(count + 1, dtype=np.int64)
    size = 0
    for k in range(count):
        size += alive[members[k]].sum()
    to, above = np.empty(size, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    gain, bonus = np.empty(size), np.zeros(size)
    at = 0
    for k in range(count):
        b = members[k]
        if left_heads[b] >= 0:
            parent[k] = place[left_heads[b]]
        for d in range(n):
            if alive[b, d]:
                to[at], gain[at] = d, word[b, d]
                if parent[k] >= 0 and right_heads[d] >= 0:
                    above[at], bonus[at] = right_heads[d], edge[b, d]
                at += 1
        starts[k + 1] = at
    mapping = np.full(count, -1, dtype=np.int64)
    nodes = _prices_and_search(parent, starts, to, above, gain, bonus, n, mapping, limit)
    for k in range(count):
        result[members[k]] = mapping[k]
    return nodes


@compiled
def _prices_and_search(
    parent: Ints, starts: Ints, to: Ints, above: Ints, gain: Floats, bonus: Floats, n: int, mapping: Ints, limit: int
) -> int:
    """Find prices by subgradient steps; search where they do not prove a mapping. Returns the nodes.

    Word k may take the right words ``to[starts[k]:starts[k + 1]]``, each with its gain, and with a bonus if the word
    ``parent[k]`` takes the one in ``above``.
    """
    count = len(parent)
    price, best_price = np.zeros(n), np.zeros(n)
    values, deleted = np.empty(len(to)), np.empty(count)
    taken, tried = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    used, free = np.empty(n), np.ones(n, dtype=np.bool_)
    lowest, best, pace, waited = np.inf, -np.inf, 1.0, 0
    for _ in range(_PRICE_ROUNDS):
        bound = _pass_up(parent, starts, to, above, gain, bonus, price, values, deleted) + price.sum()
        if bound < lowest - _TINY:
            lowest, waited = bound, 0
            best_price[:] = price
        else:
            waited += 1
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
        if lowest <= best + _TINY:
            mapping[:] = taken
            return 1
        if waited >= _PATIENCE:
            pace, waited = pace / 2, 0
        if pace < 0.01 or not _change_prices(price, used, pace * (bound - best)):
            break
    bound = _pass_up(parent, starts, to, above, gain, bonus, best_price, values, deleted) + best_price.sum()
    nodes = _search(parent, starts, to, above, values, deleted, bonus, best_price, bound, best, taken, limit)
    mapping[:] = taken
    return nodes


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
        deleted[k] = base[k]
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


@compiled
def _search(
    parent: Ints,
    starts: Ints,
    to: Ints,
    above: Ints,
    values: Floats,
    deleted: Floats,
    bonus: Floats,
    price: Floats,
    bound: float,
    best: float,
    taken: Ints,
    limit: int,
) -> int:
    """Decide word after word, heads first, the best choice first; a worse one lowers the bound by its regret."""
    count = len(parent)
    widest = 1
    for k in range(count):
        widest = max(widest, starts[k + 1] - starts[k] + 1)
    choices, regrets = np.empty((count, widest), dtype=np.int64), np.empty((count, widest))
    left = np.zeros(count, dtype=np.int64)
    current = np.full(count, -1, dtype=np.int64)
    free = np.ones(len(price), dtype=np.bool_)
    bounds = np.empty(count + 1)
    bounds[0] = bound
    unused = price.sum()  # prices of right words that nobody has: they come off the bound at the end
    left[0] = _sorted_choices(0, -1, starts, to, above, values, deleted, bonus, free, choices[0], regrets[0])
    nodes, depth = 1, 0
    while depth >= 0:
        if current[depth] >= 0:
            free[current[depth]] = True
            unused += price[current[depth]]
            current[depth] = -1
        if left[depth] == 0 or bounds[depth] - regrets[depth, left[depth] - 1] <= best + _TINY:
            depth -= 1
            continue
        left[depth] -= 1
        nodes += 1
        if nodes > limit:
            return nodes
        d = choices[depth, left[depth]]
        bounds[depth + 1] = bounds[depth] - regrets[depth, left[depth]]
        current[depth] = d
        if d >= 0:
            free[d] = False
            unused -= price[d]
        if depth + 1 == count:
            if bounds[count] - unused > best:
                best = bounds[count] - unused
                taken[:] = current
            continue
        depth += 1
        head = current[parent[depth]] if parent[depth] >= 0 else -1
        left[depth] = _sorted_choices(
            depth, head, starts, to, above, values, deleted, bonus, free, choices[depth], regrets[depth]
        )
    return nodes


@compiled
def _sorted_choices(
    k: int,
    head: int,
    starts: Ints,
    to: Ints,
    above: Ints,
    values: Floats,
    deleted: Floats,
    bonus: Floats,
    free: Bools,
    into: Ints,
    regrets: Floats,
) -> int:
    """Write what word k can have (-1: nothing), the smallest regret last, and the regrets; returns how many."""
    into[0], regrets[0], top = -1, deleted[k], deleted[k]
    size = 1
    for i in range(starts[k], starts[k + 1]):
        value = values[i] + (bonus[i] if head >= 0 and above[i] == head else 0.0)
        top = max(top, value)
        if free[to[i]]:
            at = size
            while at > 0 and regrets[at - 1] > value:
                into[at], regrets[at] = into[at - 1], regrets[at - 1]
                at -= 1
            into[at], regrets[at] = to[i], value
            size += 1
    for at in range(size):
        regrets[at] = top - regrets[at]
    return size

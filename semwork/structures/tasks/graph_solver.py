"""The best alignment of two dependency graphs, exactly: prices for right words, then branch and bound.

Equations 6 to 11 of Chang et al. (2010) make edges a function of words: an edge is mapped if and only if both its
ends are. With every deletion as the zero, mapping word b on word d gains ``word[b, d]``, and ``edge[b, d]`` more if
the heads of b and d are mapped on each other too. So the integer program is: give every left word a right word, or
none; edges tie a word to its head only, which makes a tree; and no right word is taken twice.

Without the last rule the best choice comes from one pass up the tree (dynamic programming). So that rule gets a price
for each right word (Lagrangian relaxation): whatever the prices, the best choice with prices to be paid, plus all
prices, is a bound from above. Prices rise where several words want the same one. Mostly the choice that remains has no
conflict and is proved best; where it has one, branch and bound goes on, with prices of their own for each branch.
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
_PRICE_ROUNDS, _PRICE_ROUNDS_BELOW = 120, 25
_NEVER = -1e12
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
    """Find prices that prove a mapping; branch on a choice where they do not. Returns the nodes.

    Word k may take the right words ``to[starts[k]:starts[k + 1]]``, each with its gain, and with a bonus if the word
    ``parent[k]`` takes the one in ``above``.
    """
    count, size = len(parent), len(to)
    decision = np.zeros(size, dtype=np.int64)  # of each choice: 0 open, 1 taken, -1 forbidden
    branch = np.empty(size, dtype=np.int64)  # the choices that were decided on the way here
    prices = np.zeros((size + 2, n))
    taken = np.full(count, -1, dtype=np.int64)
    best, nodes, depth = -np.inf, 0, 0
    while True:
        nodes += 1
        if nodes > limit:
            break
        rounds = _PRICE_ROUNDS if depth == 0 else _PRICE_ROUNDS_BELOW
        bound, best, choice = _bound(
            parent, starts, to, above, gain, bonus, decision, prices[depth], rounds, best, taken
        )
        if bound > best + _TINY and choice >= 0:
            branch[depth], decision[choice] = choice, 1
            prices[depth + 1] = prices[depth]
            depth += 1
            continue
        while depth > 0 and decision[branch[depth - 1]] == -1:
            depth -= 1
            decision[branch[depth]] = 0
        if depth == 0:
            break
        decision[branch[depth - 1]] = -1
        prices[depth] = prices[depth - 1]
    mapping[:] = taken
    return nodes


@compiled
def _bound(
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
        if bound < lowest - _TINY:
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
        if lowest <= best + _TINY:
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

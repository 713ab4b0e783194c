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
from semwork.structures.tasks.graph_prices import TINY, bound_by_prices
from semwork.structures.tasks.graph_pruning import components, heads_first, undominated

__all__ = ["best_mapping"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_PRICE_ROUNDS, _PRICE_ROUNDS_BELOW = 120, 25


@compiled
def best_mapping(word: Floats, edge: Floats, left_heads: Ints, right_heads: Ints, limit: int) -> tuple[Ints, int]:
    """Return for every left word its right word (-1: deleted) and the nodes that were looked at.

    Parameters
    ----------
    word, edge : ndarray of shape (n_left, n_right)
        Left × right words: gain of mapping the words, and of mapping the edges to their heads.
    left_heads, right_heads : ndarray of shape (n_left,), ndarray of shape (n_right,)
        Place of each word's head; -1 for a root.
    limit : int
        Nodes after which the search is given up; the number returned is then larger, and the mapping not proved.
    """
    m = len(left_heads)
    alive = undominated(word, edge, left_heads, right_heads)
    result = np.full(m, -1, dtype=np.int64)
    component = components(alive, edge, left_heads, right_heads)
    order = heads_first(left_heads)
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
        bound, best, choice = bound_by_prices(
            parent, starts, to, above, gain, bonus, decision, prices[depth], rounds, best, taken
        )
        if bound > best + TINY and choice >= 0:
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

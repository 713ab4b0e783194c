"""The parts of an alignment of two graphs: where each kind stands, which go together, and the best choice of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.compiled import compiled
from semwork.structures.problem import Chosen, Floats, Limits
from semwork.structures.tasks.graph_solver import best_mapping

__all__ = ["Parts", "best_parts", "limits_of"]

Ints = NDArray[np.int64]

_NODES = 3000  # about the time that an integer program takes


@dataclass(frozen=True, eq=False)
class Parts:
    """Where each kind of part stands in a structure: pairs of words, deleted words, pairs of edges, deleted edges.

    Parameters
    ----------
    left_heads, right_heads : ndarray of shape (n_left,), ndarray of shape (n_right,)
        Place of each word's head; -1 for a root. An edge is known by its dependent.
    pairs : ndarray of shape (n_pairs, 2)
        Pairs of words that may be mapped, one in each row, in order.
    delete_left, delete_edges : bool
        Whether left words, and edges, are deleted at a cost.
    """

    left_heads: Ints
    right_heads: Ints
    pairs: Ints
    delete_left: bool
    delete_edges: bool

    @property
    def m(self) -> int:
        """Left words."""
        return len(self.left_heads)

    @property
    def n(self) -> int:
        """Right words."""
        return len(self.right_heads)

    @property
    def left(self) -> int:
        """Left words that can be deleted."""
        return self.m if self.delete_left else 0

    @cached_property
    def number(self) -> Ints:
        """Left × right words: the number of the pair, -1 for words that may not be mapped."""
        table = np.full((self.m, self.n), -1, dtype=np.int64)
        table[self.pairs[:, 0], self.pairs[:, 1]] = np.arange(len(self.pairs))
        return table

    @cached_property
    def edges(self) -> Ints:
        """Pairs of edges, each as two numbers of pairs of words: that of the dependents and that of the heads."""
        heads = self.left_heads[self.pairs[:, 0]], self.right_heads[self.pairs[:, 1]]
        below = np.flatnonzero((heads[0] >= 0) & (heads[1] >= 0))
        above = self.number[heads[0][below], heads[1][below]]
        return np.column_stack([below, above])[above >= 0]

    @cached_property
    def left_edges(self) -> Ints:
        """Left words that have a head."""
        return np.flatnonzero(self.left_heads >= 0)

    @cached_property
    def right_edges(self) -> Ints:
        """Right words that have a head."""
        return np.flatnonzero(self.right_heads >= 0)

    @property
    def edges_at(self) -> int:
        """Where the pairs of edges begin."""
        return len(self.pairs) + self.left + self.n

    @property
    def deleted_edges_at(self) -> int:
        """Where the deleted edges begin."""
        return self.edges_at + len(self.edges)

    @property
    def size(self) -> int:
        """The number of all parts."""
        return self.deleted_edges_at + (len(self.left_edges) + len(self.right_edges) if self.delete_edges else 0)

    def label(self, place: int) -> tuple[Any, ...]:
        """``("words", i, j)``, ``("delete left", i)``, ``("edges", i, j)`` (by dependents), … ."""
        if place < len(self.pairs):
            return "words", *self.pairs[place].tolist()
        place -= len(self.pairs)
        if place < self.left:
            return "delete left", place
        place -= self.left
        if place < self.n:
            return "delete right", place
        place -= self.n
        if place < len(self.edges):
            return "edges", *self.pairs[self.edges[place, 0]].tolist()
        place -= len(self.edges)
        if place < len(self.left_edges):
            return "delete left edge", int(self.left_edges[place])
        return "delete right edge", int(self.right_edges[place - len(self.left_edges)])


def best_parts(parts: Parts, scores: Floats) -> Chosen | None:
    """The best structure by branch and bound; ``None`` if that takes too long."""
    chosen = np.zeros(parts.size, dtype=np.bool_)
    nodes = _choose(
        scores, parts.pairs, parts.edges, parts.left_edges, parts.right_edges, parts.left_heads, parts.right_heads,
        parts.delete_left, parts.delete_edges, chosen,
    )  # fmt: skip
    return chosen if nodes <= _NODES else None


@compiled
def _choose(
    scores: Floats,
    pairs: Ints,
    edges: Ints,
    left_edges: Ints,
    right_edges: Ints,
    left_heads: Ints,
    right_heads: Ints,
    delete_left: bool,
    delete_edges: bool,
    chosen: Chosen,
) -> int:
    """Set the parts that follow from the best mapping of words; returns the nodes of the search.

    Deletions are the zero: mapping two words gains their score less those of deleting them, and so do two edges.
    """
    m, n, words_end = len(left_heads), len(right_heads), len(pairs)
    left_end = words_end + (m if delete_left else 0)
    edges_at = left_end + n
    lost_at = edges_at + len(edges)
    word, edge = np.full((m, n), -np.inf), np.zeros((m, n))
    for part in range(words_end):
        i, j = pairs[part]
        word[i, j] = scores[part] - scores[left_end + j] - (scores[words_end + i] if delete_left else 0.0)
    left_lost, right_lost = np.zeros(m), np.zeros(n)
    if delete_edges:
        left_lost[left_edges] = scores[lost_at : lost_at + len(left_edges)]
        right_lost[right_edges] = scores[lost_at + len(left_edges) :]
    for k in range(len(edges)):
        i, j = pairs[edges[k, 0]]
        edge[i, j] = scores[edges_at + k] - left_lost[i] - right_lost[j]
    mapping, nodes = best_mapping(word, edge, left_heads, right_heads, _NODES)
    deleted = np.ones(n, dtype=np.bool_)
    for i in range(m):
        if mapping[i] >= 0:
            deleted[mapping[i]] = False
        if delete_left:
            chosen[words_end + i] = mapping[i] < 0
    chosen[left_end:edges_at] = deleted
    for part in range(words_end):
        chosen[part] = mapping[pairs[part, 0]] == pairs[part, 1]
    left_alone, right_alone = np.ones(m, dtype=np.bool_), np.ones(n, dtype=np.bool_)
    for k in range(len(edges)):
        if chosen[edges[k, 0]] and chosen[edges[k, 1]]:
            chosen[edges_at + k] = True
            left_alone[pairs[edges[k, 0], 0]] = False
            right_alone[pairs[edges[k, 0], 1]] = False
    if delete_edges:
        chosen[lost_at : lost_at + len(left_edges)] = left_alone[left_edges]
        chosen[lost_at + len(left_edges) :] = right_alone[right_edges]
    return nodes


def limits_of(parts: Parts) -> Limits:
    """Equations 6 to 11, for the integer program."""
    i, j = parts.pairs.T
    at, below = len(parts.pairs), parts.edges[:, 0]
    edges = parts.edges_at + np.arange(len(parts.edges))
    rows: list[tuple[Any, Any, float, float, str]] = []
    for b in range(parts.m):
        deletion = [at + b] if parts.left else []
        name = f"left word {b + 1} is mapped once or deleted"
        rows.append(([*np.flatnonzero(i == b), *deletion], 1.0, float(bool(deletion)), 1.0, name))
    for d in range(parts.n):
        deletion = [at + parts.left + d]
        name = f"right word {d + 1} is mapped once or deleted"
        rows.append(([*np.flatnonzero(j == d), *deletion], 1.0, 1.0, 1.0, name))
    if parts.delete_edges:
        first, middle = parts.deleted_edges_at, parts.deleted_edges_at + len(parts.left_edges)
        lines = [(i, b, first + k, "left") for k, b in enumerate(parts.left_edges)]
        lines += [(j, d, middle + k, "right") for k, d in enumerate(parts.right_edges)]
        for side, word, own_edge, which in lines:
            name = f"the edge of {which} word {word + 1} is mapped once or deleted"
            rows.append(([*edges[side[below] == word], own_edge], 1.0, 1.0, 1.0, name))
    for edge, ends in zip(edges, parts.edges, strict=True):
        name = f"{parts.label(int(edge))} are mapped if and only if their ends are"
        rows.append(([*ends, edge], (1.0, 1.0, -1.0), -1.0, 1.0, name))
        rows += [([end, edge], (1.0, -1.0), 0.0, 1.0, name) for end in ends]
    places = np.concatenate([np.asarray(row[0], dtype=np.int64) for row in rows])
    weights = np.concatenate([np.broadcast_to(row[1], len(row[0])) for row in rows])
    numbers = np.repeat(np.arange(len(rows)), [len(row[0]) for row in rows])
    return Limits(
        sparse.csr_array((weights, (numbers, places)), shape=(len(rows), parts.size)),
        np.array([row[2] for row in rows]),
        np.array([row[3] for row in rows]),
        tuple(row[4] for row in rows),
    )

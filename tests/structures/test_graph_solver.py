"""Alignment of two graphs by branch and bound: always the optimum of the integer program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from semwork.structures.tasks.graph_solver import best_mapping


def integer_program(word, edge, left_heads, right_heads):
    """The optimum with a variable for every pair of words and every pair of edges."""
    m, n = word.shape
    pairs = [(b, d) for b in range(m) for d in range(n)]
    edges = [(b, d) for b, d in pairs if left_heads[b] >= 0 and right_heads[d] >= 0]
    place = {pair: number for number, pair in enumerate(pairs)}
    size = len(pairs) + len(edges)
    rows, low = [], []

    def limit(weights, at_least):
        row = np.zeros(size)
        for number, weight in weights:
            row[number] += weight
        rows.append(row)
        low.append(at_least)

    for b in range(m):
        limit([(place[b, d], 1) for d in range(n)], 0)
    for d in range(n):
        limit([(place[b, d], 1) for b in range(m)], 0)
    for number, (b, d) in enumerate(edges, start=len(pairs)):
        ends = place[b, d], place[left_heads[b], right_heads[d]]
        limit([(ends[0], 1), (number, -1)], 0)
        limit([(ends[1], 1), (number, -1)], 0)
        limit([(ends[0], 1), (ends[1], 1), (number, -1)], -1)
    found = milp(
        -np.array([word[pair] for pair in pairs] + [edge[pair] for pair in edges]),
        integrality=np.ones(size),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(np.array(rows), low, 1),
        options={"mip_rel_gap": 0.0},
    )
    return -found.fun


def value(mapping, word, edge, left_heads, right_heads):
    total = 0.0
    for b, d in enumerate(mapping):
        if d >= 0:
            total += word[b, d]
            if left_heads[b] >= 0 and right_heads[d] >= 0 and mapping[left_heads[b]] == right_heads[d]:
                total += edge[b, d]
    return total


def a_forest(random, size):
    heads = np.array([-1, *(random.integers(-1, b) for b in range(1, size))], dtype=np.int64)
    order = random.permutation(size)
    shuffled = np.empty(size, dtype=np.int64)
    shuffled[order] = np.where(heads >= 0, order[heads], -1)
    return shuffled


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 7), st.integers(1, 7), st.integers(0, 2))
@settings(max_examples=60, deadline=None)
def test_the_mapping_is_the_optimum_of_the_integer_program(seed, m, n, digits):
    random = np.random.default_rng(seed)
    left_heads, right_heads = a_forest(random, m), a_forest(random, n)
    word = random.normal(-0.3, 1, (m, n)).round(digits)  # few digits: many ties
    edge = random.normal(0, 1, (m, n)).round(digits)
    mapping, _ = best_mapping(word, edge, left_heads, right_heads, 10**6)
    mapped = mapping[mapping >= 0]
    assert len(set(mapped.tolist())) == len(mapped), "no right word is taken twice"
    best = integer_program(word, edge, left_heads, right_heads)
    np.testing.assert_allclose(value(mapping, word, edge, left_heads, right_heads), best, atol=1e-8)


def test_a_search_that_takes_too_long_says_so():
    random = np.random.default_rng(0)
    heads = a_forest(random, 25)
    _, nodes = best_mapping(random.normal(0, 1, (25, 25)), random.normal(0, 1, (25, 25)), heads, heads, 1)
    assert nodes > 1


def test_nothing_worth_mapping_is_deleted():
    heads = np.array([-1, 0], dtype=np.int64)
    mapping, _ = best_mapping(np.full((2, 2), -1.0), np.zeros((2, 2)), heads, heads, 100)
    assert mapping.tolist() == [-1, -1]
    mapping, _ = best_mapping(np.array([[-1.0, -9.0], [-9.0, -1.0]]), np.full((2, 2), 3.0), heads, heads, 100)
    assert mapping.tolist() == [0, 1], "an edge can be worth its ends"


def test_prices_prove_most_mappings_without_a_search():
    random = np.random.default_rng(1)
    looked_at = []
    for _ in range(50):
        heads = a_forest(random, 20), a_forest(random, 20)
        word = np.where(random.random((20, 20)) < 0.2, random.normal(0, 1, (20, 20)), -np.inf)
        looked_at.append(best_mapping(word, random.normal(0, 1, (20, 20)), *heads, 10**6)[1])
    assert np.median(looked_at) <= 20, "a node for each component is all that most need"

"""Problems and their best structures, against all structures one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semwork.structures import FeatureIndex, Problem, best_structure


def matching(scores, *, crossing=True):
    """Words of two sentences, each mapped at most once."""
    rows, columns = scores.shape
    problem = Problem()
    pairs = {(i, j): problem.part({}, label=(i, j)) for i in range(rows) for j in range(columns)}
    for i in range(rows):
        problem.at_most_one([pairs[i, j] for j in range(columns)], f"left {i} is mapped once")
    for j in range(columns):
        problem.at_most_one([pairs[i, j] for i in range(rows)], f"right {j} is mapped once")
    if not crossing:
        problem.non_crossing(pairs)
    return problem.compile(FeatureIndex())


def brute_force(problem, scores):
    best = -np.inf
    for chosen in itertools.product([0, 1], repeat=problem.size):
        h = np.array(chosen)
        sums = problem.limits.matrix @ h
        if (sums >= problem.limits.low).all() and (sums <= problem.limits.high).all():
            best = max(best, float(scores @ h))
    return best


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_the_best_structure_is_the_best_of_all(seed, crossing, relax):
    scores = np.random.default_rng(seed).normal(size=(3, 3))
    problem = matching(scores, crossing=crossing)
    found = best_structure(problem, scores.ravel(), relax=relax)
    assert found.value == pytest.approx(brute_force(problem, scores.ravel()))
    assert found.gap == 0
    sums = problem.limits.matrix @ found.chosen
    assert (sums <= problem.limits.high).all()
    if not relax:
        assert found.how == "integer program"


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_implications_and_exactly_one_hold(seed):
    rng = np.random.default_rng(seed)
    problem = Problem()
    parts = [problem.part({"f": 1.0}, label=i) for i in range(6)]
    problem.exactly_one(parts[:3], "one of the first three")
    problem.implies(parts[0], parts[4], "0 needs 4")
    problem.implies(parts[3], parts[5], "3 needs 5")
    compiled = problem.compile(FeatureIndex())
    scores = rng.normal(size=6)
    found = best_structure(compiled, scores)
    assert found.value == pytest.approx(brute_force(compiled, scores))
    assert found.chosen[:3].sum() == 1
    assert found.chosen[4] or not found.chosen[0]


def test_a_fractional_relaxation_is_not_taken_for_an_answer():
    problem = Problem()
    parts = [problem.part({}) for _ in range(3)]
    for a, b in itertools.combinations(parts, 2):
        problem.at_most_one([a, b], "no two")
    found = best_structure(problem.compile(FeatureIndex()), np.ones(3))
    assert (found.value, found.how) == (1, "integer program")


def test_without_constraints_all_good_parts_are_chosen():
    problem = Problem()
    for _ in range(3):
        problem.part({})
    found = best_structure(problem.compile(FeatureIndex()), np.array([1.0, -1.0, 2.0]))
    assert found.chosen.tolist() == [True, False, True]
    assert best_structure(Problem().compile(FeatureIndex()), np.zeros(0)).value == 0


def test_an_impossible_problem_names_the_constraint():
    problem = Problem()
    a, b = problem.part({}), problem.part({})
    problem.exactly_one([a], "a is there")
    problem.exactly_one([b], "b is there")
    problem.at_most_one([a, b], "a and b exclude each other")
    compiled = problem.compile(FeatureIndex())
    for relax in (True, False):
        with pytest.raises(ValueError, match="no structure satisfies all constraints; without 'a is there' one does"):
            best_structure(compiled, np.ones(2), relax=relax)


def test_a_time_limit_gives_the_bound_or_says_that_there_is_nothing():
    rng = np.random.default_rng(0)
    problem = Problem()
    parts = [problem.part({}) for _ in range(120)]
    for number in range(60):
        weights = {
            int(part): float(w) for part, w in zip(rng.permutation(parts)[:40], rng.uniform(1, 9, 40), strict=True)
        }
        problem.constraint(weights, 0, 60, f"knapsack {number}")
    compiled, scores = problem.compile(FeatureIndex()), rng.uniform(1, 9, 120)
    try:
        found = best_structure(compiled, scores, time_limit=0.05, relax=False)
    except TimeoutError as error:
        assert "give more time" in str(error)  # noqa: PT017 - a slow machine may find nothing
        return
    assert found.bound >= found.value
    exact = best_structure(compiled, scores, time_limit=3, relax=False)
    assert exact.value <= found.bound + 1e-6


def test_features_and_constraints_are_compiled_to_matrices():
    problem, index = Problem(), FeatureIndex()
    problem.part({"a": 2.0, "b": 1.0})
    problem.part({"b": 3.0}, heuristic=0.5)
    problem.always({"bias": 1.0})
    compiled = problem.compile(index)
    assert compiled.features.toarray().tolist() == [[2, 1, 0], [0, 3, 0]]
    assert compiled.vector(np.array([True, True])).toarray().tolist() == [[2, 4, 1]]
    assert compiled.heuristic.tolist() == [0, 0.5]
    weights = np.array([1.0, 10.0, 100.0])
    assert compiled.scores(weights).tolist() == [12, 30]
    assert compiled.offset(weights) == 100
    index.closed = True
    later = Problem()
    later.part({"b": 1.0, "new": 5.0})
    assert later.compile(index).features.toarray().tolist() == [[0, 1, 0]]


def test_bad_problems_say_what_is_wrong():
    problem = Problem()
    part = problem.part({"a": 1.0}, label="first")
    with pytest.raises(ValueError, match="feature 'x' of part 'p' is nan"):
        problem.part({"x": np.nan}, label="p")
    with pytest.raises(ValueError, match="heuristic score of part 'p' is inf"):
        problem.part({}, label="p", heuristic=np.inf)
    with pytest.raises(ValueError, match="feature 'g' is nan"):
        problem.always({"g": np.nan})
    with pytest.raises(ValueError, match="about part 7, but there are 1 parts"):
        problem.at_most_one([part, 7], "c")
    with pytest.raises(ValueError, match="at least 2 and at most 1"):
        problem.constraint({part: 1.0}, 2, 1, "c")
    with pytest.raises(ValueError, match="1 finite numbers"):
        best_structure(problem.compile(FeatureIndex()), np.array([np.nan]))

"""LCLR: its inner problem against a generic solver, its objective along iterations, hidden structures recovered."""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.base import clone

from semwork.structures import LCLR, AlignThenLearn, Problem, dual
from semwork.structures.columns import spreads
from semwork.structures.dual import CutSet
from semwork.structures.interior import interior_point


def hidden(x):
    """Choose one of an example's columns; the others do not count."""
    problem = Problem()
    parts = [
        problem.part({f"f{k}": float(v) for k, v in enumerate(column)}, label=place, heuristic=float(column[0]))
        for place, column in enumerate(x)
    ]
    problem.exactly_one(parts, "one column")
    problem.always({"bias": 1.0})
    return problem


def data(seed, count=40, columns=3, width=4):
    """Positive when some column is far along a hidden direction."""
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=width)
    X = rng.normal(size=(count, columns, width))
    y = np.where((X @ direction).max(axis=1) > np.median((X @ direction).max(axis=1)), 1, -1)
    return list(X), y


@pytest.mark.parametrize("few", [1000, 0], ids=["interior point", "descent and Newton"])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**6), st.sampled_from([0.1, 1.0, 10.0]))
def test_the_inner_problem_is_solved_as_by_a_generic_solver(monkeypatch, few, seed, regularization):
    monkeypatch.setattr(dual, "_MOST_IN_ONE_MATRIX", few)
    rng = np.random.default_rng(seed)
    groups = np.sort(rng.integers(0, 8, 20))
    signs = np.where(groups < 4, 1.0, -1.0)
    vectors = rng.normal(size=(20, 5))
    cuts = CutSet(5, 8, regularization)
    for vector, sign, group in zip(vectors, signs, groups, strict=True):
        cuts.add((np.arange(5), vector), sign, int(group))
    cuts.solve(1e-9, 200, np.random.RandomState(0))

    def primal(u):
        margins = np.maximum(1 - signs * (vectors @ u), 0)
        worst = np.zeros(8)
        np.maximum.at(worst, groups, margins)
        return regularization / 2 * u @ u + (worst**2).sum()

    generic = min(
        minimize(primal, start, method="Powell", options={"xtol": 1e-10, "ftol": 1e-14, "maxiter": 20_000}).fun
        for start in (np.zeros(5), cuts.weights)
    )
    assert cuts.objective() == pytest.approx(primal(cuts.weights))
    assert cuts.objective() <= generic * (1 + 1e-6)
    assert cuts.dual_objective() == pytest.approx(cuts.objective(), rel=1e-6)
    rebuilt = (cuts.alpha * signs) @ vectors / regularization
    np.testing.assert_allclose(cuts.weights, rebuilt, atol=1e-8)


def test_a_vector_is_known_once_and_can_be_replaced():
    cuts = CutSet(2, 1, 1.0)
    row = np.array([0, 1]), np.array([1.0, 2.0])
    assert cuts.add(row, 1.0, 0)
    assert not cuts.add((row[0].copy(), row[1].copy()), 1.0, 0)
    cuts.solve(1e-10, 100, np.random.RandomState(0))
    cuts.replace(0, (np.array([1]), np.array([1.0])))
    np.testing.assert_allclose(cuts.weights, cuts.alpha[0] * np.array([0.0, 1.0]))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.3, 3.0]))
def test_the_objective_never_rises(seed, regularization):
    X, y = data(seed, 24)
    model = LCLR(hidden, regularization=regularization, random_state=0)
    objectives = [step.objective for step in model.steps(X, y)]
    assert len(objectives) >= 2
    assert all(later <= earlier for earlier, later in itertools.pairwise(objectives))
    assert objectives == model.objective_path_
    u, lam = model.weights_, regularization
    margins = np.maximum(1 - y * model.decision_function(X), 0)
    assert objectives[-1] == pytest.approx(lam / 2 * u @ u + (margins**2).sum(), rel=1e-9)


def free(x):
    """Choose any of an example's parts, or none."""
    problem = Problem()
    for features, heuristic in zip(*x, strict=True):
        problem.part({f"f{k}": float(v) for k, v in enumerate(features)}, heuristic=float(heuristic))
    return problem


def freely(seed, count=14, parts=3):
    rng = np.random.default_rng(seed)
    X = [(rng.integers(-3, 4, size=(parts, 2)), rng.integers(-2, 3, size=parts)) for _ in range(count)]
    return X, np.arange(count) % 2


def objective_of(free_examples, y, u, regularization):
    """The objective for weights, one pair in each row of u, without any of the learner's code."""
    loss = regularization / 2 * (u**2).sum(axis=1)
    for (features, _), label in zip(free_examples, y, strict=True):
        best = np.maximum(u @ features.T, 0).sum(axis=1)
        loss += np.maximum(1 - (best if label else -best), 0) ** 2
    return loss


def least(free_examples, y, regularization):
    """The global minimum: the best points of a grid, each followed downwards."""
    radius = np.sqrt(2 * len(y) / regularization)  # outside, the penalty alone is more than the objective of u = 0
    axis = np.linspace(-radius, radius, 151)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    values = objective_of(free_examples, y, grid, regularization)
    return min(
        minimize(
            lambda u: objective_of(free_examples, y, u[None], regularization)[0],
            grid[start],
            method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-12},
        ).fun
        for start in np.argsort(values)[:3]
    )


def test_learning_goes_on_where_the_objective_stands_still_but_structures_do_not():
    X = [
        ([[3, -2], [3, 1]], [0, -1]),
        ([[-2, -1], [1, 1]], [-1, 2]),
        ([[2, 3], [1, 1]], [0, 2]),
        ([[3, 0], [1, -1]], [2, 0]),
    ]
    model = LCLR(free, regularization=0.1, random_state=0).fit(X, [0, 1, 0, 1])
    assert model.objective_path_[2] == pytest.approx(4.0, abs=1e-6), "where u is 0 and all structures tie"
    assert model.objective_path_[-1] == pytest.approx(3.0099, abs=1e-4)
    assert len(model.objective_path_) < model.max_iter


@pytest.mark.slow
def test_going_on_helps_and_more_starts_find_the_best_weights_there_are():
    stalls, alone, several = 0, [], []
    for seed in range(30):
        X, y = freely(seed)
        best = least(X, y, 0.1)
        steps = list(LCLR(free, 0.1, random_state=0).steps(X, y))
        path = [step.objective for step in steps]
        stood = [i for i, (one, two) in enumerate(itertools.pairwise(path)) if one - two <= 1e-5 * one]
        stalls += path[stood[0]] > path[-1] * (1 + 1e-4)
        assert steps[-1].changed == 0
        assert len(path) < 31
        model = LCLR(free, 0.1, random_state=0, n_starts=6).fit(X, y)
        assert len(model.start_objectives_) == 6
        assert model.start_objectives_[0] == path[-1], "the first start is the one without others"
        assert min(model.start_objectives_) == model.objective_path_[-1]
        at_the_end = objective_of(X, y, model.weights_[None], 0.1)[0]
        assert model.objective_path_[-1] == pytest.approx(at_the_end, rel=1e-9)
        alone.append(path[-1] / best)
        several.append(model.objective_path_[-1] / best)
    assert stalls >= 2
    assert min(several) > 1 - 1e-6, "nothing is below the minimum"
    assert sum(one < 1 + 1e-3 for one in several) >= 28
    assert sum(one < 1 + 1e-3 for one in alone) <= 25


def test_lclr_starts_from_the_two_stage_system():
    X, y = data(3, 100)
    model = LCLR(hidden, regularization=1.0, random_state=0, standardize=True)
    next(model.steps(X, y))
    start = AlignThenLearn.at_start_of(model)
    staged = AlignThenLearn(hidden, regularization=1.0, random_state=0, standardize=True).fit(X, y)
    np.testing.assert_allclose(start.decision_function(X), staged.decision_function(X), atol=1e-4)
    model.fit(X, y)
    np.testing.assert_array_equal(start.predict(X), staged.predict(X))
    assert not np.allclose(start.weights_, model.weights_), "what LCLR learns later is its own"


def test_a_hidden_structure_is_found_and_beats_the_two_stages():
    X, y = data(3, 300)
    held, truth = X[200:], y[200:]
    joint = LCLR(hidden, regularization=1.0, random_state=0).fit(X[:200], y[:200])
    staged = AlignThenLearn(hidden, regularization=1.0, random_state=0).fit(X[:200], y[:200])
    assert joint.score(held, truth) > 0.9
    assert joint.score(held, truth) > staged.score(held, truth) + 0.05
    [table] = joint.structures(held[:1])
    assert len(table) == 1
    scores = held[0] @ joint.weights_[:4]
    assert table["part"][0] == scores.argmax()
    assert table["score"][0] == pytest.approx(scores.max())
    top = joint.top_features(2)
    assert len(top) == 4
    assert top["weight"].is_monotonic_decreasing


@pytest.mark.parametrize("learner", [LCLR, AlignThenLearn])
def test_standardised_features_may_come_in_any_unit(learner):
    X, y = data(7, 60)
    units = np.array([1.0, 50.0, 0.02, 3.0])

    def other_units(x):
        problem = Problem()
        parts = [
            problem.part(
                {f"f{k}": float(v * unit) for k, (v, unit) in enumerate(zip(column, units, strict=True))},
                heuristic=float(column[0]),
            )
            for column in x
        ]
        problem.exactly_one(parts, "one column")
        problem.always({"bias": 1.0})
        return problem

    given = {"regularization": 2.0, "random_state": 0, "standardize": True}
    plain, changed = learner(hidden, **given).fit(X, y), learner(other_units, **given).fit(X, y)
    np.testing.assert_allclose(changed.decision_function(X), plain.decision_function(X), atol=2e-3)
    np.testing.assert_allclose(changed.weights_[:4] * units, plain.weights_[:4], atol=2e-3)
    without = learner(other_units, regularization=2.0, random_state=0).fit(X, y)
    assert np.abs(without.decision_function(X) - plain.decision_function(X)).max() > 0.05
    if learner is LCLR:
        path = plain.objective_path_
        assert all(later <= earlier * (1 + 1e-6) for earlier, later in itertools.pairwise(path))
        scaled, margins = plain.weights_ * plain.scales_, np.maximum(1 - y * plain.decision_function(X), 0)
        assert path[-1] == pytest.approx(scaled @ scaled + (margins**2).sum(), rel=1e-9)


def test_a_column_that_is_constant_but_for_rounding_is_no_tiny_unit():
    vectors = np.column_stack([np.full(301, 0.1), np.arange(301.0), np.zeros(301)])
    rows = [(np.flatnonzero(vector), vector[vector != 0]) for vector in vectors]
    np.testing.assert_allclose(spreads(rows, 3), [0.01, vectors[:, 1].std(), 1.0])


def test_names_of_classes_are_kept_and_equal_seeds_give_equal_results():
    X, y = data(5, 40)
    names = np.where(y > 0, "yes", "no")
    model = LCLR(hidden, random_state=1).fit(X, names)
    assert set(model.predict(X)) <= {"yes", "no"}
    again = clone(model).fit(X, names)
    np.testing.assert_array_equal(model.weights_, again.weights_)


@pytest.mark.slow
def test_processes_change_nothing_but_the_time():
    X, y = data(11, 30)
    alone, several = (LCLR(hidden, random_state=0, n_jobs=jobs).fit(X, y) for jobs in (1, 2))
    np.testing.assert_array_equal(alone.weights_, several.weights_)
    assert alone.objective_path_ == several.objective_path_


def test_vectors_that_hardly_differ_do_not_stop_the_interior_point_method():
    rng = np.random.default_rng(0)
    cuts = CutSet(6, 20, 0.01)
    for group in range(20):
        vector = rng.normal(size=6)
        for _ in range(8):
            cuts.add((np.arange(6), vector + 1e-7 * rng.normal(size=6)), 1.0 if group % 2 else -1.0, group)
    rounds, gap = cuts.solve(1e-8, 50, np.random.RandomState(0))
    assert rounds == 1
    assert 0 <= gap + 1e-12 <= 1e-8 * cuts.objective() + 1e-12


def test_an_end_that_numbers_cannot_reach_is_not_run_past():
    rng = np.random.default_rng(0)
    narrow = rng.normal(size=(300, 8)) * 30
    rows = np.column_stack([narrow, narrow @ rng.normal(size=(8, 40)), np.full(300, 10.0)])
    groups = np.arange(300)

    def gap(tolerance):
        alpha = interior_point(rows, groups, 300, 0.5, tolerance)
        u = rows.T @ alpha / 0.5
        primal = 0.25 * u @ u + (np.maximum(1 - rows @ u, 0) ** 2).sum()
        return (primal - (alpha.sum() - 0.25 * u @ u - (alpha**2).sum() / 4)) / primal

    assert gap(1e-7) <= 1e-7
    assert gap(0.0) <= 1e-7, "the best one of all, not the last one"


def test_bad_input_says_what_is_wrong():
    X, y = data(0, 6)
    for model in (LCLR(hidden), AlignThenLearn(hidden)):
        with pytest.raises(ValueError, match="two classes, it has 1: 1"):
            model.fit(X, np.ones(6, dtype=int))
        with pytest.raises(ValueError, match=r"6 examples and labels of the shape \(5,\)"):
            model.fit(X, y[1:])
        with pytest.raises(ValueError, match="no examples"):
            model.fit([], [])
    with pytest.raises(ValueError, match="above 0, got 0"):
        LCLR(hidden, regularization=0).fit(X, y)
    with pytest.raises(ValueError, match="'squared_hinge', got 'log'"):
        LCLR(hidden, loss="log").fit(X, y)
    with pytest.raises(TypeError, match="must be a function"):
        LCLR().fit(X, y)
    with pytest.raises(TypeError, match="gave a int"):
        LCLR(lambda x: 3).fit(X, y)


def test_starts_are_reproducible_and_the_best_is_kept_while_they_run():
    X, y = freely(23)
    model = LCLR(free, 0.1, random_state=3, n_starts=4)
    seen = []
    for step in model.steps(X, y):
        seen.append(step)
        assert model.start_objectives_[-1] == step.objective
        assert model.objective_path_[-1] == min(model.start_objectives_)
        assert step.total == 4 * (model.max_iter + 1)
    assert [step.start for step in seen] == sorted(step.start for step in seen)
    assert {step.start for step in seen} == {1, 2, 3, 4}
    again = clone(model).fit(X, y)
    np.testing.assert_array_equal(again.weights_, model.weights_)
    assert again.start_objectives_ == model.start_objectives_
    best = int(np.argmin(model.start_objectives_)) + 1
    assert model.objective_path_ == [step.objective for step in seen if step.start == best]
    with pytest.raises(ValueError, match="n_starts must be a whole number from 1, got 0"):
        LCLR(free, n_starts=0).fit(X, y)

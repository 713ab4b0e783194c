"""Tests between two models against enumeration, scipy, and what must hold when there is no difference."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from semwork.evaluation import compare_correlations, paired_accuracy, paired_test, pearson, spearman


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=7))
def test_few_items_have_the_exact_p_value(rows):
    a, b = np.array(rows, dtype=float).T / 10
    away = np.round(10 * (a - b))  # whole numbers: ties among the sums are exact
    sums = [abs(np.dot(signs, away)) for signs in itertools.product((-1, 1), repeat=len(away))]
    found = paired_test(a, b, resamples=200)
    assert found.p_value == pytest.approx(np.mean(np.array(sums) >= abs(away.sum())))
    assert found.test == "exact sign flips"
    assert found.difference == pytest.approx((a - b).mean())


def test_many_items_have_about_the_exact_p_value():
    rng = np.random.default_rng(3)
    a, b = rng.random((2, 14))
    exact, drawn = paired_test(a, b, resamples=2**14), paired_test(a, b, resamples=2**14 - 1)
    assert exact.test == "exact sign flips"
    assert drawn.test == "16383 sign flips"
    assert 0.05 < exact.p_value < 0.95
    assert drawn.p_value == pytest.approx(exact.p_value, abs=4 * 0.5 / np.sqrt(2**14))


def test_the_p_value_and_the_interval_are_about_those_of_the_t_test():
    rng = np.random.default_rng(0)
    a = rng.normal(0.12, 1, 300)
    b = np.zeros(300)
    found, theirs = paired_test(a, b), stats.ttest_rel(a, b)
    assert found.p_value == pytest.approx(theirs.pvalue, abs=0.02)
    interval = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=0.015)


def test_a_model_is_not_better_than_itself():
    scores = np.random.default_rng(0).random(50)
    found = paired_test(scores, scores)
    assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)
    found = paired_accuracy(scores > 0.5, scores > 0.5)
    assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)
    found = compare_correlations(np.arange(50), scores, 2 * scores + 1)
    assert (found.difference, found.low, found.high, found.p_value) == pytest.approx((0, 0, 0, 1))


def test_p_values_are_never_zero_and_a_clear_difference_is_seen():
    found = paired_test(np.ones(100), np.zeros(100), resamples=999)
    assert found.p_value == 1 / 1000
    assert (found.difference, found.low, found.high) == (1, 1, 1)


def test_exchanging_the_models_turns_the_sign():
    rng = np.random.default_rng(0)
    gold, a, b = rng.random((3, 60))
    for one, other in (
        (paired_test(a, b), paired_test(b, a)),
        (paired_accuracy(a > 0.3, b > 0.5), paired_accuracy(b > 0.5, a > 0.3)),
        (compare_correlations(gold, a, b), compare_correlations(gold, b, a)),
    ):
        assert one.p_value == pytest.approx(other.p_value)
        assert (one.difference, one.low, one.high) == pytest.approx((-other.difference, -other.high, -other.low))
        assert one.low < one.difference < one.high


def test_many_items_and_resamples_need_little_memory():
    a, b = np.random.default_rng(0).random((2, 16_000))
    tracemalloc.start()
    try:
        paired_test(a, b, resamples=500)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20e6  # all at once would be 64 MB


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5), st.integers(1, 5))
def test_mcnemar_counts_the_items_on_which_one_is_right(wins, losses, both, none):
    a = np.repeat([1, 0, 1, 0], [wins, losses, both, none])
    b = np.repeat([0, 1, 1, 0], [wins, losses, both, none])
    found = paired_accuracy(a, b)
    tail = sum(stats.binom.pmf(k, wins + losses, 0.5) for k in range(min(wins, losses) + 1))
    assert found.p_value == pytest.approx(min(1, 2 * tail))
    assert found.difference == pytest.approx((wins - losses) / len(a))
    assert found.low <= found.difference + 1e-12
    assert found.high >= found.difference - 1e-12
    if wins + losses:
        assert (found.low > 0 or found.high < 0) == (found.p_value < 0.05)


def test_williams_equals_a_worked_example():
    """Steiger's formula by hand: r = .5 and .3 with the gold, .4 between them, 103 items."""
    gold, a, b = with_correlations([[1, 0.5, 0.3], [0.5, 1, 0.4], [0.3, 0.4, 1]], 103)
    determinant = 1 - 0.25 - 0.09 - 0.16 + 2 * 0.5 * 0.3 * 0.4
    t = 0.2 * np.sqrt(102 * 1.4 / (2 * 102 / 100 * determinant + 0.4**2 * 0.6**3))
    found = compare_correlations(gold, a, b)
    assert found.difference == pytest.approx(0.2)
    assert found.p_value == pytest.approx(2 * stats.t.sf(t, 100))


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_equally_good_models_are_called_different_as_often_as_said(kind):
    rng = np.random.default_rng(0)
    found = []
    for _ in range(400):
        gold, noise_a, noise_b = rng.normal(size=(3, 40))
        found.append(compare_correlations(gold, gold + noise_a, gold + noise_b, kind, resamples=100).p_value)
    assert np.mean(np.array(found) < 0.2) == pytest.approx(0.2, abs=0.07)


def test_the_bootstrap_holds_the_difference_of_the_correlations():
    rng = np.random.default_rng(1)
    gold, noise = rng.normal(size=(2, 200))
    a, b = gold + 0.5 * noise, gold + 2 * rng.normal(size=200)
    for kind, of in (("pearson", pearson), ("spearman", spearman)):
        found = compare_correlations(gold, a, b, kind)
        assert (found.a, found.b) == (of(gold, a), of(gold, b))
        drawn = rng.integers(0, 200, (1000, 200))
        low, high = np.quantile([of(gold[i], a[i]) - of(gold[i], b[i]) for i in drawn], [0.025, 0.975])
        assert (found.low, found.high) == pytest.approx((low, high), abs=0.03)


def test_a_perfect_model_can_be_compared():
    gold = np.arange(8.0)
    found = compare_correlations(gold, gold, [3, 1, 0, 2, 7, 5, 4, 6])
    assert found.a == 1
    assert 0 < found.p_value < 0.2


def test_models_that_together_know_everything_differ_for_sure():
    a, b = np.array([1.0, -1, 1, -1]), np.array([1.0, 1, -1, -1])
    assert compare_correlations(a - b, a, b).p_value < 1e-6


@pytest.mark.parametrize(
    ("compare", "words"),
    [
        (lambda: paired_test([1, 2], [1]), "a has 2, b has 1"),
        (lambda: paired_test([], []), "a has 0 items"),
        (lambda: paired_test([1, 2], [1, np.nan]), "b holds 1 value that is NaN"),
        (lambda: paired_test([1, 2], [1, 3], confidence=1), "between 0 and 1"),
        (lambda: paired_test([1, 2], [1, 3], resamples=1), "at least 100"),
        (lambda: paired_accuracy([0, 1, 3], [0, 1, 1]), "right_a holds 3"),
        (lambda: paired_accuracy([0, 1], [0, 1, 1]), "right_a has 2, right_b has 3"),
        (lambda: paired_accuracy([0, 1], [0, 1], confidence=2), "between 0 and 1"),
        (lambda: compare_correlations([1, 2, 3], [1, 2, 3], [1, 3, 2]), "at least 4"),
        (lambda: compare_correlations([1, 2, 3, 4], [1, 2, 3, 4], [1] * 4), "b is constant"),
        (lambda: compare_correlations([1, 2, 4, 3], [1, 2, 3, 4], [-1, -2, -3, -4]), "upside down"),
        (lambda: compare_correlations([1, 2, 4, 3], [1, 2, 3, 4], [1, 3, 2, 4], "tau"), "'pearson' or 'spearman'"),
    ],
)
def test_bad_input_is_refused_in_words(compare, words):
    with pytest.raises(ValueError, match=words):
        compare()


def with_correlations(wanted, n):
    """Three variables whose correlations in the sample are exactly those wanted."""
    free = np.random.default_rng(0).normal(size=(n, 3))
    free, _ = np.linalg.qr(free - free.mean(axis=0))
    return (free @ np.linalg.cholesky(np.array(wanted)).T).T

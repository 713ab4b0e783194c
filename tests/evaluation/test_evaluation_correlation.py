"""Correlations and their intervals against scipy."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from semwork.evaluation import correlation, pearson, spearman
from semwork.evaluation.bootstrap import bca_interval, percentile_interval, resampled_means, resamples_of
from semwork.evaluation.correlation import weighted_correlation

pairs = st.integers(3, 25).flatmap(
    lambda n: st.tuples(*[hnp.arrays(np.float64, n, elements=st.integers(-5, 5).map(float))] * 2)
)


def some_pairs(n, seed=0):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 11, n) / 2  # human scores tie
    return gold, gold + rng.gamma(1.0, 2.0, n)


@given(pairs)
def test_values_are_those_of_scipy(case):
    x, y = case
    assume(np.ptp(x) and np.ptp(y))
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-12)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y)[0], abs=1e-12)


@given(pairs, st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_scale_and_origin_do_not_matter(case, scale, shift):
    x, y = case
    assume(np.ptp(x) and np.ptp(y))
    assert pearson(x, scale * y + shift) == pytest.approx(pearson(x, y), abs=1e-6)
    assert pearson(x, -scale * y) == pytest.approx(-pearson(x, y), abs=1e-12)
    assert spearman(x, np.exp(y)) == pytest.approx(spearman(x, y), abs=1e-12)


def exactly(x, y):
    """Pearson's r of these very floats, in fractions, with 30 digits for the root."""
    x, y = ([Fraction(value) for value in values.tolist()] for values in (x, y))
    x, y = ([value - sum(values) / len(values) for value in values] for values in (x, y))
    xy, xx, yy = (sum(a * b for a, b in zip(*pair, strict=True)) for pair in ((x, y), (x, x), (y, y)))
    square = xy * xy / (xx * yy)
    root = Fraction(math.isqrt(square.numerator * 10**60 // square.denominator), 10**30)
    return float(root if xy > 0 else -root)


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e12, -1e15, 3e15])
def test_an_offset_costs_no_digits(offset):
    for seed in range(5):
        x, y = some_pairs(30, seed)
        far = y + offset
        assert pearson(x, far) == pytest.approx(exactly(x, far), abs=1e-13)
        assert pearson(far, -x) == pytest.approx(exactly(far, -x), abs=1e-13)
        drawn = np.ones((1, 30))
        assert weighted_correlation(x, far)(drawn)[0] == pytest.approx(exactly(x, far), abs=1e-12)


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_huge_and_tiny_numbers_are_as_good_as_others(size):
    x, y = some_pairs(20)
    assert pearson(x * size, y * size) == pytest.approx(pearson(x, y))


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
@given(case=pairs, seed=st.integers(0, 99))
def test_a_resample_by_weights_is_the_resample_itself(kind, case, seed):
    x, y = case
    assume(np.ptp(x) and np.ptp(y))
    drawn = np.random.default_rng(seed).integers(0, len(x), len(x))
    found = weighted_correlation(x, y, kind)(np.bincount(drawn, minlength=len(x))[None, :].astype(float))[0]
    if np.ptp(x[drawn]) and np.ptp(y[drawn]):
        assert found == pytest.approx({"pearson": pearson, "spearman": spearman}[kind](x[drawn], y[drawn]), abs=1e-9)
    else:
        assert np.isnan(found)


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_the_interval_is_that_of_scipy(kind):
    x, y = some_pairs(40)
    of = {"pearson": lambda a, b: stats.pearsonr(a, b)[0], "spearman": lambda a, b: stats.spearmanr(a, b)[0]}[kind]
    theirs = stats.bootstrap(
        (x, y), of, paired=True, vectorized=False, n_resamples=2000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    ours = correlation(x, y, kind, resamples=20_000)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.03)  # the luck of 2000 resamples
    assert ours.value == pytest.approx(of(x, y))


def test_the_interval_narrows_with_more_pairs_and_less_confidence():
    def width(n, **options):
        found = correlation(*some_pairs(n), **options)
        assert found.low < found.value < found.high
        return found.high - found.low

    assert width(1000) < width(30)
    assert width(30, confidence=0.5) < width(30, confidence=0.99)


def test_small_samples_whose_resamples_are_often_constant_have_an_interval():
    found = correlation([0, 0, 0, 1], [0, 1, 0, 2], resamples=500)
    assert -1 <= found.low <= found.value <= found.high <= 1
    perfect = correlation([1, 2, 3], [2, 4, 6])
    assert (perfect.value, perfect.low, perfect.high) == pytest.approx((1, 1, 1))


def test_a_resample_of_one_far_item_is_constant_and_has_no_value():
    x = np.array([1e6, *range(1, 3000)])
    weights = np.zeros((2, 3000))
    weights[0, 0] = 3000
    weights[1, [1, 2]] = 1500  # two near ones are not
    values = weighted_correlation(x, -x)(weights)
    assert np.isnan(values[0])
    assert values[1] == pytest.approx(-1)


def test_bias_and_acceleration_are_corrected_as_scipy_does():
    values = np.random.default_rng(0).exponential(size=20)  # the variance of skewed values: both corrections are large

    def variance(weights):
        mean = weights @ values / weights.sum(axis=1)
        return weights @ values**2 / weights.sum(axis=1) - mean**2

    ours = bca_interval(variance, values.var(), 20, 40_000, 0.95, np.random.default_rng(1))
    theirs, plain = (
        stats.bootstrap((values,), np.var, n_resamples=40_000, method=method, rng=np.random.default_rng(2))
        for method in ("BCa", "percentile")
    )
    interval = theirs.confidence_interval
    assert ours == pytest.approx((interval.low, interval.high), rel=0.05)
    assert ours != pytest.approx((plain.confidence_interval.low, plain.confidence_interval.high), rel=0.2)


def test_an_interval_leaves_out_resamples_without_a_value():
    assert percentile_interval(np.array([np.nan, 1.0, 2.0, 3.0, np.nan]), 0.5) == (1.5, 2.5)
    with pytest.raises(ValueError, match="no resample has a value"):
        percentile_interval(np.full(3, np.nan), 0.5)


def test_the_seed_decides():
    x, y = some_pairs(30)
    assert correlation(x, y, random_state=4) == correlation(x, y, random_state=4)
    assert correlation(x, y, random_state=4) != correlation(x, y, random_state=5)


def test_resamples_draw_every_item_equally_often():
    weights = np.concatenate(list(resamples_of(70_000, 7, np.random.default_rng(0))))  # several blocks
    assert weights.shape == (7, 70_000)
    np.testing.assert_array_equal(weights.sum(axis=1), 70_000)
    counts = np.concatenate([block.ravel() for block in resamples_of(5, 4000, np.random.default_rng(0))])
    for times in range(4):  # binomial
        assert np.mean(counts == times) == pytest.approx(stats.binom.pmf(times, 5, 0.2), abs=0.02)


def test_means_of_resamples_have_the_error_of_the_mean():
    values = np.random.default_rng(0).normal(size=400)
    means = resampled_means(values, 5000, np.random.default_rng(1))
    assert len(means) == 5000
    assert means.mean() == pytest.approx(values.mean(), abs=4 * values.std() / np.sqrt(400 * 5000))
    assert means.std() == pytest.approx(values.std() / 20, rel=0.05)


@pytest.mark.parametrize(
    ("gold", "predicted", "words"),
    [
        ([1, 2, 3, 4], [1, 2, 3], "gold has 4, predicted has 3"),
        ([1, 2, np.nan], [1, 2, 3], "gold holds 1 value that is NaN"),
        ([1, 2, 3], [1, np.inf, np.inf], "predicted holds 2 values that are NaN or infinite .the first at 1"),
        ([], [], "gold has 0 items"),
        ([4, 4, 4], [1, 2, 3], "gold is constant: all 3 values are 4"),
        ([1, 2, 3], [0.1, 0.1, 0.1], "predicted is constant"),
        ([[1, 2, 3]], [1, 2, 3], "one dimension"),
        (["a", "b", "c"], [1, 2, 3], "cannot be read as numbers"),
    ],
)
def test_bad_input_is_refused_in_words(gold, predicted, words):
    for of in (pearson, spearman, correlation):
        with pytest.raises(ValueError, match=words):
            of(gold, predicted)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "kendall"}, "'pearson' or 'spearman'"),
        ({"resamples": 5}, "at least 100"),
        ({"confidence": 95}, "0.95"),
    ],
)
def test_bad_options_are_refused_in_words(options, words):
    with pytest.raises(ValueError, match=words):
        correlation([1, 2, 3], [1, 3, 2], **options)

"""The SemEval scores against explicit fits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from semwork.evaluation import sts_scores

SIZES = {"MSRpar": 30, "MSRvid": 20, "OnWN": 7}


def some_sets(seed=0):
    rng = np.random.default_rng(seed)
    group = np.repeat(list(SIZES), list(SIZES.values()))
    gold = rng.random(len(group)) * 5
    return gold, gold * rng.normal() + rng.normal(size=len(group)), group


@pytest.mark.parametrize("seed", range(6))
def test_scores_equal_their_definitions(seed):
    gold, predicted, group = some_sets(seed)
    found = sts_scores(gold, predicted, group)
    fitted = np.empty_like(gold)
    for name in SIZES:
        here = group == name
        fitted[here] = np.polyval(np.polyfit(predicted[here], gold[here], 1), predicted[here])
        assert found.sets[name] == pytest.approx(stats.pearsonr(gold[here], predicted[here])[0])
    assert found.sizes == SIZES
    assert found.all == pytest.approx(stats.pearsonr(gold, predicted)[0])
    assert found.all_normalised == pytest.approx(stats.pearsonr(gold, fitted)[0])
    assert found.mean == pytest.approx(sum(found.sets[name] * size for name, size in SIZES.items()) / 57)


@given(st.lists(st.tuples(st.floats(0.01, 100), st.floats(-50, 50)), min_size=3, max_size=3))
def test_allnrm_and_mean_forgive_each_set_its_own_scale(lines):
    gold, predicted, group = some_sets()
    slope, shift = np.repeat(lines, list(SIZES.values()), axis=0).T
    before, after = sts_scores(gold, predicted, group), sts_scores(gold, slope * predicted + shift, group)
    assert after.all_normalised == pytest.approx(before.all_normalised)
    assert after.mean == pytest.approx(before.mean)


def test_all_does_not_forgive_it():
    gold, _, group = some_sets()
    shifted = gold + 9 * (group == "OnWN")
    found = sts_scores(gold, shifted, group)
    assert (found.all_normalised, found.mean) == pytest.approx((1, 1))
    assert found.all < 0.9


def test_predictions_that_say_nothing_have_an_allnrm_of_zero():
    assert sts_scores([1, 2, 3], [1, 0, 1], ["a"] * 3).all_normalised == 0


def test_the_table_keeps_the_order_of_the_file():
    gold, predicted, group = some_sets()
    found = sts_scores(gold, predicted, group)
    table = found.table()
    assert table["set"].tolist() == ["MSRpar", "MSRvid", "OnWN", "ALL", "ALLnrm", "Mean"]
    assert table["pairs"].tolist() == [30, 20, 7, 57, 57, 57]
    assert table["pearson"].tolist()[3:] == [found.all, found.all_normalised, found.mean]


@pytest.mark.parametrize(
    ("gold", "predicted", "group", "words"),
    [
        ([1, 2, 3, 4], [1, 2, 5, 5], ["a", "a", "b", "b"], "set b: predicted is constant"),
        ([1, 2, 3], [1, 2, 5], ["a", "a", "b"], "set b: gold has 1 items"),
        ([1, 2, 3], [1, 2, 5], ["a", "a"], "group has 2"),
    ],
)
def test_bad_input_is_refused_in_words(gold, predicted, group, words):
    with pytest.raises(ValueError, match=words):
        sts_scores(gold, predicted, group)

"""Decisions of a classifier, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score
from sklearn.metrics import f1_score as sklearn_f1

from semwork.evaluation import decisions


@given(st.lists(st.tuples(st.booleans(), st.integers(-4, 4)), min_size=1, max_size=40), st.floats(0, 1))
def test_scores_are_those_of_scikit_learn(rows, prior):
    labels, scores = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], dtype=float)
    found = decisions(labels, scores, prior)
    assert found.error == pytest.approx(np.mean(labels != (scores > 0)))
    assert found.f1 == pytest.approx(sklearn_f1(labels, scores > 0, zero_division=0))
    if labels.any():
        assert found.average_precision == pytest.approx(average_precision_score(labels, scores))
    # Every threshold, the highest first: what it accepts comes as near to the share as equal scores allow.
    thresholds = [np.inf, *sorted(set(scores.tolist()), reverse=True)]
    nearest = min(thresholds, key=lambda least: abs(int((scores >= least).sum()) - round(prior * len(labels))))
    assert found.prior_f1 == pytest.approx(sklearn_f1(labels, scores >= nearest, zero_division=0))
    order = np.random.default_rng(0).permutation(len(labels))
    assert decisions(labels[order], scores[order], prior) == found


def test_equal_scores_are_accepted_together_in_any_order():
    labels, scores = np.array([1, 0, 0, 1, 0]), np.array([2.0, 1, 1, 1, 0])
    for prior, f1 in ((0.2, 1 / 1.5), (0.4, 1 / 1.5), (0.6, 2 / 3), (0.8, 2 / 3)):
        assert decisions(labels, scores, prior).prior_f1 == pytest.approx(f1)
        assert decisions(labels[::-1], scores[::-1], prior).prior_f1 == pytest.approx(f1)
    assert decisions([1, 0, 0, 0], [5, 5, 5, 5], 0.25).prior_f1 == 0, "nobody is told apart, so nobody is accepted"


def test_a_good_ranking_with_a_wrong_bias_is_told_apart():
    found = decisions([1, 0, 0, 0], [-1.0, -2, -3, -4], prior=0.25)
    assert (found.f1, found.prior_f1, found.average_precision) == (0, 1, 1)


def test_no_yes_at_all_gives_zeros():
    assert decisions([0, 0], [-1, -1], 0.0) == decisions([False, False], [-1, -1], 0.0)
    assert decisions([0, 0], [-1, -1], 0.0).average_precision == 0


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="lengths differ"):
        decisions([0, 1], [0.5], 0.5)
    with pytest.raises(ValueError, match="prior is 2; it is a share"):
        decisions([0, 1], [0.5, 0.1], 2)
    with pytest.raises(ValueError, match="only 0 and 1"):
        decisions([-1, 1], [0.5, 0.1], 0.5)

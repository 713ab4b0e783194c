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
    accepted = np.zeros(len(labels), dtype=bool)
    accepted[np.argsort(-scores, kind="stable")[: round(prior * len(labels))]] = True
    assert found.prior_f1 == pytest.approx(sklearn_f1(labels, accepted, zero_division=0))


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

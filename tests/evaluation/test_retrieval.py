"""ATOP against its definition as an area, and against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import rankdata

from semwork.evaluation import atop, rank_scores, topk

similarities = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 6), st.integers(2, 9)), elements=st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])
)


@given(similarities, st.data())
def test_scores_equal_mid_ranks_dense_and_sparse(values, data):
    targets = data.draw(hnp.arrays(np.int64, values.shape[0], elements=st.integers(0, values.shape[1] - 1)))
    n = values.shape[1]
    ranks = np.array([rankdata(-row)[t] for row, t in zip(values, targets, strict=True)])
    expected = (n - ranks) / (n - 1)
    np.testing.assert_allclose(rank_scores(values, targets), expected)
    np.testing.assert_allclose(rank_scores(sparse.csr_array(values), targets), expected)


@given(hnp.arrays(np.float64, st.integers(1, 20), elements=st.floats(0, 1)))
def test_atop_is_the_area_under_the_recall_curve(scores):
    share = np.linspace(0, 1, 20_001)
    area = np.trapezoid(topk(scores, share), share)
    assert area == pytest.approx(atop(scores), abs=1e-3)


def test_a_query_without_a_known_word_scores_chance():
    assert rank_scores(np.zeros((1, 7)), [3])[0] == 0.5
    assert rank_scores(sparse.csr_array((1, 7)), [3])[0] == 0.5


@pytest.mark.parametrize(
    ("values", "targets", "words"),
    [
        (np.ones((2, 3)), [0], "one each"),
        (np.ones((1, 1)), [0], "at least 2"),
        (np.full((1, 3), np.nan), [0], "NaN"),
    ],
)
def test_bad_input_is_refused_in_words(values, targets, words):
    with pytest.raises(ValueError, match=words):
        rank_scores(values, targets)

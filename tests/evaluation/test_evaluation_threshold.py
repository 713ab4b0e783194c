"""A threshold given by hand is judged as the learnt one is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.evaluation import accuracy_curve, at_threshold, paraphrase

PAIRS = st.lists(st.tuples(st.integers(-20, 20).map(lambda n: n / 20), st.booleans()), min_size=1, max_size=30)


@given(PAIRS)
def test_it_agrees_with_the_curve_of_all_thresholds(pairs):
    scores, labels = map(np.array, zip(*pairs, strict=True))
    curve = accuracy_curve(scores, labels)
    for threshold, accuracy, f1 in zip(curve.threshold, curve.accuracy, curve.f1, strict=True):
        found = at_threshold(scores, labels, threshold)
        assert found.accuracy == pytest.approx(accuracy)
        assert found.f1 == pytest.approx(f1)


@given(PAIRS, PAIRS)
def test_at_the_learnt_threshold_it_says_what_paraphrase_says(train, test):
    learnt = paraphrase(*zip(*train, strict=True), *zip(*test, strict=True))
    found = at_threshold(*zip(*test, strict=True), learnt.threshold)
    assert (found.accuracy, found.f1, found.precision, found.recall) == pytest.approx(
        (learnt.accuracy, learnt.f1, learnt.precision, learnt.recall)
    )


def test_bad_input_is_refused_in_words():
    with pytest.raises(ValueError, match="lengths differ"):
        at_threshold([0.1, 0.2], [1], 0.5)
    with pytest.raises(ValueError, match="only 0 and 1"):
        at_threshold([0.1], [5], 0.5)

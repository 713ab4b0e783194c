"""Thresholds against trying every one, and the test set's numbers against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from semwork.evaluation import accuracy_curve, best_threshold, paraphrase

labelled = st.lists(
    st.tuples(st.one_of(st.integers(-3, 3).map(float), st.floats(-1e300, 1e300)), st.booleans()),
    min_size=1,
    max_size=25,
).map(lambda rows: (np.array([score for score, _ in rows]), np.array([label for _, label in rows])))


@given(labelled)
def test_the_curve_is_right_at_each_of_its_thresholds(case):
    scores, labels = case
    curve = accuracy_curve(scores, labels)
    assert (np.diff(curve.threshold) > 0).all()
    assert len(curve.threshold) == len(set(scores.tolist())) + 1
    for threshold, accuracy, f1 in zip(curve.threshold, curve.accuracy, curve.f1, strict=True):
        said = scores >= threshold
        assert accuracy == pytest.approx(metrics.accuracy_score(labels, said))
        assert f1 == pytest.approx(metrics.f1_score(labels, said, zero_division=0))


@given(labelled)
def test_no_threshold_is_more_accurate_and_of_equals_none_has_a_higher_f1(case):
    scores, labels = case
    every = [*np.unique(scores), np.inf]
    reached = [
        (np.mean((scores >= t) == labels), metrics.f1_score(labels, scores >= t, zero_division=0)) for t in every
    ]
    said = scores >= best_threshold(scores, labels)
    found = (np.mean(said == labels), metrics.f1_score(labels, said, zero_division=0))
    assert found == pytest.approx(max(reached))


@given(labelled, labelled)
def test_the_test_set_is_judged_as_scikit_learn_does(train, test):
    found = paraphrase(*train, *test)
    scores, labels = test
    said = scores >= found.threshold
    assert found.threshold == best_threshold(*train)
    assert found.accuracy == pytest.approx(metrics.accuracy_score(labels, said))
    assert found.f1 == pytest.approx(metrics.f1_score(labels, said, zero_division=0))
    assert found.precision == pytest.approx(metrics.precision_score(labels, said, zero_division=0))
    assert found.recall == pytest.approx(metrics.recall_score(labels, said, zero_division=0))
    assert found.train_accuracy == pytest.approx(np.mean((train[0] >= found.threshold) == train[1]))
    assert found.train_accuracy >= max(train[1].mean(), 1 - train[1].mean()) - 1e-12


def test_the_threshold_lies_midway_between_the_two_sides():
    assert best_threshold([0.25, 0.75, 0.0, 1.0], [0, 1, 0, 1]) == 0.5


def test_of_equally_accurate_thresholds_the_lowest_is_taken():
    assert best_threshold([1, 2, 3, 4], [1, 0, 1, 0]) == 1
    assert best_threshold([1, 2, 3, 4], [0, 1, 0, 1]) == 1.5


def test_neighbouring_floats_are_still_parted():
    low = 1.0
    high = np.nextafter(low, 2)
    assert low < best_threshold([low, high], [0, 1]) <= high


def test_the_majority_is_that_of_the_training_set():
    found = paraphrase([1, 2, 3], [0, 0, 1], [1, 2, 3, 4], [1, 1, 1, 0])
    assert found.majority_accuracy == 0.25
    assert paraphrase([1, 2], [0, 1], [1, 2, 3, 4], [1, 1, 1, 0]).majority_accuracy == 0.75  # an even split says yes


@pytest.mark.parametrize(
    ("scores", "labels", "words"),
    [
        ([1, 2], [0, 2], "labels holds 2"),
        ([1, 2], [0], "scores has 2, labels has 1"),
        ([1, np.nan], [0, 1], "scores holds 1 value that is NaN"),
        ([], [], "scores has 0 items"),
    ],
)
def test_bad_input_is_refused_in_words(scores, labels, words):
    with pytest.raises(ValueError, match=words):
        best_threshold(scores, labels)
    with pytest.raises(ValueError, match=f"train_{words.split()[0]}"):
        paraphrase(scores, labels, [1, 2], [0, 1])
    with pytest.raises(ValueError, match=f"test_{words.split()[0]}"):
        paraphrase([1, 2], [0, 1], scores, labels)

"""Averaged word vectors against sums by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from semwork.datasets import WordVectors, load
from semwork.similarity import cosine
from semwork.similarity.baselines import WordAverage

WORDS = ["a", "b", "c", "d", "e"]
VECTORS = WordVectors("five", WORDS, np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32))
sentences = st.lists(st.sampled_from([*WORDS, "x", "y"]), max_size=8).map(" ".join)


def by_hand(texts, training, weighting, a):
    every = [word for text in training for word in text.split()]

    def weight(word):
        if weighting == "sif":
            return a / (a + every.count(word) / max(1, len(every)))
        if weighting == "idf":
            return max(0.0, math.log(len(training) / (sum(word in text.split() for text in training) + 1)))
        return 1.0

    rows = []
    for text in texts:
        known = [word for word in text.split() if word in WORDS]
        parts = [weight(word) * VECTORS[word].astype(float) for word in known]
        rows.append(np.sum(parts, axis=0) / len(known) if known else np.zeros(3))
    return np.array(rows)


@settings(max_examples=60)
@given(
    st.lists(sentences, min_size=1, max_size=6),
    st.lists(sentences, min_size=1, max_size=4),
    st.sampled_from(["sif", "idf", "uniform"]),
    st.sampled_from([1e-3, 0.5]),
)
def test_rows_are_the_weighted_means(training, texts, weighting, a):
    model = WordAverage(VECTORS, weighting, a, remove_component=False).fit(training)
    np.testing.assert_allclose(model.transform(texts), by_hand(texts, training, weighting, a), atol=1e-12)


@settings(max_examples=40)
@given(st.lists(sentences, min_size=1, max_size=6), st.lists(sentences, min_size=1, max_size=4))
def test_the_first_singular_direction_of_the_training_rows_is_removed(training, texts):
    plain = by_hand(training, training, "sif", 1e-3)
    values, directions = np.linalg.svd(plain)[1:]
    model = WordAverage(VECTORS).fit(training)
    if len(values) > 1 and values[0] - values[1] < 1e-6 * max(values[0], 1e-9):
        return  # no direction is the first
    u = directions[0] if values[0] > 0 else np.zeros(3)
    rows = by_hand(texts, training, "sif", 1e-3)
    np.testing.assert_allclose(model.transform(texts), rows - np.outer(rows @ u, u), atol=1e-6)


@settings(max_examples=30)
@given(st.lists(sentences, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_words_and_texts_does_not_matter(training, random):
    shuffled = [" ".join(random.sample(text.split(), len(text.split()))) for text in training]
    order = random.sample(range(len(training)), len(training))
    model = WordAverage(VECTORS, remove_component=False).fit(training)
    other = WordAverage(VECTORS, remove_component=False).fit([shuffled[i] for i in order])
    rows = other.transform([shuffled[i] for i in order])
    np.testing.assert_allclose(rows, model.transform(training)[order], atol=1e-12)


def test_unknown_words_are_passed_over_and_empty_sentences_are_zero():
    model = WordAverage(VECTORS).fit(["a b", "c x x x", ""])
    rows = model.transform(["a x y", "a", "x y", "", "A!"])
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[4], rows[1])  # case is folded
    assert not rows[2:4].any()
    assert model.coverage_ == 0.5
    assert model.transform([]).shape == (0, 3)


def test_texts_without_any_known_word_can_be_fitted():
    model = WordAverage(VECTORS).fit(["x y", ""])
    assert not model.component_.any()
    np.testing.assert_allclose(model.transform(["a"]), [VECTORS["a"].astype(float)], rtol=1e-6)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="weighting must be 'sif', 'idf' or 'uniform', got 'tfidf'"):
        WordAverage(VECTORS, "tfidf").fit(["a"])
    with pytest.raises(ValueError, match="a must be a number above 0, got 0"):
        WordAverage(VECTORS, a=0).fit(["a"])
    with pytest.raises(TypeError, match=r"vectors must be WordVectors, .* got dict"):
        WordAverage({"a": [1.0]}).fit(["a"])
    with pytest.raises(ValueError, match=r"shape \(2, 3\) for 5 words"):
        WordAverage(WordVectors("short", WORDS, VECTORS.vectors[:2])).fit(["a"])
    with pytest.raises(ValueError, match="there are no sentences"):
        WordAverage(VECTORS).fit([])
    with pytest.raises(TypeError, match="texts must be a list"):
        WordAverage(VECTORS).fit("a b")
    with pytest.raises(NotFittedError):
        WordAverage(VECTORS).transform(["a"])


@pytest.mark.data("glove")
def test_glove_is_loaded_and_knows_what_is_alike():
    texts = load("sample").texts
    model = WordAverage().fit(texts)
    assert len(model.vectors_) == 400_000
    assert model.coverage_ > 0.95
    near, far = cosine(
        model.transform(["a small boat on the river"]),
        model.transform(["a little ship sails across the lake", "the company paid a dividend to its shareholders"]),
    )[0]
    assert near > far + 0.3

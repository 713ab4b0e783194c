"""LSA against the dense decomposition, and its laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from semwork.similarity.baselines import LSA
from semwork.steps import last


def weights(seed, sentences, words):
    rng = np.random.default_rng(seed)
    rows = rng.gamma(1.0, 2.0, (sentences, words)) * (rng.random((sentences, words)) < 0.6)
    rows[0, 0] = 1.0
    return rows


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 15), st.integers(1, 15), st.data())
def test_it_is_the_dense_decomposition(seed, sentences, words, data):
    X = weights(seed, sentences, words)
    rank = data.draw(st.integers(1, min(X.shape)))
    model = LSA(rank, random_state=seed)
    step = last(model.steps(sparse.csr_array(X)))
    values = np.linalg.svd(X, compute_uv=False)
    np.testing.assert_allclose(model.singular_values_, values[:rank], atol=1e-7 * values[0])
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(rank), atol=1e-8)
    rows = model.transform(X)
    # The error of the best approximation of this rank (Eckart and Young): no other has it unless the space is right.
    error = np.linalg.norm(X - rows @ model.components_)
    assert error == pytest.approx(np.sqrt((values[rank:] ** 2).sum()), abs=1e-6 * values[0])
    assert step.explained == pytest.approx((values[:rank] ** 2).sum() / (values**2).sum())


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_sentences_and_words_may_be_permuted(seed, rank):
    X = weights(seed, 12, 9)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(12), rng.permutation(9)
    plain = LSA(rank, random_state=0).fit_transform(X)
    permuted = LSA(rank, random_state=1).fit_transform(X[np.ix_(rows, columns)])
    np.testing.assert_allclose(permuted @ permuted.T, (plain @ plain.T)[np.ix_(rows, rows)], atol=1e-6)


def test_a_sentence_is_the_weighted_sum_of_its_words():
    X = weights(3, 12, 9)
    model = LSA(4, random_state=0).fit(X)
    words = model.transform(np.eye(9))
    np.testing.assert_allclose(model.transform(X), X @ words, atol=1e-12)


def test_signs_and_values_do_not_depend_on_the_seed():
    X = weights(4, 20, 15)
    one, two = LSA(5, random_state=1).fit(X), LSA(5, random_state=2).fit(X)
    np.testing.assert_allclose(one.components_, two.components_, atol=1e-8)
    same = LSA(5, random_state=1).fit(X)
    np.testing.assert_array_equal(one.components_, same.components_)


def test_too_many_dimensions_and_empty_matrices_are_refused():
    with pytest.raises(ValueError, match=r"n_components is 4, but 5 sentences × 3 words .* at most 3"):
        LSA(4).fit(np.ones((5, 3)))
    with pytest.raises(ValueError, match="n_components must be a whole number from 1, got 0"):
        LSA(0).fit(np.ones((5, 3)))
    with pytest.raises(ValueError, match=r"n_components must be a whole number from 1, got 2\.0"):
        LSA(2.0).fit(np.ones((5, 3)))
    with pytest.raises(ValueError, match=r"all cells .* are 0"):
        LSA(1).fit(sparse.csr_array((5, 3)))


@pytest.mark.parametrize("shape", [(9, 5), (5, 9)])
def test_more_dimensions_than_the_rank_are_harmless(shape):
    X = np.outer(np.arange(1, shape[0] + 1), np.arange(1, shape[1] + 1)).astype(float)
    model = LSA(3, random_state=0).fit(X)
    np.testing.assert_allclose(model.singular_values_[1:], 0, atol=1e-5)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(model.transform(X) @ model.components_, X, atol=1e-8)

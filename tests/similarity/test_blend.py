"""The blend of two models is the weighted mean of their cosines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import load
from semwork.similarity import LSA, WTMF, Blend, LDAVectors, RetrievalTask, TfidfCosine, cosine


@given(st.integers(0, 1000), st.floats(0, 1))
def test_inner_products_are_the_mean_of_the_cosines(seed, share):
    rng = np.random.default_rng(seed)
    X = rng.random((8, 6)) * (rng.random((8, 6)) < 0.6)
    model = Blend(LSA(2, random_state=0), TfidfCosine(), share=share).fit(X)
    rows = model.transform(X).toarray()
    expected = share * cosine(LSA(2, random_state=0).fit_transform(X), LSA(2, random_state=0).fit_transform(X))
    expected = expected + (1 - share) * cosine(X, X)
    np.testing.assert_allclose(rows @ rows.T, expected, atol=1e-6)


def test_the_ends_are_the_two_models():
    task = RetrievalTask.from_set(load("sample").dictionary)
    wtmf = WTMF(10, regularization=5.0, max_iter=3, random_state=0)
    assert task.ranking(Blend(wtmf, share=0.0)).atop == pytest.approx(task.ranking(TfidfCosine()).atop, abs=1e-9)
    assert task.ranking(Blend(wtmf, share=1.0)).atop == pytest.approx(task.ranking(wtmf).atop, abs=1e-4)


def test_what_cannot_be_blended_is_refused_in_words():
    with pytest.raises(ValueError, match="between 0 and 1"):
        Blend(share=2.0).fit(np.ones((3, 3)))
    with pytest.raises(ValueError, match="reads counts"):
        Blend(LDAVectors(2)).fit(np.ones((3, 3)))


def test_a_share_that_is_changed_after_the_fit_is_checked_before_it_is_used():
    model = Blend(LSA(1, random_state=0), TfidfCosine()).fit(np.eye(3))
    with pytest.raises(ValueError, match=r"share is 5 .*a number between 0 and 1"):
        model.set_params(share=5).transform(np.eye(3))
    assert np.isfinite(model.set_params(share=1).transform(np.eye(3)).toarray()).all()

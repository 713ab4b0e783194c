"""The normal–inverse-Wishart prior: densities against scipy, one token at a time against all at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from semwork.topics import NormalInverseWishart
from semwork.topics.prior import log_evidence


def some_prior(size, seed):
    random = np.random.default_rng(seed)
    square = random.standard_normal((size, size + 2))
    psi = square @ square.T + 0.1 * np.eye(size)
    return NormalInverseWishart(
        random.standard_normal(size), random.uniform(0.1, 5), psi, size + random.uniform(-0.9, 9)
    )


@given(st.integers(1, 6), st.integers(0, 8), st.integers(0, 10_000))
def test_predictive_density_is_scipys_multivariate_t(size, n_seen, seed):
    random = np.random.default_rng(seed)
    belief = some_prior(size, seed).of_size(size).posterior(random.standard_normal((n_seen, size)))
    points = random.standard_normal((5, size))
    freedom = belief.nu - size + 1
    scale = (belief.kappa + 1) / (belief.kappa * freedom) * belief.psi
    expected = stats.multivariate_t(belief.mean, scale, freedom).logpdf(points)
    np.testing.assert_allclose(belief.log_density(points), expected, rtol=1e-9)


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10_000))
def test_evidence_is_the_product_of_predictive_densities_in_any_order(size, n, seed):
    random = np.random.default_rng(seed)
    prior, vectors = some_prior(size, seed).of_size(size), random.standard_normal((n, size))
    product = 0.0
    belief = prior
    for vector in vectors[random.permutation(n)]:
        product += float(belief.log_density(vector))
        belief = belief.posterior(vector[None])
    at_once = prior.posterior(vectors)
    np.testing.assert_allclose(belief.psi, at_once.psi, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(belief.mean, at_once.mean, rtol=1e-7, atol=1e-9)
    before, after = (
        tuple(np.array([value]) for value in (some.kappa, some.nu, np.linalg.slogdet(some.psi)[1]))
        for some in (prior, at_once)
    )
    [evidence] = log_evidence(len(prior.psi), before, after)
    assert evidence == pytest.approx(product, rel=1e-8, abs=1e-8)


def test_rounding_does_not_make_psi_unsymmetric():
    q = np.linalg.qr(np.random.default_rng(0).standard_normal((4, 4)))[0]
    psi = NormalInverseWishart(psi=(q * 3.0) @ q.T).of_size(4).psi
    assert np.array_equal(psi, psi.T)
    np.testing.assert_allclose(psi, 3 * np.eye(4), atol=1e-12)


def test_counts_stand_for_copies():
    prior, vectors = some_prior(3, 1).of_size(3), np.random.default_rng(0).standard_normal((2, 3))
    copied, counted = prior.posterior(vectors[[0, 0, 0, 1]]), prior.posterior(vectors, [3, 1])
    np.testing.assert_allclose(copied.psi, counted.psi)
    assert copied.kappa == counted.kappa


def test_the_default_is_the_papers():
    prior = NormalInverseWishart().of_size(4)
    assert np.array_equal(prior.psi, 3 * np.eye(4))
    assert np.array_equal(prior.mean, np.zeros(4))
    assert prior.nu == 4


@pytest.mark.parametrize(
    ("given_prior", "said"),
    [
        ({"nu": 1.0}, "nu is 1; with vectors of 2 numbers it must be above 1"),
        ({"nu": float("nan")}, "must be above 1"),
        ({"psi": [[1.0, 2.0], [2.0, 1.0]]}, "not positive definite: its smallest eigenvalue is -1"),
        ({"psi": 0.0}, "not positive definite"),
        ({"psi": [[1.0, 0.5], [0.0, 1.0]]}, "not symmetric"),
        ({"psi": np.eye(3)}, "2 × 2 matrix"),
        ({"psi": float("nan")}, "finite"),
        ({"kappa": 0.0}, "kappa is 0.0; it must be a number above 0"),
        ({"mean": [1.0, 2.0, 3.0]}, "finite number or 2 of them"),
    ],
)
def test_a_wrong_prior_says_what_is_wrong(given_prior, said):
    with pytest.raises(ValueError, match=said):
        NormalInverseWishart(**given_prior).of_size(2)


def test_a_prior_without_size_says_so():
    with pytest.raises(ValueError, match="of_size"):
        _ = NormalInverseWishart().degrees

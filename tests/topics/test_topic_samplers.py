"""Every sampler draws from the right distribution, and its matrices stay what they should be."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from semwork.topics import EXACT, SAMPLERS, NormalInverseWishart, bulk_ess, planted, tiny_problem, variation_steps
from semwork.topics.documents import read_documents
from semwork.topics.samplers import Sampler, _function
from semwork.topics.samplers import cholesky as by_factor
from semwork.topics.samplers import precision as by_precision
from semwork.topics.samplers.factors import factorise, rank_one
from semwork.topics.samplers.loops import quadratic
from semwork.topics.state import State

PLAIN = tiny_problem()
PROBLEMS = {
    **{f"vectors {seed}": tiny_problem(random_state=seed) for seed in range(4)},
    # Tokens of one word in several topics at once: what makes samplers that go word by word special.
    "words twice": tiny_problem(documents=((0, 1, 2, 0), (3, 1, 4))),
    "empty documents, uneven alpha": tiny_problem(documents=((0, 1, 2), (), (0, 3)), alpha=[0.3, 1.0, 2.0]),
}


def far(problem, sampler, refresh=0, thin=10, n_steps=40):
    """Return how many times the distance of independent draws; a sweep in ten counts, so that draws are nearly that."""
    options = {"refresh": refresh, "thin": thin, "n_steps": n_steps}
    *_, step = variation_steps(problem, sampler, mh_steps=3, random_state=1, **options)
    return step.variation / step.floor


@pytest.mark.slow
@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_total_variation_is_near_that_of_independent_draws(sampler, name):
    assert far(PROBLEMS[name], sampler) < 1.3


@pytest.mark.slow
@pytest.mark.parametrize("sampler", ["alias", "fast"])
def test_the_same_test_with_more_draws_shows_the_bias_of_refreshing_the_table_always(sampler):
    assert far(PLAIN, sampler, n_steps=200) < 1.3 < far(PLAIN, sampler, refresh=1, n_steps=200)


@pytest.mark.slow
def test_thinning_tells_a_sampler_that_mixes_slowly_from_a_biased_one():
    slow = tiny_problem(random_state=3)
    assert far(slow, "fast", thin=1) > 1.3 > far(slow, "fast")
    assert far(PLAIN, "fast", refresh=1) > 1.3


def test_the_bias_does_not_go_away_with_more_sweeps_and_the_exact_curve_goes_down():
    biased = list(variation_steps(PLAIN, "fast", refresh=1, n_steps=40))
    exact = list(variation_steps(PLAIN, "fast", n_steps=40))
    assert biased[-1].variation > 0.8 * biased[9].variation
    assert exact[-1].variation < 0.65 * exact[9].variation  # a quarter of the square root would be half


def test_the_floor_is_what_independent_draws_have():
    problem, random = PLAIN, np.random.default_rng(0)
    for draws in (3_000, 100_000):
        found = [problem.variation(random.multinomial(draws, problem.posterior)) for _ in range(20)]
        assert problem.floor(draws) == pytest.approx(np.mean(found), rel=0.03)


def test_the_enumerated_posterior_is_bayes_rule_with_scipys_densities():
    problem = tiny_problem(documents=((0, 1), (1,)), n_topics=2)
    p, alpha = problem.prior, problem.alpha

    def t(x, seen):
        belief = p.posterior(np.array(seen).reshape(-1, 2))
        freedom = belief.nu - 1
        scale = (belief.kappa + 1) / (belief.kappa * freedom) * belief.psi
        return stats.multivariate_t(belief.mean, scale, freedom).pdf(x)

    expected = []
    for z in problem.states:
        seen, weight = {0: [], 1: []}, 1.0
        for place, (word, k) in enumerate(zip((0, 1, 1), z, strict=True)):
            earlier = [] if place in (0, 2) else [z[0]]
            weight *= (earlier.count(k) + alpha[k]) / (len(earlier) + alpha.sum()) * t(problem.vectors[word], seen[k])
            seen[k].append(problem.vectors[word])
        expected.append(weight)
    np.testing.assert_allclose(problem.posterior, np.array(expected) / sum(expected), rtol=1e-9)


def state_of(data, sampler, size, seed=0, psi=3.0):
    read = read_documents(data.documents, data.vectors)
    prior, alpha = NormalInverseWishart(psi=psi).of_size(size), np.full(4, 0.5)
    return State(read.words, read.starts, read.vectors, 4, alpha, prior, Sampler(sampler).keeps, seed)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_after_100_000_changes_the_state_is_what_its_tokens_say(sampler):
    data = planted(n_dimensions=6, separation=1.0, alpha=2.0)
    runner, state = Sampler(sampler), state_of(data, sampler, 6)
    runner.fill(state)
    function, rest = _function(sampler), () if runner.exact else (*runner._table, 0, 2)
    none, changes = np.zeros(0, np.int64), 0
    while changes < 100_000:
        tokens, moved, *_ = function(state.arrays, 20, none, 1, *rest)
        assert moved > 0
        changes += moved if runner.keeps == "precision" else tokens
    a = state.arrays
    found = [array.copy() for array in (a.counts, a.document_topic, a.means, a.matrices, a.logdets)]
    state.rebuild()
    counts, document_topic, means, matrices, logdets = found
    assert np.array_equal(counts, a.counts)
    assert np.array_equal(document_topic, a.document_topic)
    np.testing.assert_allclose(means, a.means, atol=1e-8)
    np.testing.assert_allclose(np.triu(matrices), np.triu(a.matrices), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(logdets, a.logdets, atol=1e-8)


@given(st.integers(1, 8), st.integers(0, 10_000))
@settings(max_examples=30)
def test_rank_one_update_and_downdate_are_those_of_a_fresh_factor(size, seed):
    random = np.random.default_rng(seed)
    square, v = random.standard_normal((size, size + 1)), random.standard_normal(size)
    psi, factor, fresh = square @ square.T + 0.5 * np.eye(size), np.zeros((size, size)), np.zeros((size, size))
    factorise(psi, factor)
    np.testing.assert_allclose(np.triu(factor), np.linalg.cholesky(psi).T, atol=1e-9)
    rank_one(factor, v.copy(), 1.0)
    factorise(psi + np.outer(v, v), fresh)
    np.testing.assert_allclose(np.triu(factor), np.triu(fresh), atol=1e-8)
    rank_one(factor, v.copy(), -1.0)
    np.testing.assert_allclose(np.triu(factor), np.linalg.cholesky(psi).T, atol=1e-7)


def test_scores_of_both_kinds_of_matrix_are_the_predictive_density_and_own_scores_leave_the_token_out():
    data = planted(n_dimensions=3)
    word = 5
    for name in ("cholesky", "precision"):
        state = state_of(data, name, 3)
        a, b, beliefs = state.arrays, np.empty(3), state.beliefs()
        x = a.vectors[word]
        token = int(a.order[a.word_starts[word]])
        for k in range(4):
            if name == "cholesky":
                found = by_factor.score(a, k, word, b)
            else:
                found = by_precision.score(a, k, a.logdets[k], quadratic(a.matrices[k], x - a.means[k]))
            assert found == pytest.approx(float(beliefs[k].log_density(x)), rel=1e-9)
        if name == "precision":
            own = int(a.topics[token])
            found = by_precision.own_score(a, own, a.logdets[own], quadratic(a.matrices[own], x - a.means[own]))
            inside = [w for w, k in zip(a.words, a.topics, strict=True) if k == own]
            inside.remove(word)
            without = state.prior.posterior(a.vectors[inside])
            assert found == pytest.approx(float(without.log_density(x)), rel=1e-9)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_same_seed_same_topics_other_seed_others(sampler):
    data = planted(separation=2.0)

    def run(seed):
        state, runner = state_of(data, sampler, 2, seed), Sampler(sampler)
        for _ in range(3):
            runner.sweep(state)
        return state.arrays.topics.copy()

    assert np.array_equal(run(1), run(1))
    assert not np.array_equal(run(1), run(2))


def test_exact_samplers_that_share_an_order_draw_the_same_topics():
    data = planted(separation=2.0)
    found = []
    for sampler in ("naive", "cholesky"):
        state = state_of(data, sampler, 2, 7)
        Sampler(sampler).sweep(state, 5)
        found.append(state.arrays.topics.copy())
    assert np.array_equal(*found)


# Geweke's joint test: (topics, vectors) drawn from the model must look like a chain that alternates a sweep with
# vectors drawn anew given topics.
LENGTHS, TOPICS = (3, 2), 2
STARTS = np.concatenate([[0], np.cumsum(LENGTHS)])
ALPHA, PRIOR = np.array([0.5, 1.0]), NormalInverseWishart(0.5, 1.0, [[2.0, 0.5], [0.5, 1.0]], 4.0).of_size(2)
ROOT = np.linalg.cholesky(np.linalg.inv(PRIOR.psi))


def topics_from_the_prior(random, alpha):
    shares = random.dirichlet(alpha, size=len(LENGTHS))
    return np.concatenate([random.choice(TOPICS, n, p=row) for n, row in zip(LENGTHS, shares, strict=True)])


def vectors_given_topics(random, topics):
    vectors = np.empty((len(topics), 2))
    for k in np.unique(topics):
        # Bartlett: Σ⁻¹ ~ W(Ψ⁻¹, ν) is A·Aᵀ, so Σ = F·Fᵀ with F the inverse of Aᵀ.
        chi = np.sqrt(random.chisquare(PRIOR.nu - np.arange(2)))
        lower = ROOT @ np.array([[chi[0], 0.0], [random.standard_normal(), chi[1]]])
        factor = np.linalg.inv(lower.T)
        mean = PRIOR.mean + factor @ random.standard_normal(2) / np.sqrt(PRIOR.kappa)
        inside = topics == k
        vectors[inside] = mean + random.standard_normal((int(inside.sum()), 2)) @ factor.T
    return vectors


def test_drawn_covariances_are_inverse_wishart():
    random = np.random.default_rng(0)
    centred = [np.ptp(vectors_given_topics(random, np.zeros(2, int)), axis=0) ** 2 / 2 for _ in range(20_000)]
    # E[Σ] = Ψ / (ν − D − 1); half a squared difference of two draws has this mean. ν = 4 leaves it a heavy tail, so
    # the medians are compared, with those that scipy draws.
    expected = [
        np.ptp(random.multivariate_normal([0, 0], sigma, size=2), axis=0) ** 2 / 2
        for sigma in stats.invwishart(PRIOR.nu, PRIOR.psi).rvs(20_000, random_state=random)
    ]
    np.testing.assert_allclose(np.median(centred, axis=0), np.median(expected, axis=0), rtol=0.06)


def watched(z, v):
    bounded = np.tanh(v)
    return [
        (z == 0).mean(), (z == 0).mean() ** 2, z[0] == z[1], z[0] == z[3], (z[:3] == 0).all(),
        bounded[:, 0].mean(), (bounded**2).mean(), (bounded[:, 0] * bounded[:, 1]).mean(),
        (bounded[:, 0] * (z == 0)).mean(), (z[0] == z[1]) * bounded[0] @ bounded[1],
        (z[0] == z[3]) * bounded[0] @ bounded[3], ((bounded**2).sum(axis=1) * (z == 0)).mean(),
    ]  # fmt: skip


@functools.cache
def from_the_model(n, alpha):
    random, found = np.random.default_rng(1), np.empty((n, 12))
    for row in found:
        z = topics_from_the_prior(random, alpha)
        row[:] = watched(z, vectors_given_topics(random, z))
    return found


def geweke(sampler, n=1_500, alpha=tuple(ALPHA), seed=0):
    """Return the largest difference of a watched mean, in standard errors."""
    random, forward = np.random.default_rng(seed), from_the_model(4 * n, alpha)
    z = topics_from_the_prior(random, ALPHA)
    words, chain = np.arange(len(z), dtype=np.int32), np.empty((n, 12))
    for i in range(n):
        v = vectors_given_topics(random, z)
        runner = Sampler(sampler, mh_steps=2)
        state = State(words, STARTS, v, TOPICS, ALPHA, PRIOR, runner.keeps, int(random.integers(2**31)))
        runner.fill(state)  # from random topics: a proposal may know the vectors, not the topics
        state.arrays.topics[:] = z
        state.rebuild()
        runner.sweep(state, 2)
        z = state.arrays.topics.copy()
        chain[i] = watched(z, v)
    sizes = np.array([bulk_ess(column[None]) for column in chain.T])
    error = np.sqrt(forward.var(axis=0) / len(forward) + chain.var(axis=0) / np.minimum(sizes, n))
    return float((np.abs(forward.mean(axis=0) - chain.mean(axis=0)) / error).max())


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_geweke_getting_it_right(sampler):
    assert geweke(sampler) < 4.5


def test_gewekes_test_sees_a_wrong_prior():
    assert geweke("precision", alpha=(1.0, 1.0)) > 6


def test_a_table_is_needed_only_by_two():
    assert set(SAMPLERS) - set(EXACT) == {"alias", "fast"}


def test_tiny_problems_that_are_not_tiny_are_refused():
    with pytest.raises(ValueError, match="assignments can be looked at"):
        tiny_problem(documents=[[0] * 30])
    with pytest.raises(ValueError, match="choose one of"):
        next(variation_steps(PLAIN, "slow"))

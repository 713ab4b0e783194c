"""LDA vectors: the sampler against an enumerated posterior, and topics that were planted."""

from __future__ import annotations

from itertools import product
from math import exp, lgamma

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from semwork.gibbs import Sampler
from semwork.similarity.baselines import LDAVectors
from semwork.steps import table


def tokens(counts):
    """(document, word) of every token, in the order of the sampler."""
    return [(d, w) for d, row in enumerate(counts) for w, n in enumerate(row) for _ in range(n)]


def log_words_given_topics(counts, topics, n_topics, beta):
    n = np.zeros((n_topics, len(counts[0])))
    for (_, word), topic in zip(tokens(counts), topics, strict=True):
        n[topic, word] += 1
    prior = n.shape[1] * beta
    return sum(
        lgamma(prior) - lgamma(row.sum() + prior) + sum(lgamma(x + beta) - lgamma(beta) for x in row) for row in n
    )


def log_topics(counts, topics, n_topics, alpha):
    n = np.zeros((len(counts), n_topics))
    for (document, _), topic in zip(tokens(counts), topics, strict=True):
        n[document, topic] += 1
    return sum(lgamma(x + alpha) for x in n.ravel())


@pytest.mark.parametrize("counts", [[[2, 0, 1], [1, 1, 0]], [[2, 1, 2], [0, 0, 0]]], ids=["short", "long"])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.3), (1.5, 0.05)])
def test_the_sampler_visits_every_state_as_often_as_the_posterior_says(alpha, beta, counts):
    n_topics = 2
    states = list(product(range(n_topics), repeat=5))
    joint = [
        exp(log_words_given_topics(counts, z, n_topics, beta) + log_topics(counts, z, n_topics, alpha)) for z in states
    ]
    expected = np.array(joint) / sum(joint)
    sampler = Sampler(sparse.csr_array(np.array(counts)), n_topics, alpha, beta, np.random.RandomState(1))
    assert (sampler._long[0] >= 0).all() == (sum(counts[0]) > 2 * n_topics), "a long document has a table"
    sweeps = 60_000
    visits = np.zeros(len(states))
    powers = n_topics ** np.arange(4, -1, -1)
    for _ in range(sweeps):
        sampler.sweep()
        visits[powers @ sampler.topics] += 1
    # Four standard errors of independent draws, doubled: neighbouring sweeps are alike.
    error = np.sqrt(expected * (1 - expected) / sweeps)
    assert np.all(np.abs(visits / sweeps - expected) < 8 * error + 1e-4)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_counts_stay_those_of_the_tokens_and_the_likelihood_is_the_formula(seed, n_topics):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.7, (6, 5))
    sampler = Sampler(sparse.csr_array(counts), n_topics, 0.1, 0.2, np.random.RandomState(seed))
    for _ in range(3):
        sampler.sweep()
    expected = np.zeros((5, n_topics), dtype=int)
    for (_, word), topic in zip(tokens(counts), sampler.topics, strict=True):
        expected[word, topic] += 1
    np.testing.assert_array_equal(sampler.word_topic, expected)
    np.testing.assert_array_equal(sampler.topic_total, expected.sum(axis=0))
    by_hand = log_words_given_topics(counts.tolist(), sampler.topics, n_topics, 0.2)
    assert sampler.log_likelihood() == pytest.approx(by_hand, abs=1e-9)


def planted(seed, documents=300, length=8, topics=4, words_each=6):
    """Each document is drawn from one block of words, with a word of another block in ten."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, topics, documents)
    blocks = np.where(
        rng.random((documents, length)) < 0.1, rng.integers(0, topics, (documents, length)), topic[:, None]
    )
    words = blocks * words_each + rng.integers(0, words_each, (documents, length))
    counts = np.zeros((documents, topics * words_each), dtype=int)
    np.add.at(counts, (np.arange(documents)[:, None], words), 1)
    return counts, topic


@pytest.mark.parametrize("seed", range(3))
def test_planted_topics_are_found(seed):
    counts, topic = planted(seed)
    # A document has about two topics; with α = .05 one chain in eight stays in a mode with two blocks in one topic.
    model = LDAVectors(4, alpha=0.5, max_iter=150, random_state=seed).fit(counts)
    np.testing.assert_allclose(model.components_.sum(axis=0), 1)
    of_word = model.components_.argmax(axis=0).reshape(4, 6)
    assert (of_word == of_word[:, :1]).all()
    assert len(set(of_word[:, 0])) == 4
    found = model.transform(counts).argmax(axis=1)
    assert np.mean(found == of_word[topic, 0]) > 0.95


def test_the_log_likelihood_rises_to_that_of_the_planted_topics():
    counts, topic = planted(5)
    model = LDAVectors(4, max_iter=100, random_state=0)
    path = table(model.steps(counts))["log_likelihood"].to_numpy()
    assert model.log_likelihood_path_ == path.tolist()
    place = [topic[document] for document, _ in tokens(counts)]
    truth = log_words_given_topics(counts.tolist(), place, 4, model.beta) / counts.sum()
    assert path[0] < truth - 0.1
    assert path[-20:].mean() > truth  # the planted noise words sit better in topics of their own block


def test_seeds_decide_everything():
    counts, _ = planted(7, documents=40)
    one, same, other = (LDAVectors(4, max_iter=12, random_state=seed).fit(counts) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.components_, same.components_)
    assert one.log_likelihood_path_ == same.log_likelihood_path_
    assert np.abs(one.components_ - other.components_).max() > 0.1


def test_the_last_sweeps_are_averaged():
    counts, _ = planted(8, documents=40)
    singles = [
        model.components_.copy()
        for model in [LDAVectors(3, max_iter=9, samples=1, random_state=0)]
        for _ in model.steps(counts)
    ]
    averaged = LDAVectors(3, max_iter=9, samples=4, random_state=0).fit(counts)
    np.testing.assert_allclose(averaged.components_, np.mean(singles[-4:], axis=0), atol=1e-12)
    whole = LDAVectors(3, max_iter=9, samples=50, random_state=0).fit(counts)
    np.testing.assert_allclose(whole.components_, np.mean(singles, axis=0), atol=1e-12)


def test_one_sample_is_bayes_rule_on_the_counts():
    counts, _ = planted(9, documents=30)
    model = LDAVectors(3, beta=0.3, max_iter=4, samples=1, random_state=0).fit(counts)
    n = model.topic_word_counts_.astype(float)
    words_of_topic = (n + 0.3) / (n + 0.3).sum(axis=1, keepdims=True)
    joint = words_of_topic * (n.sum(axis=1, keepdims=True) / n.sum())
    np.testing.assert_allclose(model.components_, joint / joint.sum(axis=0), atol=1e-12)


def test_a_stopped_run_is_usable_after_every_step():
    counts, _ = planted(10, documents=30)
    model = LDAVectors(3, max_iter=100, random_state=0)
    run = model.steps(counts)
    for _ in range(3):
        step = next(run)
    assert (step.done, step.total) == (3, 100)
    np.testing.assert_allclose(model.transform(counts).sum(axis=1), counts.sum(axis=1))
    np.testing.assert_array_equal(model.topic_word_counts_.sum(axis=0), counts.sum(axis=0))


def test_one_topic_and_one_word_work():
    model = LDAVectors(1, max_iter=2, random_state=0).fit(np.array([[3], [0], [1]]))
    np.testing.assert_allclose(model.transform([[3], [0], [1]]), [[3], [0], [1]])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components must be a whole number from 1, got 0"),
        ({"n_components": 40_000}, "room for 32767 topics"),
        ({"alpha": 0}, "alpha must be a number above 0, got 0"),
        ({"beta": float("nan")}, "beta must be a number above 0, got nan"),
        ({"max_iter": 1.5}, "max_iter must be a whole number from 1, got 1.5"),
        ({"samples": 0}, "samples must be a whole number from 1, got 0"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        LDAVectors(**parameters).fit([[1, 2], [0, 1]])


def test_weights_are_no_counts():
    with pytest.raises(ValueError, match=r"a cell is 1\.5: fit on the counts of a Corpus"):
        LDAVectors(2).fit([[1, 1.5], [0, 1]])
    with pytest.raises(ValueError, match="there are no words"):
        LDAVectors(2).fit(np.zeros((3, 2)))

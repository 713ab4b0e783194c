"""Contributions of words: they sum to the cosine, and each is what the formula says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from semwork.datasets import load
from semwork.similarity import WTMF, RetrievalTask
from semwork.similarity.explain import contributions


@pytest.fixture(scope="module")
def task():
    sample = load("sample")
    return RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)


@pytest.fixture(scope="module")
def model(task):
    return WTMF(n_components=12, regularization=5, max_iter=6, dtype="float64", random_state=0).fit(task.training)


def plain_cosine(a, b):
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


@pytest.mark.parametrize("query", [0, 17, 200])
def test_the_parts_sum_to_the_cosine_of_the_models_own_vectors(task, model, query):
    target = int(task.data.targets[query][0])
    q, c = task.queries[[query]], task.candidates[[target]]
    parts = contributions(model, q, c)
    own = plain_cosine(model.transform(q)[0], model.transform(c)[0])
    assert parts.contribution.sum() == pytest.approx(own, abs=1e-6)
    assert parts.similarity == pytest.approx(own, abs=1e-6)
    assert parts.expected == pytest.approx(model.predicted(q)[0, parts.words])
    assert parts.in_query == pytest.approx(q.toarray()[0, parts.words])


@given(seed=st.integers(0, 10_000), weight=st.sampled_from([0.0, 0.01, 0.5, 1.0]), penalty=st.sampled_from([0.1, 5.0]))
def test_each_part_is_what_brute_force_gives(seed, weight, penalty):
    random = np.random.default_rng(seed)
    model = WTMF(n_components=3, missing_weight=weight, regularization=penalty, dtype="float64")
    words = random.normal(size=(7, 3))
    model.components_, model.n_features_in_, model.regularization_ = words.T, 7, penalty
    query, candidate = (np.where(random.random(7) < 0.6, random.random(7), 0.0) for _ in range(2))

    def inverse_system(x):
        weights = np.where(x != 0, 1.0, weight)
        return np.linalg.inv(sum(w * np.outer(p, p) for w, p in zip(weights, words, strict=True)) + penalty * np.eye(3))

    q = inverse_system(query) @ words.T @ query
    each = {i: candidate[i] * inverse_system(candidate) @ words[i] for i in np.flatnonzero(candidate)}
    lengths = np.linalg.norm(q) * np.linalg.norm(sum(each.values(), np.zeros(3)))
    parts = contributions(model, query[None], sparse.csr_array(candidate[None]))
    assert sorted(parts.words.tolist()) == sorted(each)
    for place, found in zip(parts.words.tolist(), parts.contribution, strict=True):
        assert found == pytest.approx(q @ each[place] / lengths if lengths else 0.0, abs=1e-6)
    assert parts.contribution.sum() == pytest.approx(parts.similarity, abs=1e-6)


def test_a_sentence_without_known_words_is_similar_to_nothing(model, task):
    nothing = sparse.csr_array((1, task.training.shape[1]))
    assert contributions(model, nothing, task.candidates[[3]]).contribution == pytest.approx(0)
    empty = contributions(model, task.queries[[3]], nothing)
    assert (len(empty.words), empty.similarity) == (0, 0)


def test_wrong_rows_are_refused_in_words(model, task):
    with pytest.raises(ValueError, match=r"query has the shape \(2, "):
        contributions(model, task.queries[[0, 1]], task.candidates[[0]])
    with pytest.raises(ValueError, match="one row of"):
        contributions(model, task.queries[[0]], np.ones((1, 3)))

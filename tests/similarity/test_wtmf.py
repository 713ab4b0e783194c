"""WTMF against direct dense solves, and the laws of its objective."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from semwork.similarity import WTMF, RetrievalTask, cosine, sparse_cosine
from semwork.steps import last, table


def random_rows(seed, sentences=12, words=15, density=0.3):
    rng = np.random.default_rng(seed)
    return sparse.random_array((sentences, words), density=density, rng=rng, format="csr") * 5


def dense_update(X, factors, w_m, lam):
    """Equation 3 of the paper, one sentence after the other, with the full weight matrix."""
    X = X.toarray()
    weights = np.where(X != 0, 1.0, w_m)
    rows = []
    for x, w in zip(X, weights, strict=True):
        rows.append(
            np.linalg.solve(factors.T @ (w[:, None] * factors) + lam * np.eye(factors.shape[1]), factors.T @ (w * x))
        )
    return np.array(rows)


def dense_objective(X, model):
    X = X.toarray()
    weights = np.where(X != 0, 1.0, model.missing_weight)
    P, Q = model.components_, model.embedding_
    return (weights * (Q @ P - X) ** 2).sum() + model.regularization * ((P**2).sum() + (Q**2).sum())


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(1, 8),
    st.sampled_from([0.0, 0.001, 0.05, 1.0]),
    st.sampled_from([0.1, 2.0, 20.0]),
)
def test_fold_in_equals_a_direct_solve_and_the_objective_never_rises(seed, rank, w_m, lam):
    X = random_rows(seed)
    model = WTMF(rank, w_m, lam, max_iter=6, random_state=seed).fit(X)
    expected = dense_update(X, model.components_.T, w_m, lam)
    np.testing.assert_allclose(model.transform(X), expected, rtol=1e-8, atol=1e-10)
    path = np.array(model.objective_path_)
    assert np.all(np.diff(path) <= 1e-9 * path[:-1])
    assert path[-1] == pytest.approx(dense_objective(X, model), rel=1e-10)


def test_batches_do_not_matter(monkeypatch):
    X = random_rows(3, 40, 50)
    whole = WTMF(5, random_state=0, max_iter=3).fit(X).embedding_
    monkeypatch.setattr("semwork.similarity.wtmf._BATCH_CELLS", 60)
    np.testing.assert_allclose(WTMF(5, random_state=0, max_iter=3).fit(X).embedding_, whole, rtol=1e-10)


def test_sentences_may_be_permuted():
    X = random_rows(4)
    order = np.random.default_rng(0).permutation(X.shape[0])
    plain = WTMF(4, random_state=1, max_iter=5).fit(X).embedding_
    permuted = WTMF(4, random_state=1, max_iter=5).fit(X[order]).embedding_
    np.testing.assert_allclose(permuted, plain[order], rtol=1e-8)


def test_an_empty_sentence_stays_at_zero():
    X = sparse.csr_array(np.array([[1.0, 2, 0], [0, 0, 0], [0, 1, 1]]))
    model = WTMF(2, random_state=0, max_iter=3).fit(X)
    assert not model.embedding_[1].any()


@pytest.mark.parametrize("w_m", [0.0, 1.0])
def test_without_regularisation_singular_systems_get_their_shortest_solution(w_m):
    X = random_rows(5)
    model = WTMF(6, w_m, 0.0, max_iter=3, random_state=0).fit(X)
    assert np.isfinite(model.embedding_).all()


def test_full_weight_and_no_penalty_reaches_the_best_low_rank_approximation():
    X = random_rows(6, 10, 8, density=0.9)
    model = WTMF(3, 1.0, 0.0, max_iter=400, random_state=0).fit(X)
    singular = np.linalg.svd(X.toarray(), compute_uv=False)
    assert model.objective_path_[-1] == pytest.approx((singular[3:] ** 2).sum(), rel=1e-3)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"missing_weight": 2.0}, "between 0 and 1"),
        ({"regularization": -1.0}, "0 or more"),
        ({"n_components": 0}, "1 or more"),
        ({"max_iter": 0}, "1 or more"),
    ],
)
def test_bad_parameters_are_refused_in_words(parameters, words):
    with pytest.raises(ValueError, match=words):
        WTMF(**parameters).fit(random_rows(0))


def test_the_wrong_number_of_columns_is_refused():
    model = WTMF(2, max_iter=1, random_state=0).fit(random_rows(0))
    with pytest.raises(ValueError, match="same Corpus"):
        model.transform(np.ones((1, 3)))


def test_identical_seeds_give_identical_results():
    X = random_rows(7)
    first, second = (WTMF(3, random_state=5, max_iter=2).fit(X).embedding_ for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_steps_are_one_per_iteration_with_current_attributes():
    model = WTMF(3, random_state=0, max_iter=4)
    seen = [(step.done, step.objective, len(model.objective_path_)) for step in model.steps(random_rows(8))]
    assert [done for done, _, _ in seen] == [1, 2, 3, 4]
    assert [count for _, _, count in seen] == [1, 2, 3, 4]
    assert list(table(WTMF(3, random_state=0, max_iter=4).steps(random_rows(8)))["objective"]) == [
        o for _, o, _ in seen
    ]


def test_cosine_dense_sparse_and_zero_rows():
    rng = np.random.default_rng(0)
    a, b = rng.random((4, 6)), rng.random((3, 6))
    a[1] = 0
    expected = np.zeros((4, 3))
    for i in (0, 2, 3):
        expected[i] = a[i] @ b.T / np.linalg.norm(a[i]) / np.linalg.norm(b, axis=1)
    np.testing.assert_allclose(cosine(a, b), expected)
    np.testing.assert_allclose(cosine(sparse.csr_array(a), sparse.csr_array(b)), expected)
    assert sparse.issparse(sparse_cosine(sparse.csr_array(a), sparse.csr_array(b)))


def test_the_queries_are_never_trained_on():
    from semwork.datasets import load

    data = load("sample").dictionary
    task = RetrievalTask.from_set(data, more_texts=["extra words here", "extra words there"])
    assert task.training.shape[0] == len(data.candidates) + 2
    assert task.candidates.shape[0] == len(data.candidates)
    assert task.queries.shape == (len(data.queries), task.training.shape[1])
    result = last(task.steps(WTMF(5, max_iter=2, random_state=0)))
    assert result.scores.shape == (len(data.queries),)


def test_a_query_with_several_targets_is_refused_in_words():
    from semwork.datasets import RetrievalSet, load

    data = load("sample").dictionary
    several = dataclasses.replace(data, targets=[np.array([0, 1]), *data.targets[1:]])
    assert isinstance(several, RetrievalSet)
    with pytest.raises(ValueError, match="query 0 has 2"):
        RetrievalTask.from_set(several)

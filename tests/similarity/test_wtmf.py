"""WTMF against direct dense solves, and the laws of its objective."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

from semwork.similarity import WTMF
from semwork.similarity import checking as checking_module
from semwork.similarity.solver import SingularSystemWarning
from semwork.steps import last, table


def random_rows(seed, sentences=12, words=15, density=0.3):
    rng = np.random.default_rng(seed)
    return sparse.random_array((sentences, words), density=density, rng=rng, format="csr") * 5


def dense_update(X, factors, w_m, lam):
    """Equation 4 of the paper, one sentence after the other, with the full weight matrix."""
    X = X.toarray()
    weights = np.where(X != 0, 1.0, w_m)
    rows = []
    for x, w in zip(X, weights, strict=True):
        system = factors.T @ (w[:, None] * factors) + lam * np.eye(factors.shape[1])
        rows.append(np.linalg.solve(system, factors.T @ (w * x)))
    return np.array(rows)


def dense_objective(X, model):
    X = X.toarray()
    weights = np.where(X != 0, 1.0, model.missing_weight)
    P, Q = model.components_, model.embedding_
    return (weights * (Q @ P - X) ** 2).sum() + model.regularization * ((P**2).sum() + (Q**2).sum())


def fitted(rank, X, **parameters):
    given = {"regularization": 1.0, "max_iter": 3, "random_state": 0, "dtype": "float64"} | parameters
    return WTMF(rank, **given).fit(X)


COLLAPSE_IS_MEANT = pytest.mark.filterwarnings("ignore::semwork.similarity.CollapsedVectorsWarning")


@COLLAPSE_IS_MEANT
@given(
    st.integers(0, 10_000),
    st.integers(1, 8),
    st.sampled_from([0.0, 0.001, 0.05, 1.0]),
    st.sampled_from([0.1, 2.0, 20.0]),
)
def test_fold_in_equals_a_direct_solve_and_the_objective_never_rises(seed, rank, w_m, lam):
    X = random_rows(seed)
    model = WTMF(rank, w_m, lam, max_iter=6, random_state=seed, dtype="float64").fit(X)
    expected = dense_update(X, model.components_.T, w_m, lam)
    np.testing.assert_allclose(model.transform(X), expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    np.testing.assert_array_equal(model.embedding_, model.transform(X))
    path = np.array(model.objective_path_)
    assert np.all(np.diff(path) <= 1e-12 * path[:-1])
    assert path[-1] == pytest.approx(dense_objective(X, model), rel=1e-10)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("w_m", [0.0, 0.01, 0.9, 1.0])
def test_every_length_of_row_equals_a_direct_solve(dtype, w_m):
    """Rows with 0, 1, 2 … cells: the lanes, LAPACK with n ≤ K, the Gram of several blocks, and all borders."""
    rank, words = 60, 900
    rng = np.random.default_rng(0)
    lengths = [*range(70), 255, 256, 257, 512, 700, 900]
    X = np.zeros((len(lengths), words))
    for row, length in zip(X, lengths, strict=True):
        row[rng.choice(words, length, replace=False)] = rng.uniform(0.5, 5, length)
    X = sparse.csr_array(X)
    model = WTMF(rank, w_m, 2.0, max_iter=2, random_state=0, dtype=dtype).fit(X)
    expected = dense_update(X, model.components_.T.astype(float), w_m, 2.0)
    worst = np.abs(model.transform(X) - expected).max(axis=1) / np.abs(expected).max(axis=1).clip(1e-300)
    assert worst.max() < (1e-12 if dtype == "float64" else 1e-4)
    assert model.objective_path_[-1] == pytest.approx(
        dense_objective(X, model), rel=1e-10 if dtype == "float64" else 1e-5
    )
    assert not model.embedding_[0].any()


def test_float32_is_close_to_float64():
    X = random_rows(1, 200, 150)
    long, short = (fitted(10, X, dtype=dtype, max_iter=5).embedding_ for dtype in ("float64", "float32"))
    assert short.dtype == np.float32
    np.testing.assert_allclose(short, long, atol=1e-4 * np.abs(long).max())


@pytest.mark.parametrize("n_jobs", [1, 2, 3, -1])
def test_the_number_of_threads_does_not_matter(n_jobs):
    X = random_rows(2, 300, 60, density=0.5)
    np.testing.assert_allclose(fitted(8, X, n_jobs=n_jobs).embedding_, fitted(8, X).embedding_, rtol=1e-9)


@given(st.integers(0, 1000))
def test_sentences_may_be_permuted(seed):
    X = random_rows(seed, 40, 30)
    order = np.random.default_rng(seed).permutation(X.shape[0])
    np.testing.assert_allclose(fitted(4, X[order]).embedding_, fitted(4, X).embedding_[order], rtol=1e-6, atol=1e-9)


@given(st.integers(0, 1000), st.sampled_from([0.25, 4.0, 100.0]))
def test_scaling_the_weights_by_c_and_the_penalty_too_scales_the_product(seed, scale):
    """P, Q → √c P, √c Q solves c X with c λ: the objective grows by c²."""
    X = random_rows(seed)
    start = np.random.default_rng(seed).standard_normal((4, X.shape[1]))
    plain, scaled = WTMF(4, 0.05, 1.0, max_iter=4, dtype="float64"), WTMF(4, 0.05, scale, max_iter=4, dtype="float64")
    plain.fit(X, start=start)
    scaled.fit(X * scale, start=start * np.sqrt(scale))
    np.testing.assert_allclose(scaled.embedding_, plain.embedding_ * np.sqrt(scale), rtol=1e-6, atol=1e-8)
    assert scaled.objective_path_[-1] == pytest.approx(plain.objective_path_[-1] * scale**2, rel=1e-8)


def test_sparse_equals_dense_and_stored_zeros_are_missing_words():
    X = random_rows(4)
    stored = sparse.csr_array(
        (np.append(X.data, 0.0), np.append(X.indices, 3), np.append(X.indptr[:-1], X.indptr[-1] + 1)), shape=X.shape
    )
    expected = fitted(3, X).embedding_
    np.testing.assert_array_equal(fitted(3, X.toarray()).embedding_, expected)
    np.testing.assert_array_equal(fitted(3, stored).embedding_, expected)
    assert stored.nnz == X.nnz + 1, "the caller's matrix is left alone"


@COLLAPSE_IS_MEANT
def test_empty_sentences_and_words_stay_at_zero():
    X = sparse.csr_array(np.array([[1.0, 2, 0, 0], [0, 0, 0, 0], [0, 1, 1, 0]]))
    model = fitted(2, X)
    assert not model.embedding_[1].any()
    assert not model.components_[:, 3].any()


def test_planted_topics_are_found():
    """Two groups of sentences that never share a word: within a group everything is near, across nothing is."""
    rng = np.random.default_rng(0)
    X = np.kron(np.eye(2), np.ones((30, 12))) * (rng.random((60, 24)) < 0.3) * 3.0
    X = X[X.sum(axis=1) > 0]
    group = X[:, 12:].sum(axis=1) > 0
    rows = fitted(2, X, regularization=0.1, max_iter=20).embedding_
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    similar = rows @ rows.T
    assert similar[group[:, None] == group].min() > 0.9
    assert np.abs(similar[group[:, None] != group]).max() < 0.1


def test_full_weight_and_no_penalty_reaches_the_best_low_rank_approximation():
    X = random_rows(6, 10, 8, density=0.9)
    model = WTMF(3, 1.0, 0.0, max_iter=400, random_state=0, dtype="float64").fit(X)
    singular = np.linalg.svd(X.toarray(), compute_uv=False)
    assert model.objective_path_[-1] == pytest.approx((singular[3:] ** 2).sum(), rel=1e-3)


@COLLAPSE_IS_MEANT
def test_undetermined_dimensions_get_the_shortest_solution_and_it_is_said():
    """Rank 2 data, 4 dimensions, no penalty: the systems are singular."""
    rng = np.random.default_rng(0)
    X = rng.random((9, 2)) @ rng.random((2, 7)) + 0.1
    X = X @ np.diag([1, 1, 1, 1, 1, 0, 0]) @ np.ones((7, 7)) / 3  # rank 1
    model = WTMF(4, 1.0, 0.0, max_iter=3, random_state=0, dtype="float64")
    with pytest.warns(SingularSystemWarning, match="dimensions are not all determined"):
        model.fit(X)
    np.testing.assert_allclose(model.embedding_ @ model.components_, X, rtol=1e-6)
    with pytest.warns(SingularSystemWarning):
        folded = model.transform(X)
    expected = X @ np.linalg.pinv(model.components_, rcond=1e-8)
    np.testing.assert_allclose(folded, expected, atol=1e-8 * np.abs(expected).max())


def test_neither_missing_words_nor_a_penalty_gives_the_shortest_fit_of_the_observed_words():
    X = random_rows(5)
    model = WTMF(6, 0.0, 0.0, max_iter=2, random_state=0, dtype="float64")
    with pytest.warns(SingularSystemWarning, match="shortest solution"):
        model.fit(X)
    row = X[[0]].toarray()[0]
    own = np.flatnonzero(row)
    expected = np.linalg.pinv(model.components_[:, own].T) @ row[own]
    np.testing.assert_allclose(model.embedding_[0], expected, rtol=1e-6)


def test_orthogonality_brings_the_dimensions_nearer_to_equal_and_independent():
    X = random_rows(9, 80, 60)

    def spread(model):
        gram = model.components_ @ model.components_.T
        return np.linalg.norm(gram / (np.trace(gram) / len(gram)) - np.eye(len(gram)))

    plain = spread(fitted(6, X, max_iter=10))
    assert spread(fitted(6, X, max_iter=10, orthogonality=0.002)) < 0.9 * plain
    assert spread(fitted(6, X, max_iter=10, orthogonality=10.0)) < 0.9 * plain, "a step that is too long is shortened"


def test_a_start_is_followed_cut_and_filled():
    X = random_rows(10, 60, 40)
    long = fitted(6, X, max_iter=30)
    again = WTMF(6, 0.01, 1.0, max_iter=1, dtype="float64").fit(X, start=long.components_)
    assert again.objective_path_[0] <= long.objective_path_[-1]
    for rank in (4, 9):
        other = WTMF(rank, 0.01, 1.0, max_iter=1, random_state=0, dtype="float64").fit(X, start=long.components_)
        cold = WTMF(rank, 0.01, 1.0, max_iter=1, random_state=0, dtype="float64").fit(X)
        assert other.objective_path_[0] < cold.objective_path_[0]
    with pytest.raises(ValueError, match="any number × 40 words"):
        fitted(3, X).fit(X, start=np.ones((3, 5)))


def test_a_dev_score_stops_the_fit_at_its_best():
    scores = iter([0.1, 0.5, 0.4, 0.3, 0.9])
    kept = []

    def dev_score(model):
        kept.append(model.components_.copy())
        return next(scores)

    model = WTMF(3, regularization=1.0, max_iter=5, random_state=0)
    seen = list(model.steps(random_rows(11), dev_score=dev_score, patience=2))
    assert [step.dev_score for step in seen] == [0.1, 0.5, 0.4, 0.3]
    assert model.n_iter_ == 2
    assert model.objective_path_ == [step.objective for step in seen[:2]]
    np.testing.assert_array_equal(model.components_, kept[1])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"missing_weight": 2.0}, "between 0 and 1"),
        ({"missing_weight": "much"}, "between 0 and 1"),
        ({"regularization": -1.0}, "0 or more"),
        ({"regularization": "car"}, "0 or more, or 'auto'"),
        ({"n_components": "all"}, "1 or more, or 'auto'"),
        ({"regularization": np.nan}, "0 or more"),
        ({"orthogonality": -1.0}, "0 or more"),
        ({"n_components": 0}, "1 or more"),
        ({"n_components": 2.5}, "whole number"),
        ({"n_components": 13}, "at most 12 dimensions"),
        ({"max_iter": 0}, "1 or more"),
        ({"dtype": "float16"}, "'float32' or 'float64'"),
        ({"n_jobs": 0}, "None or -1 for all cores"),
    ],
)
def test_bad_parameters_are_refused_in_words(parameters, words):
    with pytest.raises(ValueError, match=words):
        WTMF(**({"n_components": 3} | parameters)).fit(random_rows(0))


def test_bad_cells_are_refused_in_words():
    X = random_rows(0).toarray()
    with pytest.raises(ValueError, match="smallest weight is -1"):
        WTMF(2).fit(np.where(X.max() == X, -1, X))
    with pytest.raises(ValueError, match="NaN"):
        WTMF(2).fit(np.where(X.max() == X, np.nan, X))
    with pytest.raises(TypeError, match=r"Corpus\.from_texts"):
        WTMF(2).fit(["some text", "where a matrix is meant"])


def test_the_wrong_number_of_columns_is_refused():
    model = WTMF(2, max_iter=1, random_state=0).fit(random_rows(0))
    with pytest.raises(ValueError, match="transform method of the Corpus that the model was fitted on"):
        model.transform(np.ones((1, 3)))


def test_what_will_not_fit_in_memory_is_refused_before_it_starts(monkeypatch):
    monkeypatch.setattr(checking_module, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match="smaller n_components"):
        WTMF(2).fit(random_rows(0))
    needed = checking_module.memory_needed((1_000_000, 100_000), 13_000_000, 100, 4)
    assert 1e9 < needed < 3e9


def test_vectors_that_overflow_are_refused_in_words():
    with pytest.raises(FloatingPointError, match="raise regularization"):
        WTMF(2, 0.01, 1e-30, random_state=0).fit(random_rows(0) * 1e30)


def test_identical_seeds_give_identical_results():
    X = random_rows(7)
    first, second = (WTMF(3, random_state=5, max_iter=2).fit(X).embedding_ for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_steps_are_one_per_iteration_with_current_attributes():
    model = WTMF(3, random_state=0, max_iter=4)
    seen = [(step.done, step.objective, len(model.objective_path_)) for step in model.steps(random_rows(8))]
    assert [done for done, _, _ in seen] == [1, 2, 3, 4]
    assert [count for _, _, count in seen] == [1, 2, 3, 4]
    again = table(WTMF(3, random_state=0, max_iter=4).steps(random_rows(8)))
    assert list(again["objective"]) == [objective for _, objective, _ in seen]


def test_a_saved_model_folds_in_the_same_sentences(tmp_path):
    X = random_rows(12)
    model = fitted(4, X, dtype="float32")
    again = WTMF.load(model.save(tmp_path / "model.npz"))
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    np.testing.assert_array_equal(again.objective_path_, model.objective_path_)
    with pytest.raises(ValueError, match=r"saved as \.npz"):
        model.save(tmp_path / "model.pkl")
    np.savez(tmp_path / "other.npz", a=np.ones(2))
    with pytest.raises(ValueError, match="not a saved model"):
        WTMF.load(tmp_path / "other.npz")


def test_it_is_a_scikit_learn_estimator():
    check_estimator(WTMF(n_components=1, max_iter=3, random_state=0))


@pytest.mark.slow
def test_the_compiled_functions_are_found_again_by_the_next_process():
    """The second start compiles nothing: every compiled function is loaded from numba's cache."""
    code = (
        "import numpy as np; from semwork.similarity import WTMF; from semwork.similarity import als;"
        "X = np.random.default_rng(0).random((60, 50));"
        "[WTMF(2, dtype=d, max_iter=1).fit(X) for d in ('float32', 'float64')];"
        "print(als.solve_rows.stats.cache_misses, sum(als.solve_rows.stats.cache_hits.values()))"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["Counter()" if "Counter" in done.stdout else "{}", "2"], done.stdout


@pytest.mark.slow
def test_other_threads_run_on_while_it_solves():
    """The GIL is released: a thread that counts gets its share while one long solve goes on."""
    import threading

    X = random_rows(3, 3000, 2000, density=0.2)
    model = WTMF(100, max_iter=1, n_jobs=1, random_state=0).fit(X)  # compiled and warm
    counted, running = [0], threading.Event()

    def count():
        while not running.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    model.transform(X)
    during = counted[0] - before
    running.set()
    thread.join()
    assert during > 1000
    assert last(model.steps(X)).done == 1

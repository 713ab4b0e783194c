"""The transformer: against dense formulas, in pipelines, with bad input."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from semwork.kernels import (
    SemanticKernel,
    alignment,
    best_decay,
    centered_alignment,
    largest_eigenvalue,
    one_hot,
    proximity_product,
)
from semwork.kernels import semantic_kernel as module
from semwork.kernels.low_rank import first_singular, squared_gram_norm
from semwork.text import Corpus

KINDS = ("exponential", "von_neumann")


@parametrize_with_checks(
    [
        SemanticKernel(),
        SemanticKernel(decay=0.001),
        SemanticKernel(decay=0.5, decay_scale="relative"),
        SemanticKernel(output="features"),
        SemanticKernel(rank=1, output="features"),
        SemanticKernel(rank=1, decay=0.001),
    ]
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def data(seed=0, m=30, n=40, classes=2):
    """Documents of a few words each, of classes that use different parts of the vocabulary."""
    rng = np.random.default_rng(seed)
    labels = np.arange(m) % classes
    X = rng.poisson(0.15, (m, n)).astype(float)
    for row, label in enumerate(labels):
        X[row, label * 8 : label * 8 + 8] += rng.poisson(0.7, 8)
    return sparse.csr_array(X), labels


def proximity(G, kind, decay):
    return linalg.expm(decay * G) if kind == "exponential" else np.linalg.inv(np.eye(len(G)) - decay * G)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(KINDS), st.floats(0.05, 0.9), st.sampled_from([(12, 20), (30, 17)]))
def test_new_documents_go_through_the_training_proximity(seed, kind, share, shape):
    X, _ = data(seed, *shape)
    new, _ = data(seed + 1, 5, shape[1])
    G = (X.T @ X).toarray()
    decay = share / np.linalg.norm(G, 2)
    P = proximity(G, kind, decay)
    kernel = SemanticKernel(kind=kind, decay=decay, normalize=False).fit(X)
    expected = new.toarray() @ P @ X.toarray().T
    np.testing.assert_allclose(kernel.transform(new), expected, rtol=1e-8, atol=1e-8 * expected.max())
    np.testing.assert_allclose(kernel.proximity_ @ np.eye(len(G)), P, rtol=1e-8, atol=1e-8 * P.max())
    np.testing.assert_allclose(kernel.proximity_ @ np.ones(len(G)), P.sum(axis=1), rtol=1e-8, atol=1e-8 * P.max())
    np.testing.assert_allclose(kernel.spectrum_[: min(shape)], np.linalg.eigvalsh(G)[::-1][: min(shape)], atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rank", [None, 8])
@pytest.mark.parametrize("background", [False, True])
def test_features_have_the_kernel_as_inner_products(kind, rank, background):
    X, y = data()
    more = data(7)[0] if background else None
    kernel = SemanticKernel(kind=kind, rank=rank, random_state=0).fit(X, y, background=more)
    features = clone(kernel).set_params(output="features").fit(X, y, background=more)
    new, _ = data(3, 6)
    inner = (features.transform(new) @ features.transform(X).T).toarray()
    np.testing.assert_allclose(inner, kernel.transform(new), atol=1e-10)
    assert np.trace(kernel.transform(X)) == pytest.approx(len(y))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("rank", [None, 6, 20])
@pytest.mark.parametrize("background", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
def test_alignment_is_that_of_the_kernel_it_gives(kind, centered, rank, background, classes):
    X, y = data(classes=classes)
    more = data(5, 25)[0] if background else None
    kernel = SemanticKernel(kind=kind, centered=centered, rank=rank, random_state=0).fit(X, y, background=more)
    measure = centered_alignment if centered else alignment
    target = 2 * y - 1 if classes == 2 else one_hot(y)
    assert kernel.alignment_ == pytest.approx(measure(kernel.transform(X), target), rel=1e-6)
    for share in (0.3, 0.9, 1.1):
        other = clone(kernel).set_params(decay=max(kernel.decay_, 1e-3) * share)
        try:
            other.fit(X, y, background=more)
        except ValueError as error:
            assert "below 1/‖K‖" in str(error)  # noqa: PT017 - the range ends before
            continue
        assert other.alignment_ == pytest.approx(measure(other.transform(X), target), rel=1e-6)
        assert other.alignment_ <= kernel.alignment_ * (1 + 1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_a_low_rank_comes_near_the_full_kernel(kind):
    X, y = data(1, 200, 150)
    decay = 0.8 / np.linalg.norm(X.toarray(), 2) ** 2
    full = SemanticKernel(kind=kind, decay=decay, normalize=False).fit(X, y)
    exact = full.transform(X)

    def error(rank):
        low = clone(full).set_params(rank=rank, random_state=0).fit(X, y)
        return np.linalg.norm(low.transform(X) - exact) / np.linalg.norm(exact)

    errors = [error(rank) for rank in (5, 20, 80, 149)]
    assert errors == sorted(errors, reverse=True)
    assert errors[1] < 0.05
    assert errors[-1] < 1e-3
    # without the rest of the spectrum the same rank is far worse
    values, basis = first_singular(X, 20, 0)
    part = X @ basis
    grown = np.exp(decay * values) if kind == "exponential" else 1 / (1 - decay * values)
    assert np.linalg.norm((part * grown) @ part.T - exact) / np.linalg.norm(exact) > 5 * errors[1]


def test_norms_of_kernels_need_no_kernel(monkeypatch):
    X, _ = data(2, 50, 30)
    exact = np.linalg.norm((X @ X.T).toarray()) ** 2
    assert squared_gram_norm(X) == pytest.approx(exact)
    monkeypatch.setattr("semwork.kernels.low_rank._BLOCK_BYTES", 12 * 50 * 7)
    assert squared_gram_norm(X) == pytest.approx(exact)


def test_it_works_in_pipelines_with_both_kinds_of_svm():
    X, y = data(0, 80)
    names = np.array(["cat", "dog"])[y]
    precomputed = make_pipeline(SemanticKernel(), SVC(kernel="precomputed"))
    linear = make_pipeline(SemanticKernel(rank=10, output="features", random_state=0), LinearSVC())
    for pipeline in (precomputed, linear):
        assert cross_val_score(pipeline, X, names).mean() > 0.8
    search = GridSearchCV(precomputed, {"semantickernel__decay": [0.001, 0.01, "align"], "svc__C": [0.1, 1]}).fit(X, y)
    assert search.best_score_ > 0.8
    assert len(linear[0].fit(X, y).get_feature_names_out()) == linear[0].transform(X).shape[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rank", [None, 12])
@pytest.mark.parametrize("scale", ["absolute", "relative"])
def test_at_0_the_kernel_is_the_linear_one(kind, rank, scale):
    X, y = data()
    new, _ = data(1, 5)
    given = {"kind": kind, "decay": 0.0, "rank": rank, "decay_scale": scale, "normalize": False, "random_state": 0}
    kernel = SemanticKernel(**given).fit(X, y)
    np.testing.assert_allclose(kernel.transform(new), (new @ X.T).toarray(), atol=1e-12)
    rows = [clone(kernel).set_params(output="features").fit(X, y).transform(some) for some in (new, X)]
    np.testing.assert_allclose((rows[0] @ rows[1].T).toarray(), (new @ X.T).toarray(), atol=1e-12)
    assert kernel.decay_ == 0
    assert kernel.alignment_ == pytest.approx(alignment(X @ X.T, 2 * y - 1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("background", [False, True])
def test_a_relative_decay_is_in_units_of_the_largest_eigenvalue(kind, background):
    X, _ = data()
    more = data(5, 25)[0] if background else None
    largest = largest_eigenvalue(sparse.vstack([X, more]) if background else X)
    relative = SemanticKernel(kind=kind, decay=0.7, decay_scale="relative").fit(X, background=more)
    absolute = SemanticKernel(kind=kind, decay=0.7 / largest).fit(X, background=more)
    assert relative.decay_ == pytest.approx(0.7 / largest)
    np.testing.assert_allclose(relative.transform(X), absolute.transform(X), rtol=1e-8)
    assert SemanticKernel(decay=0.7, decay_scale="relative").fit(np.zeros((3, 2))).decay_ == 0


@pytest.mark.filterwarnings("ignore:One or more of the test scores")
def test_a_relative_decay_goes_through_a_grid_search_where_an_absolute_one_fails_in_some_folds():
    X, y = data(0, 60)
    X = sparse.csr_array(sparse.diags_array(np.where(np.arange(60) < 20, 3.0, 1.0)) @ X)  # folds of other sizes
    norms = [largest_eigenvalue(X[fold]) for fold, _ in KFold(3).split(X)]
    pipeline = make_pipeline(SemanticKernel(kind="von_neumann"), SVC(kernel="precomputed"))
    decays = {"semantickernel__decay": [0.9 / min(norms)]}
    with pytest.warns(FitFailedWarning, match="2 fits failed"):
        failed = GridSearchCV(pipeline, decays, cv=KFold(3), refit=False).fit(X, y).cv_results_
    assert np.isnan(failed["mean_test_score"]).all()
    pipeline.set_params(semantickernel__decay_scale="relative")
    decays = {"semantickernel__decay": [0.0, 0.3, 0.9, 0.999999]}
    found = GridSearchCV(pipeline, decays, cv=KFold(3), error_score="raise").fit(X, y)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert found.best_score_ > 0.7


TEXTS = ["cat and dog", "dog, cat, pet", "stock and bank", "bank with money", "pets like me", "money makes stock"] * 3
LABELS = [0, 0, 1, 1, 0, 1] * 3
MORE = ["pet cat animal", "money market bank", "animals are pets", "markets for stock"] * 2


@pytest.mark.parametrize("given", [MORE, np.array(MORE), pd.Series(MORE)], ids=lambda given: type(given))
def test_background_may_be_texts_inside_a_pipeline(given):
    words = TfidfVectorizer().fit(TEXTS)
    expected = SemanticKernel().fit(words.transform(TEXTS), LABELS, background=words.transform(MORE))
    steps = [("words", TfidfVectorizer()), ("kernel", SemanticKernel()), ("svm", SVC(kernel="precomputed"))]
    pipeline = Pipeline(steps, transform_input=["background"])
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline.fit(TEXTS, LABELS, background=given)
        search = GridSearchCV(pipeline, {"kernel__decay": ["align", 0.1]}, cv=3, error_score="raise")
        search.fit(TEXTS, LABELS, background=given)
    np.testing.assert_allclose(pipeline[1].transform(words.transform(MORE)), expected.transform(words.transform(MORE)))
    assert pipeline[1].decay_ == pytest.approx(expected.decay_)
    assert pipeline.predict(["a dog", "a bank"]).tolist() == [0, 1]
    assert len(search.best_estimator_[1].spectrum_) == len(expected.spectrum_)


@pytest.mark.parametrize(
    "given", [MORE, np.array(MORE), pd.Series(MORE, index=range(3, 11))], ids=lambda given: type(given)
)
def test_background_texts_that_nobody_turned_into_numbers_are_told(given):
    pipeline = make_pipeline(TfidfVectorizer(), SemanticKernel())
    with pytest.raises(
        TypeError, match=r"background is texts, .*transform_input=\['background'\].*metadata_routing=True"
    ):
        pipeline.fit(TEXTS, LABELS, semantickernel__background=given)


@pytest.mark.parametrize("output", ["kernel", "features"])
def test_columns_have_names(output):
    X, y = data()
    table = pd.DataFrame(X.toarray(), columns=[f"word {k}" for k in range(X.shape[1])])
    kernel = SemanticKernel(output=output).fit(table, y)
    assert kernel.feature_names_in_.tolist() == table.columns.tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        kernel.transform(table[table.columns[::-1]])
    names = kernel.get_feature_names_out().tolist()
    assert names == [f"semantickernel{k}" for k in range(kernel.transform(table).shape[1])]
    if output == "kernel":
        found = kernel.set_output(transform="pandas").transform(table)
        assert found.columns.tolist() == names


def test_words_that_never_meet_become_related():
    X = sparse.csr_array(np.array([[1.0, 1, 0], [0, 1, 1], [0, 0, 1]]))
    P = SemanticKernel(decay=0.3).fit(X).proximity_ @ np.eye(3)
    assert (X.T @ X).toarray()[0, 2] == 0
    assert P[0, 2] > 0


def test_huge_decays_give_finite_kernels():
    X, y = data()
    kernel = SemanticKernel(decay=1000.0).fit(X, y)
    values = kernel.transform(X)
    assert np.isfinite(values).all()
    assert np.linalg.matrix_rank(values, tol=1e-6) == 1
    with pytest.raises(ValueError, match=r"too large for a number.*normalize=True"):
        SemanticKernel(decay=1000.0, normalize=False).fit(X)


def test_an_empty_document_and_equal_documents_work():
    X = sparse.csr_array(np.array([[1.0, 0], [1, 0], [0, 0], [0, 0]]))
    kernel = SemanticKernel().fit(X, [1, 1, 0, 0])
    assert np.isfinite(kernel.transform(X)).all()
    zero = SemanticKernel().fit(np.zeros((3, 2)), [0, 1, 1])
    assert (zero.decay_, zero.alignment_) == (0, 0)
    assert not zero.transform(np.zeros((3, 2))).any()


def test_bad_input_says_what_is_wrong(monkeypatch):
    X, y = data()
    for parameters, message in [
        ({"kind": "gaussian"}, r"'exponential' or 'von_neumann'"),
        ({"decay": "best"}, r"from 0 or 'align', got 'best'"),
        ({"decay": -0.5}, r"from 0, got -0.5"),
        ({"decay": True}, r"from 0, got True"),
        ({"kind": "von_neumann", "decay": 3.0}, r"from 0 and below 1/‖K‖ = 0\.\d+, got 3"),
        ({"decay_scale": "best"}, r"'absolute' or 'relative', got 'best'"),
        ({"decay": -1, "decay_scale": "relative"}, r"in units of 1/‖K‖, must be a number from 0, got -1"),
        ({"decay": True, "decay_scale": "relative"}, r"must be a number from 0, got True"),
        ({"kind": "von_neumann", "decay": 1.0, "decay_scale": "relative"}, r"from 0 and below 1, got 1\.0"),
        (
            {"rank": 30},
            r"from 1 to 29, or None for all, with 30 documents × 40 terms .*, got 30",
        ),
        ({"rank": True}, r"rank must be a whole number"),
        ({"output": "matrix"}, r"'kernel' or 'features', got 'matrix'"),
    ]:
        with pytest.raises(ValueError, match=message):
            SemanticKernel(**parameters).fit(X, y)
    with pytest.raises(ValueError, match=r"all 30 labels are of one class, 1: alignment needs at least two"):
        SemanticKernel().fit(X, np.ones(30, dtype=int))
    with pytest.raises(ValueError, match=r"give fit\(X, y\), or a number for decay"):
        SemanticKernel().fit(X)
    with pytest.raises(ValueError, match=r"30 documents and 29 labels"):
        SemanticKernel().fit(X, y[1:])
    with pytest.raises(ValueError, match=r"NaN"):
        SemanticKernel().fit(np.full((30, 2), np.nan), y)
    with pytest.raises(ValueError, match=r"0 sample"):
        SemanticKernel().fit(np.ones((0, 2)), [])
    with pytest.raises(ValueError, match=r"label 1 is NaN: every document needs a class"):
        SemanticKernel().fit(X, np.where(y > 0, np.nan, 1.0))
    with pytest.raises(TypeError, match=r"X is texts, .*: give Corpus.from_texts"):
        SemanticKernel().fit(["a b", "b c"], [0, 1])
    with pytest.raises(TypeError, match=r"got a Corpus: give its .matrix"):
        SemanticKernel().fit(Corpus.from_texts(["a a", "b b", "c c"], weighting="count"), [0, 1])
    monkeypatch.setattr(module, "available_memory", lambda: 1000)
    with pytest.raises(MemoryError, match=r"give a rank"):
        SemanticKernel().fit(X, y)


@pytest.mark.parametrize("rank", [None, 12])
@pytest.mark.parametrize("background", [False, True])
def test_one_decomposition_serves_every_label_and_kernel(rank, background):
    X, y = data(classes=4)
    more = data(5, 25)[0] if background else None
    kernel = SemanticKernel(rank=rank, random_state=0).fit(X, y, background=more)
    for label in range(4):
        for kind in KINDS:
            for centered in (False, True):
                own = SemanticKernel(kind=kind, centered=centered, rank=rank, random_state=0)
                own.fit(X, y == label, background=more)
                found = best_decay(kernel.alignment_curve(y == label, kind, centered))
                assert found.alignment == pytest.approx(own.alignment_, rel=1e-9)
    with pytest.raises(ValueError, match="at least two"):
        kernel.alignment_curve(np.ones(30))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(KINDS), st.floats(0.05, 0.95))
def test_products_without_any_matrix_are_exact(seed, kind, share):
    X, _ = data(seed, 15, 25)
    G = (X.T @ X).toarray()
    largest = largest_eigenvalue(X)
    assert largest == pytest.approx(np.linalg.norm(G, 2), rel=1e-8)
    P = proximity(G, kind, share / largest)
    vectors = np.random.default_rng(seed).normal(size=(25, 3))
    found = proximity_product(X, vectors, kind, share / largest)
    np.testing.assert_allclose(found, P @ vectors, atol=1e-8 * np.abs(P @ vectors).max())
    single = proximity_product(X, vectors[:, 0], kind, share / largest)
    np.testing.assert_allclose(single, found[:, 0], atol=1e-8 * np.abs(found).max())


def test_products_refuse_decays_beyond_the_range():
    X, _ = data()
    with pytest.raises(ValueError, match="below 1/‖K‖"):
        proximity_product(X, np.ones(40), "von_neumann", 2 / largest_eigenvalue(X))
    with pytest.raises(ValueError, match=r"one value for each of the 40 terms, got the shape \(4,\)"):
        proximity_product(X, np.ones(4), "exponential", 0.1)
    assert largest_eigenvalue(np.array([[3.0, 4.0]])) == pytest.approx(25)

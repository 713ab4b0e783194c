"""Topic models as scikit-learn's transformers: matrices of counts, names of columns, pipelines."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from semwork.datasets.records import WordVectors
from semwork.topics import LDA, GaussianLDA, planted

DATA = planted(n_topics=2, n_documents=20, alpha=0.1)
COUNTS = np.array([np.bincount(words, minlength=len(DATA.vectors)) for words in DATA.documents])
SORTED = [np.sort(words) for words in DATA.documents]
TEXTS = ["cats and dogs purr", "dogs chase cats", "banks lend money", "money is in banks"] * 5
LABELS = [0, 0, 1, 1] * 5
VECTORS = WordVectors(
    "small",
    ["cats", "dogs", "purr", "chase", "banks", "lend", "money"],
    np.random.default_rng(0).normal(size=(7, 3)).astype(np.float32),
)
MODELS = {"LDA": LDA(2, max_sweeps=5, random_state=0), "GaussianLDA": GaussianLDA(2, max_sweeps=5, random_state=0)}
each_model = pytest.mark.parametrize("name", MODELS)


def fitted(name, documents, vectors=DATA.vectors):
    model = clone(MODELS[name])
    return model.fit(documents) if name == "LDA" else model.fit(documents, vectors)


def whole(X):
    """Round up: scikit-learn's checks fit on broken numbers, which the models refuse, as they count words."""
    if sparse.issparse(X):
        return X.tocsr().astype(float).ceil()
    if not hasattr(X, "columns") and np.asarray(X).dtype.kind == "O":
        return np.ceil(np.asarray(X).astype(float))
    return np.ceil(X) if hasattr(X, "columns") or np.asarray(X).dtype.kind != "c" else X


class Counting(LDA):
    def _documents(self, given, *, fitting):
        return super()._documents(whole(given), fitting=fitting)


class CountingInSpace(GaussianLDA):
    """Has vectors for as many words as there are columns, since scikit-learn's checks give none."""

    def _documents(self, given, *, fitting):
        return super()._documents(whole(given), fitting=fitting)

    def steps(self, documents, vectors=None, max_sweeps=None):
        yield from super().steps(documents, self._made(documents), max_sweeps)

    def partial_steps(self, documents, vectors=None, *, sweeps=10):
        yield from super().partial_steps(documents, self._made(documents), sweeps=sweeps)

    def _made(self, documents):
        given = documents if hasattr(documents, "shape") else np.asarray(documents)
        return np.random.default_rng(0).normal(size=(given.shape[-1], 2))


NUMBERS = "a list of numbers is taken for documents, each of which should be a list: a TypeError says so"
PLACE = "the draws of a document's topics depend on its place among the others"


def exceptions(_):
    return {
        "check_fit1d": NUMBERS,
        "check_fit2d_predict1d": NUMBERS,
        "check_methods_sample_order_invariance": PLACE,
        "check_methods_subset_invariance": PLACE,
    }


CHECKED = [Counting(2, max_sweeps=3, random_state=0), CountingInSpace(2, max_sweeps=3, random_state=0)]


@parametrize_with_checks(CHECKED, expected_failed_checks=exceptions)
def test_scikit_learn_accepts_them(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_transformer_get_feature_names_out,
        estimator_checks.check_transformer_get_feature_names_out_pandas,
        estimator_checks.check_set_output_transform,
        estimator_checks.check_set_output_transform_pandas,
        estimator_checks.check_global_output_transform_pandas,
        estimator_checks.check_dataframe_column_names_consistency,
    ],
    ids=lambda check: check.__name__,
)
@pytest.mark.filterwarnings("ignore:X .*feature names")
def test_scikit_learn_finds_the_names_that_it_expects(check):
    check("Counting", CHECKED[0])


@each_model
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array, sparse.coo_matrix, sparse.csc_array])
def test_a_matrix_of_counts_is_the_same_as_lists_of_word_numbers(name, kind):
    expected, model = fitted(name, SORTED), fitted(name, kind(COUNTS))
    assert model.vocabulary_ == expected.vocabulary_
    for ours, theirs in zip(model.assignments_, expected.assignments_, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(model.transform(kind(COUNTS[:5])), expected.transform(SORTED[:5]))
    assert model.n_features_in_ == COUNTS.shape[1]


@each_model
def test_columns_of_a_table_are_words(name):
    words = [f"word {k}" for k in range(COUNTS.shape[1])]
    table = pd.DataFrame(COUNTS, columns=words)
    model = fitted(name, table, WordVectors("planted", words, DATA.vectors))
    assert set(model.vocabulary_) <= set(words)
    assert model.feature_names_in_.tolist() == words
    tokens = model.tokens_[0]
    assert sorted(np.array(model.vocabulary_)[tokens]) == sorted(words[k] for k in DATA.documents[0])
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(table[words[::-1]])
    proportions = model.transform(table)
    found = model.set_output(transform="pandas").transform(table)
    assert found.columns.tolist() == model.get_feature_names_out().tolist() == [f"{name.lower()}0", f"{name.lower()}1"]
    np.testing.assert_array_equal(found.to_numpy(), proportions)


@each_model
def test_lists_after_a_matrix_forget_its_columns(name):
    model = fitted(name, pd.DataFrame(COUNTS), DATA.vectors) if name == "LDA" else fitted(name, COUNTS)
    assert hasattr(model, "n_features_in_")
    model.fit(SORTED, DATA.vectors)
    assert not hasattr(model, "n_features_in_")


@each_model
def test_texts_and_labels_go_through_a_pipeline_and_a_grid_search(name):
    step = name.lower()
    given = {} if name == "LDA" else {f"{step}__vectors": VECTORS}
    pipeline = make_pipeline(clone(MODELS[name]), LogisticRegression())
    assert pipeline.fit(TEXTS, LABELS, **given).predict(["cats purr"]).shape == (1,)
    search = GridSearchCV(pipeline, {f"{step}__n_topics": [2, 3]}, cv=2, error_score="raise")
    assert search.fit(TEXTS, LABELS, **given).best_score_ > 0
    np.testing.assert_array_equal(
        clone(pipeline[0]).fit_transform(TEXTS, LABELS, vectors=VECTORS),
        clone(pipeline[0]).fit(TEXTS, vectors=VECTORS).transform(TEXTS),
    )


def test_counts_of_a_vectorizer_go_through_a_pipeline():
    pipeline = make_pipeline(CountVectorizer(), LDA(2, max_sweeps=50, random_state=0), LogisticRegression())
    assert pipeline.fit(TEXTS, LABELS).score(TEXTS, LABELS) == 1
    assert pipeline[:-1].get_feature_names_out().tolist() == ["lda0", "lda1"]


def test_vectors_may_stand_in_the_place_of_labels_and_labels_are_not_vectors():
    expected = fitted("GaussianLDA", SORTED).means_
    for model in (
        clone(MODELS["GaussianLDA"]).fit(SORTED, vectors=DATA.vectors),
        clone(MODELS["GaussianLDA"]).fit(SORTED, [0] * 20, DATA.vectors),
        clone(MODELS["GaussianLDA"]).fit(SORTED, DATA.vectors.tolist()),
    ):
        np.testing.assert_array_equal(model.means_, expected)
    with pytest.raises(ValueError, match=r"needs the vectors of words: .* fit\(documents, vectors\)"):
        clone(MODELS["GaussianLDA"]).fit(SORTED, LABELS)


@each_model
def test_a_saved_model_still_knows_its_columns(name, tmp_path):
    words = [f"word {k}" for k in range(COUNTS.shape[1])]
    table = pd.DataFrame(COUNTS, columns=words)
    model = fitted(name, table, WordVectors("planted", words, DATA.vectors))
    again = type(model).load(model.save(tmp_path / "model.npz"))
    assert again.feature_names_in_.tolist() == words
    np.testing.assert_array_equal(again.transform(table), model.transform(table))
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting \d+ features as input"):
        again.transform(COUNTS[:, :3])
    bare = fitted(name, SORTED)
    assert not hasattr(type(bare).load(bare.save(tmp_path / "model.npz")), "n_features_in_")


@each_model
@pytest.mark.parametrize(
    ("cell", "message"), [(0.5, "a cell is 0.5: give whole numbers"), (-1.0, "Negative values"), (np.nan, "NaN")]
)
def test_what_is_no_count_is_refused_in_words(name, cell, message):
    broken = COUNTS.astype(float)
    broken[2, 1] = cell
    with pytest.raises(ValueError, match=message):
        fitted(name, broken)
    with pytest.raises(ValueError, match=message):
        fitted(name, COUNTS).transform(sparse.csr_array(broken))


@each_model
def test_a_snapshot_stays_while_the_model_goes_on(name, tmp_path):
    model = clone(MODELS[name])
    run = model.steps(DATA.documents, DATA.vectors)
    next(run)
    early = model.snapshot()
    topics, sizes = [assigned.copy() for assigned in early.assignments_], early.topic_sizes_.copy()
    density, shares = model.topic_word_density().copy(), model.document_topics_.copy()
    list(run)
    assert not np.array_equal(np.concatenate(model.assignments_), np.concatenate(topics))
    for kept, assigned in zip(early.assignments_, topics, strict=True):
        np.testing.assert_array_equal(kept, assigned)
    np.testing.assert_array_equal(early.topic_sizes_, sizes)
    np.testing.assert_array_equal(early.topic_word_density(), density)
    np.testing.assert_array_equal(early.document_topics_, shares)
    assert len(early.log_joint_path_) == 1 < len(model.log_joint_path_)
    again = type(early).load(early.save(tmp_path / "early.npz"))
    np.testing.assert_allclose(again.document_topics_, shares)
    np.testing.assert_allclose(again.topic_word_density(), density)

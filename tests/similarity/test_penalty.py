"""The default λ: right for any number of texts and any scale, and a warning where a given one is too strong."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from semwork.datasets import load
from semwork.experiments import read_table
from semwork.experiments import regularization as experiment
from semwork.similarity import LSA, WTMF, CollapsedVectorsWarning, SentenceSpace
from semwork.similarity.penalty import automatic_regularization, collapse, singular_values
from semwork.steps import last
from semwork.sweeps import Cell
from semwork.text import Corpus

RESULTS = Path(__file__).parents[2] / "data" / "results"


def random_rows(seed, sentences, words, density=0.1):
    rng = np.random.default_rng(seed)
    return sparse.random_array((sentences, words), density=density, rng=rng, format="csr") * 5


@pytest.mark.parametrize("shape", [(40, 30), (30, 40), (900, 700), (700, 900)])
@pytest.mark.parametrize("count", [1, 7, 30])
def test_singular_values_are_those_of_a_dense_decomposition(shape, count):
    X = random_rows(0, *shape)
    expected = np.linalg.svd(X.toarray(), compute_uv=False)[:count]
    np.testing.assert_allclose(singular_values(X, count), expected, rtol=0.01, atol=1e-6)


@given(st.integers(0, 1000), st.sampled_from([1e-3, 1.0, 100.0]))
def test_the_default_follows_the_scale_so_that_the_vectors_only_change_their_length(seed, scale):
    """λ grows by c where the weights do: then P, Q → √c P, √c Q is the solution."""
    X = random_rows(seed, 30, 25, 0.3)
    assert automatic_regularization(X * scale, 5) == pytest.approx(scale * automatic_regularization(X, 5))
    start = np.random.default_rng(seed).standard_normal((5, 25))
    plain = WTMF(5, max_iter=4, dtype="float64").fit(X, start=start)
    scaled = WTMF(5, max_iter=4, dtype="float64").fit(X * scale, start=start * np.sqrt(scale))
    np.testing.assert_allclose(scaled.embedding_, plain.embedding_ * np.sqrt(scale), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("factor", [2.0, 0.5])
def test_with_full_weight_singular_values_lose_lambda_and_one_above_them_all_leaves_nothing(factor):
    """What the choice rests on, beside a decomposition: max(σ_k − λ, 0)."""
    X = random_rows(0, 12, 10, 0.8)
    left, values, right = np.linalg.svd(X.toarray())
    penalty = values[0] / factor
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapsedVectorsWarning)
        model = WTMF(10, 1.0, penalty, max_iter=500, dtype="float64", random_state=0).fit(X)
    best = (left[:, :10] * np.maximum(values - penalty, 0)) @ right
    np.testing.assert_allclose(model.embedding_ @ model.components_, best, atol=0.02 * values[0])


@pytest.mark.data("wordnet")
@pytest.mark.data("brown")
def test_on_the_papers_corpus_it_is_the_papers_twenty():
    corpus = Corpus.from_texts([*load("wordnet").texts, *load("brown").texts])
    assert automatic_regularization(corpus.matrix, 100) == pytest.approx(20, rel=0.05)


@pytest.mark.slow
@pytest.mark.data("cdr")
@pytest.mark.parametrize("weights", experiment.WEIGHTINGS)
def test_definitions_are_found_as_well_as_with_the_best_of_a_grid(weights, monkeypatch):
    """One cell of the experiment; the stored table has all."""
    monkeypatch.setattr(experiment, "_HALVINGS", range(2, 12, 2))
    cell = Cell(experiment.default_penalty, {"size": 600, "weighting": weights})
    row = experiment._row(cell, cell.compute())
    assert row["hit@10, share"] >= 0.95
    assert row["hit@10, λ = 20"] < 0.8 * row["hit@10, default"]


def test_the_stored_table_says_what_the_docstring_says():
    table = read_table(RESULTS / "regularization_table.csv")
    assert sorted(set(table["texts"])) == sorted(experiment.SIZES)
    assert set(table["weights"]) == set(experiment.WEIGHTINGS)
    assert len(table) == len(experiment.SIZES) * len(experiment.WEIGHTINGS)
    assert (table["hit@10, share"] >= 0.94).all()
    assert (table["hit@10, share"] >= 0.95).sum() == len(table) - 1


@pytest.mark.data("wordnet")
@pytest.mark.parametrize("size", [10, 30, 100, 1000])
def test_neighbours_differ_whatever_the_number_of_texts(size):
    texts = load("wordnet").definitions[: size * 7 : 7]
    space = SentenceSpace.from_texts(texts, WTMF(random_state=0), analyzer="stem").fit()
    rows = space.encode(texts).astype(float)
    lengths = np.linalg.norm(rows, axis=1)
    unit = rows[lengths > 0] / lengths[lengths > 0, None]
    nearest = np.sort(unit @ unit.T - 2 * np.eye(len(unit)), axis=1)[:, -2:]
    assert nearest.mean() < 0.85
    assert len(space.model.components_) == min(100, *space.corpus.matrix.shape)


@pytest.mark.parametrize(("penalty", "said"), [(20.0, "nearly zero"), (1.1, "nearly all in one direction")])
def test_a_penalty_that_is_too_strong_is_said_with_what_to_change(penalty, said):
    texts = load("sample").documents.texts[:300]
    X = sparse.csr_array(TfidfVectorizer().fit_transform(texts))
    with pytest.warns(CollapsedVectorsWarning, match=f"300 sentences are {said}.*use 'auto'"):
        WTMF(20, regularization=penalty, random_state=0).fit(X)
    with pytest.warns(CollapsedVectorsWarning):
        SentenceSpace.from_texts(texts, WTMF(20, regularization=1e6, random_state=0)).fit()
    end = last(WTMF(20, regularization=penalty, random_state=0).steps(X))
    assert said in end.message
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = WTMF(20, random_state=0).fit(X)
    assert model.regularization_ == pytest.approx(0.084 * LSA(20).fit(X).singular_values_[-1], rel=0.01)


@pytest.mark.slow
def test_vectors_from_unit_length_rows_tell_topics_apart():
    """With scikit-learn's vectoriser a classifier on the vectors was at chance."""
    documents = load("sample").documents
    folds = StratifiedKFold(4, shuffle=True, random_state=0)

    def accuracy(model):
        pipeline = make_pipeline(TfidfVectorizer(), model, LogisticRegression(C=100, max_iter=1000))
        return cross_val_score(pipeline, documents.texts, documents.labels, cv=folds).mean()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapsedVectorsWarning)
        assert accuracy(WTMF(regularization=20.0, random_state=0)) < 0.2, "one in eight is chance"
    assert accuracy(WTMF(random_state=0)) > accuracy(TruncatedSVD(100, random_state=0))


def test_texts_that_are_all_alike_are_said_to_be():
    with pytest.warns(CollapsedVectorsWarning, match="may be .nearly. all alike"):
        WTMF(2, random_state=0).fit(np.tile([1.0, 2.0, 0.0, 3.0], (6, 1)) + np.eye(6, 4) * 1e-3)


def test_ignoring_missing_words_leaves_one_direction_and_only_a_weight_that_is_nearly_zero_is_warned_of():
    corpus = Corpus.from_texts(load("sample").dictionary.candidates, analyzer="stem")

    def fitted(weight):
        return WTMF(20, missing_weight=weight, regularization=5.0, random_state=0).fit(corpus.matrix)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked_for = fitted(0.0)
    assert collapse(asked_for.embedding_, 1.0, 2.0) == "nearly all in one direction"
    with pytest.warns(CollapsedVectorsWarning, match="with missing_weight=1e-06 one direction is enough: use 0.01"):
        fitted(1e-6)
    with pytest.warns(CollapsedVectorsWarning, match="are nearly zero"):
        WTMF(20, missing_weight=0.0, regularization=500.0, random_state=0).fit(corpus.matrix)


@pytest.mark.data("wordnet")
@pytest.mark.parametrize("size", [30, 100, 300, 1000])
def test_the_papers_penalty_is_warned_of_where_it_makes_neighbours_alike(size):
    definitions = load("wordnet").definitions
    texts = definitions[:: len(definitions) // size][:size]
    space = SentenceSpace.from_texts(texts, WTMF(20, regularization=20.0, random_state=0), analyzer="stem")
    with pytest.warns(CollapsedVectorsWarning, match=f"{size:,} sentences are nearly"):
        space.fit()


@pytest.mark.parametrize("shape", [(6, 5), (900, 800)])
def test_a_matrix_without_any_weight_gives_vectors_of_zeros(shape):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not WTMF(max_iter=2, random_state=0).fit(sparse.csr_array(shape)).embedding_.any()


def test_texts_that_stand_twenty_times_have_a_penalty_all_the_same():
    X = sparse.vstack([random_rows(0, 50, 800)] * 20, format="csr")
    assert automatic_regularization(X, 100) == pytest.approx(0.00084 * LSA(1).fit(X).singular_values_[0], rel=0.01)


def test_what_counts_as_collapsed():
    rng = np.random.default_rng(0)
    spread = rng.normal(size=(50, 4))
    assert collapse(spread, 10.0, 100.0) == ""
    assert collapse(spread, 100.0, 100.0) == "nearly zero"
    assert collapse(np.outer(rng.normal(size=50), spread[0]), 10.0, 100.0) == "nearly all in one direction"
    assert collapse(spread[:, :1], 10.0, 100.0) == "", "one dimension is one direction"
    assert collapse(np.zeros((3, 2)), 0.0, 0.0) == "", "there was nothing to explain"


def test_a_file_from_before_has_a_lambda_too(tmp_path):
    model = WTMF(2, regularization=0.5, max_iter=2, random_state=0).fit(random_rows(1, 20, 15, 0.5))
    del model.regularization_
    again = WTMF.load(model.save(tmp_path / "old.npz"))
    assert again.regularization_ == 0.5

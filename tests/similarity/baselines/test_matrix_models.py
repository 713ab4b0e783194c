"""IR, LSA and LDA vectors: what all models that read a matrix promise."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from semwork.similarity.base import SentenceModel
from semwork.similarity.baselines import LSA, LDAVectors, TfidfCosine
from semwork.text import Corpus

MODELS = [
    TfidfCosine(),
    LSA(n_components=3, random_state=0),
    LDAVectors(n_components=3, max_iter=5, samples=2, random_state=0),
]
each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


class Counting(LDAVectors):
    """LDAVectors that rounds: scikit-learn's checks fit on broken numbers, which the real one refuses."""

    def steps(self, X):
        if sparse.issparse(X):
            X = X.tocsr().astype(float).ceil()
        elif np.asarray(X).dtype.kind in "fiu" or all(isinstance(cell, float) for cell in np.asarray(X).ravel()):
            X = np.ceil(np.asarray(X, dtype=float))
        yield from super().steps(X)


@parametrize_with_checks(
    [TfidfCosine(), LSA(n_components=1, random_state=0), Counting(n_components=2, max_iter=5, random_state=0)]
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@each_model
def test_sparse_equals_dense_and_empty_rows_stay_empty(model, random_weights):
    X = random_weights(0).ceil()
    from_sparse = clone(model).fit(X)
    from_dense = clone(model).fit(X.toarray())
    left, right = from_sparse.transform(X), from_dense.transform(X.toarray())
    left, right = (rows.toarray() if sparse.issparse(rows) else rows for rows in (left, right))
    np.testing.assert_allclose(left, right, atol=1e-10)
    assert not left[3].any()
    assert left[0].any()


@each_model
def test_no_sentences_give_no_rows(model, random_weights):
    X = random_weights(1).ceil()
    fitted = clone(model).fit(X)
    assert fitted.transform(X[:0]).shape == (0, fitted.transform(X).shape[1])


@each_model
def test_a_saved_model_gives_the_same_rows(model, random_weights, tmp_path):
    X = random_weights(2).ceil()
    fitted = clone(model).fit(X)
    again = type(model).load(fitted.save(tmp_path / "model.npz"))
    assert again.get_params() == fitted.get_params()
    difference = again.transform(X) - fitted.transform(X)
    assert abs(difference).max() == 0


@each_model
def test_texts_and_corpora_are_told_from_matrices(model):
    texts = ["a cat", "a dog"]
    for wrong in (texts, "a cat", np.array(texts), pd.Series(texts, index=[7, 8])):
        with pytest.raises(TypeError, match=r"matrix, got text .*a cat.*Corpus\.from_texts"):
            clone(model).fit(wrong)
    corpus = Corpus.from_texts(texts, min_count=1, weighting="count")
    with pytest.raises(TypeError, match=r"got a Corpus: give its \.(counts|matrix)"):
        clone(model).fit(corpus)


@each_model
@pytest.mark.parametrize(("cell", "message"), [(np.nan, "NaN"), (np.inf, "infinity"), (-1.0, "Negative values")])
def test_cells_must_be_finite_and_not_negative(model, cell, message, random_weights):
    X = random_weights(3).ceil().toarray()
    broken = X.copy()
    broken[1, 1] = cell
    with pytest.raises(ValueError, match=message):
        clone(model).fit(broken)
    fitted = clone(model).fit(X)
    with pytest.raises(ValueError, match=message):
        fitted.transform(sparse.csr_array(broken))


@each_model
def test_columns_must_be_those_of_the_fit(model, random_weights):
    X = random_weights(4).ceil()
    with pytest.raises(ValueError, match=r"X has 10 features, .* expecting 11 .*transform method of the Corpus"):
        clone(model).fit(X).transform(X[:, :10])


@each_model
def test_an_unfitted_model_says_so(model, random_weights):
    with pytest.raises(NotFittedError):
        clone(model).transform(random_weights(5))


@each_model
def test_every_model_is_compared_by_cosine_and_says_what_it_reads(model):
    assert isinstance(model, SentenceModel)
    assert model.measure == "cosine"
    assert model.reads == ("counts" if isinstance(model, LDAVectors) else "weights")


def test_ir_returns_the_weights(random_weights):
    X = random_weights(6)
    rows = TfidfCosine().fit(X).transform(X)
    assert sparse.issparse(rows)
    np.testing.assert_array_equal(rows.toarray(), X.toarray())


@pytest.mark.slow
def test_the_compiler_is_loaded_only_when_something_is_sampled():
    code = "import sys, semwork.similarity.baselines; sys.exit('semwork.gibbs' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)

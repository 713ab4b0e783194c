"""Columns have names, and tables come out where tables are asked for, as with scikit-learn's own transformers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from semwork.datasets import WordVectors
from semwork.similarity import (
    LSA,
    WTMF,
    Blend,
    Encoder,
    LDAVectors,
    NGramOverlap,
    SentenceSpace,
    TfidfCosine,
    WordAverage,
)
from semwork.text import Corpus

TEXTS = ["a bank lends money", "money lies in the bank", "a river has a bank", "fish swim in the river"]
CORPUS = Corpus.from_texts(TEXTS, min_count=1)
COUNTS = pd.DataFrame(CORPUS.counts.toarray(), columns=CORPUS.vocabulary)
VECTORS = WordVectors("random", list(CORPUS.vocabulary), np.random.default_rng(0).random((len(CORPUS.vocabulary), 3)))
MATRIX_MODELS = [
    WTMF(2, regularization=0.1, max_iter=2, random_state=0),
    LSA(2, random_state=0),
    LDAVectors(2, max_iter=3, random_state=0),
    TfidfCosine(),
    Blend(LSA(2, random_state=0), TfidfCosine()),
]
each_model = pytest.mark.parametrize("model", MATRIX_MODELS, ids=lambda model: type(model).__name__)


class Counting(LDAVectors):
    """LDAVectors that rounds: scikit-learn's checks fit on broken numbers, which the real one refuses."""

    def steps(self, X):
        yield from super().steps(np.ceil(X) if hasattr(X, "columns") else np.ceil(np.asarray(X, dtype=float)))


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_dataframe_column_names_consistency,
        estimator_checks.check_transformer_get_feature_names_out,
        estimator_checks.check_transformer_get_feature_names_out_pandas,
        estimator_checks.check_set_output_transform,
        estimator_checks.check_set_output_transform_pandas,
        estimator_checks.check_global_output_transform_pandas,
    ],
    ids=lambda check: check.__name__,
)
@pytest.mark.parametrize(
    "model",
    [WTMF(1, max_iter=2), LSA(1), Counting(2, max_iter=2), TfidfCosine()],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.filterwarnings("ignore:X .*feature names")
def test_scikit_learn_finds_names_as_it_expects_them(model, check):
    if isinstance(model, TfidfCosine) and "pandas" in check.__name__ and "output" in check.__name__:
        pytest.skip("its rows are sparse, and scikit-learn makes no tables of sparse rows")
    check(type(model).__name__, model)


@each_model
def test_columns_of_a_table_are_kept_by_name(model, tmp_path):
    fitted = sklearn.clone(model).fit(COUNTS)
    assert fitted.feature_names_in_.tolist() == CORPUS.vocabulary.tolist()
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.transform(COUNTS[COUNTS.columns[::-1]])
    assert len(fitted.get_feature_names_out()) == fitted.transform(COUNTS).shape[1]
    if model._saved_attributes:
        again = type(model).load(fitted.save(tmp_path / "model.npz"))
        assert again.n_features_in_ == fitted.n_features_in_
        assert again.feature_names_in_.tolist() == fitted.feature_names_in_.tolist()
        assert again.get_feature_names_out().tolist() == fitted.get_feature_names_out().tolist()
        bare = type(model).load(sklearn.clone(model).fit(COUNTS.to_numpy()).save(tmp_path / "model.npz"))
        assert not hasattr(bare, "feature_names_in_")


@each_model
def test_names_are_known_after_the_fit_only(model):
    with pytest.raises(NotFittedError):
        sklearn.clone(model).get_feature_names_out()


def test_names_say_whose_columns_they_are():
    assert LSA(2).fit(COUNTS).get_feature_names_out().tolist() == ["lsa0", "lsa1"]
    assert TfidfCosine().fit(COUNTS).get_feature_names_out().tolist() == COUNTS.columns.tolist()
    blend = Blend(LSA(1), TfidfCosine()).fit(COUNTS)
    assert blend.get_feature_names_out().tolist() == ["lsa0", *COUNTS.columns]
    ngrams = NGramOverlap((1, 2)).fit(TEXTS)
    assert ngrams.get_feature_names_out().tolist() == ngrams.corpus_.vocabulary.tolist()
    assert WordAverage(VECTORS).fit(TEXTS).get_feature_names_out().tolist() == [f"wordaverage{k}" for k in range(3)]
    lengths = Encoder(lambda texts: [[len(text)] for text in texts]).fit(TEXTS)
    assert lengths.get_feature_names_out().tolist() == ["encoder0"]


def test_a_pipeline_knows_its_columns_and_gives_tables():
    pipeline = make_pipeline(CountVectorizer(), WTMF(2, regularization=0.1, random_state=0)).fit(TEXTS)
    assert pipeline.get_feature_names_out().tolist() == ["wtmf0", "wtmf1"]
    rows = pipeline.transform(TEXTS)
    found = pipeline[1].set_output(transform="pandas").transform(pipeline[0].transform(TEXTS))
    assert isinstance(found, pd.DataFrame)
    assert found.columns.tolist() == ["wtmf0", "wtmf1"]
    np.testing.assert_array_equal(found.to_numpy(), rows)


@each_model
def test_tables_do_not_disturb_a_space(model):
    expected = SentenceSpace(CORPUS, sklearn.clone(model)).fit().similar("fish")
    space = SentenceSpace(CORPUS, sklearn.clone(model)).fit()
    with sklearn.config_context(transform_output="pandas"):
        pd.testing.assert_frame_equal(space.similar("fish"), expected)
    if not isinstance(model, TfidfCosine | Blend):  # scikit-learn makes no tables of sparse rows
        space.model.set_output(transform="pandas")
        pd.testing.assert_frame_equal(space.similar("fish"), expected)
        assert isinstance(space.encode(TEXTS), np.ndarray)

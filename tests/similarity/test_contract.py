"""What every sentence model keeps to, whoever wrote it."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from semwork.datasets import WordVectors
from semwork.similarity import Blend, Encoder, NGramOverlap, SentenceModel
from semwork.similarity.base import plain_rows
from semwork.text import Corpus
from tests.similarity.contract import MODELS, TEXTS

CORPUS = Corpus.from_texts(TEXTS, min_count=1)


def given(model):
    """What the model's fit reads of the corpus, and what its transform does."""
    fitted_on = {"weights": CORPUS.matrix, "counts": CORPUS.counts, "texts": TEXTS}[model.reads]
    return fitted_on, TEXTS if model.reads == "texts" else CORPUS.matrix


def rows_of(model):
    rows = plain_rows(model, given(model)[1])
    return rows.toarray() if sparse.issparse(rows) else np.asarray(rows)


reading_numbers = pytest.mark.parametrize("name", [name for name, make in MODELS.items() if make().reads != "texts"])


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


def test_parameters_are_kept_as_they_are_given_and_a_fit_does_not_touch_them(model):
    names = list(inspect.signature(type(model)).parameters)
    before = {name: getattr(model, name) for name in names}
    assert set(model.get_params(deep=False)) == set(names)
    inner = {name: set(vars(value)) for name, value in before.items() if isinstance(value, SentenceModel)}
    assert model.fit(given(model)[0]) is model
    for name, value in before.items():
        assert getattr(model, name) is value, name
        if name in inner:
            assert set(vars(value)) == inner[name], f"the fit has written into the {name} that it was given"
    own = set(vars(model)) - set(names)
    assert {name for name in own if not name.startswith("_") and not name.endswith("_")} == set()


def test_a_copy_is_not_fitted_and_gives_the_same_rows(model):
    expected = rows_of(model.fit(given(model)[0]))
    again = clone(model)
    with pytest.raises(NotFittedError):
        again.transform(given(model)[1])
    np.testing.assert_array_equal(rows_of(again.fit(given(model)[0])), expected)
    np.testing.assert_array_equal(rows_of(model.fit(given(model)[0])), expected, "a second fit begins anew")


def test_steps_count_to_their_end_and_draining_them_is_the_fit(model):
    steps = list(model.steps(given(model)[0]))
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done == steps[-1].total
    np.testing.assert_array_equal(rows_of(model), rows_of(clone(model).fit(given(model)[0])))


def assert_alike(here, there, name):
    """Compare two models attribute by attribute, and the models that they are made of."""
    if isinstance(here, SentenceModel):
        assert vars(here).keys() == vars(there).keys(), name
        for attribute, value in vars(here).items():
            assert_alike(value, vars(there)[attribute], f"{name}.{attribute}")
    elif isinstance(here, WordVectors | Corpus):
        assert here is there, f"{name} is the same one before and after"
    else:
        np.testing.assert_array_equal(here, there, name)


def frozen(value):
    """A copy of which nothing is shared with what it is of, but for vectors and corpora."""
    if not isinstance(value, SentenceModel):
        return value if isinstance(value, WordVectors | Corpus) else copy.deepcopy(value)
    alone = copy.copy(value)
    vars(alone).update({name: frozen(part) for name, part in vars(value).items()})
    return alone


def test_no_attribute_of_a_snapshot_changes_while_the_fit_goes_on(model):
    steps = model.steps(given(model)[0])
    next(steps)
    now = model.snapshot()
    before, rows = frozen(now), rows_of(now)
    for _ in steps:
        pass
    assert_alike(now, before, type(model).__name__)
    np.testing.assert_array_equal(rows_of(now), rows)
    assert type(now) is type(model)
    np.testing.assert_array_equal(rows_of(model.snapshot()), rows_of(model))


def test_what_is_fitted_survives_a_pickle(model):
    model.fit(given(model)[0])
    np.testing.assert_array_equal(rows_of(pickle.loads(pickle.dumps(model))), rows_of(model))


def test_one_sentence_has_the_row_that_it_has_among_others(model):
    model.fit(given(model)[0])
    together, reads = rows_of(model), given(model)[1]
    for place in (0, len(TEXTS) - 1):
        alone = plain_rows(model, reads[place : place + 1])
        alone = alone.toarray() if sparse.issparse(alone) else np.asarray(alone)
        np.testing.assert_allclose(alone[0], together[place], rtol=1e-5, atol=1e-6)


def test_names_of_columns_are_as_many_as_columns(model):
    model.fit(given(model)[0])
    assert len(model.get_feature_names_out()) == rows_of(model).shape[1]


def test_a_sentence_without_a_known_word_has_a_row_without_a_nan(model):
    model.fit(given(model)[0])
    nothing = [""] if model.reads == "texts" else sparse.csr_array((1, CORPUS.matrix.shape[1]))
    rows = plain_rows(model, nothing)
    assert np.isfinite(rows.toarray() if sparse.issparse(rows) else rows).all()


@reading_numbers
def test_dense_and_sparse_weights_give_the_same_rows(name):
    model = MODELS[name]()
    fitted_on, _ = given(model)
    expected = rows_of(model.fit(fitted_on))
    dense = clone(model).fit(fitted_on.toarray())
    rows = plain_rows(dense, CORPUS.matrix.toarray())
    np.testing.assert_allclose(rows.toarray() if sparse.issparse(rows) else rows, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (np.full((3, 4), np.nan), "NaN"),
        (np.full((3, 4), -1.0), "Negative"),
        (np.zeros((0, 4)), "0 sample"),
        (["a text", "another"], "Corpus.from_texts"),
    ],
    ids=["nan", "negative", "empty", "texts"],
)
@reading_numbers
def test_what_cannot_be_weights_is_refused_in_words(name, wrong, said):
    model = MODELS[name]()
    with pytest.raises((ValueError, TypeError), match=said):
        model.fit(wrong)


def test_other_columns_than_those_of_the_fit_are_refused(model):
    model.fit(given(model)[0])
    if model.reads == "texts":
        with pytest.raises(TypeError, match=r"write \[text\]"):
            model.transform("one text")
        return
    with pytest.raises(ValueError, match="features"):
        model.transform(np.ones((2, CORPUS.matrix.shape[1] + 1)))


def test_a_blend_leaves_its_parts_alone_and_refuses_what_is_no_part():
    wtmf = MODELS["WTMF"]()
    first, second = Blend(wtmf, share=0.2), Blend(wtmf, share=0.8)
    rows = rows_of(first.fit(CORPUS.matrix))
    second.set_params(first__n_components=2).fit(CORPUS.matrix)
    np.testing.assert_array_equal(rows_of(first), rows, "two blends of one model do not share its fit")
    for wrong in ("WTMF", type(wtmf), 3):
        with pytest.raises(TypeError, match=r"first must be of the type SentenceModel, got .* as in Blend\(WTMF"):
            Blend(wrong).fit(CORPUS.matrix)
    for part in (Encoder(len), NGramOverlap()):
        with pytest.raises(ValueError, match="which reads texts; a blend needs models that read weights"):
            Blend(second=part).fit(CORPUS.matrix)
    for share in ("half", None, True, -0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match=r"share is .*; it is the weight of the first model, a number between"):
            Blend(share=share).fit(CORPUS.matrix)

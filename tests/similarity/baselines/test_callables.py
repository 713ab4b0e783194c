"""Encoders from outside: whatever they do wrong is said in words."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from semwork.similarity.baselines import Encoder


def letters(texts):
    return np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)


class Transformer:
    """Looks like a SentenceTransformer: not callable, but it encodes."""

    def __init__(self):
        self.sizes = []

    def encode(self, texts):
        self.sizes.append(len(texts))
        return letters(texts).tolist()


TEXTS = ["abc", "aab", "", "ccc", "ba"]


@pytest.mark.parametrize("batch_size", [1, 2, 5, 100])
def test_batches_do_not_matter(batch_size):
    rows = Encoder(letters, batch_size).fit(TEXTS).transform(TEXTS)
    assert rows.dtype == np.float64
    np.testing.assert_array_equal(rows, letters(TEXTS))


def test_an_object_with_encode_will_do_and_is_asked_once_per_batch():
    transformer = Transformer()
    model = Encoder(transformer, batch_size=2).fit(TEXTS)
    np.testing.assert_array_equal(model.transform(TEXTS), letters(TEXTS))
    assert transformer.sizes == [1, 2, 2, 1]
    assert model.width_ == 3
    assert (model.reads, model.measure) == ("texts", "cosine")


def test_progress_is_counted_in_texts():
    steps = list(Encoder(letters, batch_size=2).fit(TEXTS).batches(TEXTS))
    assert [(step.done, step.total) for step in steps] == [(2, 5), (4, 5), (5, 5)]
    np.testing.assert_array_equal(np.vstack([step.rows for step in steps]), letters(TEXTS))


def test_no_texts_give_no_rows():
    assert Encoder(letters).fit(TEXTS).transform([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda texts: letters(texts)[0], ValueError, r"<lambda> gave the shape \(3,\) for 1 texts; .* \(1, width\)"),
        (lambda texts: letters([*texts, "x"]), ValueError, r"gave the shape \(2, 3\) for 1 texts"),
        (lambda texts: np.zeros((len(texts), 0)), ValueError, r"gave the shape \(1, 0\)"),
        (lambda texts: letters(texts) * np.nan, ValueError, "gave NaN or infinity for 1 of 1 texts, first for 'abc'"),
        (lambda texts: [["one"] for _ in texts], TypeError, "gave list, which is no array of numbers"),
        (lambda texts: None, ValueError, r"gave the shape \(\) for 1 texts"),
        (None, TypeError, "function must be a function from a list of texts .* got None"),
        ("all-MiniLM", TypeError, "function must be a function .* got 'all-MiniLM'"),
        (Transformer, TypeError, "function must be a function .* got <class"),
    ],
)
def test_a_broken_function_is_named_at_the_fit(function, error, message):
    with pytest.raises(error, match=message):
        Encoder(function).fit(TEXTS)


def test_the_width_must_stay():
    model = Encoder(lambda texts: np.ones((len(texts), len(texts))), batch_size=2).fit(TEXTS)
    with pytest.raises(ValueError, match="rows of 2 numbers for texts 0 to 1, but of 1 at the fit"):
        model.transform(TEXTS)


def test_bad_texts_and_sizes_are_refused():
    with pytest.raises(ValueError, match="batch_size must be a whole number from 1, got 0"):
        Encoder(letters, batch_size=0).fit(TEXTS)
    with pytest.raises(TypeError, match="texts must be a list"):
        Encoder(letters).fit("abc")
    with pytest.raises(ValueError, match="there are no sentences"):
        Encoder(letters).fit([])
    with pytest.raises(NotFittedError):
        Encoder(letters).transform(TEXTS)
    with pytest.raises(NotFittedError):
        next(clone(Encoder(letters).fit(TEXTS)).batches(TEXTS))

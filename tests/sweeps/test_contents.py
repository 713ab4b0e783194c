"""The digest of contents: equal for equal contents, different where anything differs."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import random
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from scipy import sparse

from semwork.datasets import load
from semwork.similarity import WTMF
from semwork.steps import last
from semwork.sweeps import Cell, Folder, Sweep, contents
from semwork.sweeps.contents import content_digest, importable_parts
from semwork.text import Corpus
from tests.sweeps import toys

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@drawn(plain, plain)
def test_plain_values_have_one_digest_each(one, other):
    same = repr(one) == repr(other) and type(one) is type(other)
    assert (content_digest(one) == content_digest(other)) is (same or canonical(one) == canonical(other))


def canonical(value):
    if isinstance(value, dict):
        return {"m": sorted((repr(key), repr(canonical(inner))) for key, inner in value.items())}
    return [canonical(inner) for inner in value] if isinstance(value, list) else repr(value)


@dataclasses.dataclass(frozen=True)
class Settings:
    weight: float
    names: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Holding:
    numbers: np.ndarray


class Point(NamedTuple):
    x: int
    y: int


class Colour(enum.StrEnum):
    RED = "red"


class Own:
    def __init__(self, value):
        self.value = value

    def show(self):
        return self.value


def elsewhere(name, **fields):
    """A class of the same name in another module."""
    return dataclasses.make_dataclass(name, fields, namespace={"__module__": "elsewhere"}, frozen=True)


def times(*, factor):
    return lambda x, *, by=factor: x * by


DIFFERENT = [
    functools.partial(int, "5"), functools.partial(int, "7"), functools.partial(int, base=7), functools.partial(float),
    pd.Timestamp("2012-07-01"), pd.Timestamp("2012-07-02"), datetime.date(2012, 7, 1), np.datetime64(5, "ns"),
    pd.Series(["a", "b"], dtype="category"), pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["b", "a"])),
    pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["a", "b"], ordered=True)), pd.Series(["a", "b"]),
    pd.Series([1, 2], name="x"), pd.Series([1, 2], dtype="int8"), pd.Series([1, None], dtype="Int64"), pd.Index([1, 2]),
    pd.Categorical(["a"]), pd.Categorical(["b"]),
    np.ma.masked_array([1, 2], [False, True]), np.ma.masked_array([1, 2], [True, False]),
    np.ma.masked_array([1, 2]), np.array([1, 2]), np.array([1, 2], dtype=np.int8), np.array([1, 2], dtype=np.uint8),
    np.array([(1, 2)], dtype=[("a", int), ("b", int)]), np.array([(1, 2)], dtype=[("b", int), ("a", int)]),
    np.array([(1, 2)], dtype=[("a", int), ("b", int)]).view(np.recarray),
    np.array([("x", 2)], dtype=[("a", object), ("b", int)]), np.array([("y", 2)], dtype=[("a", object), ("b", int)]),
    times(factor=2), times(factor=3), lambda a, b: a - b, lambda b, a: b - a, (1, 2), Point(1, 2), "red", Colour.RED,
    Path("red"), Own(1), Own(2), Own(1).show, Own(2).show, elsewhere("Settings", weight=float)(0.1), Holding([1]),
    elsewhere("Holding", numbers=list)([1]), sparse.csr_matrix(np.eye(2)), ["ab", "c"], ["a", "bc"],
    1, 1.0, True, "1", None, b"1", (1,), ((1,),), {1}, {"a": 1}, {"a": 2}, "ab", ["a", "b"], [], "",
    np.arange(3), np.arange(3.0), np.arange(4).reshape(2, 2), np.arange(4), np.array(["a", "b"], dtype=object),
    np.array(["a", "c"], dtype=object), sparse.csr_array(np.eye(2)), sparse.csr_array(np.eye(3)),
    pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"b": [1, 2]}), pd.DataFrame({"a": [1, 3]}), pd.Series([1, 2]),
    Settings(0.1), Settings(0.2), Settings(0.1, ("x",)), WTMF(2), WTMF(3), WTMF, Settings, len,
    lambda: 1, lambda: 2,
    *(
        Corpus.from_texts(texts, analyzer, min_count=1, weighting="count")
        for *texts, analyzer in (("a cat", "a dog", "word"), ("a cat", "a cow", "word"), ("a cat", "a dog", "stem"))
    ),
]  # fmt: skip


def test_what_differs_has_different_digests():
    digests = [content_digest(value) for value in DIFFERENT]
    assert len(set(digests)) == len(digests)


def test_what_is_equal_has_the_same_digest_whatever_its_form_or_use():
    rows = np.arange(6.0).reshape(2, 3)
    assert content_digest(rows) == content_digest(np.asfortranarray(rows))
    assert content_digest(sparse.csr_array(rows)) == content_digest(sparse.csc_array(rows))
    assert content_digest({"a": 1, "b": 2}) == content_digest({"b": 2, "a": 1})
    assert content_digest(np.float64(0.5)) == content_digest(0.5)
    texts = ["a cat", "a dog"]
    one, other = (Corpus.from_texts(texts, min_count=1, weighting="count") for _ in range(2))
    other.transform(["a cat"])  # fills what it remembers
    assert other.matrix.nnz
    assert content_digest(one) == content_digest(other)


def test_data_of_the_lessons_have_digests():
    sample = load("sample")
    assert content_digest(sample.dictionary) != content_digest(sample.pairs)
    assert content_digest(sample) == content_digest(load("sample"))


def test_a_frozen_record_whose_array_is_changed_has_another_digest():
    record = Holding(np.arange(3))
    before = content_digest(record), Cell(toys.of_record, data=record)
    assert before[1] == Cell(toys.of_record, data=record)
    record.numbers[0] = 9
    assert content_digest(record) != before[0]
    assert Cell(toys.of_record, data=record) != before[1]


def test_frozen_records_are_read_once_for_all_cells_of_a_sweep(monkeypatch):
    read = []
    monkeypatch.setattr(contents, "_array", lambda digest, value: read.append(value))
    record = Holding(np.arange(3))
    Sweep(Cell(toys.of_record, {"base": base}, data=record) for base in range(5))
    assert len(read) == 1
    Sweep([Cell(toys.of_record, {"base": 1}, data=record)])
    assert len(read) == 2


class Slotted:
    __slots__ = ("value",)


class Both(Slotted):
    """Has a ``__dict__``, and a slot that is not in it."""


@pytest.mark.parametrize(
    "value",
    [
        (one for one in ()), random.Random(3), ValueError("why"), np.random.default_rng(0),
        np.random.RandomState(0), Slotted(), Both(), threading.Event(), [1, {"inside": random.Random(3)}],
    ],
)  # fmt: skip
def test_what_may_hold_something_that_cannot_be_seen_is_refused(value):
    with pytest.raises(TypeError, match=r"no digest can be made of .*what it holds cannot be seen.*or make it in the"):
        content_digest(value)


def test_cells_of_functions_with_arguments_in_them_are_different():
    cells = [Cell(functools.partial(toys.power, exponent=exponent), {"base": 2}) for exponent in (2, 3)]
    assert cells[0] != cells[1]
    results = last(Sweep(cells, store=Folder("toys")).steps()).results
    assert [found["power"] for found in results.values()] == [4, 8]
    assert Folder("toys").about(cells[0])["function"] == "tests.sweeps.toys.power"


def test_functions_classes_and_models_among_settings_are_found():
    settings = {"make": WTMF, "more": [Settings(0.1, ("a",)), {"inner": load}], "model": WTMF(3), "n": np.arange(3)}
    found = set(importable_parts(settings))
    assert {name for _, name in found} == {"WTMF", "Settings", "load"}

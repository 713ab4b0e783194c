"""Which column is for what: a guess is said, and where two columns are as likely nobody chooses in silence."""

from __future__ import annotations

import pandas as pd
import pytest

from semwork.datasets import KINDS, ROLES, from_table, read_table
from semwork.datasets.own.kinds import split_named

LONG = ["The cat sleeps on the old sofa.", "A dog barks at the postman again.", "Rain falls on the quiet town tonight."]
OTHER = [
    "On the sofa there is a sleeping cat.",
    "The postman hears how a dog barks.",
    "The town is quiet, and it rains.",
]
LABELS = ["pets", "pets", "weather"]


def frame(columns, times=4):
    return pd.DataFrame({name: values * times for name, values in columns.items()})


GUESSED = {
    "names in English": ({"text": LONG, "label": LABELS}, "documents", {"text": "text", "label": "label"}),
    "in German": ({"Satz": LONG, "Kategorie": LABELS}, "documents", {"text": "Satz", "label": "Kategorie"}),
    "in French": ({"Phrase": LONG, "Catégorie": LABELS}, "documents", {"text": "Phrase", "label": "Catégorie"}),
    "in Russian": ({"Текст": LONG, "Класс": LABELS}, "documents", {"text": "Текст", "label": "Класс"}),
    "in Hebrew": ({"טקסט": LONG, "תווית": LABELS}, "documents", {"text": "טקסט", "label": "תווית"}),
    "in Japanese": ({"テキスト": LONG, "ラベル": LABELS}, "documents", {"text": "テキスト", "label": "ラベル"}),
    "numbers for labels": ({"review": LONG, "class": [1, 0, 1]}, "documents", {"text": "review", "label": "class"}),
    "SICK": (
        {"pair_ID": [1, 2, 3], "sentence_A": LONG, "sentence_B": OTHER, "relatedness_score": [4.5, 3.2, 1.0]},
        "pairs",
        {"left": "sentence_A", "right": "sentence_B", "score": "relatedness_score"},
    ),
    "QQP": (
        {"question1": LONG, "question2": OTHER, "is_duplicate": [1, 0, 1]},
        "pairs",
        {"left": "question1", "right": "question2", "score": "is_duplicate"},
    ),
    "NLI": (
        {"premise": LONG, "hypothesis": OTHER, "label": ["entailment", "neutral", "neutral"]},
        "pairs",
        {"left": "premise", "right": "hypothesis"},
    ),
    "questions and answers": (
        {"question": LONG, "answer": OTHER}, "definitions", {"query": "question", "candidate": "answer"},
    ),
    "names": (
        {"english": ["Paris", "Rome", "Athens"], "hebrew": ["פריז", "רומא", "אתונה"]},
        "names",
        {"english": "english", "foreign": "hebrew"},
    ),
    "only texts": ({"body": LONG, "date": ["2020-01-01", "2021-01-01", "2022-01-01"]}, "texts", {"text": "body"}),
    "text beats title": ({"title": OTHER, "text": LONG}, "texts", {"text": "text"}),
    "text beats review": ({"review": OTHER, "text": LONG}, "texts", {"text": "text"}),
    "no names": ({"x": LONG, "z": LABELS}, "documents", {"text": "x", "label": "z"}),
    "no names, no labels": ({"x": LONG, "z": [1.5, 2.5, 3.5]}, "texts", {"text": "x"}),
    "two texts and a number": (
        {"x": LONG, "z": OTHER, "w": [1.5, 2.5, 3.5]}, "pairs", {"left": "x", "right": "z", "score": "w"},
    ),
    "two scripts": (
        {"x": ["Paris", "Rome", "Athens"], "z": ["Париж", "Рим", "Афины"]}, "names", {"english": "x", "foreign": "z"},
    ),
    "vectors": (
        {"w": ["cat", "dog", "sun"], **{f"d{place}": [0.1, 0.2, 0.3] for place in range(8)}}, "vectors", {"word": "w"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", GUESSED)
def test_what_is_guessed(title):
    columns, kind, roles = GUESSED[title]
    reading = read_table(frame(columns, times=1 if title == "two scripts" else 4))
    assert (reading.kind, reading.columns) == (kind, roles), reading.report
    assert isinstance(reading.record, KINDS[kind])
    for role, column in roles.items():
        assert any(note.startswith(f"{role} is the column {column!r}") for note in reading.report.notes)


UNDECIDED = {
    "two texts by name": ({"review": LONG, "body": OTHER}, "texts", "'review', 'body' are as likely|'body', 'review'"),
    "two texts without names": ({"x": LONG, "z": OTHER}, "texts", "column for text cannot be told"),
    "two labels": ({"x": LONG, "v": LABELS, "w": LABELS}, None, "'v', 'w' have few values"),
    "three texts": ({"x": LONG, "y1": OTHER, "z": [*LONG[1:], LONG[0]]}, "pairs", "left and right cannot be told"),
    "nothing to read": ({"x": [1, 2, 3], "z": [4, 5, 6]}, None, "no column has texts"),
    "no label": ({"text": LONG}, "documents", "no column was found for label"),
    "nothing in it": ({"x": [None] * 3, "z": [""] * 3}, None, "no column has anything in it"),
}


@pytest.mark.parametrize("title", UNDECIDED)
def test_what_cannot_be_told_is_asked(title):
    columns, kind, words = UNDECIDED[title]
    reading = read_table(frame(columns), kind)
    assert reading.record is None
    assert reading.preview.shape[0] == 10
    with pytest.raises(ValueError, match=words):
        from_table(frame(columns), kind)
    assert "to be decided" in repr(reading)


def test_a_decision_needs_no_second_reading():
    reading = read_table(frame({"review": LONG, "body": OTHER}), "texts")
    assert reading.taken_as("texts", {"text": "body"}).record.texts[:3] == OTHER
    pairs = reading.taken_as("pairs", {"left": "review", "right": 1}, name="mine")
    assert (pairs.record.name, pairs.record.right[:3]) == ("mine", OTHER)


def test_columns_may_be_numbers_and_roles_may_have_none():
    data = {"text": LONG, "label": LABELS, "split": ["train", "train", "test"]}
    assert read_table(data).record.split.tolist() == ["train", "train", "test"]
    without = read_table(data, "documents", {"split": None, "text": 0})
    assert "split" not in without.columns
    assert any("drawn" in note for note in without.report.notes)
    assert read_table({"7": LONG, "x": OTHER}, "texts", {"text": 7}).columns == {"text": "7"}, "a name before a number"


def test_texts_that_could_be_documents():
    reading = read_table(frame({"body": LONG, "about": LABELS}))
    assert (reading.kind, reading.columns) == ("texts", {"text": "body"})
    assert any("documents would fit as well, with the labels in 'about'" in note for note in reading.report.notes)


def test_the_kind_follows_from_the_roles():
    data = {"x": LONG, "z": OTHER, "w": LABELS}
    assert read_table(data, columns={"left": "x", "right": "z"}).kind == "pairs"
    assert read_table(data, columns={"query": "x", "candidate": "z"}).kind == "definitions"
    assert read_table(data, columns={"text": "x", "label": "w"}).kind == "documents"
    with pytest.raises(ValueError, match="no kind of data has the roles left and text"):
        from_table(data, columns={"text": "x", "left": "z"})


def test_a_split_is_drawn_and_is_always_the_same():
    texts = [f"text {number}" for number in range(100)]
    documents = from_table({"text": texts, "label": ["x", "y"] * 50})
    for label in (0, 1):
        assert (documents.split[documents.labels == label] == "test").sum() == 12
    assert from_table({"text": texts, "label": ["x", "y"] * 50}).split.tolist() == documents.split.tolist()
    pairs = from_table({"left": texts, "right": texts, "score": [0, 1] * 50})
    assert (pairs.subset("train").scores == 1).sum() == 25
    queries = from_table({"query": texts, "candidate": texts})
    assert len(queries.subset("dev")) == 33
    many = from_table({"query": map(str, range(9_000)), "candidate": map(str, range(9_000))}, "definitions",
                      {"query": 0, "candidate": 1})  # fmt: skip
    assert len(many.subset("dev")) == 1_000


def test_splits_by_any_usual_name():
    names = ["Training", "validation", "DEV", "Test set", "fold 3", ""]
    assert [split_named(name) for name in names] == ["train", "val", "dev", "test", "", ""]
    folds = read_table({"text": LONG, "label": LABELS, "split": ["1", "2", "3"]})
    assert "split" not in folds.columns
    assert any("'split' is not taken for split" in note for note in folds.report.notes)
    told = read_table({"text": LONG, "label": LABELS, "split": ["train", "3", ""]}, columns={"split": "split"})
    assert told.report.problems["reason"].tolist() == ["a split is train, val, dev or test", "no split"]


@pytest.mark.parametrize("name", ["sample of texts", "Review (2)", "x" * 500, "<b>", "a\x00b", ""])
def test_any_name_of_a_column(name):
    reading = read_table(pd.DataFrame({name: LONG, "other": [1, 2, 3]}), "texts", {"text": 0})
    assert reading.record.texts == LONG


def test_names_that_come_twice():
    reading = read_table(pd.DataFrame([["a b", "c d"], ["e f", "g h"]], columns=["text", "text"]))
    assert list(reading.preview.columns) == ["text", "text (2)"]
    assert any("'text (2)'" in note for note in reading.report.notes)


HEADERS = {
    "usual names": ("text,label\nfoo bar,x\n", True),
    "over numbers": ("what,how\nfoo bar,3\nbar,4\n", True),
    "over long texts": (
        "was,wie\nein langer Satz mit Wörtern,a b c d e\nnoch ein solcher langer Satz,a b c d f\n",
        True,
    ),
    "none": ("foo bar baz,3\nbar foo foo,4\n", False),
    "none, all texts": ("one thing,another thing\na third,a fourth\n", False),
    "a number": ("3,foo\n4,bar\n", False),
    "vectors": ("word,0,1,2\ncat,0.1,0.2,0.3\n", True),
}


@pytest.mark.parametrize("title", HEADERS)
def test_whether_the_first_line_names_the_columns(title):
    content, named = HEADERS[title]
    reading = read_table(content.encode(), name="x.csv")
    first = content.split("\n")[0].split(",")
    assert (list(reading.preview.columns) == first) == named, reading.preview
    assert ("the first line names" in reading.report.header) == named
    for told in (True, False):
        forced = read_table(content.encode(), name="x.csv", header=told)
        assert (list(forced.preview.columns) == first) == told
        assert "as told" in forced.report.header


def test_a_first_line_with_a_column_that_is_asked_for_names_the_columns():
    content = b"was da steht,sonst\nfoo bar,x\nbar,y\n"
    assert read_table(content, name="x.csv").report.header.startswith("none")
    assert read_table(content, name="x.csv", columns={"text": "was da steht"}).record.texts == ["foo bar", "bar"]


DELIMITERS = {
    "semicolon": "text;score\nyes, really;3,5\nno, never;1,0\n",
    "comma": 'a,b\n"1;2",x\n"3;4",y\n',
    "tab": "text\tlabel\nwell, yes\tx\nyes; no\ty\n",
    "pipe": "text|label\na, b|x\nc|y\n",
    "none: one column": "text\nwell, yes\nno\none, two, three\n",
}


@pytest.mark.parametrize("name", DELIMITERS)
def test_the_sign_between_cells(name):
    assert read_table(DELIMITERS[name].encode(), name="x.csv", header=True).report.delimiter == name


def test_a_text_file_has_a_text_in_each_line_unless_told_otherwise():
    content = b"one, two\tx\nthree\ty\n"
    lines = read_table(content, name="x.txt")
    assert lines.record.texts == ["one, two\tx", "three\ty"]
    assert any("pass delimiter='\\t'" in note for note in lines.report.notes)
    told = read_table(content, name="x.txt", delimiter="\t", columns={"text": 0, "label": 1})
    assert told.record.texts == ["one, two", "three"]


def test_roles_and_kinds_belong_together():
    assert ROLES.keys() == KINDS.keys()
    for kind, roles in ROLES.items():
        assert any(role.required for role in roles.values()), kind

"""What is written comes back, from every source; and pandas, which reads the same files, agrees."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import types

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import LabelledDocuments, RetrievalSet, SentencePairs, Sentences, from_table, read_table

# What a person can type: no control characters and no halves of signs, but quotation marks, delimiters and lines.
SIGNS = st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffd")
TEXTS = st.text(st.one_of(SIGNS, st.sampled_from("\",;\t|\n'")), min_size=1, max_size=30).filter(str.strip)
LABELS = st.sampled_from(["pos", "neg", 'a "quoted", one', "ελ"])
ROWS = st.lists(st.tuples(TEXTS, LABELS), min_size=1, max_size=20)


def cells(rows, delimiter=",", header=("text", "label")):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
    writer.writerows([header, *rows] if header else rows)
    return out.getvalue()


def check(record, rows):
    assert isinstance(record, LabelledDocuments)
    assert record.texts == [text for text, _ in rows]
    assert [record.label_names[number] for number in record.labels] == [label for _, label in rows]


@given(rows=ROWS, delimiter=st.sampled_from(",;\t|"), encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_cells_come_back_whatever_stands_between_them(rows, delimiter, encoding):
    content = cells(rows, delimiter).encode(encoding)
    reading = read_table(content, name="x.csv")
    check(reading.record, rows)
    assert reading.report.left_out == 0
    told = read_table(content, name="x.csv", delimiter=delimiter, encoding=encoding, header=True)
    check(told.record, rows)


@given(rows=st.lists(st.text(st.characters(codec="cp1252", exclude_categories=("Cc",)), min_size=1), min_size=1))
def test_cells_come_back_from_the_encoding_that_is_told(rows):
    written = [(text, "x") for text in rows if text.strip()]
    if written:
        check(from_table(cells(written).encode("cp1252"), name="x.csv", encoding="cp1252"), written)


@given(rows=ROWS)
def test_tables_that_know_what_a_cell_is_come_back(rows):
    frame = pd.DataFrame(rows, columns=["text", "label"])
    lines = "\n".join(json.dumps({"text": text, "label": label}, ensure_ascii=False) for text, label in rows)
    parquet = io.BytesIO()
    frame.to_parquet(parquet)
    dicts = [{"text": text, "label": label} for text, label in rows]
    for source, name in [
        (frame, None),
        (dicts, None),
        ({"text": frame["text"], "label": frame["label"].to_numpy()}, None),
        (lines.encode(), "x.jsonl"),
        (gzip.compress(lines.encode()), "x.ndjson.gz"),
        (json.dumps(dicts).encode(), "x.json"),
        (parquet.getvalue(), "x.parquet"),
    ]:
        check(from_table(source, name=name), rows)
    check(from_table(rows, "documents", {"text": 0, "label": 1}), rows)


@given(texts=st.lists(st.text(SIGNS, max_size=20).filter(lambda text: not text.startswith("\ufeff")), min_size=1))
def test_lines_come_back(texts):
    reading = read_table("\n".join(texts).encode(), "texts", name="x.txt")
    good = [text for text in texts if text.strip()]
    assert (reading.record.texts if reading.record else []) == good
    missing_last = texts[-1] == ""  # whoever reads cannot tell it from the end of the line before
    assert reading.report.rows == len(texts) - missing_last
    assert reading.report.empty == len(texts) - missing_last - len(good)


def test_pandas_reads_the_same(tmp_path):
    random = np.random.default_rng(0)
    words = ["cat", "dog", 'said "no"', "a, b", "two\nlines", "naïve", "猫", "'tis"]
    rows = [
        (" ".join(random.choice(words, 5)), str(random.choice(["x", "y"])), str(random.integers(5))) for _ in range(500)
    ]
    (tmp_path / "x.csv").write_text(cells(rows, ";", ("body", "topic", "stars")), encoding="utf-8", newline="")
    frame = pd.read_csv(tmp_path / "x.csv", sep=";", dtype=str)
    reading = read_table(tmp_path / "x.csv")
    assert reading.columns == {"text": "body", "label": "topic"}
    check(reading.record, [(text, label) for text, label, _ in rows])
    assert reading.record.texts == frame["body"].tolist()
    assert reading.table["stars"].tolist() == frame["stars"].tolist()
    lines = (tmp_path / "x.csv").read_text(encoding="utf-8").split("\n")
    for (text, _, _), line in zip(rows, reading.table.index, strict=True):
        assert lines[line - 1].lstrip('"').replace('""', '"').startswith(text.split("\n")[0])


def test_every_kind_from_a_list():
    texts = from_table(["one", "two"])
    assert isinstance(texts, Sentences)
    assert texts.table["row"].tolist() == [0, 1]
    pairs = from_table([("a b", "c d", 1.5, "train"), ("e f", "g h", 2, "test")], "pairs", {"split": 3})
    assert isinstance(pairs, SentencePairs)
    assert pairs.scores.tolist() == [1.5, 2.0]
    assert pairs.split.tolist() == ["train", "test"]
    found = from_table({"definition1": ["q", "q", "r"], "definition2": ["c", "d", "c"], "word": ["h", "h", "k"]})
    assert isinstance(found, RetrievalSet)
    assert (found.queries, found.candidates) == (["q", "r"], ["c", "d"])
    assert [rows.tolist() for rows in found.targets] == [[0, 1], [0]]
    assert found.query_table["headword"].tolist() == ["h", "k"]
    assert found.candidate_table["headword"].tolist() == ["h", "h"]
    names = from_table({"en": ["Paris", "Athens"], "el": ["Παρίσι", "Αθήνα"]})
    assert (names.language, names.foreign) == ("el", ["Παρίσι", "Αθήνα"])
    vectors = from_table((["a", "b"], np.eye(2)))
    assert vectors.vectors.dtype == np.float32


def test_other_columns_of_texts_are_kept():
    frame = pd.DataFrame({"id": ["p", "q"], "text": ["one", "two"], "year": [1, 2], "tags": [["a"], None]})
    table = from_table(frame).table
    assert table["id"].tolist() == ["p", "q"]
    assert table["year"].tolist() == [1, 2]
    assert table["tags"].tolist() == ["['a']", ""]


def test_rows_are_called_as_in_the_table():
    frame = pd.DataFrame({"text": ["one", "", "three"]}, index=["x", "y", "z"])
    reading = read_table(frame)
    assert reading.record.table["row"].tolist() == ["x", "z"]
    assert reading.report.problems["row"].tolist() == ["y"]


def test_a_folder_of_texts(tmp_path):
    for label, count in {"good": 3, "bad": 2}.items():
        (tmp_path / label).mkdir()
        for number in range(count):
            (tmp_path / label / f"{number}.txt").write_text(f"{label} text {number}\nsecond line", encoding="utf-8")
    (tmp_path / "bad" / "latin.txt").write_bytes("größe".encode("cp1252"))
    (tmp_path / "readme.md").write_text("no text")
    reading = read_table(tmp_path)
    assert reading.kind == "documents"
    assert reading.report.labels == {"bad": 3, "good": 3}
    assert "größe" in reading.record.texts
    assert "good text 2\nsecond line" in reading.record.texts
    assert any("do not end in .txt" in note for note in reading.report.notes)
    assert set(reading.table["id"]) >= {"good/0.txt", "bad/latin.txt"}
    few = read_table(tmp_path, rows=2)
    assert few.report.part == "the first 2 of 6 files"
    flat = read_table(tmp_path / "good")
    assert flat.kind == "texts"
    assert flat.record.table["id"].tolist() == ["0.txt", "1.txt", "2.txt"]


def test_uploads(tmp_path):
    content = b"text,label\na,x\nb,y\n"
    (tmp_path / "tmp1234").write_bytes(content)
    stored = read_table(tmp_path / "tmp1234", name="My reviews.csv")
    assert stored.record.name == "My reviews"
    assert stored.report.source == "My reviews.csv"
    with (tmp_path / "tmp1234").open("rb") as file:
        assert read_table(file, suffix=".csv").record.texts == ["a", "b"]
    assert read_table(io.BytesIO(content), suffix="csv").record.texts == ["a", "b"]
    assert read_table(io.StringIO(content.decode()), name="x.csv").record.texts == ["a", "b"]
    assert read_table(str(tmp_path / "tmp1234")).record.name == "tmp1234"
    named = tmp_path / "Reviews.CSV.gz"
    named.write_bytes(gzip.compress(content))
    assert read_table(named).record.name == "Reviews"


def test_the_first_rows(tmp_path):
    rows = [(f"text number {number}\nand more", "xy"[number % 2]) for number in range(30_000)]
    path = tmp_path / "x.csv"
    path.write_text(cells(rows), encoding="utf-8", newline="")
    reading = read_table(path, rows=20_000)
    check(reading.record, rows[:20_000])
    assert reading.report.part.startswith("the first 20,000 rows of x.csv (")
    whole = read_table(path, rows=1_000_000)
    check(whole.record, rows)
    assert read_table([text for text, _ in rows], rows=3).report.part == "the first 3 of 30,000 rows"
    pd.DataFrame(rows, columns=["text", "label"]).to_parquet(tmp_path / "x.parquet")
    some = read_table(tmp_path / "x.parquet", rows=70)
    check(some.record, rows[:70])
    assert some.report.part.startswith("the first 70 of 30,000 rows of x.parquet")
    (tmp_path / "x.jsonl").write_text("\n".join(json.dumps({"text": text}) for text, _ in rows), encoding="utf-8")
    assert len(read_table(tmp_path / "x.jsonl", rows=5).record) == 5


@pytest.mark.parametrize("module", ["polars", "pyarrow", "datasets"])
def test_tables_of_others_are_known_by_what_they_can(module):
    """Stand-ins with the methods of polars' DataFrame and LazyFrame, pyarrow's Table and Hugging Face's Dataset."""
    columns = {"text": ["one", "two", None], "label": ["x", "y", "x"]}

    class Polars:
        def get_columns(self):
            return list(columns)

        def to_dict(self, *, as_series):
            assert not as_series
            return columns

    class Lazy:
        def collect(self):
            return Polars()

        def collect_schema(self):
            return {}

    if module == "pyarrow":
        import pyarrow as pa

        sources = [pa.table(columns)]
    elif module == "polars":
        sources = [Polars(), Lazy()]
    else:
        made = types.SimpleNamespace(to_pandas=lambda: pd.DataFrame(columns), column_names=["text", "label"])
        sources = [made]
    for source in sources:
        reading = read_table(source)
        check(reading.record, [("one", "x"), ("two", "y")])
        assert reading.report.empty == 1


def test_nothing_heavy_is_imported_before_it_is_needed():
    import subprocess

    code = (
        "import sys; from semwork.datasets import read_table, register, own_data; "
        "heavy = {'pandas', 'pyarrow', 'charset_normalizer', 'scipy'} & set(sys.modules); sys.exit(str(heavy or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.stderr.strip()


@pytest.mark.slow
def test_a_hundred_thousand_texts_take_seconds(tmp_path):
    import time

    random = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(5_000)])
    rows = [(" ".join(some), "abcde"[number % 5]) for number, some in enumerate(random.choice(words, (100_000, 8)))]
    (tmp_path / "x.csv").write_text(cells(rows), encoding="utf-8", newline="")
    start = time.perf_counter()
    reading = read_table(tmp_path / "x.csv")
    taken = time.perf_counter() - start
    assert len(reading.record) == 100_000
    assert taken < 6, "two seconds on an idle machine"

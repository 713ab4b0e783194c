"""What is wrong in people's files is said row by row; the good rows are used, and nothing crashes."""

from __future__ import annotations

import datetime
import decimal
import gzip
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import from_table, load, read_table
from semwork.datasets.own import files

HEAD = b"text,label\n"
GOOD = b"one cat,x\ntwo dogs,y\nthree birds,x\nfour fish,y\n"


def reasons(reading):
    return list(reading.report.problems[["row", "reason"]].itertuples(index=False, name=None))


def test_rows_with_other_numbers_of_cells_are_left_out():
    reading = read_table(HEAD + GOOD + b"too,many,cells\ntoo few\nenough,x\ntrailing,y,,\n\n\n,\n", name="x.csv")
    assert reading.record.texts == ["one cat", "two dogs", "three birds", "four fish", "enough", "trailing"]
    assert reasons(reading) == [(6, "3 cells instead of 2"), (7, "1 cells instead of 2"), (12, "empty")]
    report = reading.report
    assert (report.rows, report.used, report.empty, report.left_out) == (9, 6, 1, 2)


def test_a_quotation_mark_that_is_never_closed_costs_one_line():
    lines = [f'"row, {number}",x\n' for number in range(300)]
    lines[100] = '"never closed,x\n'
    reading = read_table(HEAD + "".join(lines).encode(), name="x.csv")
    assert len(reading.record) == 300
    assert reading.record.texts[99:102] == ["row, 99", '"never closed', "row, 101"]
    [(row, reason)] = reasons(reading)
    assert row == 102
    assert "a quotation mark is not closed" in reason


def test_a_quotation_mark_that_is_not_doubled_is_said_and_the_text_kept():
    quoted = b"".join(b'"nice, %d",x\n' % number for number in range(10))
    reading = read_table(HEAD + quoted + b'"He said "hi" there",y\n', name="x.csv")
    assert reading.record.texts[-1] == '"He said "hi" there"'
    assert reading.report.reasons[0].startswith("1 × a quotation mark")


def test_quotation_marks_that_are_letters():
    """As in MSR04: a cell begins with a quotation mark that ends before the cell does."""
    rows = ['"Hello," he said.\tx', 'No "quotes" here\ty', '"Bye," she said.\tx']
    reading = read_table(("text\tlabel\n" + "\n".join(rows)).encode(), name="x.tsv")
    assert reading.record.texts == [row.split("\t")[0] for row in rows]
    assert reading.report.delimiter == "tab, quotation marks are text"


def test_cells_of_any_type():
    values = [
        None, float("nan"), pd.NA, pd.NaT, "", "  \n ", "text", np.str_("numpy"), 3, 2.0, 1.5, True, np.int64(4),
        decimal.Decimal("1.5"), b"bytes", b"gr\xf6\xdfe", bytearray(b"array"), datetime.date(2020, 1, 2), ["a", "list"],
        {"a": "dict"}, object(), 3 + 4j, "half \ud800 a sign", "nul\x00 and \x1b[31mred", "line\r\nline",
    ]  # fmt: skip
    reading = read_table({"text": values, "year": range(len(values))}, "texts")
    assert reading.record.texts == [
        "text", "numpy", "3", "2", "1.5", "true", "4", "1.5", "bytes", "größe", "array", "2020-01-02", "(3+4j)",
        "half \ufffd a sign", "nul  and  [31mred", "line\nline",
    ]  # fmt: skip
    report = reading.report
    assert (report.rows, report.used, report.empty, report.left_out) == (25, 16, 6, 3)
    said = dict(reasons(reading))
    assert said[8] == "a number, read as text"
    assert said[15] == "bytes that are not UTF-8, read as latin-1"
    assert said[17] == "a date, read as text"
    assert said[18] == "a list, not a text"
    assert said[23] == "control characters, replaced by spaces"
    assert report.problems.set_index("row").loc[18, "used"] is np.False_
    assert repr(report)
    assert reading.preview.map(lambda cell: isinstance(cell, str)).all(axis=None)
    reading.preview.to_json()


def test_an_object_whose_repr_fails():
    class Bad:
        def __repr__(self):
            raise RuntimeError("no")

    assert "Bad" in read_table(["a text", Bad()]).report.problems["value"].iloc[0]


@given(
    st.lists(
        st.one_of(
            st.none(), st.text(), st.floats(), st.integers(), st.binary(), st.booleans(), st.lists(st.integers()),
            st.dictionaries(st.text(), st.text()), st.complex_numbers(), st.dates(),
        ),
        max_size=30,
    ),
    st.sampled_from(["texts", "documents", "pairs", "definitions", "names", "vectors"]),
)  # fmt: skip
def test_rows_add_up_whatever_stands_in_them(values, kind):
    columns = dict.fromkeys(("a", "b"), values)
    roles = {
        "texts": {"text": "a"},
        "documents": {"text": "a", "label": "b"},
        "pairs": {"left": "a", "right": "b", "score": None},
        "definitions": {"query": "a", "candidate": "b"},
        "names": {"english": "a", "foreign": "b"},
        "vectors": {"word": "a"},
    }[kind]
    reading = read_table(columns, kind, roles)
    report = reading.report
    assert report.rows == len(values) == report.used + report.empty + report.left_out
    assert (reading.record is None) == (report.used == 0)
    left_out = report.problems.loc[~report.problems["used"], "row"]
    assert len(set(left_out)) == report.empty + report.left_out
    assert report.problem_count >= len(left_out)
    assert repr(reading)
    assert reading._repr_html_()
    if kind not in ("definitions", "vectors") and reading.record is not None:
        assert len(reading.record) == report.used


def test_scores_that_are_none():
    rows = [("a b", "c d", "3,5"), ("e f", "g h", "n/a"), ("i j", "k l", "inf"), ("m n", "o p", "4"), ("q", "r", "bad")]
    reading = read_table(pd.DataFrame(rows, columns=["left", "right", "score"]))
    assert reading.record.scores.tolist() == [3.5, 4.0]
    assert reasons(reading) == [(1, "no score"), (2, "not finite"), (4, "not a number")]
    assert "a comma in a number is read as the decimal sign" in reading.report.notes
    assert reading.report.scores == (3.5, 4.0)
    without = read_table(rows, "pairs", {"left": 0, "right": 1, "score": None})
    assert np.isnan(without.record.scores).all()
    assert any("have no scores" in note for note in without.report.notes)
    thousands = read_table([("a b", "c d", "1,000"), ("e f", "g h", "2,500")], "pairs", {"score": 2})
    assert thousands.record.scores.tolist() == [1.0, 2.5]
    assert any("1,000 is one, not a thousand" in note for note in thousands.report.notes)


def test_labels_that_are_missing_and_labels_that_are_numbers():
    frame = pd.DataFrame({"text": ["a b", "c d", "e f"], "label": [10, 9, None]})
    reading = read_table(frame)
    assert reading.record.label_names == ("9", "10")
    assert reasons(reading) == [(2, "no label")]


def test_labels_that_are_written_in_two_ways_are_said():
    reading = read_table({"text": ["a b", "c d", "e f", "g"], "label": ["café", "Cafe", "books", "café "]})
    assert reading.record.label_names == ("Cafe", "books", "café")
    [note] = [note for note in reading.report.notes if "case, accents" in note]
    assert note.startswith("2 labels differ from each other only in case, accents or signs, such as 'Cafe' and 'café'")


def test_duplicates_are_said_and_kept():
    reading = read_table(["a", "b", "a", "a"])
    assert reading.record.texts == ["a", "b", "a", "a"]
    assert reading.report.duplicates == 2
    assert reading.report.problems["value"].tolist() == ["row 0", "row 0"]
    assert reading.report.problems["used"].all()


def test_the_first_thousand_problems_are_listed_and_all_are_counted():
    reading = read_table([None, *range(5_000), "a text"], "texts")
    assert len(reading.report.problems) == 1_000
    assert reading.report.problem_count == 5_001
    assert reading.report.problems["row"].tolist() == list(range(1_000))
    assert "the first 1,000 of 5,001" in repr(reading.report)


JUNK = {
    "a picture": (b"\x89PNG\r\n\x1a\n", "x.csv", "is a picture"),
    "a spreadsheet": (b"PK\x03\x04abc", "x.xlsx", r"spreadsheets \(\.xlsx\).*save the table as CSV"),
    "a PDF": (b"%PDF-1.7", "x.txt", "is a PDF"),
    "bytes": (bytes(range(256)) * 8, "x.csv", "is no text"),
    "a half of gzip": (gzip.compress(os.urandom(5_000))[:900], "x.csv.gz", "cannot be unpacked"),
    "no gzip": (b"\x1f\x8bnothing of the kind", "x.csv", "cannot be unpacked"),
    "no Parquet": (b"PAR1 and so on", "x.parquet", "cannot be read as Parquet"),
    "not even called so": (b"text,label", "x.parquet", "does not begin as Parquet"),
    "cut JSON": (b'[{"text": "a"},', "x.json", "is no JSON in line 1"),
    "a JSON object": (b'{"text": "a"}', "x.json", "one JSON object"),
    "a JSON number": (b"3", "x.json", "a JSON int"),
    "an array": (b"\x93NUMPY", "x.npz", "single array without words"),
    "pickled vectors": (b"\x80\x04", "x.kv", "pickle, which can run programs"),
    "deep JSON": (b"[" * 100_000, "x.json", "is no JSON"),
}


@pytest.mark.parametrize("title", JUNK)
def test_what_is_no_table_is_refused_in_words(title):
    content, name, words = JUNK[title]
    with pytest.raises(ValueError, match=f"^{name}.*{words}"):
        read_table(content, name=name)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.txt", "x.jsonl", "x.vec", "x.bin"])
@pytest.mark.parametrize("content", [b"", b"\n", b"\n\n \n", b"\xff\xfe", b"\xef\xbb\xbf"])
def test_files_with_nothing_in_them(name, content):
    if name in ("x.vec", "x.bin"):
        with pytest.raises(ValueError, match=rf"^{name} "):
            read_table(content, name=name)
        return
    reading = read_table(content, name=name)
    assert reading.record is None
    assert reading.report.used == 0
    with pytest.raises(ValueError, match=r"no row of|cannot be read yet"):
        from_table(content, name=name)


@given(
    st.binary(max_size=300),
    st.sampled_from(["x.csv", "x.txt", "x.jsonl", "x.json", "x.parquet", "x.vec", "x.bin", "x.npz"]),
)
def test_any_bytes_are_read_or_refused(content, name):
    try:
        reading = read_table(content, name=name)
    except (ValueError, MemoryError) as error:
        words = str(error)
    else:
        words = ""
    if words:
        assert "x." in words
        return
    report = reading.report
    assert report.undecided or report.rows == report.used + report.empty + report.left_out
    assert repr(report)
    assert report._repr_html_()
    assert reading.preview is not None


def test_what_is_no_source():
    with pytest.raises(TypeError, match=r"source is 5 \(int\): give a table"):
        read_table(5)
    with pytest.raises(FileNotFoundError, match=r"no file 'nothing\.csv'"):
        read_table("nothing.csv")
    with pytest.raises(TypeError, match=r"'text' is 'a'.*one cell for each row"):
        read_table({"text": "a"})
    with pytest.raises(ValueError, match="as many cells; text has 1, label has 2"):
        read_table({"text": ["a"], "label": ["x", "y"]})
    with pytest.raises(TypeError, match="Sample already: register"):
        read_table(load("sample"))
    with pytest.raises(ValueError, match=r"no \.txt files"):
        read_table(Path(__file__).parent)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kind": "review"}, "there is no kind 'review'"),
        ({"kind": 3}, "kind must be one of 'texts'"),
        (
            {"columns": {"text": "tekst"}},
            r"no column 'tekst' for the role 'text'; there are 'text', 'label'\. Did you mean 'text'",
        ),
        ({"columns": {"txt": "text"}}, "the role 'txt', which there is not"),
        ({"columns": ["text"]}, "columns must say role → column"),
        ({"kind": "texts", "columns": {"label": "label"}}, "texts have text and, if there are such columns, id"),
        ({"columns": {"text": "text", "label": "text"}}, "one column to two roles"),
        ({"rows": 0}, "rows must be a whole number from 1"),
        ({"encoding": "utf-9"}, "there is no encoding 'utf-9'"),
        ({"encoding": 8}, "encoding must be one of"),
        ({"delimiter": ";;"}, "delimiter is ';;'; it must be one sign"),
        ({"suffix": ".doc"}, "suffix is '.doc'; it must be one of"),
        ({"name": 3}, "name must be a string"),
    ],
)
def test_arguments_that_are_none(arguments, words):
    with pytest.raises((ValueError, TypeError), match=words):
        read_table(HEAD + GOOD, **({"name": "x.csv"} | arguments))


def test_a_file_that_does_not_fit_is_refused_with_its_size(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_bytes(HEAD + GOOD * 100_000)
    monkeypatch.setattr(files, "available_memory", lambda: 30_000_000)
    words = r"x\.csv has 4\.\d MB; .* about 4\d\.\d MB of memory, and 30\.0 MB are free\. Read a part of it with rows="
    with pytest.raises(MemoryError, match=words):
        read_table(path)
    assert len(read_table(path, rows=1_000).record) == 1_000
    path.with_suffix(".csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(MemoryError, match=r"x\.csv\.gz"):
        read_table(path.with_suffix(".csv.gz"))
    pd.DataFrame({"text": ["a" * 100] * 1_000_000}).to_parquet(tmp_path / "x.parquet")
    monkeypatch.setattr(files, "available_memory", lambda: 100_000)
    with pytest.raises(MemoryError, match=r"x\.parquet"):
        read_table(tmp_path / "x.parquet")


def test_from_table_warns_about_rows_that_are_left_out():
    with pytest.warns(UserWarning, match=r"a list of 3 rows: 2 of 3 rows used, 1 empty: read_table\(…\)"):
        assert len(from_table(["a", "", "b"])) == 2
    with pytest.raises(ValueError, match=r"no row of a list of 2 rows is good: 2 × column 'text', empty"):
        from_table(["", None])


def test_no_text_is_in_an_error_or_a_warning():
    secret = "my secret diary"
    with pytest.warns(UserWarning, match="1 of 2 rows used") as warned:
        from_table([secret, ["x"]])
    assert "secret" not in str(warned[0].message)
    for source, arguments in [
        ({"a": [secret], "b": [secret]}, {"kind": "texts"}),
        ({"a": [secret], "b": [secret]}, {"columns": {"text": "c"}}),
        (json.dumps([{"a": secret}]).encode() + b"]", {"name": "x.json"}),
    ]:
        with pytest.raises(ValueError, match=r"column|JSON") as caught:
            from_table(source, **arguments)
        assert "secret" not in str(caught.value)

"""Word vectors of every usual file, and what is wrong in them."""

from __future__ import annotations

import gzip
import io
import types

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from semwork.datasets import WordVectors, from_table, read_table, words_without_vector

WORDS = ["cat", "ñandú", "猫", "new york", ". . .", "at name@domain.com", '"', "3", "0.5", "a,b"]
ARRAY = np.round(np.random.default_rng(0).normal(size=(len(WORDS), 7)), 4).astype(np.float32)


def glove(words=WORDS, array=ARRAY, end="\n"):
    return "".join(f"{word} {' '.join(map(str, row.tolist()))}{end}" for word, row in zip(words, array, strict=True))


def binary(words, array, end=b"\n"):
    body = b"".join(w.encode() + b" " + row.astype("<f4").tobytes() + end for w, row in zip(words, array, strict=True))
    return f"{len(words)} {array.shape[1]}\n".encode() + body


def stored(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


PLAIN = [word.replace(" ", "_") for word in WORDS]
FORMS = {
    "GloVe": (glove().encode(), "g.vec", WORDS),
    "GloVe .txt": (glove().encode(), "glove.7d.txt", WORDS),
    "word2vec text": ((f"{len(WORDS)} 7\n" + glove()).encode(), "w.vec", WORDS),
    "spaces at the ends": ((f"{len(WORDS)} 7\n" + glove(end=" \n")).encode(), "w.vec", WORDS),
    "Windows": ((f"{len(WORDS)} 7\r\n" + glove(end="\r\n")).encode(), "w.vec", WORDS),
    "tabs": (glove(PLAIN).replace(" ", "\t").encode(), "w.vec", PLAIN),
    "compressed": (gzip.compress((f"{len(WORDS)} 7\n" + glove()).encode()), "w.vec.gz", WORDS),
    "text that is called .bin": ((f"{len(WORDS)} 7\n" + glove()).encode(), "w.bin", WORDS),
    "binary": (binary(PLAIN, ARRAY), "w.bin", PLAIN),
    "binary without ends of lines": (binary(PLAIN, ARRAY, b""), "w.bin", PLAIN),
    "binary, compressed": (gzip.compress(binary(PLAIN, ARRAY)), "w.bin.gz", PLAIN),
    "npz": (stored(words=np.array(WORDS), vectors=ARRAY), "w.npz", WORDS),
    "npz by other names": (stored(vocab=np.array(WORDS), embeddings=ARRAY.astype(np.float64)), "w.npz", WORDS),
}


@pytest.mark.parametrize("form", FORMS)
def test_files(form):
    content, name, words = FORMS[form]
    reading = read_table(content, "vectors", name=name)
    assert reading.record.words == words
    np.testing.assert_array_equal(reading.record.vectors, ARRAY)
    assert reading.record.vectors.dtype == np.float32
    report = reading.report
    assert (report.rows, report.used, report.left_out) == (10, 10, 0)
    assert reading.preview.iloc[0, 0] == "cat"
    if not name.endswith(".txt"):
        assert read_table(content, name=name).kind == "vectors"


NUMBERS = npst.arrays(
    np.float32, st.tuples(st.integers(1, 8), st.integers(1, 6)), elements=st.floats(-1e6, 1e6, width=32)
)


@given(NUMBERS)
def test_numbers_come_back(array):
    words = [f"w{place}" for place in range(len(array))]
    for content, name in [
        (f"{len(array)} {array.shape[1]}\n{glove(words, array)}".encode(), "x.vec"),
        (binary(words, array), "x.bin"),
        (stored(words=np.array(words), vectors=array), "x.npz"),
    ]:
        record = from_table(content, "vectors", name=name)
        assert record.words == words
        np.testing.assert_array_equal(record.vectors, array)


def test_glove_in_lines_is_seen_without_being_told():
    array = np.ones((5, 12), dtype=np.float32)
    reading = read_table(glove(list("abcde"), array).encode(), name="glove.txt")
    assert reading.kind == "vectors"
    assert any("read as vectors" in note for note in reading.report.notes)
    lines = read_table(b"one two three\nfour five six\n", name="x.txt")
    assert lines.kind == "texts"


def test_what_is_wrong_is_said_line_by_line():
    lines = [
        "the 0.1 0.2 0.3", "short 0.1 0.2", "nan nan 1 2", "cat 1 2 3", "cat 4 5 6", " 1 2 3", "big 1e60 2 3",
        "long 1 2 3 4", "none a b c", "", "inf 1 inf 2", "good 7 8 9",
    ]  # fmt: skip
    reading = read_table("\n".join(lines).encode(), name="x.vec")
    assert reading.record.words == ["the", "cat", "good"]
    assert reading.record["good"].tolist() == [7.0, 8.0, 9.0]
    report = reading.report
    assert (report.rows, report.used, report.left_out, report.duplicates) == (11, 3, 8, 1)
    assert dict(zip(report.problems["row"], report.problems["reason"], strict=True)) == {
        2: "2 numbers instead of 3",
        3: "a number of its vector is missing or not finite",
        5: "the same as an earlier row",
        6: "no word before the numbers",
        7: "a number of its vector is missing or not finite",
        8: "4 numbers instead of 3",
        9: "0 numbers instead of 3",
        11: "a number of its vector is missing or not finite",
    }
    assert not report.problems["used"].any()


def test_a_first_line_that_tells_something_else():
    reading = read_table(b"5 3\na 1 2 3\nb 4 5 6\n", name="x.vec")
    assert any("says 5 words, there are 2" in note for note in reading.report.notes)
    reading = read_table(b"2 4\na 1 2 3\nb 4 5 6\n", name="x.vec")
    assert reading.record.vectors.shape == (2, 3)
    assert any("says 4 dimensions, the lines have 3" in note for note in reading.report.notes)


def test_words_that_are_not_utf_8():
    content = "größe 1 2 3\ncat 4 5 6\n".encode("latin-1")
    reading = read_table(content, name="x.vec")
    assert reading.record.words[1] == "cat"
    assert reading.report.problems["reason"].tolist()[0].startswith("no utf-8: U+FFFD")
    assert read_table(content, name="x.vec", encoding="latin-1").record.words == ["größe", "cat"]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"hello world\nfoo bar\n", "x.vec", "has no word vectors: a line must be"),
        (b"\xba\x16\x4f\x2f" + bytes(50), "x.bin", "whole model of fastText"),
        (b"no header" + bytes(100), "x.bin", "neither text nor word2vec's binary form"),
        (b"\x80\x04pickle", "x.kv", "which can run programs and is not opened: load it with KeyedVectors.load"),
        (b"PK\x03\x04 cut", "x.npz", "cannot be read as npz"),
        (
            stored(words=np.array(["a"], dtype=object), vectors=np.eye(1)),
            "x.npz",
            "pickled objects, which are not opened",
        ),
        (stored(a=np.eye(2), b=np.eye(2)), "x.npz", r"has a float64\[2, 2\] and b .*must have one array of words"),
        (stored(words=np.array(["a"]), vectors=np.eye(2)), "x.npz", "1 words and 2 vectors"),
    ],
)
def test_what_are_no_vectors_is_refused_in_words(content, name, words):
    with pytest.raises(ValueError, match=words):
        read_table(content, "vectors", name=name)


def test_binary_that_is_cut():
    reading = read_table(binary(PLAIN, ARRAY)[:-20], name="x.bin")
    assert reading.record.words == PLAIN[:-1]
    assert any("10 words, and the file ends 1 before that: it is cut" in note for note in reading.report.notes)


def test_the_first_words(tmp_path):
    (tmp_path / "x.vec").write_text(glove(), encoding="utf-8")
    (tmp_path / "x.bin").write_bytes(binary(PLAIN, ARRAY))
    (tmp_path / "x.npz").write_bytes(stored(words=np.array(WORDS), vectors=ARRAY))
    for name in ("x.vec", "x.bin", "x.npz"):
        reading = read_table(tmp_path / name, rows=3)
        assert len(reading.record) == 3
        assert reading.report.part.startswith("the first 3 "), name


KEYED = types.SimpleNamespace(index_to_key=WORDS, vectors=ARRAY)


@pytest.mark.parametrize(
    "source",
    [
        KEYED,
        types.SimpleNamespace(wv=KEYED),
        (WORDS, ARRAY),
        (np.array(WORDS), ARRAY.tolist()),
        {"words": WORDS, "vectors": ARRAY},
        dict(zip(WORDS, ARRAY, strict=True)),
        pd.DataFrame(ARRAY, index=WORDS),
        pd.DataFrame(ARRAY).assign(word=WORDS),
        pd.DataFrame(ARRAY.astype(str)).assign(token=WORDS, note="x"),
    ],
)
def test_vectors_in_memory(source):
    record = from_table(source, "vectors")
    assert isinstance(record, WordVectors)
    assert record.words == WORDS
    np.testing.assert_allclose(record.vectors, ARRAY, rtol=1e-6)


def test_vectors_in_a_table_of_cells():
    content = b'word,1,2,3\ncat,1,2,3\ndog,4,,6\nsun,7,8,bad\ncat,1,1,1\nrat,"1,5",0,0\n'
    reading = read_table(content, "vectors", name="x.csv")
    assert reading.record.words == ["cat", "rat"]
    assert reading.record["rat"].tolist() == [1.5, 0, 0]
    assert reading.report.duplicates == 1


def test_words_without_a_vector():
    vectors = WordVectors("mine", ["cat", "sleeps", "the"], np.eye(3, dtype=np.float32))
    texts = from_table(["The cat sleeps", "the dog barks", "the dog sleeps"])
    found = words_without_vector(texts, vectors)
    assert found.without == {"dog": 2, "barks": 1}
    assert (found.words, found.tokens) == (5, 9)
    assert found.share_of_words == pytest.approx(2 / 5)
    assert found.share_of_tokens == pytest.approx(3 / 9)
    assert found.table["word"].tolist() == ["dog", "barks"]
    assert "2 of 5 words (40.0%) have no vector in 'mine'" in repr(found)
    pairs = from_table([("the cat", "a rat", 1)], "pairs")
    assert words_without_vector(pairs, vectors).without == {"a": 1, "rat": 1}
    assert words_without_vector(["Cat"], vectors, str.split).without == {"Cat": 1}
    with pytest.raises(TypeError, match="vectors must be of the type WordVectors"):
        words_without_vector(texts, {"cat": 1})


@pytest.mark.slow
def test_four_hundred_thousand_words_take_seconds(tmp_path):
    import time

    some = np.random.default_rng(0).normal(size=(1_000, 50)).astype(np.float32)
    lines = [" ".join(f"{number:.5f}" for number in row) + "\n" for row in some.tolist()]
    with (tmp_path / "x.vec").open("w", encoding="utf-8") as file:
        file.writelines(f"word{place} {lines[place % 1_000]}" for place in range(400_000))
    start = time.perf_counter()
    record = read_table(tmp_path / "x.vec").record
    assert time.perf_counter() - start < 20, "three seconds on an idle machine"
    np.testing.assert_allclose(record.vectors[-1_000:], some, atol=1e-5)

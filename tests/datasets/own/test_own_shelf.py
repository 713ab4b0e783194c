"""Own data are kept whole, found by every process, and never in the way of others."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import tomllib
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork import datasets
from semwork.datasets import (
    KINDS,
    LabelledDocuments,
    RetrievalSet,
    Sentences,
    UnknownDataSet,
    WordVectors,
    available,
    describe,
    fetch,
    fingerprint,
    from_table,
    load,
    own_data,
    path,
    read_table,
    register,
    remove,
)
from semwork.datasets.cache import CacheNotWritable
from semwork.datasets.own import shelf
from semwork.datasets.own.toml import toml_of

SOURCES = {
    "texts": pd.DataFrame({"text": ["one", "two\nlines"], "year": [1, 2], "note": ["a", None]}),
    "documents": {"text": ["a b", "c d", "e f"], "label": ["x", 'y "quoted"', "x"]},
    "pairs": [("a b", "c d", 1.5), ("e f", "g h", 3)],
    "definitions": {"query": ["q", "q", "r"], "candidate": ["c", "d", "c"], "headword": ["h", "h", "k"]},
    "names": {"english": ["Paris", "Rome"], "hebrew": ["פריז", "רומא"]},
    "vectors": (["cat", "a dog"], np.array([[1.5, 2], [3, 4]])),
}
RECORDS = {kind: from_table(source, kind) for kind, source in SOURCES.items()}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMWORK_CACHE", str(tmp_path))
    monkeypatch.setattr(shelf, "_held", {})
    return tmp_path


def same(one, two):
    """Whether two records hold the same, but for their names."""
    assert type(one) is type(two)
    for name, part in vars(one).items():
        if name not in type(one).__dataclass_fields__ or name == "name":
            continue
        other = getattr(two, name)
        if isinstance(part, pd.DataFrame):
            pd.testing.assert_frame_equal(part, other, check_dtype=False)
        elif name == "targets":
            assert [rows.tolist() for rows in part] == [rows.tolist() for rows in other]
        elif isinstance(part, np.ndarray):
            np.testing.assert_array_equal(part, other)
            assert part.dtype == other.dtype
        else:
            assert part == other
            assert type(part) is type(other)


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_back(kind, keep, cache):
    own = register(f"My {kind}", RECORDS[kind], keep=keep)
    assert (own.name, own.kind, own.rows, own.kept) == (f"My {kind}", kind, len(RECORDS[kind]), keep)
    again = load(f"My {kind}")
    same(again, RECORDS[kind])
    assert again.name == f"My {kind}"
    assert own_data() == own_data(kind) == (own,)
    assert available(own.name)
    assert describe(own.name) == own
    assert fingerprint(own.name) == own.fingerprint
    assert (own.folder is not None) == keep
    assert not own_data(next(other for other in KINDS if other != kind))
    files = sorted(file.suffix for file in (own.folder.iterdir() if own.folder else ()))
    assert set(files) <= {".parquet", ".npy", ".toml"}, "never pickle"
    remove(own.name)
    assert own_data() == ()
    assert not any((cache / "own").glob("*"))
    with pytest.raises(UnknownDataSet):
        load(own.name)


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=1, max_size=8),
    keep=st.booleans(),
    other=st.one_of(
        st.integers(), st.text(st.characters(exclude_categories=("Cs",))), st.none(), st.floats(allow_nan=False)
    ),
)
def test_any_texts_come_back(texts, keep, other):
    record = Sentences("x", texts, pd.DataFrame({"c": [other] * len(texts), "table: c": range(len(texts))}))
    own = register("any texts", record, keep=keep, replace=True)
    again = load("any texts")
    assert again.texts == texts
    assert list(again.table.columns) == ["c", "table: c"]
    assert own.rows == len(texts)
    remove("any texts")


def test_vectors_are_mapped_into_memory():
    register("v", RECORDS["vectors"])
    assert isinstance(load("v").vectors, np.memmap)
    assert load("v").most_similar("cat", 1)["word"].tolist() == ["a dog"]


def test_facts_are_known_without_reading():
    facts = {kind: register(f"k {kind}", record).facts for kind, record in RECORDS.items()}
    assert facts["documents"]["labels"] == ["x", 'y "quoted"']
    assert facts["documents"]["label_counts"] == [2, 1]
    assert facts["documents"]["label_count"] == 2
    assert facts["pairs"] == {
        "scores": True,
        "lowest": 1.5,
        "highest": 3.0,
        "splits": {"train": 1, "test": 1},
        "groups": [],
    }
    assert facts["definitions"] == {"candidates": 2, "headwords": True, "splits": {"test": 1, "dev": 1}}
    assert facts["names"]["language"] == "he"
    assert facts["vectors"] == {"dimension": 2}
    assert {one.name: dict(one.facts) for one in own_data()} == {f"k {kind}": some for kind, some in facts.items()}
    without = register("no scores", from_table([("a b", "c d"), ("e f", "g h")], "pairs"))
    assert without.facts["scores"] is False
    many = LabelledDocuments(
        "x", ["t"] * 2_000, np.arange(2_000), tuple(map(str, range(2_000))), np.full(2_000, "train", dtype=object)
    )
    assert len(register("many labels", many).facts["labels"]) == 1_000
    assert load("many labels").label_names[-1] == "1999"


def test_nothing_of_the_texts_is_written_but_the_texts(cache):
    secret = "my secret diary"
    data = {"text": [secret, secret + " too"], "label": ["x", "y"], secret: ["a", "b"]}
    reading = read_table(data)
    own = register("diary", reading.record, report=reading.report)
    assert "secret" not in (own.folder / "own.toml").read_text(encoding="utf-8")
    assert "secret" not in str(own.folder)
    assert "secret" not in repr(own)
    card = tomllib.loads((own.folder / "own.toml").read_text(encoding="utf-8"))
    assert card["report"] == {"rows": 2, "used": 2, "empty": 0, "left_out": 0, "duplicates": 0}
    assert str(own.folder) in repr(reading.report.kept_at(own.place))
    assert "in the memory of this process only" in repr(reading.report)


NAMES = [
    "a",
    "Meine Äußerungen",
    "שלי",
    "../../etc/passwd",
    "a/b\\c",
    "con",
    "<b>x</b>",
    "x" * 60,
    "  spaces  ",
    "…",
    "COM1.",
    "~",
]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_that_can_be_shown(name, cache):
    own = register(name, RECORDS["texts"])
    assert own.folder.parent == cache / "own"
    assert load(name).texts == RECORDS["texts"].texts
    assert own.name == name.strip()
    remove(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "the name is empty"),
        ("  ", "the name is empty"),
        ("x" * 61, "61 characters; at most 60"),
        ("a\nb", r"control character '\\n'"),
        ("a\x00b", r"control character '\\x00'"),
        ("a\ud800b", r"control character '\\ud800'"),
        ("wordnet", "'wordnet' is the name of a data set of semwork"),
        ("WordNet", "name of a data set of semwork"),
        (3, r"the name must be a string, got 3 \(int\)"),
    ],
)
def test_names_that_are_none(name, words):
    with pytest.raises((ValueError, TypeError), match=words):
        register(name, RECORDS["texts"])
    assert own_data() == ()


@pytest.mark.parametrize(("first", "second"), [(True, True), (True, False), (False, True), (False, False)])
def test_a_name_is_taken_once_whatever_its_case(first, second, cache):
    one, two = from_table(["one"]), from_table(["two"])
    begun = register("Reviews", one, keep=first)
    assert register("Reviews", one, keep=first) == begun, "the same again is no other"
    with pytest.raises(ValueError, match=r"data of your own called 'Reviews' \(texts, 1 rows\): .*replace=True"):
        register("reviews", two, keep=second)
    assert load("REVIEWS").texts == ["one"]
    now = register("reviews", two, keep=second, replace=True)
    assert own_data() == (now,)
    assert load("Reviews").texts == ["two"]
    assert len(list((cache / "own").glob("*"))) == second
    moved = register("reviews", two, keep=not second, replace=True)
    assert own_data() == (moved,)


def test_records_that_are_none(cache):
    table = pd.DataFrame(index=range(1))
    split = np.array(["dev"], dtype=object)
    for record, words in [
        (["a"], r"record is \['a'\] \(list\); it must be one of Sentences, .*from_table"),
        (datasets.load("sample"), "record is Sample"),
        (Sentences("x", [], pd.DataFrame()), "is empty"),
        (Sentences("x", ["a", "b"], table), "has 2 rows, and table has 1"),
        (Sentences("x", [3], table), "texts must be strings only"),
        (Sentences("x", ["\ud800"], table), "texts has half a sign"),
        (LabelledDocuments("x", ["a"], np.array([1]), ("l",), split), "labels must be numbers of the 1 label_names"),
        (
            RetrievalSet("x", ["q"], ["c"], [np.array([1])], split, table, table),
            "targets must be numbers of the 1 cand",
        ),
        (
            RetrievalSet("x", ["q"], ["c", "d"], [np.array([1])], split, table, table),
            "candidate_table must have one row",
        ),
        (WordVectors("x", ["a"], np.zeros(1)), "one row for each word"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            register("x", record)
    assert not (cache / "own").exists()


def test_unknown_names_are_explained():
    register("My reviews", RECORDS["texts"])
    with pytest.raises(UnknownDataSet, match=r"no data set 'reviews'.* Your own: 'My reviews'\."):
        load("reviews")
    with pytest.raises(UnknownDataSet, match=r"called 'reviews' \(str\): there are 'My reviews'"):
        remove("reviews")
    with pytest.raises(ValueError, match="'wordnet' is a data set of semwork"):
        remove("wordnet")
    with pytest.raises(TypeError, match="has no option 'seed': data of your own have none"):
        load("My reviews", seed=3)
    for ask in (fetch, path):
        with pytest.raises(ValueError, match="'My reviews' are data of your own, in /"):
            ask("My reviews")
    remove("my REVIEWS")
    with pytest.raises(UnknownDataSet, match="there are none"):
        remove("My reviews")


# --- several processes, and what they leave behind -----------------------------------------------------------------

REGISTER = """
import sys
from semwork.datasets import from_table, register
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    try:
        register(sys.argv[1].format(number), from_table(["%s %d" % (sys.argv[2], n) for n in range(2000)]))
        print("kept", flush=True)
    except ValueError as error:
        print(error)
"""


def started(*arguments):
    command = [sys.executable, "-c", REGISTER, *map(str, arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, **pipes, text=True, env=dict(os.environ))


def together(*processes):
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), outputs
    return [out.replace("kept\n", "") for out, _ in outputs]


@pytest.mark.slow
def test_two_processes_with_the_same_name(cache):
    outputs = together(started("same", "one", 1), started("same", "two", 1))
    assert sorted("data of your own called 'same'" in out for out in outputs) == [False, True]
    [_own] = own_data()
    assert load("same").texts[0] in ("one 0", "two 0")
    assert together(started("same", load("same").texts[0].split()[0], 1), started("x", "x", 1)) == ["", ""]
    assert len(own_data()) == 2
    assert list((cache / "own").glob(".*")) == []


@pytest.mark.slow
def test_two_processes_with_many_names(cache):
    together(started("a {}", "one", 12), started("b {}", "two", 12))
    assert {own.name for own in own_data()} == {f"{letter} {number}" for letter in "ab" for number in range(12)}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_process_that_is_killed_leaves_nothing_half(cache):
    for _ in range(5):
        process = started("k {}", "one", 200)
        process.stdout.readline()
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdout.readline()
        time.sleep(random.uniform(0, 0.1))
        process.kill()
        process.communicate()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kept = own_data()
        assert all(len(load(own.name)) == 2_000 for own in kept[-2:])
    old = time.time() - 7_200
    for leftover in [*(cache / "own").glob(".new-*"), cache / "own" / ".new-old"]:
        leftover.mkdir(exist_ok=True)
        os.utime(leftover, (old, old))
    register("another", RECORDS["texts"])
    assert list((cache / "own").glob(".new-*")) == []


def test_a_folder_that_is_damaged_is_left_out_with_a_warning(cache):
    good = register("good", RECORDS["texts"])
    cards = {
        "no TOML": "name = ",
        "nothing": "",
        "another kind": toml_of({"version": 1, "kind": "x", "files": {}, "facts": {}, "name": "n"}),
        "newer": "version = 99",
        "strange types": 'version = 1\nname = "x"\nkind = 3\nfiles = []\nfacts = 1',
        "no bytes of UTF-8": None,
    }
    for title, card in cards.items():
        (cache / "own" / title).mkdir()
        (cache / "own" / title / "own.toml").write_bytes(b"\xff\xfe\xfd" if card is None else card.encode())
    (cache / "own" / "no card").mkdir()
    (cache / "own" / "a file").write_text("not a folder")
    with pytest.warns(UserWarning, match=r"are damaged .* and left out: remove that folder") as caught:
        assert own_data() == (good,)
    assert len(caught) == len(cards) + 1
    assert any("newer version of semwork" in str(one.message) for one in caught)


@pytest.mark.parametrize("file", ["rows.parquet", "vectors.npy"])
def test_files_that_are_damaged(file):
    own = register("v", RECORDS["vectors"])
    content = (own.folder / file).read_bytes()
    (own.folder / file).write_bytes(content[:-10])
    with pytest.warns(UserWarning, match=rf"{file} has .* bytes instead of"):
        assert own_data() == ()
    (own.folder / file).unlink()
    with pytest.warns(UserWarning, match=rf"{file} is missing"):
        assert own_data() == ()
    (own.folder / file).write_bytes(bytes(len(content)))
    with pytest.raises(ValueError, match=r"your data 'v' cannot be read .*: remove the folder .*, and register"):
        load("v")
    (own.folder / file).unlink()
    with pytest.warns(UserWarning, match="damaged"):
        register("v", RECORDS["vectors"])
    same(load("v"), RECORDS["vectors"])


def test_a_folder_that_goes_while_it_is_read(monkeypatch):
    own = register("v", RECORDS["vectors"])
    monkeypatch.setattr(shelf, "_on_disk", lambda: [own.folder, own.folder.with_name("gone")])
    assert own_data() == (own,)


def test_a_shelf_that_cannot_be_locked_works(monkeypatch):
    def refuse(self):
        raise OSError("no locks here")

    monkeypatch.setattr(shelf.Lock, "acquire", refuse)
    register("v", RECORDS["vectors"])
    remove("v")


def test_another_process_that_does_not_end(monkeypatch):
    monkeypatch.setattr(shelf, "_PATIENCE", 0.05)
    monkeypatch.setattr(shelf.Lock, "acquire", lambda self: False)
    with pytest.raises(TimeoutError, match="another process has changed your data"):
        register("v", RECORDS["vectors"])


@pytest.mark.slow
def test_a_full_disk(small_disk, tmp_path):
    code = (
        "import os; from semwork.datasets import from_table, register, own_data\n"
        "from semwork.datasets.cache import CacheNotWritable\n"
        "register('small', from_table(['a text']))\n"
        "try:\n"
        "    register('large', from_table([os.urandom(500).hex() for _ in range(4000)]))\n"
        "except CacheNotWritable as error:\n"
        "    print(error)\n"
        "print([one.name for one in own_data()], sorted(os.listdir(os.environ['SEMWORK_CACHE'] + '/own')))\n"
    )
    done = small_disk("size=1m", tmp_path / "disk", code)
    assert "cannot write your data 'large' to the cache" in done.stdout, done.stderr
    assert "['small'] ['small-" in done.stdout
    done = small_disk("ro", tmp_path / "fixed", code)
    assert "CacheNotWritable: cannot write your data 'small'" in done.stderr
    assert "SEMWORK_CACHE=FOLDER" in done.stderr


def test_a_cache_that_cannot_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("SEMWORK_CACHE", str(tmp_path / "file"))
    with pytest.raises(CacheNotWritable, match="cannot write your data 'x'"):
        register("x", RECORDS["texts"])
    own = register("x", RECORDS["texts"], keep=False)
    assert own_data() == (own,)


PLAIN = st.one_of(st.text(), st.booleans(), st.integers(-(2**62), 2**62), st.floats(allow_nan=False))
VALUES = st.one_of(PLAIN, st.lists(st.text()), st.dictionaries(st.text(), PLAIN))


@given(st.dictionaries(st.text(), VALUES))
def test_what_is_written_as_toml_comes_back(values):
    assert tomllib.loads(toml_of(values)) == values
    assert tomllib.loads(toml_of({"half": "\ud800"})) == {"half": "?"}

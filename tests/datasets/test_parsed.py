from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pandas as pd
import pytest

from semwork import datasets, sources
from semwork.datasets import cdr, gcide, parsed, wordnet
from semwork.datasets.cache import CacheNotWritable
from semwork.datasets.parsed import Source, frame, stored


def source(fingerprint: str = "f") -> Source:
    return Source("tiny", fingerprint, lambda: pytest.fail("the original is not needed"), lambda name: source())


class Builder:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> pd.DataFrame:
        self.calls += 1
        return pd.DataFrame({"text": ["a", "é", ""], "n": [1, 2, 3]})


def test_built_once_then_read(shelf):
    build = Builder()
    for _ in range(3):
        table = frame(source(), "table-1", build)
        assert table["text"].tolist() == ["a", "é", ""]
    assert build.calls == 1
    assert list(frame(source(), "table-1", build, ["n"]).columns) == ["n"]


def test_another_version_or_source_is_another_form(shelf):
    build = Builder()
    frame(source(), "table-1", build)
    frame(source(), "table-2", build)
    frame(source("g"), "table-1", build)
    assert build.calls == 3


def test_a_changed_parser_makes_the_form_again(shelf, monkeypatch, tmp_path):
    made = []
    build = Builder()

    def again():
        made.append(frame(source(), "table-1", lambda: build()))

    again()
    again()
    assert build.calls == 1
    monkeypatch.setattr(parsed, "digest", lambda root: "other code")
    again()
    assert build.calls == 2


def test_the_code_of_a_form_is_that_of_its_loader_and_what_that_calls(monkeypatch):
    before = {module: parsed._code(module.load) for module in (wordnet, gcide, cdr)}
    assert len(set(before.values())) == 3
    read = Path.read_bytes

    def other(path):
        content = read(path)
        return content.replace(b"def _parse(", b"def _read(") if path == Path(gcide.__file__) else content

    monkeypatch.setattr(Path, "read_bytes", other)
    sources.forget()
    after = {module: parsed._code(module.load) for module in before}
    monkeypatch.undo()
    sources.forget()
    assert after[wordnet] == before[wordnet]
    assert after[gcide] != before[gcide]
    assert after[cdr] != before[cdr], "it aligns what gcide parses"


@pytest.mark.parametrize("damage", ["flip", "cut", "unseal", "empty seal", "odd seal", "no file", "not a folder"])
def test_a_damaged_form_is_noticed_and_built_again(shelf, damage):
    build = Builder()
    frame(source(), "table-1", build)
    (folder,) = (shelf.cache / "parsed").iterdir()
    file, seal = folder / "table.parquet", folder / "complete.json"
    content = file.read_bytes()
    if damage == "flip":
        middle = len(content) // 2
        file.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    elif damage == "cut":
        file.write_bytes(content[:-10])
    elif damage == "unseal":
        seal.unlink()
    elif damage == "empty seal":
        seal.write_text("")
    elif damage == "odd seal":
        seal.write_text("[1, 2]")
    elif damage == "no file":
        file.unlink()
    else:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        folder.write_text("a file")
    assert frame(source(), "table-1", build)["n"].tolist() == [1, 2, 3]
    assert build.calls == 2
    frame(source(), "table-1", build)
    assert build.calls == 2
    assert [p.name for p in (shelf.cache / "parsed").iterdir()] == [folder.name]


def test_large_files_are_hashed_once_and_damage_is_seen_by_time(shelf, monkeypatch):
    monkeypatch.setattr(parsed, "_ALWAYS_HASHED", 10)
    calls = []

    def write(folder):
        calls.append(folder)
        (folder / "big").write_bytes(b"x" * 100)

    folder = stored(source(), "p-1", write)
    stored(source(), "p-1", write)
    (folder / "big").write_bytes(b"y" * 100)
    stored(source(), "p-1", write)
    assert len(calls) == 2


def test_a_failing_build_leaves_nothing(shelf):
    def build() -> pd.DataFrame:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        frame(source(), "table-1", build)
    assert list((shelf.cache / "parsed").iterdir()) == []


@pytest.fixture
def own_temporary_folder(tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    parsed._temporary.cache_clear()
    yield folder
    parsed._temporary.cache_clear()


def test_a_cache_that_cannot_be_written_costs_time_and_a_warning(shelf, own_temporary_folder):
    shelf.cache.write_text("a file where the folder should be")
    build = Builder()
    with pytest.warns(UserWarning, match="cannot write") as warned:
        assert frame(source(), "table-1", build)["n"].tolist() == [1, 2, 3]
    [words] = [str(one.message) for one in warned]
    assert f"cannot write the parsed form of 'tiny' to the cache {shelf.cache} (" in words
    assert "Not a directory" in words
    assert "SEMWORK_CACHE=FOLDER" in words
    assert frame(source(), "table-1", build)["n"].tolist() == [1, 2, 3]
    assert build.calls == 1, "once for this process"
    shelf.cache.unlink()
    frame(source("g"), "table-1", build)
    assert [path.name.split("-")[0] for path in (shelf.cache / "parsed").iterdir()] == ["tiny"]


def test_without_a_temporary_folder_either_the_error_names_both(shelf, own_temporary_folder):
    shelf.cache.write_text("a file where the folder should be")
    own_temporary_folder.rmdir()
    with pytest.raises(CacheNotWritable, match=r"to the cache .*SEMWORK_CACHE=FOLDER\nNor .* temporary folder \(.*tmp"):
        frame(source(), "table-1", Builder())


LOAD = """
import warnings
from semwork.datasets import load
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    print(len(load("gcide").definitions), len(load("gcide").definitions))
print(*[one.message for one in warned], sep="; ")
"""


@pytest.mark.data("gcide")
def test_a_dictionary_is_read_although_the_cache_is_read_only(tmp_path, monkeypatch, small_disk):
    monkeypatch.setenv("SEMWORK_DATA", str(datasets.path("gcide").parent))
    done = small_disk("ro", tmp_path / "cache", LOAD)
    assert done.returncode == 0, done.stderr
    numbers, words = done.stdout.split("\n", 1)
    assert numbers == "171914 171914"
    assert f"cannot write the parsed form of 'gcide' to the cache {tmp_path / 'cache'} ([Errno 30]" in words
    assert words.count("cannot write") == 1


def test_threads_building_at_once_agree(shelf):
    build, results = Builder(), []
    barrier = threading.Barrier(4)

    def work() -> None:
        barrier.wait()
        results.append(frame(source(), "table-1", build)["n"].sum())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [6] * 4
    assert len(list((shelf.cache / "parsed").iterdir())) == 1


def test_importing_is_light():
    """What nobody asked for is not loaded: no scipy, no pandas, no pyarrow, no babel, no requests, no pooch."""
    code = (
        "import sys; from semwork import datasets; datasets.names(); datasets.available('sample');"
        "heavy = {'scipy', 'sklearn', 'babel', 'requests', 'pooch', 'pandas', 'pyarrow', 'plotly'} & set(sys.modules);"
        "print(sorted(heavy))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_nothing_is_ever_unpickled():
    from pathlib import Path

    import semwork.datasets

    for path in Path(semwork.datasets.__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "import pickle" not in text
        assert "allow_pickle=True" not in text
        assert text.count("np.load(") == text.count("allow_pickle=False") - text.count("np.save(")

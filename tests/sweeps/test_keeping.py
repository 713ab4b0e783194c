"""Results in a folder: kept whole, named by what they depend on, mended when damaged, adopted when somebody says so."""

from __future__ import annotations

import errno
import io
import json
import os

import numpy as np
import pytest

from semwork import sources
from semwork.datasets.cache import CacheNotWritable
from semwork.steps import last
from semwork.sweeps import Cell, Folder, NotImportable, Sweep, grid
from tests.sweeps import toys
from tests.sweeps.toys import Counter


def powers(count):
    return grid(toys.power, {"base": range(1, count + 1)})


def run(cells, **options):
    return last(Sweep(cells, store=Folder("toys", **options), threads=1).steps()).results


def test_what_was_computed_is_there_in_the_next_run():
    first = run(powers(2))
    again = run(powers(3))
    assert Counter.calls == [(1, 2, None), (2, 2, None), (3, 2, None)]
    for cell, found in first.items():
        np.testing.assert_equal(again[cell], found)
    first_step = next(Sweep(powers(4), store=Folder("toys")).steps())
    assert first_step.message == "3 of 4 cells were computed before"


def test_a_file_says_what_it_is_of():
    cell = Cell(toys.power, {"base": 3}, seed=5, needs=("li06",))
    run([cell])
    about = Folder("toys").about(cell)
    assert about["function"] == "tests.sweeps.toys.power"
    assert (about["settings"], about["seed"], about["needs"]) == ({"base": "3"}, 5, ["li06"])
    assert {"semwork", "numpy"} <= set(about["versions"])
    assert about["date"].startswith("20")


def truncated(content):
    return content[: len(content) // 2]


def one_bit_wrong(content):
    inside = 100  # of the first array
    return content[:inside] + bytes([content[inside] ^ 1]) + content[inside + 1 :]


def without_its_numbers(content):
    empty = io.BytesIO()
    np.savez(empty, scores=np.arange(3.0))
    return empty.getvalue()


@pytest.mark.parametrize("damage", [truncated, one_bit_wrong, without_its_numbers, lambda content: b""])
def test_a_damaged_file_is_named_and_computed_again(damage):
    cells = powers(3)
    before = run(cells)
    place = Folder("toys").place(cells[1])
    place.write_bytes(damage(place.read_bytes()))
    with pytest.warns(UserWarning, match="is damaged") as warned:
        after = run(cells)
    [words] = [str(one.message) for one in warned]
    assert words.startswith(f"{place} is damaged (")
    assert "computed again: power: base=2" in words
    assert len(Counter.calls) == 4, "only the damaged one"
    np.testing.assert_equal(after[cells[1]], before[cells[1]])
    assert Folder("toys").kept(cells[1]) is not None, "the file was mended"


def test_a_result_that_cannot_be_written_ends_the_run_and_leaves_the_old_one_and_nothing_else(monkeypatch):
    cells, folder = powers(2), Folder("toys")
    folder.keep(cells[0], {"power": 1})

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CacheNotWritable, match=r"cannot write the result of power: base=1.*No space left"):
        folder.keep(cells[0], {"power": 2})
    assert folder.kept(cells[0]) == {"power": 1}
    with pytest.raises(CacheNotWritable, match=r"cannot write the result of power: base=2"):
        run(cells)
    assert list(folder.path.iterdir()) == [folder.place(cells[0])]


def test_a_cache_that_cannot_be_written_is_said_before_anything_is_computed(own_cache):
    own_cache.mkdir()
    (own_cache / "toys").write_text("a file where the folder should be")
    with pytest.raises(CacheNotWritable, match=r"cannot write the results of toys.*SEMWORK_CACHE=FOLDER"):
        run(powers(2))
    assert Counter.calls == []


def test_an_error_is_written_where_the_result_would_be_and_goes_when_it_is_there():
    cells, folder = grid(toys.broken, {"base": [1, 2]}), Folder("toys")
    run(cells)
    note = folder.place(cells[1], ".failed.txt")
    assert note.read_text().startswith("broken: base=2\n\nTraceback")
    assert "two is not allowed" in note.read_text()
    folder.keep(cells[1], {"power": 4})
    assert not note.exists()


def test_results_of_other_kinds_are_the_cells_errors():
    end = last(Sweep(grid(toys.of_a_kind, {"base": [2]}), store=Folder("toys")).steps())
    [error] = end.errors.values()
    assert error.kind == "TypeError"
    assert "gave 4 (int); a result that is kept in a file has to be a mapping" in error.message


def test_what_cannot_be_imported_by_name_is_refused():
    def local(base):
        return {"power": base}

    with pytest.raises(NotImportable, match="keep the results in memory"):
        run([Cell(local, {"base": 1})])


@pytest.fixture
def changed_code(monkeypatch):
    """Say that the code of all cells has changed."""

    def change(to):
        monkeypatch.setattr("semwork.sweeps.cells.digest", lambda *roots: to * 64)

    yield change
    sources.forget()


def test_other_code_computes_again_unless_the_result_is_adopted(changed_code):
    before = run(powers(2))
    [name, *_] = sorted(file.name for file in Folder("toys").path.iterdir())
    code = name.removesuffix(".npz").rpartition("-")[2]
    (Folder("toys").path / name.replace(".npz", ".model.npz")).write_bytes(b"a fitted model")
    changed_code("f")
    folder = Folder("toys", adopt=True)
    adopted = last(Sweep(powers(2), store=folder).steps())
    assert len(Counter.calls) == 2, "nothing was computed"
    assert [found["power"] for found in adopted.results.values()] == [found["power"] for found in before.values()]
    for cell in powers(2):
        assert folder.about(cell)["adopted"].startswith("from the code ")
    assert any(code in said for said in folder.adopted.values())
    assert len(list(folder.path.glob("*-ffffffffffff.model.npz"))) == 1, "what was kept beside it came with it"
    assert len(list(folder.path.glob("*.npz"))) == 6, "the older files stay"
    changed_code("e")
    run(powers(2))
    assert len(Counter.calls) == 4, "without being told to, other code computes again"


def test_a_damaged_older_file_is_not_adopted(changed_code):
    cells = powers(1)
    run(cells)
    place = Folder("toys").place(cells[0])
    place.write_bytes(b"")
    changed_code("f")
    with pytest.warns(UserWarning, match="is damaged"):
        run(powers(1), adopt=True)
    assert len(Counter.calls) == 2


def test_numbers_and_arrays_come_back_as_they_were():
    cell, folder = Cell(toys.power, {"base": 1}), Folder("toys")
    result = {"one": 1, "text": "é", "rows": [{"a": None, "b": [1.5]}], "array": np.arange(4, dtype=np.float32)}
    folder.keep(cell, result)
    np.testing.assert_equal(folder.kept(cell), result)
    assert folder.kept(cell)["array"].dtype == np.float32
    with np.load(folder.place(cell), allow_pickle=False) as file:
        assert json.loads(str(file["about.json"]))["cell"] == "power: base=1"

"""Experiments: cells are computed once, runs go on where they were, tables say what was asked."""

from __future__ import annotations

import errno
import io
import os

import numpy as np
import pytest

from semwork.datasets.cache import CacheNotWritable
from semwork.experiments import EXPERIMENTS, read_table, run_and_print, running, write_tables
from semwork.experiments import cells as cells_module
from semwork.experiments.cells import Cell, ModelTask, run
from semwork.similarity import WTMF
from semwork.steps import Step, last


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(cells_module.places, "cache_folder", lambda: tmp_path)


def counting_task(computed, fail_at=None):
    def fit(model):
        for done in range(1, 4):
            yield Step(done=done, total=3)

    def score(model):
        if fail_at is not None and len(computed) == fail_at:
            raise RuntimeError("the power went off")
        computed.append(model)
        return {"atop": 0.5 + 0.01 * len(computed), "scores": np.arange(3.0)}

    return lambda name: ModelTask(fit, score)


def wtmf_cells(count):
    return [Cell.of("toy", "WTMF", seed, missing_weight=0.01) for seed in range(count)]


def test_a_cell_builds_its_model_and_models_without_randomness_have_no_seed():
    model = Cell.of("toy", "WTMF", 3, missing_weight=0.5).build()
    assert isinstance(model, WTMF)
    assert (model.missing_weight, model.random_state) == (0.5, 3)
    assert Cell.of("toy", "IR", 3) == Cell.of("toy", "IR", 4)


def test_results_are_kept_and_a_run_goes_on_where_it_was_stopped():
    computed = []
    with pytest.raises(RuntimeError, match="power"):
        last(run(wtmf_cells(4), counting_task(computed, fail_at=2), 1))
    assert len(computed) == 2
    result = last(run(wtmf_cells(4), counting_task(computed), 1))
    assert len(computed) == 4, "only the missing two were computed"
    assert set(result.results) == set(wtmf_cells(4))
    np.testing.assert_array_equal(result.results[wtmf_cells(1)[0]]["scores"], np.arange(3.0))
    again = last(run(wtmf_cells(4), counting_task(computed), 1))
    assert len(computed) == 4
    assert {cell: found["atop"] for cell, found in again.results.items()} == {
        cell: found["atop"] for cell, found in result.results.items()
    }


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
def test_a_damaged_cell_is_named_and_computed_again(damage):
    computed = []
    cells = wtmf_cells(3)
    last(run(cells, counting_task(computed), 1))
    place = cells[1].place
    place.write_bytes(damage(place.read_bytes()))
    with pytest.warns(UserWarning, match="is damaged") as warned:
        result = last(run(cells, counting_task(computed), 1))
    [words] = [str(one.message) for one in warned]
    assert words.startswith(f"{place} is damaged (")
    assert f"computed again: {cells[1].label}" in words
    assert len(computed) == 4, "only the damaged one"
    np.testing.assert_array_equal(result.results[cells[1]]["scores"], np.arange(3.0))
    assert cells[1].kept() is not None, "the file was mended"


def test_a_result_that_cannot_be_written_leaves_the_old_one_and_nothing_else(monkeypatch):
    [cell] = wtmf_cells(1)
    cell.keep({"atop": 0.5})

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CacheNotWritable, match=r"cannot write the result of toy: WTMF.*No space left"):
        cell.keep({"atop": 0.6})
    assert cell.kept() == {"atop": 0.5}
    assert list(cell.place.parent.iterdir()) == [cell.place]


def test_a_cache_that_cannot_be_written_is_said_before_anything_is_computed(tmp_path):
    (tmp_path / "experiments").write_text("a file where the folder should be")
    computed = []
    with pytest.raises(CacheNotWritable, match=r"cannot write the results of experiments.*SEMWORK_CACHE=FOLDER"):
        last(run(wtmf_cells(2), counting_task(computed), 1))
    assert computed == []


REPRODUCE = """
import sys
from semwork import cli
sys.exit(cli.main(["reproduce", "sts2012", "--seeds", "1"]))
"""


def test_reproduce_with_a_read_only_cache_ends_in_words(tmp_path, small_disk):
    done = small_disk("ro", tmp_path / "cache", REPRODUCE)
    assert done.returncode == 1
    said = done.stderr.strip().splitlines()[-1]
    assert said.startswith(f"cannot write the results of experiments to the cache {tmp_path / 'cache'} ([Errno 30]")
    assert "Traceback" not in done.stderr


def test_all_is_a_name_for_every_experiment(monkeypatch):
    runs = []
    monkeypatch.setattr(running, "_run", lambda name, *rest: runs.append(name))
    assert run_and_print([], every=True) == 0
    assert run_and_print(["all"]) == 0
    assert runs == [*EXPERIMENTS, *EXPERIMENTS]


class OneThenWait:
    """The first chain ends at once, the others when they are stopped."""

    def __init__(self):
        self.begun = []

    def compute(self, cell, stop):
        self.begun.append(cell)
        if cell.seed == 0:
            return {"atop": 0.5}
        stop.wait()
        return None


def test_chains_run_side_by_side_and_end_when_the_run_is_stopped():
    computed = []
    chains = [Cell.of("toy", "LDA", seed) for seed in range(5)]
    task = OneThenWait()
    steps = run(chains, lambda name: task, 2)
    first = next(steps)
    assert (first.done, first.total) == (1, 5)
    steps.close()
    assert len(task.begun) <= 3, "what had not begun was not computed"
    assert len(last(run(chains, counting_task(computed), 2)).results) == 5


def test_tables_are_written_with_the_command_versions_and_date(tmp_path):
    tables = {"one": ({"model": "WTMF", "dev": 0.95, "paper": None},)}
    [path] = write_tables(tmp_path / "new", "toy", tables, "semwork reproduce toy")
    text = path.read_text()
    assert text.startswith("# semwork reproduce toy\n# semwork ")
    table = read_table(path)
    assert table["dev"].tolist() == [0.95]
    assert table["paper"].isna().all()


def test_bad_requests_are_refused_in_words(capsys):
    assert run_and_print(["nothing"]) == 2
    assert run_and_print(["wtmf"], seeds=0) == 2
    assert "give 1 or more" in capsys.readouterr().err
    assert run_and_print([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in EXPERIMENTS)


@pytest.mark.data("cdr", "wordnet", "brown")
@pytest.mark.slow
def test_retrieval_on_the_real_dictionaries_gives_the_known_score_of_surface_words(monkeypatch):
    monkeypatch.undo()
    from semwork.experiments.retrieval import clause_set, retrieval_task

    task = retrieval_task("cdr")
    model = Cell.of("cdr", "IR").build()
    last(task.fit(model))
    result = task.score(model)
    assert result["dev"] == pytest.approx(0.8840, abs=5e-4)
    assert result["test"] == pytest.approx(0.8762, abs=5e-4)
    clauses = clause_set()
    assert len(clauses.queries) == 15_915
    assert len(clauses.candidates) == 117_659
    first = int(clauses.targets[0][0])
    assert clauses.queries[0] not in clauses.candidates[first]


@pytest.mark.data("li06", "msr04", "sts2012")
def test_the_tables_of_pairs_follow_from_the_predictions():
    from semwork.evaluation import pearson
    from semwork.experiments.pairs import _sets, pair_cells, pair_tables

    rng = np.random.default_rng(0)
    results = {}
    for lines in pair_cells(2).values():
        for _, found in lines:
            for cell in found:
                results[cell] = {
                    key: pairs.scores / 5 + rng.normal(0, 0.2, len(pairs.scores)) for key, pairs in _sets().items()
                }
    tables = pair_tables(2, results)
    assert [row["model"] for row in tables["msr04"]] == [
        "IR", "N-gram", "LSA", "LDA", "WTMF", "GloVe average (SIF)",
    ]  # fmt: skip
    wtmf = next(row for row in tables["li06"] if row["model"] == "WTMF, w_m=0.01")
    mine = [results[cell]["li06"] for label, found in pair_cells(2)["li06"] if label == wtmf["model"] for cell in found]
    assert wtmf["r"] == pytest.approx(np.mean([pearson(_sets()["li06"].scores, one) for one in mine]), abs=1e-4)
    assert wtmf["r, paper"] == 0.8984
    assert sum(row["chosen on train"] == "yes" for row in tables["variants"]) == 1
    best = max(tables["variants"], key=lambda row: row["train ALL"])
    assert best["chosen on train"] == "yes"


@pytest.mark.data("cdr")
def test_the_tables_of_retrieval_follow_from_the_results(monkeypatch):
    monkeypatch.undo()
    from semwork.datasets import load
    from semwork.experiments import retrieval

    data = load("cdr")
    monkeypatch.setattr(retrieval, "_task", lambda name: type("Task", (), {"data": data}))
    rng = np.random.default_rng(0)
    results = {}
    for lines in retrieval.retrieval_cells(3).values():
        for _, found in lines:
            for cell in found:
                better = 0.05 if cell.model == "WTMF" else 0.0
                scores = np.clip(rng.uniform(0.6, 0.95, len(data.queries)) + better, 0, 1)
                numbers = {f"{split}{name}": 0.5 + better for split in ("dev", "test") for name in (" MRR", " hit@10")}
                parts = {split: float(scores[data.split == split].mean()) for split in ("dev", "test")}
                results[cell] = numbers | parts | {"scores": scores.astype(np.float32)}
    tables = retrieval.retrieval_tables(3, results)
    assert [row["model"] for row in tables["table_2"]] == [label for label, *_ in retrieval.TABLE_2]
    ir = tables["table_2"][0]
    assert (ir["seeds"], ir["test, paper"], ir["test s.d."]) == (1, 0.8515, 0.0)
    assert len(tables["figure_2"]) == len(retrieval.WEIGHTS)
    assert len(tables["figure_3"]) == 2 * len(retrieval.DIMENSIONS)
    for row in tables["significance"]:
        assert row["difference"] == pytest.approx(0.05, abs=0.01)
        assert row["low"] > 0
        assert row["p"] < 0.001

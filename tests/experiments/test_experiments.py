"""Experiments: cells are computed once, runs go on where they were, tables say what was asked."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import types

import numpy as np
import pytest

from semwork.experiments import (
    EXPERIMENTS,
    Experiment,
    Report,
    ResultStep,
    kernels,
    pairs,
    read_table,
    regularization,
    retrieval,
    run_and_print,
    running,
    sentences,
    topics_quality,
    topics_speed,
    topics_unseen,
    transliteration,
    write_tables,
)
from semwork.experiments.cells import Running
from semwork.experiments.models import model_cells
from semwork.experiments.version_3 import Results
from semwork.similarity import WTMF, TfidfCosine
from semwork.sweeps import SweepFailed, grid


def kept(cells):
    """Run cells as an experiment does."""
    stream = Running(threads=1).results(cells)
    while True:
        try:
            next(stream)
        except StopIteration as end:
            return end.value


def counted(number, seed=None):
    """What a cell of the third version computed; it is not to be called."""
    raise AssertionError(f"{number} was computed")


def test_a_cell_has_the_class_of_its_model_and_models_without_randomness_have_no_seed():
    cells = model_cells(counted, "toy", "WTMF", 3, ("li06",), missing_weight=0.5)
    assert [(cell.settings["make"], cell.seed, cell.one_core) for cell in cells] == [
        (WTMF, seed, False) for seed in range(3)
    ]
    assert cells[0].settings["parameters"] == {"missing_weight": 0.5}
    assert str(cells[2]) == "toy: WTMF(missing_weight=0.5), seed 2"
    [alone] = model_cells(counted, "toy", "IR", 3, ())
    assert (alone.settings["make"], alone.seed) == (TfidfCosine, None)
    [glove] = model_cells(counted, "toy", "GloVe average (SIF)", 3, ("li06",))
    assert glove.needs == ("li06", "glove")
    [blend] = model_cells(counted, "toy", "WTMF + IR", 1, (), share=0.3, max_iter=2)
    made = blend.settings["make"](**blend.settings["parameters"], random_state=blend.seed)
    assert (made.share, made.first.max_iter, made.first.random_state) == (0.3, 2, 0)
    assert model_cells(counted, "toy", "LDA", 1, ())[0].one_core


def test_results_of_one_run_are_there_in_the_next_and_a_failing_cell_keeps_the_others():
    cells = grid(failing, {"base": [1, 2, 3]}, label="toy")
    with pytest.raises(SweepFailed, match="1 of 3 cells failed:\n  toy: RuntimeError: the power went off"):
        kept(cells)
    assert len(list(Results().path.glob("*.npz"))) == 2
    assert kept([cells[0], cells[2]]) == {cells[0]: {"number": 1}, cells[2]: {"number": 3}}


def failing(base):
    if base == 2:
        raise RuntimeError("the power went off")
    return {"number": base}


def third_version(folder, task, model, parameters, seed, result):
    """Write a result as the third version did, by its own rule."""
    key = json.dumps([3, task, model, tuple(sorted(parameters.items())), seed], sort_keys=True)
    place = folder / f"{task}-{model}-{hashlib.sha256(key.encode()).hexdigest()[:20]}.npz"
    numbers = {name: value for name, value in result.items() if not isinstance(value, np.ndarray)}
    arrays = {name: value for name, value in result.items() if isinstance(value, np.ndarray)}
    place.parent.mkdir(exist_ok=True)
    np.savez_compressed(place, **{"numbers.json": np.array(json.dumps(numbers))}, **arrays)
    return place


WTMF_GIVEN = {"missing_weight": 0.01, "regularization": 20.0}
# Task, model, parameters and seed of the third version, and the cell that it is now.
OLD = [
    ("cdr", "WTMF", WTMF_GIVEN, 3, lambda: retrieval.retrieval_cells(4)["table_2"][9][1][3]),
    ("cdr", "IR", {}, None, lambda: retrieval.retrieval_cells(4)["table_2"][0][1][0]),
    ("cdr", "GloVe", {}, None, lambda: retrieval.retrieval_cells(4)["table_2"][11][1][0]),
    ("cdr", "WTMF + IR", {"share": 0.3, **WTMF_GIVEN}, 0, lambda: retrieval.retrieval_cells(4)["blends"][0][1][0]),
    ("pairs, lemmas", "WTMF", WTMF_GIVEN, 1, lambda: pairs.pair_cells(2)["variants"][6][1][1]),
    ("default λ, 60", "WTMF", {"weighting": "count"}, None, lambda: regularization.penalty_cells()[5]),
    (
        "protocol", "kernels", {"data": "medline", "target": "query 20", "share": 0.8, "splits": 10}, None,
        lambda: kernels._cell(kernels.protocol, data="medline", target="query 20", share=0.8, splits=10),
    ),
    (
        "full size", "kernels", {"data": "reuters8", "kernel": "exponential", "way": "all", "labelled": None}, 0,
        lambda: kernels._cell(kernels.full_size, 0, data="reuters8", kernel="exponential", way="all", labelled=None),
    ),
    ("paths", "kernels", {"data": "reuters8"}, 0, lambda: kernels._cell(kernels.paths, 0, data="reuters8")),
    (
        "names", "LCLR", {"language": "he", "guide": "full table", "regularization": 3.0, "aside": False}, 2,
        lambda: transliteration._cell("LCLR", "he", "full table", 2),
    ),
    (
        "names", "heuristic", {"language": "ko", "guide": "no table", "regularization": None, "aside": False}, 0,
        lambda: transliteration._cell("heuristic", "ko", "no table", 0),
    ),
    (
        "sentences", "two-stage",
        {"data": "msr04", "general": False, "size": None, "regularization": 3.0, "part": "choice"}, 0,
        lambda: sentences._cell("two-stage", sentences.PARAPHRASE[0], 0, 3.0, "choice"),
    ),
    (
        "topics", "Gaussian LDA",
        {
            "data": "newsgroups", "sweeps": 60, "n_topics": 50, "vectors": "as they are", "shape": "identity",
            "strength": 0, "scale": 3.0, "alpha": None,
        }, 1, lambda: topics_quality.fit_cell(topics_quality.PAPER, 1),
    ),
    (
        "topic speed", "alias", {"documents": 500, "sweeps": 30, "data": "newsgroups"}, 0,
        lambda: topics_speed._cell("alias", 500),
    ),
    (
        "unseen words, second corpus", "LDA",
        {
            "setting": (("alpha", None), ("scale", 0.0), ("shape", ""), ("strength", 0), ("vectors", "")),
            "classify": False, "data": "reuters", "size": 174, "sources": ("PPDB",), "batches": (1, 10, 0),
            "order": "random",
        }, 2, lambda: topics_unseen._cell(topics_quality.PLAIN_LDA, 2, second=True),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("task", "model", "given", "seed", "cell"), OLD, ids=[f"{old[0]} {old[1]}" for old in OLD])
def test_results_of_the_third_version_are_taken_over_when_somebody_says_so(own_cache, task, model, given, seed, cell):
    found = cell()
    result = {"rows": [1, 2], "scores": np.arange(3.0)}
    place = third_version(own_cache / "experiments", task, model, given, seed, result)
    (place.with_suffix(".model.npz")).write_bytes(b"a fitted model")
    before = Results()
    assert before.kept(found) is None, "nothing is taken over in silence"
    assert before.passed_over == {found: place}
    store = Results(adopt=True)
    np.testing.assert_equal(store.kept(found), result)
    assert store.about(found)["adopted"].startswith("from version 3 of 20")
    assert store.place(found, ".model.npz").read_bytes() == b"a fitted model"
    np.testing.assert_equal(Results().kept(found), result)


REPRODUCE = """
import sys
from semwork import cli
sys.exit(cli.main(["reproduce", "sts2012", "--seeds", "1"]))
"""


@pytest.mark.slow
def test_reproduce_with_a_read_only_cache_ends_in_words(tmp_path, small_disk):
    done = small_disk("ro", tmp_path / "cache", REPRODUCE)
    assert done.returncode == 1
    said = done.stderr.strip().splitlines()[-1]
    assert said.startswith(f"cannot write the results of experiments to the cache {tmp_path / 'cache'} ([Errno 30]")
    assert "Traceback" not in done.stderr


def test_all_is_a_name_for_every_experiment(monkeypatch):
    runs = []
    monkeypatch.setattr(running, "_run", lambda name, *rest, **options: runs.append(name))
    assert run_and_print([], every=True) == 0
    assert run_and_print(["all"]) == 0
    assert runs == [*EXPERIMENTS, *EXPERIMENTS]


@pytest.fixture
def declared(monkeypatch):
    """Two experiments: in the first one a cell fails, the second one has a table more or less."""
    tables = {"one": ({"power": 4},)}

    def first(seeds, running):
        yield from running.results(grid(failing, {"base": [1, 2]}, label="toy"))

    def second(seeds, running):
        yield from running.results(grid(failing, {"base": [3]}, label="toy"))
        yield ResultStep(done=1, total=1, tables=tables)

    for name, steps in (("first", first), ("second", second)):
        module = types.SimpleNamespace(steps=steps)
        monkeypatch.setitem(sys.modules, f"semwork.experiments.{name}", module)
    known = {
        name: Experiment(f"The {name}", "", 1, (name, "steps"), (Report("One", "one"),)) for name in ("first", "second")
    }
    monkeypatch.setattr(running, "EXPERIMENTS", known)
    return tables


def test_a_failing_cell_does_not_end_the_other_experiments(declared, capsys):
    assert run_and_print([], every=True) == 1
    said = capsys.readouterr()
    assert "The second" in said.out
    assert "\none\n power\n     4" in said.out, "its tables are there"
    [note] = Results().path.glob("*.failed.txt")
    assert f"toy: RuntimeError: the power went off\nits traceback is in {note}" in said.err


def test_a_table_that_nobody_would_see_is_refused(declared):
    declared["more"] = ()
    with pytest.raises(ValueError, match=r"second\.steps gave a table 'more' that nobody would see .*declared\.py"):
        run_and_print(["second"])


def test_older_results_are_named_once_when_they_are_not_taken_over(declared, capsys, monkeypatch):
    assert run_and_print(["second"]) == 0
    assert "--adopt" not in capsys.readouterr().err
    monkeypatch.setattr("semwork.sweeps.cells.digest", lambda *roots: "f" * 64)
    assert run_and_print(["second"], adopt=True) == 0
    assert "--adopt" not in capsys.readouterr().err
    monkeypatch.setattr("semwork.sweeps.cells.digest", lambda *roots: "e" * 64)
    assert run_and_print(["second"]) == 0
    assert capsys.readouterr().err.count(f"1 older results are in {Results().path}; --adopt takes them over") == 1
    assert run_and_print(["second"]) == 0
    assert "--adopt" not in capsys.readouterr().err, "the result is there now"


def test_a_cell_that_the_third_version_did_not_have_has_no_older_result():
    [cell] = grid(failing, {"base": [5]})
    assert Results(adopt=True).kept(cell) is None
    [cell] = model_cells(retrieval.retrieval_scores, "cdr", "IR", 1, ())
    other = dataclasses.replace(cell, settings={**cell.settings, "make": Experiment})
    assert Results(adopt=True).kept(other) is None


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
    [cell] = retrieval.retrieval_cells(1)["table_2"][0][1]
    result = cell.compute()
    assert result["dev"] == pytest.approx(0.8840, abs=5e-4)
    assert result["test"] == pytest.approx(0.8762, abs=5e-4)
    clauses = retrieval.clause_set()
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

    data = load("cdr")
    monkeypatch.setattr(retrieval, "_task", lambda name: type("Task", (), {"data": data}))
    rng = np.random.default_rng(0)
    results = {}
    for lines in retrieval.retrieval_cells(3).values():
        for _, found in lines:
            for cell in found:
                better = 0.05 if cell.settings["make"] is WTMF else 0.0
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

"""The experiment on names: a few names of three scripts, and its tables."""

import numpy as np
import pytest

from semwork.experiments import lclr, transliteration
from semwork.experiments.cells import Running
from semwork.steps import last
from semwork.structures import LCLR, AlignThenLearn
from semwork.structures.tasks.guides import GUIDES, guide_named
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.transliteration import name_problem, ranked, transliterated_names
from semwork.sweeps import Cell


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few names and languages."""
    numbers = {"TRAINING": 20, "TEST": 30, "ASIDE": 30, "GUIDE_SPLITS": 1, "CHOICE_SPLITS": 1}
    for name, value in (numbers | {"LANGUAGES": ("he", "ko"), "CHOICES": (10.0,)}).items():
        monkeypatch.setattr(transliteration, name, value)
    forget()
    yield
    forget()


def forget():
    transliteration._split.cache_clear()
    transliteration._problems.cache_clear()


def test_names_on_which_lambda_was_chosen_are_in_no_other_split():
    aside = transliteration._split("he", 0, aside=True)
    chosen = set(zip(aside.train.english + aside.test.english, aside.train.foreign + aside.test.foreign, strict=True))
    assert len(chosen) == 30
    for seed in range(3):
        split = transliteration._split("he", seed, aside=False)
        used = [*zip(split.train.english, split.train.foreign, strict=True)]
        used += zip(split.test.english, split.test.foreign, strict=True)
        assert (len(split.train), len(split.test), len(set(used))) == (20, 30, 50)
        assert not chosen & set(used)
    assert len(transliteration._split("ko", 0, aside=False).test) == 30


@pytest.mark.parametrize(
    ("system", "learner", "guide"),
    [("two-stage", AlignThenLearn, "half of the table"), ("LCLR", LCLR, "no table")],
)
def test_systems_are_those_that_a_user_would_fit(system, learner, guide):
    cell = transliteration._cell(system, "ko", guide, 1)
    found = cell.compute()["places"]
    split = transliteration._split("ko", 1, aside=False)
    known = guide_named(guide, "Hangul", 1)
    model = learner(lambda pair: name_problem(pair, guide=known), transliteration.CHOSEN[system], random_state=0)
    model.fit(split.examples, split.labels)
    english, foreign = split.test.english, split.test.foreign
    mine = ranked(name_scores(model, english, foreign, guide=known), english, foreign).places
    assert np.mean(found == mine) > 0.9  # equal but for ties of the last digit
    assert len(found) == 30


def test_a_cell_can_be_stopped_while_it_learns():
    steps = transliteration._cell("LCLR", "he", GUIDES[0], 0).steps()
    assert next(steps).done == 1
    steps.close()


def test_a_name_counts_once_however_often_it_was_tested(monkeypatch):
    monkeypatch.setattr(transliteration, "ASIDE", len(transliterated_names("he")) - 55)
    forget()
    systems = ("two-stage", "LCLR")
    cells = [transliteration._cell(system, "he", GUIDES[0], seed) for system in systems for seed in (0, 1)]
    places = {"LCLR": np.ones(30, dtype=int), "two-stage": np.full(30, 2)}
    found = transliteration._found(cells, {cell: {"places": places[cell.settings["model"]]} for cell in cells})
    tests = [transliteration._split("he", seed, aside=False).test for seed in (0, 1)]
    gain = transliteration._gain(found, "accuracy", "name")
    assert gain["gain"] == 100
    assert gain["n"] == len({pair for test in tests for pair in zip(test.english, test.foreign, strict=True)}) < 60
    assert gain["p"] < 0.001
    assert transliteration._gain(found, "MRR", "split") == {"gain": 50, "low": 50, "high": 50, "p": 0.5, "n": 2}


@pytest.mark.slow
def test_a_run_ends_with_all_tables(monkeypatch):
    monkeypatch.setattr(transliteration, "GUIDES", ("full table", "no table"))
    monkeypatch.setattr(lclr, "PARTS", lclr.PARTS[:1])
    end = last(lclr.lclr_steps(2, Running(threads=1)))
    assert end.done == end.total == len(set(transliteration.name_cells(2)))
    choice, table, gain, guides = (
        end.tables[name] for name in ("names_choice", "table_1", "table_1_gain", "names_guides")
    )
    assert [row["λ"] for row in choice] == [10.0]
    assert [(row["system"], row["accuracy, paper"], row["MRR, paper"]) for row in table] == [
        ("heuristic", None, None), ("two-stage", 80.0, 85.7), ("LCLR", 92.3, 95.4),
    ]  # fmt: skip
    assert all(0 <= row["accuracy"] <= row["MRR"] <= 100 and row["splits"] == 2 for row in table)
    assert [(row["measure"], row["items"]) for row in gain] == [
        ("accuracy", "names"), ("accuracy", "splits"), ("MRR", "names"), ("MRR", "splits"),
    ]  # fmt: skip
    assert [row["guide"] for row in guides] == ["full table", "no table"] * 2
    assert guides[0]["gain"] == pytest.approx(guides[0]["LCLR accuracy"] - guides[0]["two-stage accuracy"], abs=0.02)


def count_on(seed):
    return {"number": 1 + seed}


def test_another_part_stands_beside_names_with_cells_that_follow_from_its_first(monkeypatch):
    first = Cell(count_on, seed=2)

    def further(seeds, results):
        return [Cell(count_on, seed=results[first]["number"])]

    def tables(seeds, results):
        return {"table_0": ({"number": results[further(seeds, results)[0]]["number"], "seeds": seeds},)}

    part = lclr.Part(lambda seeds: [first], further, tables)
    absent = lclr.Part(lambda seeds: 1 / 0, further, tables, lambda: "nothing to count with")
    monkeypatch.setattr(lclr, "PARTS", [part, absent])
    end = last(lclr.lclr_steps(4, Running(threads=1)))
    assert end.tables == {"table_0": ({"number": 4, "seeds": 4},)}
    assert (end.done, end.total, end.message) == (2, 2, "done; nothing to count with")


def test_every_language_has_names_enough():
    sizes = {code: len(transliterated_names(code)) for code in ("he", "ru", "el", "ar", "ka", "hy", "ko", "hi")}
    assert min(sizes.values()) >= 250 + 300
    assert sizes["he"] >= 400 + 250 + 300

"""The experiment on sentences: a small made-up corpus, and its tables."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.experiments import lclr, sentences
from semwork.experiments.cells import Running
from semwork.steps import last
from semwork.structures import LCLR, AlignThenLearn
from semwork.structures.tasks import sentences as tasks
from semwork.structures.tasks.graphs import GraphProblems
from semwork.structures.tasks.parsing import Parsed

WORDS = ["bird", "cat", "fish", "goat", "horse", "lion", "mouse", "wolf"]


class KnowsNothing:
    """In place of WordNet: words are near only when they are equal or spelled alike."""

    def matrices(self, left, right, pos):
        return np.zeros((len(left), len(right))), np.zeros((len(left), len(right)))


def sentence(subject, verb):
    words = ("the", subject, verb)
    return Parsed(words, words, ("DET", "NOUN", "VERB"), ("det", "nsubj", "ROOT"), (1, 2, -1), ("", "", ""))


def corpus(count=90):
    """A pair says the same when its subjects are equal; the verb means nothing."""
    rng = np.random.default_rng(0)
    pairs, labels = [], []
    for number in range(count):
        one, two = rng.choice(WORDS, 2, replace=False)
        same = number % 3 > 0
        pairs.append((sentence(one, rng.choice(["run", "eat"])), sentence(one if same else two, "run")))
        labels.append(1 if same else -1)
    return sentences._Data(pairs, np.array(labels), np.arange(count) < 60)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A made-up corpus without WordNet, few settings."""
    empty, made = KnowsNothing(), corpus()
    monkeypatch.setattr(sentences, "_data", lambda name: made)
    monkeypatch.setattr(sentences, "paraphrase_problems", lambda general: GraphProblems("both", wordnet=empty))
    monkeypatch.setattr(sentences, "entailment_problems", lambda general: GraphProblems("right", wordnet=empty))
    monkeypatch.setattr(sentences, "CHOICES", (1.0, 1e6))
    monkeypatch.setattr(sentences, "SAMPLES", 2)
    monkeypatch.setattr(
        sentences,
        "PARAPHRASE",
        (sentences.Setting("msr04", general=False, size=None, paper=(76.23, 76.41)),
         sentences.Setting("msr04 extended", general=False, size=30)),
    )  # fmt: skip
    monkeypatch.setattr(sentences, "ENTAILMENT", (sentences.Setting("rte1", general=False, size=40),))
    sentences._problems.cache_clear()
    yield
    sentences._problems.cache_clear()


@pytest.mark.parametrize(("system", "learner"), [("two-stage", AlignThenLearn), ("LCLR", LCLR)])
def test_systems_are_those_that_a_user_would_fit(system, learner):
    setting = sentences.PARAPHRASE[1]
    cell = sentences._cell(system, setting, 1, 2.0)
    found = cell.compute()["right"]
    data = corpus()
    learn = np.sort(np.random.default_rng(1).permutation(60)[:30])
    make = GraphProblems("both", wordnet=KnowsNothing())
    model = learner(make, 2.0, random_state=0, standardize=True)
    model.fit([data.pairs[row] for row in learn], data.labels[learn])
    np.testing.assert_array_equal(found, model.predict(data.pairs[60:]) == data.labels[60:])


def test_a_choice_is_made_on_training_pairs_alone(monkeypatch):
    held = []
    monkeypatch.setattr(LCLR, "predict", lambda model, rows: held.extend(rows) or np.ones(len(rows), dtype=int))
    cell = sentences._cell("LCLR", sentences.PARAPHRASE[0], 0, 1.0, "choice")
    right = cell.compute()["right"]
    assert sorted(held) == list(range(60)), "every training pair once"
    assert np.mean(right) == pytest.approx(2 / 3)


def test_a_cell_can_be_stopped_while_it_learns():
    steps = sentences._cell("LCLR", sentences.PARAPHRASE[0], 0, 1.0).steps()
    assert next(steps).done == 1
    steps.close()


def test_a_run_ends_with_all_tables(monkeypatch):
    monkeypatch.setattr(sentences, "not_here", str)
    part = lclr.Part(sentences.choice_cells, sentences.sentence_cells, sentences.sentence_tables)
    monkeypatch.setattr(lclr, "PARTS", [part])
    tables = last(lclr.lclr_steps(5, Running(threads=1))).tables
    assert [(row["data"], row["training pairs"], row["samples"]) for row in tables["table_4"]] == [
        ("msr04", 60, 1), ("msr04 extended", 30, 2),
    ]  # fmt: skip
    assert [row["data"] for row in tables["table_3"]] == ["rte1"]
    first = tables["table_4"][0]
    assert (first["two-stage, paper"], first["LCLR, paper"], first["test pairs"]) == (76.23, 76.41, 30)
    assert first["LCLR"] == first["two-stage"] == 100, "equal subjects are easy to learn"
    assert (first["gain"], first["p"]) == (0, 1)
    for row in tables["table_3"] + tables["table_4"]:
        assert row["LCLR λ"] == row["two-stage λ"] == 1.0, "the huge one learns nothing"
    assert [row["LCLR chosen"] for row in tables["sentences_choice"]] == ["yes", ""] * 3


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr(tasks, "available", lambda name: name != "rte")
    assert sentences.not_here() == "paraphrase and entailment need data that are not here: semwork data fetch rte"
    monkeypatch.setattr(tasks, "available", lambda name: True)
    monkeypatch.setattr(tasks, "find_spec", lambda name: None)
    assert "semwork[nlp]" in sentences.not_here()
    monkeypatch.setattr(tasks, "find_spec", lambda name: name)
    assert sentences.not_here() == ""

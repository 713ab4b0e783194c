"""Learning about pairs of sentences, step by step, on real pairs."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.datasets import DataNotAvailable
from semwork.steps import last
from semwork.structures import LCLR, best_structure
from semwork.structures.tasks.parsing import parse_text
from semwork.studies import SentenceAlignments, SentenceSettings, sentence_task
from semwork.studies.sentence_parts import SENTENCE_KINDS
from semwork.studies.sentence_steps import SentenceStep
from semwork.studies.sentence_tasks import SENTENCE_TASKS, SentenceTask
from semwork.studies.study import NoAnswer

pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'semwork[nlp]'")
pytestmark = [pytest.mark.data(name) for name in ("msr04", "rte", "wordnet", "en_core_web_sm")]


SETTINGS = SentenceSettings(training=30)


@pytest.fixture(scope="module")
def study():
    return SentenceAlignments(sentence_task("paraphrase"), tested=20, max_iter=4)


@pytest.fixture(scope="module")
def end(study):
    return last(study.steps(SETTINGS))


def test_learning_is_that_of_lclr(study, end):
    draw = study._draws.get((30, 0))
    model = LCLR(study.task.problems(general=False), 30.0, max_iter=4, tolerance=1e-4, random_state=0, standardize=True)
    model.fit(draw.graphs[:30], draw.labels[:30])
    np.testing.assert_allclose(end.history["objective"], model.objective_path_)
    values = model.decision_function(end.graphs)
    np.testing.assert_allclose(end.at(None).scores, values)
    assert end.history["accuracy"].iloc[-1] == np.mean((values >= 0) == end.truth)
    assert (np.diff(end.history["objective"]) <= 1e-6).all()


def test_a_finished_run_is_shown_at_once(study, end):
    assert list(study.steps(SETTINGS)) == [end]


def test_scores_are_those_of_the_alignments(study, end):
    table = study.judged(end, 1).pairs
    assert table["score"].tolist() == pytest.approx(
        [study.joined(end, *end.graphs[number], 1).value for number in table["pair"]]
    )
    assert (table["correct"] == ((table["score"] >= 0) == table["truth"])).all()
    assert (table["left"][3], table["right"][3]) == (end.left[3], end.right[3])


def test_a_picture_has_every_word_and_every_edge_once(study, end):
    left, right = end.graphs[2]
    joined = study.joined(end, left, right)
    assert sorted(joined.edges["left"][joined.edges["left"] >= 0]) == list(range(len(left)))
    assert sorted(joined.edges["right"][joined.edges["right"] >= 0]) == list(range(len(right)))
    assert len(joined.arcs) == len(left.edges) + len(right.edges)
    mapped = joined.arcs[joined.arcs["score"].notna()]
    assert (mapped["side"] == 0).sum() == (mapped["side"] == 1).sum()
    problem, weights = study.task.problems(general=False)((left, right)), end.at().weights
    best = best_structure(problem, problem.scores(weights), use_solver=False)
    assert joined.value == pytest.approx(best.value + problem.offset(weights))


def test_weights_are_told_in_words(study, end):
    table = study.weights(end).weights
    assert len(table) == 24
    assert table["weight"].is_monotonic_decreasing
    assert set(table["kind"]) <= set(SENTENCE_KINDS)
    assert all(isinstance(name, str) for name in table["feature"])


def test_own_sentences_are_parsed(study, end):
    found = study.alignment(end, left="The dog sleeps.", right="A hound is sleeping!")
    assert found.left == ("the", "dog", "sleeps")
    value = study.joined(end, parse_text("The dog sleeps."), parse_text("A hound is sleeping!")).value
    assert found.title.startswith(f"Your pair: score {value:+.2f}, ")
    with pytest.raises(NoAnswer, match="type both sentences"):
        study.alignment(end, left="  ", right="A hound")
    with pytest.raises(NoAnswer, match="only punctuation"):
        study.alignment(end, left="...", right="A hound")


def test_entailment_leaves_words_out_of_the_hypothesis_only():
    study = SentenceAlignments(sentence_task("entailment 1"), tested=10, max_iter=2)
    end = last(study.steps(SentenceSettings(training=20)))
    edges = study.alignment(end, 0).edges
    alone = edges[edges["kind"] == "alone"]
    assert (alone["left"] == -1).all()
    assert study.task.verdict(-1.0) == "it does not follow"
    assert study.judged(end).no == "it does not follow"


def test_what_is_missing_is_said(monkeypatch):
    with pytest.raises(ValueError, match="no task 'poems'; there are paraphrase"):
        sentence_task("poems")
    monkeypatch.setattr("semwork.studies.study.available", lambda name: name != "msr04")
    with pytest.raises(DataNotAvailable, match=r"msr04 must be on this machine first: .*`semwork data fetch msr04`$"):
        SentenceAlignments.on("paraphrase")
    monkeypatch.setattr("semwork.studies.study.available", lambda _: True)
    monkeypatch.setattr("semwork.studies.study.find_spec", lambda _: None)
    with pytest.raises(DataNotAvailable, match=r"more packages: `pip install 'semwork\[nlp\]'`$"):
        SentenceAlignments.on("entailment 2")
    assert SENTENCE_TASKS.always_here == []
    step = SentenceStep(done=0, settings=SETTINGS)
    study = SentenceAlignments(SentenceTask(pairs=None))
    for question in (study.alignment, study.learning, study.weights, study.judged):
        with pytest.raises(NoAnswer, match="nothing is learnt yet"):
            question(step)
    assert study.table(step).empty
    assert set(SENTENCE_TASKS.sources) == {"paraphrase", "entailment 1", "entailment 2", "entailment 3"}


def test_the_pairs_of_the_test_are_the_same_for_every_seed(study, end):
    other = next(study.steps(SentenceSettings(training=30, seed=1)))
    assert other.left == end.left
    assert study._draws.get((30, 1)).pairs.left[:30] != study._draws.get((30, 0)).pairs.left[:30]

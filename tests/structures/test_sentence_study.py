"""Learning about pairs of sentences, step by step, on real pairs."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.structures import LCLR, best_structure
from semwork.structures import sentence_study as module
from semwork.structures.sentence_study import SENTENCE_KINDS, SENTENCE_TASKS, SentenceStudy

pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'semwork[nlp]'")
pytestmark = [pytest.mark.data(name) for name in ("msr04", "rte", "wordnet", "en_core_web_sm")]


@pytest.fixture(scope="module")
def study():
    return SentenceStudy("paraphrase", 30, test=20)


@pytest.fixture(scope="module")
def end(study):
    return last(study.steps(max_iter=4))


def test_learning_is_that_of_lclr(study, end):
    learn = [study._parsed[row] for row in range(30)]
    model = LCLR(study.problems, 30.0, max_iter=4, tolerance=1e-4, random_state=0, standardize=True)
    model.fit(learn, study.labels[:30])
    np.testing.assert_allclose(end.history["objective"], model.objective_path_)
    values = model.decision_function([study.parsed(number) for number in range(20)])
    np.testing.assert_allclose(end.at(None).scores, values)
    assert end.history["accuracy"].iloc[-1] == np.mean((values >= 0) == (study.test_labels > 0))
    assert (np.diff(end.history["objective"]) <= 1e-6).all()


def test_a_finished_run_is_shown_at_once(study, end):
    assert list(study.steps(max_iter=4)) == [end]


def test_scores_are_those_of_the_alignments(study, end):
    table = end.scores(1)
    assert table["score"].tolist() == pytest.approx(
        [end.joined(*study.parsed(number), 1).value for number in table["pair"]]
    )
    assert (table["correct"] == ((table["score"] >= 0) == table["truth"])).all()
    assert (table["left"][3], table["right"][3]) == study.texts(3)


def test_a_picture_has_every_word_and_every_edge_once(study, end):
    left, right = study.parsed(2)
    joined = end.joined(left, right)
    assert sorted(joined.edges["left"][joined.edges["left"] >= 0]) == list(range(len(left)))
    assert sorted(joined.edges["right"][joined.edges["right"] >= 0]) == list(range(len(right)))
    assert len(joined.arcs) == len(left.edges) + len(right.edges)
    mapped = joined.arcs[joined.arcs["score"].notna()]
    assert (mapped["side"] == 0).sum() == (mapped["side"] == 1).sum()
    problem, weights = study.problems((left, right)), end.at(None).weights
    best = best_structure(problem, problem.scores(weights), own=False)
    assert joined.value == pytest.approx(best.value + problem.offset(weights))


def test_weights_are_told_in_words(end):
    table = end.weights(n=5)
    assert len(table) == 10
    assert table["weight"].is_monotonic_decreasing
    assert set(table["kind"]) <= set(SENTENCE_KINDS)
    assert all(isinstance(name, str) for name in table["feature"])


def test_own_sentences_are_parsed(study, end):
    joined = end.joined(*study.own("The dog sleeps.", "A hound is sleeping!"))
    assert joined.left == ("the", "dog", "sleeps")
    with pytest.raises(ValueError, match="empty"):
        study.own("  ", "A hound")
    with pytest.raises(ValueError, match="only punctuation"):
        study.own("...", "A hound")


def test_entailment_leaves_words_out_of_the_hypothesis_only():
    study = SentenceStudy("entailment 1", 20, test=10)
    end = last(study.steps(max_iter=2))
    joined = end.joined(*study.parsed(0))
    alone = joined.edges[joined.edges["kind"] == "alone"]
    assert (alone["left"] == -1).all()
    assert study.verdict(-1.0) == "it does not follow"


def test_what_is_missing_is_said(monkeypatch):
    with pytest.raises(ValueError, match="no task 'poems'; there are paraphrase"):
        SentenceStudy("poems")
    monkeypatch.setattr(module, "not_here", lambda: "semwork data fetch msr04")
    with pytest.raises(FileNotFoundError, match="fetch msr04"):
        last(SentenceStudy("paraphrase", 20).steps())
    assert set(SENTENCE_TASKS) == {"paraphrase", "entailment 1", "entailment 2", "entailment 3"}

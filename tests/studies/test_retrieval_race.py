"""The race: order, caches, resumption, questions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from semwork.similarity import LSA, WTMF, LDAVectors, TfidfCosine
from semwork.steps import last
from semwork.studies import RaceSettings, RetrievalRace, retrieval_task
from semwork.studies.remembered import Remembered
from semwork.studies.rivals import Rivals


@pytest.fixture
def race():
    return RetrievalRace(retrieval_task("sample"))


def settings(*models, **changes):
    return RaceSettings(**{"n_components": 5, "iterations": 3, "models": models, **changes})


def test_wtmf_comes_iteration_by_iteration_then_the_rivals_in_their_order(race):
    steps = list(race.steps(settings("LDA", "LSA")))
    assert [step.done for step in steps if list(step.rankings) == ["WTMF", "words only"]][:3] == [1, 2, 3]
    assert steps[0].waiting == ("LSA", "LDA")
    assert list(steps[-1].rankings) == ["WTMF", "words only", "LSA", "LDA"]
    assert (steps[-1].waiting, steps[-1].fraction) == ((), 1)
    dones = [step.done for step in steps]
    assert dones == sorted(dones)
    task = race.task
    assert steps[-1].rankings["words only"].atop == task.ranking(TfidfCosine()).atop
    expected = task.ranking(LDAVectors(n_components=5, max_iter=200, random_state=0)).atop
    assert steps[-1].rankings["LDA"].atop == expected


def test_a_step_does_not_change_afterwards(race):
    first, *_, end = list(race.steps(settings()))
    again = next(iter(RetrievalRace(race.task).steps(settings())))
    assert np.array_equal(first.model.components_, again.model.components_)
    assert not np.array_equal(first.model.components_, end.model.components_)
    assert first.vectors[1] == pytest.approx(first.model.transform(race.task.candidates), abs=1e-5)


def test_what_is_known_is_not_computed_again(race, monkeypatch):
    last(race.steps(settings("LSA")))
    monkeypatch.setattr("semwork.similarity.LSA.steps", lambda *_: pytest.fail("LSA again"))
    first = next(iter(race.steps(settings("LSA", missing_weight=0.5))))
    assert first.waiting == ()


def test_when_only_the_rivals_change_wtmf_is_not_fitted_again(race, monkeypatch):
    before = last(race.steps(settings("n-grams")))
    monkeypatch.setattr(WTMF, "steps", lambda *_, **__: pytest.fail("WTMF again"))
    end = last(race.steps(settings("LSA")))
    assert list(end.rankings) == ["WTMF", "words only", "LSA"]
    assert end.rankings["WTMF"] is before.rankings["WTMF"]


def test_pressing_run_again_fits_again(race):
    last(race.steps(settings()))
    assert next(iter(race.steps(settings()))).done == 1


def test_a_rival_that_was_overtaken_goes_on_where_it_was(race, monkeypatch):
    monkeypatch.setattr("semwork.studies.rivals._TELL_SECONDS", 0.0)
    begun = race.steps(settings("LDA"))
    seen = list(itertools.islice((s.message for s in begun if s.message.startswith("LDA: step")), 20))
    begun.close()
    rest = [s.message for s in race.steps(settings("LDA", missing_weight=0.5)) if s.message.startswith("LDA: step")]
    assert seen[-1] == "LDA: step 20 of 200"
    assert rest[0] == "LDA: step 21 of 200"


def test_rankings_and_half_fitted_rivals_are_few(race, monkeypatch):
    monkeypatch.setattr("semwork.studies.rivals._TELL_SECONDS", 0.0)
    for size in range(2, 8):
        begun = race.steps(settings("LDA", n_components=size, iterations=1))
        next(step for step in begun if step.message.startswith("LDA: step"))
        begun.close()
    assert len(race._rivals._begun) == 3
    again = race.steps(settings("LDA", n_components=7, iterations=1))
    assert next(s.message for s in again if s.message.startswith("LDA: step")) == "LDA: step 2 of 200"
    few = Rivals(race.task)
    few._rankings = Remembered(2)
    for model in (TfidfCosine(), LSA(2), TfidfCosine(), LSA(3), LSA(4)):
        for _ in few.progress(model):
            pass
        assert list(few.found({"it": model, "words only": TfidfCosine()})) == ["it", "words only"]
    assert few.waiting({"2": LSA(2), "3": LSA(3), "4": LSA(4)}) == ("2", "3"), "what is asked for again stays"


def test_a_rival_that_fails_can_be_tried_again(race, monkeypatch):
    def fail(*_):
        raise ValueError("no")
        yield

    with monkeypatch.context() as patch:
        patch.setattr("semwork.similarity.LSA.steps", fail)
        with pytest.raises(ValueError, match="no"):
            last(race.steps(settings("LSA")))
    assert "LSA" in last(race.steps(settings("LSA"))).rankings


def test_a_warm_study_goes_on_from_the_last_solution_and_a_cold_one_does_not(race):
    race.warm = True
    long = last(race.steps(settings(iterations=12)))
    warm = next(iter(race.steps(settings())))
    assert warm.rankings["WTMF"].atop == pytest.approx(long.rankings["WTMF"].atop, abs=0.02)
    race.warm = False
    cold = next(iter(race.steps(settings())))
    assert not np.array_equal(cold.model.components_, warm.model.components_)
    assert np.array_equal(
        cold.model.components_, next(iter(RetrievalRace(race.task).steps(settings()))).model.components_
    )


def test_questions_are_answered_by_the_step_that_is_asked(race):
    first, *_, end = list(race.steps(settings("LSA")))
    early, late = race.why(first, "mulch"), race.why(end, "mulch")
    assert early.similarity != late.similarity
    assert early.words["contribution"].sum() == pytest.approx(early.similarity)
    assert late.label == "mulch"
    right = late.ranking[late.ranking["right"]]
    assert late.candidate in right["candidate"].tolist()
    third = race.why(end, "mulch", "3")
    assert third.candidate == third.ranking["candidate"].iloc[2]
    ranks = race.queries(end, "mulch")
    assert ranks.ranks["label"].iloc[ranks.chosen] == "mulch"
    assert ranks.ranks["WTMF"].tolist() == end.rankings["WTMF"].table()["best_rank"].tolist()


@pytest.mark.parametrize("axis", ["log", "linear"])
def test_curves_are_topk_and_the_table_is_atop(race, axis):
    end = last(race.steps(settings("LSA")))
    curves = race.curves(end, axis)
    assert (curves.share[0] > 0) == (axis == "log")
    for name, ranking in end.rankings.items():
        assert curves.recall[name] == pytest.approx(ranking.topk(curves.share))
        assert race.table(end).set_index("model")["atop"][name] == ranking.atop
    assert curves.atop["atop"].is_monotonic_increasing, "the best is drawn on top"
    assert sorted(curves.atop["model"]) == sorted(race.table(end)["model"])


def test_a_query_is_found_by_its_beginning_and_a_missing_one_is_said(race):
    assert race.labels[race.find("pharm")[0]] == "pharmacy"
    assert race.find("qqq") == (0, "(no query “qqq” here) ")
    assert race.find("") == (0, "")


def test_wrong_names_are_refused_in_words(race):
    with pytest.raises(ValueError, match=r"models has 'BERT'.*; choose from 'n-grams'"):
        next(iter(race.steps(settings("BERT"))))
    with pytest.raises(ValueError, match="'sample' and 'cdr'"):
        retrieval_task("wiki")


@pytest.mark.data("wordnet")
@pytest.mark.data("gcide")
@pytest.mark.data("brown")
@pytest.mark.slow
def test_the_real_task_has_the_development_queries_only():
    task = retrieval_task("cdr")
    assert set(task.data.split) == {"dev"}
    assert (len(task.data), len(task.data.candidates)) == (1000, 117_659)

"""The race: order, caches, resumption; the sweep's checks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from semwork.similarity import LDAVectors, RetrievalRace, RetrievalSweep, TfidfCosine
from semwork.similarity.retrieval_race import named_task, usable_start
from semwork.similarity.wtmf import WTMF
from semwork.steps import last


@pytest.fixture
def race():
    return RetrievalRace(named_task("sample"))


def model(**changes):
    return WTMF(**{"n_components": 5, "regularization": 5, "max_iter": 3, "random_state": 0, **changes})


def test_wtmf_comes_iteration_by_iteration_then_the_rivals_in_their_order(race):
    steps = list(race.steps(model(), ["LDA", "LSA"]))
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
    first, *_, end = list(race.steps(model()))
    again = next(iter(RetrievalRace(race.task).steps(model())))
    assert np.array_equal(first.model.components_, again.model.components_)
    assert not np.array_equal(first.model.components_, end.model.components_)
    assert first.vectors[1] == pytest.approx(first.model.transform(race.task.candidates), abs=1e-5)


def test_what_is_known_is_not_computed_again(race, monkeypatch):
    last(race.steps(model(), ["LSA"]))
    monkeypatch.setattr("semwork.similarity.LSA.steps", lambda *_: pytest.fail("LSA again"))
    first = next(iter(race.steps(model(missing_weight=0.5), ["LSA"])))
    assert first.waiting == ()


def test_when_only_the_rivals_change_wtmf_is_not_fitted_again(race, monkeypatch):
    before = last(race.steps(model(), ["n-grams"]))
    monkeypatch.setattr(WTMF, "steps", lambda *_, **__: pytest.fail("WTMF again"))
    end = last(race.steps(model(), ["LSA"]))
    assert list(end.rankings) == ["WTMF", "words only", "LSA"]
    assert end.rankings["WTMF"] is before.rankings["WTMF"]


def test_pressing_run_again_fits_again(race):
    last(race.steps(model()))
    assert next(iter(race.steps(model()))).done == 1


def test_a_rival_that_was_overtaken_goes_on_where_it_was(race, monkeypatch):
    monkeypatch.setattr("semwork.similarity.retrieval_race._TELL_SECONDS", 0.0)
    begun = race.steps(model(), ["LDA"])
    seen = list(itertools.islice((s.message for s in begun if s.message.startswith("LDA: step")), 20))
    begun.close()
    rest = [s.message for s in race.steps(model(missing_weight=0.5), ["LDA"]) if s.message.startswith("LDA: step")]
    assert seen[-1] == "LDA: step 20 of 200"
    assert rest[0] == "LDA: step 21 of 200"


def test_a_rival_that_fails_can_be_tried_again(race, monkeypatch):
    def fail(*_):
        raise ValueError("no")
        yield

    with monkeypatch.context() as patch:
        patch.setattr("semwork.similarity.LSA.steps", fail)
        with pytest.raises(ValueError, match="no"):
            last(race.steps(model(), ["LSA"]))
    assert "LSA" in last(race.steps(model(), ["LSA"])).rankings


def test_a_collapsed_solution_is_no_start(race):
    good = model().fit(race.task.training).components_
    assert usable_start(good) is good
    assert usable_start(None) is None
    dead = good.copy()
    dead[2] = 0
    assert usable_start(dead) is None
    end = last(race.steps(model(), start=np.zeros_like(good)))
    assert end.rankings["WTMF"].atop > 0.6


def test_a_start_is_used(race):
    long = last(race.steps(model(max_iter=12)))
    first = next(iter(race.steps(model(), start=long.model.components_)))
    assert first.rankings["WTMF"].atop == pytest.approx(long.rankings["WTMF"].atop, abs=0.02)


def test_wrong_names_are_refused_in_words(race):
    with pytest.raises(ValueError, match="no model 'BERT' to compare with; there are: words only"):
        next(iter(race.steps(model(), ["BERT"])))
    with pytest.raises(ValueError, match="'sample' and 'cdr'"):
        named_task("wiki")
    with pytest.raises(ValueError, match="it can have 'WTMF' and 'LDA'"):
        next(iter(RetrievalSweep(race.task).steps(weights=[], sizes=[1], models=["LSA"])))


def test_a_sweep_gives_the_scores_of_single_fits(race):
    sweep = RetrievalSweep(race.task)
    settings = {"weights": [0.0, 0.1], "sizes": [5], "n_components": 5, "iterations": 3, "sweeps": 5, "seeds": 2}
    settings |= {"penalties": [0.0, 5.0, 100.0]}
    end = last(sweep.steps(**settings))
    row = end.over_weight.query("missing_weight == 0.1 and seed == 1").iloc[0]
    assert row["atop"] == race.task.ranking(model(missing_weight=0.1, random_state=1)).atop
    lda = end.over_size.query("model == 'LDA' and seed == 0").iloc[0]
    assert lda["atop"] == race.task.ranking(LDAVectors(n_components=5, max_iter=5, random_state=0)).atop
    free = end.over_penalty.query("regularization == 0 and seed == 1").iloc[0]
    assert free["atop"] == race.task.ranking(model(regularization=0.0, random_state=1)).atop
    reached = end.over_penalty.groupby("regularization")["atop"].mean()
    assert reached[100.0] < reached[5.0], "hardly anything is left"
    assert end.words_only == race.task.ranking(TfidfCosine()).atop
    # seed 0 is complete before seed 1 begins
    assert list(dict.fromkeys(cell.seed for cell in sweep.known)) == [0, 1]
    assert len(list(sweep.steps(**settings))) == 1


@pytest.mark.data("wordnet")
@pytest.mark.data("gcide")
@pytest.mark.data("brown")
@pytest.mark.slow
def test_the_real_task_has_the_development_queries_only():
    task = named_task("cdr")
    assert set(task.data.split) == {"dev"}
    assert (len(task.data), len(task.data.candidates)) == (1000, 117_659)

"""Sweeps on one retrieval task: every cell is a fit of its own."""

from __future__ import annotations

import pytest

from semwork.similarity import WTMF, LDAVectors, TfidfCosine
from semwork.steps import last, reporting
from semwork.studies import RetrievalSweep, SweepSettings, retrieval_task
from semwork.sweeps import SweepFailed

VALUES = {"w_m": [0.0, 0.1], "λ": [0.0, 5.0, 100.0], "K": [5]}
SETTINGS = SweepSettings(n_components=5, iterations=3, lda_sweeps=50, seeds=2)


@pytest.fixture(scope="module")
def swept():
    study = RetrievalSweep(retrieval_task("sample"), VALUES)
    return study, list(study.steps(SETTINGS))


def model(**changes):
    return WTMF(**{"n_components": 5, "regularization": 5, "max_iter": 3, "random_state": 0, **changes})


def test_a_sweep_gives_the_scores_of_single_fits(swept):
    study, steps = swept
    task, end = study.task, steps[-1].tables
    row = end["w_m"].query("value == 0.1 and seed == 1").iloc[0]
    assert row["atop"] == task.ranking(model(missing_weight=0.1, random_state=1)).atop
    lda = end["K"].query("model == 'LDA' and seed == 0").iloc[0]
    assert lda["atop"] == task.ranking(LDAVectors(n_components=5, max_iter=50, random_state=0)).atop
    free = end["λ"].query("value == 0 and seed == 1").iloc[0]
    assert free["atop"] == task.ranking(model(regularization=0.0, random_state=1)).atop
    reached = end["λ"].groupby("value")["atop"].mean()
    assert reached[100.0] < reached[5.0], "hardly anything is left"
    assert study.curves(steps[-1]).words_only == task.ranking(TfidfCosine()).atop


def test_seed_after_seed_and_what_is_known_is_not_computed_again(swept, monkeypatch):
    study, steps = swept
    seeds = [sorted(step.tables["w_m"]["seed"].unique()) for step in steps]
    assert seeds == sorted(seeds), "seed 0 is complete before seed 1 begins"
    # Where the curves cross (K = 5, w_m = .01, λ = 5) a cell stands in two of them and is fitted once.
    assert steps[-1].total == 2 * (2 + 3 + 2 - 1)
    monkeypatch.setattr(WTMF, "steps", lambda *_, **__: pytest.fail("fitted again"))
    [again] = study.steps(SETTINGS)
    assert again.message == "12 of 12 fits were known"
    assert again.tables["w_m"].equals(steps[-1].tables["w_m"])


def test_the_table_is_the_mean_over_seeds(swept):
    study, steps = swept
    table = study.table(steps[-1]).set_index(["parameter", "model", "value"])
    rows = steps[-1].tables["λ"].query("value == 100")["atop"]
    assert table["mean"]["λ", "WTMF", 100.0] == pytest.approx(rows.mean())
    assert table["std"]["λ", "WTMF", 100.0] == pytest.approx(rows.std())
    assert table["count"].tolist() == [2] * 7


def test_curves_are_mean_and_deviation_of_the_seeds_and_a_study_that_has_not_run_knows_words_only(swept):
    study, steps = swept
    anew = RetrievalSweep(study.task, VALUES)
    begun = next(step for step in steps if len(step.tables["w_m"]))
    for step, seeds in ((begun, 1), (steps[-1], 2)):
        curves = anew.curves(step)
        rows = step.tables["w_m"].query("value == 0.0")["atop"]
        point = curves.tables["w_m"].iloc[0]
        assert (point["model"], point["value"], point["count"]) == ("WTMF", 0.0, seeds)
        assert point["mean"] == pytest.approx(rows.mean())
        assert point["std"] == pytest.approx(rows.std() if seeds > 1 else 0.0)
    assert curves.words_only == study.task.ranking(TfidfCosine()).atop > 0.5
    assert curves.marks == {}
    assert RetrievalSweep(study.task).curves(steps[-1]).marks == {"λ": 20.0}


def test_the_papers_points_are_those_of_its_table_2(swept):
    study, steps = swept
    assert study.curves(steps[-1]).points == {}
    with_paper = study.curves(steps[-1], paper=True)
    assert with_paper.points["w_m"]["WTMF"] == {0.0: 0.8745, 0.0005: 0.961, 0.01: 0.9555, 1.0: 0.8273}
    assert with_paper.points["K"]["LDA"] == {100: 0.9506}
    assert with_paper.values["K"] == [5, 100], "there is room for the paper's K"
    assert with_paper.marks == {}, "20 is not among the penalties that are tried"


FEW_CELLS = {"w_m": [0.1], "λ": [], "K": [4]}
QUICK = SweepSettings(n_components=5, iterations=2, lda_sweeps=50, seeds=1)


def fail(*_):
    raise ValueError("no chain today")
    yield


def test_a_cell_that_fails_is_raised_after_the_last_step_and_the_others_go_on(monkeypatch):
    study = RetrievalSweep(retrieval_task("sample"), FEW_CELLS)
    whole, steps = LDAVectors.steps, []
    monkeypatch.setattr(LDAVectors, "steps", fail)
    with pytest.raises(SweepFailed, match=r"1 of 3 cells failed:\n.*LDA.*: ValueError: no chain today"):
        steps.extend(reporting(study.steps(QUICK), steps.append))
    end = steps[-1]
    assert end.message.startswith("2 of 3 cells are there, 1 failed, LDA")
    assert end.tables["w_m"]["model"].tolist() == end.tables["K"]["model"].tolist() == ["WTMF"]
    monkeypatch.setattr(LDAVectors, "steps", whole)
    end = last(study.steps(QUICK))
    assert end.tables["K"]["model"].tolist() == ["WTMF", "LDA"], "a failed cell can be tried again"


def test_when_all_cells_fail_the_run_is_no_success(monkeypatch):
    study, steps = RetrievalSweep(retrieval_task("sample"), FEW_CELLS), []
    monkeypatch.setattr(WTMF, "steps", fail)
    monkeypatch.setattr(LDAVectors, "steps", fail)
    with pytest.raises(SweepFailed, match="3 of 3 cells failed"):
        steps.extend(reporting(study.steps(QUICK), steps.append))
    assert study.table(steps[-1]).empty


def test_large_data_are_swept_over_larger_sizes():
    study = RetrievalSweep(retrieval_task("sample"))
    assert max(study.values["K"]) == 60
    assert study.facts["queries"] == 320

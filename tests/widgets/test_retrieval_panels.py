"""The panels of the lesson on concept retrieval, without a browser."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from semwork import datasets
from semwork.similarity import WTMF, LDAVectors, RetrievalTask
from semwork.studies.origin import calling
from semwork.studies.retrieval_tasks import RETRIEVAL_TASKS
from semwork.sweeps import SweepFailed
from semwork_widgets import (
    first_curve,
    missing_words,
    retrieval_race,
    retrieval_sweep,
    sentence_pairs,
    weight_path,
    your_sentences,
)
from semwork_widgets.live_figure import Point


@pytest.fixture(scope="module")
def race():
    panel = retrieval_race()
    panel.wait()
    yield panel
    panel.close()


@pytest.fixture
def small_sweep(monkeypatch):
    monkeypatch.setattr("semwork.studies.retrieval_sweep.WEIGHT_GRID", (0.0, 0.01, 1.0))
    monkeypatch.setattr("semwork.studies.retrieval_sweep.PENALTY_GRID", (0.0, 5.0))
    monkeypatch.setattr("semwork.studies.retrieval_sweep._SIZES", (5, 10))

    def made(*, fails=False):
        panel = retrieval_sweep()
        panel.state = {"settings": {"seeds": 1, "iterations": 2, "lda_sweeps": 50, "n_components": 10}}
        if not fails:
            panel.wait()
        return panel

    return made


def clicked(panel, figure, **fields):
    given = {"trace": 0, "index": 0, "name": None, "x": 0, "y": 0, "z": None, "customdata": None, **fields}
    for handler in panel.figures[figure]._handlers["plotly_click"]:
        handler([Point(**given)])


def drawn(panel, figure, name):
    return next(trace for trace in panel.figures[figure].figure.data if trace.name.startswith(name))


def test_all_models_run_and_wtmf_is_the_best_of_them(race):
    race.state = {"settings": {"missing_weight": 0.02, "query": "mulch", "candidate": "the right one"}}
    race.wait()
    reached = {name: ranking.atop for name, ranking in race.last_step.rankings.items()}
    assert list(reached)[:2] == ["WTMF", "words only"]
    assert {"n-grams", "LSA", "LDA"} <= set(reached)
    assert max(reached, key=reached.get) == "WTMF"
    dots = drawn(race, "models", "ATOP")
    assert dict(zip(dots.y, dots.x, strict=True)) == reached


def test_a_click_on_a_query_shows_its_ranking_and_a_click_on_a_bar_its_words(race):
    step = race.last_step
    clicked(race, "queries", customdata="pharmacy")
    assert race.controls["query"].value == "pharmacy"
    assert "“pharmacy”" in race.figures["why"].figure.layout.title.text
    assert drawn(race, "queries", "chosen").text == ("<b>pharmacy</b>",)
    clicked(race, "why", name="ranking", customdata=3)
    assert race.controls["candidate"].value == "3"
    bars = drawn(race, "why", "ranking")
    assert [label.startswith("<b>") for label in bars.y] == [place == 2 for place in range(len(bars.y))]
    parts = drawn(race, "why", "part of the similarity")
    assert sum(parts.x) == pytest.approx(bars.x[2], abs=1e-4)
    clicked(race, "why", name="part of the similarity", customdata="is in the query too")
    clicked(race, "why", name="ranking", customdata=11)
    assert race.controls["candidate"].value == "the right one"
    assert race.last_step is step, "a click computes nothing"


def test_other_data_begin_with_a_query_of_their_own_but_a_chosen_one_stays(race, monkeypatch):
    monkeypatch.setattr(race, "live", False)
    data, query = race.controls["data"], race.controls["query"]
    query.value = "mulch"
    data.value = "cdr"
    assert query.value == "cheetah"
    assert "“mulch”" in race.figures["why"].figure.layout.title.text, "the step that is drawn is still the old one"
    data.value = "sample"
    assert query.value == "mulch"
    query.value = "pharmacy"
    data.value = "cdr"
    assert query.value == "pharmacy"
    data.value = "sample"


def test_a_query_that_is_not_there_is_said_and_a_beginning_is_enough(race):
    race.controls["query"].value = "pharm"
    assert "“pharmacy”" in race.figures["why"].figure.layout.title.text
    race.controls["query"].value = "qqq"
    assert "no query “qqq” here" in race.figures["why"].figure.layout.title.text
    assert race.error is None
    race.controls["query"].value = ""
    assert "no query" not in race.figures["why"].figure.layout.title.text


def test_the_k_axis_can_be_linear(race):
    race.controls["axis"].value = "linear"
    assert race.figures["models"].figure.layout.xaxis.type == "linear"
    race.controls["axis"].value = "log"
    assert race.figures["models"].figure.layout.xaxis.type == "log"


def test_the_code_gives_the_same_numbers_and_pictures(race, capsys):
    race.controls["query"].value = "mulch"
    scope: dict[str, object] = {}
    exec(race.code, scope)
    printed = capsys.readouterr().out.splitlines()[1:]
    for line, (name, ranking) in zip(printed, race.last_step.rankings.items(), strict=True):
        assert f"{name} {ranking.atop:.4f}" in " ".join(line.split())
    own = [trace.name for trace in race.figures["models"].figure.data]
    assert [trace.name for trace in scope["figures"][0].data] == own
    why = scope["figures"][2].data[0]
    assert np.asarray(why.x) == pytest.approx(np.asarray(drawn(race, "why", "ranking").x), abs=1e-5)


def test_state_and_table_can_be_kept(race):
    assert json.loads(json.dumps(race.state))["settings"]["models"] == ["n-grams", "LSA", "LDA"]
    name, content, _ = race.export("csv")
    assert name == "Find-the-definition-all-models.csv"
    assert b"WTMF better" in content


def test_data_that_is_not_here_is_said_in_the_panel(race, monkeypatch):
    monkeypatch.setattr("semwork.studies.study.available", lambda name: name != "gcide")
    race.controls["data"].value = "cdr"
    with pytest.raises(datasets.DataNotAvailable):
        race.wait()
    assert "semwork data fetch gcide" in race.parts.status.value
    assert "always here: sample" in race.parts.status.value
    race.controls["data"].value = "sample"
    race.wait()
    assert race.error is None


def test_on_real_data_a_fit_starts_from_the_last_solution(race, monkeypatch):
    other = RetrievalTask.from_set(datasets.load("sample").dictionary)
    real = dataclasses.replace(RETRIEVAL_TASKS.sources["cdr"], needs=(), origin=calling(lambda: other)())
    monkeypatch.setitem(RETRIEVAL_TASKS.sources, "cdr", real)
    starts = []
    steps = WTMF.steps

    def seen(self, X, *, start=None, **more):
        starts.append(start)
        return steps(self, X, start=start, **more)

    monkeypatch.setattr(WTMF, "steps", seen)
    race.state = {"settings": {"data": "cdr", "iterations": 3, "models": []}}
    race.wait()
    race.controls["missing_weight"].value = 0.05
    race.wait()
    assert starts[0] is None
    assert starts[1].shape == (20, other.training.shape[1])
    assert "goes on from its last solution" in race.code
    race.controls["data"].value = "sample"
    race.wait()
    assert starts[2] is None
    assert race.last_step.model.missing_weight == 0.05
    assert "goes on" not in race.code


def test_a_sweep_fills_in_and_keeps_what_it_knows(small_sweep):
    panel = small_sweep()
    step = panel.last_step
    assert step.tables["w_m"]["value"].tolist() == [0.0, 0.01, 1.0]
    assert step.tables["K"][["model", "value"]].to_numpy().tolist() == [
        ["WTMF", 5],
        ["WTMF", 10],
        ["LDA", 5],
        ["LDA", 10],
    ]
    assert step.tables["λ"]["value"].tolist() == [0.0, 5.0]
    # K = 10 with w_m = .01 and λ = 5 stands in all three curves and is fitted once.
    assert step.total == 7
    panel.controls["n_components"].value = 5
    panel.wait()
    panel.controls["n_components"].value = 10
    panel.wait()
    assert "7 of 7 fits were known" in panel.parts.status.value
    assert panel.last_step.tables["w_m"].equals(step.tables["w_m"])


@pytest.mark.parametrize(("failing", "count"), [((LDAVectors,), 2), ((LDAVectors, WTMF), 7)])
def test_a_sweep_with_cells_that_fail_says_so_and_draws_the_others(small_sweep, monkeypatch, failing, count):
    def fail(*_, **__):
        raise ValueError("no fit today")
        yield

    for model in failing:
        monkeypatch.setattr(model, "steps", fail)
    panel = small_sweep(fails=True)
    with pytest.raises(SweepFailed, match=f"{count} of 7 cells failed"):
        panel.wait()
    assert isinstance(panel.error, SweepFailed)
    assert "This did not work." in panel.parts.status.value
    assert "no fit today" in panel.parts.status.value
    assert panel.drawing.drawn is panel.drawing.last, "the last step is drawn"
    lines = {trace.name for trace in panel.figures["figure"].figure.data if trace.mode == "lines+markers"}
    assert lines == ({"WTMF"} if WTMF not in failing else set())
    panel.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "show", [first_curve, missing_words, retrieval_race, retrieval_sweep, sentence_pairs, weight_path, your_sentences]
)
@pytest.mark.filterwarnings("default::semwork.similarity.solver.SingularSystemWarning")
def test_a_penalty_of_zero_can_be_chosen_in_every_panel_that_has_one(show):
    """λ = 0 is that of the paper's model 5."""
    panel = show()
    panel.stop()
    panel.controls["regularization"].value = 0.0
    panel.stop()
    fewer = {"n_components": 5, "seeds": 1, "lda_sweeps": 50}
    panel.state = {"settings": {name: value for name, value in fewer.items() if name in panel.controls}}
    panel.wait(120)
    assert panel.error is None
    assert panel.settings["regularization"] == 0
    assert panel.last_step.done == panel.last_step.total
    panel.close()


def test_the_papers_points_can_be_shown_and_the_code_gives_the_same(small_sweep):
    panel = small_sweep()
    before = panel.last_step
    panel.controls["paper"].value = True
    assert any("paper" in trace.name for trace in panel.figures["figure"].figure.data)
    assert panel.last_step is before
    scope: dict[str, object] = {}
    exec(panel.code, scope)
    for symbol, table in before.tables.items():
        assert len(table)
        assert scope["end"].tables[symbol].equals(table)


@pytest.mark.slow
def test_a_sweep_can_be_stopped_and_goes_on(small_sweep):
    panel = small_sweep()
    panel.controls["seeds"].value = 10
    panel.stop()
    panel.wait()
    known = len(panel.last_step.tables["w_m"])
    assert known < 30
    panel.run()
    panel.wait(120)
    assert len(panel.last_step.tables["w_m"]) == 30


def test_a_default_panel_offers_glove_only_where_it_is(monkeypatch):
    monkeypatch.setattr(datasets, "available", lambda name: name == "glove")
    monkeypatch.setattr(WTMF, "steps", lambda self, X, **_: iter(()))
    with_glove = retrieval_race()
    monkeypatch.setattr(datasets, "available", lambda name: False)
    without = retrieval_race()
    for panel, offered in ((with_glove, True), (without, False)):
        panel.stop()
        assert ("GloVe average" in panel.controls["models"].options) is offered
        assert "GloVe average" not in panel.controls["models"].value
        panel.close()

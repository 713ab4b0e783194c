"""The panels of lesson 03 without a browser."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import DataNotAvailable, load
from semwork.evaluation import at_threshold, best_threshold
from semwork.studies import FittedStep, PairAgreement, PairSettings, WalkStep, WeightWalk, training_corpus
from semwork.studies.pair_sets import LABELLED_PAIRS
from semwork.studies.training import TRAINING_TEXTS
from semwork_widgets import paraphrase_threshold, sentence_pairs, weight_path, your_sentences
from semwork_widgets.live_figure import Point


@pytest.fixture
def open_panel():
    opened = []

    def make(function, **options):
        panel = function(**options)
        opened.append(panel)
        panel.wait()
        return panel

    yield make
    for panel in opened:
        panel.close()


def drawn(panel, name="figure"):
    return panel.figures[name].figure


def clicked(**values):
    return Point(**{"trace": 0, "index": 0, "name": None, "x": 0, "y": 0, "z": None, "customdata": None, **values})


def run_code(panel, capsys):
    capsys.readouterr()
    scope: dict[str, object] = {}
    exec(panel.code, scope)
    return capsys.readouterr().out, scope


def printed(table):
    return table.round(4).to_string(index=False) + "\n"


# --- people and model -----------------------------------------------------------------------------------------


def test_pairs_follow_the_model_and_the_code_says_the_same(open_panel, capsys):
    panel = open_panel(sentence_pairs)
    learnt = panel.last_step
    assert len(learnt.predicted) == len(load("sample").pairs)
    out, scope = run_code(panel, capsys)
    assert out == printed(panel.study().table(learnt))
    assert f"{learnt.pearson:.4f}" in out.splitlines()[1]
    assert list(scope["figures"][0].data[0].y) == pytest.approx(list(drawn(panel, "agreement").data[0].y))
    panel.controls["model"].value = "words only"
    panel.wait()
    assert panel.last_step.pearson < learnt.pearson - 0.1, "shared words alone are not enough here"
    assert "model='words only'" in panel.code


@pytest.mark.parametrize("model", ["LSA", "LDA"])
def test_other_models_can_be_chosen(open_panel, capsys, model):
    panel = open_panel(sentence_pairs)
    panel.controls["model"].value = model
    panel.wait()
    assert panel.last_step.pearson > 0
    assert run_code(panel, capsys)[0] == printed(panel.study().table(panel.last_step))


def test_a_click_explains_a_pair_without_a_new_fit(open_panel):
    panel = open_panel(sentence_pairs)
    fitted = panel.last_step
    panel.figures["agreement"]._dispatch({"name": "plotly_click", "points": [vars(clicked(customdata=100))]})
    assert panel.controls["pair"].value == 100
    assert panel.last_step is fitted
    words = drawn(panel, "words")
    pair = load("sample").pairs
    assert words.layout.title.text.startswith(f"Pair 100: people {pair.scores[100]:g}")
    shown = [name.strip("()") for name in words.layout.xaxis.ticktext]
    assert shown == re.findall(r"\w+", pair.left[100].lower())
    assert drawn(panel, "agreement").data[-1].name == "pair 100"
    panel.figures["agreement"]._dispatch({"name": "plotly_click", "points": [vars(clicked())]})
    assert panel.controls["pair"].value == 100, "the line has no pair"


def test_the_worst_pairs_can_be_clicked_too(open_panel):
    panel = open_panel(sentence_pairs)
    dots = next(trace for trace in drawn(panel, "worst pairs").data if trace.name == "model")
    point = clicked(customdata=int(dots.customdata[0]))
    panel.figures["worst pairs"]._dispatch({"name": "plotly_click", "points": [vars(point)]})
    assert panel.controls["pair"].value == dots.customdata[0]


def test_a_pair_that_comes_often_is_among_the_worst_once():
    pairs, corpus = load("sample").pairs, training_corpus("sample")
    *_, step = PairAgreement(pairs, corpus).steps(PairSettings())
    worst = int(PairAgreement(pairs, corpus).worst(step).worst["pair"].iloc[0])
    rows = np.append(np.arange(len(pairs)), [worst] * 9)
    often = dataclasses.replace(
        pairs,
        left=[pairs.left[row] for row in rows],
        right=[pairs.right[row] for row in rows],
        scores=pairs.scores[rows],
        split=pairs.split[rows],
        group=pairs.group[rows],
    )
    more = dataclasses.replace(step, predicted=step.predicted[rows])
    shown = PairAgreement(often, corpus).worst(more).worst["pair"].tolist()
    assert len(shown) == 6
    assert len({(often.left[row], often.right[row]) for row in shown}) == 6


def test_code_for_large_data_says_that_the_panel_starts_elsewhere(open_panel):
    panel = open_panel(sentence_pairs)
    for training, expected in (("WordNet + Brown", 1), ("sample", 0)):
        code = panel._code_of(**{**panel.settings, "training": training})
        assert code.count("last solution") == expected
        compile(code, "code", "exec")


def test_a_number_beyond_the_last_pair_means_the_last(open_panel):
    panel = open_panel(sentence_pairs)
    panel.controls["pair"].value = 5000
    assert drawn(panel, "words").layout.title.text.startswith("Pair 179:")


def test_missing_data_say_how_to_get_them(open_panel, monkeypatch):
    panel = open_panel(sentence_pairs)
    monkeypatch.setattr("semwork.studies.study.available", lambda name: False)
    panel.controls["data"].value = "LI06"
    with pytest.raises(DataNotAvailable):
        panel.wait()
    assert "semwork data fetch li06" in panel.parts.status.value


def test_a_large_refit_starts_from_the_last_solution(open_panel, monkeypatch):
    large = dataclasses.replace(TRAINING_TEXTS.sources["sample"], warm_start=True)
    monkeypatch.setitem(TRAINING_TEXTS.sources, "WordNet + Brown", large)
    panel = open_panel(sentence_pairs)
    panel.controls["training"].value = "WordNet + Brown"
    panel.wait()
    cold = panel.last_step.model.objective_path_
    panel.run()
    panel.wait()
    assert panel.last_step.model.objective_path_[0] < cold[2], "the first iteration is as good as a late one"


def test_an_earlier_step_keeps_its_own_model():
    steps = PairAgreement.on().steps(PairSettings(n_components=5))
    first = next(steps)
    assert isinstance(first, FittedStep)
    before = first.model.components_.copy()
    next(steps)
    np.testing.assert_array_equal(first.model.components_, before)


# --- along w_m ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_walk_peaks_in_the_middle_and_the_measure_is_drawn_without_a_new_fit(open_panel, capsys):
    panel = open_panel(weight_path)
    own = next(trace for trace in drawn(panel).data if trace.name == "sample")
    best = int(np.argmax(own.y))
    assert own.y[best] > max(own.y[0], own.y[-1]) + 0.2
    assert 0 < best < len(own.y) - 1
    fitted = panel.last_step
    panel.controls["measure"].value = "Spearman ρ"
    assert panel.last_step is fitted
    assert "ρ" in drawn(panel).layout.yaxis.title.text
    out, scope = run_code(panel, capsys)
    assert out == printed(panel.study().table(fitted))
    ranks = next(trace for trace in drawn(panel).data if trace.name == "sample")
    again = next(trace for trace in scope["figures"][0].data if trace.name == "sample")
    assert list(again.y) == pytest.approx(list(ranks.y))


def test_li06_is_drawn_with_the_values_of_the_paper():
    fits = pd.DataFrame({"set": ["x"], "missing_weight": [0.01], "seed": [0], "pearson": [0.9], "spearman": [0.91]})
    step = WalkStep(done=1, fits=fits)
    pairs, corpus = load("sample").pairs, training_corpus("sample")
    study = WeightWalk(dataclasses.replace(pairs, name="li06"), corpus)
    for measure, paper, mean in (("Pearson r", 0.8984, 0.9), ("Spearman ρ", 0.9091, 0.91)):
        found = study.walk(step, measure)
        assert found.paper[0.01] == paper
        assert found.correlations["mean"].tolist() == [mean]
    assert WeightWalk(pairs, corpus).walk(step).paper == {}


# --- the threshold ----------------------------------------------------------------------------------------------


SPLITS = {"test": "test", "training": "train"}


def line(panel):
    shape = drawn(panel).layout.shapes[0]
    assert shape.x0 == shape.x1
    return shape.x0


def reached(panel, threshold, split="test"):
    pairs = LABELLED_PAIRS.sources["sample"].make()
    rows = pairs.split == split
    return at_threshold(panel.last_step.predicted[rows], pairs.scores[rows], threshold)


def test_the_line_starts_at_the_threshold_learnt_on_training_pairs(open_panel, capsys):
    panel = open_panel(paraphrase_threshold)
    step = panel.last_step
    pairs = load("sample").paraphrases
    train = pairs.split == "train"
    learnt = best_threshold(step.predicted[train], pairs.scores[train])
    assert line(panel) == learnt
    assert panel.controls["threshold"].value == round(learnt, 3)
    assert f"accuracy {reached(panel, learnt).accuracy:.1%}" in drawn(panel).layout.title.text
    assert run_code(panel, capsys)[0] == printed(panel.study().table(step))
    rows = panel.study().table(step).set_index("pairs").to_dict("index")
    assert rows == {f"{split} pairs": vars(reached(panel, learnt, name)) for split, name in SPLITS.items()}
    panel.controls["missing_weight"].value = 0.5
    panel.wait()
    assert line(panel) == panel.last_step.learnt != learnt
    assert panel.controls["follow"].value


def test_a_dragged_line_moves_the_slider_and_the_accuracy_without_a_new_fit(open_panel, capsys):
    panel = open_panel(paraphrase_threshold)
    fitted = panel.last_step
    panel.figures["figure"]._dispatch(
        {"name": "plotly_relayout", "changes": {"shapes[0].x0": 0.31, "shapes[0].x1": 0.31}}
    )
    assert panel.last_step is fitted
    assert (line(panel), panel.controls["threshold"].value) == (0.31, 0.31)
    assert not panel.controls["follow"].value
    assert f"accuracy {reached(panel, 0.31).accuracy:.1%}" in drawn(panel).layout.title.text
    assert f"accuracy {reached(panel, 0.31).accuracy:.1%}" in run_code(panel, capsys)[1]["figures"][0].layout.title.text
    panel.dragged({"shapes[0].x1": 0.8})  # only the upper end: the line was turned
    assert line(panel) == 0.8
    panel.dragged({"shapes[0].x0": 3.0, "shapes[0].x1": 3.0})
    assert line(panel) == 1.0
    panel.dragged({"xaxis.range[0]": 0.2})
    assert line(panel) == 1.0, "a zoom is no drag"
    panel.controls["seed"].value = 1
    panel.wait()
    assert line(panel) == 1.0, "a refit leaves the reader's line alone"
    panel.controls["follow"].value = True
    assert line(panel) == panel.last_step.learnt


def test_the_slider_moves_the_line_and_the_training_pairs_can_be_shown(open_panel):
    panel = open_panel(paraphrase_threshold)
    panel.controls["threshold"].value = 0.4
    assert line(panel) == 0.4
    assert not panel.controls["follow"].value
    panel.controls["shown"].value = "training pairs"
    assert drawn(panel).layout.title.text.startswith(
        f"Training pairs: accuracy {reached(panel, 0.4, 'train').accuracy:.1%}"
    )
    kept = panel.state
    panel.controls["threshold"].value = 0.9
    panel.state = kept
    panel.wait()
    assert line(panel) == 0.4


def test_the_echo_of_a_browser_is_no_move(open_panel):
    panel = open_panel(paraphrase_threshold)
    first = panel.controls["threshold"].value
    panel.controls["missing_weight"].value = 0.5
    panel.wait()
    assert abs(panel.controls["threshold"].value - first) > 0.01
    panel.controls["threshold"].value = first + 1e-9  # a late answer to what was sent before
    assert panel.controls["follow"].value
    assert line(panel) == panel.last_step.learnt


# --- your own sentences -----------------------------------------------------------------------------------------


@pytest.fixture
def no_glove(monkeypatch):
    monkeypatch.setattr("semwork.similarity.catalogue.available", lambda name: name != "glove")


def test_typing_compares_under_every_model_without_a_new_fit(open_panel, no_glove, capsys):
    panel = open_panel(your_sentences, left="The nurse helps.", right="The nurse helps.")
    fitted = panel.last_step
    bars = drawn(panel, "models").data[0]
    assert list(bars.y) == ["WTMF", "words only", "LSA", "LDA"]
    assert list(bars.x) == pytest.approx([1] * 4, abs=1e-6)
    panel.controls["right"].value = "A zebrafish sings a song."
    assert panel.last_step is fitted
    bars = drawn(panel, "models").data[0]
    assert bars.x[1] == pytest.approx(0, abs=0.05)
    words = drawn(panel, "words")
    assert "Word by word with WTMF: zebrafish unknown" in words.layout.title.text
    assert "(zebrafish)" in list(words.layout.xaxis.ticktext)
    rows = [row.split() for row in run_code(panel, capsys)[0].splitlines()[1:]]
    assert [float(row[-1]) for row in rows] == pytest.approx(list(bars.x), abs=1e-3)


def test_a_new_weight_fits_wtmf_alone(open_panel, no_glove):
    panel = open_panel(your_sentences)
    before = panel.last_step.models
    panel.controls["missing_weight"].value = 0.2
    panel.wait()
    after = panel.last_step.models
    assert after["LDA"] is before["LDA"]
    assert after["WTMF"] is not before["WTMF"]


def test_nothing_typed_is_similar_to_nothing(open_panel, no_glove):
    panel = open_panel(your_sentences)
    panel.controls["left"].value = ""
    panel.controls["matched"].value = "words only"
    assert list(drawn(panel, "models").data[0].x) == [0] * 4
    assert panel.error is None


@pytest.mark.data("glove")
def test_word_averages_join_when_their_vectors_are_here(open_panel):
    panel = open_panel(your_sentences)
    assert "GloVe average" in panel.last_step.models

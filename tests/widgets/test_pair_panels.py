"""The panels of lesson 03 without a browser."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from semwork import datasets
from semwork.datasets import DataNotAvailable, load
from semwork.evaluation import at_threshold, best_threshold
from widgets import paraphrase_threshold, sentence_pairs, weight_path, your_sentences
from widgets.live_figure import Point
from widgets.similarity import pairs as module


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


# --- people and model -----------------------------------------------------------------------------------------


def test_pairs_follow_the_model_and_the_code_says_the_same(open_panel, capsys):
    panel = open_panel(sentence_pairs)
    learnt = panel.last_step
    assert len(learnt.predicted) == len(load("sample").pairs)
    out, scope = run_code(panel, capsys)
    assert out == f"r {learnt.pearson:.4f}, rho {learnt.spearman:.4f}\n"
    assert list(scope["figures"][0].data[0].y) == pytest.approx(list(drawn(panel, "agreement").data[0].y))
    panel.controls["model"].value = "TF-IDF"
    panel.wait()
    assert panel.last_step.pearson < learnt.pearson - 0.1, "shared words alone are not enough here"
    assert "TfidfCosine()" in panel.code


@pytest.mark.parametrize("model", ["LSA", "LDA"])
def test_other_models_can_be_chosen(open_panel, capsys, model):
    panel = open_panel(sentence_pairs)
    panel.controls["model"].value = model
    panel.wait()
    assert panel.last_step.pearson > 0
    assert run_code(panel, capsys)[0].startswith(f"r {panel.last_step.pearson:.4f}")


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


def test_a_pair_that_comes_often_is_among_the_worst_once(open_panel):
    panel = open_panel(sentence_pairs)
    step = panel.last_step
    pairs = step.task.pairs
    worst = int(next(trace for trace in drawn(panel, "worst pairs").data if trace.name == "model").customdata[0])
    rows = np.append(np.arange(len(pairs)), [worst] * 9)
    often = dataclasses.replace(
        pairs,
        left=[pairs.left[row] for row in rows],
        right=[pairs.right[row] for row in rows],
        scores=pairs.scores[rows],
        split=pairs.split[rows],
        group=pairs.group[rows],
    )
    more = dataclasses.replace(step, task=step.task.with_pairs(often), predicted=step.predicted[rows])
    shown = next(trace for trace in module._worst(more, 0).data if trace.name == "model").customdata
    assert len(shown) == 6
    assert len({(often.left[row], often.right[row]) for row in shown}) == 6


def test_code_for_large_data_says_that_the_panel_starts_elsewhere():
    settings = {"missing_weight": 0.01, "regularization": 5.0, "n_components": 20, "seed": 0, "pair": 0}
    for training, model, expected in (
        ("WordNet + Brown", "WTMF", 1),
        ("WordNet + Brown", "LSA", 0),
        ("sample", "WTMF", 0),
    ):
        code = module._pairs_code("LI06", training=training, model=model, **settings)
        assert code.count("last solution") == expected
        compile(code, "code", "exec")


def test_a_number_beyond_the_last_pair_means_the_last(open_panel):
    panel = open_panel(sentence_pairs)
    panel.controls["pair"].value = 5000
    assert drawn(panel, "words").layout.title.text.startswith("Pair 179:")


def test_missing_data_say_how_to_get_them(open_panel, monkeypatch):
    panel = open_panel(sentence_pairs)

    def nothing(name):
        raise DataNotAvailable(f"{name} is not here; put it there")

    monkeypatch.setattr(module, "load", nothing)
    module._task.cache_clear()
    panel.controls["data"].value = "LI06"
    with pytest.raises(DataNotAvailable):
        panel.wait()
    assert "li06 is not here; put it there" in panel._status.value


def test_a_large_refit_starts_from_the_last_solution(open_panel, monkeypatch):
    texts = module.training_texts("sample")
    monkeypatch.setattr(module, "training_texts", lambda name: texts)
    monkeypatch.setattr(module, "_warm", module.controls.WarmStarts())
    module._corpus.cache_clear()
    module._task.cache_clear()
    panel = open_panel(sentence_pairs)
    panel.controls["training"].value = "WordNet + Brown"
    panel.wait()
    cold = panel.last_step.model.objective_path_
    assert len(cold) == 20, "as many iterations as the paper"
    panel.run()
    panel.wait()
    assert panel.last_step.model.objective_path_[0] < cold[2], "the first iteration is as good as a late one"
    module._corpus.cache_clear()
    module._task.cache_clear()


def test_an_earlier_step_keeps_its_own_model():
    steps = module._pairs_steps(
        "sample",
        training="sample",
        model="WTMF",
        missing_weight=0.01,
        regularization=5.0,
        n_components=5,
        seed=0,
    )
    first = next(steps)
    before = first.model.components_.copy()
    next(steps)
    np.testing.assert_array_equal(first.model.components_, before)


# --- along w_m ------------------------------------------------------------------------------------------------


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
    assert out.startswith("best: w_m = ")
    ranks = next(trace for trace in drawn(panel).data if trace.name == "sample")
    again = next(trace for trace in scope["figure"].data if trace.name == "sample")
    assert list(again.y) == pytest.approx(list(ranks.y))


def test_li06_is_drawn_with_the_values_of_the_paper():
    fit = module.WeightStep(done=1, missing_weight=0.01, seed=0, pearson={"LI06": 0.9}, spearman={"LI06": 0.91})
    step = module.WalkStep(done=1, data="LI06", fits=(fit,))
    for measure, value in (("Pearson r", 0.8984), ("Spearman ρ", 0.9091)):
        paper = module._walk_picture(step, measure).data[-1]
        assert value in list(paper.y)
    other = module._walk_picture(module.WalkStep(done=1, data="sample", fits=(fit,)), "Pearson r")
    assert [trace.name for trace in other.data] == ["LI06"]


# --- the threshold ----------------------------------------------------------------------------------------------


def line(panel):
    shape = drawn(panel).layout.shapes[0]
    assert shape.x0 == shape.x1
    return shape.x0


def reached(panel, threshold, split="test"):
    step = panel.last_step
    rows = step.task.pairs.split == split
    return at_threshold(step.predicted[rows], step.task.pairs.scores[rows], threshold)


def test_the_line_starts_at_the_threshold_learnt_on_training_pairs(open_panel, capsys):
    panel = open_panel(paraphrase_threshold)
    step = panel.last_step
    train = step.task.pairs.split == "train"
    learnt = best_threshold(step.predicted[train], step.task.pairs.scores[train])
    assert line(panel) == learnt
    assert panel.controls["threshold"].value == round(learnt, 3)
    assert f"accuracy {reached(panel, learnt).accuracy:.1%}" in drawn(panel).layout.title.text
    assert run_code(panel, capsys)[0] == f"{reached(panel, learnt)}\n"
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
    assert run_code(panel, capsys)[0] == f"{reached(panel, 0.31)}\n"
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
    monkeypatch.setattr(datasets, "available", lambda name: name != "glove")


def test_typing_compares_under_every_model_without_a_new_fit(open_panel, no_glove, capsys):
    panel = open_panel(your_sentences, left="The nurse helps.", right="The nurse helps.")
    fitted = panel.last_step
    bars = drawn(panel, "models").data[0]
    assert list(bars.y) == ["WTMF", "TF-IDF", "LSA", "LDA"]
    assert list(bars.x) == pytest.approx([1] * 4, abs=1e-6)
    panel.controls["right"].value = "A zebrafish sings a song."
    assert panel.last_step is fitted
    bars = drawn(panel, "models").data[0]
    assert bars.x[1] == pytest.approx(0, abs=0.05)
    words = drawn(panel, "words")
    assert "unknown to WTMF: zebrafish" in words.layout.title.text
    assert "(zebrafish)" in list(words.layout.xaxis.ticktext)
    printed = dict(row.split(": ") for row in run_code(panel, capsys)[0].splitlines())
    assert [float(value) for value in printed.values()] == pytest.approx(list(bars.x), abs=1e-3)


def test_a_new_weight_fits_wtmf_alone(open_panel, no_glove):
    panel = open_panel(your_sentences)
    before = panel.last_step.spaces
    panel.controls["missing_weight"].value = 0.2
    panel.wait()
    after = panel.last_step.spaces
    assert after["LDA"].model is before["LDA"].model
    assert after["WTMF"].model is not before["WTMF"].model


def test_nothing_typed_is_similar_to_nothing(open_panel, no_glove):
    panel = open_panel(your_sentences)
    panel.controls["left"].value = ""
    panel.controls["matched"].value = "TF-IDF"
    assert list(drawn(panel, "models").data[0].x) == [0] * 4
    assert panel.error is None


@pytest.mark.data("glove")
def test_word_averages_join_when_their_vectors_are_here(open_panel):
    panel = open_panel(your_sentences)
    assert "GloVe average" in panel.last_step.spaces

"""The panel of semantic kernels, without a browser."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from semwork.kernels.documents import document_set
from semwork.studies.document_sets import LABELLED_DOCUMENTS
from semwork.studies.origin import Origin
from semwork_widgets import semantic_kernels
from semwork_widgets.live_figure import Point


@pytest.fixture
def panel():
    made = semantic_kernels()
    made.wait()
    yield made
    made.close()


def clicked(panel, figure, customdata):
    for handler in panel.figures[figure]._handlers["plotly_click"]:
        handler([Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=customdata)])


def drawn(panel, figure, name):
    return next(trace for trace in panel.figures[figure].figure.data if trace.name.startswith(name))


def test_the_first_picture_teaches_something(panel):
    step = panel.last_step
    assert (step.kind, step.target) == ("exponential", "space")
    # The alignment triples on its way to the best decay; the ranking of the classifier does not improve.
    assert step.optimum.alignment > 2.5 * step.curve["alignment"].iloc[0]
    test = step.scores[step.scores["part"] == "test"].set_index("relative decay")
    near = test.index[(abs(test.index - step.optimum.decay * step.largest)).argmin()]
    assert test.loc[near, "average_precision"] < test.loc[0, "average_precision"]
    assert test.loc[near, "f1"] > test.loc[0, "f1"]


def test_a_decay_moves_the_mark_and_trains_nothing_again(panel, monkeypatch):
    scores = panel.last_step.scores
    monkeypatch.setattr("semwork.studies.class_kernels.SVC", None)
    panel.controls["relative_decay"].value = 6
    panel.wait()
    assert panel.last_step.decay * panel.last_step.largest == pytest.approx(6)
    assert panel.last_step.scores.equals(scores)
    [now] = panel.figures["alignment"].figure.layout.annotations
    assert now.text.startswith("now: λ‖K‖ = 6,")
    assert "alignment" in panel.parts.status.value


def test_a_von_neumann_decay_from_1_on_is_refused_in_words_and_the_panel_goes_on(panel):
    panel.controls["kind"].value = "von_neumann"
    with pytest.raises(ValueError, match="below 1/‖K‖"):
        panel.wait()
    assert "λ‖K‖ must be below 1, got 2" in panel.parts.status.value
    panel.controls["relative_decay"].value = 0.9
    panel.wait()
    assert panel.error is None
    assert panel.last_step.kind == "von_neumann"
    assert drawn(panel, "alignment", "not allowed")


def test_views_draw_again_and_compute_nothing(panel):
    step = panel.last_step
    titles = []
    for name in ("classifier", "spectrum", "texts", "words"):
        panel.controls["look_at"].value = name
        titles.append(panel.figures["second"].figure.layout.title.text)
    assert "SVM" in titles[0]
    assert "first eigenvector" in titles[1]
    assert "inside space" in titles[2]
    assert f"“{panel.study().kernels(step).words(1)[0]}”" in titles[3]
    share = f"{step.spectrum['share'].iloc[0]:.0%} of it is the first"
    assert share in panel.figures["alignment"].figure.layout.title.text
    panel.controls["centered"].value = True
    assert f"{step.centered_optimum.alignment:.3f}" in drawn(panel, "alignment", "best").name
    assert share not in panel.figures["alignment"].figure.layout.title.text
    panel.controls["look_at"].value = "classifier"
    assert drawn(panel, "second", "best centred alignment")
    assert panel.last_step is step


def test_a_word_can_be_typed_and_an_unknown_one_is_said(panel):
    panel.controls["look_at"].value = "words"
    step = panel.last_step
    panel.controls["word"].value = "telescopes"
    assert "“telescop”" in panel.figures["second"].figure.layout.title.text
    panel.controls["word"].value = "zyzzyva"
    assert "try star" in panel.figures["second"].figure.layout.title.text.replace("<br>", " ")
    assert "# the training documents do not have the word 'zyzzyva'" in panel.code
    assert panel.error is None
    assert panel.last_step is step, "a word is a question: nothing is computed anew"


def test_other_data_bring_their_classes_and_one_run(panel, monkeypatch):
    asked = []

    def not_here(name, *_):
        asked.append(name)
        raise ValueError("not here")

    panel.controls["word"].value = "telescope"
    medline = LABELLED_DOCUMENTS.sources["medline"]
    instead = replace(medline, origin=Origin(lambda: not_here("medline"), ""), needs=())
    monkeypatch.setitem(LABELLED_DOCUMENTS.sources, "medline", instead)
    panel.controls["data"].value = "medline"
    with pytest.raises(ValueError, match="not here"):
        panel.wait()
    assert asked == ["medline"]
    assert panel.controls["word"].value == "", "a word of the sample"
    assert panel.controls["target"].options == tuple(f"query {number}" for number in range(1, 31))
    assert panel.controls["target"].value == "query 20"
    assert panel.live
    panel.controls["target"].value = "query 3"
    with pytest.raises(ValueError, match="not here"):
        panel.wait()
    assert asked == ["medline"] * 2
    sample = document_set("sample", 60)
    made = replace(sample, classes={f"query {number}": sample.target("space") > 0 for number in range(1, 31)})
    monkeypatch.setitem(LABELLED_DOCUMENTS.sources, "medline", replace(instead, origin=Origin(lambda: made, "")))
    panel.run()
    panel.wait()
    assert panel.last_step.target == "query 3", "the class that was chosen while nothing could be had"
    panel.controls["data"].value = "sample"
    panel.wait()
    assert (panel.controls["target"].value, panel.last_step.target) == ("space", "space")


def test_a_click_on_the_curve_goes_to_the_nearest_round_decay(panel):
    clicked(panel, "alignment", [1.4, 5.8])
    assert panel.controls["relative_decay"].value == 6
    clicked(panel, "alignment", [0.0, 0.0])
    clicked(panel, "alignment", None)
    assert panel.controls["relative_decay"].value == 6
    panel.controls["relative_decay"].value = 0.5
    panel.controls["kind"].value = "von_neumann"
    clicked(panel, "alignment", [0.25, 0.9999])
    assert panel.controls["relative_decay"].value == 0.999
    panel.wait()


def test_a_state_with_data_and_class_is_restored(panel):
    state = json.loads(json.dumps(panel.state))
    state["settings"].update(target="money", share=0.2, relative_decay=0.5, kind="von_neumann", centered=True)
    panel.state = state
    panel.wait()
    assert panel.last_step.target == "money"
    assert len(panel.study().kernels(panel.last_step).train) == 80
    assert panel.state["settings"] == state["settings"]


@pytest.mark.parametrize("second", ["classifier", "spectrum", "texts", "words"])
def test_the_code_gives_the_same_numbers(panel, second, capsys):
    panel.controls["look_at"].value = second
    panel.state = {"settings": {"class_weight": "plain", "C": 0.3, "word": "orbit", "relative_decay": 3}}
    panel.wait()
    names = {}
    exec(panel.code, names)
    assert names["end"].scores.equals(panel.last_step.scores)
    code, shown = names["figures"][1].data, panel.figures["second"].figure.data
    assert [one.name for one in code] == [one.name for one in shown]
    assert f"{panel.last_step.alignment:.4f}" in capsys.readouterr().out

"""The panel about missing words."""

from __future__ import annotations

import pytest

from semwork.datasets import DataNotAvailable
from semwork.similarity import WTMF
from semwork_widgets import missing_words
from semwork_widgets.live_figure import Point


def point(customdata):
    return Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=customdata)


@pytest.fixture
def panel():
    made = missing_words()
    made.wait()
    yield made
    made.close()


def winner(panel):
    table = panel.last_step.candidates
    return table[table["wins"]]["candidate"].item()


def test_the_winner_changes_with_the_weight(panel):
    assert panel.last_step.entry.headword == "website"
    assert winner(panel) == "v3"
    for weight, expected in ((0.0, "v1"), (1.0, "v2"), (0.005, "v3")):
        panel.controls["missing_weight"].value = weight
        panel.wait()
        assert panel.last_step.weight == weight
        assert winner(panel) == expected
        shown = [trace for trace in panel.figures["hypotheses"].figure.data if trace.text]
        assert [t.name for t in shown if "wins</b>" in t.text[0]] == [expected]


def test_missing_words_that_do_not_count_are_all_predicted(panel):
    """At w_m = 0 nothing holds the missing words back."""
    before = panel.last_step
    panel.controls["missing_weight"].value = 0.0
    panel.wait()
    after = panel.last_step
    assert after.model_vector["R_m"].item() > 4 * before.model_vector["R_m"].item()
    assert after.headword_rank > before.headword_rank


def test_another_sentence_needs_no_other_fit(panel, monkeypatch):
    def never(*_, **__):
        raise AssertionError("a fit for another sentence")

    monkeypatch.setattr(WTMF, "steps", never)
    panel.controls["definition"].value = "loan"
    panel.wait()
    assert panel.last_step.entry.name == "loan 1"
    panel.controls["sense"].value = 2
    panel.wait()
    assert panel.last_step.entry.name == "loan 2"
    assert "sense 2 of 2" in panel.last_step.message
    panel.controls["definition"].value = "judge"
    panel.wait()
    assert (panel.last_step.entry.name, panel.controls["sense"].value) == ("judge 1", 1)
    panel.controls["definition"].value = "a cook who bakes bread in an oven"
    panel.wait()
    assert panel.last_step.entry.name == "your sentence"
    assert "your sentence" in panel.figures["words"].figure.layout.title.text


def test_another_dictionary_begins_with_the_first_sense_and_wordnet_with_that_of_table_1(panel, monkeypatch):
    monkeypatch.setattr(panel, "live", False)
    data, definition, sense = (panel.controls[name] for name in ("data", "definition", "sense"))
    definition.value = "bank"
    data.value = "WordNet"
    assert sense.value == 4, "the institution, not the river bank"
    sense.value = 7
    data.value = "sample"
    assert sense.value == 1, "the sample has one bank"
    data.value, definition.value = "WordNet", "loan"
    assert sense.value == 1
    definition.value = "Bank"
    assert sense.value == 4


def test_a_state_keeps_the_sense_of_another_dictionary(panel, monkeypatch):
    monkeypatch.setattr(panel, "live", False)
    panel.controls["definition"].value = "bank"
    panel.controls["data"].value = "WordNet"
    panel.controls["sense"].value = 7
    kept = panel.state
    panel.controls["data"].value = "sample"
    panel.state = kept
    assert panel.settings["data"] == "WordNet"
    assert panel.settings["sense"] == 7


def test_a_sentence_without_known_words_is_refused_in_words(panel):
    panel.controls["definition"].value = "qwertz"
    with pytest.raises(ValueError, match="knows no word"):
        panel.wait()
    assert "knows no word" in panel.parts.status.value
    panel.controls["definition"].value = "fog"
    panel.wait()
    assert panel.error is None


def test_clicks_choose_a_definition_and_a_weight(panel):
    near = panel.last_step.definitions.iloc[0]
    bars = panel.figures["neighbours"].figure.data[1]
    panel.figures["neighbours"]._dispatch({"name": "plotly_click", "points": [vars(point(list(bars.customdata[0])))]})
    panel.wait()
    assert panel.controls["definition"].value == near["headword"]
    assert panel.last_step.entry.text == near["text"]
    panel.figures["hypotheses"]._dispatch({"name": "plotly_click", "points": [vars(point(0.2))]})
    panel.wait()
    assert panel.controls["missing_weight"].value == panel.last_step.weight == 0.2
    panel.figures["hypotheses"]._dispatch({"name": "plotly_click", "points": [vars(point(None))]})
    panel.wait()
    assert panel.last_step.weight == 0.2
    assert not panel.job.errors


def test_the_code_of_the_panel_gives_the_same_table(panel, capsys):
    panel.state = {"settings": {"definition": "loan", "sense": 2, "measure": "fit", "n_components": 10}}
    panel.wait()
    scope: dict[str, object] = {}
    exec(panel.code, scope)
    assert capsys.readouterr().out == panel.last_step.candidates.round(4).to_string(index=False) + "\n"
    for drawn, live in zip(scope["figures"], panel.figures.values(), strict=True):
        assert drawn.data == live.figure.data
    real = panel._code_of(**{**panel.settings, "data": "WordNet"})
    assert "Glossary.from_dictionary(load('wordnet'))" in real
    assert "last solution" in real


def test_the_state_comes_back_with_its_sense(panel):
    panel.controls["definition"].value = "loan"
    panel.controls["sense"].value = 2
    panel.wait()
    state = panel.state
    other = missing_words()
    other.state = state
    other.wait()
    assert other.state == state
    assert other.last_step.entry.text == panel.last_step.entry.text
    other.close()


def test_absent_data_are_asked_for_by_name(panel, monkeypatch):
    monkeypatch.setattr("semwork.studies.study.available", lambda name: False)
    panel.controls["data"].value = "WordNet"
    with pytest.raises(DataNotAvailable):
        panel.wait()
    assert "semwork data fetch wordnet" in panel.parts.status.value


def test_the_headwords_of_the_data_are_offered(panel):
    assert "mulch" in panel.controls["definition"].options


@pytest.mark.data("wordnet")
@pytest.mark.slow
def test_wordnet_is_fitted_iteration_by_iteration_and_starts_where_it_was(panel, monkeypatch):
    seen = []
    draw = panel._picture
    monkeypatch.setattr(
        panel, "_picture", lambda name, event, views: (seen.append(event.step), draw(name, event, views))[1]
    )
    monkeypatch.setattr(panel.drawing, "_draw", panel._picture)
    panel.controls["n_components"].value = 5
    panel.wait()
    seen.clear()
    panel.controls["data"].value = "WordNet"
    panel.wait(300)
    iterations = [step.done for step in seen if step.message.startswith("iteration")]
    assert len(iterations) > 3
    assert seen[0].message.startswith("iteration 1,")
    random_start = float(seen[0].message.split()[-1].replace(",", ""))
    seen.clear()
    panel.controls["missing_weight"].value = 0.02
    panel.wait(300)
    assert not any("fitting" in step.message for step in seen), "the hypotheses were there already"
    seen.clear()
    panel.controls["missing_weight"].value = 0.01
    panel.wait(300)
    assert float(seen[0].message.split()[-1].replace(",", "")) < random_start

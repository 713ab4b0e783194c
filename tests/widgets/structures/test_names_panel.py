"""The panel of latent alignments, without a browser."""

from __future__ import annotations

import json

import pytest

from semwork.plots import plotted_data
from semwork.studies import NameAlignments, NameSettings
from semwork_widgets import latent_alignments
from semwork_widgets.live_figure import Point


@pytest.fixture
def panel():
    """Few names: a panel of this size learns in a moment."""
    made = latent_alignments()
    made.set(training=25, share=0.02)
    made.wait()
    yield made
    made.close()


def clicked(panel, figure, customdata):
    for handler in panel.figures[figure]._handlers["plotly_click"]:
        handler([Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=customdata)])


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


def test_the_slider_follows_the_run_to_its_end(panel):
    end = len(panel.last_step.iterations) - 1
    slider = panel.controls["iteration"]
    assert end > 0
    assert (slider.max, slider.value) == (end, end)
    assert f"After iteration {end}:" in title(panel, "learning")
    assert title(panel, "alignment").startswith("Johannesburg – יוהנסבורג: score")


def test_the_slider_draws_again_and_computes_nothing(panel):
    step = panel.last_step
    before = {name: panel.figures[name].revision for name in panel.figures}
    panel.controls["iteration"].value = 0
    assert "After the start:" in title(panel, "learning")
    assert f"score {panel.study().joined(step, 'Johannesburg', 'יוהנסבורג', 0).value:+.2f}" in title(panel, "alignment")
    wrong = (step.iterations[0].ranked.places > 1).sum()
    assert title(panel, "below").startswith(f"{wrong} of 300 names")
    assert all(panel.figures[name].revision > revision for name, revision in before.items())
    assert panel.last_step is step


def test_an_own_pair_can_be_typed_and_an_unknown_name_is_said(panel):
    panel.controls["english"].value, panel.controls["foreign"].value = "Tolkien", "טולקין"
    assert title(panel, "alignment").startswith("Tolkien – טולקין: score")
    panel.controls["foreign"].value = ""
    assert "there is no “Tolkien” among these names" in title(panel, "alignment")
    assert "# there is no “Tolkien” among these names" in panel.code
    panel.state = {"settings": {"english": "Tol\nkien", "training": 25, "share": 0.02}}
    panel.wait()
    compile(panel.code, "code", "exec")
    assert "# there is no “Tol kien” among these names" in panel.code
    panel.controls["english"].value = "Tolkien"
    panel.controls["foreign"].value = "12"
    assert "has no letters" in title(panel, "alignment")
    panel.controls["english"].value, panel.controls["foreign"].value = "", ""
    assert title(panel, "alignment").startswith("Johannesburg")
    assert panel.error is None


def test_a_click_on_a_mistake_shows_it_and_one_on_a_curve_goes_there(panel):
    mistake = panel.study().mistakes(panel.last_step).mistakes.iloc[0]
    clicked(panel, "below", [mistake["english"], mistake["rival"]])
    assert title(panel, "alignment").startswith(f"{mistake['english']} – {mistake['rival']}: score")
    assert f"<b>{mistake['english']}</b>" in panel.figures["below"].figure.layout.yaxis.ticktext
    clicked(panel, "learning", 1)
    assert panel.controls["iteration"].value == 1
    clicked(panel, "learning", None)


def test_weights_can_be_looked_at(panel):
    panel.controls["look_at"].value = "weights"
    assert "largest weights" in title(panel, "below")


def test_rules_can_be_lifted_and_letters_are_joined_twice(panel):
    panel.controls["one_to_one"].value = False
    panel.wait()
    step = panel.last_step
    assert (step.settings.one_to_one, step.settings.crossing) == (False, False)
    edges = panel.study().joined(step, "Johannesburg", "יוהנסבורג").edges
    joins = edges[edges["kind"] == "joined"]
    assert joins["left"].duplicated().any() or joins["right"].duplicated().any()


def test_another_language_forgets_the_spelling(panel):
    panel.controls["english"].value, panel.controls["foreign"].value = "Tolkien", "טולקין"
    panel.controls["language"].value = "ru"
    panel.wait()
    assert panel.controls["foreign"].value == ""
    assert title(panel, "alignment").startswith("Johannesburg – Йоханнесбург")


def test_state_comes_back_even_from_a_longer_run(panel):
    panel.controls["iteration"].value = 1
    state = json.loads(json.dumps(panel.state))
    panel.controls["iteration"].value = 0
    panel.state = state
    panel.wait()
    assert panel.controls["iteration"].value == 1
    assert title(panel, "learning").startswith("After iteration 1:")
    state["settings"]["iteration"] = 25
    panel.state = state
    panel.wait()
    assert panel.controls["iteration"].value == len(panel.last_step.iterations) - 1


@pytest.mark.parametrize("look_at", ["mistakes", "weights"])
def test_the_code_gives_the_same_numbers(panel, look_at, capsys):
    panel.state = {"settings": {"look_at": look_at, "iteration": 1, "regularization": 3.0}}
    panel.wait()
    made = {}
    exec(panel.code, made)
    assert made["end"].history.equals(panel.last_step.history)
    shown = [live.figure for live in panel.figures.values()]
    for one, two in zip(made["figures"], shown, strict=True):
        assert plotted_data(one).equals(plotted_data(two))
    assert "objective" in capsys.readouterr().out


def test_a_run_can_be_stopped_between_iterations(panel, monkeypatch):
    whole = NameAlignments.steps

    def slowly(study, settings):
        for step in whole(study, settings):
            yield step
            panel.stop()

    monkeypatch.setattr(NameAlignments, "steps", slowly)
    panel.controls["seed"].value = 5
    panel.wait()
    assert "Stopped" in panel.parts.status.value
    assert len(panel.last_step.iterations) == 1
    assert panel.last_step.settings == NameSettings(training=25, share=0.02, seed=5)
    assert "After the start" in title(panel, "learning")

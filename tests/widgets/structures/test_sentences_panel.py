"""The panel of sentences, without a browser."""

from __future__ import annotations

import html
import json

import pytest

from semwork.plots import plotted_data
from semwork.studies.sentence_parts import SENTENCE_KINDS
from semwork_widgets import sentence_alignments
from semwork_widgets.live_figure import Point

DATA = [pytest.mark.data(name) for name in ("msr04", "rte", "wordnet", "en_core_web_sm")]


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


@pytest.fixture(scope="module")
def panel():
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'semwork[nlp]'")
    made = sentence_alignments()
    made.set(training=50)
    made.wait()
    yield made
    made.close()


def clicked(panel, figure, customdata):
    for handler in panel.figures[figure]._handlers["plotly_click"]:
        handler([Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=customdata)])


class TestWithData:
    pytestmark = DATA

    def test_a_click_shows_a_pair_and_an_iteration(self, panel):
        clicked(panel, "below", 4)
        assert panel.state["settings"]["pair"] == 4
        assert title(panel, "alignment").startswith("Test pair 4: score")
        clicked(panel, "learning", 0)
        assert title(panel, "learning").startswith("After the start:")

    def test_own_sentences_stand_in_front_until_a_pair_is_chosen(self, panel):
        panel.controls["left"].value = "The old dog sleeps under the tree."
        assert "type both sentences" in title(panel, "alignment")
        panel.controls["right"].value = "Under the tree an old hound is asleep."
        assert title(panel, "alignment").startswith("Your pair: score")
        words = plotted_data(panel.figures["alignment"].figure)
        assert {"dog", "hound"} <= set(words["text"].dropna())
        clicked(panel, "below", 7)
        assert title(panel, "alignment").startswith("Test pair 7")

    def test_the_slider_of_pairs_forgets_own_sentences_and_reaches_the_last_pair(self, panel):
        panel.set(left="The old dog sleeps.", right="A hound sleeps.")
        assert title(panel, "alignment").startswith("Your pair")
        assert panel.controls["pair"].max == 199
        panel.controls["pair"].value = 199
        assert title(panel, "alignment").startswith("Test pair 199: score")
        assert panel.controls["left"].value == panel.controls["right"].value == ""

    def test_weights_have_a_legend_of_their_own(self, panel):
        panel.controls["look_at"].value = "weights"
        names = {trace.name for trace in panel.figures["below"].figure.data}
        assert names == set(SENTENCE_KINDS)
        panel.controls["look_at"].value = "test pairs"
        assert "wrong side of 0" in title(panel, "below")

    def test_its_code_runs(self, panel):
        code = panel.code
        compile(code, "panel", "exec")
        assert "SentenceAlignments(sentence_task('paraphrase'))" in code
        assert "SentenceSettings(training=50, " in code
        json.dumps(panel.state)


def test_what_is_missing_is_said_in_the_picture(monkeypatch):
    monkeypatch.setattr("semwork.studies.study.available", lambda name: name not in ("msr04", "wordnet"))
    monkeypatch.setattr("semwork.studies.study.find_spec", lambda _: None)
    made = sentence_alignments()
    made.wait()
    for name in made.figures:
        said = html.unescape(title(made, name).replace("<br>", " "))
        assert "semwork data fetch msr04 wordnet" in said
        assert "pip install 'semwork[nlp]'" in said
    assert made.error is None
    assert "semwork data fetch msr04 wordnet" in made.parts.status.value
    assert "sentence_task('paraphrase')" in made.code
    made.close()

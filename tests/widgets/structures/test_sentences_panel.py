"""The panel of sentences, without a browser."""

from __future__ import annotations

import json

import pytest

from semwork.plots import plotted_data
from widgets import sentence_alignments
from widgets.live_figure import Point
from widgets.structures import sentences

DATA = [pytest.mark.data(name) for name in ("msr04", "rte", "wordnet", "en_core_web_sm")]


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


@pytest.fixture(scope="module")
def panel():
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'semwork[nlp]'")
    with pytest.MonkeyPatch.context() as patch:
        full = sentences._controls

        def few():
            made = full()
            made["training"].value = 50
            return made

        patch.setattr(sentences, "_controls", few)
        patch.setattr(sentences, "_TEST", 20)
        made = sentence_alignments()
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

    def test_weights_have_a_legend_of_their_own(self, panel):
        panel.controls["look_at"].value = "weights"
        names = {trace.name for trace in panel.figures["below"].figure.data}
        assert names == set(sentences.SENTENCE_KINDS)
        panel.controls["look_at"].value = "test pairs"
        assert "wrong side of 0" in title(panel, "below")

    def test_its_code_runs(self, panel):
        code = panel.code
        compile(code, "panel", "exec")
        assert "SentenceStudy('paraphrase', training=50" in code
        json.dumps(panel.state)


def test_what_is_missing_is_said_in_the_picture(monkeypatch):
    monkeypatch.setattr(sentences, "not_here", lambda: "needs spaCy: pip install 'semwork[nlp]'")
    made = sentence_alignments()
    made.wait()
    assert "pip install" in title(made, "alignment")
    made.close()

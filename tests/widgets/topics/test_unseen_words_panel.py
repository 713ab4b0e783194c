"""The panel of unseen words, without a browser."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from semwork import datasets
from semwork.datasets import load
from semwork.plots import plotted_data
from semwork.studies import UnseenTask, UnseenWords
from semwork.studies.origin import calling
from semwork.studies.replacing import words_of
from semwork.studies.topic_tasks import UNSEEN_TASKS
from semwork.studies.unseen_words import _OPENING
from semwork.topics import topic_data
from semwork_widgets import unseen_words
from semwork_widgets.live_figure import Point


@pytest.fixture
def panel():
    made = unseen_words()
    made.wait()
    yield made
    made.close()


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


def words_known(panel):
    return panel.study().words(panel.last_step)


def test_the_document_is_written_into_the_text(panel):
    panel.controls["document"].value = 3
    assert panel.controls["text"].value == words_known(panel).replaced(panel.study().texts[3], 4)[0]
    assert title(panel, "text").startswith("Document 3, space: Gaussian LDA drops")
    panel.controls["replaced"].value = 0
    assert panel.controls["text"].value == panel.study().texts[3]
    assert panel.figures["topics"].figure.layout.xaxis.title.text == "Gaussian LDA: moved by 0%"


def test_the_panel_opens_with_a_text_that_can_be_read(panel):
    """Content words stand for content words, each in the list of the eight nearest that the panel offers."""
    study, words, text = panel.study(), words_known(panel), panel.controls["text"].value
    original = study.texts[panel.controls["document"].value]
    pairs = [pair for pair in zip(original.lower().split(), text.lower().split(), strict=True) if pair[0] != pair[1]]
    assert [tuple(words_of(word)[0] for word in pair) for pair in pairs] == [
        ("beans", "pods"),
        ("bread", "cheese"),
        ("tablets", "medicines"),
        ("nurse", "dentist"),
    ]
    assert len(pairs) == panel.controls["replaced"].value
    for before, after in _OPENING.items():
        assert words.status(before) == "seen"
        assert after in words.near(before)
    assert title(panel, "text").startswith("Document 39, health:")
    assert title(panel, "word").startswith("“medicines”, instead of “tablets”, is unseen: topic")
    panel.controls["replaced"].value = 5
    assert panel.controls["text"].value == words.replaced(original, 5)[0]
    panel.controls["replaced"].value = 4
    assert panel.controls["text"].value == text, "the slider leads back to it"


def test_the_document_it_opens_with_shows_what_the_lesson_says(panel):
    """Gaussian LDA hardly moves, LDA does, and more so with every word that it loses."""
    step = panel.last_step
    original = panel.study().texts[panel.controls["document"].value]

    def moved(text):
        pairs = zip(panel.study().read(step, original), panel.study().read(step, text), strict=True)
        return [abs(before.proportions - after.proportions).sum() / 2 for before, after in pairs]

    gaussian, lda = moved(panel.controls["text"].value)
    assert gaussian < 0.05
    assert lda > 0.15
    panel.controls["replaced"].value = 15
    gaussian, lda = moved(panel.controls["text"].value)
    assert gaussian < lda / 2
    assert panel.study().read(step, panel.controls["text"].value)[1].known.sum() == 1, "LDA knows one word"


def test_words_that_are_not_hidden_are_not_put_in(panel):
    """With other hidden words the document is replaced as any other."""
    panel.controls["text"].value = ""
    panel.controls["seed"].value = 3
    panel.wait()
    study, words = panel.study(), words_known(panel)
    assert any(new not in words.near(old) for old, new in _OPENING.items())
    assert panel.controls["text"].value == words.replaced(study.texts[39], 4)[0]


def test_the_slider_replaces_words_and_draws_once(panel):
    panel.controls["document"].value = 3
    panel.controls["replaced"].value = 0
    step, before = panel.last_step, panel.figures["text"].revision
    dropped = (~panel.study().read(step, panel.controls["text"].value)[1].known).sum()
    panel.controls["replaced"].value = 4
    text, done = words_known(panel).replaced(panel.study().texts[3], 4)
    assert panel.controls["text"].value == text
    assert panel.controls["word"].value == "", "empty: the word that was put in last"
    assert f"“{done[-1][1]}”, instead of “{done[-1][0]}”, is unseen" in title(panel, "word")
    assert title(panel, "text").endswith(f"LDA {dropped + 4}")
    assert panel.figures["text"].revision == before + 1
    assert panel.last_step is step, "nothing is computed anew"
    panel.controls["replaced"].value = 0
    assert panel.controls["text"].value == panel.study().texts[3]


def test_a_word_can_be_clicked_and_replaced_from_the_list(panel):
    panel.controls["document"].value = 3
    panel.controls["replaced"].value = 0
    word = next(each for each in words_of(panel.study().texts[3]) if each == "earth")
    for handler in panel.figures["text"]._handlers["plotly_click"]:
        handler([Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=word)])
    assert panel.controls["word"].value == "earth"
    offered = [value for _, value in panel.controls["replacement"].options][1:]
    assert offered == words_known(panel).near("earth")
    panel.controls["replacement"].value = offered[1]
    assert "Earth" not in panel.controls["text"].value
    assert offered[1].capitalize() in panel.controls["text"].value
    assert (panel.controls["word"].value, panel.controls["replacement"].value) == (offered[1], "")
    assert f"“{offered[1]}”, instead of “earth”," in title(panel, "word")


def test_own_texts_and_words_can_be_typed(panel):
    panel.controls["text"].value = "The striker scored after the whistle of the referee."
    panel.controls["word"].value = "Qwertz"
    assert "“qwertz” has no vector" in title(panel, "word")
    assert "# “qwertz” has no vector: no model can place it" in panel.code
    assert "unseen_word_figure" not in panel.code
    panel.controls["word"].value = "whistle"
    assert title(panel, "word").startswith("“whistle” is")
    panel.controls["text"].value = "of the"
    assert "0 of 0 words" in title(panel, "text")
    panel.controls["text"].value = ""
    assert title(panel, "word").startswith("“whistle” is")
    panel.controls["word"].value = ""
    assert title(panel, "word").startswith("“medicines”, instead of “tablets”"), "empty: the document as it is written"
    assert panel.error is None


def test_another_document_begins_with_its_own_words(panel):
    panel.controls["word"].value = "whistle"
    panel.controls["replaced"].value = 0
    panel.controls["document"].value = 40
    assert panel.controls["text"].value == panel.study().texts[40]
    assert panel.controls["word"].value == ""
    panel.controls["document"].value = 5000
    assert panel.controls["text"].value == panel.study().texts[-1]


def test_more_hidden_words_are_a_new_run_and_the_text_stays(panel):
    panel.controls["text"].value = "roots and leaves"
    panel.controls["hidden"].value = 0.4
    panel.wait()
    assert len(panel.last_step.hidden) == int(0.4 * panel.study().facts["words"])
    assert panel.controls["text"].value == "roots and leaves"


def test_state_comes_back_with_its_text(panel):
    panel.controls["document"].value = 7
    panel.controls["replaced"].value = 3
    panel.controls["text"].value += " And a telescope."
    state = json.loads(json.dumps(panel.state))
    panel.controls["document"].value = 9
    panel.state = state
    panel.wait()
    assert json.loads(json.dumps(panel.state)) == state
    fresh = unseen_words()
    fresh.state = state
    fresh.wait()
    assert json.loads(json.dumps(fresh.state)) == state
    fresh.close()


def test_the_code_gives_the_same_pictures(panel, capsys):
    panel.controls["replaced"].value = 3
    made = {}
    exec(panel.code, made)
    for one, two in zip(made["figures"], [live.figure for live in panel.figures.values()], strict=True):
        assert plotted_data(one).equals(plotted_data(two))
    assert "dropped" in capsys.readouterr().out


def test_a_run_can_be_stopped_and_what_is_learnt_can_be_used(panel, monkeypatch):
    steps = UnseenWords.steps

    def stopped(self, settings):
        for step in steps(self, settings):
            yield step
            panel.stop()

    monkeypatch.setattr(UnseenWords, "steps", stopped)
    panel.study()._finished.clear()
    panel.run()
    panel.wait()
    assert "Stopped" in panel.parts.status.value
    assert panel.last_step.done == 1
    panel.controls["replaced"].value = 2
    assert "is unseen: topic" in title(panel, "word")


def test_nothing_is_set_by_a_step_but_what_a_new_run_begins_with(panel, monkeypatch):
    """What a reader does while steps are drawn is not undone by them."""
    steps, moved = UnseenWords.steps, []

    def with_a_reader(self, settings):
        for number, step in enumerate(steps(self, settings)):
            if number == 3:
                panel.redraw()  # the run is drawn for the first time, at the latest now
                panel.controls["text"].value = ""
            yield step

    for name in ("text", "word", "replacement"):
        panel.controls[name].observe(lambda change, name=name: moved.append(name), names="value")
    monkeypatch.setattr(UnseenWords, "steps", with_a_reader)
    panel.controls["n_topics"].value = 4
    panel.wait()
    assert moved == ["text"], "the reader's own"
    assert panel.controls["text"].value == ""
    assert title(panel, "word").startswith("“medicines”, instead of “tablets”")


def test_missing_data_say_what_to_fetch(panel, monkeypatch):
    monkeypatch.setattr("semwork.studies.study.available", lambda name: name != "newsgroups")
    panel.controls["data"].value = "newsgroups"
    with pytest.raises(datasets.DataNotAvailable, match="semwork data fetch newsgroups"):
        panel.wait()


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
@pytest.mark.slow
def test_any_word_of_glove_can_be_placed_on_20_newsgroups(panel, monkeypatch):
    small = calling(UnseenTask)(calling(topic_data)("newsgroups").limited(200), calling(load)("glove"), sweeps=3)
    monkeypatch.setitem(UNSEEN_TASKS.sources, "newsgroups", replace(UNSEEN_TASKS.sources["newsgroups"], origin=small))
    panel.controls["data"].value = "newsgroups"
    panel.wait(300)
    assert panel.controls["text"].value == panel.study().texts[3], "other data begin with the original"
    assert panel.controls["n_topics"].value == len(panel.last_step.gaussian.sizes) == 30
    words = words_known(panel)
    word = next(word for word in ("croissant", "zeppelin", "saxophone") if words.status(word) == "unseen")
    panel.controls["word"].value = word
    assert f"“{word}” is unseen: topic" in title(panel, "word")
    assert len(panel.controls["replacement"].options) == 9
    panel.controls["data"].value = "sample"
    panel.wait()
    assert title(panel, "word").startswith("“medicines”, instead of “tablets”"), "the lesson opens again"

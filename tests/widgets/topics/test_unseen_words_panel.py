"""The panel of unseen words, without a browser."""

from __future__ import annotations

import json

import pytest

from semwork import datasets
from semwork.plots import plotted_data
from semwork.topics import topic_data
from semwork.topics.unseen import UnseenStudy
from widgets import unseen_words
from widgets.live_figure import Point
from widgets.topics import unseen_words as module


@pytest.fixture
def panel():
    made = unseen_words()
    made.wait()
    yield made
    made.close()


def title(panel, figure):
    return panel.figures[figure].figure.layout.title.text


def study_of(panel):
    return panel.last_step.study


def test_the_document_is_written_into_the_text(panel):
    panel.controls["document"].value = 3
    assert panel.controls["text"].value == study_of(panel).replaced(study_of(panel).texts[3], 4)[0]
    assert title(panel, "text").startswith("Document 3, space: Gaussian LDA drops")
    panel.controls["replaced"].value = 0
    assert panel.controls["text"].value == study_of(panel).texts[3]
    assert panel.figures["topics"].figure.layout.xaxis.title.text == "Gaussian LDA: moved by 0%"


def test_the_panel_opens_with_a_text_that_can_be_read(panel):
    """Content words stand for content words, each in the list of the eight nearest that the panel offers."""
    study, text = study_of(panel), panel.controls["text"].value
    original = study.texts[panel.controls["document"].value]
    pairs = [pair for pair in zip(original.lower().split(), text.lower().split(), strict=True) if pair[0] != pair[1]]
    assert [tuple(study.words_of(word)[0] for word in pair) for pair in pairs] == [
        ("beans", "pods"),
        ("bread", "cheese"),
        ("tablets", "medicines"),
        ("nurse", "dentist"),
    ]
    assert len(pairs) == panel.controls["replaced"].value
    for before, after in module._OPENING.items():
        assert study.status(before) == "seen"
        assert after in study.replacements(before)
    assert title(panel, "text").startswith("Document 39, health:")
    assert title(panel, "word").startswith("“medicines”, instead of “tablets”, is unseen: topic")
    panel.controls["replaced"].value = 5
    assert panel.controls["text"].value == study.replaced(original, 5)[0]
    panel.controls["replaced"].value = 4
    assert panel.controls["text"].value == text, "the slider leads back to it"


def test_the_document_it_opens_with_shows_what_the_lesson_says(panel):
    """Gaussian LDA hardly moves, LDA does, and more so with every word that it loses."""
    step = panel.last_step
    original = study_of(panel).texts[panel.controls["document"].value]

    def moved(text):
        pairs = zip(step.read(original), step.read(text), strict=True)
        return [abs(before.proportions - after.proportions).sum() / 2 for before, after in pairs]

    gaussian, lda = moved(panel.controls["text"].value)
    assert gaussian < 0.05
    assert lda > 0.15
    panel.controls["replaced"].value = 15
    gaussian, lda = moved(panel.controls["text"].value)
    assert gaussian < lda / 2
    assert step.read(panel.controls["text"].value)[1].known.sum() == 1, "LDA knows one word"


def test_words_that_are_not_hidden_are_not_put_in(panel):
    """With other hidden words the document is replaced as any other."""
    panel.controls["text"].value = ""
    panel.controls["seed"].value = 3
    panel.wait()
    study = study_of(panel)
    assert any(new not in study.replacements(old) for old, new in module._OPENING.items())
    assert panel.controls["text"].value == study.replaced(study.texts[39], 4)[0]


def test_the_slider_replaces_words_and_draws_once(panel):
    panel.controls["document"].value = 3
    panel.controls["replaced"].value = 0
    step, before = panel.last_step, panel.figures["text"].revision
    dropped = (~step.read(panel.controls["text"].value)[1].known).sum()
    panel.controls["replaced"].value = 4
    text, done = study_of(panel).replaced(study_of(panel).texts[3], 4)
    assert panel.controls["text"].value == text
    assert panel.controls["word"].value == done[-1][1]
    assert f"“{done[-1][1]}”, instead of “{done[-1][0]}”, is unseen" in title(panel, "word")
    assert title(panel, "text").endswith(f"LDA {dropped + 4}")
    assert panel.figures["text"].revision == before + 1
    assert panel.last_step is step, "nothing is computed anew"
    panel.controls["replaced"].value = 0
    assert panel.controls["text"].value == study_of(panel).texts[3]


def test_a_word_can_be_clicked_and_replaced_from_the_list(panel):
    panel.controls["document"].value = 3
    panel.controls["replaced"].value = 0
    word = next(each for each in study_of(panel).words_of(study_of(panel).texts[3]) if each == "earth")
    for handler in panel.figures["text"]._handlers["plotly_click"]:
        handler([Point(trace=0, index=0, name=None, x=0, y=0, z=None, customdata=word)])
    assert panel.controls["word"].value == "earth"
    offered = [value for _, value in panel.controls["replacement"].options][1:]
    assert offered == study_of(panel).replacements("earth")
    panel.controls["replacement"].value = offered[1]
    assert "Earth" not in panel.controls["text"].value
    assert offered[1].capitalize() in panel.controls["text"].value
    assert (panel.controls["word"].value, panel.controls["replacement"].value) == (offered[1], "")
    assert f"“{offered[1]}”, instead of “earth”," in title(panel, "word")


def test_own_texts_and_words_can_be_typed(panel):
    panel.controls["text"].value = "The striker scored after the whistle of the referee."
    panel.controls["word"].value = "Qwertz"
    assert "“qwertz” has no vector" in title(panel, "word")
    with pytest.raises(ValueError, match="'qwertz' has no vector"):
        _ = panel.code
    panel.controls["word"].value = "whistle"
    assert title(panel, "word").startswith("“whistle” is")
    panel.controls["text"].value = ""
    assert "0 of 0 words" in title(panel, "text")
    assert panel.error is None


def test_another_document_begins_with_its_own_words(panel):
    panel.controls["word"].value = "whistle"
    panel.controls["replaced"].value = 0
    panel.controls["document"].value = 40
    assert panel.controls["text"].value == study_of(panel).texts[40]
    assert panel.controls["word"].value == ""
    panel.controls["document"].value = 5000
    assert panel.controls["text"].value == study_of(panel).texts[-1]


def test_more_hidden_words_are_a_new_run_and_the_text_stays(panel):
    panel.controls["text"].value = "roots and leaves"
    panel.controls["hidden"].value = 0.4
    panel.wait()
    assert len(study_of(panel).hidden) == int(0.4 * len(study_of(panel).data.vectors))
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
    assert "words dropped" in capsys.readouterr().out


def test_a_run_can_be_stopped_and_what_is_learnt_can_be_used(panel, monkeypatch):
    class Slow(UnseenStudy):
        def steps(self, *args, **settings):
            for step in super().steps(*args, **settings):
                yield step
                panel.stop()

    monkeypatch.setattr(module, "_study", lambda data, hidden, seed: Slow(topic_data(data), hidden, seed))
    panel.run()
    panel.wait()
    assert "Stopped" in panel._status.value
    assert panel.last_step.done == 1
    panel.controls["replaced"].value = 2
    assert "is unseen: topic" in title(panel, "word")


def test_missing_data_say_what_to_fetch(panel, monkeypatch):
    monkeypatch.setattr(datasets, "available", lambda name: name != "newsgroups")
    panel.controls["data"].value = "newsgroups"
    with pytest.raises(datasets.DataNotAvailable, match="semwork data fetch newsgroups"):
        panel.wait()


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
@pytest.mark.slow
def test_any_word_of_glove_can_be_placed_on_20_newsgroups(panel, monkeypatch):
    monkeypatch.setattr(module, "_PART", 200)
    monkeypatch.setitem(module._SETTINGS, "newsgroups", module._SETTINGS["newsgroups"] | {"max_sweeps": 3})
    module._study.cache_clear()
    panel.controls["data"].value = "newsgroups"
    panel.wait(300)
    study = study_of(panel)
    assert panel.controls["text"].value == study.texts[3], "other data begin with the original"
    assert panel.controls["n_topics"].value == len(panel.last_step.gaussian.sizes) == 30
    word = next(word for word in ("croissant", "zeppelin", "saxophone") if study.status(word) == "unseen")
    panel.controls["word"].value = word
    assert f"“{word}” is unseen: topic" in title(panel, "word")
    assert len(panel.controls["replacement"].options) == 9
    module._study.cache_clear()

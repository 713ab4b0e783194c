"""Words that training has not seen."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from semwork.steps import last
from semwork.studies import UnseenSettings, UnseenTask, UnseenView, UnseenWords
from semwork.studies.replacing import substitute, words_of
from semwork.studies.study import NoAnswer
from semwork.topics import LDA, GaussianLDA, NormalInverseWishart, topic_data

SETTINGS = UnseenSettings(hidden=0.3)
PRIOR = NormalInverseWishart(psi=100.0, nu=152.0)


@pytest.fixture(scope="module")
def study():
    return UnseenWords(UnseenTask(topic_data("sample"), prior=PRIOR, sweeps=25))


@pytest.fixture(scope="module")
def end(study):
    return last(study.steps(SETTINGS))


@pytest.fixture(scope="module")
def words(study, end):
    return study.words(end)


def test_training_does_not_see_hidden_words_and_they_have_vectors(study, end, words):
    data = study.task.data
    assert not end.hidden & end.seen
    assert end.hidden == study.hidden_words(0.3, 0)
    assert len(end.hidden) == int(0.3 * len(data.vectors))
    assert {words.status(word) for word in end.hidden} == {"unseen"}
    assert study.facts["documents"] == data.training.sum()
    assert len(study.texts) == end.n_texts == (~data.training).sum()


def test_it_is_the_models_of_the_package(study, end):
    data = study.task.data
    training = [words for words, ours in zip(data.documents, data.training, strict=True) if ours]
    documents = [[word for word in words if word not in end.hidden] for words in training]
    model = GaussianLDA(12, "precision", 0.1, PRIOR, max_sweeps=25, random_state=0)
    model.fit(documents, data.vectors)
    unseen = sorted(end.hidden)[:20]
    assert np.allclose(end.gaussian.log_density(unseen).T, model.topic_word_density(unseen))
    lda = LDA(12, 0.1, max_sweeps=25, random_state=0).fit(documents)
    seen = sorted(end.seen)[:20]
    assert np.allclose(end.lda.log_density(seen).T, lda.topic_word_density(seen))
    close = end.gaussian.read(words_of(study.texts[3])).proportions
    documents = [[word for word in words_of(study.texts[3]) if word in data.vectors.index]]
    assert np.abs(close - model.transform(documents, sweeps=4000)[0]).max() < 0.05


def test_lda_drops_what_gaussian_lda_places(study, end, words):
    text, done = words.replaced(study.texts[0], 4)
    gaussian, lda = study.read(end, text)
    new = [place for place, word in enumerate(gaussian.words) if word in {after for _, after in done}]
    assert len(new) == len(done) == 4
    assert gaussian.known[new].all()
    assert not lda.known[new].any()
    assert (lda.topics[new] == -1).all()
    assert (gaussian.topics[new] >= 0).all()
    assert gaussian.proportions.sum() == pytest.approx(1)


def test_proportions_stay_with_gaussian_lda_and_go_with_lda(study, end, words):
    moves = []
    for text in study.texts[:30]:
        readings = zip(study.read(end, text), study.read(end, words.replaced(text, 99)[0]), strict=True)
        moves.append([np.abs(before.proportions - after.proportions).sum() / 2 for before, after in readings])
    gaussian, lda = np.mean(moves, axis=0)
    assert gaussian < 0.3 < lda


def test_a_text_without_known_words_gets_the_prior(study, end):
    for reading in study.read(end, "xyzzy and the"):
        assert reading.words == ("xyzzy",)
        assert not reading.known.any()
        assert np.allclose(reading.proportions, 1 / 12)
    assert study.read(end, "")[0].words == ()


def test_a_word_falls_into_a_topic(study, end):
    table = study.chances(end, sorted(end.hidden)[0])
    assert table["probability"].sum() == pytest.approx(1)
    assert table["probability"].is_monotonic_decreasing
    with pytest.raises(NoAnswer, match="“qwertz” has no vector: no model can place it"):
        study.chances(end, "qwertz")
    with pytest.raises(NoAnswer, match="No word has a vector"):
        study.place(end, 0, "", "xyzzy")


def test_replacements_are_near_and_unseen(end, words):
    found = words.near("roots", 5)
    assert len(found) == 5
    assert {words.status(word) for word in found} == {"unseen"}
    vectors = words.vectors
    cosines = [float(vectors[word] @ vectors["roots"]) for word in found]
    assert cosines == sorted(cosines, reverse=True)
    hidden = sorted(end.hidden)[0]
    assert hidden not in words.near(hidden)
    assert words.near("qwertz") == []


def test_replacing_is_the_same_each_time_and_goes_word_by_word(study, words):
    text = study.texts[5]
    assert words.replaced(text, 0) == (text, [])
    three, five = words.replaced(text, 3), words.replaced(text, 5)
    assert five[1][:3] == three[1]
    assert words.replaced(text, 3) == three
    assert len({new for _, new in five[1]}) == 5


def test_substitution_keeps_capitals_and_other_words():
    assert substitute("The cat. Cats concatenate a Cat!", "cat", "dog") == "The dog. Cats concatenate a Dog!"


def test_a_finished_run_is_shown_at_once(study, end):
    [again] = study.steps(SETTINGS)
    assert again is end


def test_topics_that_are_shown_do_not_change_with_later_sweeps(study):
    run = study.steps(replace(SETTINGS, n_topics=3))
    first = next(run)
    before = first.gaussian.posterior("roots"), first.lda.posterior("roots")
    next(run)
    next(run)
    assert np.array_equal(before[0], first.gaussian.posterior("roots"))
    assert np.array_equal(before[1], first.lda.posterior("roots"))


def test_the_lesson_opens_with_words_that_can_be_read_where_these_are_hidden(study, end, words):
    assert any(new not in words.near(old) for old, new in (("beans", "pods"), ("nurse", "dentist")))
    assert study.written(end, 39, 4) == words.replaced(study.texts[39], 4)
    assert study.written(end, 39, 0) == (study.texts[39], [])
    assert study.written(end, 99_999, 3) == words.replaced(study.texts[-1], 3)
    lesson = UnseenWords.on("sample")
    first = next(lesson.steps(UnseenSettings()))
    assert [new for _, new in lesson.written(first, 39, 4)[1]] == ["pods", "cheese", "dentist", "medicines"]


def test_pieces_of_a_text_have_the_topics_that_the_models_give_them(study, end, words):
    text, done = words.replaced(study.texts[5], 2)
    found = study.reading(end, 5, "", text)
    pieces = found.pieces
    assert pieces["piece"].tolist() == text.split()
    own = pieces[pieces["word"] == done[0][1]].iloc[0]
    gaussian, lda = study.read(end, text)
    assert own["status"] == "unseen"
    assert (own["Gaussian LDA"], own["LDA"]) == (gaussian.topics[gaussian.words.index(done[0][1])], -1)
    assert found.word == study.looked_at(end, 5, "", text, 0)
    assert found.shares["LDA"]["now"].tolist() == lda.proportions.tolist()
    assert study.replaces(5, done[0][1], text) == done[0][0]
    table = study.table(end, 5, text)
    assert table["dropped"].tolist() == [(~gaussian.known).sum(), (~lda.known).sum()]
    moved = np.abs(found.shares["LDA"]["now"] - found.shares["LDA"]["before"]).sum() / 2
    assert table["moved"][1] == pytest.approx(moved)


def test_a_word_has_its_place_and_its_nearest_seen_words(study, end, words):
    text, [(old, new), *_] = words.replaced(study.texts[3], 1)
    place = study.place(end, 3, new, text)
    assert place.placed["word"].tolist() == [new, old]
    points = end.plane.points([study.task.known[new]])
    assert place.placed.loc[0, ["x", "y"]].tolist() == pytest.approx(points[0].tolist())
    assert {words.status(word) for word in place.near["word"]} == {"seen"}
    assert place.topics["probability"].sum() == pytest.approx(1)
    assert place.title.startswith(f"“{new}”, instead of “{old}”, is unseen: topic {place.topics['topic'][0]}")


def test_what_is_good_for_newsgroups():
    good, view = UnseenSettings.good_for("newsgroups"), UnseenView.good_for("newsgroups")
    assert (good.n_topics, good.hidden, view.document, view.replaced) == (30, 0.0, 3, 0)


def test_a_share_that_is_none_is_said(study):
    with pytest.raises(ValueError, match=r"hidden is 1\.0; here it can be 0 to 0\.95"):
        next(study.steps(UnseenSettings(hidden=1.0)))


def test_an_empty_text_is_the_document_as_it_is_written(study, end):
    text, done = study.written(end, 3, 4)
    read, told = study.reading(end, 3, "", "", 4), study.reading(end, 3, done[-1][1], text)
    assert read.pieces.equals(told.pieces)
    assert (read.word, read.title) == (told.word, told.title)
    assert study.shares(end, 3, "", 4).moved == study.shares(end, 3, text).moved
    assert study.table(end, 3, "", 4).equals(study.table(end, 3, text))
    assert study.place(end, 3, " ", " ", 4).title == study.place(end, 3, done[-1][1], text).title
    assert study.reading(end, 3, "", "").pieces["piece"].tolist() == study.texts[3].split()


def test_the_word_that_was_put_in_last_is_looked_at_as_long_as_the_text_has_it(study, end):
    text, done = study.written(end, 3, 4)
    last_two = [new for _, new in done[-2:]]
    assert study.looked_at(end, 3, "", text, 4) == last_two[1]
    assert study.looked_at(end, 3, "", substitute(text, last_two[1], "moon"), 4) == last_two[0]
    assert study.looked_at(end, 3, "", "roots", 4) == "roots"
    offered = study.offered(end, 3, "", "", 4)
    assert offered == study.words(end).near(last_two[1])
    assert study.put_in(end, 3, "", "", 4, offered[0]) == substitute(text, last_two[1], offered[0])


def test_readings_of_two_steps_that_are_asked_for_at_once_stay_apart(study, end):
    run = study.steps(replace(SETTINGS, n_topics=4))
    early = next(run)
    asked, read = [], end.gaussian.read

    def interrupted(words):
        asked.append(study.read(early, "roots"))  # as another thread would, in between
        return read(words)

    slow = replace(end, gaussian=SimpleNamespace(read=interrupted))
    first = study.read(slow, "roots")
    assert len(first[0].proportions) == 12
    assert len(asked[0][0].proportions) == 4
    assert study.read(early, "roots")[0].proportions.tolist() == asked[0][0].proportions.tolist()
    assert study.read(slow, "roots")[0].proportions.tolist() == first[0].proportions.tolist()

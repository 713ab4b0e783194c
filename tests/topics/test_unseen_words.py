"""Words that training has not seen."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.topics import LDA, GaussianLDA, NormalInverseWishart, topic_data
from semwork.topics.unseen import UnseenStudy, substitute


@pytest.fixture(scope="module")
def study():
    return UnseenStudy(topic_data("sample"), hidden=0.3)


@pytest.fixture(scope="module")
def end(study):
    return last(study.steps(12, nu=152.0, max_sweeps=25))


def test_training_does_not_see_hidden_words_and_they_have_vectors(study):
    assert not study.hidden & study.seen
    assert len(study.hidden) == int(0.3 * len(study.data.vectors))
    assert {study.status(word) for word in study.hidden} == {"unseen"}
    assert len(study.documents) == study.data.training.sum()
    assert len(study.texts) == (~study.data.training).sum()


def test_it_is_the_models_of_the_package(study, end):
    prior = NormalInverseWishart(psi=100.0, nu=152.0)
    model = GaussianLDA(12, "precision", 0.1, prior, max_sweeps=25, random_state=0)
    model.fit(study.documents, study.vectors)
    words = sorted(study.hidden)[:20]
    assert np.allclose(end.gaussian.log_density(words).T, model.topic_word_density(words))
    lda = LDA(12, 0.1, max_sweeps=25, random_state=0).fit(study.documents)
    seen = sorted(study.seen)[:20]
    assert np.allclose(end.lda.log_density(seen).T, lda.topic_word_density(seen))
    close = end.gaussian.read(study.words_of(study.texts[3])).proportions
    documents = [[word for word in study.words_of(study.texts[3]) if word in study.vectors.index]]
    assert np.abs(close - model.transform(documents, sweeps=4000)[0]).max() < 0.05


def test_lda_drops_what_gaussian_lda_places(study, end):
    text, done = study.replaced(study.texts[0], 4)
    gaussian, lda = end.read(text)
    new = [place for place, word in enumerate(gaussian.words) if word in {after for _, after in done}]
    assert len(new) == len(done) == 4
    assert gaussian.known[new].all()
    assert not lda.known[new].any()
    assert (lda.topics[new] == -1).all()
    assert (gaussian.topics[new] >= 0).all()
    assert gaussian.proportions.sum() == pytest.approx(1)


def test_proportions_stay_with_gaussian_lda_and_go_with_lda(study, end):
    moves = []
    for text in study.texts[:30]:
        readings = zip(end.read(text), end.read(study.replaced(text, 99)[0]), strict=True)
        moves.append([np.abs(before.proportions - after.proportions).sum() / 2 for before, after in readings])
    gaussian, lda = np.mean(moves, axis=0)
    assert gaussian < 0.3 < lda


def test_a_text_without_known_words_gets_the_prior(end):
    for reading in end.read("xyzzy and the"):
        assert reading.words == ("xyzzy",)
        assert not reading.known.any()
        assert np.allclose(reading.proportions, 1 / 12)
    assert end.read("")[0].words == ()


def test_a_word_falls_into_a_topic(study, end):
    table = end.word(sorted(study.hidden)[0])
    assert table["probability"].sum() == pytest.approx(1)
    assert table["probability"].is_monotonic_decreasing
    with pytest.raises(ValueError, match="'qwertz' has no vector"):
        end.word("qwertz")


def test_replacements_are_near_and_unseen(study):
    found = study.replacements("roots", 5)
    assert len(found) == 5
    assert {study.status(word) for word in found} == {"unseen"}
    vectors = study.vectors
    cosines = [float(vectors[word] @ vectors["roots"]) for word in found]
    assert cosines == sorted(cosines, reverse=True)
    hidden = sorted(study.hidden)[0]
    assert hidden not in study.replacements(hidden)
    assert study.replacements("qwertz") == []


def test_replacing_is_the_same_each_time_and_goes_word_by_word(study):
    text = study.texts[5]
    assert study.replaced(text, 0) == (text, [])
    three, five = study.replaced(text, 3), study.replaced(text, 5)
    assert five[1][:3] == three[1]
    assert study.replaced(text, 3) == three
    assert len({new for _, new in five[1]}) == 5


def test_substitution_keeps_capitals_and_other_words():
    assert substitute("The cat. Cats concatenate a Cat!", "cat", "dog") == "The dog. Cats concatenate a Dog!"


def test_a_finished_run_is_shown_at_once(study, end):
    [again] = study.steps(12, nu=152.0, max_sweeps=25)
    assert again is end


def test_topics_that_are_shown_do_not_change_with_later_sweeps(study):
    run = study.steps(3, nu=152.0, max_sweeps=3)
    first = next(run)
    before = first.gaussian.posterior("roots"), first.lda.posterior("roots")
    list(run)
    assert np.array_equal(before[0], first.gaussian.posterior("roots"))
    assert np.array_equal(before[1], first.lda.posterior("roots"))


def test_a_share_that_is_none_is_said():
    with pytest.raises(ValueError, match=r"hidden is 1\.0; it must be a share"):
        UnseenStudy(topic_data("sample"), hidden=1.0)

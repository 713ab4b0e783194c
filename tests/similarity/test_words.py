"""Which words make two sentences similar."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.similarity import (
    WTMF,
    NGramOverlap,
    SentenceSpace,
    TfidfCosine,
    sentence_words,
    word_effects,
    word_match,
)

TEXTS = ["the bank lends money", "money lies in the bank", "the river has a bank", "fish swim in the river"]
MODELS = [TfidfCosine(), WTMF(2, regularization=0.1, random_state=0), NGramOverlap()]


@pytest.fixture(params=MODELS, ids=lambda model: type(model).__name__)
def space(request):
    return SentenceSpace.from_texts(TEXTS, request.param, analyzer="stem", min_count=1).fit()


def test_the_effect_of_a_word_is_what_its_absence_changes(space):
    left, right = word_effects(space, "Money in banks!", "fish swimming, money")
    assert [word.word for word in left] == ["money", "in", "banks"]
    whole = space.similarity(["money in banks"], ["fish swimming money"])[0]
    without_money = space.similarity(["in banks"], ["fish swimming money"])[0]
    assert left[0].effect == pytest.approx(whole - without_money)
    without_fish = space.similarity(["money in banks"], ["swimming money"])[0]
    assert right[0].effect == pytest.approx(whole - without_fish)


def test_a_word_that_the_model_never_met_is_unknown_and_has_no_effect():
    space = SentenceSpace.from_texts(TEXTS, MODELS[1], analyzer="stem", min_count=1).fit()
    left, right = word_effects(space, "money zebra", "river")
    assert [(word.word, word.known) for word in left] == [("money", True), ("zebra", False)]
    assert left[1].effect == pytest.approx(0, abs=1e-6)
    assert right[0].known
    assert [word.known for word in sentence_words(space, "zebra")] == [False]


def test_a_match_has_a_cell_for_every_two_known_words(space):
    match = word_match(space, "money river", "the money")
    assert match.similarity.shape == (2, 2)
    assert match.similarity[0, 1] == pytest.approx(space.similarity(["money"], ["money"])[0], abs=1e-6)
    assert match.similarity[1, 1] == pytest.approx(space.similarity(["river"], ["money"])[0], abs=1e-6)
    assert match.whole == pytest.approx(space.similarity(["money river"], ["the money"])[0])


def test_unknown_words_and_empty_sentences_leave_gaps():
    space = SentenceSpace.from_texts(TEXTS, TfidfCosine(), min_count=1, stop_words=["the"]).fit()
    match = word_match(space, "zebra money", "the money")
    assert [word.word for word in match.right] == ["money"], "a stop word is no word here"
    np.testing.assert_array_equal(np.isnan(match.similarity), [[True], [False]])
    assert match.similarity[1, 0] == pytest.approx(1)
    nothing = word_match(space, "", "money")
    assert nothing.similarity.shape == (0, 1)
    assert nothing.whole == 0
    assert word_effects(space, "", "money")[0] == []

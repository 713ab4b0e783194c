"""Coherence against counts made by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from semwork.text import Corpus
from semwork.topics import GaussianLDA, coherence, planted

TEXTS = ["red green blue", "red green", "blue sky", "sky", "grass green"]
LISTS = [text.split() for text in TEXTS]


def test_scores_by_hand():
    found = coherence([["red", "green"], ["red", "sky"], ["red", "zebra"], [], ["sky"]], LISTS, "pmi")
    pmi = math.log((2 / 5) / (2 / 5 * 3 / 5))
    unseen = math.log((1 / 5) / (2 / 5 * 2 / 5))
    assert found.topics["score"][:3].tolist() == pytest.approx([pmi, unseen, 0.0])
    assert found.topics["unseen"][:3].tolist() == [0.0, 1.0, 1.0]
    assert found.topics["unknown"][:3].tolist() == [0.0, 0.0, 0.5]
    assert found.topics["score"][3:].isna().all()
    assert (found.empty, found.windows, found.unseen) == (1, 5, pytest.approx(2 / 3))
    assert found.mean == pytest.approx((pmi + unseen) / 3)
    normal = coherence([["red", "green"], ["red", "sky"]], LISTS)
    assert normal.topics["score"].tolist() == pytest.approx([pmi / -math.log(2 / 5), -1.0])


def test_a_corpus_texts_and_lists_of_words_count_alike():
    topics = [["red", "green", "blue"], ["sky", "blue"]]
    expected = coherence(topics, LISTS).topics
    for reference in (TEXTS, Corpus.from_texts(TEXTS, min_count=1, weighting="count")):
        assert coherence(topics, reference).topics.equals(expected)


def test_windows_see_neighbours_only():
    near = coherence([["a", "b"], ["a", "d"]], [["a", "b", "c", "d"]], window=2)
    assert near.windows == 3
    assert near.topics["unseen"].tolist() == [0.0, 1.0]
    corpus = Corpus.from_texts(["a b c d"], min_count=1, weighting="count")
    assert coherence([["a", "b"], ["a", "d"]], corpus, window=2).topics.equals(near.topics)


def test_a_word_below_min_count_is_unknown_with_and_without_a_window():
    texts = ["a b", "a b", "a c", "d a", "b d"]
    corpus = Corpus.from_texts(texts, min_count=3)
    for window in (None, 2, 5):
        found = coherence([["a", "d"], ["a", "b"]], corpus, window=window).topics
        assert found["score"][0] == 0.0
        assert found["unknown"].tolist() == [0.5, 0.0]
        assert found["score"][1] == pytest.approx(coherence([["a", "b"]], texts).mean)
    assert coherence([["a", "d"]], texts, window=2).mean == pytest.approx(-0.292, abs=1e-3), "texts have every word"
    spaced = Corpus.from_texts(["a c b", "a b", "b a"], min_count=2, weighting="count")
    assert coherence([["a", "b"]], spaced, window=2).windows == 4, "words in between take their places all the same"


def test_words_that_always_occur_together_score_one():
    assert coherence([["a", "b"]], [["a", "b"], ["a", "b"]]).mean == 1.0


def test_topics_of_a_model_are_more_coherent_than_random_words():
    data = planted(alpha=0.05)
    model = GaussianLDA(4, max_sweeps=30, random_state=0).fit(data.documents, data.vectors)
    random = [np.random.default_rng(k).choice(100, 10, replace=False).tolist() for k in range(4)]
    assert coherence(model.top_words(10), data.documents).mean > coherence(random, data.documents).mean + 0.1


def test_bad_input():
    with pytest.raises(ValueError, match="choose 'npmi' or 'pmi'"):
        coherence([["a"]], LISTS, "cv")
    with pytest.raises(ValueError, match="window must be"):
        coherence([["a"]], LISTS, window=1)
    with pytest.raises(ValueError, match="no documents"):
        coherence([["a"]], [])
    with pytest.raises(TypeError, match="one text"):
        coherence([["a"]], "a text")
    with pytest.raises(TypeError, match=r"topic 0 is 'red' \(str\); for one topic write \[words\]"):
        coherence(["red", "green"], LISTS)
    with pytest.raises(TypeError, match="reference is a DataFrame with the columns text"):
        coherence([["a"]], pd.DataFrame({"text": TEXTS}))

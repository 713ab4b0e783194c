"""Data for topic models: what is in it, and that vectors from the texts alone know what belongs together."""

import numpy as np
import pytest

from semwork.topics.data import TOPIC_DATA, topic_data, topic_words


@pytest.mark.parametrize("name", ["planted", "sample"])
def test_every_word_has_a_vector(name):
    data = topic_data(name)
    assert {word for document in data.documents for word in document} <= set(data.vectors.index)
    assert len(data.documents) == len(data.labels) == len(data.training) == len(data.texts) == len(data)
    assert 0.5 < data.training.mean() < 0.9
    assert np.isfinite(data.vectors.vectors).all()
    assert topic_data(name) is data, "made once"


def test_vectors_of_the_sample_know_related_words():
    near = topic_data("sample").vectors.most_similar("telescope", 10)["word"].tolist()
    related = {"eyepiece", "star", "stars", "solar", "sunlight", "moon", "orbit", "planet", "sky"}
    assert len(related & set(near)) >= 3, near


def test_words_for_topics_are_not_short_rare_or_empty_of_meaning():
    texts = ["The cat and the dog", "a cat, a dog, an ox", "cat zebra"]
    assert topic_words(texts, min_count=2) == [["cat", "dog"], ["cat", "dog"], ["cat"]]
    assert topic_words(texts, {"dog"}, min_count=2) == [["dog"], ["dog"], []]


@pytest.mark.data("newsgroups")
@pytest.mark.data("glove")
def test_newsgroups_have_the_size_of_the_first_study():
    data = topic_data("newsgroups")
    assert len(data) == 18_821
    assert len(data.vectors) > 20_000
    assert data.vectors.vectors.shape[1] == 50


def test_an_unknown_name_says_which_there_are():
    with pytest.raises(ValueError, match="no topic data 'moon'; there are planted, sample, newsgroups"):
        topic_data("moon")
    assert TOPIC_DATA[0] == "planted"

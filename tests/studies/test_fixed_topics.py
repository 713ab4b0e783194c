"""Topics that stand still and read texts."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.studies.fixed_topics import FixedTopics
from semwork.topics import LDA, GaussianLDA, planted

DATA = planted(n_topics=3, n_documents=30, alpha=0.1)


@pytest.fixture(scope="module", params=["Gaussian LDA", "LDA"])
def topics(request):
    if request.param == "LDA":
        model = LDA(3, 0.1, max_sweeps=60, random_state=0).fit(DATA.documents)
    else:
        model = GaussianLDA(3, "precision", 0.1, max_sweeps=60, random_state=0).fit(DATA.documents, DATA.vectors)
    return FixedTopics(request.param, model.snapshot(), model.vocabulary_, 0.1)


def test_a_text_of_one_topic_has_that_topic(topics):
    [best] = {int(topics.posterior(word).argmax()) for word in (0, 1, 2)}
    reading = topics.read([0, 1, 2, 10_000])
    assert reading.topics.tolist() == [best, best, best, -1]
    assert reading.known.tolist() == [True, True, True, False]
    assert reading.proportions.argmax() == best
    assert reading.proportions.sum() == pytest.approx(1)


def test_a_reading_is_the_same_each_time_and_its_seed_matters_little(topics):
    words = [0, 1, 30, 31, 60]
    one, again, other = topics.read(words), topics.read(words), topics.read(words, seed=1)
    np.testing.assert_array_equal(one.proportions, again.proportions)
    assert np.abs(one.proportions - other.proportions).max() < 0.05


def test_nothing_known_gives_the_prior(topics):
    for words in ([], [10_000]):
        np.testing.assert_allclose(topics.read(words).proportions, 1 / 3)


def test_it_shows_what_the_model_shows(topics):
    assert [list(words) for words in topics.top_words] == topics.model.top_words(10)
    np.testing.assert_array_equal(topics.sizes, topics.model.topic_sizes_)
    np.testing.assert_array_equal(topics.log_density([5, 6]), topics.model.topic_word_density([5, 6]).T)

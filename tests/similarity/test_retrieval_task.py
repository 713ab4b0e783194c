"""Concept definition retrieval: what a model may see, and what it is scored on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from semwork.datasets import RetrievalSet, load
from semwork.evaluation import rank as rank_all
from semwork.similarity import LSA, WTMF, Encoder, LDAVectors, NGramOverlap, RetrievalTask, TfidfCosine
from semwork.similarity.cosine import cosine
from semwork.steps import last

QUERIES = ["where money is kept", "zebra", "water that flows to the sea"]
CANDIDATES = [
    "a house where money is kept and lent",
    "the land at the side of a river",
    "water that flows to the sea between two banks",
    "an office that keeps and lends money",
]
TARGETS = [np.array([0, 3]), np.array([1]), np.array([2])]


def small(**changes):
    empty = pd.DataFrame(index=range(3))
    data = RetrievalSet("small", QUERIES, CANDIDATES, TARGETS, np.array(["dev", "test", "test"]), empty, empty)
    return replace(data, **changes)


def wtmf(**parameters):
    return WTMF(**({"n_components": 3, "regularization": 0.1, "max_iter": 4, "random_state": 0} | parameters))


def models():
    return {
        "WTMF": wtmf(),
        "TfidfCosine": TfidfCosine(),
        "NGramOverlap": NGramOverlap(),
        "LSA": LSA(3, random_state=0),
        "LDAVectors": LDAVectors(2, max_iter=4, random_state=0),
        "Encoder": Encoder(lambda texts: [[text.count(letter) for letter in "aeioumnst"] for text in texts]),
    }


def test_queries_are_never_trained_on():
    """A word that only the queries have is not known, and other queries give the same model."""
    task = RetrievalTask.from_set(small(), min_count=1)
    assert task.corpus.texts == CANDIDATES
    assert "zebra" not in task.corpus.vocabulary
    assert task.queries[[1]].nnz == 0
    other = RetrievalTask.from_set(small(queries=["a", "b", "c"]), min_count=1)
    first, second = wtmf(), wtmf()
    task.ranking(first)
    other.ranking(second)
    np.testing.assert_array_equal(first.components_, second.components_)


def test_a_query_without_a_known_word_scores_as_chance():
    task = RetrievalTask.from_set(small(), min_count=1)
    assert task.baseline()[1] == 0.5
    assert task.ranking(wtmf()).scores[1] == 0.5


def test_more_texts_are_added_and_training_texts_replace_the_candidates():
    more = ["the sea is salt water"]
    added = RetrievalTask.from_set(small(), more_texts=more, min_count=1)
    assert added.corpus.texts == CANDIDATES + more
    instead = RetrievalTask.from_set(small(), training=["zebra in snow", "money", "salt sea"], min_count=1)
    assert instead.corpus.texts == ["zebra in snow", "money", "salt sea"]
    assert instead.training.shape[0] == 3
    assert instead.candidates.shape == (4, len(instead.corpus.vocabulary))
    both = RetrievalTask.from_set(small(), training=iter(["a b", "e f"]), more_texts=iter(["c d"]), min_count=1)
    assert both.corpus.texts == ["a b", "e f", "c d"]


def test_scores_are_the_mean_over_all_targets():
    task = RetrievalTask.from_set(small(), min_count=1)
    similar = cosine(task.queries, task.candidates)
    expected = rank_all(similar, TARGETS)
    np.testing.assert_allclose(task.baseline(), expected.scores)
    ranking = task.ranking(TfidfCosine())
    np.testing.assert_array_equal(ranking.ranks, expected.ranks)
    assert ranking.query.tolist() == [0, 0, 1, 2]
    assert ranking.scores[0] == pytest.approx(1 - ((ranking.ranks[:2] - 1) / 3).mean())


def test_a_query_without_a_target_is_refused():
    with pytest.raises(ValueError, match="small: 1 queries have no target, the first is query 1"):
        RetrievalTask.from_set(small(targets=[np.array([0]), np.array([], int), np.array([2])]))


@pytest.mark.parametrize("name", ["more_texts", "training"])
def test_one_string_is_not_a_list_of_texts(name):
    with pytest.raises(TypeError, match=rf"{name} takes a list of texts"):
        RetrievalTask.from_set(small(), **{name: "a text"})


@pytest.mark.parametrize("name", models())
def test_the_last_step_is_the_ranking_of_the_whole_fit(name):
    task = RetrievalTask.from_set(small(), min_count=1)
    steps = list(task.steps(models()[name]))
    whole = task.ranking(models()[name])
    np.testing.assert_array_equal(steps[-1].ranking.ranks, whole.ranks)
    np.testing.assert_array_equal(steps[-1].scores, whole.scores)
    assert steps[-1].atop == whole.atop == pytest.approx(steps[-1].scores.mean())
    assert [step.done for step in steps] == list(range(1, len(steps) + 1))
    assert steps[-1].done == steps[-1].total
    assert steps[-1].message.startswith(f"ATOP {whole.atop:.3f}")


def test_every_step_is_scored_with_the_model_of_that_step():
    """The first of three steps is the ranking of a fit of one iteration."""
    data = load("sample").dictionary
    task = RetrievalTask.from_set(data)
    parameters = {"n_components": 10, "regularization": 5.0}
    first = next(task.steps(wtmf(**parameters, max_iter=3)))
    np.testing.assert_array_equal(first.ranking.ranks, task.ranking(wtmf(**parameters, max_iter=1)).ranks)


def test_options_go_to_the_model():
    task = RetrievalTask.from_set(small(), min_count=1)
    model = wtmf()
    start = np.random.default_rng(0).standard_normal((3, len(task.corpus.vocabulary)))
    last(task.steps(model, start=start))
    np.testing.assert_array_equal(model.components_, wtmf().fit(task.training, start=start).components_)


def test_a_fitted_model_is_not_fitted_again():
    task = RetrievalTask.from_set(small(), min_count=1)
    model = wtmf()
    expected = task.ranking(model)
    before = model.components_.copy()
    np.testing.assert_array_equal(task.fitted_ranking(model).ranks, expected.ranks)
    np.testing.assert_array_equal(model.components_, before)

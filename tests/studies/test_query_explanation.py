"""The ranking of a query, and the words of one candidate."""

from __future__ import annotations

import pandas as pd
import pytest

from semwork.similarity import WTMF
from semwork.studies import explain_query, labels_of, retrieval_task


@pytest.fixture(scope="module")
def task():
    return retrieval_task("sample")


@pytest.fixture(scope="module")
def model(task):
    return WTMF(n_components=12, regularization=5, max_iter=6, dtype="float64", random_state=0).fit(task.training)


def test_a_query_is_explained_by_its_ranking_and_by_words_as_they_are_written(task, model):
    ranking = task.fitted_ranking(model)
    for query in (0, 5, 111):
        found = explain_query(task, model, query)
        assert found.text == task.data.queries[query]
        assert found.candidate in task.data.targets[query]
        listed = found.ranking
        assert listed["similarity"].iloc[:10].is_monotonic_decreasing
        assert listed[listed["right"]]["place"].iloc[0] == ranking.ranks[query]
        assert found.words["contribution"].is_monotonic_decreasing
        assert found.words["contribution"].sum() == pytest.approx(found.similarity)
        text = task.data.candidates[found.candidate].lower()
        assert all(word in text for word in found.words["word"])


def test_another_candidate_can_be_explained_and_known_vectors_save_the_work(task, model):
    vectors = model.transform(task.queries), model.transform(task.candidates)
    one, other = (explain_query(task, model, 4, place=2, vectors=given) for given in (None, vectors))
    assert one.candidate == other.candidate == one.ranking["candidate"].iloc[1]
    pd.testing.assert_frame_equal(one.words, other.words)
    assert one.similarity == pytest.approx(one.ranking["similarity"].iloc[1])


def test_places_and_queries_that_are_not_there_are_refused(task, model):
    with pytest.raises(ValueError, match="queries 0 to 319"):
        explain_query(task, model, 320)
    with pytest.raises(ValueError, match="between 1 and 10"):
        explain_query(task, model, 0, place=11)


def test_labels_are_headwords_or_first_words():
    texts = ["one two three four five", "six", "seven"]
    assert labels_of(texts, pd.DataFrame(index=range(3))) == ["one two three four", "six", "seven"]
    table = pd.DataFrame({"headwords": ["big | large", "big", "small"]})
    assert labels_of(texts, table) == ["big", "big (2)", "small"]
    assert labels_of(texts, table, rows=[1, 0]) == ["big", "big"]

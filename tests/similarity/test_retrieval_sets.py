"""Retrieval sets made of other data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.datasets import Sentences, load, sentence_pairs
from semwork.similarity import WTMF
from semwork.similarity.retrieval_sets import halves, names_of, paraphrases_sought, task_of_halves

WORDS = st.lists(st.sampled_from(["river", "bank", "money", "loan", "water", "sea", "boat"]), max_size=20)


def sentences(texts, **columns):
    return Sentences("mine", texts, pd.DataFrame(columns, index=range(len(texts))))


@given(st.lists(WORDS, min_size=2, max_size=12))
def test_each_second_half_looks_for_its_own_first_half(lists):
    long = [words for words in lists if len(words) >= 6]
    texts = sentences([" ".join(words) for words in lists])
    if len(long) < 2:
        with pytest.raises(ValueError, match="texts of 6 words or more; two are needed"):
            halves(texts)
        return
    found = halves(texts)
    for query, [target], words in zip(found.queries, found.targets, long[1::2], strict=True):
        assert f"{found.candidates[target]} {query}".split() == words


def test_of_many_texts_some_are_queries_and_all_are_candidates():
    texts = sentences([f"one two three {number} four five six" for number in range(500)])
    found = halves(texts, most=50)
    assert (len(found), len(found.candidates)) == (50, 500)
    assert found.query_table["headword"].iloc[-1] == "text 499"


def test_texts_are_called_by_their_ids():
    assert names_of(sentences(["a", "b"], id=["x1", 7])) == ["x1", "7"]
    assert names_of(sentences(["a", "b"])) == ["text 0", "text 1"]


def test_what_is_asked_is_not_learnt_and_a_model_finds_it_better_than_words():
    documents = load("sample").documents
    task = task_of_halves(documents)
    asked = [documents.texts[row] for row in task.data.query_table["row"]]
    assert not set(asked) & set(task.corpus.texts)
    found = task.ranking(WTMF(20, missing_weight=0.01, regularization=5.0, random_state=0)).atop
    assert found > task.baseline().mean() + 0.1 > 0.6


def test_paraphrases_look_for_each_other_and_the_others_are_in_their_way():
    pairs = sentence_pairs("mine", ["a", "b", "c", "a"], ["A", "B", "C", "D"], [5, 0, 4, 5])
    found = paraphrases_sought(pairs)
    assert found.queries == ["a", "c"]
    assert found.candidates == ["A", "B", "C", "D"]
    assert [rows.tolist() for rows in found.targets] == [[0, 3], [2]]


def test_pairs_without_scores_are_all_alike():
    pairs = sentence_pairs("mine", ["a", "b"], ["A", "B"], [np.nan, np.nan])
    assert paraphrases_sought(pairs).queries == ["a", "b"]


def test_one_right_sentence_is_too_few():
    with pytest.raises(ValueError, match="1 different right sentences"):
        paraphrases_sought(sentence_pairs("mine", ["a", "b"], ["A", "A"], [1, 1]))


@pytest.mark.parametrize(("function", "given"), [(halves, ["a b"]), (paraphrases_sought, "pairs")])
def test_what_is_no_record_is_refused_with_advice(function, given):
    with pytest.raises(TypeError, match="from_table"):
        function(given)

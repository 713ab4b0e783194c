"""N-gram overlap against counting in plain Python."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from semwork.similarity import cosine
from semwork.similarity.baselines import NGramOverlap
from semwork.steps import last

sentences = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)


def ngrams(text, smallest, largest):
    words = text.split()
    return Counter(
        tuple(words[start : start + n]) for n in range(smallest, largest + 1) for start in range(len(words) - n + 1)
    )


@settings(max_examples=80)
@given(
    st.lists(sentences, min_size=1, max_size=6).filter(lambda texts: any(len(text) > 3 for text in texts)),
    st.lists(sentences, max_size=4),
    st.integers(1, 2),
    st.integers(0, 2),
)
def test_overlap_is_the_number_of_shared_ngrams(texts, queries, smallest, more):
    model = NGramOverlap((smallest, smallest + more), analyzer="word").fit(texts)
    known = set().union(*(ngrams(text, smallest, smallest + more) for text in texts))
    product = (model.transform(queries) @ model.transform(texts).T).toarray()
    for i, query in enumerate(queries):
        for j, text in enumerate(texts):
            left, right = (set(ngrams(t, smallest, smallest + more)) & known for t in (query, text))
            assert product[i, j] == len(left & right)


def test_tfidf_is_the_cosine_of_weighted_ngrams():
    texts = ["a b c", "a b d", "c d", "d d a b", "", "e"]
    model = NGramOverlap((1, 2), "tfidf", analyzer="word").fit(texts)
    assert model.measure == "cosine"
    counted = [ngrams(text, 1, 2) for text in texts]
    idf = {g: max(0.0, math.log(6 / (sum(g in c for c in counted) + 1))) for c in counted for g in c}
    rows = [{g: n * idf[g] for g, n in c.items()} for c in counted]

    def by_hand(left, right):
        lengths = [math.sqrt(sum(x * x for x in row.values())) for row in (left, right)]
        return sum(x * right.get(g, 0) for g, x in left.items()) / math.prod(lengths) if all(lengths) else 0

    found = cosine(model.transform(texts), model.transform(texts))
    np.testing.assert_allclose(found, [[by_hand(x, y) for y in rows] for x in rows], atol=1e-12)


def test_the_measure_follows_the_weighting():
    model = NGramOverlap()
    assert (model.measure, model.reads) == ("dot", "texts")
    assert model.set_params(weighting="tfidf").measure == "cosine"
    assert clone(model).measure == "cosine"


def test_stems_overlap_and_repeated_words_count_once():
    model = NGramOverlap((1, 1)).fit(["banks banks of rivers"])
    product = (
        model.transform(["a bank and a bank by a river"]) @ model.transform(["banks banks of rivers"]).T
    ).toarray()
    assert product.tolist() == [[2.0]]


def test_rare_ngrams_can_be_dropped_and_a_new_text_may_be_empty():
    model = NGramOverlap((1, 2), analyzer="word", min_count=2)
    step = last(model.steps(["a b", "a b", "c"]))
    assert model.corpus_.vocabulary.tolist() == ["a", "a b", "b"]
    assert step.message == "3 sentences, 3 n-grams"
    assert model.transform(["", "c c", "b"]).toarray().tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 1]]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="weighting must be 'overlap' or 'tfidf', got 'idf'"):
        NGramOverlap(weighting="idf").fit(["a"])
    with pytest.raises(ValueError, match="ngram_range must be two whole numbers"):
        NGramOverlap(ngram_range=(2, 1)).fit(["a b"])
    with pytest.raises(TypeError, match="texts must be a list"):
        NGramOverlap().fit("a b")
    with pytest.raises(TypeError, match="text number 0"):
        NGramOverlap().fit(np.ones((2, 2)))
    with pytest.raises(NotFittedError):
        NGramOverlap().transform(["a"])
    with pytest.raises(TypeError, match="NGramOverlap has nothing to keep in a file"):
        NGramOverlap().fit(["a"]).save("model.npz")

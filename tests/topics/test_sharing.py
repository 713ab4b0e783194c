"""Topics on their way out."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.topics import LDA, GaussianLDA, topic_data
from semwork.topics.sharing import for_pyldavis, for_topicwizard, proportion_table, topic_table

DATA = topic_data("planted")


@pytest.fixture(scope="module", params=["LDA", "Gaussian LDA"])
def model(request):
    if request.param == "LDA":
        return LDA(4, random_state=0, max_sweeps=10).fit(DATA.documents)
    return GaussianLDA(4, random_state=0, max_sweeps=10).fit(DATA.documents, vectors=DATA.vectors)


def test_what_pyldavis_asks_for_holds(model):
    # The conditions of pyLDAvis' own _input_check.
    given = for_pyldavis(model)
    topics, words = given["topic_term_dists"].shape
    documents = len(given["doc_lengths"])
    assert given["doc_topic_dists"].shape == (documents, topics)
    assert len(given["vocab"]) == len(given["term_frequency"]) == words
    for name in ("topic_term_dists", "doc_topic_dists"):
        np.testing.assert_allclose(given[name].sum(axis=1), 1, atol=1e-9)
    assert given["term_frequency"].sum() == given["doc_lengths"].sum() == sum(map(len, DATA.documents))
    assert (given["doc_lengths"] > 0).all()


def test_what_topicwizard_asks_for_holds(model):
    given = for_topicwizard(model, DATA.texts)
    documents, topics, words = len(DATA), 4, len(model.vocabulary_)
    assert given["document_term_matrix"].shape == (documents, words)
    assert given["document_topic_matrix"].shape == (documents, topics)
    assert given["topic_term_matrix"].shape == (topics, words)
    assert len(given["topic_names"]) == topics
    counted = np.zeros((documents, words))
    for row, tokens in enumerate(model.tokens_):
        np.add.at(counted[row], tokens, 1)
    np.testing.assert_array_equal(given["document_term_matrix"].toarray(), counted)


def test_tables_are_tidy_and_add_up(model):
    topics = topic_table(model, n=len(model.vocabulary_))
    assert topics.groupby("topic")["tokens"].sum().tolist() == model.topic_sizes_.tolist()
    assert (topics.groupby("topic")["size"].first() == model.topic_sizes_).all()
    shares = proportion_table(model, index=[f"d{row}" for row in range(len(DATA))])
    np.testing.assert_allclose(shares.groupby("document")["share"].sum(), 1)
    assert shares["document"].iloc[[0, -1]].tolist() == ["d0", f"d{len(DATA) - 1}"]


def test_wrong_numbers_of_names_and_texts_are_said(model):
    with pytest.raises(ValueError, match="index has 2 names; the model was fitted on 120 documents"):
        proportion_table(model, ["a", "b"])
    with pytest.raises(ValueError, match="texts has one string; give one for each of the 120 documents"):
        for_topicwizard(model, "abc")
    with pytest.raises(TypeError, match="give a fitted LDA or GaussianLDA"):
        topic_table("LDA")

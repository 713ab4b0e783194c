"""Both topic models side by side, sweep by sweep."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.topics import GaussianLDA, NormalInverseWishart, coherence, topic_data
from semwork.topics.study import TopicStudy, purity

SETTINGS = {"alpha": 0.1, "psi": 100.0, "nu": 152.0, "max_sweeps": 15}


@pytest.fixture(scope="module")
def study():
    return TopicStudy(topic_data("sample"))


@pytest.fixture(scope="module")
def end(study):
    return last(study.steps(12, **SETTINGS))


def test_a_step_keeps_every_sweep_and_the_plane_stays(end):
    assert end.done == end.total == len(end.sweeps) == len(end.history) == 15
    assert end.at(None) is end.at(15) is end.at(99) is end.sweeps[-1]
    assert end.at(0) is end.at(1) is end.sweeps[0]
    assert not np.allclose(end.sweeps[0].means, end.sweeps[-1].means)
    assert set(end.words["word"]) == set(end.study.data.vectors.index)
    assert end.words["tokens"].sum() == end.study.data.tokens


def test_it_is_the_model_of_the_package(end, study):
    prior = NormalInverseWishart(psi=100.0, nu=152.0)
    model = GaussianLDA(12, "precision", 0.1, prior, max_sweeps=15, random_state=0)
    model.fit(study.documents, study.data.vectors)
    now = end.at(None)
    assert now.found.sizes.tolist() == model.topic_sizes_.tolist()
    assert [list(words) for words in now.found.top_words] == model.top_words(15)
    assert np.allclose(end.proportions(), model.document_topics_)
    assert now.found.coherence == pytest.approx(coherence(model.top_words(15), study.documents).mean)


def test_the_likelihood_rises_and_topics_are_purer_than_those_of_lda(end):
    history = end.history
    assert history["log_likelihood"].iloc[-1] > history["log_likelihood"].iloc[0] + 1
    assert history["purity"].iloc[-1] > history["lda purity"].iloc[-1] + 0.1


def test_words_documents_and_one_document_belong_together(end):
    words = end.topic_words(3)
    assert words["word"].tolist() == list(end.at(None).found.top_words[3])
    tokens = end.words.set_index("word")["tokens"]
    assert (words["here"] + words["elsewhere"]).tolist() == tokens[words["word"]].tolist()
    assert (words["here"] > words["elsewhere"]).mean() > 0.5
    documents = end.documents(3, n=5)
    assert documents["share"].is_monotonic_decreasing
    best = int(documents["document"][0])
    one = end.document(best)
    assert one["topic"][0] == 3
    assert one["share"][0] == documents["share"][0]
    assert one["share"].sum() == pytest.approx(1)
    assert one["tokens"].sum() == len(end.study.documents[best])
    assert documents["text"][0] == end.study.texts[best]


def test_a_finished_run_is_shown_at_once_and_few_are_kept(end, study):
    again = list(study.steps(12, **SETTINGS))
    assert again == [end]
    assert again[0] is end
    for seed in range(1, 14):
        last(study.steps(2, seed=seed, max_sweeps=1))
    assert len(study._finished) == 12
    half = study.steps(3, max_sweeps=5)
    next(half)
    half.close()
    assert not any(key[0] == 3 for key in study._finished), "a run that was stopped is no finished run"


def test_a_topic_may_be_empty():
    study = TopicStudy(topic_data("sample"))
    end = last(study.steps(4, psi=1000.0, nu=152.0, max_sweeps=10))
    sizes = end.at(None).found.sizes
    assert (sizes == 0).any()
    empty = int(np.flatnonzero(sizes == 0)[0])
    assert end.topic_words(empty).empty
    assert np.isfinite(end.history.to_numpy()).all()


def test_a_part_leaves_a_reference_and_a_limit_is_kept():
    data = topic_data("sample")
    study = TopicStudy(data, "training", limit=50)
    assert len(study.documents) == len(study.texts) == len(study.labels) == 50
    assert len(study.reference) == len(data) - data.training.sum()
    assert len(TopicStudy(data).reference) == len(data)
    with pytest.raises(ValueError, match="part is 'test'; choose 'all' or 'training'"):
        TopicStudy(data, "test")


def test_wrong_numbers_are_said(end):
    with pytest.raises(ValueError, match="no topic 12; there are 0 to 11"):
        end.documents(12)
    with pytest.raises(ValueError, match="no document 400; there are 0 to 399"):
        end.document(400)


def test_purity_of_one_topic_is_the_share_of_the_largest_class():
    labels = np.array(["a", "a", "b", "c"])
    assert purity(np.ones((4, 1)), labels) == 0.5
    assert purity(np.eye(4), labels) == 1.0

"""Both topic models side by side, sweep by sweep."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.steps import last
from semwork.studies import GaussianTopics, TopicsSettings
from semwork.studies.topic_tasks import TOPIC_DOCUMENTS
from semwork.topics import GaussianLDA, NormalInverseWishart, coherence, topic_data

SETTINGS = TopicsSettings(sweeps=15)


@pytest.fixture(scope="module")
def study():
    return GaussianTopics(topic_data("sample"))


@pytest.fixture(scope="module")
def end(study):
    return last(study.steps(SETTINGS))


def test_a_step_keeps_every_sweep_and_the_plane_stays(study, end):
    assert end.done == end.total == len(end.sweeps) == len(study.table(end)) == 15
    assert end.at(None) is end.at(15) is end.at(99) is end.sweeps[-1]
    assert end.at(0) is end.at(1) is end.sweeps[0]
    assert not np.allclose(end.sweeps[0].means, end.sweeps[-1].means)
    assert set(end.words["word"]) == set(study.data.vectors.index)
    assert end.words["tokens"].sum() == study.data.tokens


def test_it_is_the_model_of_the_package(end, study):
    prior = NormalInverseWishart(psi=100.0, nu=152.0)
    model = GaussianLDA(12, "precision", 0.1, prior, max_sweeps=15, random_state=0)
    model.fit(study.data.documents, study.data.vectors)
    now = end.at(None)
    assert now.found.sizes.tolist() == model.topic_sizes_.tolist()
    assert [list(words) for words in now.found.top_words] == model.top_words(15)
    assert np.allclose(study.proportions(end), model.document_topics_)
    assert now.found.coherence == pytest.approx(coherence(model.top_words(15), study.data.documents).mean)


def test_the_likelihood_rises_and_topics_are_purer_than_those_of_lda(study, end):
    history = study.table(end)
    assert history["log_likelihood"].iloc[-1] > history["log_likelihood"].iloc[0] + 1
    assert history["purity"].iloc[-1] > history["lda purity"].iloc[-1] + 0.1


def test_words_documents_and_one_document_belong_together(study, end):
    words = study.words(end, 3)
    assert words["word"].tolist() == list(end.at(None).found.top_words[3])
    tokens = end.words.set_index("word")["tokens"]
    assert (words["here"] + words["elsewhere"]).tolist() == tokens[words["word"]].tolist()
    assert (words["here"] > words["elsewhere"]).mean() > 0.5
    documents = study.documents(end, 3, n=5)
    assert documents["share"].is_monotonic_decreasing
    best = int(documents["document"][0])
    one = study.document(end, best)
    assert one["topic"][0] == 3
    assert one["share"][0] == documents["share"][0]
    assert one["share"].sum() == pytest.approx(1)
    assert one["tokens"].sum() == len(study.data.documents[best])
    assert documents["text"][0] == study.data.texts[best]


def test_a_finished_run_is_shown_at_once_and_few_are_kept(end, study):
    [again] = study.steps(SETTINGS)
    assert again is end
    for seed in range(1, 14):
        last(study.steps(TopicsSettings(n_topics=2, seed=seed, sweeps=1)))
    assert len(study._finished) == 12
    half = study.steps(TopicsSettings(n_topics=3, sweeps=5))
    next(half)
    half.close()
    assert not any(known.n_topics == 3 for known in study._finished), "a run that was stopped is no finished run"


def test_a_topic_may_be_empty(study):
    end = last(study.steps(TopicsSettings(n_topics=4, psi=1000.0, sweeps=10)))
    sizes = end.at(None).found.sizes
    assert (sizes == 0).any()
    empty = int(np.flatnonzero(sizes == 0)[0])
    assert study.words(end, empty).empty
    assert np.isfinite(study.table(end).to_numpy()).all()


def test_a_part_leaves_a_reference_and_a_limit_is_kept():
    data = topic_data("sample")
    part = GaussianTopics(data.limited(50).for_training())
    assert part.facts["documents"] == len(part.data.texts) == len(part.data.labels) == 50
    assert len(part.judge.reference) == len(data) - data.training.sum()
    assert len(GaussianTopics(data).judge.reference) == len(data)
    whole = data.for_training()
    assert whole.documents == [words for words, ours in zip(data.documents, data.training, strict=True) if ours]
    assert set(map(tuple, part.data.documents)) <= set(map(tuple, whole.documents))
    assert data.limited(10_000) is data


def test_what_pictures_are_drawn_from_belongs_to_the_sweep(study, end):
    plane = study.plane(end, 3, 5)
    assert plane.title == f"After sweep 3: topic 5 has {end.at(3).found.sizes[5]:,} tokens"
    assert plane.topics["tokens"].sum() == plane.topics["final_tokens"].sum() == study.data.tokens
    assert plane.topics["words"][5] == end.at(3).found.top_words[5]
    assert plane.words["topic"].tolist() == end.at(3).word_topics.tolist()
    assert study.plane(end, 99).title.startswith("After sweep 15:")
    curves = study.curves(end, 3)
    assert (curves.sweep, curves.end) == (3, 15)
    assert f"coherence {end.at(3).found.coherence:.3f}" in curves.title
    one = study.one_document(end, 17, 3).shares
    assert one["end"].tolist() == study.proportions(end)[17, one["topic"]].tolist()


def test_settings_are_those_that_are_good_for_the_data():
    planted = TopicsSettings.good_for("planted")
    assert (planted.n_topics, planted.psi, planted.strength, planted.alpha) == (5, 3.0, 1, 0.3)
    part = TopicsSettings.good_for("newsgroups part")
    assert (part.n_topics, part.psi, part.strength, part.alpha) == (30, 3.0, 0, 0.1)
    assert list(TOPIC_DOCUMENTS.sources) == ["sample", "planted", "newsgroups part", "newsgroups"]
    assert TOPIC_DOCUMENTS.sources["newsgroups part"].origin.code == (
        "topic_data('newsgroups').limited(2000).for_training()"
    )


def test_wrong_numbers_are_said(study, end):
    for question in (study.one_topic, study.words, study.documents):
        assert question(end, 11) is not None
        with pytest.raises(ValueError, match="there is no topic 12; there are 0 to 11"):
            question(end, 12)
    for question in (study.one_document, study.document):
        assert question(end, 399) is not None
        with pytest.raises(ValueError, match="there is no document 400; there are 0 to 399"):
            question(end, 400)
    with pytest.raises(ValueError, match="there is no topic 99; there are 0 to 11"):
        study.plane(end, topic=99)
    with pytest.raises(ValueError, match="there is no topic 12"):
        study.one_document(end, 0, topic=12)
    with pytest.raises(ValueError, match="topic is -1; here it can be 0 to"):
        study.words(end, -1)

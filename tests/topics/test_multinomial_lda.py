"""LDA with the interface of Gaussian LDA."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammaln

from semwork.datasets.records import WordVectors
from semwork.gibbs import Sampler
from semwork.text import Corpus
from semwork.topics import LDA, planted

DATA = planted(n_topics=3, alpha=0.1)


def test_an_interrupt_within_a_sweep_leaves_counts_and_topics_of_one_sweep(monkeypatch):
    model = LDA(4, random_state=0)
    steps = model.steps([[0, 1, 2, 3] * 5] * 20)
    next(steps)
    sweep = Sampler.sweep

    def interrupted(sampler):
        sweep(sampler)
        raise KeyboardInterrupt

    monkeypatch.setattr(Sampler, "sweep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(steps)
    assert model.topic_sizes_.tolist() == np.bincount(np.concatenate(model.assignments_), minlength=4).tolist()
    np.testing.assert_allclose(model.document_topics_.sum(axis=1), 1)


def test_planted_topics_are_found():
    models = [LDA(3, alpha=0.1, max_sweeps=60, random_state=seed).fit(DATA.documents) for seed in range(3)]
    model = max(models, key=lambda each: each.log_joint_path_[-1])
    assert DATA.agreement(model.assignments_) > 0.95
    for words in model.top_words(10):
        assert len(set(DATA.word_topics[words].tolist())) == 1


def test_assignments_belong_to_the_tokens_and_counts_agree():
    model = LDA(3, max_sweeps=4, random_state=0)
    for step in model.steps(DATA.documents):
        words, topics = np.concatenate(model.tokens_), np.concatenate(model.assignments_)
        table = np.zeros_like(model.topic_word_counts_)
        np.add.at(table, (topics, words), 1)
        assert np.array_equal(table, model.topic_word_counts_)
        assert step.table == "none"
    assert np.array(model.vocabulary_)[model.tokens_[1]].tolist() == DATA.documents[1].tolist()
    rows = np.stack([np.bincount(z, minlength=3) for z in model.assignments_]) + 1 / 3
    np.testing.assert_allclose(model.document_topics_, rows / rows.sum(axis=1, keepdims=True))


def test_log_joint_is_the_collapsed_one():
    model = LDA(2, alpha=0.3, beta=0.2, max_sweeps=1, random_state=0).fit([[0, 1, 1], [2, 0]])
    expected = 0.0
    for z in model.assignments_:
        n = np.bincount(z, minlength=2)
        expected += gammaln(0.6) - gammaln(len(z) + 0.6) + (gammaln(n + 0.3) - gammaln(0.3)).sum()
    for row in model.topic_word_counts_:
        expected += gammaln(0.6) - gammaln(row.sum() + 0.6) + (gammaln(row + 0.2) - gammaln(0.2)).sum()
    assert model.log_joint_path_[0] == pytest.approx(expected / 5)


def test_texts_transform_and_unknown_words():
    texts = ["cat dog", "dog cat cat", "bank loan", "loan bank"] * 4
    model = LDA(2, max_sweeps=40, random_state=0).fit(Corpus.from_texts(texts, weighting="count"))
    shares = model.transform(["cat dog cat zebra", "bank", "zebra"])
    assert shares[0].argmax() != shares[1].argmax()
    np.testing.assert_allclose(shares[2], 0.5)
    assert model.topic_word_density(["cat"]).shape == (2, 1)
    with pytest.raises(KeyError, match="zebra"):
        model.topic_word_density(["zebra"])


def test_given_vectors_only_say_which_words_are_known():
    words = WordVectors("small", ["cat", "bank"], np.eye(2, dtype=np.float32))
    model = LDA(2, max_sweeps=2, random_state=0).fit(["cat dog", "bank dog"], words)
    assert model.unknown_words_ == {"dog": 2}
    assert model.vocabulary_ == ["bank", "cat"]


def test_same_seed_same_result_and_files(tmp_path):
    one, two = (LDA(3, max_sweeps=5, random_state=2).fit(DATA.documents) for _ in range(2))
    assert one.log_joint_path_ == two.log_joint_path_
    back = LDA.load(one.save(tmp_path / "lda.npz"))
    assert np.array_equal(back.topic_word_, one.topic_word_)
    assert np.array_equal(back.transform(DATA.documents[:3]), one.transform(DATA.documents[:3]))
    assert np.array_equal(back.document_topics_, one.document_topics_)
    from semwork.topics import GaussianLDA

    with pytest.raises(ValueError, match=r"holds a LDA, version 1; GaussianLDA\.load reads a GaussianLDA"):
        GaussianLDA.load(tmp_path / "lda.npz")


@pytest.mark.parametrize(
    ("parameters", "documents", "said"),
    [
        ({"n_topics": 0}, [[0]], "n_topics must be"),
        ({"alpha": 0.0}, [[0]], "alpha must be a number above 0"),
        ({"beta": -1}, [[0]], "beta must be"),
        ({"n_topics": 40_000}, [[0]], "has room for 32767"),
        ({}, [[], []], "there is no token in 2 documents"),
        ({}, [[-1]], "0 or more"),
    ],
)
def test_bad_input(parameters, documents, said):
    with pytest.raises(ValueError, match=said):
        LDA(**parameters).fit(documents)

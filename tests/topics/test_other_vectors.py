"""Topics with other vectors than those that come with the data."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.datasets import WordVectors, register, remove
from semwork.steps import last
from semwork.studies import GaussianTopics
from semwork.studies.gaussian_topics import TopicsSettings
from semwork.topics.data import topic_data

SAMPLE = topic_data("sample")
FEW = WordVectors(
    "few", SAMPLE.vectors.words[::3], np.random.default_rng(0).normal(size=(len(SAMPLE.vectors.words[::3]), 4))
)


def test_words_without_a_vector_are_left_out_and_documents_stay():
    found = SAMPLE.with_vectors(FEW)
    assert len(found) == len(SAMPLE)
    assert {word for words in found.documents for word in words} == set(FEW.words)
    kept = [[word for word in words if word in FEW.index] for words in SAMPLE.documents]
    assert found.documents == kept


def test_vectors_of_another_language_are_said():
    greek = WordVectors("greek", ["λόγος", "ήλιος"], np.eye(2))
    with pytest.raises(ValueError, match=r"greek has vectors for 0 of the .* words of sample; 8 are needed"):
        SAMPLE.with_vectors(greek)


def test_a_study_takes_own_vectors_by_name():
    register("my few vectors", FEW, keep=False, replace=True)
    try:
        study = GaussianTopics.on("sample", vectors="my few vectors")
        assert study.facts["dimensions"] == 4
        good = TopicsSettings.good_for("sample", "my few vectors", known=study.facts, own=True)
        assert good.psi == pytest.approx(100 * study.facts["square"], rel=0.05)
        end = last(study.steps(TopicsSettings(sweeps=20, n_topics=3, psi=good.psi)))
        assert np.isfinite(end.sweeps[-1].log_likelihood)
    finally:
        remove("my few vectors")

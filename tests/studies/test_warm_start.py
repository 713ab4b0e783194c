"""Where a warm study begins: at its last solution, unless that leads nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.similarity import LSA, WTMF
from semwork.steps import last
from semwork.studies import MissingWords, OwnSentences, PairAgreement, ParaphraseThreshold, RetrievalRace
from semwork.studies.warm_start import WarmStart, usable_start

DEADLY = 1000.0  # a penalty that pulls every dimension to zero


def components(size=5):
    return np.random.default_rng(0).standard_normal((size, 30))


def fitted(rows):
    model = WTMF(len(rows))
    model.components_ = rows
    return model


def test_components_that_have_lost_a_dimension_are_no_start():
    good = components()
    assert usable_start(good) is good
    assert usable_start(good * 1e-3).shape == good.shape, "small ones can grow again"
    assert usable_start(None) is None
    dead = good.copy()
    dead[2] = 0
    assert usable_start(dead) is None
    twice = good.copy()
    twice[2] = twice[1]
    assert usable_start(twice) is None


def test_only_a_warm_wtmf_goes_on_and_only_wtmf_is_remembered():
    start, good = WarmStart(), components()
    assert start.options(WTMF(5), warm=True) == {}
    start.keep(fitted(good))
    other = LSA(5)
    other.components_ = -good
    start.keep(other)
    assert start.options(WTMF(5), warm=True)["start"] is good
    assert start.options(WTMF(5), warm=False) == start.options(other, warm=True) == {}
    start.keep(fitted(np.zeros((5, 30))))
    assert start.options(WTMF(5), warm=True) == {}, "the last solution leads nowhere"


def similarity(study, step):
    left, right = "The nurse gave the sick child some medicine.", "A doctor treats a young patient."
    return study.similar(step, left, right).similarities["WTMF"]


# What a step tells of the model that was fitted.
STUDIES = {
    PairAgreement: lambda _, step: step.predicted,
    ParaphraseThreshold: lambda _, step: step.predicted,
    OwnSentences: similarity,
    MissingWords: lambda _, step: step.model_vector[["R_o", "R_m"]].to_numpy(),
    RetrievalRace: lambda _, step: step.rankings["WTMF"].ranks,
}


@pytest.mark.parametrize("study", STUDIES)
def test_after_a_penalty_that_kills_every_dimension_a_warm_study_begins_anew(study):
    cold, warm = study.on("sample"), study.on("sample")
    warm.warm = True
    others = {"models": ()} if study is RetrievalRace else {}
    settings = study.settings(n_components=10, **others)
    last(warm.steps(study.settings(n_components=10, regularization=DEADLY, **others)))
    here, there = ((one, last(one.steps(settings))) for one in (warm, cold))
    np.testing.assert_allclose(STUDIES[study](*here), STUDIES[study](*there), rtol=1e-6)

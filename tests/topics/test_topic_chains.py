"""Chains side by side, their diagnostics, topics matched and drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest

from semwork.topics import LDA, GaussianLDA, bulk_ess, match_topics, planted, r_hat, run_chains, topic_map
from semwork.topics.chains import _extreme
from semwork.topics.diagnostics import co_assignment, token_pairs

DATA = planted(n_topics=3, n_dimensions=3)


def chains(n_jobs, model=None, **given):
    model = model or GaussianLDA(3, "precision", burn_in=10, random_state=0)
    return list(run_chains(model, DATA.documents, DATA.vectors, chains=3, n_jobs=n_jobs, max_sweeps=25, **given))


def test_chains_are_those_of_single_models_and_threads_change_nothing():
    alone, together = chains(1), chains(2)
    assert len(alone) == 25
    for one, two in zip(alone, together, strict=True):
        assert [step.log_joint for step in one.steps] == [step.log_joint for step in two.steps]
        assert one.r_hat == two.r_hat or np.isnan(one.r_hat)
    model = together[-1].models[1]
    repeated = GaussianLDA(**(model.get_params() | {"max_sweeps": 25})).fit(DATA.documents, DATA.vectors)
    assert repeated.log_joint_path_ == model.log_joint_path_
    paths = {tuple(each.log_joint_path_) for each in together[-1].models}
    assert len(paths) == 3
    assert [together[place].kept for place in (0, 9, 10, 18, 24)] == [1, 5, 1, 9, 15]


def test_chains_in_one_mode_agree_and_chains_in_two_do_not():
    random = np.random.default_rng(0)
    draws = random.standard_normal((4, 200))
    assert r_hat(draws) < 1.02
    assert 600 < bulk_ess(draws) < 1100
    assert r_hat(draws + 3 * np.arange(4)[:, None]) > 1.5
    slow = np.cumsum(draws, axis=1)
    assert bulk_ess(slow) < 60
    assert np.isnan(r_hat(np.ones((2, 10))))
    assert np.isnan(bulk_ess(draws[:, :3]))


def test_the_record_judges_by_numbers_that_know_no_names_of_topics():
    step = chains(1)[-1]
    draws = np.array([model.log_joint_path_[10:] for model in step.models])
    assert step.r_hat == r_hat(draws)
    assert step.ess == bulk_ess(draws)
    assert "R-hat" in step.message


def test_chains_that_are_stuck_apart_are_not_forgotten():
    stuck = r_hat(np.array([[0.0] * 20, [1.0] * 20]))
    assert stuck == np.inf
    assert _extreme([1.0, stuck, np.nan], np.max) == np.inf
    assert np.isnan(_extreme([np.nan], np.max))


def test_pairs_of_tokens():
    starts = np.array([0, 5, 5, 12])
    pairs = token_pairs(starts, 40)
    owner = np.searchsorted(starts, pairs, side="right") - 1
    assert (owner[::2, 0] == owner[::2, 1]).all()
    assert pairs.min() >= 0
    assert pairs.max() < 12
    topics = np.array([0, 0, 1])
    assert co_assignment(topics, np.array([[0, 1], [0, 2]])).tolist() == [True, False]
    assert co_assignment(1 - topics, np.array([[0, 1], [0, 2]])).tolist() == [True, False]


def test_chains_of_lda():
    last = chains(2, LDA(3, burn_in=10, random_state=0))[-1]
    assert len(last.models) == 3
    assert last.kept == 15


def test_topics_are_matched_through_another_order():
    model = chains(1)[-1].models[0]
    order = np.array([2, 0, 1])
    found = match_topics(model, model.means_[order])
    assert order[found["matched"]].tolist() == [0, 1, 2]
    assert found["distance"].max() == 0
    lda = LDA(3, max_sweeps=5, random_state=0).fit(DATA.documents)
    assert match_topics(lda, lda)["matched"].tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="the same space"):
        match_topics(np.eye(2), np.eye(3))


def test_the_map_shows_topics_where_their_words_are():
    model = GaussianLDA(3, "precision", max_sweeps=30, random_state=0).fit(DATA.documents, DATA.vectors)
    found = topic_map(model, radius=2.0)
    assert len(found.words) == len(model.vocabulary_)
    np.testing.assert_allclose(found.axes @ found.axes.T, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(found.points(model.means_), found.means)
    for k in range(3):
        apart = found.outlines[k] - found.means[k]
        distance = np.einsum("ni,ij,nj->n", apart, np.linalg.inv(found.covariances[k]), apart)
        np.testing.assert_allclose(distance, 4.0)  # the square of the radius
        np.testing.assert_allclose(found.covariances[k], found.axes @ model.covariances_[k] @ found.axes.T)
    inside = found.words[found.words["topic"] == 0]
    assert np.linalg.norm(inside[["x", "y"]].mean().to_numpy() - found.means[0]) < 1.0
    kept = topic_map(GaussianLDA(3, max_sweeps=1, random_state=1).fit(DATA.documents, DATA.vectors), axes_of=found)
    assert np.array_equal(kept.axes, found.axes)
    with pytest.raises(ValueError, match="3 dimensions"):
        topic_map(model, np.eye(2))


def test_the_map_of_one_dimension():
    data = planted(n_topics=2, n_dimensions=1)
    model = GaussianLDA(2, max_sweeps=5, random_state=0).fit(data.documents, data.vectors)
    found = topic_map(model)
    assert (found.words["y"] == 0).all()
    assert np.isfinite(found.outlines).all()


def test_bad_input():
    with pytest.raises(ValueError, match="chains must be"):
        next(run_chains(GaussianLDA(2), DATA.documents, DATA.vectors, chains=0))
    with pytest.raises(ValueError, match="n_jobs must be"):
        next(run_chains(GaussianLDA(2), DATA.documents, DATA.vectors, n_jobs=0))


@pytest.mark.parametrize("measure", [r_hat, bulk_ess])
def test_draws_may_be_lists_and_what_is_no_table_of_chains_is_said(measure):
    draws = np.random.default_rng(0).standard_normal((2, 50))
    assert measure(draws.tolist()) == measure(draws)
    allowed = "draws must be numbers in rows, one row for each chain, all of one length"
    for wrong, said in (
        (draws[0], "; its shape is 50: write [chain] for one chain"),
        (draws[0].tolist(), "; its shape is 50: write [chain] for one chain"),
        (np.zeros((0, 50)), "; its shape is 0 × 50"),
        ([], "; its shape is 0"),
        (draws[None], "; its shape is 1 × 2 × 50"),
        (3.0, "; its shape is a single number"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(allowed + said)}$"):
            measure(wrong)
    for wrong in ([draws[0].tolist(), [1.0, 2.0]], [["a", "b"]], None):
        with pytest.raises((TypeError, ValueError), match=re.escape(allowed)):
            measure(wrong)
    assert np.isnan(measure(np.zeros((2, 0))))

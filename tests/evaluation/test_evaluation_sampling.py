"""The paper's sample of candidates: right on average, and as far off as it says."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.evaluation import Ranking, rank, sample_candidates, sampled

SIMILARITY = np.random.default_rng(1).integers(0, 8, (40, 60)).astype(float)  # many ties
ONE = rank(SIMILARITY, np.arange(40))
SEVERAL = rank(SIMILARITY, [[q] if q % 2 else [q, q + 7, q + 13] for q in range(40)])


@pytest.mark.parametrize("ranking", [ONE, SEVERAL])
def test_the_sample_is_right_on_average_and_as_far_off_as_said(ranking):
    found = sampled(ranking, size=10, repeats=4000, random_state=0)
    assert found.exact == ranking.atop
    assert found.atop == pytest.approx(found.values.mean())
    assert abs(found.difference) < 4 * found.standard_error
    # The formula for one sample against the spread of 4000 of them, whose own error is about 1 %.
    assert found.values.std() == pytest.approx(found.standard_error * np.sqrt(4000), rel=0.06)


def test_counts_in_a_sample_are_those_of_drawing_candidates():
    exact = Ranking.from_counts([3], [4], [0], n_candidates=13, n_queries=1)
    kinds = np.repeat([1.0, 0.5, 0.0], [3, 4, 5])
    rng = np.random.default_rng(0)
    drawn = [1 + rng.choice(kinds, 5, replace=False).sum() for _ in range(4000)]
    ours = [sample_candidates(exact, 6, rng).ranks[0] for _ in range(4000)]
    levels = np.arange(1, 6.5, 0.5)
    shares = [np.mean(np.asarray(ranks)[:, None] == levels, axis=0) for ranks in (ours, drawn)]
    np.testing.assert_allclose(shares[0], shares[1], atol=0.04)


def test_a_sample_is_a_ranking_of_its_own():
    small = sample_candidates(SEVERAL, 10, random_state=3)
    assert (small.n_candidates, small.n_queries) == (10, 40)
    np.testing.assert_array_equal(small.query, SEVERAL.query)
    assert small.topk(1.0) == 1


def test_a_sample_of_all_candidates_is_exact():
    np.testing.assert_array_equal(sample_candidates(SEVERAL, 60).ranks, SEVERAL.ranks)
    found = sampled(SEVERAL, 60)
    assert (found.difference, found.standard_error) == (0, 0)


def test_larger_samples_err_less():
    errors = [sampled(ONE, size).standard_error for size in (2, 10, 30, 59)]
    assert errors == sorted(errors, reverse=True)
    assert min(errors) > 0


def test_the_seed_decides():
    assert sampled(ONE, 10, random_state=5).atop == sampled(ONE, 10, random_state=5).atop
    assert sampled(ONE, 10, random_state=5).atop != sampled(ONE, 10, random_state=6).atop


@pytest.mark.parametrize(("size", "repeats", "words"), [(1, 1, "from 2 to 60"), (61, 1, "exact"), (10, 0, "repeats")])
def test_impossible_samples_are_refused(size, repeats, words):
    with pytest.raises(ValueError, match=words):
        sampled(ONE, size, repeats)

"""The search in blocks against all similarities at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import rankdata

from semwork.similarity import search
from semwork.similarity.search import nearest, pairwise, rank, rank_steps

KINDS = ["float32", "float64", "sparse"]
MEASURES = ["cosine", "dot"]


def rows_of(seed, count, width=12, kind="float64"):
    """Few different whole numbers, so that there are ties; some rows are all zero."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 3, (count, width)) * (rng.random((count, width)) < 0.4)
    return sparse.csr_array(rows.astype(float)) if kind == "sparse" else rows.astype(kind)


def dense(rows):
    return np.asarray(rows.toarray() if sparse.issparse(rows) else rows, dtype=float)


def all_similarities(left, right, measure):
    left, right = dense(left), dense(right)
    if measure == "cosine":
        left, right = (side / np.linalg.norm(side, axis=1, keepdims=True).clip(1e-300) for side in (left, right))
    return left @ right.T


def brute_force(queries, candidates, targets, measure):
    """Mid-ranks of all targets; similarities that differ only by rounding are the same."""
    similar = all_similarities(queries, candidates, measure).round(9)
    return np.concatenate(
        [rankdata(-row, method="average")[np.atleast_1d(own)] for row, own in zip(similar, targets, strict=True)]
    )


@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(MEASURES), st.integers(1, 4))
def test_ranks_are_those_of_a_full_sort(seed, kind, measure, most):
    rng = np.random.default_rng(seed)
    queries, candidates = rows_of(seed, 9, kind=kind), rows_of(seed + 1, 40, kind=kind)
    targets = [rng.choice(40, rng.integers(1, most + 1), replace=False) for _ in range(9)]
    found = rank(queries, candidates, targets, measure=measure)
    np.testing.assert_array_equal(found.ranks, brute_force(queries, candidates, targets, measure))
    np.testing.assert_array_equal(found.query, np.repeat(np.arange(9), [len(own) for own in targets]))
    assert (found.n_queries, found.n_candidates) == (9, 40)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_more_queries_than_one_step_more_candidates_than_one_tile_any_number_of_threads(kind, measure, n_jobs):
    queries, candidates = rows_of(1, 2 * search._PER_STEP + 70, kind=kind), rows_of(2, search._TILE + 300, kind=kind)
    targets = np.random.default_rng(0).integers(0, candidates.shape[0], queries.shape[0])
    steps = list(rank_steps(queries, candidates, targets, measure=measure, n_jobs=n_jobs))
    total = queries.shape[0]
    assert [step.done for step in steps] == [search._PER_STEP, 2 * search._PER_STEP, total]
    assert {step.total for step in steps} == {total}
    assert [step.ranking is None for step in steps] == [True, True, False]
    np.testing.assert_array_equal(steps[-1].ranking.ranks, brute_force(queries, candidates, targets, measure))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("kind", ["float32", "float64", "sparse"])
def test_copies_of_a_candidate_tie_wherever_they_stand(measure, scale, kind):
    """Real vectors, whose products are rounded; every row is there three times, at random places."""
    rng = np.random.default_rng(3)
    once = rng.standard_normal((500, 100)) * scale
    order = rng.permutation(1500)
    candidates = np.tile(once, (3, 1))[order]
    queries = rng.standard_normal((300, 100)) * scale
    targets = np.random.default_rng(4).integers(0, 1500, 300)
    make = sparse.csr_array if kind == "sparse" else np.dtype(kind).type
    found = rank(make(queries), make(candidates), targets, measure=measure)
    expected = brute_force(queries / scale, candidates / scale, targets, measure)
    apart = np.abs(found.ranks - expected)
    if kind == "float32":  # different rows may be nearer to each other than float32 can tell
        assert found.tied.min() == 2
        assert np.mean(found.tied == 2) > 0.98
        assert apart.max() <= 3
    else:
        np.testing.assert_array_equal(found.tied, 2)
        assert apart.max() == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("measure", MEASURES)
def test_an_all_zero_query_scores_as_chance(kind, measure):
    queries, candidates = rows_of(0, 5, kind=kind) * 0, rows_of(1, 30, kind=kind)
    np.testing.assert_array_equal(rank(queries, candidates, [0, 7, 8, 20, 29], measure=measure).scores, 0.5)


@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(MEASURES), st.integers(1, 50))
def test_the_nearest_are_the_first_of_a_stable_sort(seed, kind, measure, k):
    queries, candidates = rows_of(seed, 6, kind=kind), rows_of(seed + 1, 40, kind=kind)
    similar = all_similarities(queries, candidates, measure)
    digits = 5 if kind == "float32" else 9
    expected = np.argsort(-similar.round(digits), axis=1, kind="stable")[:, :k]
    places, values = nearest(queries, candidates, k, measure=measure)
    assert places.shape == values.shape == (6, min(k, 40))
    np.testing.assert_allclose(values, np.take_along_axis(similar, places, axis=1), atol=1e-5)
    assert (np.diff(values, axis=1) <= 0).all()
    # Rows that differ but have one cosine may come in either order; copies come in their own.
    np.testing.assert_allclose(
        np.take_along_axis(similar, places, axis=1), np.take_along_axis(similar, expected, axis=1), atol=1e-5
    )
    if measure == "dot":
        np.testing.assert_array_equal(places, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_copies_come_in_their_own_order_in_blocks_of_any_size(kind, monkeypatch):
    rng = np.random.default_rng(5)
    once = rng.standard_normal((200, 70))
    candidates = np.tile(once, (4, 1))
    queries = rng.standard_normal((33, 70))
    make = sparse.csr_array if kind == "sparse" else np.dtype(kind).type
    best = np.argsort(-all_similarities(queries, once, "cosine"), axis=1)[:, :3]
    expected = (best[:, :, None] + 200 * np.arange(4)).reshape(33, 12)
    places, _ = nearest(make(queries), make(candidates), 12)
    np.testing.assert_array_equal(places, expected)
    monkeypatch.setattr(search, "_BLOCK_CELLS", 5 * 800)
    np.testing.assert_array_equal(nearest(make(queries), make(candidates), 12)[0], expected)
    monkeypatch.setattr(search, "_BLOCK_CELLS", 1)
    np.testing.assert_array_equal(nearest(make(queries), make(candidates), 12)[0], expected)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_known_is_nearest_to_the_first(kind):
    places, values = nearest(rows_of(0, 2, kind=kind) * 0, rows_of(1, 9, kind=kind), 3)
    assert places.tolist() == [[0, 1, 2]] * 2
    assert not values.any()


@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(MEASURES))
def test_pairs_are_the_diagonal_of_all_similarities(seed, kind, measure):
    left, right = rows_of(seed, 15, kind=kind), rows_of(seed + 1, 15, kind=kind)
    found = pairwise(left, right, measure=measure)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, np.diag(all_similarities(left, right, measure)), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_no_pairs_and_no_queries_are_no_answers(kind):
    none, some = rows_of(0, 3, kind=kind)[:0], rows_of(0, 3, kind=kind)
    assert pairwise(none, none).shape == (0,)
    assert nearest(none, some, 2)[0].shape == (0, 2)


def test_whole_numbers_and_lists_are_rows_too():
    assert rank([[1, 0]], [[0, 1], [2, 0], [1, 1]], [2], measure="dot").ranks.tolist() == [2.0]
    assert nearest([[1, 0]], [[0, 1], [2, 0], [1, 1]], 2, measure="dot")[1].tolist() == [[2.0, 1.0]]
    assert pairwise([[1, 2]], [[3, 4]], measure="dot").tolist() == [11.0]


GOOD = np.eye(4)


@pytest.mark.parametrize(
    ("queries", "candidates", "words"),
    [
        (np.ones((2, 3)), GOOD, "same number of columns"),
        (np.ones(4), GOOD, "same number of columns"),
        (sparse.csr_array(GOOD), GOOD, "both sparse"),
        (GOOD * np.nan, GOOD, "queries hold NaN"),
        (GOOD, np.where(GOOD, np.inf, 0), "candidates hold NaN"),
    ],
)
def test_rows_that_cannot_be_compared_are_refused_in_words(queries, candidates, words):
    for call in (
        lambda: nearest(queries, candidates, 1),
        lambda: rank(queries, candidates, np.zeros(len(np.atleast_1d(queries.shape[0])), int)),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            call()


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ([0, 1, 2], "4 queries need 4 targets"),
        ([0, 1, 2, 4], "from 0 to 3"),
        ([0, 1, 2, -1], "from 0 to 3"),
        ([0, 1, 2, 2.5], "whole numbers"),
        ([[0], [1], [], [2]], "query 2 has no target"),
        ([[0], [1, 1], [2], [2]], "same target twice"),
    ],
)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_targets_that_cannot_be_are_refused_in_words(targets, words, kind):
    rows = GOOD if kind == "dense" else sparse.csr_array(GOOD)
    with pytest.raises(ValueError, match=words):
        rank(rows, rows, targets)


def test_other_bad_input_is_refused_in_words():
    for k in (0, -3, 1.5, True):
        with pytest.raises(ValueError, match="ask for 1 or more"):
            nearest(GOOD, GOOD, k)
    with pytest.raises(ValueError, match="no candidates"):
        nearest(GOOD, GOOD[:0], 1)
    with pytest.raises(ValueError, match="at least 2 candidates; there are 4 and 1"):
        rank(GOOD, GOOD[:1], [0, 0, 0, 0])
    with pytest.raises(ValueError, match="there are 0 and 4"):
        rank(GOOD[:0], GOOD, [])
    with pytest.raises(ValueError, match="'cosine' or 'dot'"):
        rank(GOOD, GOOD, [0, 1, 2, 3], measure="euclid")
    with pytest.raises(ValueError, match=r"n_jobs must be .*got 0"):
        rank(GOOD, GOOD, [0, 1, 2, 3], n_jobs=0)
    with pytest.raises(ValueError, match="one shape"):
        pairwise(GOOD, GOOD[:2])
    with pytest.raises(TypeError, match="both sparse"):
        pairwise(GOOD, sparse.csr_array(GOOD))


def test_a_target_is_never_its_own_rival_however_its_products_are_rounded(monkeypatch):
    """Two ways to multiply the same rows may differ by more than the slack: then the target must not be counted."""
    monkeypatch.setattr(search, "_SLACK", 0)
    rng = np.random.default_rng(0)
    candidates = rng.normal(size=(3000, 301)).astype(np.float32)
    found = rank(candidates[:400] + 1, candidates + 1, np.arange(400))
    assert (found.ranks == 1).all()

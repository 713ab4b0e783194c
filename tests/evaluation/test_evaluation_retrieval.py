"""Ranks and their scores against brute force, and against the definition of ATOP as an area."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import rankdata

from semwork.evaluation import Ranking, atop, rank, rank_scores, retrieval, topk

LEVELS = [-1.0, 0.0, 0.25, 0.5, 1.0]
similarities = hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(2, 9)), elements=st.sampled_from(LEVELS))


@st.composite
def several(draw):
    """Similarities with many ties and, for each query, one or more targets."""
    values = draw(similarities)
    candidate = st.integers(0, values.shape[1] - 1)
    targets = [draw(st.lists(candidate, min_size=1, max_size=4, unique=True)) for _ in values]
    return values, targets


@given(similarities, st.data())
def test_scores_equal_mid_ranks_dense_and_sparse(values, data):
    targets = data.draw(hnp.arrays(np.int64, values.shape[0], elements=st.integers(0, values.shape[1] - 1)))
    n = values.shape[1]
    ranks = np.array([rankdata(-row)[t] for row, t in zip(values, targets, strict=True)])
    expected = (n - ranks) / (n - 1)
    np.testing.assert_allclose(rank_scores(values, targets), expected)
    np.testing.assert_allclose(rank_scores(sparse.csr_array(values), targets), expected)


@given(several())
def test_every_score_of_several_targets_equals_brute_force(case):
    values, targets = case
    n = values.shape[1]
    ranks = [rankdata(-row)[found] for row, found in zip(values, targets, strict=True)]
    for matrix in (values, sparse.csr_array(values), sparse.coo_array(values), values.astype(np.float32)):
        ranking = rank(matrix, targets)
        np.testing.assert_array_equal(ranking.ranks, np.concatenate(ranks))
        np.testing.assert_allclose(ranking.scores, [np.mean((n - r) / (n - 1)) for r in ranks])
        for k in (1, 2, n):
            assert ranking.hit(k) == pytest.approx(np.mean([(r <= k).any() for r in ranks]))
        assert ranking.mrr == pytest.approx(np.mean([1 / r.min() for r in ranks]))
        for share in (0.0, 0.3, 1.0):
            expected = np.mean([((r - 1) / (n - 1) <= share).mean() for r in ranks])
            assert ranking.topk(share) == pytest.approx(expected)


@given(several())
def test_a_rising_transform_of_the_similarities_changes_no_rank(case):
    values, targets = case
    np.testing.assert_array_equal(rank(np.exp(3 * values) - 7, targets).ranks, rank(values, targets).ranks)


@given(several(), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(case, random):
    values, targets = case
    order = list(range(values.shape[1]))
    random.shuffle(order)
    moved = [[order.index(t) for t in found] for found in targets]
    np.testing.assert_array_equal(rank(values[:, order], moved).ranks, rank(values, targets).ranks)


@given(several())
def test_atop_is_the_area_under_topk(case):
    ranking = rank(*case)
    steps = 2 * (ranking.n_candidates - 1)  # mid-ranks lie on this grid: between two of its points the curve is flat
    assert ranking.topk((np.arange(steps) + 0.5) / steps).mean() == pytest.approx(ranking.atop)


@given(hnp.arrays(np.float64, st.integers(1, 20), elements=st.floats(0, 1)))
def test_the_mean_of_scores_is_the_area_under_their_recall_curve(scores):
    share = np.linspace(0, 1, 20_001)
    area = np.trapezoid(topk(scores, share), share)
    assert area == pytest.approx(atop(scores), abs=1e-3)


@given(several())
def test_with_one_target_each_the_ranking_says_what_the_scores_say(case):
    values, targets = case
    ranking = rank(values, [found[0] for found in targets])
    share = np.linspace(0, 1, 23)
    np.testing.assert_allclose(ranking.topk(share), topk(ranking.scores, share))
    assert ranking.atop == pytest.approx(atop(ranking.scores))


@given(several(), st.integers(1, 5))
def test_blocks_joined_are_the_whole(case, size):
    values, targets = case
    parts = [rank(values[s : s + size], targets[s : s + size]) for s in range(0, len(values), size)]
    assert_same(Ranking.joined(parts), rank(values, targets))


@given(several(), st.data())
def test_a_subset_is_the_ranking_of_its_queries(case, data):
    values, targets = case
    mask = data.draw(hnp.arrays(bool, len(values)))
    kept = [found for found, keep in zip(targets, mask, strict=True) if keep]
    assert_same(rank(values, targets).subset(mask), rank(values[mask], kept))


def test_a_ranking_in_many_blocks_is_the_same(monkeypatch):
    values = np.random.default_rng(0).integers(0, 5, (30, 11)).astype(float)
    targets = [[q % 11, (q + 3) % 11] for q in range(30)]
    whole = rank(values, targets)
    monkeypatch.setattr(retrieval, "_CELLS", 25)
    assert_same(rank(values, targets), whole)


def test_a_query_without_a_known_word_scores_chance():
    assert rank_scores(np.zeros((1, 7)), [3])[0] == 0.5
    assert rank_scores(sparse.csr_array((1, 7)), [3])[0] == 0.5
    assert rank_scores(np.zeros((1, 7)), [[0, 3, 6]])[0] == 0.5


def test_entries_of_a_sparse_matrix_that_are_stored_twice_are_added():
    twice = sparse.csr_array((np.array([1.0, 1.0, 1.5]), np.array([0, 0, 1]), np.array([0, 3])), shape=(1, 3))
    assert rank(twice, [0]).ranks[0] == 1
    assert twice.nnz == 3  # and the caller's matrix is left as it was


def test_counts_give_the_rank_and_come_back():
    ranking = Ranking.from_counts([4, 0], [0, 3], [1, 0], n_candidates=9, n_queries=2)
    assert ranking.ranks.tolist() == [5.0, 2.5]
    assert ranking.better.tolist() == [4, 0]
    assert ranking.scores.tolist() == [1 - 1.5 / 8, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        ranking.ranks[0] = 1


def test_the_table_has_one_row_per_query():
    table = rank([[0.9, 0.1, 0.5], [0.2, 0.4, 0.8]], [[2, 1], [2]]).table()
    assert table["query"].tolist() == [0, 1]
    assert table["targets"].tolist() == [2, 1]
    assert table["best_rank"].tolist() == [2.0, 1.0]
    assert table["reciprocal_rank"].tolist() == [0.5, 1.0]
    assert table["atop"].tolist() == [0.25, 1.0]


@pytest.mark.parametrize(
    ("values", "targets", "words"),
    [
        (np.ones((2, 3)), [0], "one each"),
        (np.ones((1, 1)), [0], "at least 2"),
        (np.full((1, 3), np.nan), [0], "NaN"),
        (sparse.csr_array(np.array([[np.nan, 1.0]])), [0], "NaN"),
        (np.ones((1, 3)), [3], "target 3; with 3 candidates"),
        (np.ones((1, 3)), [-1], "target -1"),
        (np.ones((1, 3)), [0.5], "whole numbers"),
        (np.ones((1, 3)), [[1, 1]], "twice"),
        (np.ones((2, 3)), [[1], []], "no target .the first is query 1"),
        (sparse.csr_array(np.ones((2, 3))), [[1, 2], []], "no target .the first is query 1"),
        (np.ones((1, 2, 3)), [0], "queries × candidates"),
    ],
)
def test_bad_input_is_refused_in_words(values, targets, words):
    with pytest.raises(ValueError, match=words):
        rank_scores(values, targets)


def test_a_single_number_is_no_list_of_targets():
    with pytest.raises(TypeError, match="one target"):
        rank_scores(np.ones((1, 3)), 0)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (([0], [0], [0], 5, 2), "query 1"),
        (([3], [2], [0], 5, 1), "cannot give"),
        (([-1], [0], [0], 5, 1), "cannot give"),
        (([0.5], [0], [0], 5, 1), "cannot give"),
        (([np.nan], [0], [0], 5, 1), "cannot give"),
        (([0], [0], [1], 5, 1), "between 0 and 0"),
        (([0, 1], [0], [0], 5, 1), "one entry per target"),
        (([0, 1], [0, 0], [0], 5, 1), "one entry per target: 2"),
        (([0], [0], [0.0], 5, 1), "whole numbers"),
        (([0], [0], [0], 1, 1), "at least 2"),
    ],
)
def test_impossible_counts_are_refused_in_words(counts, words):
    with pytest.raises(ValueError, match=words):
        Ranking.from_counts(*counts)


def test_scores_of_nothing_are_refused():
    empty = rank(np.ones((0, 3)), [])
    assert len(empty.scores) == 0
    assert len(rank_scores(sparse.csr_array((0, 3)), [])) == 0
    for ask in (lambda: empty.atop, lambda: empty.mrr, lambda: empty.hit(1), lambda: empty.topk(0.5)):
        with pytest.raises(ValueError, match="no query"):
            ask()
    for ask in (lambda: atop([]), lambda: topk([], 0.5)):
        with pytest.raises(ValueError, match="at least 1"):
            ask()


def test_wrong_questions_are_refused():
    ranking = rank(np.ones((2, 3)), [0, 1])
    with pytest.raises(ValueError, match="ranks begin at 1"):
        ranking.hit(0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        ranking.topk(1.5)
    with pytest.raises(ValueError, match="one boolean per query"):
        ranking.subset([0, 1])
    with pytest.raises(ValueError, match="one boolean per query"):
        ranking.subset([True])
    with pytest.raises(ValueError, match=r"these have \[3, 4\]"):
        Ranking.joined([ranking, rank(np.ones((1, 4)), [0])])
    with pytest.raises(ValueError, match="no block"):
        Ranking.joined([])


def assert_same(one: Ranking, other: Ranking) -> None:
    for name in ("ranks", "tied", "query"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.n_candidates, one.n_queries) == (other.n_candidates, other.n_queries)

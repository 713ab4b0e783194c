"""The parts of the solver: threads, shares of work, whitening, memory."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import sparse

from semwork.similarity import simd
from semwork.similarity.als import SHORT
from semwork.similarity.solver import (
    Half,
    Side,
    SingularSystemWarning,
    pool_of,
    threads_for,
    whitening,
)
from semwork.threads import workers_of


def random_matrix(seed, rows, columns, density=0.3):
    rng = np.random.default_rng(seed)
    return sparse.random_array((rows, columns), density=density, rng=rng, format="csr")


@given(st.integers(0, 10_000), st.integers(0, 300), st.integers(1, 90), st.integers(1, 7), st.floats(0, 1))
def test_every_row_is_dealt_once_and_short_ones_come_first(seed, rows, columns, threads, density):
    matrix = random_matrix(seed, rows, columns, density)
    side = Side(matrix, np.float32, threads)
    assert len(side.dealt) == threads
    assert sorted(np.concatenate(side.dealt).tolist()) == list(range(rows))
    lengths = np.diff(matrix.indptr)
    for order in side.dealt:
        assert (np.diff(lengths[order]) >= 0).all()


@given(st.integers(0, 10_000), st.integers(2, 5))
def test_long_rows_are_shared_fairly(seed, threads):
    """Nobody has more to do than another one by more than the longest row."""
    matrix = random_matrix(seed, 60, 400, 0.5)
    lengths = np.diff(matrix.indptr)
    load = [lengths[order][lengths[order] > SHORT].sum() for order in Side(matrix, np.float32, threads).dealt]
    assert max(load) - min(load) <= lengths.max()


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([0.0, 0.01, 1.0]), st.sampled_from([0.1, 20.0]))
def test_whitening_is_a_root_of_the_inverse(seed, rank, missing_weight, regularization):
    factors = np.random.default_rng(seed).standard_normal((30, rank))
    root = whitening(factors.T @ factors, missing_weight, regularization, np.float64)
    system = missing_weight * factors.T @ factors + regularization * np.eye(rank)
    np.testing.assert_allclose(root @ root.T @ system, np.eye(rank), atol=1e-10)


@given(st.integers(0, 10_000), st.integers(1, 5))
@example(497, 5)  # rounding lets its Cholesky decomposition through
def test_whitening_where_there_is_no_inverse_is_on_the_directions_that_there_are(seed, rank):
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((30, rank)) @ rng.standard_normal((rank, 7))
    gram = factors.T @ factors
    with pytest.warns(SingularSystemWarning, match=f"{7 - rank} are left"):
        root = whitening(gram, 0.5, 0.0, np.float64)
    assert root.shape == (7, rank)
    np.testing.assert_allclose(root @ root.T, np.linalg.pinv(0.5 * gram, rcond=1e-9), atol=1e-7)


def test_whitening_of_nothing_is_nothing():
    assert whitening(np.zeros((3, 3)), 0.01, 0.0, np.float32) is None
    assert whitening(np.eye(3), 0.0, 0.0, np.float32) is None


@pytest.mark.slow
@given(st.integers(0, 10_000), st.sampled_from(["float32", "float64"]), st.integers(1, 3))
def test_memory_that_is_used_again_changes_nothing(seed, dtype, threads):
    """Whatever stands in the memory, and when it is larger than needed; the factors are left alone."""
    matrix = random_matrix(seed, 40, 30)
    factors = np.random.default_rng(seed).standard_normal((30, 5)).astype(dtype)
    kept = factors.copy()
    into, whitened = np.full((40, 5), np.nan, dtype), np.full((55, 5), np.inf, dtype)
    with ThreadPoolExecutor(threads) as pool:
        half = Half(Side(matrix, np.dtype(dtype), threads), pool)
        fresh, gain = half.solve(factors, 0.05, 2.0)
        again, same_gain = half.solve(factors, 0.05, 2.0, into=into, whitened=whitened)
    np.testing.assert_array_equal(again, fresh)
    np.testing.assert_array_equal(factors, kept)
    assert same_gain == gain
    assert again.base is into or again is into


@pytest.mark.parametrize("name", ["into", "whitened"])
def test_memory_that_does_not_fit_is_not_used(name):
    matrix, factors = random_matrix(0, 40, 30), np.random.default_rng(0).standard_normal((30, 5))
    with ThreadPoolExecutor(1) as pool:
        half = Half(Side(matrix, np.dtype(float), 1), pool)
        fresh, _ = half.solve(factors, 0.05, 2.0)
        for other in (np.zeros((40, 4)), np.zeros((3, 5)), np.zeros((60, 5), np.float32)):
            np.testing.assert_array_equal(half.solve(factors, 0.05, 2.0, **{name: other})[0], fresh)
            assert not other.any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_small_and_large_problems_get_threads_as_they_need_them(dtype):
    assert threads_for(None, 1000, 10) == 1
    assert threads_for(None, 10_000_000, 100) == workers_of(None)
    assert threads_for(3, 1000, 10) == 3
    matrix, factors = random_matrix(0, 40, 30), np.random.default_rng(0).standard_normal((30, 5)).astype(dtype)
    with pool_of(1) as nobody, pool_of(2) as pool:
        assert nobody is None
        alone, _ = Half(Side(matrix, np.dtype(dtype), 1), nobody).solve(factors, 0.05, 2.0)
        together, _ = Half(Side(matrix, np.dtype(dtype), 2), pool).solve(factors, 0.05, 2.0)
    np.testing.assert_array_equal(together, alone)


@pytest.mark.slow
@pytest.mark.parametrize("register", [16, 32, 64])
def test_every_width_of_register_gives_the_same_rows(register, tmp_path):
    """As on older machines: a process that takes its registers for narrower ones, or for wider ones, than they are."""
    code = f"""
import numpy as np
from scipy import sparse
from semwork.similarity import simd
simd.REGISTER = {register}
from semwork.similarity.solver import Half, Side
rng = np.random.default_rng(0)
for dtype, most in ((np.float32, 1e-4), (np.float64, 1e-11)):
    for rank in (1, 13, 31, 60):
        lengths = [*range(75), 130, 200]
        rows = np.zeros((len(lengths), 200))
        for row, length in zip(rows, lengths):
            row[rng.choice(200, length, replace=False)] = rng.uniform(0.5, 5, length)
        factors = rng.standard_normal((200, rank)).astype(dtype)
        found, gain = Half(Side(sparse.csr_matrix(rows), np.dtype(dtype), 1), None).solve(factors, 0.05, 2.0)
        F, total = factors.astype(float), 0.0
        for row, solved in zip(rows, found):
            weights = np.where(row, 1, 0.05)
            expected = np.linalg.solve(F.T @ (weights[:, None] * F) + 2 * np.eye(rank), F.T @ row)
            assert np.abs(solved - expected).max() <= most * max(np.abs(expected).max(), 1e-300), (dtype, rank)
            total += F.T @ row @ expected
        assert abs(gain / total - 1) < most
print("ok", simd.lanes_of(4))
"""
    # What is compiled for other registers must not be found by other processes, but by this test the next time.
    kept = Path(os.environ.get("NUMBA_CACHE_DIR") or tmp_path, f"registers-of-{register}-bytes")
    own = {} if register == simd.REGISTER else {"NUMBA_CACHE_DIR": str(kept)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ | own
    )
    assert done.stdout.split() == ["ok", str(register // 4)], done.stderr[-2000:]

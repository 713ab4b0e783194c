"""The kernels against their definitions: the series, matrix functions of scipy, the paper's identities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse

from semwork.kernels import (
    KernelSpectrum,
    alignment,
    centered_alignment,
    decay_path,
    exponential_kernel,
    one_hot,
    von_neumann_kernel,
)
from semwork.kernels.tridiagonal import projected_on_eigenvectors

KINDS = ("exponential", "von_neumann")


def documents(seed, m=12, n=20):
    rng = np.random.default_rng(seed)
    return rng.poisson(0.6, (m, n)) * rng.uniform(0.2, 1.0, n) + 0.01 * rng.normal(size=(m, n))


def labels(seed, m=12):
    y = np.where(np.random.default_rng(seed + 1000).random(m) < 0.4, 1.0, -1.0)
    y[:2] = 1, -1
    return y


seeds = st.integers(0, 10_000)
shares = st.floats(0.02, 0.95)


@given(seeds, shares)
def test_von_neumann_kernel_is_its_series_and_its_inverse(seed, share):
    X = documents(seed)
    K = X @ X.T
    decay = min(share, 0.6) / np.linalg.norm(K, 2)
    kernel = von_neumann_kernel(K, decay)
    series, term = np.zeros_like(K), K
    for _ in range(80):
        series, term = series + term, decay * term @ K
    np.testing.assert_allclose(kernel, series, rtol=1e-8, atol=1e-8 * np.abs(series).max())
    inverse = K @ np.linalg.inv(np.eye(len(K)) - decay * K)
    np.testing.assert_allclose(kernel, inverse, rtol=1e-8, atol=1e-8 * np.abs(inverse).max())


@given(seeds, st.floats(0.02, 6.0))
def test_exponential_kernel_is_the_matrix_exponential(seed, relative):
    X = documents(seed)
    K = X @ X.T
    decay = relative / np.linalg.norm(K, 2)
    expected = K @ linalg.expm(decay * K)
    np.testing.assert_allclose(exponential_kernel(K, decay), expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
    scaled = expected / np.exp(relative)
    np.testing.assert_allclose(
        exponential_kernel(K, decay, scaled=True), scaled, rtol=1e-8, atol=1e-8 * np.abs(scaled).max()
    )


@given(seeds, shares)
def test_recurrences_and_proximity_matrices_of_the_paper(seed, share):
    X = documents(seed)  # the paper's X is its transpose
    K, G = X @ X.T, X.T @ X
    decay = share / np.linalg.norm(K, 2)
    documents_hat, terms_hat = von_neumann_kernel(K, decay), von_neumann_kernel(G, decay)
    tolerance = 1e-8 * np.abs(documents_hat).max()
    np.testing.assert_allclose(documents_hat, decay * X @ terms_hat @ X.T + K, rtol=1e-8, atol=tolerance)
    np.testing.assert_allclose(terms_hat, decay * X.T @ documents_hat @ X + G, rtol=1e-8, atol=1e-8 * terms_hat.max())
    proximity = decay * terms_hat + np.eye(len(G))
    np.testing.assert_allclose(documents_hat, X @ proximity @ X.T, rtol=1e-8, atol=tolerance)
    tilde = exponential_kernel(K, decay)
    np.testing.assert_allclose(tilde, X @ linalg.expm(decay * G) @ X.T, rtol=1e-8, atol=1e-8 * np.abs(tilde).max())


@given(seeds, shares, st.sampled_from(KINDS))
def test_kernels_are_symmetric_and_positive_semi_definite(seed, share, kind):
    X = documents(seed, m=8, n=5)
    K = X @ X.T
    kernel = KernelSpectrum.of(K).kernel(kind, share / np.linalg.norm(K, 2))
    assert np.array_equal(kernel, kernel.T)
    assert np.linalg.eigvalsh(kernel).min() > -1e-8 * np.abs(kernel).max()


@given(seeds, shares, st.sampled_from(KINDS))
def test_a_path_has_the_alignment_of_each_kernel(seed, share, kind):
    X, y = documents(seed), labels(seed)
    K = X @ X.T
    decay = share / np.linalg.norm(K, 2)
    [row] = decay_path(K, y, kind, [decay]).to_dict("records")
    kernel = KernelSpectrum.of(K).kernel(kind, decay)
    assert row["alignment"] == pytest.approx(alignment(kernel, y), rel=1e-8)
    assert row["centered alignment"] == pytest.approx(centered_alignment(kernel, y), rel=1e-8)
    assert row["relative decay"] == pytest.approx(share)
    centring = np.eye(len(y)) - 1 / len(y)
    both = centring @ kernel @ centring, centring @ np.outer(y, y) @ centring
    by_hand = (both[0] * both[1]).sum() / np.linalg.norm(both[0]) / np.linalg.norm(both[1])
    assert row["centered alignment"] == pytest.approx(by_hand, rel=1e-8)


@given(seeds, shares, st.sampled_from(KINDS))
def test_several_classes_are_aligned_with_the_gram_matrix_of_their_labels(seed, share, kind):
    X = documents(seed)
    classes = np.random.default_rng(seed).integers(0, 3, len(X))
    classes[:3] = 0, 1, 2
    kernel = KernelSpectrum.of(X @ X.T).kernel(kind, share / np.linalg.norm(X @ X.T, 2))
    target = (classes[:, None] == classes).astype(float)
    expected = (kernel * target).sum() / np.linalg.norm(kernel) / np.linalg.norm(target)
    assert alignment(kernel, one_hot(classes)) == pytest.approx(expected, rel=1e-10)
    path = decay_path(X @ X.T, one_hot(classes), kind, [share / np.linalg.norm(X @ X.T, 2)])
    assert path["alignment"][0] == pytest.approx(expected, rel=1e-8)


def test_a_sparse_kernel_is_taken_as_well():
    X, y = sparse.csr_array(documents(0)), labels(0)
    assert alignment(X @ X.T, y) == pytest.approx(alignment((X @ X.T).toarray(), y))


def test_alignment_is_the_cosine_with_the_labels():
    y = np.array([1, 1, -1])
    assert alignment(np.outer(y, y), y) == pytest.approx(1)
    assert alignment(np.eye(3), y) == pytest.approx(3 / (3 * np.sqrt(3)))


@pytest.mark.parametrize("constant", [0.0, 2.5])
def test_constant_kernels_do_not_divide_by_zero(constant):
    K, y = np.full((4, 4), constant), np.array([1, -1, 1, 1])
    assert alignment(K, y) == pytest.approx(0.25 if constant else 0)
    assert centered_alignment(K, y) == 0
    path = decay_path(K, y, "exponential", [0.1, 1.0])
    assert path["centered alignment"].tolist() == [0, 0]
    assert np.isfinite(path.to_numpy()).all()


def test_huge_decays_are_scaled_or_refused():
    X, y = documents(0), labels(0)
    K = X @ X.T
    decay = 5000 / np.linalg.norm(K, 2)
    with pytest.raises(ValueError, match=r"too large for a number.*use a decay below .*scaled=True"):
        exponential_kernel(K, decay)
    kernel = exponential_kernel(K, decay, scaled=True)
    assert np.linalg.norm(kernel, 2) == pytest.approx(np.linalg.norm(K, 2))
    assert decay_path(K, y, "exponential", [decay])["alignment"][0] == pytest.approx(alignment(kernel, y))


@settings(max_examples=20)
@given(seeds, st.sampled_from(KINDS))
def test_a_breakdown_sums_to_the_whole(seed, kind):
    X, y = documents(seed), labels(seed)
    spectrum = KernelSpectrum.of(X @ X.T)
    table = spectrum.breakdown(y, kind, 0.5 / spectrum.largest, top=4)
    assert len(table) == 5
    assert table["eigenvector"].iloc[-1] == "5 to 12"
    for column in ("share of inner product", "share of norm"):
        assert table[column].sum() == pytest.approx(1)
    for column in ("cosine with ones", "cosine with labels"):
        assert (table[column] ** 2).sum() == pytest.approx(1)
    assert len(spectrum.breakdown(y, kind, 0.5 / spectrum.largest, top=50)) == 12


def test_bad_kernels_labels_and_decays_say_what_is_wrong():
    K, y = np.eye(3), np.array([1, -1, 1])
    for bad, message in [
        (np.ones((2, 3)), r"square.*\(2, 3\).*X @ X.T"),
        (np.ones(3), r"square"),
        (np.ones((0, 0)), r"no documents"),
        (np.array([["a"]]), r"must hold numbers"),
        (np.array([[1, np.nan], [np.nan, 1]]), r"K\[0, 1\] is nan"),
        (np.array([[1, 2.0], [0, 1]]), r"symmetric, but K\[0, 1\] = 2 and K\[1, 0\] = 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            alignment(bad, y)
    with pytest.raises(ValueError, match=r"no kernel matrix: its eigenvalue -1 is below 0"):
        von_neumann_kernel(np.diag([1.0, -1.0]), 0.1)
    for bad, message in [
        ([0, 1, 1], r"labels must be −1 and 1, got 0.0, 1.0; write 2 \* y − 1"),
        ([1, 2, 3], r"labels must be −1 and 1.*one_hot"),
        (["a", "b", "a"], r"labels must be −1 and 1.*'a'"),
        ([1, np.nan, -1], r"labels must be −1 and 1"),
        ([1, 1, 1], r"all 3 labels are 1: alignment needs documents of both classes"),
        ([1, -1], r"one label for each of the 3 documents, got an array of the shape \(2,\)"),
        ([[1, 1], [0, 1], [1, 0]], r"must be one-hot"),
        ([[1, 0], [1, 0], [1, 0]], r"all documents are of one class"),
    ]:
        with pytest.raises(ValueError, match=message):
            centered_alignment(K, bad)
    for bad in (0, -1, np.nan, True, "0.1", 1.0, 1.5):
        with pytest.raises(ValueError, match=r"above 0 and below 1/‖K‖ = 1, got"):
            von_neumann_kernel(K, bad)
    with pytest.raises(ValueError, match=r"above 0, got 0; at 0 the kernel is K itself"):
        exponential_kernel(K, 0)
    for bad in ([1.0, np.nan], [[1, 2], [1, 3]]):
        with pytest.raises(ValueError, match=r"one name or number for each document"):
            one_hot(bad)
    with pytest.raises(ValueError, match=r"at least one number"):
        decay_path(K, y, "exponential", [])
    with pytest.raises(ValueError, match=r"'exponential' or 'von_neumann', got 'gaussian'"):
        decay_path(K, y, "gaussian", [0.1])


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 40), st.sampled_from(KINDS))
def test_a_path_needs_no_eigenvectors(seed, size, terms, kind):
    """Also for kernels of a low rank, whose eigenvalue 0 comes many times."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(size, terms)).astype(float)
    K, y = X @ X.T, np.where(np.arange(size) % 2, 1, -1)
    spectrum = KernelSpectrum.of(K)
    decays = np.array([0.1, 0.5, 0.9]) / max(spectrum.largest, 1.0)
    ours, theirs = decay_path(K, y, kind, decays), decay_path(spectrum, y, kind, decays)
    np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-8, atol=1e-8)
    columns = rng.normal(size=(size, 2))
    values, found = projected_on_eigenvectors(K, columns)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(K), atol=1e-9 * max(spectrum.largest, 1.0))
    np.testing.assert_allclose((found * values[:, None]).T @ found, columns.T @ K @ columns, atol=1e-8 * (1 + K.sum()))
    np.testing.assert_allclose(found.T @ found, columns.T @ columns, atol=1e-9 * size)

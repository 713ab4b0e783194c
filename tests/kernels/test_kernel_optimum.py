"""The best decay against brute force, and the printed conditions against the exact one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semwork.kernels import (
    AlignmentCurve,
    KernelSpectrum,
    best_decay,
    one_hot,
    printed_condition,
    printed_decay,
    search_range,
)
from semwork.kernels.curve import Quadratic

KINDS = ("exponential", "von_neumann")


def spectrum_and_labels(seed, m=10):
    rng = np.random.default_rng(seed)
    vectors, _ = np.linalg.qr(rng.normal(size=(m, m)))
    values = np.sort(rng.gamma(0.5, 1.0, m))[::-1]
    y = np.where(rng.random(m) < rng.uniform(0.1, 0.9), 1.0, -1.0)
    y[:2] = 1, -1
    return KernelSpectrum(values, vectors), y


def dense(curve):
    """Thousands of decays over the whole range, close together at both ends."""
    end = search_range(curve)
    return np.unique(
        np.concatenate(
            [np.linspace(0, end, 4000), np.geomspace(end * 1e-7, end, 4000), end * (1 - np.geomspace(1e-9, 1, 4000))]
        )
    )


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(KINDS), st.booleans(), st.booleans())
def test_the_best_decay_is_the_global_maximum(seed, kind, centered, several):
    spectrum, y = spectrum_and_labels(seed)
    if several:
        y = one_hot(np.random.default_rng(seed).permutation(np.arange(len(y)) % 3))
    curve = spectrum.curve(y, kind, centered=centered)
    best = best_decay(curve)
    brute = curve.at(dense(curve)).max()
    assert best.alignment >= brute * (1 - 1e-9)
    assert best.alignment == pytest.approx(float(curve.at(best.decay)))
    assert brute <= best.bound * (1 + 1e-9)
    assert best.bound <= best.alignment * (1 + 1e-6)
    if not best.at_edge and best.decay > 0:
        inner, norm = curve.log_slopes(best.decay)
        assert inner - norm == pytest.approx(0, abs=1e-6 * max(inner, 1))


def two_peaks(first):
    """Parts that take over one after the other as the decay grows; those with the target make a peak each."""
    values = np.array([1.6, 1.2, 0.8, 0.4, 0.1])
    size = np.array([1e-22, 1e-12, 1e-5, 1.0, 3.0])
    target = np.array([0.0, 1 - first, 0.0, first, 0.0])
    return AlignmentCurve("exponential", values, size * target, Quadratic(size**2), 1.0)


@pytest.mark.parametrize("first", [0.4, 0.6])
def test_the_higher_of_two_maxima_is_found(first):
    curve = two_peaks(first)
    points = dense(curve)
    heights = curve.at(points)
    peaks = np.flatnonzero((heights[1:-1] > heights[:-2]) & (heights[1:-1] > heights[2:])) + 1
    assert len(peaks) == 2
    best = best_decay(curve)
    assert best.alignment >= heights.max() * (1 - 1e-10)
    higher = points[peaks[heights[peaks].argmax()]]
    assert (higher == points[peaks[0]]) == (first > 0.5)
    assert best.decay == pytest.approx(higher, rel=0.02)


def test_zero_is_best_when_every_decay_is_worse():
    vectors, _ = np.linalg.qr(np.column_stack([[1.0, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]))
    curve = KernelSpectrum(np.array([3.0, 2.0, 1.0, 0.5]), vectors).curve([1, -1, -1, 1], "exponential")
    best = best_decay(curve)
    assert (best.decay, best.at_edge) == (0, False)
    assert best.alignment == pytest.approx(float(curve.at(0.0)))


def test_the_edge_is_said_when_only_the_first_eigenvector_is_good():
    vectors, _ = np.linalg.qr(np.column_stack([[1.0, 1, -1, -1], [1, -1, 1, -1], [1, 1, 1, 1], [1, -1, -1, 1]]))
    for kind in KINDS:
        best = best_decay(KernelSpectrum(np.array([3.0, 2.0, 1.0, 0.5]), vectors).curve([1, 1, -1, -1], kind))
        assert best.at_edge
        assert best.alignment == pytest.approx(1)


@pytest.mark.parametrize("K", [np.zeros((3, 3)), np.eye(3), np.ones((3, 3))])
@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_kernels_without_a_choice_keep_the_decay_zero(K, centered, kind):
    best = best_decay(KernelSpectrum.of(K).curve([1, -1, 1], kind, centered=centered))
    assert best.decay == 0
    assert np.isfinite(best.alignment)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_proposition_6_is_exact_and_7_is_another_kernels(seed):
    spectrum, y = spectrum_and_labels(seed)
    scores = spectrum.scores(y[:, None])
    curve = spectrum.curve(y, "exponential")
    best = best_decay(curve)
    if best.decay > 0 and not best.at_edge:
        assert abs(printed_condition("exponential", spectrum.values, scores, np.array(best.decay))) < 1e-6
    # the printed Proposition 7 is the derivative of the alignment of (I − λK)⁻¹ / λ
    decays = np.linspace(0.2, 0.8, 7) / spectrum.largest

    def aligned(decay):
        mu = 1 / (decay * (1 - decay * spectrum.values))
        return mu @ scores / np.sqrt((mu**2).sum())

    step = 1e-6 / spectrum.largest
    derivative = [(aligned(at + step) - aligned(at - step)) / (2 * step) for at in decays]
    printed = printed_condition("von_neumann", spectrum.values, scores, decays)
    clear = np.abs(printed) > 1e-6
    assert np.array_equal(np.sign(printed[clear]), np.sign(np.array(derivative)[clear]))


def test_the_printed_decay_is_where_its_condition_holds():
    found = 0
    for seed in range(40):
        spectrum, y = spectrum_and_labels(seed)
        scores = spectrum.scores(y[:, None])
        for kind in KINDS:
            end = search_range(spectrum.curve(y, kind))
            decay = printed_decay(kind, spectrum.values, scores, end)
            if decay is not None:
                found += 1
                assert abs(printed_condition(kind, spectrum.values, scores, np.array(decay))) < 1e-6
    assert found > 10

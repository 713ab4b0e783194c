"""Resampling with bounded memory: a resample is how often it holds each item."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from semwork.evaluation.checks import Floats

__all__ = ["Statistic", "bca_interval", "blocks", "percentile_interval", "resampled_means", "resamples_of"]

_CELLS = 250_000  # resamples × items at a time: 2 MB per array, so that they stay in the processor's cache

# Resamples × items, how often each item counts, to one value per resample.
Statistic = Callable[[Floats], Floats]


def blocks(total: int, n: int) -> Iterator[slice]:
    """Cut ``total`` rows of ``n`` cells into blocks that need little memory."""
    rows = max(1, _CELLS // n)
    for start in range(0, total, rows):
        yield slice(start, min(start + rows, total))


def resamples_of(n: int, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Blocks of resamples of ``n`` items with replacement: how often each item is in each resample.

    Examples
    --------
    >>> [block.sum(axis=1) for block in resamples_of(4, 3, np.random.default_rng(0))]
    [array([4., 4., 4.])]
    """
    for block in blocks(resamples, n):
        weights = np.empty((block.stop - block.start, n))
        for row in weights:
            row[:] = np.bincount(rng.integers(0, n, n, dtype=np.int32), minlength=n)
        yield weights


def resampled_means(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Mean of each resample of the values with replacement; for a mean, picking is faster than counting."""
    n = len(values)
    shapes = ((block.stop - block.start, n) for block in blocks(resamples, n))
    return np.concatenate([values[rng.integers(0, n, shape, dtype=np.int32)].mean(axis=1) for shape in shapes])


def percentile_interval(values: Floats, confidence: float) -> tuple[float, float]:
    """The middle ``confidence`` of the resampled values; resamples without a value (NaN) are left out."""
    low, high = np.quantile(_defined(values), [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _defined(values: Floats) -> Floats:
    known = values[np.isfinite(values)]
    if not len(known):
        raise ValueError("no resample has a value: almost all items are equal; an interval needs items that differ")
    return known


def bca_interval(
    statistic: Statistic, value: float, n: int, resamples: int, confidence: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Bootstrap interval, corrected for bias and for a spread that changes with the value (BCa).

    Resamples for which the statistic is not defined (NaN) are left out.

    Parameters
    ----------
    statistic : callable
        Takes an ndarray of shape (n_resamples, n), how often each resample holds each item, and returns an ndarray of
        shape (n_resamples,).
    value : float
        The statistic of the items themselves.
    n : int
        Number of items.
    resamples : int
        How many resamples are drawn.
    confidence : float
        How much of the resampled values the interval holds.
    rng : Generator
        Draws the resamples.

    Returns
    -------
    low, high : float

    References
    ----------
    Efron (1987), Better bootstrap confidence intervals.
    """
    from scipy.special import ndtr, ndtri

    values = _defined(np.concatenate([statistic(weights) for weights in resamples_of(n, resamples, rng)]))
    left_out = _defined(np.concatenate([statistic(_without_one(n, block)) for block in blocks(n, n)]))
    pull = left_out.mean() - left_out
    spread = (pull**2).sum() ** 1.5
    acceleration = (pull**3).sum() / (6 * spread) if spread > 0 else 0.0
    below = (values < value).mean() / 2 + (values <= value).mean() / 2
    bias = ndtri(np.clip(below, 0.5 / len(values), 1 - 0.5 / len(values)))
    ends = bias + ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = np.quantile(values, ndtr(bias + ends / (1 - acceleration * ends)))
    return float(low), float(high)


def _without_one(n: int, block: slice) -> Floats:
    """The jackknife's samples: each item but one."""
    weights = np.ones((block.stop - block.start, n))
    weights[np.arange(len(weights)), np.arange(block.start, block.stop)] = 0
    return weights

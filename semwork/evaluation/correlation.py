"""How well predicted similarities follow human ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from semwork.evaluation.bootstrap import Statistic, bca_interval
from semwork.evaluation.checks import Floats, numbers, resampling, same_length

__all__ = ["Correlation", "Kind", "correlation", "pearson", "spearman", "weighted_correlation"]

Kind = Literal["pearson", "spearman"]


@dataclass(frozen=True)
class Correlation:
    """A correlation and its bootstrap interval.

    Attributes
    ----------
    value : float
        The correlation.
    low, high : float
        The ends of its interval.
    confidence : float
        How much of the resampled values the interval holds.
    kind : {"pearson", "spearman"}
        Which correlation it is.
    n : int
        Number of pairs.

    Examples
    --------
    >>> print(Correlation(value=0.8984, low=0.81, high=0.95, confidence=0.95, kind="pearson", n=30))
    Pearson 0.898 (95 % interval 0.810 to 0.950, 30 pairs)
    """

    value: float
    low: float
    high: float
    confidence: float
    kind: Kind
    n: int

    def __str__(self) -> str:
        return (
            f"{self.kind.capitalize()} {self.value:.3f} ({100 * self.confidence:g} % interval {self.low:.3f} to "
            f"{self.high:.3f}, {self.n} pairs)"
        )


def pearson(gold: ArrayLike, predicted: ArrayLike) -> float:
    """Pearson's r: how near the pairs are to a rising line.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_pairs,)
        One number per pair of texts.

    Returns
    -------
    float
        Between −1 and 1.

    Examples
    --------
    >>> round(pearson([0, 1, 2, 3], [0, 1, 2, 9]), 3)
    0.885
    """
    x, y = _checked(gold, predicted)
    x, y = _centred(x), _centred(y)
    return float(np.clip((x @ y) / np.sqrt((x @ x) * (y @ y)), -1, 1))


def spearman(gold: ArrayLike, predicted: ArrayLike) -> float:
    """Spearman's ρ: Pearson's r of the ranks; tied values share their mean rank.

    Parameters
    ----------
    gold, predicted : as in `pearson`

    Returns
    -------
    float
        Between −1 and 1.

    Examples
    --------
    >>> spearman([0, 1, 2, 3], [0, 1, 2, 9])
    1.0
    """
    from scipy.stats import rankdata

    x, y = _checked(gold, predicted)
    return pearson(rankdata(x), rankdata(y))


def correlation(
    gold: ArrayLike,
    predicted: ArrayLike,
    kind: Kind = "pearson",
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    random_state: int | np.random.Generator | None = 0,
) -> Correlation:
    """Correlation with a bootstrap interval over the pairs (BCa).

    Parameters
    ----------
    gold, predicted : array-like of shape (n_pairs,)
        One number per pair of texts.
    kind : {"pearson", "spearman"}
        ``"pearson"`` or ``"spearman"``.
    resamples : int
        How many bootstrap samples. One in which a side is constant has no correlation and is left out.
    confidence : float
        How much of the resampled values the interval holds.
    random_state : int, Generator or None
        Seed of the resamples.

    Returns
    -------
    Correlation

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, table 3 (LI06); Efron (1987), Better bootstrap
    confidence intervals.

    Examples
    --------
    >>> found = correlation([0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6])
    >>> round(found.value, 3), found.low < found.value < found.high
    (0.905, True)
    """
    if kind not in ("pearson", "spearman"):
        raise ValueError(f"kind is {kind!r}; it must be 'pearson' or 'spearman'")
    resampling(resamples, confidence)
    x, y = _checked(gold, predicted, at_least=3)
    value = (pearson if kind == "pearson" else spearman)(x, y)
    rng = np.random.default_rng(random_state)
    low, high = bca_interval(weighted_correlation(x, y, kind), value, len(x), resamples, confidence, rng)
    return Correlation(value=value, low=low, high=high, confidence=confidence, kind=kind, n=len(x))


def weighted_correlation(gold: ArrayLike, predicted: ArrayLike, kind: Kind = "pearson") -> Statistic:
    """Prepare the correlation of many resamples at once: weights (resamples × pairs) in, one value each out.

    A resample in which a side is constant gives NaN.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_pairs,)
        One number per pair of texts.
    kind : {"pearson", "spearman"}
        Which correlation is computed.

    Returns
    -------
    callable
        Takes an ndarray of shape (n_resamples, n_pairs), how often each resample holds each pair, and returns an
        ndarray of shape (n_resamples,).

    Examples
    --------
    >>> values = weighted_correlation([0, 1, 2, 3], [0, 1, 2, 9])(np.array([[1, 1, 1, 1], [1, 1, 0, 1], [2, 0, 0, 0]]))
    >>> values.round(3).tolist()
    [0.885, 0.973, nan]
    """
    x, y = _checked(gold, predicted)
    if kind == "pearson":
        x, y = _unit(x), _unit(y)
        products = np.column_stack([x, y, x * x, y * y, x * y])

        def of_values(weights: Floats) -> Floats:
            total = weights.sum(axis=1)
            mx, my, xx, yy, xy = (weights @ products / total[:, None]).T
            # The spread of a constant side is rounding, far below the squares that it is the difference of.
            return _ratio(xy - mx * my, _above(xx - mx**2, 1e-12 * xx), _above(yy - my**2, 1e-12 * yy))

        return of_values
    codes_x, codes_y = _codes(x), _codes(y)

    def of_ranks(weights: Floats) -> Floats:
        total = weights.sum(axis=1)[:, None]
        rx, ry = (_mid_ranks(weights, codes) / total - 0.5 - 0.5 / total for codes in (codes_x, codes_y))
        xx, yy, xy = ((weights * a * b).sum(axis=1) / total[:, 0] for a, b in ((rx, rx), (ry, ry), (rx, ry)))
        return _ratio(xy, _above(xx, 1e-14), _above(yy, 1e-14))

    return of_ranks


def _checked(gold: ArrayLike, predicted: ArrayLike, at_least: int = 2) -> tuple[Floats, Floats]:
    x, y = numbers(gold, "gold", at_least), numbers(predicted, "predicted", at_least)
    same_length(gold=x, predicted=y)
    for name, values in (("gold", x), ("predicted", y)):
        if values.min() == values.max():
            raise ValueError(
                f"{name} is constant: all {len(values)} values are {values[0]}; a correlation needs variety"
            )
    return x, y


def _centred(values: Floats) -> Floats:
    """Values around 0, the largest ±1: huge and tiny numbers stay exact, and small differences of large ones."""
    scaled = np.ldexp(values, -np.frexp(np.abs(values).max())[1])  # by a power of two, which rounds nothing
    scaled = scaled - scaled.mean()
    scaled = scaled - scaled.mean()  # beside a large offset the first mean is too coarse
    return np.asarray(scaled / np.abs(scaled).max())


def _unit(values: Floats) -> Floats:
    centred = _centred(values)
    return np.asarray(centred / centred.std())


def _ratio(xy: Floats, xx: Floats, yy: Floats) -> Floats:
    real = (xx > 0) & (yy > 0)
    root = np.where(real, np.sqrt(xx) * np.sqrt(yy), 1.0)
    return np.where(real, np.clip(xy / root, -1, 1), np.nan)


def _above(spread: Floats, noise: Floats | float) -> Floats:
    return np.where(spread > noise, spread, 0.0)


def _codes(values: Floats) -> NDArray[np.integer[Any]]:
    return np.asarray(np.unique(values, return_inverse=True)[1])


def _mid_ranks(weights: Floats, codes: NDArray[np.integer[Any]]) -> Floats:
    """Mean rank of each item in each resample, without sorting a resample: equal items stand together."""
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    held = np.add.reduceat(weights[:, order], starts, axis=1)
    return np.asarray((np.cumsum(held, axis=1) - (held - 1) / 2)[:, codes])

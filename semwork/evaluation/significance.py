"""Is one model better than another, or was it the luck of the items? Both are judged on the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from semwork.evaluation.bootstrap import blocks, percentile_interval, resampled_means, resamples_of
from semwork.evaluation.checks import Floats, binary, numbers, resampling, same_length
from semwork.evaluation.correlation import Kind, pearson, spearman, weighted_correlation

__all__ = ["Comparison", "compare_correlations", "paired_accuracy", "paired_test"]

Seed = int | np.random.Generator | None


@dataclass(frozen=True)
class Comparison:
    """Two models on the same items.

    Attributes
    ----------
    a, b : float
        What each model reached.
    low, high : float
        Interval of the difference `a` − `b`.
    p_value : float
        Two-sided: how likely a difference at least as large is if the models are equally good.
    confidence : float
        Of the interval.
    n : int
        Number of items.
    test : str
        Where the p-value comes from.

    Examples
    --------
    >>> print(Comparison(a=0.72, b=0.70, low=0.005, high=0.035, p_value=0.012, confidence=0.95, n=1725, test="McNemar"))
    +0.0200 (0.7200 − 0.7000; 95 % interval +0.0050 to +0.0350; p = 0.012, McNemar, 1725 items)
    """

    a: float
    b: float
    low: float
    high: float
    p_value: float
    confidence: float
    n: int
    test: str

    @property
    def difference(self) -> float:
        """By how much the first model is better."""
        return self.a - self.b

    def __str__(self) -> str:
        sure = f"{100 * self.confidence:g} % interval"
        p = f"p = {self.p_value:.2g}" if self.p_value >= 1e-4 else "p < 0.0001"
        return (
            f"{self.difference:+.4f} ({self.a:.4f} − {self.b:.4f}; {sure} {self.low:+.4f} to "
            f"{self.high:+.4f}; {p}, {self.test}, {self.n} items)"
        )


def paired_test(
    a: ArrayLike, b: ArrayLike, *, resamples: int = 10_000, confidence: float = 0.95, random_state: Seed = 0
) -> Comparison:
    """Compare the means of two models' scores per item, such as ATOP per query.

    The interval is the percentile interval of the bootstrap over items. The p-value comes from flipping the sign of
    each item's difference at random; if all flips are no more than ``resamples``, each is made once and it is exact.

    Parameters
    ----------
    a, b : array-like of shape (n_items,)
        One score per item, the items in the same order.
    resamples : int
        Of the bootstrap, and of the flips.
    confidence : float
        Of the interval.
    random_state : int, Generator or None
        Seed of both.

    Returns
    -------
    Comparison

    References
    ----------
    Fisher (1935), The Design of Experiments, section 21; Phipson and Smyth (2010), Permutation P-values should never
    be zero.

    Examples
    --------
    >>> found = paired_test([0.9, 0.8, 0.7, 0.9], [0.8, 0.7, 0.6, 0.7])
    >>> round(found.difference, 3), found.p_value
    (0.125, 0.125)
    """
    resampling(resamples, confidence)
    first, second = numbers(a, "a"), numbers(b, "b")
    n = same_length(a=first, b=second)
    rng = np.random.default_rng(random_state)
    away = first - second
    low, high = percentile_interval(resampled_means(away, resamples, rng), confidence)
    p_value, test = _flip(away[away != 0], resamples, rng)
    return Comparison(
        a=float(first.mean()),
        b=float(second.mean()),
        low=low,
        high=high,
        p_value=p_value,
        confidence=confidence,
        n=n,
        test=test,
    )


def _flip(away: Floats, resamples: int, rng: np.random.Generator) -> tuple[float, str]:
    """P-value of the sum under random signs."""
    n = len(away)
    exact = n < 63 and 2**n <= resamples
    total = 2**n if exact else resamples
    # Sums that are equal on paper may differ by rounding.
    least = abs(away.sum()) - 1e-9 * np.abs(away).sum()
    reached = 0
    for block in blocks(total, max(n, 1)):
        rows = block.stop - block.start
        if exact:
            kept = ((np.arange(block.start, block.stop)[:, None] >> np.arange(n)) & 1).astype(float)
        else:
            drawn = rng.integers(0, 256, (rows, -(-n // 8)), dtype=np.uint8)
            kept = np.unpackbits(drawn, axis=1, count=n).astype(float)
        reached += int((np.abs(2 * (kept @ away) - away.sum()) >= least).sum())
    if exact:
        return reached / total, "exact sign flips"
    return (reached + 1) / (total + 1), f"{total} sign flips"


def paired_accuracy(right_a: ArrayLike, right_b: ArrayLike, *, confidence: float = 0.95) -> Comparison:
    """Compare two classifiers by the items on which only one of them is right (McNemar's test, exact).

    The interval is that of Clopper and Pearson for the share of such items that the first one wins, so it leaves out
    0 just when ``p < 1 − confidence``.

    Parameters
    ----------
    right_a, right_b : array-like of shape (n_items,)
        Per item, whether each model is right.
    confidence : float
        Of the interval.

    Returns
    -------
    Comparison

    References
    ----------
    McNemar (1947), Note on the sampling error of the difference between correlated proportions or percentages.

    Examples
    --------
    >>> found = paired_accuracy([1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 0])
    >>> found.p_value
    0.03125
    """
    from scipy.stats import binomtest

    resampling(100, confidence)
    first, second = binary(right_a, "right_a"), binary(right_b, "right_b")
    n = same_length(right_a=first, right_b=second)
    wins, losses = int((first & ~second).sum()), int((second & ~first).sum())
    p_value, low, high = 1.0, 0.0, 0.0
    if wins + losses:
        result = binomtest(wins, wins + losses)
        share = result.proportion_ci(confidence, method="exact")
        p_value = float(result.pvalue)
        low, high = ((2 * end - 1) * (wins + losses) / n for end in (share.low, share.high))
    return Comparison(
        a=float(first.mean()),
        b=float(second.mean()),
        low=float(low),
        high=float(high),
        p_value=p_value,
        confidence=confidence,
        n=n,
        test="exact McNemar",
    )


def compare_correlations(
    gold: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    kind: Kind = "pearson",
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
    random_state: Seed = 0,
) -> Comparison:
    """Compare how well two models' predictions correlate with the same gold scores.

    The p-value is Williams' t-test for two correlations that share a variable (for Spearman, of the ranks: an
    approximation). The interval is the percentile interval of the bootstrap over items.

    Parameters
    ----------
    gold : array-like of shape (n_items,)
        Human scores.
    a, b : array-like of shape (n_items,)
        The two models' predictions for the same items.
    kind : {"pearson", "spearman"}
        ``"pearson"`` or ``"spearman"``.
    resamples : int
        How many bootstrap samples.
    confidence : float
        How much of the resampled differences the interval holds.
    random_state : int, Generator or None
        Seed of the resamples.

    Returns
    -------
    Comparison

    References
    ----------
    Williams (1959), The comparison of regression variables; Steiger (1980), Tests for comparing elements of a
    correlation matrix, equation 7.

    Examples
    --------
    >>> found = compare_correlations([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 5, 4], [5, 1, 0, 3, 4, 2])
    >>> round(found.difference, 3)
    1.029
    """
    resampling(resamples, confidence)
    if kind not in ("pearson", "spearman"):
        raise ValueError(f"kind is {kind!r}; it must be 'pearson' or 'spearman'")
    truth, first, second = numbers(gold, "gold", 4), numbers(a, "a", 4), numbers(b, "b", 4)
    n = same_length(gold=truth, a=first, b=second)
    for name, values in (("gold", truth), ("a", first), ("b", second)):
        if values.min() == values.max():
            raise ValueError(f"{name} is constant: all {n} values are {values[0]}; a correlation needs variety")
    of = pearson if kind == "pearson" else spearman
    with_a, with_b = of(truth, first), of(truth, second)
    of_a, of_b = weighted_correlation(truth, first, kind), weighted_correlation(truth, second, kind)
    rng = np.random.default_rng(random_state)
    away = np.concatenate([of_a(weights) - of_b(weights) for weights in resamples_of(n, resamples, rng)])
    low, high = percentile_interval(away, confidence)
    p_value = _williams(with_a, with_b, of(first, second), n)
    return Comparison(
        a=with_a, b=with_b, low=low, high=high, p_value=p_value, confidence=confidence, n=n, test="Williams"
    )


def _williams(with_a: float, with_b: float, between: float, n: int) -> float:
    from scipy.stats import t as student

    if between > 1 - 1e-12:  # the same model, up to scale: nothing to compare
        return 1.0
    if between < -1 + 1e-12:
        raise ValueError("b is a turned upside down (their correlation is −1); turn one of them, such as by b = -b")
    determinant = 1 - with_a**2 - with_b**2 - between**2 + 2 * with_a * with_b * between
    mean = (with_a + with_b) / 2
    below = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + mean**2 * (1 - between) ** 3
    if below == 0:
        return 1.0 if with_a == with_b else 0.0
    t = (with_a - with_b) * np.sqrt((n - 1) * (1 + between) / below)
    return float(2 * student.sf(abs(t), n - 3))

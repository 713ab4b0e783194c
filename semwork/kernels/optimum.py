"""The decay of the largest alignment, with a certificate; and the conditions as the paper prints them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from semwork.kernels.checking import Floats, Kind, check_kernel_kind
from semwork.kernels.curve import AlignmentCurve

__all__ = ["Optimum", "best_decay", "printed_condition", "printed_decay", "search_range"]

# The range ends where all but the first eigenvector have shrunk to this share.
_COLLAPSED = 1e-9
_TOLERANCE = 1e-10
_ROUNDS = 100


@dataclass(frozen=True)
class Optimum:
    """The best decay.

    Parameters
    ----------
    decay : float
        Where the alignment is largest; 0 when no decay does better than K itself.
    alignment : float
        The alignment there.
    bound : float
        No decay of the range has a larger alignment than this.
    at_edge : bool
        Whether the end of the range, where only the first eigenvector is left, is as good.
    """

    decay: float
    alignment: float
    bound: float
    at_edge: bool


def search_range(curve: AlignmentCurve) -> float:
    """Return the largest decay that is looked at: beyond it only the first eigenvector is left.

    Parameters
    ----------
    curve : AlignmentCurve
        The alignment as a function of the decay.

    Returns
    -------
    float
    """
    largest = curve.largest
    if largest <= 0:
        return 0.0
    if curve.kind == "von_neumann":
        return (1 - _COLLAPSED) / largest
    below = curve.values[curve.values < largest * (1 - 1e-12)]
    gap = largest - float(below.max()) if len(below) else 0.0
    return -np.log(_COLLAPSED) / gap if gap > 0 else 0.0


def best_decay(curve: AlignmentCurve) -> Optimum:
    """Find the global maximum of the alignment over the whole range, 0 included.

    The log of the alignment is the difference of two convex functions of the decay, ``log ⟨K, target⟩`` and
    ``log ‖K‖`` (sums of products of log-convex growths with coefficients that are never negative), so on an interval
    [a, b] its derivative lies between ``s(a) − n(b)`` and ``s(b) − n(a)``, s and n being their derivatives. That
    bounds the alignment on the interval by the two lines through its ends; intervals whose bound is below the best
    value seen are dropped and the others halved. Then the root of the derivative is polished.

    Parameters
    ----------
    curve : AlignmentCurve
        The alignment as a function of the decay.

    Returns
    -------
    Optimum
    """
    end = search_range(curve)
    start = float(curve.at(0.0))
    if end == 0 or not curve.inner.any():
        return Optimum(0.0, start, start, at_edge=False)
    points = _grid(curve, end)
    logs, inner, norm = _evaluate(curve, points)
    place = int(np.argmax(logs))
    best, bound = (float(points[place]), float(logs[place])), np.inf
    # Columns: where, log of the alignment, the two slopes; an interval is a row of `left` and the same row of `right`.
    seen = np.column_stack([points, logs, inner, norm])
    left, right = seen[:-1], seen[1:]
    for _ in range(_ROUNDS):
        bounds = _bounds(left, right)
        keep = bounds > best[1] + _TOLERANCE
        bound = max(float(bounds.max(initial=-np.inf)), best[1])
        if not keep.any():
            break
        left, right = left[keep], right[keep]
        middle = (left[:, 0] + right[:, 0]) / 2
        if not ((middle > left[:, 0]) & (middle < right[:, 0])).any():
            break
        halves = np.column_stack([middle, *_evaluate(curve, middle)])
        place = int(np.argmax(halves[:, 1]))
        if halves[place, 1] > best[1]:
            best = float(halves[place, 0]), float(halves[place, 1])
        left, right = np.concatenate([left, halves]), np.concatenate([halves, right])
    decay = _polished(curve, best[0], end)
    alignment = float(curve.at(decay))
    if alignment <= start * (1 + _TOLERANCE):
        decay, alignment = 0.0, start
    at_edge = decay > 0 and float(curve.at(end)) >= alignment * (1 - 1e-12)
    return Optimum(decay, alignment, max(float(np.exp(bound)), alignment), at_edge=at_edge)


def _grid(curve: AlignmentCurve, end: float) -> Floats:
    first = min(1e-3 / curve.largest, end / 2)
    points = np.concatenate([[0.0], np.geomspace(first, end, 33)])
    if curve.kind == "von_neumann":
        near = (1 - np.geomspace(0.5, _COLLAPSED, 33)) / curve.largest
        points = np.concatenate([points, near])
    return np.unique(np.minimum(points, end))


def _evaluate(curve: AlignmentCurve, points: Floats) -> tuple[Floats, Floats, Floats]:
    parts = []
    for some in np.array_split(points, max(1, len(points) * len(curve.values) // 2_000_000)):
        alignment = curve.at(some)
        with np.errstate(divide="ignore"):
            parts.append((np.log(alignment), *curve.log_slopes(some)))
    logs, inner, norm = (np.concatenate(column) for column in zip(*parts, strict=True))
    return logs, inner, norm


def _bounds(left: Floats, right: Floats) -> Floats:
    """Upper bounds of the log of the alignment on intervals."""
    a, log_a, inner_a, norm_a = left.T
    b, log_b, inner_b, norm_b = right.T
    width = b - a
    rise, fall = inner_b - norm_a, inner_a - norm_b
    ends = np.maximum(log_a, log_b)
    inside = (rise > 0) & (fall < 0)
    steep = np.where(inside, rise - fall, 1.0)
    with np.errstate(invalid="ignore"):
        crossing = np.clip((log_b - log_a - fall * width) / steep, 0, width)
        bounds: Floats = np.where(inside, np.maximum(log_a + rise * crossing, ends), ends)
    return bounds


def _polished(curve: AlignmentCurve, decay: float, end: float) -> float:
    """Return the root of the derivative next to a decay, or the decay where it is an end of the range."""

    def slope(at: float) -> float:
        inner, norm = curve.log_slopes(at)
        return float(inner - norm)

    unit = 1 / curve.largest
    for share in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3):
        low, high = max(decay - share * unit, 0.0), min(decay + share * max(unit, decay), end)
        if high > low and slope(low) > 0 > slope(high):
            found = float(brentq(slope, low, high, xtol=1e-14 * unit, rtol=1e-14))
            return found if curve.at(found) >= curve.at(decay) else decay
    return decay


def printed_condition(kind: Kind, values: Floats, inner: Floats, decays: Floats) -> Floats:
    """Left side minus right side of Proposition 6 (exponential) or 7 (von Neumann) as the paper [1]_ prints them.

    Proposition 6 is the exact condition. Proposition 7 takes ``1 / (λ(1 − λα))`` for the eigenvalues of the von
    Neumann kernel, which are ``α / (1 − λα) = 1 / (λ(1 − λα)) − 1/λ``: its roots are stationary points of the
    alignment of ``(I − λK)⁻¹``, another kernel.

    Parameters
    ----------
    kind : {"exponential", "von_neumann"}
        The kernel.
    values : ndarray of shape (n,)
        Eigenvalues α of K.
    inner : ndarray of shape (n,)
        ``⟨v, y⟩²`` for every eigenvector.
    decays : ndarray of any shape
        Where to evaluate.

    Returns
    -------
    ndarray of the shape of decays

    References
    ----------
    .. [1] J. Kandola, J. Shawe-Taylor & N. Cristianini (2002), Learning Semantic Similarity, NIPS, section 5.
    """
    check_kernel_kind(kind)
    decays = np.asarray(decays, dtype=np.float64)[..., None]
    if kind == "exponential":
        g = np.exp(decays * (values - values.max(initial=0.0)))
        mu, slope = values * g, values**2 * g
    else:
        mu = 1 / (decays * (1 - decays * values))
        slope = mu**2 * (2 * decays * values - 1)
    square, half = (mu**2).sum(axis=-1), (mu * slope).sum(axis=-1)
    difference: Floats = square * (slope @ inner) - (mu @ inner) * half
    scale: Floats = square * (np.abs(slope) @ inner) + (mu @ inner) * np.abs(mu * slope).sum(axis=-1)
    return difference / np.where(scale > 0, scale, 1.0)


def printed_decay(kind: Kind, values: Floats, inner: Floats, end: float) -> float | None:
    """Return the first decay where the printed condition holds as the alignment turns from rising to falling.

    Parameters
    ----------
    kind : {"exponential", "von_neumann"}
        The kernel.
    values, inner : ndarray of shape (n,)
        As in `printed_condition`.
    end : float
        The largest decay that is looked at, as `search_range` gives it.

    Returns
    -------
    float or None
        ``None`` where there is no such decay.
    """
    decays = np.geomspace(end * 1e-4, end, 400)
    sides = printed_condition(kind, values, inner, decays)
    turns = np.flatnonzero((sides[:-1] > 0) & (sides[1:] <= 0))
    if not len(turns):
        return None
    low, high = decays[turns[0]], decays[turns[0] + 1]
    return float(brentq(lambda at: float(printed_condition(kind, values, inner, np.asarray(at))), low, high))

"""Yes or no decisions of a classifier, with its ranking and its bias told apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from semwork.evaluation.checks import Flags, binary, numbers, same_length

__all__ = ["Decisions", "decisions", "f1_score"]


@dataclass(frozen=True)
class Decisions:
    """How good the decisions of a classifier are.

    Parameters
    ----------
    error : float
        Share of wrong decisions at the classifier's own threshold, 0.
    f1 : float
        F1 of the yes class there.
    average_precision : float
        Quality of the ranking alone: precision averaged over the places of the yes items.
    prior_f1 : float
        F1 when as large a share is accepted as is yes in the training data: a good ranking with a wrong bias has a
        low ``f1`` and a high ``prior_f1``. A threshold cannot tell equal scores apart, so they are accepted or refused
        together, whichever comes nearer to that share (refused if both are equally near).
    """

    error: float
    f1: float
    average_precision: float
    prior_f1: float


def decisions(labels: ArrayLike, scores: ArrayLike, prior: float) -> Decisions:
    """Judge scores (above 0: yes) against labels (booleans, or 0 and 1).

    Parameters
    ----------
    labels : array-like of shape (n_items,)
        What is true.
    scores : array-like of shape (n_items,)
        The classifier's decision values.
    prior : float
        Share of yes in the training data, between 0 and 1.

    Returns
    -------
    Decisions

    Examples
    --------
    >>> decisions([1, 1, 0, 0], [-0.1, -0.2, -0.3, -0.4], prior=0.5)
    Decisions(error=0.5, f1=0.0, average_precision=1.0, prior_f1=1.0)
    """
    true, given = binary(labels, "labels"), numbers(scores, "scores")
    same_length(labels=true, scores=given)
    if not 0 <= prior <= 1:
        raise ValueError(f"prior is {prior}; it is a share, between 0 and 1")
    accepted = _best(given, round(prior * len(true)))
    said = given > 0
    return Decisions(
        float(np.mean(said != true)), f1_score(true, said), _average_precision(true, given), f1_score(true, accepted)
    )


def _best(scores: np.ndarray, wanted: int) -> Flags:
    """The best items, as nearly so many as equal scores allow."""
    best = np.sort(scores)[::-1]
    ends = np.append(0, np.flatnonzero(np.append(np.diff(best) != 0, True)) + 1)
    count = ends[np.argmin(np.abs(ends - wanted))]
    return np.asarray(scores >= best[count - 1] if count else np.zeros(len(scores), dtype=bool))


def f1_score(true: Flags, said: Flags) -> float:
    """F1 of the yes class; 0 when nothing is yes anywhere."""
    both = int(np.sum(true & said))
    total = int(np.sum(true)) + int(np.sum(said))
    return 2 * both / total if total else 0.0


def _average_precision(true: Flags, scores: np.ndarray) -> float:
    """Sum over thresholds of precision times the rise of recall; equal scores are accepted together."""
    if not true.any():
        return 0.0
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.diff(scores[order]) != 0, True)
    found = np.cumsum(true[order])[last]
    precision = found / (np.flatnonzero(last) + 1)
    return float(np.sum(np.diff(found, prepend=0) * precision) / true.sum())

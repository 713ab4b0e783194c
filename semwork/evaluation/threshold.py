"""How one threshold parts paraphrases from other pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from semwork.evaluation.checks import binary, numbers, same_length

__all__ = ["ThresholdScores", "at_threshold"]


@dataclass(frozen=True)
class ThresholdScores:
    """What a threshold reaches on one set; precision, recall and F1 are of the paraphrases, 0 where none is found.

    Attributes
    ----------
    threshold : float
        Pairs that score at least this are called paraphrases.
    accuracy : float
        The share of the pairs that are called what they are.
    f1, precision, recall : float
        Of the paraphrases.
    """

    threshold: float
    accuracy: float
    f1: float
    precision: float
    recall: float

    def __str__(self) -> str:
        return f"accuracy {self.accuracy:.3f}, F1 {self.f1:.3f} at the threshold {self.threshold:.3f}"


def at_threshold(scores: ArrayLike, labels: ArrayLike, threshold: float) -> ThresholdScores:
    """Call every pair that scores at least the threshold a paraphrase, and compare with the labels.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        The similarity of each pair.
    labels : array-like of shape (n_pairs,)
        1 for a paraphrase, 0 for none.
    threshold : float
        Any number; `semwork.evaluation.best_threshold` learns one.

    Returns
    -------
    ThresholdScores

    Examples
    --------
    >>> print(at_threshold([0.2, 0.3, 0.9, 0.1], [0, 1, 1, 1], 0.25))
    accuracy 0.750, F1 0.800 at the threshold 0.250
    """
    values, truth = numbers(scores, "scores"), binary(labels, "labels")
    same_length(scores=values, labels=truth)
    said = values >= threshold
    right, found, real = int((said & truth).sum()), int(said.sum()), int(truth.sum())
    return ThresholdScores(
        threshold=float(threshold),
        accuracy=float(np.mean(said == truth)),
        f1=2 * right / (found + real) if right else 0.0,
        precision=right / found if found else 0.0,
        recall=right / real if real else 0.0,
    )

"""Paraphrase or not: a threshold on the similarity, learnt on one set and judged on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from semwork.evaluation.checks import Flags, Floats, binary, numbers, same_length

__all__ = ["AccuracyCurve", "Paraphrase", "accuracy_curve", "best_threshold", "paraphrase"]


@dataclass(frozen=True, eq=False)
class AccuracyCurve:
    """Accuracy and F1 at every threshold that makes a difference, from the lowest to the highest.

    A pair is called a paraphrase if its score is at least the threshold. The first threshold is the lowest score (all
    are paraphrases), the last is just above the highest (none is); the others lie midway between two scores.

    Attributes
    ----------
    threshold : ndarray of shape (n_thresholds,)
        In rising order.
    accuracy : ndarray of shape (n_thresholds,)
        The share of the pairs that are called what they are.
    f1 : ndarray of shape (n_thresholds,)
        F1 of the paraphrases, 0 where none is found.
    """

    threshold: Floats
    accuracy: Floats
    f1: Floats

    @property
    def best(self) -> float:
        """The lowest of the thresholds with the highest accuracy.

        With equally many errors a lower threshold finds more paraphrases, so it has the highest F1 of them, too.
        """
        return float(self.threshold[np.argmax(self.accuracy)])


@dataclass(frozen=True)
class Paraphrase:
    """A threshold from the training set and how it does on the test set.

    Attributes
    ----------
    threshold : float
        Pairs that score at least this are called paraphrases.
    accuracy, f1, precision, recall : float
        On the test set; precision, recall and F1 of the paraphrases, 0 where nothing was found.
    train_accuracy : float
        What the threshold reached on the set it was chosen on.
    majority_accuracy : float
        Test accuracy of always saying what is more frequent in the training set ("paraphrase" if both are).
    """

    threshold: float
    accuracy: float
    f1: float
    precision: float
    recall: float
    train_accuracy: float
    majority_accuracy: float

    def __str__(self) -> str:
        return (
            f"accuracy {self.accuracy:.3f}, F1 {self.f1:.3f} at the threshold {self.threshold:.3f} "
            f"(majority {self.majority_accuracy:.3f}, train {self.train_accuracy:.3f})"
        )


def accuracy_curve(scores: ArrayLike, labels: ArrayLike) -> AccuracyCurve:
    """Accuracy and F1 at all thresholds, by one sort.

    Parameters
    ----------
    scores : array-like of shape (n_pairs,)
        The similarity of each pair.
    labels : array-like of shape (n_pairs,)
        1 for a paraphrase, 0 for none.

    Returns
    -------
    AccuracyCurve

    Examples
    --------
    >>> curve = accuracy_curve([0.1, 0.4, 0.8], [0, 1, 1])
    >>> curve.threshold.round(3).tolist(), curve.accuracy.round(3).tolist()
    ([0.1, 0.25, 0.6, 0.8], [0.667, 1.0, 0.667, 0.333])
    """
    values, truth = _checked(scores, labels, "scores", "labels")
    order = np.argsort(values, kind="stable")
    values, truth = values[order], truth[order]
    first = np.flatnonzero(np.append(True, values[1:] > values[:-1]))  # where a new value begins
    middle = values[first[1:]] / 2 + values[first[1:] - 1] / 2
    # Between neighbouring floats there is no middle; the upper one then parts them as well.
    middle = np.where(middle > values[first[1:] - 1], middle, values[first[1:]])
    below = np.append(first, len(values))  # how many pairs lie below each threshold
    missed = np.append(0, np.cumsum(truth))[below]
    found = int(truth.sum()) - missed
    wrong = missed + (len(values) - below - found)
    return AccuracyCurve(
        threshold=np.concatenate([values[:1], middle, [np.nextafter(values[-1], np.inf)]]),
        accuracy=1 - wrong / len(values),
        f1=np.divide(2 * found, 2 * found + wrong, out=np.zeros(len(below)), where=found > 0),
    )


def best_threshold(scores: ArrayLike, labels: ArrayLike) -> float:
    """The threshold with the highest accuracy; see `AccuracyCurve.best` for ties.

    Parameters
    ----------
    scores, labels : as in `accuracy_curve`

    Returns
    -------
    float

    Examples
    --------
    >>> round(best_threshold([0.1, 0.4, 0.8], [0, 1, 1]), 3)
    0.25
    """
    return accuracy_curve(scores, labels).best


def paraphrase(
    train_scores: ArrayLike, train_labels: ArrayLike, test_scores: ArrayLike, test_labels: ArrayLike
) -> Paraphrase:
    """Choose the threshold on the training set, then judge it on the test set.

    Parameters
    ----------
    train_scores : array-like of shape (n_train_pairs,)
        The similarity of each pair of the training set.
    train_labels : array-like of shape (n_train_pairs,)
        1 for a paraphrase, 0 for none.
    test_scores : array-like of shape (n_test_pairs,)
        The similarity of each pair of the test set.
    test_labels : array-like of shape (n_test_pairs,)
        1 for a paraphrase, 0 for none.

    Returns
    -------
    Paraphrase

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, section 5.4 (MSR04).

    Examples
    --------
    >>> print(paraphrase([0.1, 0.4, 0.8], [0, 1, 1], [0.2, 0.3, 0.9, 0.1], [0, 1, 1, 1]))
    accuracy 0.750, F1 0.800 at the threshold 0.250 (majority 0.750, train 1.000)
    """
    values, truth = _checked(test_scores, test_labels, "test_scores", "test_labels")
    learnt, known = _checked(train_scores, train_labels, "train_scores", "train_labels")
    curve = accuracy_curve(learnt, known)
    said = values >= curve.best
    right, found, real = int((said & truth).sum()), int(said.sum()), int(truth.sum())
    return Paraphrase(
        threshold=curve.best,
        accuracy=float(np.mean(said == truth)),
        f1=2 * right / (found + real) if right else 0.0,
        precision=right / found if found else 0.0,
        recall=right / real if real else 0.0,
        train_accuracy=float(curve.accuracy.max()),
        majority_accuracy=float(np.mean(truth == (known.mean() >= 0.5))),
    )


def _checked(scores: ArrayLike, labels: ArrayLike, said: str, truth: str) -> tuple[Floats, Flags]:
    values, flags = numbers(scores, said), binary(labels, truth)
    same_length(**{said: values, truth: flags})
    return values, flags

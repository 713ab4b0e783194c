"""The three scores of SemEval-2012 task 6, semantic textual similarity over several sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from semwork.evaluation.checks import Floats, numbers, same_length
from semwork.evaluation.correlation import pearson

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["StsScores", "sts_scores"]


@dataclass(frozen=True)
class StsScores:
    """Pearson's r per set, and over all sets in three ways.

    Attributes
    ----------
    sets : mapping of str to float
        Set → Pearson, in the order in which the sets first appear.
    sizes : mapping of str to int
        Set → number of pairs.
    all : float
        ALL: one Pearson over the sets joined.
    all_normalised : float
        ALLnrm: the same after each set's predictions were fitted to its gold by least squares; never negative.
    mean : float
        Mean: the sets' Pearsons, weighted by their sizes.
    """

    sets: Mapping[str, float]
    sizes: Mapping[str, int]
    all: float
    all_normalised: float
    mean: float

    def table(self) -> pd.DataFrame:
        """One row per set, then ALL, ALLnrm and Mean.

        Returns
        -------
        DataFrame of shape (n_sets + 3, 3)
            ``set``, ``pairs`` and ``pearson``.
        """
        import pandas as pd

        total = sum(self.sizes.values())
        joint = {"ALL": self.all, "ALLnrm": self.all_normalised, "Mean": self.mean}
        rows = [(name, self.sizes[name], value) for name, value in self.sets.items()]
        rows += [(name, total, value) for name, value in joint.items()]
        return pd.DataFrame(rows, columns=["set", "pairs", "pearson"])


def sts_scores(gold: ArrayLike, predicted: ArrayLike, group: ArrayLike) -> StsScores:
    """Score predicted similarities as SemEval-2012 task 6 did.

    Parameters
    ----------
    gold, predicted : array-like of shape (n_pairs,)
        One number per pair of sentences.
    group : array-like of shape (n_pairs,), str
        The name of the set that each pair belongs to.

    Returns
    -------
    StsScores

    References
    ----------
    Agirre, Cer, Diab and Gonzalez-Agirre (2012), SemEval-2012 Task 6: A Pilot on Semantic Textual Similarity;
    Guo and Diab (2012), Weiwei: A Simple Unsupervised Latent Semantics based Approach for Sentence Similarity,
    tables 2 and 3.

    Examples
    --------
    >>> scores = sts_scores([1, 2, 3, 1, 2, 4], [1, 2, 3, 10, 20, 40], ["MSRpar"] * 3 + ["OnWN"] * 3)
    >>> scores.table().round(3).to_dict("list")["pearson"]
    [1.0, 1.0, 0.669, 1.0, 1.0]
    """
    x, y = numbers(gold, "gold", 2), numbers(predicted, "predicted", 2)
    names = np.asarray(group)
    same_length(gold=x, predicted=y, group=names)
    sets, sizes, missed = {}, {}, 0.0
    for name in dict.fromkeys(names.tolist()):
        here = names == name
        try:
            sets[str(name)] = pearson(x[here], y[here])
        except ValueError as error:
            raise ValueError(f"set {name}: {error}") from error
        sizes[str(name)] = int(here.sum())
        # A least-squares fit leaves 1 − r² of the squared differences within the set unexplained.
        missed += (1 - sets[str(name)] ** 2) * _squares(x[here])
    return StsScores(
        sets=sets,
        sizes=sizes,
        all=pearson(x, y),
        all_normalised=float(np.sqrt(1 - min(1.0, missed / _squares(x)))),
        mean=float(np.average(list(sets.values()), weights=list(sizes.values()))),
    )


def _squares(values: Floats) -> float:
    """Sum of the squared differences from the mean."""
    return float(((values - values.mean()) ** 2).sum())

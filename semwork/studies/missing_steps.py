"""A sentence as a model sees it after a step of its fit: its words, missing words, and three hypotheses about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from semwork.similarity.missing import one_row
from semwork.steps import Step

if TYPE_CHECKING:
    import pandas as pd

    from semwork.studies.glossary import Entry

__all__ = ["HYPOTHESES", "MissingStep", "word_table"]

#: The three hypotheses of the paper's Table 1, each as the weight of missing words that leads to it: ignore them, as
#: topic models do; count them like the others, as LSA does; count them a little.
HYPOTHESES = {"v1": 0.0, "v2": 1.0, "v3": 0.01}


@dataclass(frozen=True, kw_only=True)
class MissingStep(Step):
    """A sentence as the model sees it after this step of the fit.

    Attributes
    ----------
    entry : Entry
        The sentence.
    weight : float
        The model's w_m.
    words : DataFrame of shape (n_words, 4)
        Observed words and the missing words that fit best (:func:`word_table`).
    similar_words : DataFrame of shape (k, 3)
        The nearest words, by cosine: ``word``, ``similarity`` and ``observed``.
    definitions : DataFrame of shape (k, 6)
        The nearest definitions, by cosine: ``place``, ``name``, ``headword``, ``sense``, ``similarity`` and ``text``.
    model_vector : DataFrame of shape (1, 3)
        ``candidate``, ``R_o`` and ``R_m`` of the model's own vector of the sentence.
    candidates : DataFrame of shape (n_hypotheses, 6)
        R_o and R_m of the hypotheses that are fitted so far, their ``score`` at ``weight``, and which one ``wins``.
    headword_rank : int or None
        The place of the headword among the missing words, best fit first; None when there is none.
    """

    entry: Entry
    weight: float
    words: pd.DataFrame
    similar_words: pd.DataFrame
    definitions: pd.DataFrame
    model_vector: pd.DataFrame
    candidates: pd.DataFrame
    headword_rank: int | None


def word_table(vocabulary: Any, sentence: Any, predicted: Any, k: int = 12) -> pd.DataFrame:
    """All observed words and the k missing words that fit best.

    Parameters
    ----------
    vocabulary : array-like of shape (n_words,), str
        The words.
    sentence : {array-like, sparse matrix} of shape (n_words,) or (1, n_words)
        The weights X of one sentence.
    predicted : array-like of shape (n_words,) or (1, n_words)
        ``P_i·v`` for all words.
    k : int
        How many missing words.

    Returns
    -------
    DataFrame of shape (n_observed + k, 4)
        ``word``, ``weight`` (X, 0 for a missing word), ``predicted`` and ``observed``; the observed words by weight,
        then the missing ones by prediction.

    Examples
    --------
    >>> word_table(["bank", "fish", "loan"], [4, 0, 0], [3.0, 0.1, 2.0], k=1)["word"].tolist()
    ['bank', 'loan']
    """
    import pandas as pd

    x, values = one_row(sentence), one_row(predicted)
    observed = np.flatnonzero(x)
    observed = observed[np.argsort(-x[observed], kind="stable")]
    missing = np.argsort(np.where(x > 0, np.inf, -values), kind="stable")[: min(k, int((x == 0).sum()))]
    shown = np.concatenate([observed, missing])
    return pd.DataFrame(
        {
            "word": np.asarray(vocabulary)[shown],
            "weight": x[shown],
            "predicted": values[shown],
            "observed": x[shown] > 0,
        }
    )

"""R_o, R_m and who wins: the paper's measure of what a sentence's vector says of observed and of missing words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from semwork.similarity.catalogue import WEIGHT_GRID

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Measure", "one_row", "relatedness", "scores"]

Measure = Literal["sum", "fit"]


def relatedness(sentence: Any, predicted: Mapping[str, Any], *, measure: Measure = "sum") -> pd.DataFrame:
    """R_o and R_m of several hypotheses about one sentence, as in Table 1 of the paper.

    Parameters
    ----------
    sentence : {array-like, sparse matrix} of shape (n_words,) or (1, n_words)
        The TF-IDF weights X of one sentence, dense or sparse; a word is observed where they are not 0.
    predicted : mapping of str to array-like of shape (n_words,) or (1, n_words)
        Name → ``P_i·v`` for all words, as ``model.predicted`` gives for a sentence. Hypotheses of several models can
        be compared, because all of them predict the same weights.
    measure : {"sum", "fit"}
        ``"sum"``: R_o and R_m are the sums of ``P_i·v`` over the observed and over the missing words, as in
        section 2.1. ``"fit"``: what the objective counts (equation 3). R_o is the part of the observed weights
        that v explains, ``Σ X_i² − (P_i·v − X_i)²``, and R_m is ``Σ (P_i·v)²``: then WTMF's own vector for a weight
        w is the one with the largest ``R_o − w R_m − λ‖v‖²``.

    Returns
    -------
    DataFrame of shape (n_candidates, 3)
        ``candidate``, ``R_o`` and ``R_m``.

    References
    ----------
    .. [1] W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, section 2.1 and Table 1.

    Examples
    --------
    >>> relatedness([2, 3, 0, 0], {"v": [2.0, 2.0, 1.0, 0.5]}).to_dict("records")
    [{'candidate': 'v', 'R_o': 4.0, 'R_m': 1.5}]
    >>> relatedness([2, 3, 0, 0], {"v": [2.0, 2.0, 1.0, 0.5]}, measure="fit").to_dict("records")
    [{'candidate': 'v', 'R_o': 12.0, 'R_m': 1.25}]
    """
    import pandas as pd

    if measure not in ("sum", "fit"):
        raise ValueError(f"measure is {measure!r}; it can be 'sum' (section 2.1) or 'fit' (equation 3)")
    x = one_row(sentence)
    values = np.array([one_row(one) for one in predicted.values()]).reshape(len(predicted), len(x))
    observed, missing = values[:, x > 0], values[:, x == 0]
    if measure == "sum":
        r_o, r_m = observed.sum(axis=1), missing.sum(axis=1)
    else:
        r_o = (x[x > 0] ** 2).sum() - ((observed - x[x > 0]) ** 2).sum(axis=1)
        r_m = (missing**2).sum(axis=1)
    return pd.DataFrame({"candidate": list(predicted), "R_o": r_o, "R_m": r_m})


def scores(candidates: pd.DataFrame, weights: float | Sequence[float] = WEIGHT_GRID) -> pd.DataFrame:
    """``R_o − w R_m`` of every candidate for every weight w, and who wins.

    Parameters
    ----------
    candidates : DataFrame of shape (n_candidates, 3)
        A table with ``candidate``, ``R_o`` and ``R_m``, as :func:`relatedness` makes.
    weights : float or sequence of float
        One w or several.

    Returns
    -------
    DataFrame of shape (n_weights * n_candidates, 4)
        ``weight``, ``candidate``, ``score`` and ``wins``: one winner per weight, the first on a tie.

    Examples
    --------
    Table 1 of the paper:

    >>> import pandas as pd
    >>> table = pd.DataFrame({"candidate": ["v1", "v2", "v3"], "R_o": [20, 5, 18], "R_m": [600, 100, 300]})
    >>> result = scores(table, [0, 0.01, 1])
    >>> result[result["wins"]][["weight", "candidate", "score"]].to_numpy().tolist()
    [[0.0, 'v1', 20.0], [0.01, 'v3', 15.0], [1.0, 'v2', -95.0]]
    """
    import pandas as pd

    given = np.atleast_1d(np.asarray(weights, dtype=np.float64))
    values = candidates["R_o"].to_numpy(float) - given[:, None] * candidates["R_m"].to_numpy(float)
    wins = np.zeros(values.shape, dtype=bool)
    if len(candidates):
        wins[np.arange(len(given)), values.argmax(axis=1)] = True
    return pd.DataFrame(
        {
            "weight": np.repeat(given, len(candidates)),
            "candidate": np.tile(candidates["candidate"].to_numpy(), len(given)),
            "score": values.ravel(),
            "wins": wins.ravel(),
        }
    )


def one_row(sentence: Any) -> NDArray[np.float64]:
    """Return one sentence as a dense row.

    Parameters
    ----------
    sentence : {array-like, sparse matrix} of shape (n_words,) or (1, n_words)
        The sentence.

    Returns
    -------
    ndarray of shape (n_words,), float64
    """
    dense = np.asarray(sentence.toarray() if hasattr(sentence, "toarray") else sentence, dtype=np.float64)
    if dense.ndim > 2 or (dense.ndim == 2 and len(dense) != 1):
        raise ValueError(f"give one sentence, a row with one weight per word; this has the shape {dense.shape}")
    return dense.ravel()

"""R-hat and effective sample size, and which topic of one run is which of another."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from semwork.topics.checking import as_numbers

__all__ = ["bulk_ess", "co_assignment", "match_topics", "r_hat", "token_pairs"]


def bulk_ess(draws: ArrayLike) -> float:
    """Return the rank-normalised effective sample size of chains × draws; NaN with fewer than 4 draws or no change.

    Parameters
    ----------
    draws : array-like of shape (n_chains, n_draws)
        One number per draw.

    Returns
    -------
    float

    References
    ----------
    .. [1] A. Vehtari and others (2021), Rank-normalization, folding, and localization: an improved R-hat for assessing
       convergence of MCMC, Bayesian Analysis 16.

    Examples
    --------
    >>> 700 < bulk_ess(np.random.default_rng(0).standard_normal((2, 500))) < 1300
    True
    """
    from arviz_stats.base.array import array_stats

    return _asked(array_stats.ess, draws)


def r_hat(draws: ArrayLike) -> float:
    """Return the rank-normalised split R-hat of chains × draws: near 1 when chains agree. NaN where it says nothing.

    Parameters
    ----------
    draws : array-like of shape (n_chains, n_draws)
        One number per draw.

    Returns
    -------
    float

    Examples
    --------
    >>> apart = np.random.default_rng(0).standard_normal((2, 100)) + [[0], [5]]
    >>> r_hat(apart) > 1.5
    True
    """
    from arviz_stats.base.array import array_stats

    return _asked(array_stats.rhat, draws)


def _asked(measure: Any, draws: Any) -> float:
    allowed = "numbers in rows, one row for each chain, all of one length"
    draws = as_numbers("draws", draws, allowed)
    if draws.ndim != 2 or not len(draws):
        shape = " × ".join(map(str, draws.shape)) or "a single number"
        advice = ": write [chain] for one chain" if draws.ndim == 1 and len(draws) else ""
        raise ValueError(f"draws must be {allowed}; its shape is {shape}{advice}")
    if draws.shape[1] < 4 or (draws == draws[0, 0]).all():
        return float("nan")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # chains that never change divide by 0
        return float(measure(draws, chain_axis=0, draw_axis=1))


def token_pairs(starts: NDArray[np.int64], n_pairs: int, seed: int = 0) -> NDArray[np.int64]:
    """Return pairs of tokens to watch, n × 2: half of them from one document, half from anywhere.

    Parameters
    ----------
    starts : ndarray of shape (n_documents + 1,)
        Where documents begin, and where the last one ends.
    n_pairs : int
        How many.
    seed : int
        Of the draw.
    """
    n_tokens = int(starts[-1])
    random = np.random.default_rng(seed)
    first = random.integers(n_tokens, size=n_pairs)
    second = random.integers(n_tokens, size=n_pairs)
    for place in range(0, n_pairs, 2):
        document = int(np.searchsorted(starts, first[place], side="right")) - 1
        second[place] = random.integers(starts[document], starts[document + 1])
    return np.stack([first, second], axis=1)


def co_assignment(topics: NDArray[Any], pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether the two tokens of each pair have the same topic, whatever it is called.

    Parameters
    ----------
    topics : ndarray of shape (n_tokens,)
        The topic of each token.
    pairs : ndarray of shape (n_pairs, 2)
        Numbers of tokens.
    """
    return np.asarray(topics[pairs[:, 0]] == topics[pairs[:, 1]])


def match_topics(a: Any, b: Any) -> pd.DataFrame:
    """Pair the topics of two models so that their distances have the smallest sum (the Hungarian method).

    Parameters
    ----------
    a, b : TopicModel or array-like of shape (n_topics, n_numbers)
        Fitted models, or arrays with one row per topic: means of Gaussians (Euclidean distance), or distributions
        over the same words for `LDA` (Euclidean distance of their square roots, as of Hellinger).

    Returns
    -------
    pandas.DataFrame
        ``topic`` of a, ``matched`` of b, ``distance``; in the order of a's topics.

    Examples
    --------
    >>> match_topics(np.eye(3), np.eye(3)[[2, 0, 1]])["matched"].tolist()
    [1, 2, 0]
    """
    left, right = _rows(a), _rows(b)
    if left.shape[1] != right.shape[1]:
        raise ValueError(
            f"topics of a have {left.shape[1]} numbers and those of b {right.shape[1]}; only topics of the same space "
            "can be compared"
        )
    distances = cdist(left, right)
    rows, columns = linear_sum_assignment(distances)
    return pd.DataFrame({"topic": rows, "matched": columns, "distance": distances[rows, columns]})


def _rows(model: Any) -> NDArray[np.float64]:
    if hasattr(model, "means_"):
        return np.asarray(model.means_)
    if hasattr(model, "topic_word_"):
        return np.asarray(np.sqrt(model.topic_word_))
    rows = as_numbers("the topics", model, "a fitted model or one row of numbers per topic")
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise ValueError(f"expected a fitted model or one row of finite numbers per topic, got {model!r:.60}")
    return rows

"""What the baselines ask of a matrix and of their numbers, with messages that say what to do instead."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, check_non_negative

__all__ = ["check_count", "check_counts", "check_positive", "check_weights"]


def check_weights(model: Any, X: Any, *, fitting: bool) -> sparse.csr_array:
    """Return a sentences × words matrix as CSR, or say what is wrong with it."""
    if not fitting:
        check_is_fitted(model)
    name = type(model).__name__
    if hasattr(X, "matrix") and hasattr(X, "vocabulary"):
        raise TypeError(f"{name} reads a sentences × words matrix, got a {type(X).__name__}: give its .matrix")
    text = _first_text(X)
    if text is not None:
        raise TypeError(
            f"{name} reads a sentences × words matrix, got text {text!r:.40}: make one with Corpus.from_texts(texts), "
            "and with that Corpus' transform for new texts"
        )
    X = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=int(fitting), estimator=model)
    check_non_negative(X, f"{name}: the weight of a word in a sentence is 0 or more")
    if fitting:
        model.n_features_in_ = X.shape[1]
    elif X.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {model.n_features_in_} features as input; "
            "make X with the transform method of the Corpus that the model was fitted on"
        )
    return sparse.csr_array(X)


def check_counts(model: Any, X: Any) -> sparse.csr_array:
    """Return a matrix of whole numbers to fit on."""
    if hasattr(X, "counts") and hasattr(X, "vocabulary"):
        raise TypeError(f"{type(model).__name__} reads raw counts, got a {type(X).__name__}: give its .counts")
    counts = check_weights(model, X, fitting=True)
    whole = np.rint(counts.data)
    if not np.array_equal(whole, counts.data):
        broken = counts.data[whole != counts.data][0]
        raise ValueError(
            f"{type(model).__name__} counts words, but a cell is {broken:.6g}: fit on the counts of a Corpus, not on "
            "its weighted matrix (transform takes the weights)"
        )
    return counts.astype(np.int64)


def check_count(name: str, value: Any, *, at_least: int = 1) -> int:
    """Return a whole number."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < at_least:
        raise ValueError(f"{name} must be a whole number from {at_least}, got {value!r}")
    return int(value)


def check_positive(name: str, value: Any) -> float:
    """Return a finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < np.inf:
        raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return float(value)


def _first_text(X: Any) -> str | None:
    """Return the first text where texts were given instead of a matrix: a list, an array or a column of strings."""
    if isinstance(X, str):
        return X
    one_dimensional = isinstance(X, list | tuple) or (getattr(X, "ndim", 0) == 1 and not sparse.issparse(X))
    first = next(iter(X), None) if one_dimensional else None
    return first if isinstance(first, str) else None

"""What sentence models ask of a matrix, and whether the work fits in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_feature_names, check_array, check_is_fitted

from semwork.memory import available_memory

__all__ = [
    "check_counts",
    "check_fits_in_memory",
    "check_weights",
    "memory_needed",
]


def check_weights(model: Any, X: Any, *, fitting: bool, dtype: Any = np.float64) -> sparse.csr_array:
    """Return a sentences × words matrix as CSR with sorted, unique, positive, finite cells, or say what is wrong."""
    if not fitting:
        check_is_fitted(model)
    name = type(model).__name__
    if hasattr(X, "matrix") and hasattr(X, "vocabulary"):
        raise TypeError(f"{name} reads a sentences × words matrix, got a {type(X).__name__}: give its .matrix")
    text = _first_text(X)
    if text is not None:
        raise TypeError(
            f"{name} reads a sentences × words matrix, got text {text!r:.40}: make one with Corpus.from_texts(texts), "
            "and with that Corpus' transform for new texts, or use SentenceSpace, which does it for you"
        )
    _check_feature_names(model, X, reset=fitting)
    X = check_array(X, accept_sparse="csr", dtype=dtype, ensure_min_samples=int(fitting), estimator=model)
    if fitting:
        model.n_features_in_ = X.shape[1]
    elif X.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {model.n_features_in_} features as input; "
            "make X with the transform method of the Corpus that the model was fitted on"
        )
    X = sparse.csr_array(X, copy=sparse.issparse(X) and not X.has_canonical_format)
    X.sum_duplicates()
    if X.nnz and X.data.min() < 0:
        raise ValueError(
            f"Negative values in data passed to {name}: the smallest weight is {X.data.min():g}; the weight of a word "
            "in a sentence is 0 or more, as Corpus.matrix has it"
        )
    if X.nnz and (X.data == 0).any():
        X = X.copy()
        X.eliminate_zeros()
    return X


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


def _first_text(X: Any) -> str | None:
    """Return the first text where texts were given instead of a matrix: a list, an array or a column of strings."""
    if isinstance(X, str):
        return X
    one_dimensional = isinstance(X, list | tuple) or (getattr(X, "ndim", 0) == 1 and not sparse.issparse(X))
    first = next(iter(X), None) if one_dimensional else None
    return first if isinstance(first, str) else None


def memory_needed(shape: tuple[int, int], cells: int, n_components: int, itemsize: int) -> int:
    """Bytes that a fit takes at its peak: both orders of the matrix, both factors, one whitened copy, a result."""
    rows = sum(shape) + 2 * max(shape)
    return rows * n_components * itemsize + 2 * cells * (itemsize + 4) + 2 * cells * 8


def check_fits_in_memory(shape: tuple[int, int], cells: int, n_components: int, itemsize: int) -> None:
    """Refuse a fit that cannot end well before it starts."""
    needed, free = memory_needed(shape, cells, n_components, itemsize), available_memory()
    if free is not None and needed > free:
        raise MemoryError(
            f"{shape[0]:,} sentences × {shape[1]:,} words with n_components={n_components} need about "
            f"{needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; choose a smaller n_components, dtype='float32', "
            "or fewer sentences"
        )

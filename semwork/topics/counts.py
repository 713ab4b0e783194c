"""Documents given as scikit-learn gives them: a matrix of counts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_feature_names, check_array

__all__ = ["is_matrix", "words_of_counts"]


def is_matrix(documents: Any) -> bool:
    """Whether documents are a matrix or a table of numbers; lists are lists of words or word numbers."""
    if sparse.issparse(documents):
        return True
    if hasattr(documents, "columns") and hasattr(documents, "iloc"):
        return all(dtype.kind in "biuf" for dtype in documents.dtypes)  # with a column of texts it is no matrix
    array = isinstance(documents, np.ndarray) and documents.ndim == 2
    return array and documents.dtype.kind not in "US" and not isinstance(next(iter(documents.flat), None), str)


def words_of_counts(model: Any, X: Any, *, fitting: bool) -> list[Any]:
    """Return the words of each row as often as they count: column names of a table, column numbers of a matrix."""
    name = type(model).__name__
    _check_feature_names(model, X, reset=fitting)
    X = check_array(X, accept_sparse="csr", dtype=np.float64, estimator=model)
    if fitting:
        model.n_features_in_ = X.shape[1]
    elif X.shape[1] != getattr(model, "n_features_in_", X.shape[1]):
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {model.n_features_in_} features as input; count "
            "the same words as in the fit"
        )
    counts = sparse.csr_array(X)
    if counts.nnz and counts.data.min() < 0:
        raise ValueError(
            f"Negative values in data passed to {name}: the smallest count is {counts.data.min():g}; a matrix says how "
            "often each word (column) is in each document (row)"
        )
    often = counts.data.astype(np.int64)
    if not np.array_equal(often, counts.data):
        raise ValueError(
            f"{name} counts words, but a cell is {counts.data[often != counts.data][0]:.6g}: give whole numbers, how "
            "often each word (column) is in each document (row)"
        )
    words = np.repeat(counts.indices, often)
    ends = np.cumsum(often)
    starts = np.concatenate([[0], ends])[counts.indptr].tolist()
    rows = [words[start:end] for start, end in pairwise(starts)]
    if not hasattr(model, "feature_names_in_"):
        return rows
    return [model.feature_names_in_[row].tolist() for row in rows]

"""What is given to a semantic kernel: documents × terms, and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_feature_names, check_array, column_or_1d

from semwork.kernels.checking import Floats, one_hot

__all__ = ["read_documents", "read_target"]


def read_documents(kernel: Any, X: Any, *, fitting: bool, name: str = "X") -> sparse.csr_array:
    """Return documents × terms as a sparse matrix, or say what to give instead.

    Parameters
    ----------
    kernel : SemanticKernel
        Whose documents they are; fitting sets its ``n_features_in_``.
    X : {array-like, sparse matrix} of shape (n_documents, n_terms)
        What was given.
    fitting : bool
        Whether the kernel learns from them.
    name : str
        Of the argument.
    """
    if hasattr(X, "matrix") and hasattr(X, "vocabulary"):
        raise TypeError(f"SemanticKernel reads a documents × terms matrix, got a {type(X).__name__}: give its .matrix")
    if _are_texts(X):
        made = (
            "Corpus.from_texts(texts, weighting='log').matrix"
            if name == "X"
            else "what the transform method of X's Corpus or vectorizer makes of them; or let a pipeline do it: "
            "Pipeline(steps, transform_input=['background']), with sklearn.set_config(enable_metadata_routing=True)"
        )
        raise TypeError(f"{name} is texts, and SemanticKernel reads a documents × terms matrix: give {made}")
    _check_feature_names(kernel, X, reset=fitting)
    X = check_array(X, accept_sparse="csr", dtype=np.float64, estimator=kernel)
    if fitting:
        kernel.n_features_in_ = X.shape[1]
    elif X.shape[1] != kernel.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but SemanticKernel is expecting {kernel.n_features_in_} features as "
            "input; make X with the transform method of the Corpus that the kernel was fitted on"
        )
    return sparse.csr_array(X)


def read_target(y: Any, count: int, *, needed: bool) -> Floats | None:
    """Return labels as a target: 1 and −1 of two classes, or one column for each of more.

    Parameters
    ----------
    y : array-like of shape (n_documents,) or None
        Labels.
    count : int
        The number of documents.
    needed : bool
        Whether a single class is an error; otherwise it is no target.
    """
    if y is None:
        return None
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and np.isnan(y).any():
        raise ValueError(f"label {int(np.isnan(y).argmax())} is NaN: every document needs a class")
    check_classification_targets(y)
    if len(y) != count:
        raise ValueError(f"there are {count:,} documents and {len(y):,} labels; give one label for each document")
    target = one_hot(y)
    if target.shape[1] < 2:
        if needed:
            raise ValueError(f"all {count:,} labels are of one class, {y[0]}: alignment needs at least two")
        return None
    return 2 * target[:, 1:] - 1 if target.shape[1] == 2 else target


def _are_texts(X: Any) -> bool:
    one_dimensional = isinstance(X, list | tuple) or getattr(X, "ndim", 0) == 1
    return isinstance(X, str) or (one_dimensional and isinstance(next(iter(X), None), str))

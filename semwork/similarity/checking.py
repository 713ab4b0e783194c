"""Whether a matrix is one that a sentence model can work on, and the work fits in memory."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

__all__ = ["available_memory", "check_fits_in_memory", "check_weights", "memory_needed"]


def check_weights(X: Any, model: Any, *, fitted: bool = False) -> Any:
    """Return X as a CSR matrix with sorted, unique, positive, finite cells, or say what is wrong with it."""
    name = type(model).__name__
    if isinstance(X, str) or (isinstance(X, list | tuple) and X and isinstance(X[0], str)):
        raise TypeError(
            f"{name} was given text ({str(X)[:40]!r} …), it works on a sentences × words matrix: make one with "
            "Corpus.from_texts(texts).matrix, or use SentenceSpace, which does it for you"
        )
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=0 if fitted else 1)
    if fitted and X.shape[1] != model.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {name} is expecting {model.n_features_in_} features as input; make X "
            "with the transform method of the same Corpus"
        )
    X = sparse.csr_matrix(X, copy=not (sparse.issparse(X) and X.has_canonical_format))
    X.sum_duplicates()
    if X.nnz and X.data.min() < 0:
        raise ValueError(
            f"Negative values in data passed to {name}: the smallest weight is {X.data.min():g}; weights of words are "
            "0 (missing) or more, as Corpus.matrix has them"
        )
    if X.nnz and (X.data == 0).any():
        X = X.copy()
        X.eliminate_zeros()
    return X


def memory_needed(shape: tuple[int, int], cells: int, n_components: int, itemsize: int) -> int:
    """Bytes that a fit takes at its peak: both orders of the matrix, both factors, one whitened copy, a result."""
    rows = sum(shape) + 2 * max(shape)
    return rows * n_components * itemsize + 2 * cells * (itemsize + 4) + 2 * cells * 8


def available_memory() -> int | None:
    """Bytes that can be had without swapping, where the system tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123 - not a file on a disk
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def check_fits_in_memory(shape: tuple[int, int], cells: int, n_components: int, itemsize: int) -> None:
    """Refuse a fit that cannot end well before it starts."""
    needed, free = memory_needed(shape, cells, n_components, itemsize), available_memory()
    if free is not None and needed > free:
        raise MemoryError(
            f"{shape[0]:,} sentences × {shape[1]:,} words with n_components={n_components} need about "
            f"{needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free; choose a smaller n_components, dtype='float32', "
            "or fewer sentences"
        )

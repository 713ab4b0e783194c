"""How well topics keep to the true classes of documents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["purity"]


def purity(proportions: NDArray[np.float64], labels: NDArray[np.str_]) -> float:
    """Return the share of documents that belong to the commonest class of their largest topic.

    Parameters
    ----------
    proportions : ndarray of shape (n_documents, n_topics)
        Of the topics in each document.
    labels : ndarray of str of shape (n_documents,)
        The true class of each document.

    Returns
    -------
    float

    Examples
    --------
    >>> purity(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]), np.array(["space", "music", "music"])).__round__(3)
    0.667
    """
    names, classes = np.unique(labels, return_inverse=True)
    main = proportions.argmax(axis=1)
    table = np.bincount(main * len(names) + classes, minlength=proportions.shape[1] * len(names))
    return float(table.reshape(-1, len(names)).max(axis=1).sum() / len(labels))

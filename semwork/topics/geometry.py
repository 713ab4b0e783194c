"""Topics seen from above: the first two principal components of word vectors, topics as ellipses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.given import said

__all__ = ["TopicMap", "topic_map"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TopicMap:
    """Words and topics in the plane.

    Attributes
    ----------
    axes : ndarray of shape (2, n_dimensions)
        2 × D: the principal components.
    center : ndarray of shape (n_dimensions,)
        The mean vector, which is the origin of the plane.
    explained : ndarray of shape (2,)
        Share of the variance that each axis shows.
    words : DataFrame
        One row per word: ``word``, ``x``, ``y``, ``topic`` (the one in which the word's tokens stand most often).
    means : ndarray of shape (n_topics, 2)
        K × 2.
    covariances : ndarray of shape (n_topics, 2, 2)
        K × 2 × 2.
    outlines : ndarray of shape (n_topics, n_points + 1, 2)
        K × points × 2: closed ellipses, ``radius`` standard deviations around the means.
    sizes : ndarray of shape (n_topics,)
        Tokens of each topic.
    """

    axes: Floats
    center: Floats
    explained: Floats
    words: pd.DataFrame
    means: Floats
    covariances: Floats
    outlines: Floats
    sizes: NDArray[np.int64]

    def points(self, vectors: Any) -> Floats:
        """Project other vectors into the same plane.

        Parameters
        ----------
        vectors : array-like of shape (n_vectors, n_dimensions)
            One row each.

        Returns
        -------
        ndarray of shape (n_vectors, 2)
        """
        return np.asarray((np.asarray(vectors, dtype=np.float64) - self.center) @ self.axes.T)


def topic_map(
    model: Any, vectors: Any = None, *, radius: float = 1.0, n_points: int = 60, axes_of: Any = None
) -> TopicMap:
    """Project the words of a fitted `GaussianLDA` and its topics to two dimensions (Figure 3 of the paper).

    Parameters
    ----------
    model : GaussianLDA
        The model, fitted or between two steps.
    vectors : array-like of shape (n_vectors, n_dimensions), WordVectors or None
        The vectors that the axes are computed from, one row each; those of the fit's words if not given.
    radius : float, default=1.0
        Of the ellipses, in standard deviations.
    n_points : int, default=60
        Of an outline.
    axes_of : TopicMap or None
        An earlier map whose plane is kept, so that a moving picture does not turn.

    Returns
    -------
    TopicMap

    Examples
    --------
    >>> from semwork.topics import GaussianLDA, planted
    >>> data = planted(n_topics=2, n_dimensions=5, n_documents=20)
    >>> model = GaussianLDA(2, max_sweeps=5, random_state=0).fit(data.documents, data.vectors)
    >>> found = topic_map(model)
    >>> found.means.shape, found.outlines.shape, found.explained.sum() <= 1
    ((2, 2), (2, 61, 2), np.True_)
    """
    if not hasattr(model, "means_"):
        raise TypeError(f"model is {said(model)}, without means of topics; give a fitted GaussianLDA")
    means, covariances = model.means_, model.covariances_
    word_vectors = model.word_vectors_
    if axes_of is not None:
        axes, center, explained = axes_of.axes, axes_of.center, axes_of.explained
    else:
        rows = word_vectors if vectors is None else np.asarray(getattr(vectors, "vectors", vectors), dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != means.shape[1]:
            raise ValueError(f"vectors have the shape {rows.shape}; the topics have {means.shape[1]} dimensions")
        axes, center, explained = _plane(rows)
    flat = axes @ covariances @ axes.T
    around = np.linspace(0, 2 * np.pi, n_points + 1)
    circle = radius * np.stack([np.cos(around), np.sin(around)])
    middle = (means - center) @ axes.T
    # A plane of one dimension has no second axis: its covariance is 0 there, and so is the factor.
    values, turned = np.linalg.eigh(flat)
    factors = turned * np.sqrt(np.maximum(values, 0))[:, None, :]
    outlines = middle[:, None] + (factors @ circle).transpose(0, 2, 1)
    points = (word_vectors - center) @ axes.T
    table = pd.DataFrame({"word": model.vocabulary_, "x": points[:, 0], "y": points[:, 1], "topic": _commonest(model)})
    return TopicMap(axes, center, explained, table, middle, flat, outlines, model.topic_sizes_)


def _plane(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the first two principal axes (signs made steady), the mean, and the shares of variance."""
    center = rows.mean(axis=0)
    values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(rows.T, bias=True)))
    order = np.argsort(-values)[:2]
    axes = np.zeros((2, rows.shape[1]))
    axes[: len(order)] = vectors[:, order].T
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.where(axes[[0, 1], largest] < 0, -1.0, 1.0)[:, None]
    total = max(float(values.sum()), 1e-300)
    explained = np.zeros(2)
    explained[: len(order)] = values[order] / total
    return axes, center, explained


def _commonest(model: Any) -> NDArray[np.int64]:
    words, topics = np.concatenate(model.tokens_), np.concatenate(model.assignments_)
    n_topics = len(model.topic_sizes_)
    cells = words.astype(np.int64) * n_topics + topics
    table = np.bincount(cells, minlength=len(model.vocabulary_) * n_topics).reshape(-1, n_topics)
    return np.asarray(table.argmax(axis=1))

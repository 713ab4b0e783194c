"""Any encoder that a user has: a function from texts to rows, or an object with ``encode``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from semwork.given import check_count
from semwork.similarity.base import Reads, SentenceModel
from semwork.steps import Step
from semwork.text.encode import check_texts

__all__ = ["Encoder", "EncoderStep"]

Rows = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EncoderStep(Step):
    """One batch of texts and their rows.

    Attributes
    ----------
    rows : ndarray of shape (n_texts, n_dimensions)
        The vectors of this batch.
    """

    rows: Rows


class Encoder(SentenceModel):
    """Sentence vectors from outside: whatever turns a list of texts into an array, one row per text.

    Parameters
    ----------
    function : callable, or object with a method ``encode``
        A function from a list of strings to an array of shape (n_texts, width) (or list of lists, or anything numpy
        reads), or an object with such a method ``encode``, for example a ``SentenceTransformer``. It is never trained.
    batch_size : int, default=256
        How many texts are given to it at once.

    Attributes
    ----------
    width_ : int
        The number of columns that it gave for the first text of the fit.

    References
    ----------
    N. Reimers & I. Gurevych (2019), Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks, EMNLP.

    Examples
    --------
    >>> def lengths(texts):
    ...     return [[len(text), text.count(" ")] for text in texts]
    >>> Encoder(lengths).fit(["probe"]).transform(["a cat", "cats"]).tolist()
    [[5.0, 1.0], [4.0, 0.0]]
    """

    reads: ClassVar[Reads] = "texts"

    def __init__(self, function: Any, batch_size: int = 256) -> None:
        self.function = function
        self.batch_size = batch_size

    def steps(self, X: Iterable[str]) -> Iterator[Step]:
        """Ask for the first text's row, to know the width; there is nothing to learn."""
        check_count("batch_size", self.batch_size)
        texts = check_texts(X)
        if not texts:
            raise ValueError("there are no sentences: texts is empty, give at least one string")
        self.width_ = self._rows(texts[:1]).shape[1]
        yield Step(done=1, total=1, message=f"rows of {self.width_} numbers")

    def batches(self, X: Iterable[str]) -> Iterator[EncoderStep]:
        """Encode batch by batch, for a progress bar and a Stop; ``done`` counts texts.

        Parameters
        ----------
        X : iterable of str
            The texts.

        Yields
        ------
        EncoderStep
            ``rows`` has the shape (n_texts_of_the_batch, width_).
        """
        check_is_fitted(self)
        texts = check_texts(X)
        for first in range(0, len(texts), self.batch_size):
            rows = self._rows(texts[first : first + self.batch_size])
            if rows.shape[1] != self.width_:
                raise ValueError(
                    f"{self._name()} gave rows of {rows.shape[1]} numbers for texts {first} to "
                    f"{first + len(rows) - 1}, but of {self.width_} at the fit; it must always give the same"
                )
            done = first + len(rows)
            yield EncoderStep(done=done, total=len(texts), message=f"{done:,} of {len(texts):,} texts", rows=rows)

    def transform(self, X: Iterable[str]) -> Rows:
        """Encode all texts."""
        check_is_fitted(self)
        return np.concatenate([np.zeros((0, self.width_)), *(step.rows for step in self.batches(X))])

    @property
    def _n_features_out(self) -> int:
        return int(self.width_)

    def _rows(self, texts: list[str]) -> Rows:
        encode = getattr(self.function, "encode", self.function)
        # A string has an ``encode`` too, and a class is a recipe, not an encoder.
        if isinstance(self.function, str | bytes | type) or not callable(encode):
            raise TypeError(
                f"function must be a function from a list of texts to an array, or an object with a method encode, "
                f"got {self.function!r:.60}"
            )
        answer = encode(texts)
        try:
            rows = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{self._name()} gave {type(answer).__name__}, which is no array of numbers, for {len(texts)} texts: "
                f"{error}"
            ) from error
        if rows.ndim != 2 or len(rows) != len(texts) or not rows.shape[1]:
            raise ValueError(
                f"{self._name()} gave the shape {rows.shape} for {len(texts)} texts; it must be "
                f"({len(texts)}, width): one row per text"
            )
        broken = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(broken):
            raise ValueError(
                f"{self._name()} gave NaN or infinity for {len(broken)} of {len(texts)} texts, first for "
                f"{texts[broken[0]]!r:.60}"
            )
        return rows

    def _name(self) -> str:
        return str(getattr(self.function, "__name__", type(self.function).__name__))

"""What all sentence models share: texts or weights in, one row per sentence out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from semwork.model_files import plain_parameters, read_model, write_model
from semwork.steps import Step, last

__all__ = ["Reads", "SentenceModel"]

Reads = Literal["weights", "counts", "texts"]


class SentenceModel(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A model that turns sentences into rows, so that similar sentences have similar rows.

    Attributes
    ----------
    reads
        What ``fit`` and ``steps`` take: ``"weights"``, the sentences × words matrix of a
        :class:`~semwork.text.Corpus`; ``"counts"``, its raw counts; ``"texts"``, the strings themselves.
        ``transform`` takes texts if ``fit`` does, weights otherwise.
    measure
        How two rows are compared: by their ``"cosine"``, or by their plain inner product (``"dot"``).
    """

    reads: ClassVar[Reads] = "weights"
    measure: Literal["cosine", "dot"] = "cosine"
    # Fitted attributes that a file keeps: arrays, numbers, lists of numbers.
    _kept: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def steps(self, X: Any) -> Iterator[Step]:
        """Fit step by step; the fitted attributes are current after every step."""

    @abstractmethod
    def transform(self, X: Any) -> Any:
        """Return one row per sentence, dense or sparse."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Run all steps."""
        last(self.steps(X))
        return self

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to an ``.npz`` file (arrays, and the parameters as JSON; nothing is pickled)."""
        return write_model(path, type(self), *self._to_file())

    def _to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        check_is_fitted(self)
        if not self._kept:
            raise TypeError(f"{type(self).__name__} has nothing to keep in a file; make it again from its parameters")
        kept = {name: np.asarray(getattr(self, name)) for name in self._kept if hasattr(self, name)}
        return {"parameters": self._plain_parameters()}, kept

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON can keep them."""
        return plain_parameters(self.get_params(deep=False))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote."""
        return cls._from_file(*read_model(path, cls))

    @classmethod
    def _from_file(cls, head: dict[str, Any], arrays: dict[str, Any]) -> Self:
        model = cls(**head["parameters"])
        for name in cls._kept:
            if name in arrays:
                value = arrays[name]
                setattr(model, name, value.item() if value.ndim == 0 else value)
        return model

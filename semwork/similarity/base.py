"""What all sentence models share: texts or weights in, one row per sentence out."""

from __future__ import annotations

import json
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

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
        check_is_fitted(self)
        if not self._kept:
            raise TypeError(f"{type(self).__name__} has nothing to keep in a file; make it again from its parameters")
        target = Path(path)
        if target.suffix != ".npz":
            raise ValueError(f"{target.name} has the ending {target.suffix!r}; a model is saved as .npz")
        head = {"model": type(self).__name__, "version": 1, "parameters": self._plain_parameters()}
        kept = {name: np.asarray(getattr(self, name)) for name in self._kept if hasattr(self, name)}
        with target.open("wb") as file:
            np.savez(file, allow_pickle=False, **{"model.json": np.array(json.dumps(head))}, **kept)
        return target

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON can keep them."""
        plain = {}
        for name, value in self.get_params(deep=False).items():
            plain[name] = value.item() if isinstance(value, np.generic) else value
            try:
                json.dumps(plain[name])
            except TypeError as error:
                raise TypeError(
                    f"{name} is {value!r:.60} ({type(value).__name__}), which a file cannot keep; give numbers, words, "
                    f"True, False or None, for instance with set_params({name}=…), and save again"
                ) from error
        return plain

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote."""
        if Path(path).exists() and not zipfile.is_zipfile(path):
            raise ValueError(f"{path} is not a saved model: it is no .npz file")
        with np.load(path, allow_pickle=False) as file:
            if "model.json" not in file:
                raise ValueError(f"{path} is not a saved model: it has no model.json inside")
            head = json.loads(str(file["model.json"]))
            if head["model"] != cls.__name__ or head["version"] != 1:
                raise ValueError(
                    f"{path} holds a {head['model']}, version {head['version']}; {cls.__name__}.load reads a "
                    f"{cls.__name__}, version 1"
                )
            model = cls(**head["parameters"])
            for name in cls._kept:
                if name in file:
                    value = file[name]
                    setattr(model, name, value.item() if value.ndim == 0 else value)
        return model

"""What all sentence models share: texts or weights in, one row per sentence out."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from semwork.model_files import part_of, plain_parameters, read_model, within, write_model
from semwork.similarity.penalty import warn_of
from semwork.steps import Step, last

__all__ = ["Reads", "SentenceModel", "model_part", "plain_rows", "read_part"]

Reads = Literal["weights", "counts", "texts"]


class SentenceModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A model that turns sentences into rows, so that similar sentences have similar rows.

    Attributes
    ----------
    reads : {"weights", "counts", "texts"}
        What ``fit`` and ``steps`` take: ``"weights"``, the sentences × words matrix of a
        :class:`~semwork.text.Corpus`; ``"counts"``, its raw counts; ``"texts"``, the strings themselves.
        ``transform`` takes texts if ``fit`` does, weights otherwise.
    measure : {"cosine", "dot"}
        How two rows are compared: by their ``"cosine"``, or by their plain inner product (``"dot"``).
    n_features_in_ : int
        How many columns the matrix of the fit had.
    feature_names_in_ : ndarray of shape (n_features_in_,), object
        Their names, if the matrix was a table of pandas. As with scikit-learn's transformers, ``get_feature_names_out``
        names the columns that come out, and ``set_output(transform="pandas")`` makes a table of dense ones.
    """

    reads: ClassVar[Reads] = "weights"
    measure: Literal["cosine", "dot"] = "cosine"
    # Fitted attributes that a file keeps: arrays, numbers, lists of numbers.
    _saved_attributes: ClassVar[tuple[str, ...]] = ()
    # Fitted arrays and lists that the steps of a fit write into, or make longer.
    _overwritten: ClassVar[tuple[str, ...]] = ("components_",)

    @abstractmethod
    def steps(self, X: Any) -> Iterator[Step]:
        """Fit step by step; the fitted attributes are current after every step.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_sentences, n_words), or iterable of str
            What the model `reads`.

        Yields
        ------
        Step
        """

    @abstractmethod
    def transform(self, X: Any) -> Any:
        """Return one row per sentence, dense or sparse.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_sentences, n_words), or iterable of str
            Texts if ``fit`` takes texts, weights otherwise.

        Returns
        -------
        {ndarray, sparse matrix} of shape (n_sentences, n_dimensions)
        """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Run all steps.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_sentences, n_words), or iterable of str
            What the model `reads`.
        y : None
            Is not used; it is there for scikit-learn's pipelines.

        Returns
        -------
        SentenceModel
            The model itself.
        """
        warn_of(last(self.steps(X)))
        return self

    def snapshot(self) -> Self:
        """Return the model as it is now: no attribute of it changes with the next steps of the fit.

        Arrays with one row per sentence of the fit are left out; everything that `transform` needs is there.
        """
        now = copy.copy(self)
        for name in self._overwritten:
            if name in vars(now):
                setattr(now, name, copy.copy(getattr(now, name)))
        if hasattr(now, "embedding_"):
            del now.embedding_
        return now

    @property
    def _n_features_out(self) -> int:
        """How many columns `transform` gives: scikit-learn names them after the class and numbers them."""
        return int(self.components_.shape[0])

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to an ``.npz`` file (arrays, and the parameters as JSON; nothing is pickled).

        Parameters
        ----------
        path : str or Path
            The file; its name ends in ``.npz``.

        Returns
        -------
        Path
        """
        return write_model(path, type(self), *self._to_file())

    def _to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        check_is_fitted(self)
        if not self._saved_attributes:
            raise TypeError(
                f"{type(self).__name__} has nothing to keep in a file; make it again from its parameters, and "
                "fit it to the same texts"
            )
        arrays = {name: np.asarray(getattr(self, name)) for name in self._saved_attributes if hasattr(self, name)}
        head: dict[str, Any] = {"parameters": self._plain_parameters()}
        if hasattr(self, "feature_names_in_"):
            head["columns"] = self.feature_names_in_.tolist()
        return head, arrays

    def _plain_parameters(self) -> dict[str, Any]:
        """Return the parameters as JSON can keep them."""
        return plain_parameters(self.get_params(deep=False))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        SentenceModel
        """
        return cls._from_file(*read_model(path, cls))

    @classmethod
    def _from_file(cls, head: dict[str, Any], arrays: dict[str, Any]) -> Self:
        model = cls(**head["parameters"])
        for name in cls._saved_attributes:
            if name in arrays:
                value = arrays[name]
                setattr(model, name, value.item() if value.ndim == 0 else value)
        if "columns" in head:
            model.feature_names_in_ = np.array(head["columns"], dtype=object)
        return model


def plain_rows(model: SentenceModel, X: Any) -> Any:
    """Return what ``transform`` gives as an array or a sparse matrix, also where a table was asked for."""
    with config_context(transform_output="default"):
        rows = model.transform(X)
    return rows.to_numpy() if hasattr(rows, "to_numpy") else rows


def model_part(name: str, model: SentenceModel) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return head and arrays of a fitted model as a part of a larger file."""
    head, arrays = model._to_file()
    return {f"part/{name}": head | {"class": type(model).__name__}}, within(name, arrays)


def read_part(name: str, head: dict[str, Any], arrays: dict[str, Any]) -> SentenceModel:
    """Return the model that `model_part` made a part of a file."""
    part = head[f"part/{name}"]
    named = [kind for kind in _kinds_of(SentenceModel) if kind.__name__ == part["class"]]
    if not named:
        raise ValueError(
            f"the file holds a model of the class {part['class']}, which semwork does not have; import the module that "
            "defines it, and load the file again"
        )
    # Of several, ours; of a user's, the one that was defined last.
    _, kind = max(enumerate(named), key=lambda found: (found[1].__module__.startswith("semwork."), found[0]))
    return kind._from_file(part, part_of(name, arrays))


def _kinds_of(kind: Any) -> list[type[SentenceModel]]:
    return [kind, *(found for one in kind.__subclasses__() for found in _kinds_of(one))]

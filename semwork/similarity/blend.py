"""Two models in one: the weighted mean of their cosines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from semwork.given import check_kind, is_number, said
from semwork.similarity.base import SentenceModel, model_part, plain_rows, read_part
from semwork.similarity.baselines import TfidfCosine
from semwork.similarity.cosine import unit_rows
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step

__all__ = ["Blend"]


def _check_share(share: Any) -> float:
    """Return a share between 0 and 1, or say what was given."""
    if not is_number(share) or not 0 <= float(share) <= 1:
        raise ValueError(f"share is {said(share)}; it is the weight of the first model, a number between 0 and 1")
    return float(share)


class Blend(SentenceModel):
    """The weighted mean of two models' cosines: what the words say themselves, and what the latent space adds.

    Rows of both models are scaled to unit length, weighted by the square root of their share and put side by side, so
    that the inner product of two such rows is the mean of the two cosines.

    Parameters
    ----------
    first, second : SentenceModel or None, default=None
        Models that read weights; by default `WTMF` and `TfidfCosine`. Copies of them are fitted.
    share : float, default=0.5
        Weight of the first, between 0 and 1.

    Attributes
    ----------
    first_, second_ : SentenceModel
        The fitted copies.

    Examples
    --------
    >>> from semwork.similarity import WTMF, TfidfCosine, pairwise
    >>> X = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 1.0]])
    >>> model = Blend(WTMF(2, random_state=0), TfidfCosine(), share=0.5).fit(X)
    >>> rows = model.transform(X)
    >>> both = [pairwise(one.transform(X)[[0]], one.transform(X)[[1]]) for one in (model.first_, model.second_)]
    >>> bool(abs(pairwise(rows[[0]], rows[[1]], measure="dot") - sum(both) / 2) < 1e-6)
    True
    """

    measure = "dot"
    _saved_attributes: ClassVar[tuple[str, ...]] = ("first_", "second_")

    def __init__(
        self, first: SentenceModel | None = None, second: SentenceModel | None = None, share: float = 0.5
    ) -> None:
        self.first = first
        self.second = second
        self.share = share

    def steps(self, X: Any) -> Iterator[Step]:
        """Fit the second model in one go, then the first step by step; the steps are those of the first.

        The models that were given are not touched: copies of them are fitted.
        """
        _check_share(self.share)
        first, second = (self._part(name, kind) for name, kind in (("first", WTMF), ("second", TfidfCosine)))
        self.first_, self.second_ = first, second
        self._read_columns(self.second_.fit(X))
        yield from self.first_.steps(X)

    def _part(self, name: str, default: type[SentenceModel]) -> SentenceModel:
        """Return an unfitted copy of a part, or say why it cannot be one."""
        model = getattr(self, name)
        if model is None:
            return default()
        check_kind(name, model, SentenceModel, "give a model with its parameters, as in Blend(WTMF(100), LSA(50))")
        if model.reads != "weights":
            raise ValueError(
                f"the {name} model is {type(model).__name__}, which reads {model.reads}; a blend needs models that "
                "read weights, as WTMF, LSA and TfidfCosine do"
            )
        copied: SentenceModel = clone(model)
        return copied

    def snapshot(self) -> Self:
        """Return the blend as it is now, with snapshots of both parts."""
        now = super().snapshot()
        now.first_, now.second_ = self.first_.snapshot(), self.second_.snapshot()
        return now

    def _read_columns(self, model: SentenceModel) -> None:
        for name in {"n_features_in_", "feature_names_in_"} & vars(model).keys():
            setattr(self, name, getattr(model, name))

    def _to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        check_is_fitted(self)
        first, second = model_part("first", self.first_), model_part("second", self.second_)
        return {"share": float(self.share)} | first[0] | second[0], first[1] | second[1]

    @classmethod
    def _from_file(cls, head: dict[str, Any], arrays: dict[str, Any]) -> Self:
        first, second = (read_part(name, head, arrays) for name in ("first", "second"))
        model = cls(first, second, head["share"])
        model.first_, model.second_ = first, second
        model._read_columns(second)
        return model

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of both models' columns.

        Parameters
        ----------
        input_features : array-like of str of shape (n_features_in_,), or None
            Names of the columns of the weights; those of the fit if not given.

        Returns
        -------
        ndarray of str of shape (n_dimensions,)
        """
        check_is_fitted(self)
        return np.concatenate([one.get_feature_names_out(input_features) for one in (self.first_, self.second_)])

    def transform(self, X: Any) -> Any:
        """Return both models' rows side by side, as a sparse matrix."""
        check_is_fitted(self)
        parts, first = [], _check_share(self.share)
        for model, share in ((self.first_, first), (self.second_, 1 - first)):
            rows = unit_rows(plain_rows(model, X)) if model.measure == "cosine" else plain_rows(model, X)
            parts.append(sparse.csr_array(rows) * np.sqrt(share))
        return sparse.hstack(parts, format="csr")

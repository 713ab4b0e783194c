"""What WTMF is compared with."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, TransformerMixin

__all__ = ["TfidfCosine"]


class TfidfCosine(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """IR, the surface-word baseline: a sentence's vector is its weighted row of the corpus matrix."""

    def fit(self, X: Any, y: Any = None) -> TfidfCosine:
        """Do nothing: there is nothing to learn beyond the weighting in ``X``."""
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: Any) -> Any:
        """Return the rows as they are."""
        return X

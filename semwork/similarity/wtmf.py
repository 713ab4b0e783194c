"""Weighted textual matrix factorisation: sentence vectors that also model the words that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

from semwork.steps import Step, last

__all__ = ["WTMF", "WTMFStep"]

Matrix = NDArray[np.float64]

# Rows are solved in batches of about this many gathered numbers (32 MB), whatever the corpus' size.
_BATCH_CELLS = 4_000_000


@dataclass(frozen=True, kw_only=True)
class WTMFStep(Step):
    """One alternating iteration and the value of the objective after it."""

    objective: float


class WTMF(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Weighted textual matrix factorisation.

    Minimises :math:`\sum_{ij} W_{ij}(P_i·Q_j - X_{ij})^2 + λ‖P‖^2 + λ‖Q‖^2` with weight 1 on the words a sentence
    has and the small weight :math:`w_m` on those it has not, by exact alternating least squares.

    Parameters
    ----------
    n_components
        K, the length of a sentence vector.
    missing_weight
        w_m, between 0 (ignore missing words) and 1 (as sure that they are absent as that the others are present).
    regularization
        λ.
    max_iter
        Alternating iterations.
    random_state
        Seed of the random start.

    Attributes
    ----------
    components_
        K × words.
    embedding_
        Sentences × K, for the sentences of the fit.
    objective_path_
        The objective after each iteration.

    References
    ----------
    Guo and Diab (2012), Modeling Sentences in the Latent Space, equations 2 to 4.
    """

    def __init__(
        self,
        n_components: int = 100,
        missing_weight: float = 0.01,
        regularization: float = 20.0,
        max_iter: int = 20,
        random_state: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.missing_weight = missing_weight
        self.regularization = regularization
        self.max_iter = max_iter
        self.random_state = random_state

    def steps(self, X: Any) -> Iterator[WTMFStep]:
        """Fit iteration by iteration; the fitted attributes are current after every step."""
        self._check_parameters()
        X = check_array(X, accept_sparse="csr", dtype=np.float64, ensure_min_samples=1)
        X = sparse.csr_matrix(X)
        by_word = X.T.tocsr()
        random = check_random_state(self.random_state)
        words = random.standard_normal((X.shape[1], self.n_components))
        self.n_features_in_ = X.shape[1]
        self.objective_path_: list[float] = []
        for done in range(1, self.max_iter + 1):
            sentences = self._solve(X, words)
            words = self._solve(by_word, sentences)
            self.components_, self.embedding_ = words.T, sentences
            objective = self._objective(X, words, sentences)
            self.objective_path_.append(objective)
            yield WTMFStep(done=done, total=self.max_iter, message=f"objective {objective:,.1f}", objective=objective)

    def fit(self, X: Any, y: Any = None) -> WTMF:
        """Run all iterations on a sentences × words matrix."""
        last(self.steps(X))
        return self

    def transform(self, X: Any) -> Matrix:
        """Fold sentences in: the same closed-form update, with the word vectors fixed."""
        check_is_fitted(self)
        X = sparse.csr_matrix(check_array(X, accept_sparse="csr", dtype=np.float64))
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} columns but the model was fitted with {self.n_features_in_}; "
                "make X with the transform method of the same Corpus"
            )
        return self._solve(X, np.ascontiguousarray(self.components_.T))

    def _check_parameters(self) -> None:
        if self.n_components < 1 or self.max_iter < 1:
            raise ValueError(
                f"n_components is {self.n_components} and max_iter is {self.max_iter}; both must be 1 or more"
            )
        if not 0 <= self.missing_weight <= 1:
            raise ValueError(f"missing_weight is {self.missing_weight}; it must lie between 0 and 1")
        if self.regularization < 0:
            raise ValueError(f"regularization is {self.regularization}; it must be 0 or more")

    def _solve(self, rows: Any, factors: Matrix) -> Matrix:
        """Solve every row's normal equations exactly, rows of similar length together."""
        w_m, rank = self.missing_weight, factors.shape[1]
        shared = w_m * (factors.T @ factors) + self.regularization * np.eye(rank)
        right = np.asarray(rows @ factors)
        result = np.zeros_like(right)
        lengths = np.diff(rows.indptr)
        order = np.argsort(lengths, kind="stable")
        order = order[lengths[order] > 0]  # a sentence without a known word stays at zero
        padded = np.vstack([factors, np.zeros(rank)])
        at = 0
        while at < len(order):
            longest = lengths[order[at]]
            count = 1
            while at + count < len(order) and (count + 1) * lengths[order[at + count]] * rank <= _BATCH_CELLS:
                longest = lengths[order[at + count]]
                count += 1
            batch = order[at : at + count]
            places = np.full((count, longest), len(factors))
            inside = np.arange(longest) < lengths[batch][:, None]
            places[inside] = np.concatenate([rows.indices[rows.indptr[r] : rows.indptr[r + 1]] for r in batch])
            gathered = padded[places]
            systems = shared + (1 - w_m) * (gathered.transpose(0, 2, 1) @ gathered)
            result[batch] = _solved(systems, right[batch])
            at += count
        return result

    def _objective(self, X: Any, words: Matrix, sentences: Matrix) -> float:
        """The objective without forming the full matrix: all cells by two Gram matrices, then a correction."""
        row = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
        predicted = np.einsum("nk,nk->n", sentences[row], words[X.indices])
        everywhere = float(np.sum((words.T @ words) * (sentences.T @ sentences)))
        observed = float(np.sum((predicted - X.data) ** 2))
        penalty = float(np.sum(words**2) + np.sum(sentences**2))
        return (
            self.missing_weight * (everywhere - float(np.sum(predicted**2))) + observed + self.regularization * penalty
        )


def _solved(systems: Matrix, right: Matrix) -> Matrix:
    """Solve a stack of symmetric systems; a singular one (λ = 0) gets its least-norm solution."""
    try:
        return np.asarray(np.linalg.solve(systems, right[..., None])[..., 0])
    except np.linalg.LinAlgError:
        return np.asarray((np.linalg.pinv(systems, hermitian=True) @ right[..., None])[..., 0])

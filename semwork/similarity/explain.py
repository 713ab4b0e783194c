"""The similarity of two sentences under WTMF as a sum over words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from semwork.similarity.wtmf import WTMF

__all__ = ["Contributions", "contributions"]

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Contributions:
    """How much each word of a candidate adds to its similarity with a query.

    Attributes
    ----------
    words : ndarray of shape (n_candidate_words,), int
        The candidate's words, as column numbers.
    weight : ndarray of shape (n_candidate_words,), float64
        x_i, the word's weight in the candidate.
    contribution : ndarray of shape (n_candidate_words,), float64
        One number per word; together they are exactly the similarity.
    expected : ndarray of shape (n_candidate_words,), float64
        ``P_i · Q_q``: what the query's vector predicts for the word, whether the query has it or not.
    in_query : ndarray of shape (n_candidate_words,), float64
        The word's weight in the query, 0 where it is missing there.
    similarity : float
        The cosine of the two vectors.
    """

    words: NDArray[np.intp]
    weight: Vector
    contribution: Vector
    expected: Vector
    in_query: Vector
    similarity: float


def contributions(model: WTMF, query: Any, candidate: Any) -> Contributions:
    r"""Split the cosine of a query and a candidate into the parts of the candidate's words.

    The vector of a candidate c is a sum over its words, :math:`Q_c = \sum_i x_i A_c^{-1} P_i` with
    :math:`A_c = w_m P^T P + (1 - w_m) P_o^T P_o + λI` (o: the words that c has), so that the cosine is a sum too:

    .. math:: \cos(Q_q, Q_c) = \sum_i \frac{x_i \, Q_q · A_c^{-1} P_i}{|Q_q| |Q_c|}

    Parameters
    ----------
    model : WTMF
        A fitted WTMF.
    query, candidate : {array-like, sparse matrix} of shape (1, n_words)
        Their weights: one row each, as ``corpus.transform([text])`` gives.

    Returns
    -------
    Contributions

    References
    ----------
    W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, equation 4.

    Examples
    --------
    >>> from semwork.text import Corpus
    >>> texts = ["a bank lends money", "money lies in the bank", "a river has a bank", "fish swim in the river"]
    >>> corpus = Corpus.from_texts(texts, min_count=1)
    >>> model = WTMF(n_components=2, regularization=0.1, random_state=0).fit(corpus.matrix)
    >>> found = contributions(model, corpus.transform(["lends money"]), corpus.transform([texts[1]]))
    >>> bool(np.isclose(found.contribution.sum(), found.similarity))
    True
    """
    check_is_fitted(model)
    words = np.asarray(model.components_, dtype=np.float64).T
    gram = words.T @ words
    asked, _, vector = _folded(model, words, gram, query, "query")
    cells, inverse, found = _folded(model, words, gram, candidate, "candidate")
    lengths = float(np.linalg.norm(vector) * np.linalg.norm(found))
    columns, weight = cells.indices, cells.data.astype(np.float64)
    scale = 1 / lengths if lengths > 0 else 0.0
    in_query = np.zeros(len(words))
    in_query[asked.indices] = asked.data
    return Contributions(
        words=np.asarray(columns, dtype=np.intp),
        weight=weight,
        contribution=weight * (words[columns] @ (inverse @ vector)) * scale,
        expected=words[columns] @ vector,
        in_query=in_query[columns],
        similarity=float(vector @ found) * scale,
    )


def _folded(model: WTMF, words: Any, gram: Any, row: Any, name: str) -> tuple[Any, Any, Vector]:
    """A sentence's cells, the inverse of its system, and its vector, in double precision."""
    cells = sparse.csr_array(row)
    if cells.shape != (1, len(words)):
        raise ValueError(f"{name} has the shape {cells.shape}; it must be one row of {len(words)} weights")
    cells.eliminate_zeros()
    observed = words[cells.indices]
    weight = float(model.missing_weight)
    system = weight * gram + (1 - weight) * (observed.T @ observed) + model.regularization_ * np.eye(len(gram))
    inverse = np.linalg.pinv(system, hermitian=True)
    return cells, inverse, np.asarray(inverse @ (observed.T @ cells.data))

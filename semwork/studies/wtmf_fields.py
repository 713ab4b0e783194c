"""The parameters of WTMF, declared for every study that fits it."""

from __future__ import annotations

from typing import Any

from semwork.similarity.catalogue import PAPERS_PENALTY, WEIGHT_GRID
from semwork.similarity.penalty import automatic_regularization
from semwork.studies.settings import real, whole
from semwork.studies.settings import seed as seed_field
from semwork.text import Corpus

__all__ = [
    "DIMENSIONS",
    "ITERATIONS",
    "PAPERS_ITERATIONS",
    "PENALTY_GRID",
    "facts_of",
    "iterations",
    "missing_weight",
    "n_components",
    "regularization",
    "seed",
]

#: Strengths of the penalty, from none (the paper's model 5) on.
PENALTY_GRID = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
#: How often words and sentences are solved in turn: enough for few texts, and as often as in the paper.
ITERATIONS, PAPERS_ITERATIONS = 12, 20
#: K, where nobody says another one.
DIMENSIONS = 20


def missing_weight(
    says: str = "how sure are we that a word that is not there does not fit?",
    symbol: str = "w_m, the weight of missing words",
    **more: Any,
) -> float:
    """Declare w_m."""
    return real(0.01, symbol, says, 0, 1, **{"grid": WEIGHT_GRID, "paper": 0.01, **more})


def regularization(says: str = "how strongly are vectors pulled towards zero?", **more: Any) -> float:
    """Declare λ."""
    given = {"grid": PENALTY_GRID, "paper": PAPERS_PENALTY, "own": lambda facts: facts["penalty"], **more}
    return real(5.0, "λ, regularisation", says, 0, 1000, **given)


def n_components(most: int = 60, says: str = "how long is a sentence vector?", **more: Any) -> int:
    """Declare K."""
    given = {"paper": 100, "own": lambda facts: facts["dimensions"], "within": lambda facts: facts["rank"], **more}
    return whole(DIMENSIONS, "K, dimensions", says, 2, most, **given)


def facts_of(corpus: Corpus) -> dict[str, Any]:
    """Return what these parameters ask of the texts that WTMF is fitted on.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> facts_of(Corpus.from_texts(load("sample").texts[:30]))["dimensions"]
    10
    """
    texts, words = corpus.matrix.shape
    rank = max(min(texts, words), 1)
    dimensions = max(2, min(DIMENSIONS, rank // 3))

    def penalty() -> float:
        return float(f"{automatic_regularization(corpus.matrix, min(dimensions, rank)):.2g}")

    return {"texts": texts, "words": words, "rank": rank, "dimensions": dimensions, "penalty": penalty}


def iterations(most: int = 40, **more: Any) -> int:
    """Declare the number of alternating iterations."""
    says = "how often are words and sentences solved in turn?"
    return whole(ITERATIONS, "iterations", says, 1, most, **{"paper": PAPERS_ITERATIONS, **more})


def seed(says: str = "of the random start: try others, does the story change?") -> int:
    """Declare the seed of the random start."""
    return seed_field(says)

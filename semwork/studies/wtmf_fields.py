"""The parameters of WTMF, declared for every study that fits it."""

from __future__ import annotations

from typing import Any

from semwork.similarity.catalogue import WEIGHT_GRID
from semwork.studies.settings import real, whole

__all__ = [
    "ITERATIONS",
    "PAPERS_ITERATIONS",
    "PAPERS_PENALTY",
    "PENALTY_GRID",
    "iterations",
    "missing_weight",
    "n_components",
    "regularization",
    "seed",
]

#: Strengths of the penalty, from none (the paper's model 5) on.
PENALTY_GRID = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
#: λ of the paper.
PAPERS_PENALTY = 20.0
#: How often words and sentences are solved in turn: enough for few texts, and as often as in the paper.
ITERATIONS, PAPERS_ITERATIONS = 12, 20


def missing_weight(
    says: str = "how sure are we that a word that is not there does not fit?",
    symbol: str = "w_m, the weight of missing words",
    **more: Any,
) -> float:
    """Declare w_m."""
    return real(0.01, symbol, says, 0, 1, **{"grid": WEIGHT_GRID, "paper": 0.01, **more})


def regularization(says: str = "how strongly are vectors pulled towards zero?", **more: Any) -> float:
    """Declare λ."""
    return real(5.0, "λ, regularisation", says, 0, 1000, **{"grid": PENALTY_GRID, "paper": PAPERS_PENALTY, **more})


def n_components(most: int = 60, says: str = "how long is a sentence vector?", **more: Any) -> int:
    """Declare K."""
    return whole(20, "K, dimensions", says, 2, most, **{"paper": 100, **more})


def iterations(most: int = 40, **more: Any) -> int:
    """Declare the number of alternating iterations."""
    says = "how often are words and sentences solved in turn?"
    return whole(ITERATIONS, "iterations", says, 1, most, **{"paper": PAPERS_ITERATIONS, **more})


def seed(says: str = "of the random start: try others, does the story change?") -> int:
    """Declare the seed of the random start."""
    return whole(0, "seed", says, 0, 9999, shown="box")

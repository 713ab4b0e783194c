"""Concept definition retrieval, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.evaluation import atop, rank_scores
from semwork.similarity.cosine import cosine
from semwork.steps import Step

__all__ = ["RetrievalStep", "retrieval_steps"]


@dataclass(frozen=True, kw_only=True)
class RetrievalStep(Step):
    """How well the definitions are found after this step of the fit: one score per query, and their mean."""

    scores: NDArray[np.floating[Any]]
    atop: float


def retrieval_steps(model: Any, training: Any, queries: Any, candidates: Any, targets: Any) -> Iterator[RetrievalStep]:
    """Fit ``model`` on ``training`` step by step and score the retrieval after every step.

    Parameters
    ----------
    model
        An estimator with ``steps`` and ``transform``, such as :class:`semwork.similarity.WTMF`.
    training, queries, candidates
        Matrices of the same corpus, one row per text.
    targets
        For each query the index of the right candidate.
    """
    for step in model.steps(training):
        scores = rank_scores(cosine(model.transform(queries), model.transform(candidates)), targets)
        mean = atop(scores)
        yield RetrievalStep(
            done=step.done, total=step.total, message=f"ATOP {mean:.3f}, {step.message}", scores=scores, atop=mean
        )

"""Concept definition retrieval, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import RetrievalSet
from semwork.evaluation import atop, rank_scores
from semwork.similarity.cosine import cosine
from semwork.steps import Step
from semwork.text import Corpus

__all__ = ["RetrievalStep", "RetrievalTask"]

Scores = NDArray[np.floating[Any]]


@dataclass(frozen=True, kw_only=True)
class RetrievalStep(Step):
    """How well the definitions are found after this step of the fit: one score per query, and their mean."""

    scores: Scores
    atop: float


@dataclass(frozen=True)
class RetrievalTask:
    """A retrieval set as matrices of one corpus.

    Attributes
    ----------
    training
        What a model is fitted on, one row per text: the candidates and whatever was added, never the queries.
    queries, candidates
        The two sides, in the same columns.
    targets
        For each query the index of the right candidate.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> from semwork.similarity import WTMF
    >>> from semwork.steps import last
    >>> task = RetrievalTask.from_set(load("sample").dictionary)
    >>> best = last(task.steps(WTMF(n_components=10, regularization=5, max_iter=5, random_state=0)))
    >>> best.atop > float(task.baseline().mean())  # better than counting shared words
    True
    """

    training: Any
    queries: Any
    candidates: Any
    targets: NDArray[np.intp]

    @classmethod
    def from_set(cls, data: RetrievalSet, *, more_texts: Iterable[str] = (), analyzer: str = "stem") -> RetrievalTask:
        """Count and weigh the candidates (and more texts, if given); the queries are never trained on."""
        several = [number for number, found in enumerate(data.targets) if len(found) != 1]
        if several:
            raise ValueError(
                f"{data.name}: {len(several)} queries have not exactly one target (query {several[0]} has "
                f"{len(data.targets[several[0]])}); this task needs one each, as load('cdr') has"
            )
        corpus = Corpus.from_texts([*data.candidates, *more_texts], analyzer=analyzer)
        targets = np.array([found[0] for found in data.targets])
        return cls(
            training=corpus.matrix,
            queries=corpus.transform(data.queries),
            candidates=corpus.matrix[: len(data.candidates)],
            targets=targets,
        )

    def baseline(self) -> Scores:
        """Scores of IR: the cosine of the weighted words themselves, nothing learnt."""
        return rank_scores(cosine(self.queries, self.candidates), self.targets)

    def steps(self, model: Any) -> Iterator[RetrievalStep]:
        """Fit a model with ``steps`` and ``transform``, scoring the retrieval after every step."""
        for step in model.steps(self.training):
            scores = rank_scores(cosine(model.transform(self.queries), model.transform(self.candidates)), self.targets)
            mean = atop(scores)
            yield RetrievalStep(
                done=step.done, total=step.total, message=f"ATOP {mean:.3f} · {step.message}", scores=scores, atop=mean
            )

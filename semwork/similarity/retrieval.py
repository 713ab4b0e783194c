"""Concept definition retrieval, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import RetrievalSet
from semwork.given import check_kind, said
from semwork.similarity.base import SentenceModel
from semwork.similarity.space import SentenceSpace
from semwork.steps import Step
from semwork.text import Corpus

if TYPE_CHECKING:
    from semwork.evaluation import Ranking

__all__ = ["RetrievalStep", "RetrievalTask", "check_task"]

Scores = NDArray[np.floating[Any]]


@dataclass(frozen=True, kw_only=True)
class RetrievalStep(Step):
    """How well the definitions are found after this step of the fit: one score per query, and their mean.

    Attributes
    ----------
    scores : ndarray of shape (n_queries,), float64
        ATOP of each query.
    atop : float
        Their mean.
    ranking : Ranking
        The ranks of the right candidates.
    """

    scores: Scores
    atop: float
    ranking: Ranking


@dataclass(frozen=True)
class RetrievalTask:
    """A retrieval set, and the corpus that models are fitted on.

    Attributes
    ----------
    data : RetrievalSet
        Queries, candidates, and which candidates are right for a query.
    corpus : Corpus
        What a model is fitted on: the candidates and whatever was added, never the queries.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> from semwork.similarity import WTMF, TfidfCosine
    >>> task = RetrievalTask.from_set(load("sample").dictionary)
    >>> model = WTMF(n_components=10, regularization=5, max_iter=5, random_state=0)
    >>> task.ranking(model).atop > task.ranking(TfidfCosine()).atop  # better than counting shared words
    True
    """

    data: RetrievalSet
    corpus: Corpus

    def __post_init__(self) -> None:
        """Refuse what cannot be searched before anything is fitted."""
        _check_data(self.data)
        check_kind("corpus", self.corpus, Corpus, "make one with Corpus.from_texts, or use RetrievalTask.from_set")

    @classmethod
    def from_set(
        cls,
        data: RetrievalSet,
        *,
        more_texts: Iterable[str] = (),
        training: Iterable[str] | None = None,
        analyzer: Any = "stem",
        **options: Any,
    ) -> RetrievalTask:
        """Count and weigh what models are fitted on.

        Parameters
        ----------
        data : RetrievalSet
            A retrieval set, as ``load("cdr")`` and ``load("sample").dictionary`` have.
        more_texts : iterable of str
            Texts to train on beside the candidates.
        training : iterable of str, or None
            Texts to train on instead of the candidates: their definitions with headwords and examples, for one.
        analyzer : str, Analyzer or callable
            As in `Corpus.from_texts`.
        **options : Any
            The other arguments of `Corpus.from_texts`.

        Returns
        -------
        RetrievalTask
        """
        _check_data(data)
        without = [number for number, found in enumerate(data.targets) if len(found) == 0]
        if without:
            raise ValueError(f"{data.name}: {len(without)} queries have no target, the first is query {without[0]}")
        for name, given in (("more_texts", more_texts), ("training", training)):
            if isinstance(given, str):
                raise TypeError(f"{name} takes a list of texts, got one string ({given[:40]!r} …); write [text]")
            if given is not None and (hasattr(given, "columns") or not isinstance(given, Iterable)):
                raise TypeError(f"{name} takes a list of texts, got {said(given)}; give the part that has the texts")
        texts = data.candidates if training is None else training
        return cls(data, Corpus.from_texts([*texts, *more_texts], analyzer=analyzer, **options))

    @property
    def training(self) -> Any:
        """The matrix that models are fitted on."""
        return self.corpus.matrix

    @cached_property
    def queries(self) -> Any:
        """The queries' weights."""
        return self.corpus.transform(self.data.queries)

    @cached_property
    def candidates(self) -> Any:
        """The candidates' weights."""
        return self.corpus.transform(self.data.candidates)

    def baseline(self) -> Scores:
        """Scores of IR: the cosine of the weighted words themselves, nothing learnt.

        Returns
        -------
        ndarray of shape (n_queries,), float64
        """
        from semwork.similarity.search import rank

        return rank(self.queries, self.candidates, self.data.targets).scores

    def fitted_ranking(self, model: SentenceModel) -> Ranking:
        """Rank with a model that is fitted already.

        Parameters
        ----------
        model : SentenceModel
            Fitted on the corpus of the task.

        Returns
        -------
        Ranking
        """
        from semwork.similarity.search import rank

        space = SentenceSpace(self.corpus, model)
        return rank(
            space.encode(self.data.queries, weights=self.queries),
            space.encode(self.data.candidates, weights=self.candidates),
            self.data.targets,
            measure=model.measure,
        )

    def ranking(self, model: SentenceModel) -> Ranking:
        """Fit a model and rank with it.

        Parameters
        ----------
        model : SentenceModel
            The model; it is fitted.

        Returns
        -------
        Ranking
        """
        return self.fitted_ranking(SentenceSpace(self.corpus, model).fit().model)

    def steps(self, model: SentenceModel, **options: Any) -> Iterator[RetrievalStep]:
        """Fit a model, scoring the retrieval after every step; options go to the model's ``steps``.

        Parameters
        ----------
        model : SentenceModel
            The model; it is fitted.
        **options : Any
            Arguments of the model's ``steps``.

        Yields
        ------
        RetrievalStep
        """
        for step in SentenceSpace(self.corpus, model).steps(**options):
            ranking = self.fitted_ranking(model)
            mean = ranking.atop
            yield RetrievalStep(
                done=step.done,
                total=step.total,
                message=" · ".join(part for part in (f"ATOP {mean:.3f}", step.message) if part),
                scores=ranking.scores,
                atop=mean,
                ranking=ranking,
            )


def _check_data(data: Any) -> None:
    check_kind(
        "data",
        data,
        RetrievalSet,
        "load one, such as load('cdr') or load('sample').dictionary, or make one of your own queries, candidates and "
        "targets with semwork.datasets.RetrievalSet",
    )


def check_task(task: Any) -> None:
    """Refuse what is no `RetrievalTask`."""
    check_kind(
        "task",
        task,
        RetrievalTask,
        "make one with RetrievalTask.from_set(data), or with semwork.studies.retrieval_task('sample')",
    )

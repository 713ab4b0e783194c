"""Sentence similarity: how well a model's similarities follow those of people, step by step."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import SentencePairs
from semwork.given import check_kind
from semwork.similarity.base import SentenceModel
from semwork.similarity.space import SentenceSpace
from semwork.steps import Step
from semwork.text import Corpus

if TYPE_CHECKING:
    from semwork.evaluation import StsScores

__all__ = ["PairStep", "PairTask", "check_pairs", "correlations_by_set"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PairStep(Step):
    """How the predicted similarities follow the human scores after this step of the fit.

    Attributes
    ----------
    predicted : ndarray of shape (n_pairs,), float64
        One similarity per pair.
    pearson, spearman : float
        Correlation with the human scores; NaN while all predictions are equal, or all scores, and where there are none.
    sets : StsScores or None
        Pearson per group, ALL, ALLnrm and Mean, if the pairs come in groups (and none of these correlations is NaN).
    """

    predicted: Floats
    pearson: float
    spearman: float
    sets: StsScores | None = None


@dataclass(frozen=True)
class PairTask:
    """Pairs of sentences with human scores, and the corpus that models are fitted on.

    Attributes
    ----------
    pairs : SentencePairs
        As ``load("li06")``, ``load("sts2012").subset("test")`` and ``load("sample").pairs`` give them.
    corpus : Corpus
        What a model is fitted on; the pairs need not be part of it.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> from semwork.similarity import WTMF
    >>> task = PairTask.from_pairs(load("sample").pairs, load("sample").texts)
    >>> model = WTMF(n_components=20, missing_weight=0.05, regularization=5, max_iter=5, random_state=0)
    >>> for step in task.steps(model):
    ...     pass
    >>> step.pearson > 0.5
    True
    """

    pairs: SentencePairs
    corpus: Corpus

    def __post_init__(self) -> None:
        """Refuse what cannot be judged before anything is fitted."""
        check_pairs(self.pairs)
        check_kind("corpus", self.corpus, Corpus, "make one with Corpus.from_texts, or use PairTask.from_pairs")

    @classmethod
    def from_pairs(
        cls, pairs: SentencePairs, texts: Iterable[str], analyzer: Any = "stem", **corpus_options: Any
    ) -> PairTask:
        """Count and weigh the texts that models are fitted on; options are those of `Corpus.from_texts`.

        Parameters
        ----------
        pairs : SentencePairs
            What models are judged by.
        texts : iterable of str
            What models are fitted on.
        analyzer : str, Analyzer or callable
            As in `Corpus.from_texts`.
        **corpus_options : Any
            The other arguments of `Corpus.from_texts`.

        Returns
        -------
        PairTask
        """
        check_pairs(pairs)  # counting takes a while
        return cls(pairs, Corpus.from_texts(texts, analyzer=analyzer, **corpus_options))

    def with_pairs(self, pairs: SentencePairs) -> PairTask:
        """Ask about other pairs; the corpus is the same.

        Parameters
        ----------
        pairs : SentencePairs
            What models are judged by from now on.

        Returns
        -------
        PairTask
        """
        return replace(self, pairs=pairs)

    @cached_property
    def left(self) -> Any:
        """Weights of the left sentences."""
        return self.corpus.transform(self.pairs.left)

    @cached_property
    def right(self) -> Any:
        """Weights of the right sentences."""
        return self.corpus.transform(self.pairs.right)

    def predict(self, model: SentenceModel) -> Floats:
        """Similarity of each pair under a model that is fitted already.

        Parameters
        ----------
        model : SentenceModel
            Fitted on the corpus of the task.

        Returns
        -------
        ndarray of shape (n_pairs,), float64
        """
        from semwork.similarity.search import pairwise

        space = SentenceSpace(self.corpus, model)
        left = space.encode(self.pairs.left, weights=self.left if model.reads != "texts" else None)
        right = space.encode(self.pairs.right, weights=self.right if model.reads != "texts" else None)
        return pairwise(left, right, measure=model.measure)

    def judge(self, predicted: Any, step: Step | None = None) -> PairStep:
        """Compare predicted similarities with the human scores; ``step`` is that of the fit, if there was one.

        Parameters
        ----------
        predicted : array-like of shape (n_pairs,)
            One similarity per pair.
        step : Step or None
            The step of the fit.

        Returns
        -------
        PairStep
        """
        from semwork.evaluation import sts_scores

        predicted = np.asarray(predicted, dtype=np.float64)
        r, rho = _correlations(self.pairs.scores, predicted).values()
        sets = None
        if any(self.pairs.group) and not math.isnan(r) and self._all_vary(predicted):
            sets = sts_scores(self.pairs.scores, predicted, self.pairs.group)
        said = step.message if step else ""
        found = f"r {r:.3f}, ρ {rho:.3f}" if np.isfinite(self.pairs.scores).any() else ""
        return PairStep(
            done=step.done if step else 1,
            total=step.total if step else 1,
            message=" · ".join(part for part in (found, said) if part),
            predicted=predicted,
            pearson=r,
            spearman=rho,
            sets=sets,
        )

    def steps(self, model: SentenceModel, **options: Any) -> Iterator[PairStep]:
        """Fit a model, scoring the pairs after every step; options go to the model's ``steps``.

        Parameters
        ----------
        model : SentenceModel
            The model; it is fitted.
        **options : Any
            Arguments of the model's ``steps``.

        Yields
        ------
        PairStep
        """
        for step in SentenceSpace(self.corpus, model).steps(**options):
            yield self.judge(self.predict(model), step)

    def _all_vary(self, predicted: Floats) -> bool:
        groups = self.pairs.group.tolist()
        return all(
            np.ptp(values[self.pairs.group == group]) > 0
            for group in dict.fromkeys(groups)
            for values in (predicted, self.pairs.scores)
        )


def correlations_by_set(task: PairTask, predicted: Floats) -> dict[str, dict[str, float]]:
    """Return both correlations for all pairs, whose name is empty, and for each group of them.

    Parameters
    ----------
    task : PairTask
        Pairs that come in groups.
    predicted : ndarray of shape (n_pairs,)
        One similarity per pair.

    Returns
    -------
    dict of str to dict of str to float
        Name of the group → ``pearson`` and ``spearman``.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> task = PairTask.from_pairs(load("sample").pairs, load("sample").texts)
    >>> correlations_by_set(task, task.pairs.scores)[""]
    {'pearson': 1.0, 'spearman': 1.0}
    """
    gold, group = task.pairs.scores, task.pairs.group
    parts = {"": np.ones(len(gold), dtype=bool)} | {one: group == one for one in dict.fromkeys(group.tolist()) if one}
    return {name: _correlations(gold[rows], predicted[rows]) for name, rows in parts.items()}


def check_pairs(pairs: Any) -> None:
    """Refuse what is no `SentencePairs`."""
    check_kind(
        "pairs",
        pairs,
        SentencePairs,
        "make them with semwork.datasets.sentence_pairs('mine', left, right, scores), or load some, such as "
        "load('li06') or load('sample').pairs",
    )


def _correlations(gold: Floats, predicted: Floats) -> dict[str, float]:
    """Return Pearson's and Spearman's correlation; NaN when a side is constant, as at the end of the range of w_m.

    Pairs without a score are passed over.

    Parameters
    ----------
    gold, predicted : ndarray of shape (n_pairs,)
        One number per pair.

    Returns
    -------
    dict of str to float
        ``pearson`` and ``spearman``.
    """
    from semwork.evaluation import pearson, spearman

    known = np.isfinite(gold)
    gold, predicted = gold[known], predicted[known]
    if len(gold) < 2 or np.ptp(gold) == 0 or np.ptp(predicted) == 0:
        return {"pearson": math.nan, "spearman": math.nan}
    return {"pearson": pearson(gold, predicted), "spearman": spearman(gold, predicted)}

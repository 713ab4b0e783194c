"""Sentence similarity: how well a model's similarities follow those of people, step by step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import SentencePairs, load
from semwork.given import check_kind
from semwork.given import said as said_of
from semwork.similarity.base import SentenceModel
from semwork.similarity.space import SentenceSpace
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step
from semwork.text import Corpus

if TYPE_CHECKING:
    import pandas as pd

    from semwork.evaluation import StsScores

__all__ = ["TRAINING", "PairStep", "PairTask", "WeightStep", "training_texts", "weight_steps", "worst_pairs"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PairStep(Step):
    """How the predicted similarities follow the human scores after this step of the fit.

    Attributes
    ----------
    predicted
        One similarity per pair.
    pearson, spearman
        Correlation with the human scores; NaN while all predictions are equal, or all scores.
    sets
        Pearson per group, ALL, ALLnrm and Mean, if the pairs come in groups (and none of these correlations is NaN).
    """

    predicted: Floats
    pearson: float
    spearman: float
    sets: StsScores | None = None


@dataclass(frozen=True, kw_only=True)
class WeightStep(Step):
    """One fitted model of a walk along w_m, or one iteration on the way to it.

    Attributes
    ----------
    missing_weight, seed
        Of the fit.
    pearson, spearman
        Set → correlation with the human scores, for each named set of pairs and each group ``"set: group"`` in it;
        empty while a model is being fitted.
    fitted
        Whether the model is fitted.
    """

    missing_weight: float
    seed: int
    fitted: bool = True
    pearson: Mapping[str, float]
    spearman: Mapping[str, float]


@dataclass(frozen=True)
class PairTask:
    """Pairs of sentences with human scores, and the corpus that models are fitted on.

    Attributes
    ----------
    pairs
        As ``load("li06")``, ``load("sts2012").subset("test")`` and ``load("sample").pairs`` give them.
    corpus
        What a model is fitted on; the pairs need not be part of it.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> from semwork.similarity import WTMF
    >>> task = PairTask.from_pairs(load("sample").pairs, training_texts("sample"))
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
        _check_pairs(self.pairs)
        check_kind("corpus", self.corpus, Corpus, "make one with Corpus.from_texts, or use PairTask.from_pairs")

    @classmethod
    def from_pairs(
        cls, pairs: SentencePairs, texts: Iterable[str], analyzer: Any = "stem", **corpus_options: Any
    ) -> PairTask:
        """Count and weigh the texts that models are fitted on; options are those of `Corpus.from_texts`."""
        _check_pairs(pairs)  # counting takes a while
        return cls(pairs, Corpus.from_texts(texts, analyzer=analyzer, **corpus_options))

    def with_pairs(self, pairs: SentencePairs) -> PairTask:
        """Ask about other pairs; the corpus is the same."""
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
        """Similarity of each pair under a model that is fitted already."""
        from semwork.similarity.search import pairwise

        space = SentenceSpace(self.corpus, model)
        left = space.encode(self.pairs.left, weights=self.left if model.reads != "texts" else None)
        right = space.encode(self.pairs.right, weights=self.right if model.reads != "texts" else None)
        return pairwise(left, right, measure=model.measure)

    def judge(self, predicted: Any, step: Step | None = None) -> PairStep:
        """Compare predicted similarities with the human scores; ``step`` is that of the fit, if there was one."""
        from semwork.evaluation import pearson, spearman, sts_scores

        predicted = np.asarray(predicted, dtype=np.float64)
        r, rho = (_or_nan(how, self.pairs.scores, predicted) for how in (pearson, spearman))
        sets = None
        if any(self.pairs.group) and not math.isnan(r) and self._all_vary(predicted):
            sets = sts_scores(self.pairs.scores, predicted, self.pairs.group)
        said = step.message if step else ""
        return PairStep(
            done=step.done if step else 1,
            total=step.total if step else 1,
            message=" · ".join(part for part in (f"r {r:.3f}, ρ {rho:.3f}", said) if part),
            predicted=predicted,
            pearson=r,
            spearman=rho,
            sets=sets,
        )

    def steps(self, model: SentenceModel, **options: Any) -> Iterator[PairStep]:
        """Fit a model, scoring the pairs after every step; options go to the model's ``steps``."""
        for step in SentenceSpace(self.corpus, model).steps(**options):
            yield self.judge(self.predict(model), step)

    def _all_vary(self, predicted: Floats) -> bool:
        groups = self.pairs.group.tolist()
        return all(
            np.ptp(values[self.pairs.group == group]) > 0
            for group in dict.fromkeys(groups)
            for values in (predicted, self.pairs.scores)
        )


def worst_pairs(pairs: SentencePairs, predicted: Any, k: int = 8) -> pd.DataFrame:
    """Return the pairs that people and the model place most differently.

    Returns
    -------
    pandas.DataFrame
        ``pair`` (its number), ``left``, ``right``, ``score``, ``predicted``, ``human_place`` and ``model_place`` (the
        share of the other pairs that are less similar; equal ones count half) and ``difference`` (model less human),
        the largest difference first.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> pairs = load("sample").pairs
    >>> worst_pairs(pairs, pairs.scores)["difference"].abs().max()
    np.float64(0.0)
    """
    import pandas as pd
    from scipy.stats import rankdata

    _check_pairs(pairs)

    human, model = ((rankdata(values) - 1) / max(1, len(pairs) - 1) for values in (pairs.scores, np.asarray(predicted)))
    order = np.argsort(-np.abs(model - human), kind="stable")[:k]
    return pd.DataFrame(
        {
            "pair": order,
            "left": [pairs.left[row] for row in order],
            "right": [pairs.right[row] for row in order],
            "score": pairs.scores[order],
            "predicted": np.asarray(predicted, dtype=np.float64)[order],
            "human_place": human[order],
            "model_place": model[order],
            "difference": (model - human)[order],
        }
    )


def weight_steps(
    tasks: Mapping[str, PairTask],
    weights: Sequence[float],
    seeds: Sequence[int] = (0,),
    *,
    make: Callable[[float, int], SentenceModel] | None = None,
    every_iteration: bool = False,
) -> Iterator[WeightStep]:
    """Walk along w_m: fit one model per weight and seed, and correlate it with every set of pairs.

    Parameters
    ----------
    tasks
        Name → pairs; all have the same corpus, so that a fitted model serves them all.
    weights, seeds
        Values of w_m and seeds of the random start; all seeds of a weight come before the next weight.
    make
        ``make(weight, seed)`` gives the model to fit; by default ``WTMF(missing_weight=weight, random_state=seed)``.
    every_iteration
        Whether there is a step after every iteration, so that a long fit shows its progress and can be stopped.

    Examples
    --------
    >>> from semwork.datasets import load
    >>> from semwork.similarity import WTMF
    >>> task = PairTask.from_pairs(load("sample").pairs, training_texts("sample"))
    >>> def make(weight, seed):
    ...     return WTMF(10, missing_weight=weight, regularization=5, max_iter=3, random_state=seed)
    >>> [(step.missing_weight, step.seed) for step in weight_steps({"all": task}, [0.01, 0.1], [0, 1], make=make)]
    [(0.01, 0), (0.01, 1), (0.1, 0), (0.1, 1)]
    """
    if not isinstance(tasks, Mapping):
        raise TypeError(f"tasks must map names on PairTasks, got {said_of(tasks)}: write {{'all': task}}")
    for name, task in tasks.items():
        check_kind(f"tasks[{name!r}]", task, PairTask, "make one with PairTask.from_pairs(pairs, texts)")
    if not tasks or not len(weights) or not len(seeds):
        raise ValueError(
            f"there are {len(tasks)} sets of pairs, {len(weights)} weights and {len(seeds)} seeds; give at least one "
            "of each"
        )
    corpora = {id(task.corpus) for task in tasks.values()}
    if len(corpora) > 1:
        raise ValueError(
            f"the tasks have {len(corpora)} corpora; they must share one, so that one fit serves all: "
            "use task.with_pairs(pairs)"
        )
    corpus = next(iter(tasks.values())).corpus
    total = len(weights) * len(seeds)
    done = 0
    for weight in weights:
        for seed in seeds:
            model = make(weight, seed) if make else WTMF(missing_weight=weight, random_state=seed)
            share = 1
            for step in SentenceSpace(corpus, model).steps():
                share = (step.total or 1) if every_iteration else 1
                if every_iteration and step.done < share:
                    yield WeightStep(
                        done=done * share + step.done,
                        total=total * share,
                        message=f"w_m = {weight:g}, seed {seed}: {step.message}",
                        missing_weight=weight,
                        seed=seed,
                        fitted=False,
                        pearson={},
                        spearman={},
                    )
            pearson, spearman = _by_set(tasks, model)
            done += 1
            said = ", ".join(f"{name} {value:.3f}" for name, value in pearson.items() if name in tasks)
            yield WeightStep(
                done=done * share,
                total=total * share,
                message=f"w_m = {weight:g}, seed {seed}: r {said}",
                missing_weight=weight,
                seed=seed,
                pearson=pearson,
                spearman=spearman,
            )


def _by_set(tasks: Mapping[str, PairTask], model: SentenceModel) -> tuple[dict[str, float], dict[str, float]]:
    from semwork.evaluation import pearson, spearman

    found: tuple[dict[str, float], dict[str, float]] = ({}, {})
    for name, task in tasks.items():
        predicted, gold, group = task.predict(model), task.pairs.scores, task.pairs.group
        parts = {name: np.ones(len(gold), dtype=bool)}
        parts |= {f"{name}: {one}": group == one for one in dict.fromkeys(group.tolist()) if one}
        for part, rows in parts.items():
            for values, how in zip(found, (pearson, spearman), strict=True):
                values[part] = _or_nan(how, gold[rows], predicted[rows])
    return found


def _check_pairs(pairs: Any) -> None:
    check_kind(
        "pairs",
        pairs,
        SentencePairs,
        "make them with semwork.datasets.sentence_pairs('mine', left, right, scores), or load some, such as "
        "load('li06') or load('sample').pairs",
    )


def _or_nan(how: Callable[[Any, Any], float], gold: Floats, predicted: Floats) -> float:
    """The correlation, or NaN when a side is constant, as it can be at the end of the range of w_m."""
    if len(gold) < 2 or np.ptp(gold) == 0 or np.ptp(predicted) == 0:
        return math.nan
    return how(gold, predicted)


TRAINING = ("sample", "WordNet + Brown")
"""What `training_texts` knows."""


def training_texts(name: str) -> list[str]:
    """Texts to fit sentence models on, one short text each.

    Parameters
    ----------
    name
        ``"sample"``: the definitions and documents written for this project (none of its pairs).
        ``"WordNet + Brown"``: for each sense of WordNet its headwords, definition and examples joined, then the
        sentences of the Brown corpus: the second paper's texts without Wiktionary and the STS training
        sentences. The first paper has definitions only.

    References
    ----------
    W. Guo & M. Diab (2012), Weiwei, SemEval, section 4: headwords and usage examples are added to the definitions.

    Examples
    --------
    >>> len(training_texts("sample")) > 1000
    True
    """
    if name == "sample":
        return list(load("sample").texts)
    if name == "WordNet + Brown":
        return [*load("wordnet").texts, *load("brown").texts]
    raise ValueError(f"there are no training texts {name!r}; there are {', '.join(map(repr, TRAINING))}")

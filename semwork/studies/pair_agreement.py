"""Do a model's similarities agree with those of people, and why not where they do not?"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import SentencePairs
from semwork.similarity.base import SentenceModel
from semwork.similarity.pairs import PairStep, PairTask, check_pairs, correlations_by_set
from semwork.similarity.space import SentenceSpace
from semwork.similarity.words import SentenceWord, word_effects
from semwork.studies import wtmf_fields
from semwork.studies.pair_models import LEARNT, MODELS, NEEDS, model_named
from semwork.studies.pair_sets import SCORED_PAIRS
from semwork.studies.settings import Settings, choice, whole
from semwork.studies.study import Answer, Facts, NoAnswer, Study
from semwork.studies.training import TRAINING_TEXTS
from semwork.studies.warm_start import WarmStart
from semwork.text import Corpus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FittedStep", "PairAgreement", "PairFits", "PairSettings", "PairView", "table_of_words", "worst_pairs"]

_WORST, _LOOKED_AT = 6, 60  # pairs that are shown, and from how many different ones are taken


@dataclass(frozen=True, kw_only=True)
class PairSettings(Settings):
    """Which model is fitted, and how."""

    model: str = choice(LEARNT, "model", "w_m and λ are of WTMF alone", MODELS, needs=NEEDS)
    missing_weight: float = wtmf_fields.missing_weight()
    regularization: float = wtmf_fields.regularization()
    n_components: int = wtmf_fields.n_components(most=100)
    seed: int = wtmf_fields.seed()


@dataclass(frozen=True, kw_only=True)
class PairView(Settings):
    """Which pair is explained."""

    pair: int = whole(0, "pair to explain", "click a point, or type its number", 0, 99_999)


@dataclass(frozen=True, kw_only=True)
class FittedStep(PairStep):
    """A step of a fit, and the model of that moment.

    Attributes
    ----------
    model : SentenceModel
        Fitted so far.
    """

    model: SentenceModel


R = TypeVar("R", bound=FittedStep)


@dataclass(frozen=True, eq=False)
class Agreement(Answer):
    """Scores of people and of the model."""

    points: pd.DataFrame
    correlations: pd.DataFrame
    line: NDArray[np.float64] | None
    chosen: int
    title: str = "People and model"


@dataclass(frozen=True, eq=False)
class Effects(Answer):
    """What the similarity of a pair loses without a word."""

    left: pd.DataFrame
    right: pd.DataFrame
    title: str


@dataclass(frozen=True, eq=False)
class Worst(Answer):
    """The pairs that people and the model place most differently."""

    worst: pd.DataFrame
    title: str = "Where people and model differ most (click a dot)"


class PairFits(Study[PairSettings, R]):
    """Fits of one model to texts, judged by pairs of sentences.

    Parameters
    ----------
    pairs : SentencePairs
        What the model is judged by.
    corpus : Corpus
        What it is fitted on.
    """

    def __init__(self, pairs: SentencePairs, corpus: Corpus) -> None:
        self.task = PairTask(pairs, corpus)
        self._start = WarmStart()

    @functools.cached_property
    def facts(self) -> Facts:
        """How many pairs, texts and words there are."""
        return Facts(pairs=len(self.task.pairs), **wtmf_fields.facts_of(self.task.corpus))

    @classmethod
    def goes_on(cls, settings: PairSettings) -> bool:
        """Whether the model is WTMF: no other one goes on from a solution."""
        return settings.model == LEARNT

    def fits(self, settings: PairSettings) -> Iterator[FittedStep]:
        """Fit the model, judging it after every step; a warm study goes on from the last solution that is a start."""
        settings = settings.checked(self.facts)
        corpus = self.task.corpus
        model = model_named(settings.model, settings, len(corpus))
        for step in self.task.steps(model, **self._start.options(model, self.warm)):
            now = model.snapshot()
            self._start.keep(now)
            yield FittedStep(**vars(step), model=now)


class PairAgreement(PairFits[FittedStep]):
    """How well a model follows people.

    Parameters
    ----------
    pairs : SentencePairs
        Pairs of sentences with scores of people.
    corpus : Corpus
        What models are fitted on; the pairs need not be part of it.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = PairAgreement.on("sample", "sample")
    >>> end = last(study.steps(PairSettings(missing_weight=0.05)))
    >>> end.pearson > 0.5
    True
    >>> study.words(end, pair=0).left["word"].iloc[0]
    'the'
    """

    settings, view = PairSettings, PairView
    inputs = {"data": SCORED_PAIRS, "training": TRAINING_TEXTS}

    def steps(self, settings: PairSettings) -> Iterator[FittedStep]:
        """Fit the model, judging it after every step."""
        return self.fits(settings)

    def table(self, step: FittedStep) -> pd.DataFrame:
        """Return ``pearson`` and ``spearman`` for all pairs (the group is empty) and for each group."""
        import pandas as pd

        by_set = correlations_by_set(self.task, step.predicted)
        return pd.DataFrame([{"group": name, **both} for name, both in by_set.items()])

    # --- questions --------------------------------------------------------------------------------------------------

    def agreement(self, step: FittedStep, pair: int = 0) -> Agreement:
        """Return both scores of all pairs, their correlations, and the least-squares line."""
        import pandas as pd

        pairs = self._scored()
        table = {"left": pairs.left, "right": pairs.right, "group": pairs.group, "score": pairs.scores}
        points = pd.DataFrame({**table, "predicted": step.predicted})
        known = np.isfinite(pairs.scores)
        gold, line = pairs.scores[known], None
        if np.ptp(gold) > 0:
            slope, base = np.polyfit(gold, step.predicted[known], 1)
            ends = np.array([gold.min(), gold.max()])
            line = np.column_stack([ends, base + slope * ends])
        return Agreement(points, self.table(step), line, self._number(pair))

    def words(self, step: FittedStep, pair: int) -> Effects:
        """Return by how much the similarity of a pair falls without each of its words."""
        number, pairs = self._number(pair), self.task.pairs
        space = SentenceSpace(self.task.corpus, step.model)
        left, right = word_effects(space, pairs.left[number], pairs.right[number])
        people = f"people {pairs.scores[number]:g}, " if np.isfinite(pairs.scores[number]) else ""
        said = f"{people}model {step.predicted[number]:.2f}"
        return Effects(
            table_of_words(left), table_of_words(right), f"Pair {number}: {said}. How much is lost without a word?"
        )

    def worst(self, step: FittedStep) -> Worst:
        """Return the pairs that differ most, each one once: STS has some of them many times."""
        worst = worst_pairs(self._scored(), step.predicted, _LOOKED_AT)
        return Worst(worst.drop_duplicates(["left", "right"]).head(_WORST))

    def _scored(self) -> SentencePairs:
        """The pairs, if people have scored some of them."""
        if not np.isfinite(self.task.pairs.scores).any():
            raise NoAnswer(
                "These pairs have no scores of people, so there is nothing to compare with. A column with numbers "
                "would be read as scores."
            )
        return self.task.pairs

    def _number(self, pair: int) -> int:
        return min(pair, len(self.task.pairs) - 1)


def table_of_words(words: list[SentenceWord]) -> pd.DataFrame:
    """Return columns ``word``, ``known`` and ``effect``."""
    import pandas as pd

    rows = [(word.word, word.known, word.effect) for word in words]
    return pd.DataFrame(rows, columns=["word", "known", "effect"])


def worst_pairs(pairs: SentencePairs, predicted: Any, k: int = 8) -> pd.DataFrame:
    """Return the pairs that people and the model place most differently, of those with a score.

    Parameters
    ----------
    pairs : SentencePairs
        Pairs with scores of people.
    predicted : array-like of shape (n_pairs,)
        The model's similarity of each pair.
    k : int
        How many pairs are returned.

    Returns
    -------
    DataFrame of shape (k, 8)
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

    check_pairs(pairs)
    known = np.flatnonzero(np.isfinite(pairs.scores))
    both = np.full((2, len(pairs)), np.nan)
    for places, values in zip(both, (pairs.scores, np.asarray(predicted)), strict=True):
        places[known] = (rankdata(values[known]) - 1) / max(1, len(known) - 1)
    human, model = both
    order = known[np.argsort(-np.abs(model - human)[known], kind="stable")[:k]]
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

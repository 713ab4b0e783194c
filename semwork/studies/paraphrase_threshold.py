"""From which similarity on is a pair a paraphrase?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.studies.pair_agreement import FittedStep, PairFits, PairSettings
from semwork.studies.pair_sets import LABELLED_PAIRS
from semwork.studies.settings import Settings, choice, real, switch
from semwork.studies.study import Answer
from semwork.studies.training import TRAINING_TEXTS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ParaphraseThreshold", "ThresholdStep", "ThresholdView"]

_TEST, _TRAIN = "test pairs", "training pairs"
_DRAWN = 300  # points of the curve of the accuracy
_FEWEST_BARS, _MOST_BARS = 10, 60


@dataclass(frozen=True, kw_only=True)
class ThresholdView(Settings):
    """Which pairs are drawn, and where the line stands."""

    shown: str = choice(_TEST, "pairs shown", "the threshold is learnt on training", (_TEST, _TRAIN), shown="list")
    follow: bool = switch(True, "use the learnt threshold", "the one with the fewest errors on the training pairs")
    threshold: float = real(0.5, "threshold", "or drag the line in the figure", -1, 1)


@dataclass(frozen=True, kw_only=True)
class ThresholdStep(FittedStep):
    """A step of a fit, and the threshold that is best on the training pairs.

    Attributes
    ----------
    learnt : float
        That threshold.
    """

    learnt: float


@dataclass(frozen=True, eq=False)
class Split(Answer):
    """The similarities of paraphrases and of other pairs, and a line between them."""

    scores: NDArray[np.float64]
    labels: NDArray[np.bool_]
    threshold: float
    accuracy: pd.DataFrame
    bars: pd.DataFrame
    learnt: float
    title: str


class ParaphraseThreshold(PairFits[ThresholdStep]):
    """One number that decides what is a paraphrase.

    Parameters
    ----------
    pairs : SentencePairs
        Pairs with labels: 1 for a paraphrase. The threshold is learnt on those that are not for the test.
    corpus : Corpus
        What models are fitted on.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = ParaphraseThreshold.on("sample", "sample")
    >>> end = last(study.steps(PairSettings()))
    >>> study.table(end)["pairs"].tolist()
    ['test pairs', 'training pairs']
    """

    settings, view = PairSettings, ThresholdView
    inputs = {"data": LABELLED_PAIRS, "training": TRAINING_TEXTS}

    def steps(self, settings: PairSettings) -> Iterator[ThresholdStep]:
        """Fit the model; after every step learn the threshold on the training pairs."""
        from semwork.evaluation import best_threshold

        train, scores = self._rows(_TRAIN), self.task.pairs.scores
        for step in self.fits(settings):
            yield ThresholdStep(**vars(step), learnt=best_threshold(step.predicted[train], scores[train]))

    def table(self, step: ThresholdStep) -> pd.DataFrame:
        """Return ``accuracy`` and ``f1`` at the learnt threshold, for test and for training pairs."""
        import pandas as pd

        reached = {shown: vars(self._reached(step, shown, step.learnt)) for shown in (_TEST, _TRAIN)}
        return pd.DataFrame([{"pairs": shown, "threshold": step.learnt, **found} for shown, found in reached.items()])

    def split(self, step: ThresholdStep, shown: str = _TEST, follow: bool = True, threshold: float = 0.5) -> Split:
        """Return the similarities of the pairs shown, and what a threshold (the learnt one, or this) reaches."""
        import pandas as pd

        from semwork.evaluation import accuracy_curve

        at = step.learnt if follow else threshold
        rows, pairs = self._rows(shown), self.task.pairs
        scores, labels = np.asarray(step.predicted[rows], dtype=float), np.asarray(pairs.scores[rows], dtype=bool)
        curve = accuracy_curve(scores, labels)
        keep = np.unique(np.linspace(0, len(curve.threshold) - 1, _DRAWN).astype(int))
        reached = self._reached(step, shown, at)
        return Split(
            scores,
            labels,
            at,
            pd.DataFrame({"threshold": curve.threshold[keep], "accuracy": curve.accuracy[keep]}),
            bars_of(scores, labels),
            step.learnt,
            f"{shown.capitalize()}: accuracy {reached.accuracy:.1%}, F1 {reached.f1:.3f} at {at:.3f}",
        )

    def _reached(self, step: ThresholdStep, shown: str, threshold: float) -> Any:
        from semwork.evaluation import at_threshold

        rows = self._rows(shown)
        return at_threshold(step.predicted[rows], self.task.pairs.scores[rows], threshold)

    def _rows(self, shown: str) -> NDArray[np.bool_]:
        test: NDArray[np.bool_] = self.task.pairs.split == "test"  # MSR04's "train" and "val" are its training set
        return test if shown == _TEST else ~test


def bars_of(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> pd.DataFrame:
    """Return the bars of both histograms: ``start``, ``end``, and the pairs in each, ``other`` and ``paraphrases``.

    There are about twice as many as the root of the number of pairs, over 0 to 1 and whatever lies outside.

    Examples
    --------
    >>> bars = bars_of(np.array([0.05, 0.92, 0.98]), np.array([False, True, True]))
    >>> len(bars), bars["other"].iloc[0], bars["paraphrases"].iloc[-1]
    (10, np.int64(1), np.int64(2))
    """
    import pandas as pd

    number = int(np.clip(2 * np.sqrt(len(scores)), _FEWEST_BARS, _MOST_BARS))
    ends = min(0.0, float(scores.min())), max(1.0, float(scores.max()))
    counted = [np.histogram(scores[rows], bins=number, range=ends)[0] for rows in (~labels, labels)]
    edges = np.linspace(*ends, number + 1)
    return pd.DataFrame({"start": edges[:-1], "end": edges[1:], "other": counted[0], "paraphrases": counted[1]})

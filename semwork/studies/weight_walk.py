"""How much should missing words count? The agreement with people along w_m."""

from __future__ import annotations

import functools
import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from semwork.datasets import SentencePairs
from semwork.similarity.catalogue import WEIGHT_GRID
from semwork.similarity.pairs import PairTask
from semwork.steps import Step
from semwork.studies import wtmf_fields
from semwork.studies.model_cells import correlations_of, over_seeds
from semwork.studies.pair_models import LEARNT, iterations_for
from semwork.studies.pair_sets import PAPERS_CORRELATIONS, SCORED_PAIRS, title_of
from semwork.studies.settings import Settings, choice, whole
from semwork.studies.study import Answer, Facts, Study
from semwork.studies.training import TRAINING_TEXTS
from semwork.sweeps import Cell, Memory, Sweep
from semwork.text import Corpus

__all__ = ["WalkSettings", "WalkStep", "WalkView", "WeightWalk"]

#: The weights of all sliders but two: each is a fit for every seed, and the curve goes straight on past these.
WALK = tuple(weight for weight in WEIGHT_GRID if weight not in (0.0002, 0.2))
_PEARSON, _SPEARMAN = "Pearson r", "Spearman ρ"
_COLUMNS = ("set", "missing_weight", "seed", "pearson", "spearman")


@dataclass(frozen=True, kw_only=True)
class WalkSettings(Settings):
    """What is fixed while w_m is swept."""

    regularization: float = wtmf_fields.regularization()
    n_components: int = wtmf_fields.n_components(most=100)
    seeds: int = whole(2, "random starts", "the line is their mean, the band from worst to best", 1, 5)


@dataclass(frozen=True, kw_only=True)
class WalkView(Settings):
    """Which correlation is drawn."""

    measure: str = choice(_PEARSON, "correlation", "of values, or of ranks", (_PEARSON, _SPEARMAN), shown="list")


@dataclass(frozen=True, kw_only=True)
class WalkStep(Step):
    """The fits so far.

    Attributes
    ----------
    fits : DataFrame
        Columns ``set`` (of pairs, or a group of them), ``missing_weight``, ``seed``, ``pearson``, ``spearman``.
    """

    fits: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Walk(Answer):
    """One correlation along w_m: mean, lowest and highest over the seeds of each weight and set."""

    correlations: pd.DataFrame
    letter: str
    paper: Mapping[float, float]
    weights: tuple[float, ...]
    title: str


class WeightWalk(Study[WalkSettings, WalkStep]):
    """One fit of WTMF for each weight and seed.

    Parameters
    ----------
    pairs : SentencePairs
        Pairs of sentences with scores of people.
    corpus : Corpus
        What the models are fitted on.

    Examples
    --------
    >>> study = WeightWalk.on("sample", "sample")
    >>> first = next(step for step in study.steps(WalkSettings(seeds=1)) if len(step.fits))
    >>> str(first.fits["set"].iloc[0]), float(first.fits["missing_weight"].iloc[0])
    ('sample', 0.0)
    """

    settings, view = WalkSettings, WalkView
    inputs = {
        "data": replace(SCORED_PAIRS, says="LI06 shows the paper's values beside ours"),
        "training": replace(TRAINING_TEXTS, says="WordNet + Brown needs the real data, and minutes"),
    }

    def __init__(self, pairs: SentencePairs, corpus: Corpus) -> None:
        self.task = PairTask(pairs, corpus)
        self.known = Memory()

    @functools.cached_property
    def facts(self) -> Facts:
        """How many pairs and texts there are."""
        return Facts(pairs=len(self.task.pairs), **wtmf_fields.facts_of(self.task.corpus))

    def steps(self, settings: WalkSettings) -> Iterator[WalkStep]:
        """Fit one model after the other, all seeds of a weight before the next weight; what is known stays.

        A cell that fails ends none of the others; after the last step the failures are raised, as `SweepFailed`.
        """
        settings = settings.checked(self.facts)
        cells = [self._cell(settings, weight, seed) for weight in WALK for seed in range(settings.seeds)]
        for step in Sweep(cells, store=self.known).steps():
            rows = [row for cell, found in step.results.items() for row in self._rows(cell, found)]
            r = step.result[""]["pearson"] if step.result else None
            said = step.message if r is None else f"{step.cell}: r {r:.3f}"
            yield WalkStep(done=step.done, total=step.total, message=said, fits=pd.DataFrame(rows, columns=_COLUMNS))
        step.checked()  # after the last picture, which has the others: a run with failed cells is no success

    def _cell(self, settings: WalkSettings, weight: float, seed: int) -> Cell:
        given = {
            "n_components": settings.n_components,
            "missing_weight": weight,
            "regularization": settings.regularization,
            "iterations": iterations_for(len(self.task.corpus)),
        }
        label = f"w_m = {weight:g}, seed {seed}"
        return Cell(correlations_of, {"model": LEARNT, **given}, seed=seed, data=self.task, label=label)

    def _rows(self, cell: Cell, found: Mapping[str, Mapping[str, float]]) -> Iterator[dict[str, Any]]:
        name = title_of(self.task.pairs)
        for group, values in found.items():
            at = {"set": f"{name}: {group}" if group else name, "missing_weight": cell.settings["missing_weight"]}
            yield {**at, "seed": cell.seed, **values}

    def table(self, step: WalkStep) -> pd.DataFrame:
        """Return the mean correlations of each set for each weight."""
        return step.fits.groupby(["set", "missing_weight"], as_index=False, sort=False)[["pearson", "spearman"]].mean()

    def walk(self, step: WalkStep, measure: str = _PEARSON) -> Walk:
        """Return one correlation of each set along the weight, and what the paper reports on these pairs."""
        name, reported = title_of(self.task.pairs), PAPERS_CORRELATIONS.get(self.task.pairs.name, {})
        column, letter, place = ("pearson", "r", 0) if measure == _PEARSON else ("spearman", "ρ", 1)
        paper = {weight: both[place] for weight, both in reported.items()}
        found = over_seeds(step.fits, "set", "missing_weight", column)
        return Walk(found, letter, paper, WALK, f"{html.escape(name)}: how much should missing words count?")

"""Pairs of sentences that are drawn for learning and for the test, parsed and compiled once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from semwork.datasets import SentencePairs
from semwork.steps import Step
from semwork.structures import Compiled
from semwork.structures.tasks.parsing import parse_steps
from semwork.studies.sentence_steps import Graphs, SentenceSettings

__all__ = ["Draw", "NumberedProblems"]


class Draw:
    """Pairs to learn from, drawn at random, and pairs to be judged; as graphs once they are parsed.

    Parameters
    ----------
    pairs : SentencePairs
        All pairs; those of the split ``"test"`` are to be judged.
    settings : SentenceSettings
        How many are learnt from, and which.
    tested : int
        How many are judged: always the same ones.
    """

    def __init__(self, pairs: SentencePairs, settings: SentenceSettings, tested: int) -> None:
        held = np.asarray(pairs.split) == "test"
        learn = np.random.default_rng(settings.seed).permutation(np.flatnonzero(~held))[: settings.training]
        judge = np.random.default_rng(0).permutation(np.flatnonzero(held))[:tested]
        self.training = len(learn)
        self.pairs: SentencePairs = pairs.at(np.concatenate([learn, judge]))
        self.left, self.right = (tuple(side[self.training :]) for side in (self.pairs.left, self.pairs.right))
        self.labels = np.where(np.asarray(self.pairs.scores) > 0.5, 1, -1).astype(np.int64)
        self.truth = self.labels[self.training :] > 0
        self.graphs: tuple[Graphs, ...] = ()
        self.compiled: dict[tuple[int, bool], Compiled] = {}  # number of a pair, and with which features

    @property
    def judged(self) -> tuple[Graphs, ...]:
        """The test pairs as graphs."""
        return self.graphs[self.training :]

    def parse(self) -> Iterator[Step]:
        """Parse all sentences, once."""
        if self.graphs:
            return
        for found in parse_steps([*self.pairs.left, *self.pairs.right]):
            yield found
        half = len(self.pairs)
        self.graphs = tuple(zip(found.parsed[:half], found.parsed[half:], strict=True))


class NumberedProblems:
    """Problems of pairs given by their numbers, compiled once."""

    def __init__(self, problems: Any, draw: Draw, general: bool) -> None:
        self._problems, self._draw, self._general = problems, draw, general

    @property
    def feature_names(self) -> list[Hashable]:
        """Names of the columns."""
        names: list[Hashable] = self._problems.feature_names
        return names

    def __call__(self, number: int) -> Compiled:
        """Return the problem of a pair."""
        key, known = (number, self._general), self._draw.compiled
        if key not in known:
            known[key] = self._problems(self._draw.graphs[number])
        return known[key]

"""Entailment and paraphrase: Tables 3 and 4 of Chang et al. (2010), two-stage against joint learning."""

from __future__ import annotations

import functools
from collections.abc import Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from semwork.evaluation import paired_test
from semwork.experiments.cells import Result, Row
from semwork.steps import Step
from semwork.structures import LCLR, AlignThenLearn, Compiled
from semwork.structures.tasks.graphs import GraphProblems
from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.sentences import (
    entailment_pairs,
    entailment_problems,
    extended,
    not_here,
    paraphrase_pairs,
    paraphrase_problems,
)
from semwork.sweeps import Cell

__all__ = ["choice_cells", "judgements", "not_here", "sentence_cells", "sentence_tables"]

Ints = NDArray[np.int64]

SYSTEMS = ("two-stage", "LCLR")
CHOICES = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
CHOICE_FOLDS = 3
SAMPLES = 5


@dataclass(frozen=True)
class Setting:
    """A line of the tables.

    Parameters
    ----------
    data : str
        ``msr04``, ``msr04 extended``, ``rte1`` …
    general : bool
        Whether features of whole sentences are used, which the paper does not have.
    size : int or None
        Training pairs drawn at random, new for each seed; ``None``: all of them, once.
    paper : tuple of (float or None, float or None)
        The paper's accuracy, two-stage and joint.
    """

    data: str
    general: bool
    size: int | None
    paper: tuple[float | None, float | None] = (None, None)

    @property
    def seeds(self) -> range:
        """Samples."""
        return range(1 if self.size is None else SAMPLES)


PARAPHRASE = (
    Setting("msr04", general=False, size=None, paper=(76.23, 76.41)),
    Setting("msr04", general=True, size=None),
    Setting("msr04", general=False, size=500),
    Setting("msr04 extended", general=False, size=500, paper=(72.0, 72.75)),
)
ENTAILMENT = (
    *(Setting(f"rte{year}", general=False, size=None) for year in (1, 2, 3)),
    *(Setting(f"rte{year}", general=False, size=300) for year in (1, 2, 3)),
)


@dataclass(frozen=True, eq=False)
class _Data:
    """Pairs by their number, labels, and which are for training."""

    pairs: Sequence[tuple[Parsed, Parsed]]
    labels: Ints
    training: NDArray[np.bool_]

    def sample(self, size: int | None, seed: int) -> Ints:
        """Numbers of training pairs, drawn at random."""
        rows = np.flatnonzero(self.training)
        return rows if size is None else np.sort(np.random.default_rng(seed).permutation(rows)[:size])

    @property
    def test(self) -> Ints:
        return np.flatnonzero(~self.training)


@functools.lru_cache(maxsize=2)
def _data(name: str) -> _Data:
    if name.startswith("msr04"):
        found = paraphrase_pairs()
        pairs = [extended(pair) for pair in found.pairs] if name.endswith("extended") else found.pairs
    else:
        found = entailment_pairs(name)
        pairs = found.pairs
    return _Data(pairs, found.labels, found.training)


class _Problems:
    """Problems of pairs given by their numbers, compiled once."""

    def __init__(self, data: _Data, make: GraphProblems) -> None:
        self._data, self._make = data, make
        self._compiled: dict[int, Compiled] = {}

    @property
    def feature_names(self) -> list[Hashable]:
        return self._make.feature_names

    def __call__(self, number: int) -> Compiled:
        if number not in self._compiled:
            self._compiled[number] = self._make(self._data.pairs[number])
        return self._compiled[number]


@functools.lru_cache(maxsize=1)
def _problems(name: str, *, general: bool) -> _Problems:
    make = paraphrase_problems if name.startswith("msr04") else entailment_problems
    return _Problems(_data(name), make(general=general))


def judgements(
    model: str, data: str, general: bool, size: int | None, regularization: float, part: str, seed: int
) -> Generator[Step, None, Result]:
    """What a system of one λ says about test pairs, or about training pairs in cross-validation."""
    given, problems = _data(data), _problems(data, general=general)
    rows = given.sample(size, seed)
    if part == "test":
        parts = [(rows, given.test)]
    else:
        folds = StratifiedKFold(CHOICE_FOLDS, shuffle=True, random_state=0).split(rows, given.labels[rows])
        parts = [(rows[learn], rows[held]) for learn, held in folds]
    right: list[NDArray[np.bool_]] = []
    for learn, held in parts:
        learner = (AlignThenLearn if model == "two-stage" else LCLR)(
            problems, regularization, random_state=0, standardize=True
        )
        if isinstance(learner, AlignThenLearn):
            learner.fit(learn.tolist(), given.labels[learn])
            yield Step(done=len(right) + 1, total=len(parts))
        else:
            yield from learner.steps(learn.tolist(), given.labels[learn])
        right.append(learner.predict(held.tolist()) == given.labels[held])
    return {"right": np.concatenate(right)}


def _cell(system: str, setting: Setting, seed: int, regularization: float, part: str = "test") -> Cell:
    given = {
        "model": system, "data": setting.data, "general": setting.general, "size": setting.size,
        "regularization": regularization, "part": part,
    }  # fmt: skip
    said = ", ".join(f"{name}={value}" for name, value in sorted(given.items()) if name != "model")
    corpus = "msr04" if setting.data.startswith("msr04") else "rte"
    needs = (corpus, "wordnet", "en_core_web_sm")
    return Cell(judgements, given, seed=seed, needs=needs, label=f"sentences: {system}({said}), seed {seed}")


def _choice_cells(setting: Setting, system: str) -> list[Cell]:
    return [_cell(system, setting, 0, strength, "choice") for strength in CHOICES]


def _chosen(setting: Setting, system: str, results: Mapping[Cell, Result]) -> float:
    """The λ with which most training pairs were judged right in cross-validation."""
    scores = [float(np.mean(results[cell]["right"])) for cell in _choice_cells(setting, system)]
    return CHOICES[int(np.argmax(scores))]


def choice_cells(_: int) -> list[Cell]:
    """Cells whose results say which λ the others take."""
    return [
        cell for setting in (*PARAPHRASE, *ENTAILMENT) for system in SYSTEMS for cell in _choice_cells(setting, system)
    ]


def sentence_cells(_: int, results: Mapping[Cell, Result]) -> list[Cell]:
    """Cells that judge test pairs, with the λ that was chosen."""
    return [
        _cell(system, setting, seed, _chosen(setting, system, results))
        for setting in (*PARAPHRASE, *ENTAILMENT)
        for seed in setting.seeds
        for system in SYSTEMS
    ]


def _right(setting: Setting, system: str, results: Mapping[Cell, Result]) -> NDArray[np.float64]:
    """Samples × test pairs: 100 where the system is right."""
    strength = _chosen(setting, system, results)
    return np.array([100.0 * results[_cell(system, setting, seed, strength)]["right"] for seed in setting.seeds])


def _training_pairs(setting: Setting) -> int:
    return setting.size or int(_data(setting.data).training.sum())


def _table(settings: Sequence[Setting], results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for setting in settings:
        found = {system: _right(setting, system, results) for system in SYSTEMS}
        row: Row = {
            "data": setting.data,
            "features": "and of whole sentences" if setting.general else "of words and edges",
            "training pairs": _training_pairs(setting),
            "samples": len(setting.seeds),
        }
        for system, paper in zip(SYSTEMS, setting.paper, strict=True):
            scores = found[system].mean(axis=1)
            row[system] = round(float(scores.mean()), 2)
            row[f"{system} s.d."] = round(float(scores.std(ddof=1)), 2) if len(scores) > 1 else None
            row[f"{system}, paper"] = paper
            row[f"{system} λ"] = _chosen(setting, system, results)
        # Test pairs are the items; a pair's result is its mean over the samples.
        test = paired_test(found["LCLR"].mean(axis=0), found["two-stage"].mean(axis=0))
        row |= {"gain": round(test.difference, 2), "low": round(test.low, 2), "high": round(test.high, 2)}
        rows.append(row | {"p": float(f"{test.p_value:.2g}"), "test pairs": test.n})
    return tuple(rows)


def _choice_table(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for setting in (*PARAPHRASE, *ENTAILMENT):
        for strength, *cells in zip(CHOICES, *(_choice_cells(setting, system) for system in SYSTEMS), strict=True):
            row: Row = {"data": setting.data, "general": setting.general, "λ": strength}
            row |= {"training pairs": _training_pairs(setting)}
            for system, cell in zip(SYSTEMS, cells, strict=True):
                row[system] = round(100 * float(np.mean(results[cell]["right"])), 2)
                row[f"{system} chosen"] = "yes" if strength == _chosen(setting, system, results) else ""
            rows.append(row)
    return tuple(rows)


def sentence_tables(_: int, results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    return {
        "table_3": _table(ENTAILMENT, results),
        "table_4": _table(PARAPHRASE, results),
        "sentences_choice": _choice_table(results),
    }

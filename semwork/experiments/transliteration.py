"""Names in two scripts: Table 1 of Chang et al. (2010), and what joint learning gains when less is known of letters."""

from __future__ import annotations

import functools
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.evaluation import paired_test
from semwork.experiments.cells import Result, Row
from semwork.steps import Step
from semwork.structures import LCLR, AlignThenLearn, Compiled, FeatureIndex
from semwork.structures.tasks.guides import GUIDES, Guide, guide_named
from semwork.structures.tasks.name_scores import guide_scores, name_scores
from semwork.structures.tasks.romanise import script_of
from semwork.structures.tasks.transliteration import Names, letters, name_problem, ranked, transliterated_names
from semwork.sweeps import Cell

__all__ = ["name_cells", "name_places", "name_tables"]

Pair = tuple[str, str]

LANGUAGES = ("he", "ru", "el", "ar", "ka", "hy", "ko", "hi")
TRAINING, TEST, NEGATIVES = 250, 300, 0.1
# Hebrew names on which λ was chosen, with a half to learn from; they are in no other table.
ASIDE = 400
CHOICES = (1.0, 3.0, 10.0, 30.0, 100.0)
CHOICE_SPLITS = 3
GUIDE_SPLITS = 3
# λ of the best MRR in the table "names_choice".
CHOSEN = {"two-stage": 30.0, "LCLR": 3.0}
SYSTEMS = ("heuristic", *CHOSEN)
# Accuracy and MRR in %.
PAPER = {"heuristic": (None, None), "two-stage": (80.0, 85.7), "LCLR": (92.3, 95.4)}


@dataclass(frozen=True)
class Split:
    """Names to learn from and names to find; false pairings to learn from, too."""

    train: Names
    test: Names
    examples: list[Pair]
    labels: NDArray[np.int64]


@functools.lru_cache(maxsize=64)
def _split(language: str, seed: int, *, aside: bool) -> Split:
    names = transliterated_names(language)
    size, most = TRAINING, TEST
    if language == "he":
        kept, rest = names.split(ASIDE, 0)
        names = kept if aside else rest
        if aside:
            size, most = ASIDE // 2, ASIDE
    train, others = names.split(size, seed)
    test = Names(language, others.english[:most], others.foreign[:most])
    return Split(train, test, *train.examples(NEGATIVES, seed))


@functools.lru_cache(maxsize=1)
def _problems(language: str, seed: int, *, aside: bool) -> tuple[dict[Pair, Compiled], FeatureIndex]:
    """The problems of a split; guides differ in their heuristic scores only, so they are compiled once."""
    index = FeatureIndex()
    examples = _split(language, seed, aside=aside).examples
    return {pair: name_problem(pair).compile(index) for pair in examples}, index


def _guided(problems: Mapping[Pair, Compiled], guide: Guide) -> dict[Pair, Compiled]:
    found = {}
    for (english, foreign), problem in problems.items():
        left, right = letters(english), letters(foreign)
        scores = np.concatenate([guide.scores(left, right).ravel(), np.zeros(len(left) + len(right))])
        found[english, foreign] = replace(problem, heuristic=scores)
    return found


def name_places(
    model: str, language: str, guide: str, regularization: Any, aside: bool, seed: int
) -> Generator[Step, None, Result]:
    """Let one system learn on one split: the place of every test name's right spelling."""
    where = {"language": language, "seed": seed, "aside": aside}
    split = _split(**where)
    script = script_of("".join(letter for name in split.train.foreign for letter in letters(name)))
    known = guide_named(guide, script or "", seed)
    english, foreign = split.test.english, split.test.foreign
    if model == "heuristic":
        return {"places": ranked(guide_scores(known, english, foreign), english, foreign).places}
    problems, index = _problems(**where)
    learner = (AlignThenLearn if model == "two-stage" else LCLR)(
        _guided(problems, known).__getitem__, regularization, random_state=0
    )
    if isinstance(learner, AlignThenLearn):
        learner.fit(split.examples, split.labels)
    else:
        yield from learner.steps(split.examples, split.labels)
    learner.index_ = index
    return {"places": ranked(name_scores(learner, english, foreign, guide=known), english, foreign).places}


def _cell(system: str, language: str, guide: str, seed: int, regularization: float | None = None) -> Cell:
    """Cells with a λ of their own are for its choice."""
    aside = regularization is not None
    strength = regularization if aside else CHOSEN.get(system)
    given = {"model": system, "language": language, "guide": guide, "regularization": strength, "aside": aside}
    label = f"names: {system}(aside={aside}, guide={guide}, language={language}, regularization={strength})"
    return Cell(name_places, given, seed=seed, needs=("names",), label=f"{label}, seed {seed}")


def _choice_cells() -> list[Cell]:
    return [
        _cell(system, "he", GUIDES[0], seed, strength)
        for seed in range(CHOICE_SPLITS)
        for strength in CHOICES
        for system in CHOSEN
    ]


def _table_cells(seeds: int) -> list[Cell]:
    return [_cell(system, "he", GUIDES[0], seed) for seed in range(seeds) for system in SYSTEMS]


def _guide_cells(seeds: int) -> list[Cell]:
    return [
        _cell(system, language, guide, seed)
        for seed in range(min(seeds, GUIDE_SPLITS))
        for language in LANGUAGES
        for guide in GUIDES
        for system in SYSTEMS
    ]


def name_cells(seeds: int) -> list[Cell]:
    """All cells; those of one split stand together, so that its problems are compiled once."""
    return [*_choice_cells(), *_table_cells(seeds), *_guide_cells(seeds)]


def _found(cells: Sequence[Cell], results: Mapping[Cell, Result]) -> pd.DataFrame:
    """One row for each system, split and test name: whether it was found first, and 1 / place, in %."""
    frames = []
    for cell in cells:
        given, places = dict(cell.settings), np.asarray(results[cell]["places"])
        test = _split(given["language"], cell.seed or 0, aside=given["aside"]).test
        name = [f"{one} {two}" for one, two in zip(test.english, test.foreign, strict=True)]
        about = given | {"system": given["model"], "split": cell.seed, "name": name}
        frames.append(pd.DataFrame(about | {"accuracy": 100.0 * (places == 1), "MRR": 100.0 / places}))
    return pd.concat(frames)


def _mean(found: pd.DataFrame, measure: str) -> tuple[float, float | None]:
    """Mean of the splits and their standard deviation."""
    splits = found.groupby("split")[measure].mean()
    return round(float(splits.mean()), 2), round(float(splits.std(ddof=1)), 2) if len(splits) > 1 else None


def _gain(found: pd.DataFrame, measure: str, unit: str) -> Row:
    """LCLR against two-stage; a name that was tested in several splits counts once, with its mean."""
    by_unit = found.pivot_table(measure, unit, "system", aggfunc="mean")
    one = paired_test(by_unit["LCLR"], by_unit["two-stage"])
    numbers = {"gain": one.difference, "low": one.low, "high": one.high}
    return {name: round(value, 2) for name, value in numbers.items()} | {"p": float(f"{one.p_value:.2g}"), "n": one.n}


def _choice_table(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    found = _found(_choice_cells(), results)
    rows = []
    for strength in CHOICES:
        row: Row = {"λ": strength}
        for system, chosen in CHOSEN.items():
            some = found[(found["regularization"] == strength) & (found["system"] == system)]
            row |= {f"{system} {measure}": _mean(some, measure)[0] for measure in ("accuracy", "MRR")}
            row[f"{system} chosen"] = "yes" if chosen == strength else ""
        rows.append(row)
    return tuple(rows)


def _table_1(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    found = _found(_table_cells(seeds), results)
    rows = []
    for system in SYSTEMS:
        some = found[found["system"] == system]
        row: Row = {"system": system, "splits": some["split"].nunique(), "λ": CHOSEN.get(system)}
        for measure, paper in zip(("accuracy", "MRR"), PAPER[system], strict=True):
            row[measure], row[f"{measure} s.d."] = _mean(some, measure)
            row[f"{measure}, paper"] = paper
        rows.append(row)
    return tuple(rows)


def _gain_table(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    found = _found(_table_cells(seeds), results)
    return tuple(
        {"measure": measure, "items": f"{unit}s"} | _gain(found, measure, unit)
        for measure in ("accuracy", "MRR")
        for unit in ("name", "split")
    )


def _guide_table(seeds: int, results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    found = _found(_guide_cells(seeds), results)
    rows = []
    for language in LANGUAGES:
        for guide in GUIDES:
            some = found[(found["language"] == language) & (found["guide"] == guide)]
            row: Row = {"language": language, "guide": guide, "splits": some["split"].nunique()}
            for system in SYSTEMS:
                for measure in ("accuracy", "MRR"):
                    row[f"{system} {measure}"] = _mean(some[some["system"] == system], measure)[0]
            rows.append(row | _gain(some, "accuracy", "name"))
    return tuple(rows)


def name_tables(seeds: int, results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    return {
        "names_choice": _choice_table(results),
        "table_1": _table_1(seeds, results),
        "table_1_gain": _gain_table(seeds, results),
        "names_guides": _guide_table(seeds, results),
    }

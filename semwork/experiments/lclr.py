"""LCLR on its tasks: the tables of Chang et al. (2010), each task a part of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from semwork.experiments.cells import Cell, Result, Task, run
from semwork.experiments.running import ResultStep
from semwork.experiments.sentences import TASK as SENTENCES
from semwork.experiments.sentences import SentenceTask, choice_cells, not_here, sentence_cells, sentence_tables
from semwork.experiments.transliteration import TASK as NAMES
from semwork.experiments.transliteration import NameTask, name_cells, name_tables

__all__ = ["PARTS", "Part", "lclr_steps"]

Tables = dict[str, tuple[dict[str, Any], ...]]


@dataclass(frozen=True)
class Part:
    """One task of the paper.

    Parameters
    ----------
    cells
        From the number of seeds to the cells.
    further
        From the number of seeds and the results of ``cells`` to more cells, such as those with a chosen parameter.
    tables
        From the number of seeds and the results to the tables.
    tasks
        How cells are computed, by the name of their task.
    not_here
        Says why the part cannot be run on this machine; empty if it can.
    """

    cells: Callable[[int], list[Cell]]
    further: Callable[[int, Mapping[Cell, Result]], list[Cell]]
    tables: Callable[[int, Mapping[Cell, Result]], Tables]
    tasks: Mapping[str, Task]
    not_here: Callable[[], str] = str


def _no_further(_: int, __: Mapping[Cell, Result]) -> list[Cell]:
    return []


PARTS = [
    Part(name_cells, _no_further, name_tables, {NAMES: NameTask()}),
    Part(choice_cells, sentence_cells, sentence_tables, {SENTENCES: SentenceTask()}, not_here),
]


def lclr_steps(seeds: int, threads: int) -> Iterator[ResultStep]:
    """Run the cells of all parts that can be run here, and end with their tables."""
    left_out = [reason for part in PARTS if (reason := part.not_here())]
    parts = [part for part in PARTS if not part.not_here()]
    tasks = {name: task for part in parts for name, task in part.tasks.items()}
    first = list(dict.fromkeys(cell for part in parts for cell in part.cells(seeds)))
    for step in run(first, tasks.__getitem__, threads):
        yield ResultStep(done=step.done, message=step.message)
    further = [cell for part in parts for cell in part.further(seeds, step.results)]
    for step in run([*first, *further], tasks.__getitem__, threads):
        yield ResultStep(done=step.done, total=step.total, message=step.message)
    tables = {name: rows for part in parts for name, rows in part.tables(seeds, step.results).items()}
    yield ResultStep(done=step.done, total=step.total, message="; ".join(["done", *left_out]), tables=tables)

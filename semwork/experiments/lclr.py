"""LCLR on its tasks: the tables of Chang et al. (2010), each task a part of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from semwork.experiments.cells import Cell, Result, Task, run
from semwork.experiments.running import ResultStep
from semwork.experiments.transliteration import TASK, NameTask, name_cells, name_tables

__all__ = ["PARTS", "Part", "lclr_steps"]

Tables = dict[str, tuple[dict[str, Any], ...]]


@dataclass(frozen=True)
class Part:
    """One task of the paper.

    Parameters
    ----------
    cells
        From the number of seeds to the cells.
    tables
        From the number of seeds and the results to the tables.
    tasks
        How cells are computed, by the name of their task.
    """

    cells: Callable[[int], list[Cell]]
    tables: Callable[[int, Mapping[Cell, Result]], Tables]
    tasks: Mapping[str, Task]


PARTS = [Part(name_cells, name_tables, {TASK: NameTask()})]


def lclr_steps(seeds: int, threads: int) -> Iterator[ResultStep]:
    """Run the cells of all parts and end with their tables."""
    tasks = {name: task for part in PARTS for name, task in part.tasks.items()}
    cells = [cell for part in PARTS for cell in part.cells(seeds)]
    for step in run(cells, tasks.__getitem__, threads):
        yield ResultStep(done=step.done, total=step.total, message=step.message)
    tables = {name: rows for part in PARTS for name, rows in part.tables(seeds, step.results).items()}
    yield ResultStep(done=step.done, total=step.total, message="done", tables=tables)

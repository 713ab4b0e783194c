"""LCLR on its tasks: the tables of Chang et al. (2010), each task a part of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from semwork.experiments.cells import Result, ResultStep, Running, Tables
from semwork.experiments.sentences import choice_cells, not_here, sentence_cells, sentence_tables
from semwork.experiments.transliteration import name_cells, name_tables
from semwork.sweeps import Cell

__all__ = ["PARTS", "Part", "lclr_steps"]


@dataclass(frozen=True)
class Part:
    """One task of the paper.

    Parameters
    ----------
    cells : callable
        From the number of seeds to the cells.
    further : callable
        From the number of seeds and the results of ``cells`` to more cells, such as those with a chosen parameter.
    tables : callable
        From the number of seeds and the results to the tables.
    not_here : callable
        Says why the part cannot be run on this machine; empty if it can.
    """

    cells: Callable[[int], list[Cell]]
    further: Callable[[int, Mapping[Cell, Result]], list[Cell]]
    tables: Callable[[int, Mapping[Cell, Result]], Tables]
    not_here: Callable[[], str] = str


def _no_further(_: int, __: Mapping[Cell, Result]) -> list[Cell]:
    return []


PARTS = [
    Part(name_cells, _no_further, name_tables),
    Part(choice_cells, sentence_cells, sentence_tables, not_here),
]


def lclr_steps(seeds: int, running: Running) -> Iterator[ResultStep]:
    """Run the cells of all parts that can be run here, and end with their tables."""
    left_out = [reason for part in PARTS if (reason := part.not_here())]
    parts = [part for part in PARTS if not part.not_here()]
    first = [cell for part in parts for cell in part.cells(seeds)]
    results = yield from running.results(first, more=True)
    further = [cell for part in parts for cell in part.further(seeds, results)]
    results = yield from running.results([*first, *further])
    tables = {name: rows for part in parts for name, rows in part.tables(seeds, results).items()}
    total = len(results)
    yield ResultStep(done=total, total=total, message="; ".join(["done", *left_out]), tables=tables)

"""What the experiments' cells have in common: how they are run, and where they are kept."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from semwork.experiments.version_3 import Results
from semwork.steps import Step
from semwork.sweeps import Cell, Sweep

__all__ = ["Result", "ResultStep", "Row", "Running", "Tables"]

Result = dict[str, Any]
Row = dict[str, Any]
Tables = Mapping[str, tuple[Row, ...]]


@dataclass(frozen=True, kw_only=True)
class ResultStep(Step):
    """Progress of an experiment; the last step holds its tables: name → rows of what, the paper's number, ours.

    Attributes
    ----------
    tables : mapping of str to tuple of dict
        Name → rows, each of column → value; empty until the last step.
    """

    tables: Tables = field(default_factory=dict)


@dataclass(frozen=True)
class Running:
    """How an experiment's cells are run.

    Parameters
    ----------
    threads : int or None
        How many cells of one core run side by side; ``None`` for all cores.
    store : Results
        Where results are kept; by default in the cache, for the next run.
    executor : concurrent.futures.Executor or None
        Where cells are computed, if not here.
    """

    threads: int | None = None
    store: Results = field(default_factory=Results)
    executor: Executor | None = None

    def results(
        self, cells: Iterable[Cell], *, more: bool = False, alone: bool = False
    ) -> Generator[ResultStep, None, Mapping[Cell, Result]]:
        """Run cells: a stream of steps that returns the results; when one has failed, the others are kept.

        Parameters
        ----------
        cells : iterable of Cell
            Those that are kept are not computed again.
        more : bool
            Whether further cells follow from these results, so that nobody knows yet how many there will be.
        alone : bool
            Whether the time that they take is their result: they run here, one after the other, whatever the executor.

        Yields
        ------
        ResultStep
            Without tables; the generator returns the results, a mapping of cells.
        """
        sweep = Sweep(cells, store=self.store, threads=1 if alone else self.threads)
        for step in sweep.steps(None if alone else self.executor):
            yield ResultStep(done=step.done, total=None if more else step.total, message=step.message)
        return step.checked()

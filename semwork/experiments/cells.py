"""One cell of an experiment: a model with its parameters and seed on a task, computed once and kept.

A run of hours is a list of cells of minutes. Each result goes to the cache as soon as it is there, so that a run that
was stopped goes on where it was, and a table with more seeds computes only the new ones.
"""

from __future__ import annotations

import hashlib
import json
import threading
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from semwork.datasets import places
from semwork.datasets.cache import check_writable, writing
from semwork.similarity import LSA, WTMF, Blend, LDAVectors, NGramOverlap, SentenceModel, TfidfCosine, WordAverage
from semwork.steps import Step

__all__ = ["DAMAGED", "Cell", "CellStep", "ModelTask", "Result", "Task", "run", "say_damaged"]

# Raise it when a change of the code changes results.
_VERSION = 3


def _wtmf_and_ir(share: float, **parameters: Any) -> SentenceModel:
    return Blend(WTMF(**parameters), TfidfCosine(), share=share)


_MODELS: dict[str, Callable[..., SentenceModel]] = {
    "IR": TfidfCosine,
    "N-gram": NGramOverlap,
    "LSA": LSA,
    "LDA": LDAVectors,
    "WTMF": WTMF,
    "WTMF + IR": _wtmf_and_ir,
    "GloVe": WordAverage,
}
_ONE_CORE = ("LDA", "LSA", "Gaussian LDA", "kernels")  # chains that use one core: as many at a time as there are cores
_SEEDLESS = ("IR", "N-gram", "LSA", "GloVe")  # the same result whatever the seed
# What reading a file raises when a byte of it is wrong.
DAMAGED = (EOFError, KeyError, OSError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)

Result = dict[str, Any]


@dataclass(frozen=True)
class Cell:
    """What is computed: equal cells are one."""

    task: str
    model: str
    parameters: tuple[tuple[str, Any], ...] = ()
    seed: int | None = None

    @classmethod
    def of(cls, task: str, model: str, seed: int | None = None, **parameters: Any) -> Cell:
        """Make a cell; models without randomness have no seed."""
        return cls(task, model, tuple(sorted(parameters.items())), None if model in _SEEDLESS else seed)

    def build(self) -> SentenceModel:
        """Make the model."""
        seed = {} if self.seed is None else {"random_state": self.seed}
        return _MODELS[self.model](**dict(self.parameters), **seed)

    @property
    def one_core(self) -> bool:
        """Whether the model runs on one core."""
        return self.model in _ONE_CORE

    @property
    def label(self) -> str:
        """A few words for a status line."""
        parameters = ", ".join(f"{name}={value}" for name, value in self.parameters)
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{self.task}: {self.model}({parameters}){seed}"

    @property
    def place(self) -> Path:
        """The file that keeps the result."""
        key = json.dumps([_VERSION, self.task, self.model, self.parameters, self.seed], sort_keys=True)
        name = hashlib.sha256(key.encode()).hexdigest()[:20]
        return places.cache_folder() / "experiments" / f"{self.task}-{self.model}-{name}.npz"

    def kept(self) -> Result | None:
        """Return the result if it was computed before; warn of a file that is damaged."""
        if not self.place.exists():
            return None
        try:
            with self.place.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                numbers: Result = json.loads(str(file["numbers.json"]))
                return numbers | {name: file[name] for name in file.files if name != "numbers.json"}
        except DAMAGED as error:
            say_damaged(self.place, error, self.label)
            return None

    def keep(self, result: Result) -> None:
        """Write the result: numbers, and arrays beside them; the old file stays until the new one is whole."""
        numbers = {name: value for name, value in result.items() if not isinstance(value, np.ndarray)}
        arrays = {name: value for name, value in result.items() if isinstance(value, np.ndarray)}
        everything = {"numbers.json": np.array(json.dumps(numbers)), **arrays}
        with writing(self.place, f"the result of {self.label}") as file:
            np.savez_compressed(file, allow_pickle=False, **everything)


def say_damaged(path: Path, error: Exception, label: str) -> None:
    """Warn that a file cannot be read, and that what it held is computed again."""
    reason = f"{type(error).__name__}: {error}"
    warnings.warn(f"{path} is damaged ({reason}); it is computed again: {label}", stacklevel=3)


class Task(Protocol):
    """How the cells of a task are computed."""

    def compute(self, cell: Cell, stop: threading.Event) -> Result | None:
        """Return numbers and arrays; ``None`` when it was stopped."""


@dataclass(frozen=True)
class ModelTask:
    """A task for models: fitted, then scored."""

    fit: Callable[[SentenceModel], Iterator[Step]]
    score: Callable[[SentenceModel], Result]

    def compute(self, cell: Cell, stop: threading.Event) -> Result | None:
        """Fit the cell's model and score it."""
        model = cell.build()
        for _ in self.fit(model):
            if stop.is_set():
                return None
        return self.score(model)


@dataclass(frozen=True, kw_only=True)
class CellStep(Step):
    """One more cell is there."""

    results: dict[Cell, Result] = field(default_factory=dict)


def _compute(cell: Cell, task: Task, stop: threading.Event) -> Result | None:
    result = task.compute(cell, stop)
    if result is not None:
        cell.keep(result)
    return result


def run(cells: Sequence[Cell], task_of: Callable[[str], Task], threads: int) -> Iterator[CellStep]:
    """Compute what is not kept yet, chains that use one core side by side; the last step holds all results."""
    wanted = list(dict.fromkeys(cells))
    results = {cell: kept for cell in wanted if (kept := cell.kept()) is not None}
    missing = [cell for cell in wanted if cell not in results]
    stop = threading.Event()

    def step(message: str) -> CellStep:
        return CellStep(done=len(results), total=len(wanted), message=message, results=dict(results))

    if not missing:
        yield step("all cells were computed before")
        return
    check_writable(missing[0].place.parent, "the results of experiments")
    pool = ThreadPoolExecutor(threads)
    try:
        chains: dict[Future[Result | None], Cell] = {}
        for cell in [cell for cell in missing if cell.one_core]:
            chains[pool.submit(_compute, cell, task_of(cell.task), stop)] = cell
        for future in as_completed(chains):
            result = future.result()
            if result is not None:
                results[chains[future]] = result
                yield step(chains[future].label)
        for cell in [cell for cell in missing if not cell.one_core]:
            result = _compute(cell, task_of(cell.task), stop)
            if result is not None:
                results[cell] = result
                yield step(cell.label)
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)

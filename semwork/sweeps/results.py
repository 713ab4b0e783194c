"""What is said of a run: its steps, with the results and errors of its cells."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from semwork.steps import Step
from semwork.sweeps.cells import Cell

__all__ = ["CellError", "Done", "Event", "Run", "SweepFailed", "SweepStep"]


@dataclass(frozen=True)
class CellError:
    """Why a cell has no result.

    Attributes
    ----------
    kind : str
        The class of the exception.
    message : str
        What it says.
    traceback : str
        Where it was raised, also in another process.
    """

    kind: str
    message: str
    traceback: str = field(repr=False)

    @classmethod
    def of(cls, error: BaseException) -> CellError:
        """Describe an exception.

        Parameters
        ----------
        error : BaseException
            What the cell raised.

        Returns
        -------
        CellError
        """
        return cls(type(error).__name__, str(error), "".join(traceback.format_exception(error)))

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


class SweepFailed(RuntimeError):  # noqa: N818 - reads better in a message
    """Cells failed, and their results are wanted; the message says which and why."""

    def __init__(self, errors: Mapping[Cell, CellError], total: int) -> None:
        self.errors = dict(errors)
        shown = [f"  {cell}: {error}" for cell, error in list(self.errors.items())[:5]]
        more = [f"  and {len(self.errors) - 5} more"] if len(self.errors) > 5 else []
        super().__init__("\n".join([f"{len(self.errors)} of {total} cells failed:", *shown, *more]))


@dataclass(frozen=True, kw_only=True)
class SweepStep(Step):
    """What is known by now; ``done`` counts cells, those that failed, too.

    Attributes
    ----------
    cell : Cell or None
        The cell that this step is about: finished, if ``inside`` is ``None``.
    inside : Step or None
        The cell's own step, while it is computed.
    results : mapping of Cell to Any
        Of all cells that are finished and have not failed.
    errors : mapping of Cell to CellError
        Of all cells that have failed.
    part : float
        How much of the cells is done that are being computed, in cells.
    """

    cell: Cell | None = None
    inside: Step | None = None
    results: Mapping[Cell, Any] = field(default_factory=dict)
    errors: Mapping[Cell, CellError] = field(default_factory=dict)
    part: float = 0.0

    @property
    def fraction(self) -> float | None:
        """Share done, with that of the cells that are being computed."""
        return min(1.0, (self.done + self.part) / self.total) if self.total else 1.0

    @property
    def result(self) -> Any:
        """The result of this step's cell, if it has one."""
        return None if self.cell is None else self.results.get(self.cell)

    @property
    def error(self) -> CellError | None:
        """Why this step's cell failed, if it did."""
        return None if self.cell is None else self.errors.get(self.cell)

    def checked(self) -> Mapping[Cell, Any]:
        """Return the results if no cell has failed."""
        if self.errors:
            raise SweepFailed(self.errors, self.total or len(self.errors))
        return self.results


@dataclass(frozen=True)
class Done:
    """A cell is finished; a failure of the store is nobody's cell's."""

    result: Any = None
    error: CellError | None = None
    broken: BaseException | None = None


Event = Step | Done


class Run:
    """What is known so far, and the steps that say it."""

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        self.cells = cells
        self.results: dict[Cell, Any] = {}
        self.errors: dict[Cell, CellError] = {}
        self._inside: dict[Cell, float] = {}
        self._shown: tuple[Mapping[Cell, Any], Mapping[Cell, CellError]] | None = None

    def take(self, cell: Cell, event: Event) -> SweepStep:
        """Take an event in and say it."""
        if isinstance(event, Step):
            self._inside[cell] = event.fraction or 0.0
            said = f"step {event.done} of {event.total}" if event.total else event.message
            return self.step(f"{cell}: {said}", cell, event)
        if event.broken is not None:
            raise event.broken
        self._inside.pop(cell, None)
        self._shown = None
        if event.error is None:
            self.results[cell] = event.result
            return self.step(str(cell), cell)
        self.errors[cell] = event.error
        return self.step(f"{cell} failed: {event.error}", cell)

    def step(self, message: str, cell: Cell | None = None, inside: Step | None = None) -> SweepStep:
        """Say where the run is; the order of results is that of the cells."""
        if self._shown is None:
            results = {one: self.results[one] for one in self.cells if one in self.results}
            self._shown = MappingProxyType(results), MappingProxyType(dict(self.errors))
        return SweepStep(
            done=len(self.results) + len(self.errors),
            total=len(self.cells),
            message=message,
            cell=cell,
            inside=inside,
            results=self._shown[0],
            errors=self._shown[1],
            part=sum(self._inside.values()),
        )

    def end(self) -> SweepStep:
        """Say how it ended."""
        there, failed, total = len(self.results), len(self.errors), len(self.cells)
        self._inside.clear()
        said = f"all {total} cells are there" if there == total else f"{there} of {total} cells are there"
        if failed:
            first = next(iter(self.errors))
            said += f", {failed} failed, {first} for one: {self.errors[first]}"
        if there + failed < total:
            said += ", the run was stopped"
        return self.step(said)

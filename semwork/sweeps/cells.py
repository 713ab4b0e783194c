"""A cell: one call of a function with its settings, named by all that its result depends on."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any

from semwork import datasets
from semwork.sources import digest
from semwork.steps import Step
from semwork.sweeps.contents import content_digest, importable_parts

__all__ = ["Cell", "grid"]


@dataclass(frozen=True, eq=False)
class Cell:
    """One call of a function. Cells of the same function, settings, seed and data are equal.

    Attributes
    ----------
    function : callable
        Returns a result; or is a generator of steps that returns one, so that its progress is seen and that it can be
        stopped. A generator that returns nothing has its last step as its result.
    settings : mapping of str to Any, or frozen dataclass
        A mapping, whose entries become the function's arguments; or a record (a frozen dataclass), which becomes its
        first. Values are plain, or records, or functions and classes. A function that is given the class of a model
        runs through the code of that model; one that looks its name up in the catalogue, through that of all models.
    seed : int or None
        Given as ``seed``, unless it is ``None``.
    data : Any
        Records that are handed over as ``data``; their contents are part of what names the cell.
    needs : tuple of str
        Data sets that the function loads by their names: their digests in the register count, and their loaders.
    one_core : bool
        Whether the call keeps to one core, so that as many as there are cores can run side by side.
    label : str
        A few words for a status line.

    Examples
    --------
    >>> def power(base, exponent):
    ...     return base**exponent
    >>> cell = Cell(power, {"base": 2, "exponent": 5})
    >>> cell, cell.compute(), cell == Cell(power, {"exponent": 5, "base": 2})
    (Cell(power: base=2, exponent=5), 32, True)
    """

    function: Callable[..., Any]
    settings: Any = field(default_factory=dict)
    _: KW_ONLY
    seed: int | None = None
    data: Any = None
    needs: tuple[str, ...] = ()
    one_core: bool = False
    label: str = ""

    def steps(self) -> Generator[Step, None, Any]:
        """Call the function: a stream of its steps, if it has any, that returns the result."""
        more = {"seed": self.seed, "data": self.data}
        more = {name: value for name, value in more.items() if value is not None}
        named = isinstance(self.settings, Mapping)
        outcome = self.function(**self.settings, **more) if named else self.function(self.settings, **more)
        if not inspect.isgenerator(outcome):
            return outcome
        latest: Any = None
        with contextlib.closing(outcome):
            while True:
                try:
                    latest = next(outcome)
                except StopIteration as end:
                    return latest if end.value is None else end.value
                yield latest

    def compute(self) -> Any:
        """Call the function here and now, and return the result; nothing is kept."""
        steps = self.steps()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value

    @cached_property
    def identity(self) -> str:
        """A digest of function, settings, seed and data, but not of the code."""
        loaded = {name: datasets.fingerprint(name) for name in self.needs}
        return content_digest([self.function, self.settings, self.seed, self.data, loaded])

    @cached_property
    def sources(self) -> str:
        """A digest of the code that the function runs through, and that of settings, data and loaders."""
        loaders = filter(None, map(datasets.loader, self.needs))
        return digest(*importable_parts([self.function, self.settings, self.data]), *loaders)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cell) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    def __str__(self) -> str:
        if self.label:
            return self.label
        given = self.settings
        if not isinstance(given, Mapping):
            given = {one.name: getattr(given, one.name) for one in dataclasses.fields(given)}
        said = [f"{name}={getattr(value, '__name__', value)}" for name, value in given.items()]
        said += [] if self.seed is None else [f"seed {self.seed}"]
        return f"{getattr(self.function, '__name__', self.function)}: {', '.join(said)}"

    def __repr__(self) -> str:
        return f"Cell({self})"


def grid(function: Callable[..., Any], axes: Mapping[str, Iterable[Any]], **options: Any) -> list[Cell]:
    """Return the cells of all combinations of values; the last axis runs fastest, ``seed`` is an axis like others.

    Parameters
    ----------
    function : callable
        The function of all cells.
    axes : mapping of str to iterable
        Name of an argument → its values.
    **options : Any
        The other arguments of `Cell`.

    Returns
    -------
    list of Cell

    Examples
    --------
    >>> def power(base, exponent):
    ...     return base**exponent
    >>> [cell.compute() for cell in grid(power, {"base": [2, 3], "exponent": [1, 2]})]
    [2, 4, 3, 9]
    """
    combined: list[dict[str, Any]] = [{}]
    for name, values in axes.items():
        known = list(values)
        combined = [one | {name: value} for one in combined for value in known]
    return [Cell(function, settings, seed=settings.pop("seed", None), **options) for settings in combined]

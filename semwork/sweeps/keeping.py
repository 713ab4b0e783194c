"""Where results are kept: in memory for as long as a study lives, or in a folder of the cache for other runs."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import shutil
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from semwork.atomic import write_whole
from semwork.datasets import folders
from semwork.datasets.cache import check_writable, saying, writing
from semwork.sweeps.cells import Cell
from semwork.sweeps.contents import importable_parts

__all__ = ["DAMAGED", "Folder", "Memory", "Store", "say_damaged"]

#: What reading a file raises when a byte of it is wrong.
DAMAGED = (EOFError, KeyError, OSError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)
_PACKAGES = ("semwork", "numpy", "scipy", "scikit-learn", "numba")
_NUMBERS, _ABOUT = "numbers.json", "about.json"


class Store(Protocol):
    """What the engine asks of a place for results; it is asked from several threads."""

    def check(self) -> None:
        """Raise when nothing can be kept, before anything is computed."""

    def kept(self, cell: Cell) -> Any:
        """Return the result of a cell, or ``None``.

        Parameters
        ----------
        cell : Cell
            Whose result is asked for.

        Returns
        -------
        object or None
        """

    def keep(self, cell: Cell, result: Any) -> None:
        """Keep the result of a cell.

        Parameters
        ----------
        cell : Cell
            What was computed.
        result : object
            What it gave.
        """

    def failed(self, cell: Cell, words: str) -> None:
        """Note why a cell has no result.

        Parameters
        ----------
        cell : Cell
            What was tried.
        words : str
            The error, with its traceback.
        """


class Memory:
    """Results of any kind, for as long as this object lives."""

    def __init__(self) -> None:
        self.results: dict[Cell, Any] = {}
        self.errors: dict[Cell, str] = {}

    def check(self) -> None:
        """There is always room."""

    def kept(self, cell: Cell) -> Any:
        """Return the result of a cell, or ``None``.

        Parameters
        ----------
        cell : as in `Store.kept`

        Returns
        -------
        object or None
        """
        return self.results.get(cell)

    def keep(self, cell: Cell, result: Any) -> None:
        """Keep it as it is.

        Parameters
        ----------
        cell, result : as in `Store.keep`
        """
        self.results[cell] = result
        self.errors.pop(cell, None)

    def failed(self, cell: Cell, words: str) -> None:
        """Note why a cell has no result.

        Parameters
        ----------
        cell, words : as in `Store.failed`
        """
        self.errors[cell] = words


class Folder:
    """Results as files, for other processes and other days: numbers as JSON, arrays beside them, nothing pickled.

    A file is named by what the result depends on: function, settings, seed and data, then the code that it runs
    through. When the code has changed the cell is computed again, unless the older file is adopted.

    Parameters
    ----------
    name : str
        Of the folder in the cache.
    adopt : bool
        Whether a result of the same cell that older code has made is taken over: for a change of which somebody knows
        that it changes no result. The new file says whose result it is.

    Attributes
    ----------
    adopted : dict of Cell to str
        What was taken over: a cell and whose result it is.
    passed_over : dict of Cell to Path
        What was asked for and was not taken over: a cell and its newest file by older code.
    """

    def __init__(self, name: str = "sweeps", *, adopt: bool = False) -> None:
        self.name = name
        self.adopt = adopt
        self.adopted: dict[Cell, str] = {}
        self.passed_over: dict[Cell, Path] = {}

    @property
    def path(self) -> Path:
        """The folder; the cache may move while this object lives."""
        return folders.cache_folder() / self.name

    def place(self, cell: Cell, suffix: str = ".npz") -> Path:
        """Return the file for a result, or for something else that a cell keeps.

        Parameters
        ----------
        cell : Cell
            Whose file it is.
        suffix : str
            The end of the file's name.

        Returns
        -------
        Path
        """
        return self.path / f"{self._stem(cell)}-{cell.sources[:12]}{suffix}"

    def about(self, cell: Cell) -> dict[str, Any]:
        """Return what the file of a result says of itself.

        Parameters
        ----------
        cell : Cell
            One whose result is kept.

        Returns
        -------
        dict of str to object
        """
        with np.load(self.place(cell), allow_pickle=False) as file:
            found: dict[str, Any] = json.loads(str(file[_ABOUT]))
        return found

    def check(self) -> None:
        """Raise when nothing can be written."""
        check_writable(self.path, f"the results of {self.name}")

    def kept(self, cell: Cell) -> Any:
        """Return the result if it was computed before; warn of a file that is damaged.

        Parameters
        ----------
        cell : as in `Store.kept`

        Returns
        -------
        object or None
        """
        place = self.place(cell)
        if not place.exists() and not self._adopted(cell):
            return None
        try:
            return _read(place)[0]
        except DAMAGED as error:
            say_damaged(place, error, str(cell))
            return None

    def keep(self, cell: Cell, result: Any) -> None:
        """Write the result; the old file stays until the new one is whole.

        Parameters
        ----------
        cell, result : as in `Store.keep`
        """
        self._write(cell, result, {})
        with contextlib.suppress(OSError):
            self.place(cell, ".failed.txt").unlink(missing_ok=True)

    def failed(self, cell: Cell, words: str) -> None:
        """Write why a cell has no result, where the result would be.

        Parameters
        ----------
        cell, words : as in `Store.failed`
        """
        place = self.place(cell, ".failed.txt")
        with saying(place, f"the error of {cell}"):
            write_whole(place, f"{cell}\n\n{words}\n")

    def take_over(self, cell: Cell, source: Path, said: str) -> bool:
        """Keep the result that an older file has, and say whose it is; ``False`` if the file cannot be read.

        Parameters
        ----------
        cell : Cell
            Who gets the result.
        source : Path
            The older file.
        said : str
            Whose result it is, for people.

        Returns
        -------
        bool
        """
        try:
            result, about = _read(source)
        except DAMAGED as error:
            say_damaged(source, error, str(cell))
            return False
        said += f", which is {about['adopted']}" if "adopted" in about else ""
        self._write(cell, result, {"adopted": said})
        for beside in source.parent.glob(f"{source.stem}.*.npz"):  # such as a fitted model
            shutil.copy(beside, self.place(cell, beside.name.removeprefix(source.stem)))
        self.adopted[cell] = said
        return True

    def older(self, cell: Cell) -> Iterator[tuple[Path, str]]:
        """Give files of the same cell by older code, and whose results they are; the newest first.

        Parameters
        ----------
        cell : Cell
            Whose older results are looked for.

        Yields
        ------
        file : Path
            Where the result is.
        said : str
            Whose result it is, for people.
        """
        found = (file for file in self.path.glob(f"{self._stem(cell)}-*.npz") if ".model." not in file.name)
        for file in sorted(found, key=lambda file: -file.stat().st_mtime):
            yield file, f"from the code {file.stem.rpartition('-')[2]} of {day_of(file)}"

    def _adopted(self, cell: Cell) -> bool:
        for file, said in self.older(cell):
            if self.adopt and self.take_over(cell, file, said):
                return True
            if not self.adopt:
                self.passed_over[cell] = file
                return False
        return False

    def _stem(self, cell: Cell) -> str:
        return f"{getattr(cell.function, '__name__', 'cell')}-{cell.identity[:20]}"

    def _write(self, cell: Cell, result: Any, more: dict[str, str]) -> None:
        if not isinstance(result, Mapping) or not all(isinstance(name, str) for name in result):
            raise TypeError(
                f"{cell} gave {result!r:.60} ({type(result).__name__}); a result that is kept in a file has to be a "
                "mapping from names to numbers, texts, lists and arrays"
            )
        numbers = {name: value for name, value in result.items() if not isinstance(value, np.ndarray)}
        arrays = {name: value for name, value in result.items() if isinstance(value, np.ndarray)}
        heads = {_NUMBERS: np.array(json.dumps(numbers)), _ABOUT: np.array(json.dumps(_about(cell) | more))}
        with writing(self.place(cell), f"the result of {cell}") as file:
            np.savez_compressed(file, allow_pickle=False, **heads, **arrays)


def day_of(file: Path) -> str:
    """Return the day on which a file was written."""
    return datetime.datetime.fromtimestamp(file.stat().st_mtime, tz=datetime.UTC).strftime("%Y-%m-%d")


def say_damaged(path: Path, error: Exception, label: str) -> None:
    """Warn that a file cannot be read, and that what it held is computed again."""
    reason = f"{type(error).__name__}: {error}"
    warnings.warn(f"{path} is damaged ({reason}); it is computed again: {label}", stacklevel=3)


def _read(place: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    with place.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        numbers: dict[str, Any] = json.loads(str(file[_NUMBERS]))
        about = json.loads(str(file[_ABOUT])) if _ABOUT in file.files else {}
        return numbers | {name: file[name] for name in file.files if name not in (_NUMBERS, _ABOUT)}, about


def _about(cell: Cell) -> dict[str, Any]:
    """What a file says of itself, for people who find it."""
    given = cell.settings
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        given = {field.name: getattr(given, field.name) for field in dataclasses.fields(given)}
    return {
        "cell": str(cell),
        "function": ".".join(next(importable_parts(cell.function))),
        "settings": {name: repr(value) for name, value in given.items()},
        "seed": cell.seed,
        "needs": list(cell.needs),
        "identity": cell.identity,
        "sources": cell.sources,
        "versions": {package: version(package) for package in _PACKAGES},
        "date": datetime.datetime.now(tz=datetime.UTC).strftime("%Y-%m-%d"),
    }

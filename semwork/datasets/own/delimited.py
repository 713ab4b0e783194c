"""Text with columns: its records, and their cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from semwork.datasets.own.headers import is_header
from semwork.datasets.own.problems import Problems

__all__ = ["NAMES", "ONE_COLUMN", "Cells", "Dialect", "cells_of", "records"]

NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", "\x1f": "none: one column"}
"""Signs between cells that are looked for, and how they are called; the last one stands for one column."""

ONE_COLUMN = "\x1f"
_LONGEST = 100_000  # lines of one cell; after them a quotation mark was never closed


@dataclass(frozen=True)
class Dialect:
    """How cells are told apart.

    Parameters
    ----------
    delimiter : str
        The sign between them.
    quoted : bool
        Whether a cell may stand between quotation marks.
    notes : tuple of str
        What else fits.
    """

    delimiter: str
    quoted: bool = True
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The sign's name."""
        return NAMES.get(self.delimiter, repr(self.delimiter)) + ("" if self.quoted else ", quotation marks are text")


@dataclass(eq=False)
class Cells:
    """Rows of cells, all of one length, and what was left out.

    Parameters
    ----------
    header : list of str or None
        Names of columns, where the first line has them.
    rows : list of list of str
        The cells.
    lines : list of int
        The line of the file in which each row begins, from 1.
    problems : Problems
        Rows that are not among them, and why; cells that were repaired.
    lost : int
        How many rows are not among them.
    """

    header: list[str] | None
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    lost: int = 0


class _Lines:
    """Lines that remember those of the record that is being read, so that they can be read again."""

    def __init__(self, text: str) -> None:
        self._text = iter(io.StringIO(text, newline=""))
        self._again: list[str] = []
        self.record: list[str] = []
        self.number = 0  # lines that are read

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if len(self.record) > _LONGEST:
            raise StopIteration  # csv says that the text ends within quotation marks
        line = self._again.pop() if self._again else next(self._text)
        self.record.append(line)
        self.number += 1
        return line

    def back_to_first(self) -> str:
        """Put back all lines of the record but its first, which is returned."""
        first, *others = self.record
        self._again += reversed(others)
        self.number -= len(others)
        self.record = []
        return first


def records(text: str, dialect: Dialect) -> Iterator[tuple[int, list[str], str]]:
    """Go through the records of a text.

    Parameters
    ----------
    text : str
        A file, or its beginning.
    dialect : Dialect
        How cells are told apart.

    Yields
    ------
    tuple of (int, list of str, str)
        The line in which it begins, its cells, and what was wrong with its quotation marks. Blank lines are no records.
    """
    csv.field_size_limit(2**31 - 1)  # a document is one cell
    quoting = csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE
    lines = _Lines(text)
    made: dict[str, Any] = {"delimiter": dialect.delimiter, "quoting": quoting}
    reader = csv.reader(lines, strict=True, **made)
    while True:
        lines.record = []
        begin, wrong = lines.number + 1, ""
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            first = lines.back_to_first()
            literal = {**made, "quoting": csv.QUOTE_NONE}
            cells = next(csv.reader([first], **literal), [])
            wrong = (
                "a quotation mark is not closed, or not doubled within a quoted cell: the line is taken as it stands"
            )
            reader = csv.reader(lines, strict=True, **made)
        if cells:
            yield begin, cells, wrong


def cells_of(
    text: str, dialect: Dialect, *, header: bool | None = None, most: int | None = None, named: Collection[str] = ()
) -> Cells:
    """Read all rows; those with another number of cells than the first are left out, and said.

    Parameters
    ----------
    text : str
        The file.
    dialect : Dialect
        How cells are told apart.
    header : bool or None
        Whether the first line names the columns; found if not given.
    most : int or None
        How many rows to read.
    named : collection of str
        Names of columns: a first line that has one of them names the columns.

    Returns
    -------
    Cells
    """
    others = records(text, dialect)
    begin = list(islice(others, 201))
    if not begin:
        return Cells(None)
    if header is None:
        header = any(cell.strip() in named for cell in begin[0][1]) or is_header(
            begin[0][1], [one[1] for one in begin[1:]]
        )
    found = Cells(begin[0][1] if header else None)
    width = len(begin[0][1])
    ahead = iter(begin[1:] if header else begin)
    for line, cells, wrong in (one for part in (ahead, others) for one in part):
        if most is not None and len(found.rows) + found.lost >= most:
            break
        if len(cells) > width and not any(map(str.strip, cells[width:])):
            del cells[width:]  # signs at the end of a line, with nothing between them
        if len(cells) != width:
            reason = f"{len(cells)} cells instead of {width}" + (": a quotation mark is not closed" if wrong else "")
            found.problems.add(line, line, "", reason, " · ".join(cells[:3]))
            found.lost += 1
            continue
        if wrong:
            found.problems.add(line, line, "", wrong, cells[0], used=True)
        found.rows.append(cells)
        found.lines.append(line)
    return found

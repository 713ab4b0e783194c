"""A table as it was found: columns of cells of any type, before anybody says what they are for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from semwork.datasets.own.cells import Column, is_missing
from semwork.datasets.own.problems import Problems, excerpt

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PREVIEW", "Raw", "same_names", "told_apart"]

#: Rows and columns of a preview.
PREVIEW, PREVIEW_COLUMNS = 10, 50
_WIDEST = 400  # characters of a cell in a preview


@dataclass(frozen=True, eq=False)
class Raw:
    """Columns of cells, and how they were read.

    Parameters
    ----------
    columns : mapping of str to sequence
        Name → one cell for each row.
    rows : sequence of length n_rows
        What each row is called: its line in a file, its index in a table.
    source : str
        Where it comes from, in words.
    name : str
        What the record is called until it gets another name.
    part : str
        Which part of it was read, in words; empty for all.
    encoding, delimiter, header : str
        How a text file was read, in words; empty for other sources.
    notes : tuple of str
        What else is worth knowing.
    problems : Problems
        What was wrong, and which rows were left out for it.
    lost : int
        How many rows are not among the columns.
    by_line : bool
        Whether rows are called by their line in a file.
    vectors : ndarray of shape (n_rows, n_dimensions), float32, or None
        The columns of numbers side by side, where a source has vectors only.
    """

    columns: Mapping[str, Column]
    rows: Sequence[Any]
    source: str
    name: str
    part: str = ""
    encoding: str = ""
    delimiter: str = ""
    header: str = ""
    notes: tuple[str, ...] = ()
    problems: Problems = field(default_factory=Problems)
    lost: int = 0
    by_line: bool = False
    vectors: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def order(self, place: int) -> int:
        """Where a row stands: its line in a file, else its number."""
        row = self.rows[place]
        return row if self.by_line and type(row) is int else place

    def preview(self) -> pd.DataFrame:
        """The first rows as text."""
        import pandas as pd

        first = list(self.columns.items())[:PREVIEW_COLUMNS]
        cells = {name: [_shown(cell) for cell in column[:PREVIEW]] for name, column in first}
        return pd.DataFrame(cells, index=pd.Index(list(self.rows[:PREVIEW]), name="row"), dtype=object)


def _shown(cell: Any) -> str:
    if is_missing(cell):
        return ""
    text = cell if isinstance(cell, str) else str(cell) if isinstance(cell, np.generic) else excerpt(cell, _WIDEST)
    text = text.encode("utf-8", "replace").decode()  # halves of signs could not be sent to a page
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def told_apart(names: Iterable[Any]) -> list[str]:
    """Return names of columns as strings that are not empty, without signs nobody sees, each only once.

    Examples
    --------
    >>> told_apart(["text", "", "text", 3])
    ['text', 'column 2', 'text (2)', '3']
    """
    found: list[str] = []
    for place, name in enumerate(names):
        text = " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        base = " ".join(excerpt(text, 200).split()) or f"column {place + 1}"
        told, number = base, 1
        while told in found:
            number += 1
            told = f"{base} ({number})"
        found.append(told)
    return found


def same_names(told: Sequence[str], given: Iterable[Any]) -> tuple[str, ...]:
    """Say which columns are called otherwise than they were, if any.

    Parameters
    ----------
    told : sequence of str
        What `told_apart` has made.
    given : iterable
        Of what.

    Examples
    --------
    >>> same_names(["text", "text (2)"], ["text", "text"])
    ("columns without a name, or with that of another, are called 'text (2)'",)
    """
    renamed = [repr(new) for new, old in zip(told, given, strict=True) if new != str(old).strip()]
    if not renamed:
        return ()
    more = f" and {len(renamed) - 5:,} more" if len(renamed) > 5 else ""
    return (f"columns without a name, or with that of another, are called {', '.join(renamed[:5])}{more}",)

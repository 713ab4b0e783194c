"""How records of data show themselves, and how parts of them are picked."""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EXAMPLES", "Array", "Shown", "counts_of", "picked", "rows_of", "table_of"]

Array = npt.NDArray[Any]
#: Rows that are shown.
EXAMPLES = 5


def _short(text: object, width: int) -> str:
    words = str(text)
    return words if len(words) <= width else words[: width - 1] + "…"


def table_of(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Make a table; pandas takes a second to import, so it waits until a table is wanted."""
    import pandas as pd

    return pd.DataFrame(columns)


class Shown(ABC):
    """A readable ``repr`` for the terminal and a small table for notebooks."""

    @abstractmethod
    def _headline(self) -> str:
        """Say in one line what it is and how much."""

    @abstractmethod
    def _example_rows(self) -> pd.DataFrame:
        """Return a few rows to show."""

    def __repr__(self) -> str:
        rows = self._example_rows()
        lines = [self._headline()]
        first = rows.head(3).itertuples(index=False)
        lines += ["  " + "  ·  ".join(_short(cell, 60) for cell in row) for row in first]
        if len(rows) > 3:
            lines.append("  …")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = self._example_rows()
        head = "".join(f"<th style='text-align:left'>{html.escape(str(column))}</th>" for column in rows.columns)
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(_short(c, 120))}</td>" for c in row) + "</tr>"
            for row in rows.itertuples(index=False)
        )
        return (
            f"<p>{html.escape(self._headline())}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def counts_of(values: Array) -> str:
    """Say how often each value is there."""
    names, counts = np.unique(values.astype(str), return_counts=True)
    return ", ".join(f"{name} {count:,}" for name, count in zip(names, counts, strict=True))


def rows_of(kept: Array, wanted: Iterable[str], **columns: Array) -> Array:
    """Rows that fit all columns; several names of one column are alternatives."""
    by_column: dict[str, set[str]] = {}
    for name in wanted:
        column = next((c for c, values in columns.items() if name in values), None)
        if column is None:
            known = ", ".join(sorted({str(v) for values in columns.values() for v in np.unique(values) if str(v)}))
            raise KeyError(f"there is no subset {name!r}; there are: {known}")
        by_column.setdefault(column, set()).add(name)
    for column, names in by_column.items():
        kept = kept & np.isin(columns[column], sorted(names))
    return kept


def picked(values: Sequence[str], rows: Array) -> list[str]:
    """Return the values of these rows."""
    return [values[i] for i in rows]

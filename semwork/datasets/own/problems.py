"""What is wrong in a table, row by row: the first thousand, and how many there are of each."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MOST", "Problems", "excerpt", "type_of"]

#: Problems that are listed; all are counted.
MOST = 1_000
_WIDTH = 60
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def excerpt(value: Any, width: int = _WIDTH) -> str:
    r"""Return the beginning of a value on one line, without signs that a terminal obeys.

    Examples
    --------
    >>> excerpt("two\nlines and \x1b[31mred")
    'two lines and  [31mred'
    """
    try:
        text = value if isinstance(value, str) else repr(value)
    except Exception as error:  # noqa: BLE001 - whatever the repr of a stranger's object does
        text = f"{type(value).__name__} ({type(error).__name__})"
    shown = _UNSEEN.sub(" ", text[: width + 1])
    return shown[: width - 1] + "…" if len(text) > width else shown


def type_of(value: Any) -> str:
    """Return the type of a value with its article.

    Examples
    --------
    >>> type_of(3), type_of([])
    ('an int', 'a list')
    """
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


class Problem(NamedTuple):
    """One cell or row, and what is the matter with it."""

    order: int
    row: Any
    column: str
    reason: str
    value: str
    used: bool


class Problems:
    """Collects what is wrong.

    Parameters
    ----------
    others : Problems or None
        What was found before; it stays as it is.
    """

    def __init__(self, others: Problems | None = None) -> None:
        self._kept: list[Problem] = list(others._kept) if others else []
        self.counts: Counter[tuple[str, str, bool]] = Counter(others.counts if others else ())

    def add(self, order: int, row: Any, column: str, reason: str, value: Any = "", *, used: bool = False) -> None:
        """Note one; ``order`` says where it stands among the others, ``row`` is what the row is called."""
        self.counts[reason, column, used] += 1
        if self.counts[reason, column, used] <= MOST:
            self._kept.append(Problem(order, row, column, reason, excerpt(value), used))

    @property
    def total(self) -> int:
        """How many there are."""
        return self.counts.total()

    def said(self) -> list[str]:
        """Each reason once, with how often it is there, the most frequent first."""
        found: list[str] = []
        for (reason, column, used), count in self.counts.most_common():
            where = f"column {excerpt(column, 40)!r}, " if column else ""
            found.append(f"{count:,} × {where}{reason}" + ("" if used else " (left out)"))
        return found

    def frame(self) -> pd.DataFrame:
        """The first ones, in the order of the rows: ``row``, ``column``, ``reason``, ``value``, ``used``."""
        import pandas as pd

        first = sorted(self._kept, key=lambda one: one.order)[:MOST]
        columns = {name: [getattr(one, name) for one in first] for name in ("row", "column", "reason", "value")}
        used = pd.Series([one.used for one in first], dtype=bool)
        row = pd.Series(columns.pop("row"), dtype=object)
        return pd.DataFrame({"row": row, **columns, "used": used})

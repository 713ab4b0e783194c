"""Which sign stands between the cells of a text, and whether quotation marks are some."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import NamedTuple

from semwork.datasets.own.delimited import NAMES, ONE_COLUMN, Dialect, records
from semwork.datasets.own.hints import all_hints
from semwork.datasets.own.kinds import plain

__all__ = ["dialect_of"]

_LOOKED_AT = 3_000  # records from which the dialect is found
_HEAD = 2_000_000  # characters among which they are
_GOOD, _NAMED = 0.9, 0.5  # share of rows that must have as many cells as the first; if that has usual names
_BROKEN = 0.2  # share of the quoted rows that may be broken; if more are, quotation marks are letters


def dialect_of(text: str, delimiter: str | None = None) -> Dialect:
    r"""Find how cells are told apart: that sign for which most rows have as many cells as the first one.

    Parameters
    ----------
    text : str
        A file, or its beginning.
    delimiter : str or None
        The sign between cells, where it is known.

    Returns
    -------
    Dialect

    Examples
    --------
    >>> dialect_of("text;score\nyes, really;3,5\nno;1,0\n").words
    'semicolon'
    """
    head = text[:_HEAD] if len(text) <= _HEAD else text[: text.rfind("\n", 0, _HEAD) + 1 or _HEAD]
    if delimiter is not None:
        return _quoted_or_not(head, delimiter)[2]
    found = [_quoted_or_not(head, sign) for sign in list(NAMES)[:-1] if sign in head]
    found = [one for one in found if one[1] > 1 and one[0] >= _needed(head, one[2])]
    if not found:
        return _quoted_or_not(head, ONE_COLUMN)[2]
    signs = {one[2].delimiter for one in found}
    if "," in signs and len(signs) > 1 and not re.search(r",(?!\d)|(?<!\d),", head):
        found = [one for one in found if one[2].delimiter != ","]  # they are decimal commas
    # Where the lines are in order with a tab or a semicolon, commas are those of the sentences.
    share, width, best = max(found, key=lambda one: (round(one[0], 2), one[1], -"\t;|,".index(one[2].delimiter)))
    others = {NAMES[one.delimiter]: count for fit, count, one in found if one != best and fit > share - 0.01}
    said = [
        f"the sign between cells is guessed: {best.words} ({width} columns); {name} would give {count}; pass "
        "delimiter= if the columns are wrong"
        for name, count in others.items()
    ]
    return Dialect(best.delimiter, best.quoted, tuple(said))


def _needed(text: str, dialect: Dialect) -> float:
    """The share of rows that must be in order: less where the first line has usual names, or in short files."""
    first, *others = [cells for _, cells, _ in islice(records(text, dialect), 20)]
    if sum(plain(cell) in all_hints() for cell in first) > 1:
        return _NAMED
    return _GOOD if len(others) == 19 else 0.7


def _quoted_or_not(text: str, sign: str) -> tuple[float, int, Dialect]:
    """How well a sign fits: quotation marks are some, unless they are in order only as letters of the text."""
    quoted, literal = _fit(text, Dialect(sign)), _fit(text, Dialect(sign, quoted=False))
    broken = quoted.broken > _BROKEN * literal.marked
    if literal.share > quoted.share or (literal.share == quoted.share and broken):
        return literal.share, literal.width, Dialect(sign, quoted=False)
    return quoted.share, quoted.width, Dialect(sign)


class _Fit(NamedTuple):
    """How rows look with a sign between cells."""

    share: float  # of the rows that have as many cells as the first
    width: int  # of the first
    broken: int  # rows with quotation marks that are not in order
    marked: int  # rows in which a cell begins with a quotation mark


def _fit(text: str, dialect: Dialect) -> _Fit:
    widths: Counter[int] = Counter()
    first = broken = marked = 0
    for _, cells, wrong in islice(records(text, dialect), _LOOKED_AT):
        first = first or len(cells)
        widths[len(cells)] += 1
        broken += bool(wrong)
        marked += any(cell[:1] == '"' for cell in cells)
    return _Fit(widths[first] / max(widths.total(), 1), first, broken, marked)

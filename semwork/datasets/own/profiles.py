"""What stands in a column, from a look at some of its cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from semwork.datasets.own.cells import Column, is_missing, number_of
from semwork.datasets.own.kinds import plain
from semwork.datasets.own.raw import Raw

__all__ = ["Profile", "profiled"]

_LOOKED_AT = 2_000


@dataclass(frozen=True)
class Profile:
    """One column.

    Parameters
    ----------
    name : str
        Its name.
    plain : str
        Its name, as names are compared.
    sort : {"empty", "numbers", "labels", "texts"}
        What stands in it: numbers; few texts, again and again; or texts.
    length : float
        Characters of a cell, on average.
    words : float
        Words of a cell, on average.
    distinct : int
        How many different cells there are among those that were looked at.
    """

    name: str
    plain: str
    sort: str
    length: float
    words: float
    distinct: int


def profiled(raw: Raw) -> list[Profile]:
    """Look at all columns of a table."""
    return [_profile(name, column) for name, column in raw.columns.items()]


def _profile(name: str, column: Column) -> Profile:
    step = max(1, len(column) // _LOOKED_AT)
    some = column[::step]
    told = plain(name)
    if isinstance(some, np.ndarray) and some.dtype.kind in "fiu":
        return Profile(name, told, "numbers", 0.0, 0.0, len(np.unique(some)))
    cells = [cell for cell in some if not is_missing(cell)]
    texts = [text for cell in cells if (text := _text(cell).strip())]
    if not texts:
        return Profile(name, told, "empty", 0.0, 0.0, 0)
    distinct = len(set(texts))
    length = sum(map(len, texts)) / len(texts)
    words = sum(len(text.split()) for text in texts) / len(texts)
    numbers = sum(number_of(text) is not None for text in texts)
    if numbers >= 0.9 * len(texts):
        sort = "numbers"
    elif distinct <= min(50, len(texts) / 2) and length <= 40 and words <= 3:
        sort = "labels"
    else:
        sort = "texts"
    return Profile(name, told, sort, length, words, distinct)


def _text(cell: Any) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        return cell.decode(errors="replace")
    return str(cell) if isinstance(cell, int | float | np.generic) else "…"

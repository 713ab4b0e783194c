"""The good rows of a table: what is left out, what is repaired, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from semwork.datasets.own.cells import numbers_of, texts_of
from semwork.datasets.own.kinds import split_named
from semwork.datasets.own.problems import Problems
from semwork.datasets.own.raw import Raw

__all__ = ["Rows"]

Bools = npt.NDArray[np.bool_]


@dataclass(eq=False)
class Rows:
    """Rows of a table that become rows of a record.

    Parameters
    ----------
    raw : Raw
        The table.
    columns : mapping of str to str
        Role → column.
    good : ndarray of shape (n_rows,), bool
        Which rows are used.
    empty : int
        How many rows are left out because a text is empty.
    duplicates : int
        How many rows say what an earlier one says.
    notes : list of str
        What else is to be said.
    """

    raw: Raw
    columns: Mapping[str, str]
    good: Bools = field(init=False)
    empty: int = 0
    duplicates: int = 0
    notes: list[str] = field(default_factory=list)
    _issues: list[tuple[int, str, str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with all rows."""
        self.good = np.ones(len(self.raw), dtype=bool)

    def __len__(self) -> int:
        return int(self.good.sum())

    @property
    def lost(self) -> int:
        """How many rows are left out for another reason than an empty text."""
        return self.raw.lost + len(self.raw) - len(self) - self.empty

    def drop(self, places: Iterable[int], column: str, reason: str) -> None:
        """Leave out rows, each with the reason; those that are left out already are not said again."""
        cells = self.raw.columns.get(column)
        for place in places:
            if self.good[place]:
                self.good[place] = False
                self._issues.append((place, column, reason, "" if cells is None else cells[place]))

    def texts(self, *roles: str) -> list[list[str]]:
        """Return the columns of these roles as text; rows in which one is empty or no text are left out."""
        found = []
        for role in roles:
            column = self.columns[role]
            read = texts_of(self.raw.columns[column])
            found.append(read.texts)
            if "\ufffd" in "".join(read.texts):
                odd = ((place, text) for place, text in enumerate(read.texts) if "\ufffd" in text)
                self._issues += [
                    (place, column, "U+FFFD stands for what could not be read", text) for place, text in odd
                ]
            self._issues += [(place, column, reason, cell) for place, reason, cell in read.repaired]
            for place, reason, _ in read.wrong:
                self.drop([place], column, reason)
        for role, texts in zip(roles, found, strict=True):
            blank = [place for place, text in enumerate(texts) if (not text or text.isspace()) and self.good[place]]
            self.empty += len(blank)
            self.drop(blank, self.columns[role], "empty")
        return found

    def words(self, role: str) -> list[str] | None:
        """Return an optional column as text without spaces around it, empty where there is none."""
        if role not in self.columns:
            return None
        read = texts_of(self.raw.columns[self.columns[role]])
        reasons = {reason for _, reason, _ in read.repaired if not reason.startswith("a number")}
        column = self.columns[role]
        self._issues += [(place, column, reason, cell) for place, reason, cell in read.repaired if reason in reasons]
        self._issues += [(place, column, reason, cell) for place, reason, cell in read.wrong]
        return [text.strip() for text in read.texts]

    def split(self) -> list[str] | None:
        """Return the part of each row; rows whose part is not known are left out."""
        words = self.words("split")
        if words is None:
            return None
        named = {word: split_named(word) for word in set(words)}
        column = self.columns["split"]
        self.drop((place for place, word in enumerate(words) if not word), column, "no split")
        wrong = (place for place, word in enumerate(words) if word and not named[word])
        self.drop(wrong, column, "a split is train, val, dev or test")
        return [named[word] for word in words]

    def scores(self) -> npt.NDArray[np.float64] | None:
        """Return the scores; rows without one are left out where others have one."""
        if "score" not in self.columns:
            return None
        column = self.columns["score"]
        found = numbers_of(self.raw.columns[column])
        self.notes += found.notes
        if not np.isfinite(found.values[self.good]).any():
            self.notes.append(f"the column {column!r:.60} has no numbers: the pairs have no scores")
            return None
        for place, reason, _ in found.wrong:
            self.drop([place], column, reason)
        self.drop(np.flatnonzero(np.isnan(found.values)).tolist(), column, "no score")
        return found.values

    def kept(self, values: Sequence[Any]) -> list[Any]:
        """Return the values of the good rows."""
        if self.good.all():
            return list(values)
        return [value for value, good in zip(values, self.good.tolist(), strict=True) if good]

    def labels(self) -> list[Any]:
        """Return what the good rows are called."""
        return self.kept(self.raw.rows)

    def note_duplicates(self, keys: Iterable[Any], column: str, *, keep: bool = True) -> None:
        """Say which good rows are the same as an earlier one, or leave them out; ``keys`` has one for each row."""
        first: dict[Any, int] = {}
        for place, (key, good) in enumerate(zip(keys, self.good.tolist(), strict=True)):
            if not good:
                continue
            earlier = first.setdefault(key, place)
            if earlier != place:
                self.duplicates += 1
                row = self.raw.rows[earlier]
                self._issues.append((place, column, "the same as an earlier row", f"row {row}"))
                self.good[place] = keep

    def problems(self) -> Problems:
        """All that is to be said, row by row."""
        found = Problems(self.raw.problems)
        for place, column, reason, cell in self._issues:
            used = bool(self.good[place])
            found.add(self.raw.order(place), self.raw.rows[place], column, reason, cell, used=used)
        return found

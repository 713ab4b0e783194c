"""Cells of any type become text, numbers or nothing, and it is said where they were something else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Number
from typing import Any

import numpy as np
import numpy.typing as npt

from semwork.datasets.own.problems import type_of

__all__ = ["Column", "Issue", "Numbers", "Texts", "is_missing", "number_of", "numbers_of", "texts_of"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_NUMBER = frozenset({"", "nan", "na", "n/a", "none", "null", "-", "–", "?", "nil", "#n/a"})
_YES_NO = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}

Column = Sequence[Any] | npt.NDArray[Any]
"""Cells of a column."""

Issue = tuple[int, str, Any]
"""Number of a row, what is the matter, and the cell."""


@dataclass(eq=False)
class Texts:
    """A column as text.

    Parameters
    ----------
    texts : list of str of length n_rows
        Empty where there is none.
    wrong : list of Issue
        Cells that cannot be read as text; their texts are empty.
    repaired : list of Issue
        Cells that were something else.
    """

    texts: list[str]
    wrong: list[Issue] = field(default_factory=list)
    repaired: list[Issue] = field(default_factory=list)


@dataclass(eq=False)
class Numbers:
    """A column as numbers.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float64
        NaN where there is none.
    wrong : list of Issue
        Cells that are no finite number.
    notes : list of str
        How they were read.
    """

    values: npt.NDArray[np.float64]
    wrong: list[Issue] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def is_missing(cell: Any) -> bool:
    """Whether a cell is None, NaN, or pandas' NA or NaT.

    Examples
    --------
    >>> is_missing(float("nan")), is_missing(""), is_missing(0)
    (True, False, False)
    """
    if cell is None or type(cell).__name__ in {"NAType", "NaTType"}:
        return True
    try:
        return isinstance(cell, Number) and not bool(cell == cell)  # noqa: PLR0124 - which is NaN, of whatever type
    except (TypeError, ValueError):
        return False


def texts_of(cells: Column) -> Texts:
    r"""Read cells as text: numbers as they are written, bytes decoded, control characters as spaces.

    Parameters
    ----------
    cells : sequence of length n_rows
        Of any type.

    Returns
    -------
    Texts

    Examples
    --------
    >>> found = texts_of(["a\x00b", None, 3, b"bytes", ["a", "list"]])
    >>> found.texts
    ['a b', '', '3', 'bytes', '']
    >>> [reason for _, reason, _ in found.repaired]
    ['a number, read as text', 'bytes, read as text', 'control characters, replaced by spaces']
    """
    found = Texts([])
    values = cells if isinstance(cells, list) else list(cells)
    if set(map(type, values)) <= {str}:
        found.texts = values
    else:
        found.texts = [cell if type(cell) is str else _as_text(place, cell, found) for place, cell in enumerate(values)]
    if _CONTROL.search("\t".join(found.texts)):
        found.texts = [
            text if _CONTROL.search(text) is None else _without_controls(place, text, found)
            for place, text in enumerate(found.texts)
        ]
    return found


def _as_text(place: int, cell: Any, found: Texts) -> str:
    """Read what is no string."""
    if is_missing(cell):
        return ""
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, bool | np.bool_):
        found.repaired.append((place, "true or false, read as text", cell))
        return str(bool(cell)).lower()
    if isinstance(cell, Number):
        found.repaired.append((place, "a number, read as text", cell))
        return str(int(cell)) if isinstance(cell, float | np.floating) and float(cell).is_integer() else str(cell)
    if isinstance(cell, bytes | bytearray | memoryview):
        content = bytes(cell)
        try:
            text, reason = content.decode(), "bytes, read as text"
        except UnicodeDecodeError:
            text, reason = content.decode("latin-1"), "bytes that are not UTF-8, read as latin-1"
        found.repaired.append((place, reason, cell))
        return text
    if type(cell).__module__.split(".")[0] in {"datetime", "pandas", "uuid", "pathlib", "decimal"}:
        found.repaired.append((place, f"{type_of(cell)}, read as text", cell))
        return str(cell)
    found.wrong.append((place, f"{type_of(cell)}, not a text", cell))
    return ""


def _without_controls(place: int, text: str, found: Texts) -> str:
    """Replace what nobody sees; ends of lines become those of this system's text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if _CONTROL.search(lines) is None:
        return lines
    whole = _SURROGATE.sub("\ufffd", lines)
    if whole != lines:
        found.repaired.append((place, "half a sign (a lone surrogate), replaced by U+FFFD", lines))
    clean = _CONTROL.sub(" ", whole)
    if clean != whole:
        found.repaired.append((place, "control characters, replaced by spaces", lines))
    return clean


def number_of(cell: str) -> float | None:
    """Return the number in a cell, with a point or a comma; ``None`` where there is none.

    Examples
    --------
    >>> number_of(" 3,5"), number_of("three")
    (3.5, None)
    """
    if "_" in cell:  # Python reads 1_000
        return None
    try:
        return float(cell)
    except ValueError:
        pass
    try:
        return float(cell.replace(",", ".")) if cell.count(",") == 1 and "." not in cell else None
    except ValueError:
        return None


def numbers_of(cells: Column) -> Numbers:
    """Read cells as numbers, with a point or, where more cells are numbers then, with a comma.

    Parameters
    ----------
    cells : sequence of length n_rows
        Of any type.

    Returns
    -------
    Numbers

    Examples
    --------
    >>> numbers_of(["3,5", "4,0", ""]).values.tolist()
    [3.5, 4.0, nan]
    >>> numbers_of(["yes", "no"]).values.tolist()
    [1.0, 0.0]
    """
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "fiub":
        return _finite(cells.astype(np.float64), cells)
    values = cells if isinstance(cells, list) else list(cells)
    try:
        return _finite(np.array([float(cell) for cell in values if not _underscored(cell)], dtype=np.float64), values)
    except (TypeError, ValueError, OverflowError):
        pass
    words = [_word(cell) for cell in values]
    given = [word for word in words if word not in _NO_NUMBER]
    if 2 * sum(word in _YES_NO for word in given) > len(given):
        answers = np.array([_YES_NO.get(word, np.nan) for word in words], dtype=np.float64)
        wrong = _finite(answers, values, [word in _NO_NUMBER for word in words]).wrong
        return Numbers(answers, wrong, ["yes and true are read as 1, no and false as 0"])
    commas = [re.sub(r"^([^.,]*),([^.,]*)$", r"\1.\2", word) for word in words]
    with_points, with_commas = _parsed(words), _parsed(commas)
    chosen, notes = with_points, []
    if np.isfinite(with_commas).sum() > np.isfinite(with_points).sum():
        chosen, notes = with_commas, ["a comma in a number is read as the decimal sign"]
        if all(re.fullmatch(r"-?\d{1,3},\d{3}", word) for word in given if "," in word):
            notes = ["a comma in a number is read as the decimal sign: 1,000 is one, not a thousand"]
    found = _finite(chosen, values, [word in _NO_NUMBER for word in words])
    return Numbers(found.values, found.wrong, notes)


def _underscored(cell: Any) -> bool:
    """Refuse 1_000, which Python reads as a thousand, and what is neither text nor a number."""
    if isinstance(cell, str):
        if "_" in cell:
            raise ValueError(cell)
    elif cell is None or isinstance(cell, bytes):
        raise TypeError
    return False


def _word(cell: Any) -> str:
    if is_missing(cell):
        return ""
    if isinstance(cell, bytes):
        cell = cell.decode(errors="replace")
    return cell.strip().casefold() if isinstance(cell, str) else str(cell).casefold()


def _parsed(words: Iterable[str]) -> npt.NDArray[np.float64]:
    found = []
    for word in words:
        try:
            found.append(float(word) if "_" not in word else np.nan)
        except ValueError:
            found.append(np.nan)
    return np.array(found, dtype=np.float64)


def _finite(values: npt.NDArray[np.float64], cells: Column, missing: Sequence[bool] | None = None) -> Numbers:
    """Note what is infinite, and what is no number though something stands there."""
    wrong: list[Issue] = [(int(place), "not finite", cells[int(place)]) for place in np.flatnonzero(np.isinf(values))]
    if missing is not None:
        none = np.flatnonzero(np.isnan(values) & ~np.array(missing, dtype=bool))
        wrong += [(int(place), "not a number", cells[int(place)]) for place in none]
    values = np.where(np.isinf(values), np.nan, values)
    return Numbers(values, wrong)

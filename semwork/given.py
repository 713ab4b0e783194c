"""What was given, in a few words, and whether it is what was asked for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, TypeGuard

__all__ = ["check_count", "check_kind", "check_positive", "check_word", "is_number", "is_whole", "listed", "said"]


def said(value: Any) -> str:
    """Return a value on one line: its beginning and its type, of a table its columns.

    Examples
    --------
    >>> said(["a text", "another"])
    "['a text', 'another'] (list)"
    """
    columns = getattr(value, "columns", None)
    if hasattr(value, "iloc") and columns is not None:
        return f"a {type(value).__name__} with the columns {', '.join(map(str, columns)):.60}"
    if value is None:
        return "None"
    shown = " ".join(repr(value).split())
    return f"{shown[:59] + '…' if len(shown) > 60 else shown} ({type(value).__name__})"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them.

    Examples
    --------
    >>> listed(["wordnet", "gcide", "brown"])
    'wordnet, gcide and brown'
    """
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def check_kind(name: str, value: Any, kind: type | tuple[type, ...], advice: str) -> None:
    """Refuse what is not of a kind, or of one of several; ``advice`` says what to do."""
    if not isinstance(value, kind):
        kinds = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
        raise TypeError(f"{name} must be of the type {kinds}, got {said(value)}: {advice}")


def check_word(name: str, value: Any, known: Iterable[str], advice: str = "") -> None:
    """Refuse what is not a string where a name is chosen; which names there are is the caller's to check."""
    if not isinstance(value, str):
        allowed = ", ".join(map(repr, known))
        raise TypeError(f"{name} must be one of {allowed}, got {said(value)}" + (f": {advice}" if advice else ""))


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether this is a whole number: True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[float]:
    """Whether this is a real number: True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_count(name: str, value: Any, *, at_least: int = 1) -> int:
    """Return a whole number.

    Examples
    --------
    >>> check_count("chains", True)
    Traceback (most recent call last):
    ValueError: chains must be a whole number from 1, got True
    """
    if not is_whole(value) or value < at_least:
        raise ValueError(f"{name} must be a whole number from {at_least}, got {value!r}")
    return int(value)


def check_positive(name: str, value: Any) -> float:
    """Return a finite number above 0.

    Examples
    --------
    >>> check_positive("alpha", float("inf"))
    Traceback (most recent call last):
    ValueError: alpha must be a number above 0, got inf
    """
    if not is_number(value) or not 0 < float(value) < math.inf:
        raise ValueError(f"{name} must be a number above 0, got {value!r}")
    return float(value)

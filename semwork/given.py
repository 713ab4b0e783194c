"""What was given, in a few words, and whether it is what was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["check_kind", "check_word", "said"]


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


def check_kind(name: str, value: Any, kind: type, advice: str) -> None:
    """Refuse what is not of a kind; ``advice`` says what to do."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be of the type {kind.__name__}, got {said(value)}: {advice}")


def check_word(name: str, value: Any, known: Iterable[str], advice: str = "") -> None:
    """Refuse what is not a string where a name is chosen; which names there are is the caller's to check."""
    if not isinstance(value, str):
        allowed = ", ".join(map(repr, known))
        raise TypeError(f"{name} must be one of {allowed}, got {said(value)}" + (f": {advice}" if advice else ""))

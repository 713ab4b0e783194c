"""Functions compiled by numba once and kept on disk."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])

_HERE = Path(__file__).parent


def compiled(function: F) -> F:
    """Compile; without the interpreter's lock, so that a notebook stays alive while the function runs."""
    dispatcher = njit(nogil=True, cache=True)(function)
    # numba looks only at the function's own file to see whether what it kept is old, but what it kept has the
    # functions of other files in it: all compiled files of a room grow old together.
    kept = dispatcher._cache._cache_file
    kept._source_stamp = (kept._source_stamp, _stamp(_room(Path(function.__code__.co_filename))))
    return cast(F, dispatcher)


def _room(file: Path) -> Path:
    """Return the folder below the package that a file is in, or the package for a file of its own."""
    try:
        inside = file.resolve().relative_to(_HERE).parts
    except ValueError:  # a function of somebody else's
        return file.parent
    return _HERE / inside[0] if len(inside) > 1 else _HERE


@functools.cache
def _stamp(room: Path) -> str:
    """Return a number for what the compiled files of a room say."""
    files = sorted(room.rglob("*.py") if room != _HERE else room.glob("*.py"))
    digest = hashlib.sha256()
    for file in files:
        text = file.read_bytes()
        if b"@compiled" in text:
            digest.update(text)
    return digest.hexdigest()

"""Functions compiled by numba once and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile; without the interpreter's lock, so that a notebook stays alive while the function runs."""
    return cast(F, njit(nogil=True, cache=True)(function))

"""What a file keeps of a learner over structures besides its arrays: names of features, and what made its problems."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["names_again", "plain_classes", "plain_names", "said_of"]


def plain_names(names: Iterable[Hashable]) -> list[Any]:
    """Return names of features as JSON can keep them: a tuple becomes a list, which no name can be.

    Examples
    --------
    >>> plain_names(["bias", ("k", "ק"), ("depth", 2)])
    ['bias', ['k', 'ק'], ['depth', 2]]
    """
    return [_plain(name, name) for name in names]


def _plain(name: Any, whole: Hashable) -> Any:
    if isinstance(name, tuple):
        return [_plain(part, whole) for part in name]
    if isinstance(name, np.generic):
        name = name.item()
    if name is None or isinstance(name, str | int | float):
        return name
    raise TypeError(
        f"the feature {whole!r:.60} is named by a {type(name).__name__}, which a file cannot keep; name features by "
        "words, numbers or tuples of these, fit and save again"
    )


def names_again(plain: Iterable[Any]) -> list[Hashable]:
    """Undo `plain_names`.

    Examples
    --------
    >>> names_again(["bias", ["k", "ק"], ["depth", 2]])
    ['bias', ('k', 'ק'), ('depth', 2)]
    """
    return [tuple(names_again(name)) if isinstance(name, list) else name for name in plain]


def plain_classes(classes: NDArray[Any]) -> NDArray[Any]:
    """Return the two classes as an array that needs no pickle."""
    found = np.array(classes.tolist()) if classes.dtype == object else classes
    if found.dtype == object:
        raise TypeError(
            f"the classes are {classes.tolist()!r:.60}, which a file cannot keep; give numbers or words as y, fit and "
            "save again"
        )
    return found


def said_of(problem: Any) -> str:
    """Name the function that makes problems, as far as it has a name."""
    while isinstance(problem, partial):
        problem = problem.func
    return str(getattr(problem, "__qualname__", None) or type(problem).__qualname__)

"""Where something comes from: an expression that can be computed now, and written as code later.

>>> from semwork.datasets import load
>>> dictionary = calling(load)("sample").dictionary
>>> len(dictionary.make())
320
>>> dictionary.code
"load('sample').dictionary"
>>> sorted(dictionary.imports)
[('semwork.datasets', 'load')]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

__all__ = ["NOTHING", "Origin", "as_it_is", "calling", "public_place", "written"]


@dataclass(frozen=True)
class Origin:
    """An expression of calls and attributes; calling it or taking an attribute gives a longer one."""

    make: Callable[[], Any] = field(repr=False, compare=False)
    code: str
    imports: frozenset[tuple[str, str]] = frozenset()

    def __getattr__(self, name: str) -> Origin:
        if name.startswith("_"):
            raise AttributeError(name)
        return Origin(lambda: getattr(self.make(), name), f"{self.code}.{name}", self.imports)

    def __call__(self, *values: Any, **named: Any) -> Origin:
        """Return the expression that calls this one; arguments may be origins themselves."""
        given = [*values, *named.values()]
        imports = self.imports.union(*(one.imports for one in given if isinstance(one, Origin)))
        parts = [*map(written, values), *(f"{name}={written(value)}" for name, value in named.items())]

        def make() -> Any:
            return self.make()(*map(_made, values), **{name: _made(value) for name, value in named.items()})

        return Origin(make, f"{self.code}({', '.join(parts)})", imports)


#: The expression of nothing at all.
NOTHING = Origin(lambda: None, "None")


def as_it_is(origin: Origin) -> Origin:
    """Return an expression itself, where a study takes records as they are loaded."""
    return origin


def _made(value: Any) -> Any:
    return value.make() if isinstance(value, Origin) else value


def written(value: Any) -> str:
    """Return a value as code."""
    return value.code if isinstance(value, Origin) else repr(value)


def calling(function: Callable[..., Any]) -> Origin:
    """Return the expression that is a function's, or a class's, name."""
    return Origin(lambda: function, function.__name__, frozenset([(public_place(function), function.__name__)]))


@cache
def public_place(thing: Any) -> str:
    """Return the shortest package from which a function or a class can be imported by its name.

    Examples
    --------
    >>> from semwork.similarity.wtmf import WTMF
    >>> public_place(WTMF)
    'semwork.similarity'
    """
    parts = thing.__module__.split(".")
    for length in range(1, len(parts) + 1):
        package = ".".join(parts[:length])
        found = sys.modules.get(package)
        if (
            found is not None
            and thing.__name__ in getattr(found, "__all__", ())
            and getattr(found, thing.__name__) is thing
        ):
            return package
    return str(thing.__module__)

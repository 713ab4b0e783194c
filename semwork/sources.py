"""A digest of the source that a function runs through: it changes when the code changes, and not with its words.

What counts is read from the files, nothing is imported for it. From the function's definition on, every name that is
used is followed to its own definition: in the same module, through an import at the top or inside a function, through
the re-exports of a package, those of a star and those that `semwork.lazy` makes, too. The definitions that are reached
are written down as syntax trees without docstrings, comments and annotations. Modules of other packages are not
followed, nor are names that are made while the program runs, such as those given to `importlib`.

A file is read once for each process, so that the digest is that of the code that runs, also when somebody edits the
file in the meantime.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Iterable

from semwork.definitions import Chain, Definition, Import, Module, parsed_file

__all__ = ["NotImportable", "digest", "dotted", "forget"]

_OURS = "semwork"
# They compute nothing: the engine hands results over, and files are checked against their digest however they come.
_CARRIERS = {
    "semwork.sweeps",
    "semwork.sources",
    "semwork.definitions",
    "semwork.atomic",
    *(
        f"semwork.datasets.{name}"
        for name in (
            "cache", "download", "fetching", "finding", "folders", "locks", "progress", "registry", "trust", "unpack",
        )
    ),
}  # fmt: skip


class NotImportable(TypeError):  # noqa: N818 - reads better in a message
    """A function or class that cannot be found again by its name."""


def dotted(thing: object) -> tuple[str, str]:
    """Return module and name of a function or class that can be imported by them.

    Examples
    --------
    >>> from fractions import Fraction
    >>> dotted(Fraction)
    ('fractions', 'Fraction')
    """
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__" or not _leads_to(module, name, thing):
        raise NotImportable(
            f"{thing!r:.80} cannot be imported by name, so that nobody could say which code a kept result is of; "
            "write it as a function of a module, or keep the results in memory"
        )
    return module, name


def _leads_to(module: str, name: str, thing: object) -> bool:
    """Whether a name is that of this thing, not of what it was made from, such as a function without its wrapper."""
    try:
        found = functools.reduce(getattr, name.split("."), sys.modules.get(module))
    except AttributeError:
        return False
    return found == thing


def digest(*roots: tuple[str, str]) -> str:
    """Return a digest of all definitions that these (module, name) run through."""
    return _digest(tuple(sorted(set(roots))))


def forget() -> None:
    """Read all files again."""
    _digest.cache_clear()
    parsed_file.cache_clear()


@functools.cache
def _digest(roots: tuple[tuple[str, str], ...]) -> str:
    walk = _Walk({_OURS, *(module.partition(".")[0] for module, _ in roots)})
    lines = sorted(f"{module}:{name}:{text}" for (module, name), text in walk.run(roots).items())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


class _Walk:
    """Follows names from definition to definition; ``found`` has the text of each."""

    def __init__(self, packages: set[str]) -> None:
        self.packages = packages
        self.found: dict[tuple[str, str], str] = {}
        self._waiting: list[tuple[Module, Definition]] = []

    def run(self, roots: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Reach the roots, and what they use, and what that uses."""
        for module, name in roots:
            if not self.reach(module, name.partition(".")[0]):
                raise NotImportable(
                    f"no source of {module}.{name} is found, so that nobody could say which code a kept result is of; "
                    "write it in Python as a function of a module, or keep the results in memory"
                )
        while self._waiting:
            self._uses_of(*self._waiting.pop())
        return self.found

    def reach(self, module: str, name: str) -> bool:
        """Take a name of a module in; what it uses waits. ``False`` if the module does not have it."""
        parsed = self._module(module)
        if parsed is None:
            return False
        self._take(parsed, "", parsed.effects)
        if name in parsed.definitions:
            self._take(parsed, name, parsed.definitions[name])
        elif (again := self._imported(module, name)) is not None:
            self._follow(again, ())
        elif self._module(f"{module}.{name}") is not None:
            self._whole(f"{module}.{name}")
        elif "__getattr__" in parsed.definitions:
            self._take(parsed, "__getattr__", parsed.definitions["__getattr__"])
        else:
            return False
        return True

    def _module(self, name: str) -> Module | None:
        parts = name.split(".")
        carried = any(".".join(parts[:depth]) in _CARRIERS for depth in range(2, len(parts) + 1))
        return parsed_file(name) if parts[0] in self.packages and not carried else None

    def _take(self, module: Module, name: str, definition: Definition) -> None:
        if (module.name, name) in self.found:
            return
        self.found[module.name, name] = definition.text
        self._waiting.append((module, definition))

    def _uses_of(self, module: Module, definition: Definition) -> None:
        for head, *rest in definition.uses:
            if head in definition.imports:
                self._follow(definition.imports[head], tuple(rest))
            elif head in module.definitions:
                self.reach(module.name, head)
            elif (found := self._imported(module.name, head)) is not None:
                self._follow(found, tuple(rest))

    def _follow(self, found: Import, rest: Chain) -> None:
        if not found.name:
            self._inside(found.module, rest)
            return
        again = self._imported(found.module, found.name)
        if again is not None:
            self._follow(again, rest)
        elif self._module(f"{found.module}.{found.name}") is not None:
            self._inside(f"{found.module}.{found.name}", rest)
        else:
            self.reach(found.module, found.name)

    def _inside(self, module: str, rest: Chain) -> None:
        """Follow ``module.name.name``; a module that is used as a whole counts as a whole."""
        if not rest:
            self._whole(module)
            return
        again = self._imported(module, rest[0])
        if again is not None:
            self._follow(again, rest[1:])
        elif self._module(f"{module}.{rest[0]}") is not None:
            self._inside(f"{module}.{rest[0]}", rest[1:])
        else:
            self.reach(module, rest[0])

    def _imported(self, module: str, name: str, asked: frozenset[str] = frozenset()) -> Import | None:
        """What a name of a module is imported from; a package that imports its own module does not say more."""
        parsed = self._module(module)
        if parsed is None or name in parsed.definitions:
            return None
        if name in parsed.imports:
            found = parsed.imports[name]
            return None if found == Import(module, name) else found
        for star in parsed.stars:
            there = self._module(star) if star not in asked else None
            if there is not None and (name in there.definitions or self._imported(star, name, asked | {module})):
                return Import(star, name)
        return None

    def _whole(self, module: str) -> None:
        parsed = self._module(module)
        for name in parsed.definitions if parsed else ():
            self.reach(module, name)

"""Every public name of semwork and its signature, as text: ``make api`` writes it, a test compares.

Public is what a package lists in ``__all__``, or a module that lessons import, and what a class of ours has under a
name without an underscore. A difference is no mistake by itself: a name that is gone belongs into CHANGELOG.md, and
then the text is written anew.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from semwork.studies.commands import reference

WRITTEN = Path(__file__).with_name("public_api.txt")
STUDIES = Path(__file__).parents[1] / "semwork" / "studies" / "README.md"
LESSONS = Path(__file__).parents[1] / "notebooks" / "source"
PACKAGES = ("semwork", "semwork_widgets")
MODULES = {"semwork.lessons"}  # no package, and no lesson imports it


def modules() -> Iterator[str]:
    """Both packages, all packages in them that say what is public, and the modules that lessons import."""
    lessons = "\n".join(path.read_text(encoding="utf-8") for path in sorted(LESSONS.glob("*.md")))
    imported = set(re.findall(r"^ *(?:from|import) (semwork[\w.]*)", lessons, flags=re.MULTILINE))
    for root in PACKAGES:
        yield root
        for found in pkgutil.walk_packages(importlib.import_module(root).__path__, f"{root}."):
            public = found.ispkg and not found.name.rpartition(".")[2].startswith("_")
            if public or found.name in imported | MODULES:
                yield found.name


def _signature(thing: Any) -> str:
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    return re.sub(r" at 0x[0-9a-f]+", "", signature)


def _members(thing: type) -> Iterator[str]:
    """What a class has from us; scikit-learn and others may add and drop what they like."""
    ours = {}
    for part in reversed(inspect.getmro(thing)):
        if part.__module__.split(".")[0] in PACKAGES:
            ours |= {name: value for name, value in vars(part).items() if not name.startswith("_")}
    for name, value in sorted(ours.items()):
        if re.fullmatch(r"set_\w+_request", name):  # scikit-learn writes them into each class
            continue
        if isinstance(value, property | functools.cached_property):
            yield f"{name}: property"
        elif isinstance(value, classmethod | staticmethod) or inspect.isfunction(value):
            yield f"{name}{_signature(getattr(thing, name))}"


def lines() -> Iterator[str]:
    """The text, line by line."""
    for package in modules():
        module = importlib.import_module(package)
        public = getattr(module, "__all__", [])
        if public:
            yield f"\n{package}"
        for name in sorted(public):
            thing = getattr(module, name)
            if inspect.isclass(thing):
                yield f"  class {name}{_signature(thing)}"
                yield from (f"    {member}" for member in _members(thing))
            elif callable(thing):
                yield f"  {name}{_signature(thing)}"
            else:
                yield f"  {name}: {type(thing).__name__}"


def text() -> str:
    """The public API of today."""
    return "# Written by `make api`; see tests/public_api.py.\n" + "\n".join(lines()) + "\n"


if __name__ == "__main__":
    WRITTEN.write_text(text(), encoding="utf-8")
    STUDIES.write_text(reference(), encoding="utf-8")
    sys.stdout.write(f"{WRITTEN.name} is written: {sum(1 for _ in lines())} lines\n")

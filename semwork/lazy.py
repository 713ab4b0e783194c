"""Names of a package that are imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

__all__ = ["imported"]


def imported(package: str, modules: Mapping[str, str], name: str) -> Any:
    """Return what a package calls by a name, from the module that has it.

    Parameters
    ----------
    package : str
        The package.
    modules : mapping of str to str
        Name → its module, below the package.
    name : str
        What is asked for.

    Examples
    --------
    >>> imported("semwork", {"last": "steps"}, "last").__module__
    'semwork.steps'
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{package}.{modules[name]}"), name)

"""A file of Python as its definitions: syntax trees without docstrings, comments and annotations, and what they use."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Chain", "Definition", "Import", "Module", "parsed_file", "tree_text"]

_NOT_SAID = {"annotation", "returns", "ctx", "kind", "type_comment", "type_params", "type_ignores", "simple"}
#: A name and its attributes: ``folders.cache_folder``.
Chain = tuple[str, ...]


@dataclass(frozen=True)
class Import:
    """``from module import name``, or the module itself where the name is empty."""

    module: str
    name: str = ""


@dataclass(frozen=True)
class Definition:
    """Statements that give a name its value, the names that they use, and what they import for themselves."""

    text: str
    uses: frozenset[Chain]
    imports: Mapping[str, Import]


@dataclass(frozen=True)
class Module:
    """A file: its definitions, its imports, modules all of whose names it has, statements that only do something."""

    name: str
    definitions: Mapping[str, Definition]
    imports: Mapping[str, Import]
    stars: tuple[str, ...]
    effects: Definition


@functools.cache
def parsed_file(name: str) -> Module | None:
    """Return what the file of a module defines; ``None`` where none is written in Python."""
    path = _file(name)
    if path is None:
        return None
    return _read(name, ast.parse(path.read_bytes()), package=path.stem == "__init__")


def _file(name: str) -> Path | None:
    """The file of a module, found without importing it."""
    top, *inner = name.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or spec.origin is None:
        return None
    if not spec.submodule_search_locations:
        return Path(spec.origin) if spec.origin.endswith(".py") and not inner else None
    for place in spec.submodule_search_locations:
        folder = Path(place).joinpath(*inner)
        for path in (folder / "__init__.py", folder.with_suffix(".py")):
            if path.is_file():
                return path
    return None


def _read(name: str, tree: ast.Module, *, package: bool) -> Module:
    statements: dict[str, list[ast.stmt]] = {}
    effects: list[ast.stmt] = []
    imports: dict[str, Import] = {}
    inside = name if package else name.rpartition(".")[0]
    for statement in tree.body:
        imports |= _imports([statement], inside) if not _is_definition(statement) else {}
        bound = list(_bound(statement))
        for one in bound:
            statements.setdefault(one, []).append(statement)
        only_here = isinstance(statement, ast.Import | ast.ImportFrom) or _is_guard(statement) or _is_string(statement)
        if not only_here and (not bound or not isinstance(statement, _PLAIN)):
            effects.append(statement)
    definitions = {one: _definition(found, inside) for one, found in statements.items()}
    if "__getattr__" in definitions:
        imports |= _lazy_imports(statements.get("_MODULES", []), name)
    stars = _stars(tree, inside)
    return Module(name, definitions, imports, stars, _definition(effects, inside))


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PLAIN = (*_DEFINITIONS, ast.Assign, ast.AnnAssign)


def _is_definition(statement: ast.stmt) -> bool:
    return isinstance(statement, _DEFINITIONS)


def _is_string(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_guard(statement: ast.stmt) -> bool:
    """Whether a statement is for type checkers, or for a module that is run as a program."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in (
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
        "__name__ == '__main__'",
    )


def _bound(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement at the top gives a value, other than by an import."""
    if isinstance(statement, _DEFINITIONS):
        yield statement.name
    elif not _is_guard(statement):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, _DEFINITIONS):
                yield node.name


def _imports(nodes: Iterable[ast.AST], inside: str) -> dict[str, Import]:
    found: dict[str, Import] = {}
    for top in nodes:
        for node in ast.walk(top):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    found[alias.asname or whole] = Import(whole)
            elif isinstance(node, ast.ImportFrom):
                module = _imported_from(node, inside)
                names = [alias for alias in node.names if alias.name != "*"]
                found |= {alias.asname or alias.name: Import(module, alias.name) for alias in names}
    return found


def _imported_from(node: ast.ImportFrom, inside: str) -> str:
    parents = inside.split(".")[: len(inside.split(".")) + 1 - node.level] if node.level else []
    return ".".join([*parents, *filter(None, [node.module])])


def _stars(tree: ast.Module, inside: str) -> tuple[str, ...]:
    """Modules from which everything is imported; the last one hides the others."""
    found = [
        _imported_from(node, inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]
    return tuple(reversed(found))


def _lazy_imports(statements: Iterable[ast.stmt], package: str) -> dict[str, Import]:
    """Names that a package imports when they are asked for, see `semwork.lazy`: name → module, as a dict of texts."""
    found: dict[str, Import] = {}
    for statement in statements:
        written = getattr(statement, "value", None)
        with contextlib.suppress(ValueError):  # no dict of plain texts is no table of names
            said = ast.literal_eval(written) if isinstance(written, ast.Dict) else {}
            found |= {name: Import(f"{package}.{module}", name) for name, module in said.items()}
    return found


def _definition(statements: list[ast.stmt], inside: str) -> Definition:
    text = "\n".join(tree_text(statement) for statement in statements)
    uses = frozenset(chain for statement in statements for chain in _uses(statement))
    return Definition(text, uses, _imports(statements, inside))


# --- syntax trees ---------------------------------------------------------------------------------------------


def tree_text(value: object, *, in_class: bool = False) -> str:
    """Write a tree down: what is computed, not how it is explained; the same for all versions of Python."""
    if isinstance(value, list):
        kept = [one for one in value if not _is_silent(one, in_class=in_class)]
        return f"[{', '.join(tree_text(one, in_class=in_class) for one in kept)}]"
    if not isinstance(value, ast.AST):
        return repr(value)
    if (
        isinstance(value, ast.AnnAssign) and value.value is not None and not in_class
    ):  # x: int = 3 is x = 3; in a class it may be a field
        value = ast.Assign([value.target], value.value)
    kind = type(value).__name__
    if isinstance(value, ast.Constant):
        return f"{kind}({value.value!r})"
    parts = [
        f"{name}={tree_text(one, in_class=isinstance(value, ast.ClassDef) and name == 'body')}"
        for name, one in ast.iter_fields(value)
        if name not in _NOT_SAID and one not in (None, [])
    ]
    return f"{kind}({', '.join(parts)})"


def _is_silent(node: object, *, in_class: bool) -> bool:
    if isinstance(node, ast.AnnAssign):
        return node.value is None and not in_class
    return isinstance(node, ast.stmt) and _is_string(node)


def _uses(node: ast.AST) -> Iterator[Chain]:
    """Names that are read, with their attributes, as far as they are plain: ``folders.cache_folder``."""
    chain: list[str] = []
    inner: ast.AST = node
    while isinstance(inner, ast.Attribute):
        chain.append(inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield (inner.id, *reversed(chain))
        return
    for name, value in ast.iter_fields(node):
        if name not in _NOT_SAID:
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.AST):
                    yield from _uses(one)

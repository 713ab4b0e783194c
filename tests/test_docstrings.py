"""Docstrings say what every documented value is, as scikit-learn's do, and name only what is there."""

from __future__ import annotations

import ast
import itertools
import pathlib
import re
from collections.abc import Iterator
from typing import NamedTuple

ROOT = pathlib.Path(__file__).parents[1]
PACKAGES = ("semwork", "widgets/semwork_widgets")

SECTION = re.compile(r"^(Parameters|Attributes)\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", flags=re.MULTILINE | re.DOTALL)

Documented = ast.ClassDef | ast.FunctionDef


class Entry(NamedTuple):
    section: str
    names: tuple[str, ...]
    type: str


def entries(docstring: str) -> list[Entry]:
    """What stands in the sections of parameters and attributes."""
    found = []
    for section, body in SECTION.findall(docstring):
        for line in body.splitlines():
            if line and not line.startswith(" "):
                names, _, kind = line.partition(" : ")
                found.append(Entry(section, tuple(re.split(r",\s*", names.strip())), kind.strip()))
    return found


def parsed() -> dict[str, ast.Module]:
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}


MODULES = parsed()


def public(node: ast.Module | ast.ClassDef, path: str) -> Iterator[tuple[str, Documented]]:
    """Public classes and functions of a module, and the public methods of these classes."""
    for child in node.body:
        if isinstance(child, Documented) and not child.name.startswith("_"):
            yield f"{path}: {child.name}", child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{path}: {child.name}")


def documented() -> Iterator[tuple[str, Documented, list[Entry]]]:
    for path, module in MODULES.items():
        for name, node in public(module, path):
            yield name, node, entries(ast.get_docstring(node) or "")


CLASSES = {
    node.name: node for module in MODULES.values() for node in ast.walk(module) if isinstance(node, ast.ClassDef)
}


def family(node: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """The class and those that it is derived from, as far as they are ours."""
    yield node
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0].rpartition(".")[2]
        if name in CLASSES and name != node.name:
            yield from family(CLASSES[name])


def signature(function: ast.FunctionDef) -> list[str]:
    """Names of the arguments, ``*names`` and ``**options`` with their stars, without ``self`` and ``cls``."""
    given = function.args
    stars = ((given.vararg, "*"), (given.kwarg, "**"))
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [*(name for name in names if name not in ("self", "cls")), *(f"{s}{one.arg}" for one, s in stars if one)]


def constructor(node: ast.ClassDef) -> ast.FunctionDef | None:
    return next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)


def made_with(node: ast.ClassDef) -> set[str]:
    """What a class is made with: the arguments of its constructor, or the fields of a record."""
    names = set()
    for one in family(node):
        made = constructor(one)
        if made is not None:
            return names | set(signature(made))
        names |= {ast.unparse(field.target) for field in one.body if isinstance(field, ast.AnnAssign)}
    return names


def is_estimator(node: ast.ClassDef) -> bool:
    return any("BaseEstimator" in map(ast.unparse, one.bases) for one in family(node))


ESTIMATORS = {name: node for name, node, _ in documented() if isinstance(node, ast.ClassDef) and is_estimator(node)}


def test_every_documented_value_has_a_type():
    without = [
        f"{name}: {', '.join(entry.names)}" for name, _, given in documented() for entry in given if not entry.type
    ]
    assert without == []


def test_every_documented_parameter_is_there():
    wrong = [
        f"{name}: {parameter}"
        for name, node, given in documented()
        for parameter in itertools.chain.from_iterable(e.names for e in given if e.section == "Parameters")
        if parameter not in (signature(node) if isinstance(node, ast.FunctionDef) else made_with(node))
    ]
    assert wrong == []


def test_every_parameter_of_an_estimator_is_documented():
    assert "semwork/similarity/wtmf.py: WTMF" in ESTIMATORS
    missing = []
    for name, node in ESTIMATORS.items():
        made = constructor(node)
        told = {one for entry in entries(ast.get_docstring(node) or "") for one in entry.names}
        missing += [f"{name}: {one}" for one in (signature(made) if made else ()) if one not in told]
    assert missing == []


def definitions(node: ast.Module | ast.ClassDef) -> dict[str, Documented]:
    return {child.name: child for child in node.body if isinstance(child, Documented)}


def tables(module: ast.Module) -> dict[str, ast.expr]:
    """Values of the names that a module assigns."""
    assigned = [node for node in module.body if isinstance(node, ast.Assign)]
    return {ast.unparse(target): node.value for node in assigned for target in node.targets}


def file_of(module: str) -> str:
    """Where a module of ours is."""
    path = f"{'' if module.partition('.')[0] == 'semwork' else 'widgets/'}{module.replace('.', '/')}"
    return f"{path}.py" if f"{path}.py" in MODULES else f"{path}/__init__.py"


def home(path: str, name: str) -> tuple[str, Documented] | None:
    """Where a name of a module is defined, and how, if it is one of our classes or functions."""
    if path not in MODULES:
        return None
    if name in definitions(MODULES[path]):
        return f"{path}: {name}", definitions(MODULES[path])[name]
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return home(file_of(node.module), alias.name)
    return None


def exported(path: str, module: ast.Module) -> Iterator[tuple[str, Documented]]:
    """What a package lists in ``__all__``, or as names with their modules in ``_MODULES``, where it is defined."""
    said = tables(module)
    if "_MODULES" in said:
        folder = path.removesuffix("__init__.py")
        modules = ast.literal_eval(said["_MODULES"])
        found = [home(f"{folder}{where.replace('.', '/')}.py", name) for name, where in modules.items()]
    else:
        found = [home(path, name) for name in ast.literal_eval(said.get("__all__", ast.List([])))]
    yield from filter(None, found)


EXPORTED = {
    name: node
    for path, module in MODULES.items()
    if path.endswith("/__init__.py")
    for name, node in exported(path, module)
}


def is_property(function: ast.FunctionDef) -> bool:
    """Whether it is read, or set, like an attribute."""
    return any(re.search(r"property$|\.setter$", ast.unparse(one)) for one in function.decorator_list)


def is_question(owner: ast.ClassDef, function: ast.FunctionDef) -> bool:
    """Whether a study is asked about a step: what else it takes are fields of its view, which say what they are."""
    return signature(function)[:1] == ["step"] and any(one.name == "Study" for one in family(owner))


def callables() -> Iterator[tuple[str, list[ast.FunctionDef]]]:
    """Exported functions, and public methods of exported classes, each with those that it overrides."""
    for name, node in EXPORTED.items():
        if isinstance(node, ast.FunctionDef):
            yield name, [node]
            continue
        for method in definitions(node).values():
            if not isinstance(method, ast.FunctionDef) or method.name.startswith("_"):
                continue
            if not is_property(method) and not is_question(node, method):
                found = [definitions(one).get(method.name) for one in family(node)]
                yield f"{name}.{method.name}", [one for one in found if isinstance(one, ast.FunctionDef)]


def test_every_argument_of_what_packages_export_is_documented():
    """What a base says of an overridden method need not be said again; ``_`` is an argument that nobody reads."""
    missing = []
    for name, functions in callables():
        given = [entry for one in functions for entry in entries(ast.get_docstring(one) or "")]
        told = {"_", *(one for entry in given if entry.section == "Parameters" for one in entry.names)}
        missing += [f"{name}: {one}" for one in signature(functions[0]) if one not in told]
    assert missing == []


def test_what_is_given_back_is_documented():
    """For what takes arguments; the name of a function that draws a figure says what it gives."""
    missing = []
    for name, functions in callables():
        gives = ast.unparse(functions[0].returns) if functions[0].returns else "None"
        if gives in ("None", "Self") or name.endswith("_figure") or not signature(functions[0]):
            continue
        if not any(re.search(r"^(Returns|Yields)\n-+$", ast.get_docstring(one) or "", re.M) for one in functions):
            missing.append(name)
    assert missing == []


def test_every_field_of_an_exported_record_is_documented():
    """Those of settings and views have a title and a help of their own."""
    missing = []
    for name, node in EXPORTED.items():
        decorators = [ast.unparse(one).partition("(")[0] for one in node.decorator_list]
        kin = list(family(node)) if isinstance(node, ast.ClassDef) and "dataclass" in decorators else []
        if any(one.name == "Settings" for one in kin):
            continue
        told = {each for one in kin for entry in entries(ast.get_docstring(one) or "") for each in entry.names}
        fields = [ast.unparse(one.target) for each in kin[:1] for one in each.body if isinstance(one, ast.AnnAssign)]
        missing += [f"{name}: {one}" for one in fields if not one.startswith("_") and one not in told]
    assert missing == []


def test_what_packages_export_is_found():
    home = "semwork/similarity"
    assert {f"{home}/search.py: rank", f"{home}/wtmf.py: WTMF", "semwork/text/corpus.py: Corpus"} <= EXPORTED.keys()
    assert {"semwork/datasets/__init__.py: load", "semwork/studies/training.py: training_corpus"} <= EXPORTED.keys()
    assert "widgets/semwork_widgets/panel.py: Panel" in EXPORTED
    found = dict(callables())
    assert [one.name for one in found[f"{home}/wtmf.py: WTMF.fit"]] == ["fit", "fit"]
    assert not {f"{home}/wtmf.py: WTMF.__init__", "semwork/evaluation/ranking.py: Ranking.atop"} & found.keys()


def defaults(function: ast.FunctionDef) -> dict[str, object]:
    """Values that arguments have unless others are given."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    with_default = zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True)
    pairs = [*with_default, *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return {one.arg: ast.literal_eval(value) for one, value in pairs if value is not None}


def test_the_docstring_of_an_estimator_says_the_defaults():
    wrong = []
    for name, node in ESTIMATORS.items():
        made = constructor(node)
        if made is None:
            continue
        parameters = [e for e in entries(ast.get_docstring(node) or "") if e.section == "Parameters"]
        told = {one: entry.type.partition("default=")[2] for entry in parameters for one in entry.names}
        for one, value in defaults(made).items():
            if not told[one] or ast.literal_eval(told[one]) != value:
                wrong.append(f"{name}: {one}, {value!r}")
    assert wrong == []


def test_a_docstring_is_read_as_it_is_written():
    lines = ["X, y : list of str", "    Words : and more.", "k", "    How many.", "", "Returns", "-------", "int"]
    text = "\n".join(["What.", "", "Parameters", "----------", *lines])
    assert entries(text) == [Entry("Parameters", ("X", "y"), "list of str"), Entry("Parameters", ("k",), "")]

"""A module fits on a few screens, and a function on one; what is longer says why beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE, FUNCTION, FIGURE = 350, 60, 55
REASON = "# long: "
SOURCES = sorted([*(ROOT / "semwork").rglob("*.py"), *(ROOT / "widgets").rglob("*.py")])


def docstring_lines(tree: ast.AST) -> int:
    """How many lines of a tree are docstrings."""
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                count += (first.end_lineno or 0) - first.lineno + 1
    return count


def too_long(source: Path) -> Iterator[str]:
    """What is longer in a module than it should be, without a reason; docstrings do not count."""
    text = source.read_text(encoding="utf-8")
    lines, tree = text.splitlines(), ast.parse(text)
    name = source.relative_to(ROOT)
    code = len(lines) - docstring_lines(tree)
    if code > MODULE and REASON not in "\n".join(lines[:30]):
        yield f"{name} has {code} lines of code, more than {MODULE}"
    most = FIGURE if "plots" in source.parts else FUNCTION
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            code = (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node)
            if code > most and REASON not in "\n".join(lines[node.lineno - 2 : node.body[0].lineno]):
                yield f"{name}: {node.name} has {code} lines of code, more than {most}"


def test_nothing_is_too_long_without_a_reason_beside_it():
    assert [found for source in SOURCES for found in too_long(source)] == []


def test_what_is_too_long_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.test_sizes.ROOT", tmp_path)
    body = "\n".join(f"    x = {number}" for number in range(70))
    source = tmp_path / "long.py"
    source.write_text(f'def f():\n    """Say it."""\n{body}\n')
    assert list(too_long(source)) == ["long.py: f has 71 lines of code, more than 60"]
    source.write_text(f"# long: a table\ndef f():\n{body}\n")
    assert list(too_long(source)) == []
    source.write_text("x = 1\n" * 351)
    assert list(too_long(source)) == ["long.py has 351 lines of code, more than 350"]

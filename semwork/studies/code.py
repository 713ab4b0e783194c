"""Python that does the same as a panel: written from the data's origin, the settings and the questions, no template."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from semwork.steps import last
from semwork.studies.origin import NOTHING, Origin, calling, written
from semwork.studies.settings import Settings
from semwork.studies.study import Study

__all__ = ["Drawn", "code_of"]

_WIDTH = 100
_LONG = 60  # letters of a text that nobody wants to read twice
_WARM = "# The panel goes on from its last solution; from a random start the numbers differ a little.\n"


@dataclass(frozen=True)
class Drawn:
    """One picture: which figure shows the answer to which question, or why there is none.

    Attributes
    ----------
    figure : callable
        A function of `semwork.plots`.
    question : str
        A method of the study.
    asked : mapping of str to Any
        Arguments of the question.
    shown : mapping of str to Any
        Arguments of the figure, beside the answer.
    instead : str
        Words that stand in place of the picture.
    """

    figure: Callable[..., Any]
    question: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    shown: Mapping[str, Any] = field(default_factory=dict)
    instead: str = ""


def code_of(
    study: type[Study[Any, Any]],
    origins: Iterable[Origin],
    settings: Settings,
    pictures: Iterable[Drawn],
    *,
    table: Mapping[str, Any] | None = None,
    warm: bool = False,
) -> str:
    """Return a program that makes the study, runs it, prints its table and shows the pictures.

    ``table`` has the arguments of the study's table, and ``warm`` says that the panel did not start anew.

    Parameters
    ----------
    study : type of Study
        The class of the study.
    origins : iterable of Origin
        How each of its inputs is made.
    settings : Settings
        What is computed.
    pictures : iterable of Drawn
        The pictures to show.
    table : mapping of str to Any, or None
        Arguments of the study's table.
    warm : bool
        Whether the panel went on from its last solution, which the program then says.

    Returns
    -------
    str
    """
    given = list(origins)
    while given and given[-1] == NOTHING:
        given.pop()  # the study does without it
    made = calling(study)(*given)
    drawn, tabled = list(pictures), table or {}
    long = _repeated([tabled, *(one.asked for one in drawn if not one.instead)])
    expressions = [_figure(one, long) for one in drawn if not one.instead]
    record = calling(type(settings))
    imports = {*made.imports, *record.imports, *calling(last).imports}.union(*(one.imports for one in expressions))
    figures = _indented("figures = [", [one.code for one in expressions], "]")
    missing = [f"# {' '.join(one.instead.split())}" for one in drawn if one.instead]  # what was typed may have lines
    run = f"settings = {_settings(settings)}\nend = last(study.steps(settings))"
    parts = [
        *_imports(imports),
        "",
        f"study = {made.code}",
        (_WARM if warm else "") + run,
        *(f"{name} = {value!r}" for name, value in long.items()),
        f"print(study.table(end{_arguments(tabled, long)}).round(4).to_string(index=False))",
        figures,
        *missing,
        "for figure in figures:\n    figure.show()",
    ]
    return "\n".join(parts) + "\n"


def _settings(settings: Settings) -> str:
    """The record as it prints itself; a long one with a line for each value."""
    text = repr(settings)
    if len(text) <= _WIDTH - 24:
        return text
    values = [f"{name}={written(getattr(settings, name))}" for name in settings.parameters()]
    return _indented(f"{type(settings).__name__}(", values, ")")


def _indented(before: str, lines: Iterable[str], after: str) -> str:
    return f"{before}\n" + "".join(textwrap.indent(f"{line},\n", "    ") for line in lines) + after


def _figure(one: Drawn, long: Mapping[str, str]) -> Origin:
    function = calling(one.figure)
    answer = f"study.{one.question}(end{_arguments(one.asked, long)})"
    return Origin(lambda: None, f"{function.code}(**{answer}{_arguments(one.shown)})", function.imports)


def _arguments(named: Mapping[str, Any], long: Mapping[str, str] | None = None) -> str:
    known = long or {}
    given = {name: name if name in known and known[name] == value else written(value) for name, value in named.items()}
    return "".join(f", {name}={value}" for name, value in given.items())


def _repeated(calls: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Long texts that several calls are given: each is written once, under its name."""
    named = [item for call in calls for item in call.items() if isinstance(item[1], str) and len(item[1]) > _LONG]
    return {name: value for name, value in named if named.count((name, value)) > 1}


def _imports(names: Iterable[tuple[str, str]]) -> list[str]:
    """One line for each module, as a formatter sorts them."""
    by_module: dict[str, set[str]] = {}
    for module, name in names:
        by_module.setdefault(module, set()).add(name)
    return [f"from {module} import {', '.join(sorted(by_module[module], key=_rank))}" for module in sorted(by_module)]


def _rank(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name

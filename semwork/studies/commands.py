"""``semwork study``: run a study from the command line, with the options that it declares."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from semwork import studies
from semwork.atomic import write_whole
from semwork.datasets import KINDS, DataNotAvailable
from semwork.given import listed
from semwork.steps import Step, last, reporting
from semwork.studies.settings import Parameter, add_arguments, described
from semwork.studies.study import Source, Study, asked
from semwork.sweeps import SweepFailed

__all__ = ["all_studies", "reference", "run_study"]


def all_studies() -> dict[str, type[Study[Any, Any]]]:
    """Return all studies by name; importing the models behind them takes seconds.

    Examples
    --------
    >>> "RetrievalRace" in all_studies()
    True
    """
    found = {name: getattr(studies, name) for name in studies.__all__}
    return {
        name: one
        for name, one in found.items()
        if isinstance(one, type) and issubclass(one, Study) and not getattr(one, "__abstractmethods__", None)
    }


def question_of(study: type[Study[Any, Any]]) -> str:
    """Return what a study asks: the first line of its module.

    Examples
    --------
    >>> from semwork.studies import FirstCurve
    >>> question_of(FirstCurve)
    'How soon is the right definition found?'
    """
    return (sys.modules[study.__module__].__doc__ or study.__doc__ or "").strip().splitlines()[0]


def reference() -> str:
    """Return a page of Markdown with every study: its question, its data, and the parameters that it declares."""
    lines = [
        "# Studies",
        "",
        "<!-- written by `make api` from what the studies declare; a test compares -->",
        "",
        "Each study is one question of a lesson. Its panel has these parameters as controls, and its two records take",
        "them in Python. `semwork study NAME` runs it and prints its table; its options are the parameters of what is",
        "computed, and those of what is drawn that the table asks for.",
    ]
    for name, study in all_studies().items():
        lines += ["", f"## {name}", "", question_of(study), ""]
        for argument, one in study.inputs.items():
            kinds = [kind for kind, record in KINDS.items() if record in one.takes]
            yours = f"; of your own: {listed(kinds)}" if kinds else ""
            known = ", ".join(_said_of(key, source) for key, source in one.sources.items())
            lines.append(f"- `{argument}`: {known}{yours}")
        options = listed([f"`{one}`" for one in asked(study.table)])
        drawn = f"What is drawn (the table asks for {options})" if options else "What is drawn"
        for words, record in (("What is computed", study.settings), (drawn, study.view)):
            if record.parameters():
                lines += ["", f"{words}, `{record.__name__}`:", "", described(record)]
    return "\n".join(lines) + "\n"


def _said_of(key: str, source: Source) -> str:
    needed = [*source.needs, *source.packages]
    needs = f"; needs {listed(needed)}" if needed else ""
    return f"`{key}` ({source.title}{needs})"


def _parser(name: str, study: type[Study[Any, Any]]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"semwork study {name}", description=question_of(study))
    for argument, one in study.inputs.items():
        first = next(iter(one.sources))
        names = list(one.offered)
        words = f"{one.symbol}: {', '.join(names)} (default: {first})".replace("%", "%%")
        parser.add_argument(f"--{argument}", choices=names, default=first, metavar="NAME", help=words)
    parser.add_argument("--save", metavar="FILE", help="write the table there as CSV, too")
    add_arguments(parser.add_argument_group("what is computed"), study.settings)
    if shown := asked(study.table):
        add_arguments(parser.add_argument_group("what is shown"), study.view, shown)
    return parser


def run_study(name: str | None, options: Sequence[str]) -> int:
    """Run one study and print its table, or list all of them; returns an exit code.

    Parameters
    ----------
    name : str or None
        The study; without one they are listed.
    options : sequence of str
        What follows on the command line.
    """
    known = all_studies()
    if name is None:
        width = max(map(len, known))
        for one, study in known.items():
            print(f"{one:<{width}}  {question_of(study)}")
        print("\nRun one with: semwork study NAME, and see its options with: semwork study NAME --help")
        return 0
    if name not in known:
        print(f"there is no study {name!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    study = known[name]
    parser = _parser(name, study)
    given = vars(parser.parse_args(options))
    data = {one: given[one] for one in study.inputs}
    try:
        made = study.on(**data)
        # What is good depends on the data: what the line does not say is taken from there.
        own = any(one.source(data[name]).own for name, one in study.inputs.items())
        good = study.settings.good_for(*data.values(), known=made.facts, own=own)
        views = {name: study.view.parameters()[name] for name in asked(study.table)}
        shown = {name: one.default_for(data.values(), made.facts, own=own) for name, one in views.items()}
        parser.set_defaults(**{one: getattr(good, one) for one in study.settings.parameters()}, **shown)
        given = vars(parser.parse_args(options))
        for one in [*study.inputs, *study.settings.parameters()]:
            parser.set_defaults(**study.reaction(one, given))
        given = vars(parser.parse_args(options))
        settings = study.settings(**{one: given[one] for one in study.settings.parameters()}).checked(made.facts)
        study.view(**{one: given[one] for one in views}).checked()
        end, code = _ended(made.steps(settings))
        table = made.table(
            end, **{name: _fitting(one.given(end), given[name], shown[name]) for name, one in views.items()}
        )
    except (DataNotAvailable, TypeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(table.to_string(index=False))
    if given["save"] is not None:
        write_whole(Path(given["save"]), f"# semwork study {name}, {settings!r}\n" + table.to_csv(index=False))
        print(f"saved {given['save']}", file=sys.stderr)
    return code


def _fitting(one: Parameter, value: Any, default: Any) -> Any:
    """A value that the last step allows: what was typed is checked, the nearest one to a default is taken."""
    if value == default:
        return one.nearest(value)
    one.check(value)
    return value


def _ended(steps: Iterable[Step]) -> tuple[Step, int]:
    """The last step and an exit code; of a sweep, the last step has what is there although other cells have failed."""
    known: deque[Step] = deque(maxlen=1)
    try:
        return last(reporting(reporting(steps, _tell), known.append)), 0
    except SweepFailed as error:
        print(error, file=sys.stderr)
        return known[0], 1


def _tell(step: Step) -> None:
    print(f"  {step.done}{f' of {step.total}' if step.total else ''} {step.message}", file=sys.stderr, flush=True)

"""``semwork study``: run a study from the command line, with the options that it declares."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from semwork import studies
from semwork.atomic import write_whole
from semwork.datasets import DataNotAvailable
from semwork.given import listed
from semwork.steps import Step, last, reporting
from semwork.studies.settings import add_arguments, described
from semwork.studies.study import Source, Study, asked

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
        "Each study is one question of a lesson. `semwork study NAME` runs it with these parameters as options, its",
        "panel has them as controls, and its two records take them in Python.",
    ]
    for name, study in all_studies().items():
        lines += ["", f"## {name}", "", question_of(study), ""]
        for argument, one in study.inputs.items():
            lines.append(f"- `{argument}`: {', '.join(_said_of(key, source) for key, source in one.sources.items())}")
        for words, record in (("What is computed", study.settings), ("What is drawn", study.view)):
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
        words = f"{one.symbol}: {', '.join(one.sources)} (default: {first})".replace("%", "%%")
        parser.add_argument(f"--{argument}", choices=list(one.sources), default=first, metavar="NAME", help=words)
    parser.add_argument("--save", metavar="FILE", help="write the table there as CSV, too")
    add_arguments(parser.add_argument_group("what is computed"), study.settings)
    if asked(study.table):
        add_arguments(parser.add_argument_group("what is shown"), study.view)
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
        good = study.settings.good_for(*data.values(), known=made.facts)
        parser.set_defaults(**{one: getattr(good, one) for one in study.settings.parameters()})
        given = vars(parser.parse_args(options))
        settings = study.settings(**{one: given[one] for one in study.settings.parameters()}).checked(made.facts)
        view = study.view(**{one: given[one] for one in asked(study.table)}).checked()
        end = last(reporting(made.steps(settings), _tell))
    except (DataNotAvailable, TypeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    table = made.table(end, **{one: getattr(view, one) for one in asked(study.table)})
    print(table.to_string(index=False))
    if given["save"] is not None:
        write_whole(Path(given["save"]), f"# semwork study {name}, {settings!r}\n" + table.to_csv(index=False))
        print(f"saved {given['save']}", file=sys.stderr)
    return 0


def _tell(step: Step) -> None:
    print(f"  {step.done}{f' of {step.total}' if step.total else ''} {step.message}", file=sys.stderr, flush=True)

"""What ``semwork data list|fetch|verify|path`` does; every handler prints and returns an exit code."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from semwork.datasets import DataNotAvailable, UnknownDataSet, available, fetch, folders, names, path
from semwork.datasets.finding import Found, find
from semwork.datasets.progress import to_terminal
from semwork.datasets.registry import DataSet, markdown, megabytes, registered

__all__ = ["add_parser", "run_fetch", "run_list", "run_path", "run_verify"]


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add ``data`` and its four commands; each sets ``run``, a function from the arguments to an exit code."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "data", help="the data sets: list, fetch, verify, path", description="The data sets of semwork, by name."
    )
    commands = parser.add_subparsers(dest="data_command", required=True, metavar="COMMAND")

    command = commands.add_parser("list", help="what there is, what is here, and where")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="print data/README.md")
    form.add_argument("--json", action="store_true", help="print the list for other programs")
    command.set_defaults(run=lambda args: run_list(as_markdown=args.markdown, as_json=args.json))

    command = commands.add_parser("fetch", help="get data sets")
    command.add_argument("names", nargs="*", metavar="NAME", help="a data set")
    command.add_argument("--all", action="store_true", help="all of them")
    command.set_defaults(run=lambda args: run_fetch(args.names, everything=args.all))

    command = commands.add_parser("verify", help="hash again what is here")
    command.add_argument("names", nargs="*", metavar="NAME", help="a data set; without any, all that are here")
    command.set_defaults(run=lambda args: run_verify(args.names))

    command = commands.add_parser("path", help="print the folder of the original files")
    command.add_argument("name", metavar="NAME", help="a data set; it is fetched when it is not here")
    command.set_defaults(run=lambda args: run_path(args.name))
    return parser


def _size(data: DataSet) -> str:
    return megabytes(data.download_size) if data.files else "-"


def _where(data: DataSet) -> tuple[bool, str]:
    """Say whether a data set is here, and where or what is wrong."""
    if data.kind == "written":
        return available(data.name), str(folders.sample_folder())
    if data.kind in {"derived", "library"}:
        return available(data.name), data.source
    found = find(data)
    if found.folder:
        return True, str(found.folder)
    if found.archive:
        return True, f"{found.archive} (to be unpacked)"
    return False, "; ".join(found.problems) or data.source


def run_list(*, as_markdown: bool = False, as_json: bool = False) -> int:
    """Print the data sets, as a table, as data/README.md or as JSON."""
    if as_markdown:
        print(markdown(), end="")
        return 0
    rows = []
    for data in registered().values():
        here, where = _where(data)
        rows.append({"name": data.name, "here": here, "size": data.download_size, "title": data.title, "where": where})
    if as_json:
        print(json.dumps(rows, indent=2))
        return 0
    wide = max(len(name) for name in names())
    for row, data in zip(rows, registered().values(), strict=True):
        mark = "here" if row["here"] else "-"
        print(f"{data.name:{wide}}  {mark:4}  {_size(data):>8}  {data.title}")
        print(f"{'':{wide}}  {'':4}  {'':>8}  {row['where']}")
    user = folders.data_folder()
    print(f"\n$SEMWORK_DATA:  {user or 'not set'}\n$SEMWORK_CACHE: {folders.cache_folder()}")
    missing = [row["name"] for row in rows if not row["here"]]
    if missing:
        print(f"Get what is missing: semwork data fetch {' '.join(map(str, missing))}")
    return 0


def _known(wanted: Iterable[str]) -> list[str]:
    return [registered()[name].name for name in wanted]


def _complain(message: object) -> int:
    print(message, file=sys.stderr)
    return 2


def run_fetch(wanted: list[str], *, everything: bool = False) -> int:
    """Fetch data sets, go on after a failure, and sum up; 1 when something is missing at the end."""
    if bool(wanted) == everything:
        return _complain(f"say which data sets, or --all. There are: {', '.join(names())}")
    try:
        chosen = list(names()) if everything else _known(wanted)
    except UnknownDataSet as error:
        return _complain(error)
    failed = []
    for name in chosen:
        try:
            show = to_terminal(always=True)
            with contextlib.closing(fetch(name)) as steps:
                for step in steps:
                    show(step)
        except DataNotAvailable as error:
            failed.append(name)
            print(f"\n{error}\n", file=sys.stderr)
    good = [name for name in chosen if name not in failed]
    print(f"{len(good)} of {len(chosen)} data sets are here" + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def run_verify(wanted: list[str]) -> int:
    """Hash again every file that is here; 1 when a file is wrong or a named data set is missing."""
    try:
        chosen = _known(wanted or names())
    except UnknownDataSet as error:
        return _complain(error)
    bad = 0
    for name in chosen:
        data = registered()[name]
        if not data.files:
            if wanted:
                print(f"{name}: {_NOTHING_TO_HASH[data.kind]} ({data.source}), nothing to hash")
            continue
        found = find(data, fresh=True)
        problems = [*found.problems, *_damaged(data, found)]
        if found.here:
            print(f"{name}: good, {found.folder or found.archive}")
        elif wanted and not problems:
            problems = ["not on this machine"]
        for problem in problems:
            print(f"{name}: {problem}")
        bad += bool(problems)
    print(f"{bad} with problems" if bad else "all good")
    return 1 if bad else 0


_NOTHING_TO_HASH = {
    "written": "its files come with the code",
    "derived": "has no files of its own",
    "library": "has no files of its own",
}


def _damaged(data: DataSet, found: Found) -> list[str]:
    """Name a folder in which some files are missing; one that is empty or holds the archive is no damage."""
    if found.here:
        return []
    problems = []
    for root in folders.roots():
        missing = [file.path for file in data.files if not (root / data.name / file.path).is_file()]
        if 0 < len(missing) < len(data.files):
            problems.append(f"{root / data.name} lacks {len(missing)} of {len(data.files)} files, such as {missing[0]}")
    return problems


def run_path(name: str) -> int:
    """Print the folder of the original files, fetching them when they are not here."""
    try:
        folder: Path = path(name)
    except (UnknownDataSet, ValueError) as error:
        return _complain(error)
    except DataNotAvailable as error:
        print(error, file=sys.stderr)
        return 1
    print(folder)
    return 0

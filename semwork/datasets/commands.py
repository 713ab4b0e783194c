"""What ``semwork data list|fetch|verify|path|add|remove`` does; every handler prints and returns an exit code."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from semwork.datasets import (
    KINDS,
    DataNotAvailable,
    UnknownDataSet,
    available,
    fetch,
    folders,
    names,
    own_data,
    path,
    read_table,
    register,
    remove,
)
from semwork.datasets.cache import CacheNotWritable
from semwork.datasets.finding import Found, find
from semwork.datasets.progress import to_terminal
from semwork.datasets.registry import DataSet, markdown, megabytes, registered

__all__ = ["add_parser", "run_add", "run_fetch", "run_list", "run_path", "run_remove", "run_verify"]


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add ``data`` and its six commands; each sets ``run``, a function from the arguments to an exit code."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "data", help="the data sets: list, fetch, verify, path; your own: add, remove", description="Data by name."
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

    command = commands.add_parser("add", help="read a file of your own, say what was read, and keep it")
    command.add_argument(
        "file", metavar="FILE", help="a table, a text in each line, JSON, vectors, or a folder of .txt"
    )
    command.add_argument("--kind", choices=tuple(KINDS), help="what it is; guessed, and said, if not given")
    command.add_argument("--name", metavar="NAME", help="what to call it; the file's name if not given")
    command.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=COLUMN",
        help="which column is the text, the label, …: --column text=review --column label=stars",
    )
    command.add_argument("--encoding", help="of the file; found if not given")
    command.add_argument("--delimiter", help="the sign between cells; found if not given")
    command.add_argument("--rows", type=int, metavar="N", help="read the first N rows only")
    command.add_argument("--replace", action="store_true", help="take the place of data of the same name")
    command.set_defaults(run=run_add)

    command = commands.add_parser("remove", help="remove data of your own, for good")
    command.add_argument("name", metavar="NAME", help="as semwork data list has it")
    command.set_defaults(run=lambda args: run_remove(args.name))
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
    own = [
        {"name": one.name, "here": True, "kind": one.kind, "rows": one.rows, "where": one.place} for one in own_data()
    ]
    if as_json:
        print(json.dumps([*rows, *own], indent=2))
        return 0
    wide = max(len(name) for name in names())
    for row, data in zip(rows, registered().values(), strict=True):
        mark = "here" if row["here"] else "-"
        print(f"{data.name:{wide}}  {mark:4}  {_size(data):>8}  {data.title}")
        print(f"{'':{wide}}  {'':4}  {'':>8}  {row['where']}")
    if own:
        print("\nYour own (semwork data add FILE, semwork data remove NAME):")
    for one in own:
        print(f"{one['name']}  {one['kind']}, {one['rows']:,} rows\n  {one['where']}")
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


def run_add(args: argparse.Namespace) -> int:
    """Read a file, print the report and keep the record; 1 when no row is good, 2 when something must be said first."""
    columns: dict[str, str | int] = {}
    for pair in args.column:
        role, equals, column = pair.partition("=")
        if not equals:
            return _complain(f"--column is {pair!r}; write ROLE=COLUMN, such as text=review")
        columns[role] = column
    delimiter = {"\\t": "\t", "tab": "\t"}.get(args.delimiter, args.delimiter)
    options = {"encoding": args.encoding, "delimiter": delimiter, "rows": args.rows}
    try:
        reading = read_table(Path(args.file), args.kind, columns, **options)
    except (OSError, ValueError, TypeError, MemoryError) as error:
        return _complain(error)
    if reading.record is None:
        print(reading.report)
        _complain("Nothing was kept.")
        return 2 if reading.report.undecided else 1
    try:
        own = register(args.name or reading.record.name, reading.record, report=reading.report, replace=args.replace)
    except (CacheNotWritable, ValueError) as error:
        print(reading.report)
        return _complain(error)
    print(reading.report.kept_at(own.place))
    print(f"load({own.name!r}) has it from now on")
    return 0


def run_remove(name: str) -> int:
    """Remove data of one's own; 2 when there are none of that name."""
    try:
        remove(name)
    except (UnknownDataSet, ValueError, OSError) as error:
        return _complain(error)
    print(f"{name!r} is removed")
    return 0

"""Running experiments from the command line."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from semwork.datasets import DataNotAvailable
from semwork.datasets.cache import CacheNotWritable
from semwork.experiments.cells import ResultStep, Running
from semwork.experiments.declared import EXPERIMENTS, Experiment
from semwork.experiments.report import write_page, write_pictures
from semwork.experiments.tables import write_tables
from semwork.experiments.version_3 import Results
from semwork.steps import last, reporting
from semwork.sweeps import SweepFailed

__all__ = ["run_and_print"]


def _naming_older(steps: Iterator[ResultStep], store: Results) -> Iterator[ResultStep]:
    """Pass steps on, and say once what could have been taken over: cells that were computed by older code."""
    said = False
    for step in steps:
        if store.passed_over and not said:
            said = True
            print(
                f"{len(store.passed_over)} older results are in {store.path}; --adopt takes them over, for those who "
                "know that what has changed since then changes none of them",
                file=sys.stderr,
            )
        yield step


def _show_progress(step: ResultStep) -> None:
    said = f"  {step.done}{f' of {step.total}' if step.total else ''} {step.message}"
    if not sys.stderr.isatty():
        print(said, file=sys.stderr, flush=True)
    else:
        width = shutil.get_terminal_size().columns - 1
        print(f"\r{said:<{width}.{width}}", end="", file=sys.stderr, flush=True)


def run_and_print(
    names: Sequence[str],
    *,
    every: bool = False,
    seeds: int | None = None,
    save: str | Path | None = None,
    adopt: bool = False,
    report: str | Path | None = None,
) -> int:
    """Run experiments and print their tables; returns an exit code.

    Parameters
    ----------
    names : sequence of str
        Which, or ``all``; none lists them.
    every : bool
        All of them.
    seeds : int or None
        Runs to average, instead of as many as each experiment has.
    save : str, Path or None
        A folder for the tables, and for a page that shows all tables in it.
    adopt : bool
        Whether results that older code has computed are taken over, for a change that changes none of them.
    report : str, Path or None
        A folder of tables whose page is written again; nothing is run for it.

    Returns
    -------
    int
        The exit code.
    """
    every = every or "all" in names
    names = [name for name in names if name != "all"]
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        print(f"no experiment {', '.join(unknown)}; there are: {', '.join(EXPERIMENTS)}, and all", file=sys.stderr)
        return 2
    if seeds is not None and seeds < 1:
        print(f"--seeds is {seeds}; give 1 or more", file=sys.stderr)
        return 2
    if report is not None and not Path(report).is_dir():
        print(f"--report is {report}; give a folder with tables that semwork reproduce --save wrote", file=sys.stderr)
        return 2
    if report is not None and not names and not every:
        print(f"saved {write_page(report)}")
        return 0
    if not names and not every:
        for name, experiment in EXPERIMENTS.items():
            print(f"{name:<12} {experiment.title}")
        print("\nRun one with: semwork reproduce NAME, or every one with: semwork reproduce all")
        return 0
    code = 0
    for name in EXPERIMENTS if every else names:
        store = Results(adopt=adopt)
        try:
            _run(name, EXPERIMENTS[name], seeds, save, store)
        except CacheNotWritable as error:  # nothing could be kept of the next one, either
            print(f"\n{error}", file=sys.stderr)
            return 1
        except (DataNotAvailable, SweepFailed) as error:
            print("\n".join([f"\n{error}", *_tracebacks(error, store)]), file=sys.stderr)
            code = 1
    return code


def _tracebacks(error: Exception, store: Results) -> list[str]:
    """Where it is written what happened in the cells that failed."""
    errors = error.errors if isinstance(error, SweepFailed) else ()
    places = [store.place(cell, ".failed.txt") for cell in errors]
    return [f"its traceback is in {place}" for place in places if place.exists()][:5]


def _run(name: str, experiment: Experiment, seeds: int | None, save: str | Path | None, store: Results) -> None:
    import pandas as pd

    print(f"{experiment.title}\n{experiment.differences}")
    steps = experiment.steps(seeds or experiment.seeds, Running(store=store))
    tables = last(reporting(_naming_older(steps, store), _show_progress)).tables
    if sys.stderr.isatty():
        print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="", file=sys.stderr)
    for said, count in Counter(store.adopted.values()).items():
        print(f"{count} results were adopted {said}")
    for table, rows in tables.items():
        print(f"\n{table}\n{pd.DataFrame(list(rows)).fillna('').to_string(index=False)}")
    if save is not None:
        command = f"semwork reproduce {name}" + (f" --seeds {seeds}" if seeds else "")
        for path in [*write_tables(save, name, tables, command), *write_pictures(save, name), write_page(save)]:
            print(f"saved {path}")

"""The list of experiments, and running them from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from semwork.steps import Step, last, reporting

__all__ = ["EXPERIMENTS", "Experiment", "ResultStep", "run_and_print"]


@dataclass(frozen=True, kw_only=True)
class ResultStep(Step):
    """Progress of an experiment; the last step holds its rows: what, the paper's number, ours."""

    rows: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Experiment:
    """A published result and how we compute it."""

    title: str
    differences: str
    steps: Callable[[], Iterator[ResultStep]]


def _ir_steps() -> Iterator[ResultStep]:
    from semwork.experiments.definitions import ir_steps

    return ir_steps()


EXPERIMENTS = {
    "ir": Experiment(
        title="Concept definition retrieval by surface words (Guo & Diab 2012, Table 2, row IR)",
        differences="Queries are GCIDE definitions and candidates WordNet's; the paper's are not public.",
        steps=_ir_steps,
    ),
}


def _show_progress(step: ResultStep) -> None:
    if sys.stderr.isatty() and step.total:
        print(f"\r  {step.done} of {step.total} {step.message:<30}", end="", file=sys.stderr, flush=True)


def run_and_print(names: Sequence[str], *, every: bool = False) -> int:
    """Run experiments by name and print tables; without a name, list them. Returns an exit code."""
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        print(f"no experiment {', '.join(unknown)}; there are: {', '.join(EXPERIMENTS)}", file=sys.stderr)
        return 2
    if not names and not every:
        for name, experiment in EXPERIMENTS.items():
            print(f"{name:<10} {experiment.title}")
        print("\nRun one with: semwork reproduce NAME")
        return 0
    for name in EXPERIMENTS if every else names:
        _run(EXPERIMENTS[name])
    return 0


def _run(experiment: Experiment) -> None:
    import pandas as pd

    print(f"{experiment.title}\n{experiment.differences}")
    result = last(reporting(experiment.steps(), _show_progress))
    if sys.stderr.isatty():
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
    print(pd.DataFrame(list(result.rows)).to_string(index=False))

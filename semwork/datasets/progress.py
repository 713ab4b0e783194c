"""Progress on a terminal, one line that rewrites itself."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from semwork.datasets.fetching import FetchStep

__all__ = ["to_terminal"]


def to_terminal(*, always: bool = False) -> Callable[[FetchStep], None]:
    """Return a report for steps: on a terminal a line that rewrites itself, else nothing, or one line per phase."""
    last: list[FetchStep] = []

    def show(step: FetchStep) -> None:
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            end = "\n" if step.phase == "ready" else ""
            sys.stderr.write("\r" + step.message[:width].ljust(width) + end)
            sys.stderr.flush()
        elif always:
            _log(last[-1] if last else None, step)
            last[:] = [step]

    return show


def _log(before: FetchStep | None, step: FetchStep) -> None:
    """Write to a file or a pipe: how each download went, and the beginning of every phase."""
    if before and before.phase == step.phase and before.name == step.name:
        return
    if before and before.phase == "downloading":
        sys.stderr.write(before.message + "\n")
    words = f"{step.name}: downloading" if step.phase == "downloading" else step.message
    sys.stderr.write(words + "\n")

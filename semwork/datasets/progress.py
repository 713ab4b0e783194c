"""Progress on a terminal, one line that rewrites itself."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable

from semwork.datasets.fetching import FetchStep

__all__ = ["to_terminal"]


def to_terminal(*, always: bool = False) -> Callable[[FetchStep], None]:
    """Return a report for steps: on a terminal a line that rewrites itself, else nothing, or one line per phase."""
    last: list[tuple[str, str]] = []

    def show(step: FetchStep) -> None:
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            end = "\n" if step.phase == "ready" else ""
            sys.stderr.write("\r" + step.message[:width].ljust(width) + end)
            sys.stderr.flush()
        elif always and last != [(step.name, step.phase)]:
            last[:] = [(step.name, step.phase)]
            sys.stderr.write(step.message + "\n")

    return show

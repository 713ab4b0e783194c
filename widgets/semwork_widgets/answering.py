"""Answer a reader while other cells still run."""

from __future__ import annotations

from typing import Any

__all__ = ["answer_while_cells_run"]


def answer_while_cells_run(widget: Any) -> None:
    """Let what a reader does with a widget, or with a part of it, be handled in the thread that the page asks for.

    JupyterLab asks for a thread of its own (a subshell), so that a panel answers during "Run All". ipykernel 7.4 sends
    it to the thread that last spoke to the page instead, as a rule the one that runs the cells: a slider above a long
    cell would be dead until that is over. Other versions do not look at what is set here.
    """
    if widget.comm is not None:
        widget.comm._reply_subshell_for = _as_asked
    for part in getattr(widget, "children", ()):
        answer_while_cells_run(part)


def _as_asked(_: Any, asked: str | None) -> str | None:
    return asked

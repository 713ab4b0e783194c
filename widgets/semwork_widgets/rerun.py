"""A cell that is run again makes new panels: the work of the old ones must not go on behind them."""

from __future__ import annotations

import weakref
from typing import Any

__all__ = ["end_older_ones"]

# Cell → the execution that made panels in it last, and those panels.
_panels_of_cell: dict[str, tuple[str, weakref.WeakSet[Any]]] = {}


def cell_and_execution() -> tuple[str | None, str]:
    """Return the notebook cell being run, if the front end tells, and which of its executions this is."""
    from IPython import get_ipython

    shell = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id", "")


def end_older_ones(panel: Any) -> None:
    """Close the jobs of the panels that an earlier execution of this cell has made."""
    cell, execution = cell_and_execution()
    if cell is None:
        return
    before, panels = _panels_of_cell.get(cell, (execution, weakref.WeakSet()))
    if before != execution:
        for older in panels:
            older.job.close()
        panels = weakref.WeakSet()
    panels.add(panel)
    _panels_of_cell[cell] = (execution, panels)

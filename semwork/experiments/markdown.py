"""A table of results as Markdown."""

from __future__ import annotations

from typing import Any

__all__ = ["markdown"]


def _cell(value: Any) -> str:
    if isinstance(value, float):
        if value != value:  # noqa: PLR0124 - NaN: the paper does not say
            return "–"
        return f"{value:.4f}".removeprefix("0") if abs(value) < 1 else f"{value:.2f}"
    return str(value)


def markdown(table: Any, columns: dict[str, str]) -> str:
    """Some columns of a table, under new names, as a Markdown table.

    Examples
    --------
    >>> import pandas as pd
    >>> print(markdown(pd.DataFrame({"model": ["IR"], "test": [0.8762], "seeds": [1]}), {"model": "", "test": "ATOP"}))
    |  | ATOP |
    |---|---|
    | IR | .8762 |
    """
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns)]
    kept = [name for name in columns if name in table.columns]
    rows = table[kept].to_dict("records")
    lines += ["| " + " | ".join(_cell(row[name]) for name in kept) + " |" for row in rows]
    return "\n".join(lines)

"""The result tables as Markdown, for the README: written by a program so that they stay what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from semwork.experiments.running import read_table

__all__ = ["markdown", "results_markdown"]


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


def results_markdown(folder: str | Path) -> str:
    """The tables that the README shows, from the CSV files of ``semwork reproduce --save``."""
    place = Path(folder)
    parts = [
        "Concept definition retrieval, ATOP (Table 2; `semwork reproduce wtmf`):\n",
        markdown(
            read_table(place / "wtmf_table_2.csv"),
            {
                "model": "model",
                "seeds": "runs",
                "dev": "dev",
                "dev, paper": "paper",
                "test": "test",
                "test s.d.": "s.d.",
                "test, paper": "paper",
                "test hit@10": "hit@10",
            },
        ),
        "\nSentence pairs (`semwork reproduce sts2012`). LI06, Pearson r and Spearman ρ:\n",
        markdown(
            read_table(place / "sts2012_li06.csv"),
            {
                "model": "model",
                "seeds": "runs",
                "r": "r",
                "r s.d.": "s.d.",
                "r, paper": "paper",
                "ρ": "ρ",
                "ρ, paper": "paper",
            },
        ),
        "\nMSR04, accuracy in per cent with a threshold from the training set; STS 2012, Pearson:\n",
        markdown(
            read_table(place / "sts2012_msr04.csv").merge(read_table(place / "sts2012_sts2012.csv"), on="model"),
            {
                "model": "model",
                "accuracy": "MSR04",
                "accuracy, paper": "paper",
                "ALL": "ALL",
                "ALL, paper": "paper",
                "ALLnrm": "ALLnrm",
                "ALLnrm, paper": "paper",
                "Mean": "Mean",
                "Mean, paper": "paper",
            },
        ),
    ]
    return "\n".join(parts)

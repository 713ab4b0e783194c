"""Tables that are put together before they are shown: from several files, or with two columns of values as axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["balanced_kernels", "both_tasks", "guides", "pairs", "penalties"]

Read = Callable[[str], Any]


def pairs(read: Read) -> Any:
    """LI06, MSR04 and STS 2012, one row for each model; WTMF and LDA with the papers' numbers."""
    li06 = read("li06").replace({"model": {"WTMF, w_m=0.01": "WTMF"}})
    return read("sts2012").merge(read("msr04"), on="model").merge(li06, on="model")


def penalties(read: Read) -> Any:
    """hit@10 with the default λ of WTMF, with the best of a grid, and with the paper's: texts × weightings."""
    table = read("table")
    which = ("default", "best", "λ = 20")
    scores = (table[f"hit@10, {one}"].map("{:.3f}".format).str.removeprefix("0") for one in which)
    cells = [
        f"λ = {penalty:g}: {default}, {best}, {paper}"
        for penalty, default, best, paper in zip(table["default λ"], *scores, strict=True)
    ]
    return _wide(table.assign(cell=cells, texts=table["texts"].map("{:,}".format)), "texts", "weights")


def balanced_kernels(read: Read) -> Any:
    """Medline, query 20, balanced class weights: the two tables of the paper in one."""
    table = read("medline_query_20")
    table = table[table["weights"] == "balanced"]
    names = {"bag of words": "bag of words", "exponential": "exponential", "von_neumann": "von Neumann"}
    proximity = {"–": "", "training": ", from training documents", "all": ", from all documents"}
    kernel = [names[kind] + proximity[way] for kind, way in zip(table["kernel"], table["proximity"], strict=True)]
    return table.assign(kernel=kernel)


def guides(read: Read) -> Any:
    """Accuracy of two stages and of LCLR, the less is known of the letters the further to the right."""
    table = read("names_guides")
    both = zip(table["two-stage accuracy"], table["LCLR accuracy"], strict=True)
    return _wide(table.assign(cell=[f"{two:.1f} → {joint:.1f}" for two, joint in both]), "language", "guide")


def both_tasks(read: Read) -> Any:
    """Entailment and paraphrase."""
    import pandas as pd

    tables: list[pd.DataFrame] = [read("table_3"), read("table_4")]
    table = pd.concat(tables)
    gain = [
        f"{gain:+.2f} ({low:+.2f} to {high:+.2f})"
        for gain, low, high in zip(table["gain"], table["low"], table["high"], strict=True)
    ]
    return table.assign(gain=gain)


def _wide(table: Any, rows: str, columns: str) -> Any:
    order = list(dict.fromkeys(table[columns]))
    return table.pivot_table("cell", rows, columns, aggfunc="first", sort=False)[order].reset_index()

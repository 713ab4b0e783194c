"""The Medline collection of the SMART project."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd

from semwork.datasets.parsed import Source
from semwork.datasets.records import RetrievalSet

__all__ = ["load"]


def load(source: Source) -> RetrievalSet:
    """Return 30 queries, 1,033 abstracts and the relevant ones of each query; all queries are for the test."""
    folder = source.folder()
    numbers, documents = _records(folder / "MED.ALL")
    query_numbers, queries = _records(folder / "MED.QRY")
    row_of = {number: row for row, number in enumerate(numbers)}
    relevant: dict[int, list[int]] = {number: [] for number in query_numbers}
    for line in (folder / "MED.REL").read_text(encoding="ascii").splitlines():
        if line.strip():
            # either "query document 1" or "query 0 document 1", as collections of this family go
            query, *_, document, _ = (int(part) for part in line.split())
            relevant[query].append(row_of[document])
    return RetrievalSet(
        source.name,
        queries,
        documents,
        [np.array(sorted(set(relevant[number])), dtype=np.int64) for number in query_numbers],
        np.full(len(queries), "test", dtype=object),
        pd.DataFrame({"number": query_numbers}),
        pd.DataFrame({"number": numbers}),
    )


def _records(path: Path) -> tuple[list[int], list[str]]:
    """Read records of the form ``.I number``, ``.W``, text."""
    numbers, texts = [], []
    for block in re.split(r"(?m)^\.I +", path.read_text(encoding="ascii"))[1:]:
        number, _, text = block.partition(".W")
        numbers.append(int(number))
        texts.append(" ".join(text.split()))
    return numbers, texts

"""Data of a reader's own in which everything that can be text tries to be more than text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from semwork.datasets import LabelledDocuments, NamePairs, RetrievalSet, SentencePairs, Sentences, load

ATTACKS = (
    "<script>attacked('script')</script>",
    "<img src=x onerror=\"attacked('img')\">",
    "<a href=\"javascript:attacked('link')\">here</a>",
    "\u202eright to left\u202c",
    "<b>FAT</b>\u0007",
    "$\\href{javascript:attacked('math')}{x}$",
)
#: What must not be in a string that is drawn, or in a page: the beginning of a tag of ours.
TAG = re.compile(r"<(script>attacked|img src=x|a href=\"javascript|b>FAT)")


def attacked(words: str, number: int) -> str:
    """A text with an attack in front of it, and one behind it."""
    return f"{ATTACKS[number % len(ATTACKS)]} {words} {ATTACKS[(number + 1) % len(ATTACKS)]}"


def documents() -> LabelledDocuments:
    """The documents of the sample with attacks in texts, in names of labels, and in the name of the data."""
    sample = load("sample").documents
    texts = [attacked(text, number) for number, text in enumerate(sample.texts)]
    labels = tuple(attacked(name, number) for number, name in enumerate(sample.label_names))
    return LabelledDocuments(f"mine {ATTACKS[1]}", texts, sample.labels, labels, sample.split)


def texts() -> Sentences:
    """The same texts with attacks in their ids and in the name of a column."""
    found = documents()
    table = pd.DataFrame({"id": [attacked(str(row), row) for row in range(len(found))], ATTACKS[0]: 1})
    return Sentences(f"texts {ATTACKS[0]}", found.texts, table)


def pairs() -> SentencePairs:
    """Pairs of the sample with attacks in sentences and groups."""
    sample = load("sample").pairs
    left, right = ([attacked(text, row) for row, text in enumerate(side)] for side in (sample.left, sample.right))
    group = np.array([attacked(str(name), 1) for name in sample.group], dtype=object)
    return SentencePairs(f"pairs {ATTACKS[2]}", left, right, sample.scores, sample.split, group, sample.table)


def definitions() -> RetrievalSet:
    """The dictionaries of the sample with attacks in definitions and headwords."""
    sample = load("sample").dictionary
    queries, candidates = (
        [attacked(text, row) for row, text in enumerate(side)] for side in (sample.queries, sample.candidates)
    )
    tables = (
        table.assign(headword=[attacked(str(head), row) for row, head in enumerate(table["headword"])])
        for table in (sample.query_table, sample.candidate_table)
    )
    return RetrievalSet(f"words {ATTACKS[1]}", queries, candidates, sample.targets, sample.split, *tables)


def names() -> NamePairs:
    """Names of CLDR with attacks behind them."""
    known = load("names", language="el")
    english, foreign = (
        [f"{name} {ATTACKS[row % 3]}" for row, name in enumerate(side[:120])] for side in (known.english, known.foreign)
    )
    return NamePairs(f"names {ATTACKS[0]}", "el", english, foreign, known.kind[:120], known.codes[:120])


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """All strings of a figure, with the name of the field that they stand in."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from strings(one, name)
    elif isinstance(value, list | tuple | np.ndarray | pd.Series):
        for one in value:
            yield from strings(one, key)

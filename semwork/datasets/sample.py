"""The sample written for this project: two dictionaries of the same concepts, distractors, documents, scored pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from semwork.datasets.options import check_seed, check_share, check_size
from semwork.datasets.parsed import Source
from semwork.datasets.records import LabelledDocuments, RetrievalSet, Sample, SentencePairs, sentence_pairs

__all__ = ["load"]


def load(source: Source, *, dev_size: int = 100, test_share: float = 0.25, seed: int = 0) -> Sample:
    """Return the sample.

    Parameters
    ----------
    dev_size : int
        How many of the definitions of dictionary B are queries for development.
    test_share : float
        The share of the documents of each topic that is for the test.
    seed : int
        Of both draws.
    """
    check_seed(seed)
    check_share("test_share", test_share, one_allowed=False)
    folder = source.folder()
    random = np.random.default_rng(seed)
    a, b, distractors = (
        _read(folder / f"{name}.tsv", ["domain", "headword", "definition"])
        for name in ("dictionary_a", "dictionary_b", "distractors")
    )
    documents = _read(folder / "documents.tsv", ["topic", "text"])
    dictionary = _dictionary(a, b, distractors, dev_size, random)
    parts = (a["definition"], b["definition"], distractors["definition"], documents["text"])
    texts = [str(text) for part in parts for text in part.tolist()]
    pairs = _pairs(folder / "pairs.tsv", source.name)
    return Sample(source.name, texts, dictionary, _documents(documents, test_share, random), pairs)


def _read(path: Path, columns: list[str]) -> pd.DataFrame:
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    rows = [line.rstrip("\r").split("\t") for line in lines]
    if not rows or rows[0] != columns or any(len(row) != len(columns) for row in rows):
        raise ValueError(
            f"{path} must begin with the line {'<TAB>'.join(columns)!r} and have as many cells in each row"
        )
    return pd.DataFrame(rows[1:], columns=columns)


def _dictionary(
    a: pd.DataFrame, b: pd.DataFrame, distractors: pd.DataFrame, dev_size: int, random: np.random.Generator
) -> RetrievalSet:
    candidates = pd.concat([a.assign(source="a"), distractors.assign(source="distractor")], ignore_index=True)
    row_of = {key: row for row, key in enumerate(zip(a["domain"], a["headword"], strict=True))}
    keys = list(zip(b["domain"], b["headword"], strict=True))
    missing = [key for key in keys if key not in row_of]
    if missing or len(row_of) != len(a):
        raise ValueError(f"each concept stands once in both dictionaries; in B only: {missing[:3]}")
    check_size("dev_size", dev_size, len(b))
    split = np.full(len(b), "test", dtype=object)
    split[random.permutation(len(b))[:dev_size]] = "dev"
    return RetrievalSet(
        "sample",
        b["definition"].tolist(),
        candidates["definition"].tolist(),
        [np.array([row_of[key]]) for key in keys],
        split,
        b[["domain", "headword"]],
        candidates[["domain", "headword", "source"]],
    )


def _documents(table: pd.DataFrame, test_share: float, random: np.random.Generator) -> LabelledDocuments:
    topics = pd.Categorical(table["topic"])
    split = np.full(len(table), "train", dtype=object)
    for code in range(len(topics.categories)):
        rows = random.permutation(np.flatnonzero(topics.codes == code))
        split[rows[: round(test_share * len(rows))]] = "test"
    names = tuple(str(name) for name in topics.categories)
    return LabelledDocuments("sample", table["text"].tolist(), topics.codes.astype(np.int64), names, split)


def _pairs(path: Path, name: str) -> SentencePairs:
    table = _read(path, ["group", "split", "score", "left", "right"])
    group, split, scores, left, right = (table[column].tolist() for column in table)
    return sentence_pairs(name, left, right, scores, split, group)

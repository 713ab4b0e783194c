"""20 newsgroups and Reuters-21578, as prepared by A. Cardoso-Cachopo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from semwork.datasets.parsed import Source, frame
from semwork.datasets.records import LabelledDocuments

__all__ = ["load_newsgroups", "load_reuters8"]


def load_newsgroups(source: Source) -> LabelledDocuments:
    """Return 20 newsgroups, split by date: 11,293 messages to train, 7,528 to test."""
    return _load(source, "20newsgroups")


def load_reuters8(source: Source, *, variant: str = "r8") -> LabelledDocuments:
    """Return Reuters-21578 stories with one label each.

    Parameters
    ----------
    variant : {"r8", "r52"}
        ``"r8"`` for the 8 most frequent topics, ``"r52"`` for all 52.
    """
    if variant not in ("r8", "r52"):
        raise ValueError(f"variant is {variant!r:.60}; allowed are 'r8' and 'r52'")
    return _load(source, f"reuters-{variant}")


def _load(source: Source, stem: str) -> LabelledDocuments:
    table = frame(source, f"{stem}-1", lambda: _parse(source.folder(), stem))
    labels = pd.Categorical(table["label"])
    texts = [str(text) for text in table["text"].tolist()]
    names = tuple(str(name) for name in labels.categories)
    split = np.array(table["split"].tolist(), dtype=object)
    return LabelledDocuments(source.name, texts, labels.codes.astype(np.int64), names, split)


def _parse(folder: Path, stem: str) -> pd.DataFrame:
    rows = []
    for split in ("train", "test"):
        lines = (folder / f"{stem}-{split}.tab").read_text(encoding="utf-8").split("\n")
        for line in lines[3:]:  # names, types, roles; a line may be empty
            if line.strip():
                label, _, text = line.rstrip("\r").partition("\t")
                rows.append((label, split, text.strip()))
    return pd.DataFrame(rows, columns=["label", "split", "text"])

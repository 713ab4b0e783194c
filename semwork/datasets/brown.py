"""The Brown corpus: one text per sentence."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from semwork.datasets.parsed import Source, frame
from semwork.datasets.records import Sentences

__all__ = ["load"]


def load(source: Source, *, tags: bool = False) -> Sentences:
    """Return the sentences, words and punctuation separated by spaces.

    Parameters
    ----------
    tags : bool
        Keep the part-of-speech tags, as a column ``tags`` with one tag per word.

    Returns
    -------
    Sentences
        The table has ``file`` (ca01 to cr09) and ``category`` (news to humor).
    """
    columns = ["file", "category", "text", *(["tags"] if tags else [])]
    table = frame(source, "sentences-1", lambda: _parse(source.folder()), columns)
    texts = [str(text) for text in table.pop("text").tolist()]
    return Sentences(source.name, texts, table)


def _parse(folder: Path) -> pd.DataFrame:
    rows = []
    for line in (folder / "cats.txt").read_text(encoding="ascii").splitlines():
        name, category = line.split()
        for sentence in (folder / name).read_text(encoding="ascii").splitlines():
            pairs = [token.rpartition("/")[::2] for token in sentence.split()]
            if pairs:
                words, marks = zip(*pairs, strict=True)
                rows.append((name, category, " ".join(words), " ".join(marks)))
    return pd.DataFrame(rows, columns=["file", "category", "text", "tags"])

"""Lexical paraphrases of PPDB 1.0."""

from __future__ import annotations

from semwork.datasets.parsed import Source
from semwork.datasets.records import WordPairs

__all__ = ["load"]

_FILE = "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"


def load(source: Source) -> WordPairs:
    """Return the pairs of words, as they are in the file; they are noisy."""
    text = (source.folder() / _FILE).read_bytes().decode("utf-8")
    pairs = [line.split("\t") for line in text.split("\r\n") if line]
    return WordPairs(source.name, [left for left, _ in pairs], [right for _, right in pairs])

"""From texts to one long array of term numbers, in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.text.analyzers import Analyzer, NotTokens, check_tokens
from semwork.text.words import BREAK, split_texts

__all__ = ["UNKNOWN", "Encoded", "check_texts", "encode"]

DROPPED = -1
"""A token that is no word, or a stop word: the text is read as if it were not there."""
UNKNOWN = -2
"""A word that is no term: it counts nowhere, and it keeps its place between its neighbours."""

END = -3
"""The end of a text, while a block is being read."""

# Token lists cost some 60 bytes a token while they live, so no more than about a megabyte of text is split at once.
_BLOCK_CHARACTERS = 1 << 20
_BLOCK_TOKENS = 1 << 21
_SPACE = re.compile(r"\s")

Integers = NDArray[np.int32]


@dataclass(frozen=True)
class Encoded:
    """Texts as numbers: document d is ``ids[starts[d]:starts[d + 1]]``."""

    ids: Integers
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Cut the documents into ranges of some two million tokens each, so that later stages stay small too."""
        first = 0
        while first < len(self):
            after = int(np.searchsorted(self.starts, self.starts[first] + _BLOCK_TOKENS, side="right")) - 1
            last = min(max(after, first + 1), len(self))
            yield first, last
            first = last

    def block(self, first: int, last: int) -> tuple[Integers, Integers]:
        """Return the tokens of documents ``first:last`` and the document of every token, counted from ``first``."""
        starts = self.starts[first : last + 1]
        documents = np.repeat(np.arange(last - first, dtype=np.int32), np.diff(starts))
        return self.ids[starts[0] : starts[-1]], documents


class _Ids(dict[str, int]):
    """Raw token → term number, found once per different token."""

    def __init__(self, number: Callable[[str], int]) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, token: str) -> int:
        self[token] = number = self._number(token)
        return number


def encode(texts: list[str], analyzer: Analyzer, stop_words: frozenset[str], number: Callable[[str], int]) -> Encoded:
    """Split texts and number their terms; ``number`` says which number a term has."""

    def of_token(token: str) -> int:
        word = analyzer.clean(token)
        if not word or word in stop_words:
            return DROPPED
        term = analyzer.base(word)
        return number(term) if term else DROPPED

    ids = _Ids(of_token)
    if analyzer.plain:
        ids[BREAK] = END
    parts: list[Integers] = []
    lengths: list[tuple[int, NDArray[np.int64]]] = []
    for pieces, documents in _pieces(texts, analyzer.plain):
        found, sizes = _look_up(pieces, documents, analyzer, ids)
        owner = np.repeat(documents - documents[0], sizes)
        kept = found != DROPPED
        if not kept.all():
            found, owner = found[kept], owner[kept]
        parts.append(found)
        lengths.append((int(documents[0]), np.bincount(owner, minlength=len(documents))))
    return Encoded(np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32), _starts(lengths))


def _look_up(
    pieces: list[str], documents: NDArray[np.int64], analyzer: Analyzer, ids: _Ids
) -> tuple[Integers, NDArray[Any]]:
    """Return the numbers of all tokens of all pieces, and how many each piece has."""
    if analyzer.plain:
        tokens = split_texts(pieces)
        found = np.fromiter(map(ids.__getitem__, tokens), dtype=np.int32, count=len(tokens))
        ends = np.flatnonzero(found == END)
        return np.delete(found, ends), np.diff(ends, prepend=-1) - 1
    lists = [_split(piece, number, analyzer) for piece, number in zip(pieces, documents, strict=True)]
    sizes = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    found = np.fromiter(map(ids.__getitem__, chain.from_iterable(lists)), dtype=np.int32, count=int(sizes.sum()))
    return found, sizes


def _split(text: str, number: int, analyzer: Analyzer) -> list[str]:
    """Ask the analyzer, and say for which document it failed."""
    try:
        tokens: object = analyzer.split(text)
        return tokens if isinstance(tokens, list) else check_tokens(tokens, analyzer.name)
    except NotTokens as error:
        raise NotTokens(f"{error}, for document {number} (from 0), {text!r:.60}") from None


def _pieces(texts: list[str], cuttable: bool) -> Iterator[tuple[list[str], NDArray[np.int64]]]:
    """Gather texts into blocks, each with its documents' numbers; cut a text that fills a block at white space."""
    sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 64  # empty texts fill a block too
    ends = np.cumsum(sizes)
    first = 0
    while first < len(texts):
        room = ends[first] - sizes[first] + _BLOCK_CHARACTERS
        last = max(first + 1, int(np.searchsorted(ends, room, side="right")))
        numbers = np.arange(first, last)
        if last > first + 1 or not cuttable:
            yield texts[first:last], numbers
        else:
            yield from (([piece], numbers) for piece in _cut(texts[first]))
        first = last


def _cut(text: str) -> Iterator[str]:
    start = 0
    while space := _SPACE.search(text, start + _BLOCK_CHARACTERS):
        yield text[start : space.start()]
        start = space.start()
    yield text[start:]


def _starts(lengths: list[tuple[int, NDArray[np.int64]]]) -> NDArray[np.int64]:
    """Add up the tokens of every document; one that was cut has some in several blocks."""
    starts = np.zeros(lengths[-1][0] + len(lengths[-1][1]) + 1 if lengths else 1, dtype=np.int64)
    for first, found in lengths:
        starts[first + 1 : first + 1 + len(found)] += found
    return np.cumsum(starts)


def check_texts(texts: Iterable[str]) -> list[str]:
    """Return the texts as a list, or say what is wrong with them and where."""
    wanted = "texts must be a list (or any iterable) of strings, one per document"
    if isinstance(texts, str | bytes):
        raise TypeError(f"{wanted}; got one {type(texts).__name__} {texts[:40]!r}: write [text] for one document")
    if isinstance(texts, Mapping) or hasattr(texts, "columns"):
        raise TypeError(
            f"{wanted}; got a {type(texts).__name__}: give the part that has the texts, such as table['text'] "
            "or list(mapping.values())"
        )
    if not isinstance(texts, Iterable):
        raise TypeError(f"{wanted}; got {texts!r:.60} ({type(texts).__name__})")
    checked = list(texts)
    if set(map(type, checked)) <= {str}:
        return checked
    for position, text in enumerate(checked):
        if not isinstance(text, str):
            raise TypeError(f"{wanted}; text number {position} (from 0) is {_said(text)}: {_advice(text)}")
    return checked


def _said(text: Any) -> str:
    return "None" if text is None else f"{text!r:.60} ({type(text).__name__})"


def _advice(text: Any) -> str:
    if isinstance(text, bytes):
        return "decode it first, text.decode('utf-8')"
    return "leave it out, or put '' for a missing text and str(value) for a number"

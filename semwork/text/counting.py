"""Counting terms and n-grams: from encoded texts to a vocabulary and a sparse matrix of counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.text.analyzers import Analyzer
from semwork.text.encode import UNKNOWN, Encoded, encode
from semwork.text.ngrams import NGrams

__all__ = ["Counted", "count", "named_columns"]

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counted:
    """Counts of a corpus and what is needed to count other texts in the same columns."""

    counts: sparse.csr_array
    vocabulary: NDArray[np.object_]
    terms: list[str]
    ngrams: NGrams
    columns_of: tuple[NDArray[np.int32] | None, ...]

    @cached_property
    def columns(self) -> dict[str, int]:
        """Term → column."""
        return {term: column for column, term in enumerate(self.vocabulary.tolist())}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.terms)}

    def count_again(self, texts: list[str], analyzer: Analyzer, stop_words: frozenset[str]) -> sparse.csr_array:
        """Count the known terms in other texts."""
        encoded = encode(texts, analyzer, stop_words, lambda term: self._numbers.get(term, UNKNOWN))
        return _matrix(encoded, self.ngrams, self.columns_of, len(self.vocabulary))


def count(
    texts: list[str], analyzer: Analyzer, stop_words: frozenset[str], min_count: int, smallest: int, largest: int
) -> Counted:
    """Count runs of ``smallest`` to ``largest`` terms that occur at least ``min_count`` times."""
    numbers: dict[str, int] = {}
    encoded = encode(texts, analyzer, stop_words, lambda term: numbers.setdefault(term, len(numbers)))
    if not numbers:
        raise ValueError(
            f"no word was found in the {len(texts):,} texts: they are empty, or the analyzer "
            f"{analyzer.name!r} and the stop words leave nothing of them"
        )
    terms, encoded = _frequent(encoded, list(numbers), min_count)
    ngrams = NGrams(len(terms))
    for _ in range(2, largest + 1):
        ngrams = ngrams.with_level(_frequent_keys(encoded, ngrams, min_count))
    vocabulary, columns_of = named_columns(terms, ngrams, smallest)
    if not len(vocabulary):
        raise ValueError(
            f"no run of {smallest} to {largest} terms occurs min_count = {min_count} times or more: "
            "lower min_count, or let ngram_range start with 1"
        )
    return Counted(_matrix(encoded, ngrams, columns_of, len(vocabulary)), vocabulary, terms, ngrams, columns_of)


def named_columns(
    terms: list[str], ngrams: NGrams, smallest: int
) -> tuple[NDArray[np.object_], tuple[NDArray[np.int32] | None, ...]]:
    """Return the names of all columns, and for each length of run the column of every known run."""
    named = ngrams.names(terms)[smallest - 1 :]
    vocabulary = terms if not ngrams.keys else sorted({name for level in named for name in level})
    columns = {name: column for column, name in enumerate(vocabulary)}
    columns_of = (
        *(None,) * (smallest - 1),
        *(np.fromiter((columns[name] for name in level), dtype=np.int32, count=len(level)) for level in named),
    )
    shown = np.array(vocabulary, dtype=object)
    shown.setflags(write=False)
    return shown, columns_of


def _frequent(encoded: Encoded, names: list[str], min_count: int) -> tuple[list[str], Encoded]:
    """Keep frequent terms and number them in the order of their names."""
    counts = np.bincount(encoded.ids, minlength=len(names))
    kept = sorted(np.flatnonzero(counts >= min_count).tolist(), key=names.__getitem__)
    if not kept:
        most = int(np.argmax(counts))
        raise ValueError(
            f"min_count={min_count} leaves no term: the most frequent one, {names[most]!r}, occurs {counts[most]} "
            f"time{'s' if counts[most] > 1 else ''}; give min_count={counts[most]} or less"
        )
    renumbered = np.full(len(names), UNKNOWN, dtype=np.int32)
    renumbered[kept] = np.arange(len(kept), dtype=np.int32)
    return [names[number] for number in kept], Encoded(renumbered[encoded.ids], encoded.starts)


def _frequent_keys(encoded: Encoded, ngrams: NGrams, min_count: int) -> Integers:
    found = [
        np.unique(ngrams.next_keys(*encoded.block(first, last)), return_counts=True) for first, last in encoded.blocks()
    ]
    keys, numbers = np.unique(np.concatenate([keys for keys, _ in found]), return_inverse=True)
    counts = np.bincount(numbers, weights=np.concatenate([counts for _, counts in found]), minlength=len(keys))
    frequent: Integers = keys[counts >= min_count]
    return frequent


def _matrix(
    encoded: Encoded, ngrams: NGrams, columns_of: tuple[NDArray[np.int32] | None, ...], n_columns: int
) -> sparse.csr_array:
    """Count block by block, so that at most one block of single tokens is in memory beside the result."""
    blocks = [sparse.csr_array((0, n_columns), dtype=np.int32)]
    for first, last in encoded.blocks():
        levels = zip(ngrams.levels(*encoded.block(first, last)), columns_of, strict=True)
        cells = [(documents, columns[codes]) for (codes, documents), columns in levels if columns is not None]
        rows, columns = (np.concatenate(part) for part in zip(*cells, strict=True))
        ones = np.ones(len(rows), dtype=np.int32)
        counted = sparse.coo_array((ones, (rows, columns)), shape=(last - first, n_columns)).tocsr()
        counted.sum_duplicates()
        blocks.append(counted)
    counts: sparse.csr_array = sparse.vstack(blocks, format="csr", dtype=np.int32)
    return counts

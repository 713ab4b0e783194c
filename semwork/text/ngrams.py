"""Runs of n terms, numbered without ever writing them out as strings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["NGrams"]

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class NGrams:
    """The known runs of up to n terms.

    A run of n terms is a run of n − 1 terms and one more term, so it has the key ``prefix · n_terms + term``, and its
    number is the place of its key among the sorted known keys. A run is rarer than the runs inside it, so rare
    prefixes are dropped level by level and the keys stay few.
    """

    n_terms: int
    keys: tuple[Codes, ...] = ()

    def levels(self, terms: NDArray[Any], documents: NDArray[Any]) -> Iterator[tuple[Codes, NDArray[Any]]]:
        """Give the number and the document of every known run, first of one term, then of two, and so on.

        Parameters
        ----------
        terms : ndarray of shape (n_tokens,), int
            Term numbers in reading order; negative for words that are no terms.
        documents : ndarray of shape (n_tokens,), int
            The document of every term.
        """
        codes = terms.astype(np.int64)
        yield _known(codes, documents)
        for length, known in enumerate(self.keys, start=2):
            candidates = self._extend(codes, terms, documents, length)
            codes = _find(candidates, known)
            yield _known(codes, documents)

    def next_keys(self, terms: NDArray[Any], documents: NDArray[Any]) -> Codes:
        """Give the keys of all runs that are one term longer than the known ones."""
        codes = terms.astype(np.int64)
        for length, known in enumerate(self.keys, start=2):
            codes = _find(self._extend(codes, terms, documents, length), known)
        keys = self._extend(codes, terms, documents, len(self.keys) + 2)
        return keys[keys >= 0]

    def with_level(self, keys: Codes) -> NGrams:
        """Add the next level; the keys must be sorted."""
        return NGrams(self.n_terms, (*self.keys, keys))

    def names(self, terms: list[str]) -> list[list[str]]:
        """Write out every known run, level by level, terms joined by a space."""
        named = [terms]
        for keys in self.keys:
            prefixes, last = np.divmod(keys, max(self.n_terms, 1))
            named.append([f"{named[-1][p]} {terms[t]}" for p, t in zip(prefixes.tolist(), last.tolist(), strict=True)])
        return named

    def _extend(self, prefixes: Codes, terms: NDArray[Any], documents: NDArray[Any], length: int) -> Codes:
        reach = len(terms) - length + 1
        if reach <= 0:
            return np.zeros(0, dtype=np.int64)
        prefix, last = prefixes[:reach], terms[length - 1 :]
        whole = (prefix >= 0) & (last >= 0) & (documents[:reach] == documents[length - 1 :])
        keys: Codes = np.where(whole, prefix * self.n_terms + last, -1)
        return keys


def _find(keys: Codes, known: Codes) -> Codes:
    if not len(known):
        return np.full(len(keys), -1, dtype=np.int64)
    numbers = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    found: Codes = np.where(known[numbers] == keys, numbers, -1)
    return found


def _known(codes: Codes, documents: NDArray[Any]) -> tuple[Codes, NDArray[Any]]:
    documents = documents[: len(codes)]
    known = codes >= 0
    return (codes, documents) if known.all() else (codes[known], documents[known])

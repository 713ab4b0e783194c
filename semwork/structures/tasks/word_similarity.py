"""How near two words are in WordNet: along its hypernyms (path), and by what their nearest common one tells (Lin)."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.datasets import path

__all__ = ["WordNetSimilarity"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_FILES = {"n": "noun", "v": "verb"}


class WordNetSimilarity:
    """Path and Lin similarity of nouns and of verbs: the best over the first senses of both words.

    ``path = 1 / (1 + edges between the two synsets)`` and ``lin = 2·IC(c) / (IC(a) + IC(b))`` [1]_, where c is the
    common hypernym of the largest information content, counted in Brown. Both are 1 for words that share a synset
    and 0 for words that WordNet does not have, or not with this part of speech.

    Parameters
    ----------
    folder : str, Path or None
        WordNet's dict files with ``wordnet_ic``; by default the data set ``wordnet``.
    senses : int, default=4
        How many senses of each word are looked at, the most frequent first.
    information : str
        File of ``wordnet_ic`` with the counts; in ``add1`` no synset has none.

    References
    ----------
    .. [1] D. Lin (1998), An information-theoretic definition of similarity, ICML.
    """

    def __init__(
        self, folder: str | Path | None = None, senses: int = 4, information: str = "ic-brown-add1.dat"
    ) -> None:
        place = Path(folder) if folder else path("wordnet")
        self._parts = {pos: _Taxonomy(place, pos, information) for pos in _FILES}
        self.senses = senses

    @classmethod
    @functools.cache
    def standard(cls) -> WordNetSimilarity:
        """Return the one that tasks share."""
        return cls()

    def matrices(self, left: Sequence[str], right: Sequence[str], pos: str) -> tuple[Floats, Floats]:
        """Return path and Lin similarity of all pairs of lemmas of nouns (``"n"``) or verbs (``"v"``)."""
        if pos not in self._parts:
            raise ValueError(f"pos must be one of {', '.join(map(repr, self._parts))}, got {pos!r}")
        return self._parts[pos].matrices(left, right, self.senses)


class _Taxonomy:
    """Synsets of one part of speech: for each its hypernyms of all levels with their distances."""

    def __init__(self, folder: Path, pos: str, information: str) -> None:
        name = _FILES[pos]
        offsets, parents = [], []
        for line in _lines(folder / f"data.{name}"):
            fields = line.split(" ")
            start = 4 + 2 * int(fields[3], 16)
            pointers = fields[start + 1 : start + 1 + 4 * int(fields[start])]
            offsets.append(int(fields[0]))
            parents.append([int(o) for kind, o in zip(pointers[::4], pointers[1::4], strict=True) if kind in "@@i"])
        number = {offset: place for place, offset in enumerate(offsets)}
        above = _ancestors([[number[offset] for offset in some] for some in parents])
        self._starts = np.concatenate([[0], np.cumsum([len(found) for found in above])]).astype(np.int64)
        self._above = np.array([key for found in above for key in sorted(found)], dtype=np.int64)
        self._distance = np.array([found[key] for found in above for key in sorted(found)], dtype=np.int64)
        self._information = _information(folder / "wordnet_ic" / information, pos, number)
        self._synsets: dict[str, Ints] = {}
        for line in _lines(folder / f"index.{name}"):
            fields = line.split()
            known = int(fields[2])
            self._synsets[fields[0]] = np.array([number[int(offset)] for offset in fields[-known:]], dtype=np.int64)

    def matrices(self, left: Sequence[str], right: Sequence[str], senses: int) -> tuple[Floats, Floats]:
        one, two = self._numbered(left, senses), self._numbered(right, senses)
        shape = len(left), len(right)
        path_values, lin_values = np.zeros(shape), np.zeros(shape)
        _compare(*one, *two, self._starts, self._above, self._distance, self._information, path_values, lin_values)
        return path_values, lin_values

    def _numbered(self, words: Sequence[str], senses: int) -> tuple[Ints, Ints]:
        none = np.zeros(0, dtype=np.int64)
        found = [self._synsets.get(word.replace(" ", "_"), none)[:senses] for word in words]
        starts = np.concatenate([[0], np.cumsum([len(some) for some in found])]).astype(np.int64)
        return starts, np.concatenate([none, *found])


def _lines(file: Path) -> list[str]:
    """Lines without the licence at the top, which is indented."""
    return [line for line in file.read_text(encoding="utf-8").split("\n") if line and not line.startswith("  ")]


def _ancestors(parents: list[list[int]]) -> list[dict[int, int]]:
    """For each synset: itself and all above it, with the fewest edges to each."""
    found: list[dict[int, int]] = []
    for place in range(len(parents)):
        distance = {place: 0}
        level = [place]
        while level:
            nexts = []
            for here in level:
                for up in parents[here]:
                    if up not in distance:
                        distance[up] = distance[here] + 1
                        nexts.append(up)
            level = nexts
        found.append(distance)
    return found


def _information(file: Path, pos: str, number: dict[int, int]) -> Floats:
    """−log of the share of each synset, with all below it, among the counted words."""
    counts = np.zeros(len(number))
    total = 0.0
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        fields = line.split()
        if fields[0].endswith(pos):
            counts[number[int(fields[0][:-1])]] = float(fields[1])
            total += float(fields[1]) if fields[-1] == "ROOT" else 0.0
    with np.errstate(divide="ignore"):
        return np.where(counts > 0, math.log(total) - np.log(counts), 0.0)


@compiled
def _compare(
    left_starts: Ints,
    left: Ints,
    right_starts: Ints,
    right: Ints,
    starts: Ints,
    above: Ints,
    distance: Ints,
    information: Floats,
    path_values: Floats,
    lin_values: Floats,
) -> None:
    """Walk the two sorted lists of hypernyms of every pair of senses together."""
    for row in range(path_values.shape[0]):
        for column in range(path_values.shape[1]):
            nearest, alike = 0.0, 0.0
            for a in left[left_starts[row] : left_starts[row + 1]]:
                for b in right[right_starts[column] : right_starts[column + 1]]:
                    i, j = starts[a], starts[b]
                    shortest, most = -1, 0.0
                    while i < starts[a + 1] and j < starts[b + 1]:
                        if above[i] < above[j]:
                            i += 1
                        elif above[i] > above[j]:
                            j += 1
                        else:
                            apart = distance[i] + distance[j]
                            if shortest < 0 or apart < shortest:
                                shortest = apart
                            most = max(most, information[above[i]])
                            i += 1
                            j += 1
                    if shortest >= 0:
                        nearest = max(nearest, 1.0 / (1.0 + shortest))
                    both = information[a] + information[b]
                    alike = max(alike, 1.0 if a == b else (2.0 * most / both if both > 0 else 0.0))
            path_values[row, column] = nearest
            lin_values[row, column] = alike

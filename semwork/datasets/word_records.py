"""The shapes in which single words and names come: vectors, names in two languages, pairs of words."""

from __future__ import annotations

import functools
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from semwork.datasets.shown import EXAMPLES, Array, Shown, counts_of, picked, rows_of, table_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NamePairs", "WordPairs", "WordVectors"]


@dataclass(frozen=True, repr=False, eq=False)
class WordVectors(Shown):
    """Words and their vectors.

    Parameters
    ----------
    name : str
        The data set.
    words : list of str
        The words, most frequent first.
    vectors : ndarray of shape (n_words, n_dimensions), float32
        One row per word; memory-mapped, so that loading costs nothing until a row is read.
    """

    name: str
    words: list[str]
    vectors: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)

    @functools.cached_property
    def index(self) -> dict[str, int]:
        """The row number of every word."""
        return {word: row for row, word in enumerate(self.words)}

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> npt.NDArray[np.float32]:
        """Return the vector of a word."""
        try:
            row = self.index[word]
        except KeyError:
            hint = f" Try {word.lower()!r}." if word.lower() in self.index else ""
            raise KeyError(f"no vector for {word!r} in {self.name!r}.{hint}") from None
        return np.asarray(self.vectors[row])

    @functools.cached_property
    def _lengths(self) -> npt.NDArray[np.float32]:
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", self.vectors, self.vectors)))

    def most_similar(self, word: str, n: int = 10) -> pd.DataFrame:
        """Return the `n` words with the largest cosine, as a table of ``word`` and ``similarity``.

        Parameters
        ----------
        word : str
            A word that has a vector.
        n : int
            How many words.

        Returns
        -------
        DataFrame of shape (n, 2)
            ``word`` and ``similarity``, the most similar word first.
        """
        vector = self[word]
        lengths = np.where(self._lengths > 0, self._lengths, 1.0)
        cosines = (self.vectors @ vector) / (lengths * max(float(np.linalg.norm(vector)), 1e-12))
        cosines[self.index[word]] = -np.inf
        n = min(n, len(self) - 1)
        best = np.argpartition(-cosines, range(n))[:n] if n > 0 else np.array([], dtype=int)
        return table_of({"word": [self.words[i] for i in best], "similarity": cosines[best]})

    def _headline(self) -> str:
        return f"WordVectors {self.name!r}: {len(self):,} words, {self.vectors.shape[1]} dimensions"

    def _example_rows(self) -> pd.DataFrame:
        rows = [" ".join(f"{x:.2f}" for x in v[:6]) + " …" for v in self.vectors[:EXAMPLES]]
        return table_of({"word": self.words[:EXAMPLES], "vector": rows})


@dataclass(frozen=True, repr=False, eq=False)
class NamePairs(Shown):
    """The same name in English and in another language.

    Parameters
    ----------
    name : str
        The data set.
    language : str
        The code of the other language.
    english, foreign : list of str
        The names.
    kind : ndarray of shape (n_pairs,), object
        ``"city"``, ``"territory"`` or ``"language"`` for each.
    codes : list of str
        The CLDR code of each, such as ``"Asia/Jerusalem"`` or ``"IL"``.
    """

    name: str
    language: str
    english: list[str]
    foreign: list[str]
    kind: Array
    codes: list[str]

    def __len__(self) -> int:
        return len(self.english)

    @property
    def table(self) -> pd.DataFrame:
        """All fields, one row per pair."""
        columns = [f.name for f in fields(self) if f.name not in {"name", "language"}]
        return table_of({column: getattr(self, column) for column in columns})

    def subset(self, *kinds: str) -> NamePairs:
        """Return the pairs of the named kinds.

        Parameters
        ----------
        *kinds : {"city", "territory", "language"}
            What the names are of.

        Returns
        -------
        NamePairs
        """
        rows = np.flatnonzero(rows_of(np.ones(len(self), dtype=bool), kinds, kind=self.kind))
        english, foreign, codes = (picked(column, rows) for column in (self.english, self.foreign, self.codes))
        return replace(self, kind=self.kind[rows], english=english, foreign=foreign, codes=codes)

    def _headline(self) -> str:
        return f"NamePairs {self.name!r}, en–{self.language}: {len(self):,} pairs ({counts_of(self.kind)})"

    def _example_rows(self) -> pd.DataFrame:
        return self.table[["english", "foreign", "kind"]].head(EXAMPLES)


@dataclass(frozen=True, repr=False, eq=False)
class WordPairs(Shown):
    """Pairs of words that can stand for each other.

    Parameters
    ----------
    name : str
        The data set.
    left, right : list of str
        The words.
    """

    name: str
    left: list[str]
    right: list[str]

    def __len__(self) -> int:
        return len(self.left)

    @functools.cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """All pairs in both directions, to ask ``("car", "auto") in data.pairs``."""
        both = zip([*self.left, *self.right], [*self.right, *self.left], strict=True)
        return frozenset(both)

    def _headline(self) -> str:
        return f"WordPairs {self.name!r}: {len(self):,} pairs"

    def _example_rows(self) -> pd.DataFrame:
        return table_of({"left": self.left[:EXAMPLES], "right": self.right[:EXAMPLES]})

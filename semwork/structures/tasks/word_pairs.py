"""Every word of one sentence with every word of another: equal, near in WordNet, alike in spelling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semwork.compiled import compiled
from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.word_similarity import WordNetSimilarity

__all__ = ["GROUPS", "NEGATIONS", "WordPairs", "group_of", "spelling"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GROUPS = ("noun", "name", "verb", "adjective", "adverb", "number", "function")
_GROUP_OF = {"NOUN": 0, "PROPN": 1, "VERB": 2, "ADJ": 3, "ADV": 4, "NUM": 5}
NEGATIONS = frozenset(
    ("no", "not", "n't", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere", "without", "cannot")
)


def group_of(pos: Sequence[str]) -> Ints:
    """Return numbers of `GROUPS` for universal parts of speech."""
    return np.array([_GROUP_OF.get(one, 6) for one in pos], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class WordPairs:
    """Left × right words.

    Parameters
    ----------
    equal : ndarray of shape (n_left, n_right)
        1 where the lemmas are equal.
    path, lin : ndarray of shape (n_left, n_right)
        WordNet's similarities, 0 where the parts of speech differ.
    edit : ndarray of shape (n_left, n_right)
        Similarity of spelling.
    near : ndarray of shape (n_left, n_right)
        One number from all of these, between 0 and 1: the word similarity of the two-stage system.
    """

    equal: Floats
    path: Floats
    lin: Floats
    edit: Floats
    near: Floats

    @classmethod
    def of(cls, left: Parsed, right: Parsed, wordnet: WordNetSimilarity) -> WordPairs:
        """Compare the words of two sentences."""
        equal = np.array([[float(one == two) for two in right.lemmas] for one in left.lemmas])
        path, lin = np.zeros_like(equal), np.zeros_like(equal)
        for pos, groups in (("n", (0, 1)), ("v", (2,))):
            rows, columns = (np.flatnonzero(np.isin(group_of(side.pos), groups)) for side in (left, right))
            if len(rows) and len(columns):
                where = np.ix_(rows, columns)
                path[where], lin[where] = wordnet.matrices(
                    [left.lemmas[i] for i in rows], [right.lemmas[j] for j in columns], pos
                )
        edit = spelling(left.words, right.words)
        # Words that are spelled alike by three quarters are mostly forms of one word.
        near = np.maximum.reduce([equal, (path + lin) / 2, np.where(edit >= 0.75, edit, 0.0)])
        return cls(equal, path, lin, edit, near)


def spelling(left: Sequence[str], right: Sequence[str]) -> Floats:
    """Return ``1 − edit distance / length of the longer word`` for all pairs.

    Examples
    --------
    >>> spelling(["sitting"], ["kitten", "sitting"]).round(3).tolist()
    [[0.571, 1.0]]
    """
    result = np.empty((len(left), len(right)))
    _spelling(*_codes(left), *_codes(right), result)
    return result


def _codes(words: Sequence[str]) -> tuple[Ints, Ints]:
    starts = np.concatenate([[0], np.cumsum([len(word) for word in words])]).astype(np.int64)
    return starts, np.array([ord(letter) for word in words for letter in word], dtype=np.int64)


@compiled
def _spelling(left_starts: Ints, left: Ints, right_starts: Ints, right: Ints, result: Floats) -> None:
    for row in range(result.shape[0]):
        one = left[left_starts[row] : left_starts[row + 1]]
        for column in range(result.shape[1]):
            two = right[right_starts[column] : right_starts[column + 1]]
            m, n = len(one), len(two)
            before = np.arange(n + 1)
            for i in range(m):
                now = np.empty(n + 1, dtype=np.int64)
                now[0] = i + 1
                for j in range(n):
                    change = before[j] + (0 if one[i] == two[j] else 1)
                    now[j + 1] = min(change, before[j + 1] + 1, now[j] + 1)
                before = now
            result[row, column] = 1.0 - before[n] / max(m, n, 1)

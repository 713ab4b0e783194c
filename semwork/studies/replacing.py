"""Words of a text that are replaced by words that training has not seen."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from semwork.datasets.records import WordVectors
from semwork.text.analyzers import Analyzer
from semwork.text.stopwords import STOP_WORDS

__all__ = ["NO_VECTOR", "SEEN", "UNSEEN", "Replacing", "substitute", "words_of"]

SEEN, UNSEEN, NO_VECTOR = "seen", "unseen", "no vector"

_COMMON = 100_000  # rows of large vectors, the commonest words first, that may replace others
_SPLIT = Analyzer()


def words_of(text: str) -> list[str]:
    """Return the words of a text that can have topics: no stop words, three letters or more.

    Examples
    --------
    >>> words_of("The roots of an old oak")
    ['roots', 'old', 'oak']
    """
    return [word for word in _SPLIT(text) if len(word) >= 3 and word not in STOP_WORDS]


def substitute(text: str, old: str, new: str) -> str:
    """Replace a word wherever it stands, keeping a capital letter.

    Parameters
    ----------
    text : str
        Where the word stands.
    old, new : str
        The word, in upper or lower case, and what takes its place.

    Returns
    -------
    str

    Examples
    --------
    >>> substitute("Rockets? A rocket. Rocket!", "rocket", "missile")
    'Rockets? A missile. Missile!'
    """
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda found: new.capitalize() if found[0][0].isupper() else new, text)


class Replacing:
    """What is known of words, and which unseen ones are near to them.

    Parameters
    ----------
    vectors : WordVectors
        Of all words that may be typed.
    seen : collection of str
        The words of training.
    """

    def __init__(self, vectors: WordVectors, seen: Collection[str]) -> None:
        self.vectors, self.seen = vectors, seen

    def status(self, word: str) -> str:
        """Return ``"seen"`` by training, ``"unseen"`` but with a vector, or ``"no vector"``."""
        if word in self.seen:
            return SEEN
        return UNSEEN if word in self.vectors.index else NO_VECTOR

    @cached_property
    def _unseen(self) -> tuple[list[str], NDArray[np.float64]]:
        """Words that may replace others, and their vectors, each of length 1."""
        names = list(self.vectors.index)[:_COMMON]
        names = [word for word in names if word not in self.seen and len(word) >= 3 and word.isalpha()]
        names = [word for word in names if word not in STOP_WORDS]
        rows = np.asarray(self.vectors.vectors[[self.vectors.index[word] for word in names]], dtype=np.float64)
        return names, rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    def near(self, word: str, n: int = 8) -> list[str]:
        """Return unseen words whose vectors point in nearly the same direction, the nearest first."""
        if word not in self.vectors.index:
            return []
        names, rows = self._unseen
        vector = np.asarray(self.vectors[word], dtype=np.float64)
        order = np.argsort(-(rows @ vector), kind="stable")[: n + 1]
        return [names[i] for i in order if names[i] != word][:n]

    def replaced(self, text: str, count: int) -> tuple[str, list[tuple[str, str]]]:
        """Replace so many different words by the nearest unseen ones; return the text and what was replaced."""
        words = [word for word in dict.fromkeys(words_of(text)) if self.status(word) == SEEN]
        order = np.random.default_rng(len(text)).permutation(len(words))
        done: list[tuple[str, str]] = []
        taken: set[str] = set()
        for place in order[:count]:
            found = [new for new in self.near(words[place], 20) if new not in taken]
            if found:
                taken.add(found[0])
                done.append((words[place], found[0]))
                text = substitute(text, words[place], found[0])
        return text, done

    def put_in(self, text: str, chosen: dict[str, str]) -> tuple[str, list[tuple[str, str]]] | None:
        """Replace these words by others; return nothing where one is not there, or not near and unseen."""
        words = words_of(text)
        if any(old not in words or new not in self.near(old) for old, new in chosen.items()):
            return None
        for old, new in chosen.items():
            text = substitute(text, old, new)
        return text, list(chosen.items())

"""What is known of letters before anything is learned: a romanisation table, a part of it, or only places."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from semwork.structures.problem import Floats
from semwork.structures.tasks.romanise import SCRIPTS, romanise

__all__ = ["GUIDES", "TABLE", "Guide", "alike", "guide_named"]

_VOWELS = frozenset("aeiouy")
_ALIKE = ("bvfpw", "ckqgx", "dt", "szc", "mn", "lr", "jgy", "h")
GUIDES = ("full table", "consonants only", "half of the table", "no table")


@functools.cache
def alike(english: str, foreign: str) -> float:
    """Return a rough score of joining two letters: graded by the romanisation table, where the paper's is uniform."""
    latin = romanise(foreign)
    if english in latin:
        return 2.0
    if not latin:
        return -0.5
    vowels = english in _VOWELS, latin[0] in _VOWELS
    if all(vowels):
        return 1.0
    near = any(english in group and latin[0] in group for group in _ALIKE)
    return 1.0 if near else -1.0


@dataclass(frozen=True)
class Guide:
    """Scores of joining letters, for the two-stage system and for the start of LCLR.

    Parameters
    ----------
    unknown : frozenset of str
        Foreign letters that are not in the table; they are left alone.
    by_place : bool, default=False
        No table at all: any two letters may be joined, the better the more they are at the same place of their names.
    """

    unknown: frozenset[str] = frozenset()
    by_place: bool = False

    def letters(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return the score of every letter with every other, wherever they are."""
        if self.by_place:
            return np.ones((len(left), len(right)))
        return np.array([[-1.0 if two in self.unknown else alike(one, two) for two in right] for one in left])

    @property
    def slope(self) -> float:
        """What it costs to join the first letter with the last."""
        return 1.0 if self.by_place else 0.0

    def scores(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return the score of joining each letter of a name with each of another.

        Examples
        --------
        >>> Guide().scores("ro", "רו")
        array([[ 2., -1.],
               [-1., -1.]])
        """
        places = [(np.arange(len(side)) + 0.5) / len(side) for side in (left, right)]
        return self.letters(left, right) - self.slope * np.abs(places[0][:, None] - places[1])


TABLE = Guide()


def guide_named(name: str, script: str, seed: int = 0) -> Guide:
    """Return one of `GUIDES` for a script: the whole table, or what is left of it.

    Without vowels, without half of the letters (drawn with the seed), or nothing but places.
    """
    if name not in GUIDES:
        raise ValueError(f"guide must be one of {', '.join(GUIDES)}, got {name!r}")
    if name in ("full table", "no table"):
        return Guide(by_place=name == "no table")
    letters = sorted(SCRIPTS[script])
    if name == "consonants only":
        return Guide(frozenset(letter for letter in letters if romanise(letter)[:1] in _VOWELS))
    drawn = np.random.default_rng(seed).permutation(letters)
    return Guide(frozenset(drawn[: len(letters) // 2].tolist()))

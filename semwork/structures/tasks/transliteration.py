"""Names in two scripts and which of them are the same, as in section 5.1 of Chang et al. (2010)."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import NamePairs, load
from semwork.given import check_kind, check_word
from semwork.structures.problem import Problem
from semwork.structures.tasks.guides import TABLE, Guide
from semwork.structures.tasks.loose import loose_alignment
from semwork.structures.tasks.romanise import romanise, script_of

__all__ = ["Names", "Ranked", "letters", "name_problem", "ranked", "transliterated_names", "with_start"]

_START = "^"
_FEWEST = 10  # pairs: fewer cannot be learnt from and tested on


def letters(name: str) -> tuple[str, ...]:
    """Lower case, without accents in Latin script; the letters of Hangul syllables one by one; no punctuation.

    The Hebrew geresh, which changes the letter before it, stays.
    """
    lowered = unicodedata.normalize("NFC", name.lower())
    indic = script_of(lowered) == "Devanagari"  # its vowels are marks
    return tuple(
        letter
        for letter in unicodedata.normalize("NFD", lowered)
        if letter.isalpha() or letter == "׳" or (indic and unicodedata.category(letter) in ("Mc", "Mn"))
    )


@dataclass(frozen=True)
class Names:
    """Pairs of names that were transliterated.

    Parameters
    ----------
    language : str
        CLDR code.
    english, foreign : tuple of str of length n
        The names, word by word.
    """

    language: str
    english: tuple[str, ...]
    foreign: tuple[str, ...]

    @classmethod
    def from_pairs(cls, pairs: NamePairs) -> Names:
        """Take pairs as they are: those without letters, and those that come twice, are left out.

        Parameters
        ----------
        pairs : NamePairs
            Such as those that `semwork.datasets.from_table` gives.

        Returns
        -------
        Names

        Examples
        --------
        >>> from semwork.datasets import load
        >>> "Athens" in Names.from_pairs(load("names", language="el")).english
        True
        """
        check_kind("pairs", pairs, NamePairs, "make some with semwork.datasets.from_table")
        both = zip(pairs.english, pairs.foreign, strict=True)
        kept = dict.fromkeys((one, two) for one, two in both if letters(one) and letters(two))
        if len(kept) < _FEWEST:
            raise ValueError(
                f"{pairs.name} has {len(kept)} different pairs of names with letters on both sides; at least {_FEWEST} "
                "are needed, to learn from some and to be tested on others"
            )
        return cls(pairs.language, tuple(one for one, _ in kept), tuple(two for _, two in kept))

    def __len__(self) -> int:
        return len(self.english)

    def split(self, training: int, seed: int) -> tuple[Names, Names]:
        """Return pairs to learn from and the rest, at random.

        Parameters
        ----------
        training : int
            How many to learn from.
        seed : int
            Which ones.
        """
        if not 0 < training < len(self):
            raise ValueError(f"training must be a number from 1 to {len(self) - 1} ({len(self)} pairs), got {training}")
        order = np.random.default_rng(seed).permutation(len(self))
        return self._rows(order[:training]), self._rows(order[training:])

    def _rows(self, rows: NDArray[np.int64]) -> Names:
        return Names(self.language, tuple(self.english[i] for i in rows), tuple(self.foreign[i] for i in rows))

    def examples(self, share: float, seed: int) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
        """Return all pairs as positive examples and a share of all false pairings as negative ones.

        Parameters
        ----------
        share : float
            Of the false pairings.
        seed : int
            Which ones.
        """
        count = len(self)
        false = [(i, j) for i in range(count) for j in range(count) if i != j and self.foreign[i] != self.foreign[j]]
        chosen = np.random.default_rng(seed).permutation(len(false))[: round(share * len(false))]
        pairs = list(zip(self.english, self.foreign, strict=True))
        pairs += [(self.english[i], self.foreign[j]) for i, j in (false[place] for place in chosen)]
        return pairs, np.r_[np.ones(count, dtype=np.int64), -np.ones(len(chosen), dtype=np.int64)]


def _skeleton(text: str) -> str:
    return re.sub(r"[aeiouyhw'’]", "", text)


def _similar(one: str, two: str) -> float:
    return SequenceMatcher(None, one, two, autojunk=False).ratio()


def transliterated_names(language: str) -> Names:
    """Return words of CLDR names that were transliterated, not translated.

    Names of as many words on both sides are split into words. A pair of words is kept when its romanised form is
    similar to the English one: at least .5 for the consonants alone and .35 for all letters (difflib's ratio). Words
    of two letters or less, and repeated pairs, are left out.

    Parameters
    ----------
    language : str
        CLDR code, such as ``"he"``.
    """
    check_word("language", language, ("he", "ru", "el", "ar", "hi", "ka", "hy", "ko"), "they come from CLDR")
    return _transliterated(language)


@functools.lru_cache(maxsize=16)
def _transliterated(language: str) -> Names:
    names = load("names", language=language)
    kept: dict[tuple[str, str], None] = {}
    for english, foreign in zip(names.english, names.foreign, strict=True):
        ours, theirs = (re.split(r"[\s\-־(),/&]+", side.strip()) for side in (english, foreign))
        if len(ours) != len(theirs):
            continue
        for left, right in zip(ours, theirs, strict=True):
            if len(letters(left)) < 3 or len(letters(right)) < 2:
                continue
            latin, roman = "".join(letters(left)), "".join(romanise(letter) for letter in letters(right))
            if _similar(_skeleton(latin), _skeleton(roman)) >= 0.5 and _similar(latin, roman) >= 0.35:
                kept[left, right] = None
    if len(kept) < 50:
        raise ValueError(
            f"{language!r} has only {len(kept)} transliterated names; its script may be Latin, or have no romanisation "
            "table; try he, ru, el, ar, hi, ka, hy, ko"
        )
    one, two = zip(*kept, strict=True)
    return Names(language, one, two)


def with_start(spelled: Sequence[str]) -> list[str]:
    """Return every letter with the one before it.

    Examples
    --------
    >>> with_start("rome")
    ['^r', 'ro', 'om', 'me']
    """
    return [before + letter for before, letter in zip((_START, *spelled[:-1]), spelled, strict=True)]


def name_problem(
    pair: tuple[str, str], *, one_to_one: bool = True, crossing: bool = False, guide: Guide = TABLE
) -> Problem:
    """Align the letters of two names: every letter is joined with one letter or left alone, and nothing crosses.

    Features are pairs of letters, pairs of two letters each (with the letters before them), and letters left alone;
    all are scaled by ``10 / (number of letters)``, so that long names have no larger scores.

    Parameters
    ----------
    pair : pair of str
        A name in Latin letters and one in another script.
    one_to_one : bool, default=True
        Whether every letter is joined once or left alone. If not, nothing ties its parts together: it may be joined
        with several, and counted as left alone, too.
    crossing : bool, default=False
        Whether joins may cross.
    guide : Guide
        Scores of letters for the two-stage system.
    """
    left, right = letters(pair[0]), letters(pair[1])
    if not left or not right:
        raise ValueError(f"the name {pair[0 if not left else 1]!r} has no letters")
    m, n = len(left), len(right)
    scale = 10.0 / (m + n)
    problem = Problem()
    doubles = with_start(left), with_start(right)
    guessed = guide.scores(left, right).tolist()
    pairs = {}
    for i, letter in enumerate(left):
        for j, other in enumerate(right):
            double = (doubles[0][i], doubles[1][j])
            features: dict[Hashable, float] = {(letter, other): scale, double: scale}
            pairs[i, j] = problem.part(features, label=(i, j), heuristic=guessed[i][j])
    alone = [problem.part({(letter, ""): scale}, label=(i, None)) for i, letter in enumerate(left)]
    others = [problem.part({("", letter): scale}, label=(None, j)) for j, letter in enumerate(right)]

    def constrain() -> None:
        for i in range(m if one_to_one else 0):
            problem.exactly_one([*(pairs[i, j] for j in range(n)), alone[i]], f"letter {i + 1} of {pair[0]} once")
        for j in range(n if one_to_one else 0):
            problem.exactly_one([*(pairs[i, j] for i in range(m)), others[j]], f"letter {j + 1} of {pair[1]} once")
        if not crossing:
            problem.non_crossing(pairs)

    problem.constrain_later(constrain)
    problem.always({"bias": 1.0})
    problem.solver = loose_alignment(m, n, one_to_one, crossing)
    return problem


@dataclass(frozen=True)
class Ranked:
    """How well foreign names were found; names of equal score count as better.

    Parameters
    ----------
    accuracy : float
        Share of names whose right spelling came first.
    mrr : float
        Mean of 1 / place.
    places : ndarray of shape (n,)
        Place of the right spelling for each name, from 1.
    """

    accuracy: float
    mrr: float
    places: NDArray[np.int64]


def ranked(scores: NDArray[np.float64], english: Sequence[str], foreign: Sequence[str]) -> Ranked:
    """Judge scores[i, j] of English name i and foreign name j; the right one of name i is foreign[i].

    Parameters
    ----------
    scores : ndarray of shape (n, n)
        Decision values.
    english, foreign : sequence of str of length n
        The names.
    """
    right = scores[np.arange(len(english)), np.arange(len(english))]
    other = np.array([[foreign[j] != foreign[i] for j in range(len(foreign))] for i in range(len(english))])
    places = 1 + ((scores >= right[:, None]) & other).sum(axis=1)
    return Ranked(float(np.mean(places == 1)), float(np.mean(1 / places)), places)

"""Analyzers turn a text into terms: split it, clean every run, take every word's base form.

The three stages are apart for speed: a text is split once, but cleaning and taking the base form run once per
*different* word of a corpus, and slow rules (stems, lemmas) cost almost nothing.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from semwork.text.words import clean_word, fold, split_words

__all__ = ["WHOLE_NUMBERS", "Analyzer", "FunctionAnalyzer", "NotTokens", "Stemmer", "check_tokens"]

LONGEST_STEMMED = 100
"""Words with more characters are not stemmed: they are no words of a language, and stemming one can take seconds."""


WHOLE_NUMBERS = r"\d+(?:[.,:/]\d+)+|(?<![^\W_]['’])[^\W_]+(?:['’](?!s\b)[^\W_]+)*"
r"""A pattern that keeps numbers in one piece: for news, where the word rule would make ``2`` and ``5`` of ``2.5``.

Examples
--------
>>> Analyzer(pattern=WHOLE_NUMBERS)("Tab's shares don't rise 2.5% by 10:30, to $1,000.")
['tab', 'shares', "don't", 'rise', '2.5', 'by', '10:30', 'to', '1,000']
"""


class Analyzer:
    r"""Words as they are written, in lower case: what ``analyzer="word"`` means.

    Subclass it and override `base` (a rule for one word), or `split` and `clean` (another idea of a word).

    Parameters
    ----------
    pattern : str, re.Pattern or None
        A regular expression for words, used instead of the word rule of `semwork.text.words`. With a group in it
        the group is the word.
    lowercase : bool
        Whether case is folded. Without the default word rule nothing else is changed.

    Examples
    --------
    >>> Analyzer()("The dog's well-known trick, since 1984.")
    ['the', 'dog', 'well', 'known', 'trick', 'since', '1984']
    >>> Analyzer(pattern=r"[A-Z]\w+", lowercase=False)("Ada met Charles in London.")
    ['Ada', 'Charles', 'London']
    """

    name = "word"

    def __init__(self, *, pattern: str | re.Pattern[str] | None = None, lowercase: bool = True) -> None:
        if pattern is None and not lowercase:
            pattern = r"\w+(?:['’]\w+)*"
        self.lowercase = lowercase
        self.pattern = None if pattern is None else re.compile(pattern)
        if self.pattern is not None and self.pattern.groups > 1:
            raise ValueError(
                f"pattern {self.pattern.pattern!r} has {self.pattern.groups} groups, at most one is allowed: "
                "write (?:…) for groups that are not the word"
            )

    @property
    def plain(self) -> bool:
        """Whether texts are split by the word rule: many at once, and long ones cut at white space."""
        return self.pattern is None and type(self).split is Analyzer.split

    def split(self, text: str) -> list[str]:
        """Cut a text into raw tokens.

        Parameters
        ----------
        text : str
            What is analysed.

        Returns
        -------
        list of str
        """
        if self.pattern is None:
            return split_words(text)
        found: list[str] = self.pattern.findall(fold(text) if self.lowercase else text)
        return found

    def clean(self, token: str) -> str:
        """Make a word of a raw token; the empty string drops it.

        Parameters
        ----------
        token : str
            As `split` gives it.

        Returns
        -------
        str
        """
        return clean_word(token) if self.pattern is None else token

    def base(self, word: str) -> str:
        """Return the term a word is counted under; the empty string drops it.

        Parameters
        ----------
        word : str
            As `clean` gives it.

        Returns
        -------
        str
        """
        return word

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text, in reading order."""
        words = map(self.clean, self.split(text))
        return [term for word in words if word and (term := self.base(word))]

    def __repr__(self) -> str:
        rule = "" if self.pattern is None else f"pattern={self.pattern.pattern!r}, lowercase={self.lowercase}"
        return f"{type(self).__name__}({rule})"


class Stemmer(Analyzer):
    """Words cut down to their stems: what ``analyzer="stem"`` means.

    A word of more than 100 characters is its own stem: it is no word of a language (a key, a run of Chinese).

    Parameters
    ----------
    algorithm : str
        ``"porter"``, the stemmer of the papers [1]_, or any other of Snowball's (``"english"``, ``"german"``, …).
    pattern : str, re.Pattern or None
        As in `Analyzer`.
    lowercase : bool
        As in `Analyzer`.

    References
    ----------
    .. [1] M. F. Porter (1980), An algorithm for suffix stripping, Program 14(3), 130–137. Used in Kandola,
       Shawe-Taylor & Cristianini (2002), Learning Semantic Similarity, section 5.1.

    Examples
    --------
    >>> Stemmer()("Connected connections are connecting")
    ['connect', 'connect', 'ar', 'connect']
    >>> Stemmer("english").stem("are")
    'are'
    """

    name = "stem"

    def __init__(
        self, algorithm: str = "porter", *, pattern: str | re.Pattern[str] | None = None, lowercase: bool = True
    ) -> None:
        import snowballstemmer

        if algorithm not in snowballstemmer.algorithms():
            raise ValueError(
                f"there is no stemmer {algorithm!r}; choose one of {', '.join(sorted(snowballstemmer.algorithms()))}"
            )
        super().__init__(pattern=pattern, lowercase=lowercase)
        self.algorithm = algorithm

    def stem(self, word: str) -> str:
        """Return the stem of one lower-case word; of a word of more than 100 characters the word itself.

        Parameters
        ----------
        word : str
            In lower case.

        Returns
        -------
        str
        """
        return word if len(word) > LONGEST_STEMMED else _stem(self.algorithm, word)

    base = stem

    def __repr__(self) -> str:
        return f"Stemmer({self.algorithm!r})"


class FunctionAnalyzer(Analyzer):
    """Any function from a text to a list of terms, taken as it is.

    Parameters
    ----------
    function : callable
        Takes one text, a string, and returns an iterable of strings, its terms.

    Examples
    --------
    >>> FunctionAnalyzer(str.split)("Taken, as it is")
    ['Taken,', 'as', 'it', 'is']
    """

    def __init__(self, function: Callable[[str], Iterable[str]]) -> None:
        super().__init__()
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)

    def split(self, text: str) -> list[str]:
        """Ask the function, and check that it gave strings."""
        return check_tokens(self.function(text), self.name)

    def clean(self, token: str) -> str:
        """Leave the token as it is."""
        return token

    def __repr__(self) -> str:
        return f"FunctionAnalyzer({self.name})"


class NotTokens(TypeError):  # noqa: N818 - reads better in a message
    """An analyzer returned something else than strings."""


def check_tokens(given: object, name: str) -> list[str]:
    """Return what an analyzer returned as a list of strings, or say what is wrong with it."""
    wanted = f"the analyzer {name} must take one text and return a list of strings, its tokens"
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise NotTokens(f"{wanted}; it returned {given!r:.60} ({type(given).__name__})")
    tokens = list(given)
    for token in tokens:
        if not isinstance(token, str):
            raise NotTokens(f"{wanted}; there is {token!r:.60} ({type(token).__name__}) in what it returned")
    return tokens


class _Stemmers(threading.local):
    """Snowball stemmers keep the word they work on inside, so every thread has its own."""

    def __init__(self) -> None:
        self.by_name: dict[str, Any] = {}


_STEMMERS = _Stemmers()


@lru_cache(maxsize=1 << 17)
def _stem(algorithm: str, word: str) -> str:
    """Stem a word; remembered, since a panel builds the same corpus again with other settings."""
    stem: str = _of_this_thread(algorithm).stemWord(word)
    return stem


def _of_this_thread(algorithm: str) -> Any:
    if algorithm not in _STEMMERS.by_name:
        import snowballstemmer

        _STEMMERS.by_name[algorithm] = snowballstemmer.stemmer(algorithm)
    return _STEMMERS.by_name[algorithm]

"""The word rule: what counts as a word in a text.

A word is a run of letters, digits and combining marks, with apostrophes and zero-width joiners allowed inside it.
Everything else (spaces, hyphens, underscores, punctuation) separates words, and every emoji is a word of its own.

- Case is folded and characters are composed (NFC), so ``"Straße"`` and ``"STRASSE"`` are one word, and so are the
  two ways to write ``"é"``.
- Apostrophes stay inside (``"don't"``), a possessive ``'s`` goes (``"dog's"`` is ``"dog"``); ``’`` is ``'``.
- Hyphens separate: ``"well-known"`` is two words, since dictionaries disagree about most hyphens.
- Digits are letters: ``"1984"`` and ``"3d"`` are words; ``"3.14"`` is two.
- An emoji is one word with all that belongs to it: its skin tone, the parts that joiners tie together, the two letters
  of a flag. Whether it is drawn in colour or as text (a variation selector says it) makes no difference.
- A run without any letter, digit or emoji is no word. One letter is enough: ``"a"`` and ``"c"`` are words.
- Scripts written without spaces are not segmented: a run of Chinese characters is one word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import groupby

__all__ = ["BREAK", "clean_word", "fold", "split_texts", "split_words"]

BREAK = "\0"
"""The end of a text in what `split_texts` returns; never a word, since the word rule takes it for a space."""

# ASCII text, nearly everything here, needs one table look-up per character and no regular expression.
_ASCII = {code: chr(code).lower() if chr(code).isalnum() or chr(code) == "'" else " " for code in range(128)}
_ASCII_AND_BREAK = {**_ASCII, ord(BREAK): BREAK}
# So many texts are joined and split at once; one of them that is not ASCII slows down only these.
_TOGETHER = 100
# Joiners belong inside Persian and Indic words, but at the edge of a run they join nothing.
_EDGES = "'\u200c\u200d"
# Symbols among which emoji are, older ones with their neighbours (stars, hearts, ticks), and what may follow one: how
# it is drawn, a skin tone, the letters of a region.
_SYMBOL = (
    "[\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u2600-\u275a\u2762-\u2767\u2794-\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    "\U0001f000-\U0001f0ff\U0001f170-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_MORE = "[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"
_EMOJI = (
    f"[\U0001f1e6-\U0001f1ff]{{1,2}}{_MORE}|{_SYMBOL}{_MORE}(?:\u200d(?:{_SYMBOL}|[\u2640\u2642]){_MORE})*"
    "|[\U0001f3fb-\U0001f3ff]"
)
_DRAWN = str.maketrans("", "", "\ufe0e\ufe0f")


@cache
def _run() -> re.Pattern[str]:
    """Match runs of word characters; without the combining marks it would cut Hindi words into pieces."""
    variation = range(0xFE00, 0xFE10)
    marks = [c for c in range(0x300, 0x20000) if c not in variation and unicodedata.category(chr(c))[0] == "M"]
    # Every separator is compared with all that is beyond U+FFFF here: a hundred ranges, or eight hundred characters.
    first = [c for before, c in zip([0, *marks], marks, strict=False) if c != before + 1]
    last = [c for c, after in zip(marks, [*marks[1:], 0], strict=True) if after != c + 1]
    ranges = "".join(f"{chr(one)}-{chr(two)}" for one, two in zip(first, last, strict=True))
    return re.compile(rf"{BREAK}|{_EMOJI}|[\w'\u200c\u200d{ranges}]+")


@cache
def _emoji() -> re.Pattern[str]:
    return re.compile(_EMOJI)


def fold(text: str) -> str:
    """Fold case and spelling variants of the same characters, so that equal words are equal strings.

    Examples
    --------
    >>> fold("STRASSE") == fold("Straße")
    True
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFD", text).casefold()
    return unicodedata.normalize("NFC", text.replace("\u2019", "'").replace("\u00ad", ""))


def split_words(text: str) -> list[str]:
    """Cut a text into folded runs of word characters; `clean_word` makes words of them.

    The two halves are apart because the second one runs once per different word, not once per word.

    Examples
    --------
    >>> split_words("The DOG's well-known 'trick'")
    ['the', "dog's", 'well', 'known', "'trick'"]
    >>> split_words("Great🎉🎉 in 🇳🇱")
    ['great', '🎉', '🎉', 'in', '🇳🇱']
    """
    if text.isascii():
        return text.translate(_ASCII).split()
    return _split_mixed(text.replace(BREAK, " "), {})


def split_texts(texts: Iterable[str]) -> list[str]:
    r"""Split many texts at once, several times faster than one by one; a `BREAK` follows every text's words.

    Examples
    --------
    >>> split_texts(["One two", "", "three"])
    ['one', 'two', '\x00', '\x00', 'three', '\x00']
    """
    tokens: list[str] = []
    known: dict[str, list[str]] = {}
    every = list(texts)
    for start in range(0, len(every), _TOGETHER):
        run = every[start : start + _TOGETHER]
        joined = f" {BREAK} ".join([*run, ""])
        if joined.count(BREAK) > len(run):
            joined = f" {BREAK} ".join([*(text.replace(BREAK, " ") for text in run), ""])
        tokens += joined.translate(_ASCII_AND_BREAK).split() if joined.isascii() else _split_mixed(joined, known)
    return tokens


def _split_mixed(text: str, known: dict[str, list[str]]) -> list[str]:
    """Split text of any script: ASCII stretches by the table, every other piece by the general rule, once.

    No word and no composed character reaches across white space, so the text may be cut there first. What a piece
    gave is kept in ``known``.
    """
    tokens: list[str] = []
    for is_ascii, pieces in groupby(text.split(), str.isascii):
        if is_ascii:
            tokens += " ".join(pieces).translate(_ASCII_AND_BREAK).split()
            continue
        for piece in pieces:
            found = known.get(piece)
            if found is None:
                found = known[piece] = _split_any(piece)
            tokens += found
    return tokens


def _split_any(text: str) -> list[str]:
    """Split text of any script, the general rule; regular expressions take an underscore for a letter, so it goes."""
    return _run().findall(fold(text).replace("_", " "))


def clean_word(run: str) -> str:
    """Trim a run to the word inside it; the empty string when there is none.

    Examples
    --------
    >>> [clean_word(run) for run in ("dog's", "'trick'", "''")]
    ['dog', 'trick', '']
    """
    if run.isalnum():
        return run
    if not run.isascii() and _emoji().fullmatch(run):
        return run.translate(_DRAWN)
    word = run.strip(_EDGES).removesuffix("'s").strip(_EDGES)
    return word if any(map(str.isalnum, word)) else ""

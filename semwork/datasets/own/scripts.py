"""In which scripts texts are written: Latin, Cyrillic, Hebrew, Han and so on."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

__all__ = ["script_of", "scripts_seen"]

_LETTER = re.compile("[A-Za-z]")
_NAMES = {"CJK": "Han", "IDEOGRAPHIC": "Han", "CANADIAN": "Canadian syllabics", "OLD": "an old script"}
_KNOWN = frozenset(
    [
        "LATIN",
        "GREEK",
        "CYRILLIC",
        "ARMENIAN",
        "HEBREW",
        "ARABIC",
        "SYRIAC",
        "THAANA",
        "NKO",
        "DEVANAGARI",
        "BENGALI",
        "GURMUKHI",
        "GUJARATI",
        "ORIYA",
        "TAMIL",
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "THAI",
        "LAO",
        "TIBETAN",
        "MYANMAR",
        "GEORGIAN",
        "HANGUL",
        "ETHIOPIC",
        "CHEROKEE",
        "KHMER",
        "MONGOLIAN",
        "HIRAGANA",
        "KATAKANA",
        "BOPOMOFO",
        "YI",
        "COPTIC",
        "GOTHIC",
        "RUNIC",
        "OGHAM",
        "TIFINAGH",
        "JAVANESE",
        "BALINESE",
        "TAGALOG",
        "GLAGOLITIC",
    ]
)


@functools.cache
def script_of(sign: str) -> str:
    """Return the script of a letter; empty for what is no letter.

    Parameters
    ----------
    sign : str
        One character.

    Examples
    --------
    >>> script_of("ß"), script_of("我"), script_of("7")
    ('Latin', 'Han', '')
    """
    if not sign.isalpha():
        return ""
    plain = unicodedata.normalize("NFKD", sign)[0]  # letters of full width or of mathematics are letters
    first = unicodedata.name(plain, "").split(" ")[0].split("-")[0]
    if first in _KNOWN:
        return first.capitalize()
    return _NAMES.get(first, "other letters" if unicodedata.category(plain) in {"Lu", "Ll", "Lo", "Lt"} else "")


def scripts_seen(texts: Iterable[str]) -> dict[str, int]:
    """Count texts that have a letter of each script, most frequent first.

    Parameters
    ----------
    texts : iterable of str
        A text may count for several scripts.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> scripts_seen(["a cat", "кот is a cat", "3 × 4"])
    {'Latin': 2, 'Cyrillic': 1}
    """
    counts: Counter[str] = Counter()
    for text in texts:
        if text.isascii():
            if _LETTER.search(text):
                counts["Latin"] += 1
            continue
        counts.update({script for sign in set(text) if (script := script_of(sign))})
    return dict(counts.most_common())

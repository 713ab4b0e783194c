"""Names of cities, territories and languages from the Unicode CLDR, through babel."""

from __future__ import annotations

import numpy as np

from semwork.datasets.parsed import Source
from semwork.datasets.records import NamePairs

__all__ = ["load"]

_NO_TERRITORY = {"ZZ", "XA", "XB", "EU", "EZ", "UN", "QO"}
_NO_LANGUAGE = {"und", "mul", "mis", "zxx", "root"}


def load(source: Source, *, language: str = "he") -> NamePairs:
    """Return names in English and in another language.

    Parameters
    ----------
    language : str
        A CLDR code, such as ``"he"``, ``"ru"``, ``"el"``, ``"ar"``; with a script or territory if need be
        (``"sr_Latn"``), ``-`` and ``_`` are the same.

    Notes
    -----
    Cities are the example cities of time zones. Names that are missing in the language, or written the same in both,
    are left out, and so are entries of CLDR that name nothing in the world, by their codes:

    - cities: the zones ``Etc/…`` ("Unknown City");
    - territories: ``ZZ`` ("Unknown Region") and the pseudo territories ``XA`` and ``XB`` made for tests of software;
      groups of territories, which are ``EU``, ``EZ``, ``UN``, ``QO`` ("Outlying Oceania") and all numbers (continents);
    - languages: ISO 639's special codes ``und``, ``mul``, ``mis``, ``zxx``, the codes ``qaa`` to ``qtz`` for local use,
      and CLDR's ``root``.

    Many of the pairs are **translations, not transliterations**, in part or as a whole: "United States",
    "South Georgia & South Sandwich Islands", "Old English"; territories and languages more often than cities. They are
    kept, since no rule by code can tell them: a transliteration task has to filter them by a rule of its own.
    """
    from babel import Locale, UnknownLocaleError

    try:
        code = language.replace("-", "_")
        foreign = Locale.parse(code)
    except (UnknownLocaleError, ValueError, TypeError, AttributeError) as error:
        raise ValueError(_unknown(language)) from error
    if foreign.language == "en":
        raise ValueError("language is 'en'; the other side of each pair is English already")
    english = Locale.parse("en")
    rows = []
    for zone, names in sorted(foreign.time_zones.items()):
        plain = zone.rpartition("/")[2].replace("_", " ")
        rows.append((english.time_zones.get(zone, {}).get("city", plain), names.get("city"), "city", zone))
    for kind, of_english, of_foreign in (
        ("territory", english.territories, foreign.territories),
        ("language", english.languages, foreign.languages),
    ):
        rows += [(of_english.get(c), name, kind, c) for c, name in sorted(of_foreign.items())]
    kept = [row for row in rows if row[0] and row[1] and row[0] != row[1] and _names_something(*row[2:])]
    if not kept:
        raise ValueError(_unknown(language))
    one, two, kinds, codes = zip(*kept, strict=True)
    return NamePairs(source.name, code, list(one), list(two), np.array(kinds, dtype=object), list(codes))


def _names_something(kind: str, code: str) -> bool:
    """Say whether a code stands for a place or a language; the rule is in the notes of `load`."""
    if kind == "city":
        return not code.startswith("Etc/")
    if kind == "territory":
        return code[0].isalpha() and code not in _NO_TERRITORY
    return code not in _NO_LANGUAGE and not (len(code) == 3 and "qaa" <= code <= "qtz")


def _unknown(language: object) -> str:
    from babel.localedata import locale_identifiers

    codes = sorted(code for code in locale_identifiers() if "_" not in code and code != "en")
    some = "ar, de, el, fa, he, hi, ja, ka, ko, ru, th, uk"
    return f"there are no names for language {language!r}; allowed are CLDR codes such as {some} ({len(codes)} in all)"

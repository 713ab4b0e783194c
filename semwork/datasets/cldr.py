"""Names of cities, territories and languages from the Unicode CLDR, through babel."""

from __future__ import annotations

import numpy as np

from semwork.datasets.parsed import Source
from semwork.datasets.records import NamePairs

__all__ = ["load"]


def load(source: Source, *, language: str = "he") -> NamePairs:
    """Return names in English and in another language.

    Parameters
    ----------
    language
        A CLDR code, such as ``"he"``, ``"ru"``, ``"el"``, ``"ar"``.

    Notes
    -----
    Cities are the example cities of time zones. Names that are missing in the language, or written the same in both,
    are left out. Translated names ("United States") are still among them.
    """
    from babel import Locale, UnknownLocaleError

    try:
        foreign = Locale.parse(language)
    except (UnknownLocaleError, ValueError, TypeError) as error:
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
        # numbers stand for continents and regions, whose names are mostly translated
        rows += [(of_english.get(c), name, kind, c) for c, name in sorted(of_foreign.items()) if c[:1].isalpha()]
    kept = [(one, two, kind, code) for one, two, kind, code in rows if one and two and one != two]
    if not kept:
        raise ValueError(_unknown(language))
    one, two, kinds, codes = zip(*kept, strict=True)
    return NamePairs(source.name, language, list(one), list(two), np.array(kinds, dtype=object), list(codes))


def _unknown(language: object) -> str:
    from babel.localedata import locale_identifiers

    codes = sorted(code for code in locale_identifiers() if "_" not in code and code != "en")
    some = "ar, de, el, fa, he, hi, ja, ka, ko, ru, th, uk"
    return f"there are no names for language {language!r}; allowed are CLDR codes such as {some} ({len(codes)} in all)"

"""What can be set where names are aligned, and how their features are told."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from semwork.datasets import NamePairs
from semwork.structures import Problem
from semwork.structures.tasks.transliteration import Names, name_problem, transliterated_names
from semwork.studies.latent import iteration_field
from semwork.studies.origin import calling
from semwork.studies.settings import Settings, choice, real, seed, text, whole
from semwork.studies.study import Input, Source

__all__ = [
    "CLDR_NAMES",
    "FIRST_NAME",
    "LANGUAGES",
    "NAME_KINDS",
    "NameSettings",
    "NameView",
    "feature_kind",
    "feature_name",
    "shown_letter",
]

#: CLDR codes for which there is a romanisation table.
LANGUAGES = {
    "he": "Hebrew",
    "ar": "Arabic",
    "ru": "Russian",
    "uk": "Ukrainian",
    "el": "Greek",
    "ka": "Georgian",
    "hy": "Armenian",
    "hi": "Hindi",
    "ko": "Korean",
}
#: The name that is shown first.
FIRST_NAME = "Johannesburg"
#: What features are about.
NAME_KINDS = ("letters", "two letters each", "left alone", "bias")
_PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


@dataclass(frozen=True, kw_only=True)
class NameSettings(Settings):
    """What is learnt from, and under which rules letters are joined."""

    one_to_one: bool = choice(
        True,
        "each letter",
        "free: joined with several, or with none",
        {"one-to-one": True, "free": False},
        shown="buttons",
    )
    crossing: bool = choice(
        False, "crossing", "may joins cross?", {"forbidden": False, "allowed": True}, shown="buttons"
    )
    training: int = whole(
        250, "training pairs", "300 others are for the test", 2, 400, grid=(25, 50, 100, 150, 250, 400),
        own=lambda facts: min(250, facts["names"] // 2), within=lambda facts: facts["names"] - 1,
    )  # fmt: skip
    share: float = real(
        0.01,
        "negative examples",
        "share of all false pairings; the paper's takes a minute",
        0.001,
        1,
        grid=(0.005, 0.01, 0.02, 0.05, 0.1),
        log=True,
        paper=0.1,
    )
    regularization: float = real(
        1.0,
        "λ, regularisation",
        "how strongly are weights pulled towards zero?",
        0.001,
        1000,
        grid=_PENALTIES,
        log=True,
    )
    seed: int = seed("which names are for training: does the story change?")

    @property
    def problem(self) -> Callable[[tuple[str, str]], Problem]:
        """Function from a pair of names to its `Problem`, under these rules."""
        return functools.partial(name_problem, one_to_one=self.one_to_one, crossing=self.crossing)


@dataclass(frozen=True, kw_only=True)
class NameView(Settings):
    """Which iteration is drawn, and which two names are aligned."""

    iteration: int = iteration_field()
    english: str = text(
        FIRST_NAME, "a name in Latin letters", "type any name", own=lambda _: "", resets=True, private=True
    )
    foreign: str = text(
        "",
        "the other name",
        "empty: its spelling in CLDR; or type one, right or wrong",
        hint="as in CLDR",
        private=True,
        resets=True,  # a spelling in the script of another language says nothing
    )
    look_at: str = choice("mistakes", "look at", "the last picture", ("mistakes", "weights"), shown="buttons")


#: The names that a list offers.
CLDR_NAMES = Input(
    "language",
    "names of places and languages from CLDR",
    {code: Source(name, calling(transliterated_names)(code)) for code, name in LANGUAGES.items()},
    {NamePairs: calling(Names).from_pairs},
)


# --- words for people -------------------------------------------------------------------------------------------------


def shown_letter(letter: str) -> str:
    """Return a letter as it can stand alone: a mark gets a circle to sit on.

    Examples
    --------
    >>> shown_letter("r"), len(shown_letter("ि"))
    ('r', 2)
    """
    return "◌" + letter if unicodedata.category(letter).startswith("M") else letter


def feature_kind(feature: Any) -> str:
    """Say what a feature of `name_problem` is about."""
    if not isinstance(feature, tuple):
        return NAME_KINDS[3]
    if "" in feature:
        return NAME_KINDS[2]
    return NAME_KINDS[1] if len(feature[0]) > 1 else NAME_KINDS[0]


def feature_name(feature: Any) -> str:
    """Return a feature of `name_problem` for people; ``^`` is the beginning of a name.

    Examples
    --------
    >>> feature_name(("k", "ק")), feature_name(("e", "")), feature_name("bias")
    ('k – ק', 'alone e', 'bias')
    """
    if not isinstance(feature, tuple):
        return str(feature)
    one, two = (shown_letter(side) if len(side) == 1 else side for side in feature)
    return f"{one} – {two}" if one and two else f"alone {one or two}"

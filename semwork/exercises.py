"""Exercises of the lessons: a check judges an answer, and says what is right in it or what is not yet."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from types import FunctionType
from typing import Any

import numpy as np

__all__ = ["Verdict", "check", "near"]


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Parameters
    ----------
    right : bool
        Whether the answer passed.
    said : str
        What is right in it, or a hint about what is wrong.
    """

    right: bool
    said: str

    def __str__(self) -> str:
        return f"{'Right' if self.right else 'Not yet'}: {self.said}"


_HELP = "Hints are folded below."


class _UnfinishedError(Exception):
    """What an answer returns is not there yet, or has too few digits; the text says so to the learner."""


def check(judge: Callable[..., str]) -> Verdict:
    """Judge answers, print what was found and return it; an answer of whatever kind raises nothing.

    To be used as a decorator, so that a lesson's check reads as the function that it is.

    Parameters
    ----------
    judge : function that returns a str
        Its parameters have the names of the answers, which are variables of the notebook. It asserts what a good
        answer has to fulfil, each time with a hint for those who are not there yet, and returns what was right.

    Returns
    -------
    Verdict
        Not right when an answer is missing, is None or still holds ``...``, when a function that was asked for returns
        nothing, when an assertion fails, or when an answer is of a kind that the check cannot deal with.

    Examples
    --------
    >>> answer = 3
    >>> @check
    ... def exercise_1(answer):
    ...     assert answer**2 == 16, "its square is not 16"
    ...     return "4 times 4 is 16"
    Not yet: its square is not 16
    >>> exercise_1.right
    False
    """
    answers = {name: judge.__globals__.get(name, ...) for name in signature(judge).parameters}
    verdict = _verdict(judge, answers)
    print(verdict)
    return verdict


def _verdict(judge: Callable[..., str], answers: dict[str, Any]) -> Verdict:
    empty = [f"`{name}`" for name, value in answers.items() if _is_empty(value)]
    if empty:
        listed = " and ".join(filter(None, (", ".join(empty[:-1]), empty[-1])))
        return Verdict(False, f"write your answer in place of the `...` of {listed}. {_HELP}")
    nothing = [f"`{name}`" for name, value in answers.items() if value is None]
    if nothing:
        return Verdict(False, f"{nothing[0]} is None: there is no answer in it yet. {_HELP}")
    try:
        return Verdict(True, judge(**{name: _watched(value) for name, value in answers.items()}))
    except AssertionError as error:
        return Verdict(False, str(error) or "something is still wrong.")
    except _UnfinishedError as error:
        return Verdict(False, str(error))
    except Exception as error:  # noqa: BLE001 - learners' answers fail in every way, and the lesson goes on
        return Verdict(False, f"with this answer the check ends with {type(error).__name__}: {error}")


def _is_empty(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_is_empty(part) for part in value.values())
    if isinstance(value, list | tuple | set):
        return any(_is_empty(part) for part in value)
    return value is ...


def _watched(answer: Any) -> Any:
    """Let a function that was asked for say when it is not written yet."""
    if not isinstance(answer, FunctionType):
        return answer

    @functools.wraps(answer)
    def called(*arguments: Any, **named: Any) -> Any:
        found = answer(*arguments, **named)
        if _is_empty(found):
            raise _UnfinishedError(f"write your answer in place of the `...` that `{answer.__name__}` returns. {_HELP}")
        if found is None:
            raise _UnfinishedError(f"`{answer.__name__}` returns nothing yet: end it with `return` and your answer.")
        return found

    return called


def near(found: Any, right: Any) -> bool:
    """Return whether numbers agree to three digits: an answer may be rounded.

    Below 0.1 three digits behind the point are enough. An answer that has fewer digits, all of them right, is told by
    the check to give more.

    Parameters
    ----------
    found : float or array_like
        The answer.
    right : float or array_like
        What it should be.

    Examples
    --------
    >>> near(0.333, 1 / 3), near(0.336, 1 / 3)
    (True, False)
    >>> near([0.083, 8.26], [1 / 12, 8.2631])
    True
    """
    answer, truth = np.asarray(found, dtype=float), np.asarray(right, dtype=float)
    try:
        apart = np.abs(answer - truth)
    except ValueError:  # other numbers of rows or columns
        return False
    digit = 10.0 ** np.floor(np.log10(np.maximum(np.abs(truth), 0.1)) - 2)  # what the third digit counts
    if (apart <= 0.501 * digit).all():
        return True
    if answer.ndim == truth.ndim == 0 and any(answer == float(f"{truth:.{digits}g}") for digits in (1, 2)):
        raise _UnfinishedError(f"{found} is right as far as it goes: give three digits.")
    return False

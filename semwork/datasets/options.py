"""Checks of what a caller may ask of a data set: they say what was given, what is allowed and what to do."""

from __future__ import annotations

from semwork.given import is_number, is_whole

__all__ = ["check_seed", "check_share", "check_size"]


def check_share(option: str, value: object, *, one_allowed: bool = True) -> None:
    """Raise when ``value`` is no share, a number from 0 to 1.

    >>> check_share("test_share", 25)
    Traceback (most recent call last):
    ValueError: test_share is 25; allowed is a share, a number from 0 to 1, such as 0.5
    """
    words = f"allowed is a share, a number from 0 to {'1' if one_allowed else 'below 1'}, such as 0.5"
    if not is_number(value):
        raise TypeError(f"{option} is {value!r:.60} ({type(value).__name__}); {words}")
    if not 0 <= float(value) <= 1 or (float(value) == 1 and not one_allowed):
        raise ValueError(f"{option} is {value!r}; {words}")


def check_size(option: str, value: object, most: int) -> None:
    """Raise when ``value`` is no number of queries out of ``most``."""
    words = f"allowed is a whole number from 0 to {most}, the number of queries"
    if not is_whole(value):
        raise TypeError(f"{option} is {value!r:.60} ({type(value).__name__}); {words}")
    if not 0 <= int(value) <= most:
        raise ValueError(f"{option} is {value}; {words}")


def check_seed(value: object) -> None:
    """Raise when ``value`` is no seed; there is no random one, so that every draw can be made again."""
    words = "allowed is a whole number from 0, the same number for the same draw"
    if not is_whole(value):
        raise TypeError(f"seed is {value!r:.60} ({type(value).__name__}); {words}")
    if int(value) < 0:
        raise ValueError(f"seed is {value}; {words}")

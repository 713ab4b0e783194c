"""What the metrics ask of their input, said in words when it is not so."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Flags", "Floats", "binary", "numbers", "resampling", "same_length"]

Floats = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]


def numbers(values: ArrayLike, name: str, at_least: int = 1) -> Floats:
    """One finite number per item, as float64.

    Examples
    --------
    >>> numbers([1, float("nan")], "gold")
    Traceback (most recent call last):
    ...
    ValueError: gold holds 1 value that is NaN or infinite (the first at 1); leave these items out of all the arrays
    """
    try:
        given = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold one number per item; it cannot be read as numbers: {error}") from error
    if given.ndim != 1:
        raise ValueError(f"{name} has the shape {given.shape}; give one number per item, an array of one dimension")
    if len(given) < at_least:
        raise ValueError(f"{name} has {len(given)} items; at least {at_least} are needed")
    wrong = np.flatnonzero(~np.isfinite(given))
    if len(wrong):
        some = "1 value that is" if len(wrong) == 1 else f"{len(wrong)} values that are"
        raise ValueError(
            f"{name} holds {some} NaN or infinite (the first at {wrong[0]}); leave these items out of all the arrays"
        )
    return given


def binary(values: ArrayLike, name: str) -> Flags:
    """One yes or no per item, given as booleans or as 0 and 1.

    Examples
    --------
    >>> binary([0, 1, 2], "labels")
    Traceback (most recent call last):
    ...
    ValueError: labels holds 2.0 (at 2); only 0 and 1, or False and True, are allowed
    """
    given = numbers(values, name)
    wrong = np.flatnonzero((given != 0) & (given != 1))
    if len(wrong):
        raise ValueError(
            f"{name} holds {given[wrong[0]]} (at {wrong[0]}); only 0 and 1, or False and True, are allowed"
        )
    return given.astype(bool)


def same_length(**arrays: Any) -> int:
    """The common length of the arrays; an error that names them if there is none.

    Examples
    --------
    >>> same_length(gold=[1, 2, 3], predicted=[1, 2])
    Traceback (most recent call last):
    ...
    ValueError: the lengths differ: gold has 3, predicted has 2; give one value per item in each
    """
    lengths = {name: len(values) for name, values in arrays.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"the lengths differ: {said}; give one value per item in each")
    return next(iter(lengths.values()))


def resampling(resamples: int, confidence: float) -> None:
    """Refuse a number of resamples or a confidence that makes no interval."""
    if resamples < 100:
        raise ValueError(f"resamples is {resamples}; an interval needs at least 100, better 2000 or more")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it must lie between 0 and 1, such as 0.95")

"""A run is a stream of steps.

Every long computation in semwork (an ALS iteration, a Gibbs sweep, one cell of a sweep, a chunk of a
download) is a generator of small immutable records. ``fit`` drains the stream, a live panel draws it, a
progress bar counts it, Stop ends it between two records, a test asserts on it. There is no second mechanism.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, kw_only=True)
... class Halving(Step):
...     value: float
>>> def halve(value, times):
...     for done in range(1, times + 1):
...         value /= 2
...         yield Halving(done=done, total=times, value=value)
>>> last(halve(8.0, 3)).value
1.0
>>> table(halve(8.0, 2))[["done", "value"]].to_dict("list")
{'done': [1, 2], 'value': [4.0, 2.0]}
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Step", "TimeLeft", "last", "reporting", "table"]

_SILENT = 3  # measured steps before the first estimate of the time left
_DAMPING = 0.3  # how far the expected end moves to a new estimate


@dataclass(frozen=True, kw_only=True)
class Step:
    """One record of a run; models add fields by subclassing.

    Parameters
    ----------
    done : int
        How much of the run is behind us, counted in the run's own unit (iterations, sweeps, bytes), from 1.
    total : int or None
        How much there will be, or ``None`` when nobody can know.
    message : str
        A few words for a status line, such as ``"iteration 3, objective 41.2"``.
    """

    done: int
    total: int | None = None
    message: str = ""

    @property
    def fraction(self) -> float | None:
        """Share done, between 0 and 1; ``None`` when the total is not known."""
        if self.total is None:
            return None
        return min(1.0, self.done / self.total) if self.total > 0 else 1.0


S = TypeVar("S", bound=Step)


def last(steps: Iterable[S]) -> S:
    """Run to the end and return the last record."""
    tail = deque(steps, maxlen=1)
    if not tail:
        raise ValueError("the run gave no step at all; a run must yield at least one record")
    return tail[0]


def reporting(steps: Iterable[S], report: Callable[[S], object]) -> Iterator[S]:
    """Pass the stream on unchanged and show every record to ``report`` (a progress bar, a log).

    Parameters
    ----------
    steps : iterable of Step
        The run.
    report : callable
        Is called with every record before it is passed on.

    Yields
    ------
    Step
        The records of the run.
    """
    for step in steps:
        report(step)
        yield step


def table(steps: Iterable[Step]) -> pd.DataFrame:
    """Drain the run into a tidy DataFrame, one row per record, one column per field.

    Parameters
    ----------
    steps : iterable of Step
        The run.

    Returns
    -------
    DataFrame of shape (n_steps, n_fields)
    """
    import pandas as pd

    return pd.DataFrame([{f.name: getattr(step, f.name) for f in dataclasses.fields(step)} for step in steps])


class TimeLeft:
    """Seconds to the end of a run, if the rest goes as fast as what was measured.

    The first step is not measured, because it pays for compiling and loading, and before the third step after it there
    is no estimate at all. From then on the expected end moves only part of the way to each new estimate.

    Examples
    --------
    >>> left = TimeLeft()
    >>> [left(seconds, done / 10) for done, seconds in enumerate([9.0, 10.0, 11.0, 12.0, 13.0], 1)]
    [None, None, None, 6.0, 5.0]
    """

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None
        self._advances = 0
        self._fraction = 0.0
        self._end: float | None = None

    def __call__(self, seconds: float, fraction: float | None) -> float | None:
        """Tell of a step, so many seconds after the beginning and with this share done; ``None`` while unknown."""
        if fraction is None:
            return None
        if self._first is None:
            self._first, self._fraction = (seconds, fraction), fraction
        elif fraction > self._fraction:
            self._advances, self._fraction = self._advances + 1, fraction
            begun, behind = self._first
            end = begun + (seconds - begun) * (1 - behind) / (fraction - behind)
            if self._advances == _SILENT:
                self._end = end
            elif self._end is not None:
                self._end += _DAMPING * (end - self._end)
        if fraction >= 1:
            return 0.0
        return None if self._end is None else max(0.0, self._end - seconds)

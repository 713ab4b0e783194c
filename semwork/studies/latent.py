"""What the studies of latent structures share: iterations of a run, two rows and what joins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from semwork.studies.settings import whole
from semwork.studies.study import Answer

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Joined", "JoinedRows", "Learning", "Weights", "at_iteration", "extremes", "iteration_field", "said_when"]

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Joined:
    """Letters or words of two rows, and the parts of a structure between them.

    Attributes
    ----------
    left, right : tuple of str
        What stands in the rows.
    edges : DataFrame
        One line for each part that was chosen: ``left`` and ``right`` (places in the rows, −1 for none: a part with
        one place says that it was left alone), ``score``, ``kind`` and ``why``, a few words about the score.
    value : float
        Score of the whole structure.
    arcs : DataFrame or None
        Dependencies inside the rows: ``side`` (0 or 1), ``head`` and ``word`` (places in the row), ``label``, and a
        ``score`` if the other row has one that it is mapped on. Letters have none.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    edges: pd.DataFrame
    value: float
    arcs: pd.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class JoinedRows(Answer):
    """Two rows as a picture shows them; `Joined` says what the fields are."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    edges: pd.DataFrame
    arcs: pd.DataFrame | None
    title: str
    note: str
    vertical: bool | None = None


@dataclass(frozen=True, eq=False)
class Learning(Answer):
    """Objective and measures along the outer iterations, and what the two-stage system reaches."""

    history: pd.DataFrame
    two_stage: Mapping[str, float]
    iteration: int
    title: str
    tested: str


@dataclass(frozen=True, eq=False)
class Weights(Answer):
    """The largest weights and the smallest."""

    weights: pd.DataFrame
    kinds: tuple[str, ...]
    title: str


def iteration_field() -> int:
    """Declare the iteration that is looked at: a slider that grows with the run and stays at its end."""
    return whole(
        0,
        "outer iteration",
        "all pictures go there; 0: the two-stage start",
        0,
        lambda step: max(len(step.iterations) - 1, 0),
        follows=True,
    )


def at_iteration(iterations: Sequence[T], iteration: int | None) -> T:
    """Return an iteration, the last one if there are not so many yet or none is asked for.

    Examples
    --------
    >>> [at_iteration("abc", number) for number in (0, 9, None)]
    ['a', 'c', 'c']
    """
    return iterations[-1 if iteration is None else min(iteration, len(iterations) - 1)]


def said_when(iteration: int) -> str:
    """Name an iteration.

    Examples
    --------
    >>> said_when(0), said_when(3)
    ('the start', 'iteration 3')
    """
    return f"iteration {iteration}" if iteration else "the start"


def extremes(weights: NDArray[np.float64], n: int = 12) -> list[Any]:
    """Return the places of the largest weights above 0 and of the smallest below it, the largest first.

    Examples
    --------
    >>> extremes(np.array([1.0, 0.0, -3.0, 2.0]), n=2)
    [3, 0, 2]
    """
    order = np.argsort(-weights, kind="stable")
    largest, smallest = order[:n], order[-n:]
    return [*largest[weights[largest] > 0].tolist(), *smallest[weights[smallest] < 0].tolist()]

"""A latent problem, said in Python: parts with features, and linear constraints on which parts go together."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from semwork.compiled import compiled

__all__ = ["Chosen", "Compiled", "FeatureIndex", "Floats", "Limits", "Problem", "Row", "Solver"]

Floats = NDArray[np.float64]
Chosen = NDArray[np.bool_]
# A sparse vector: its columns, in order, and their values.
Row = tuple[NDArray[np.int64], Floats]
# The best structure for the given scores; None: not found in reasonable time, ask the integer program.
Solver = Callable[[Floats], Chosen | None]


class FeatureIndex:
    """Names of features ↔ columns. It grows while training problems are compiled, then it is closed.

    Parameters
    ----------
    names : iterable of hashable
        Those that are known already, in the order of their columns.
    closed : bool, default=False
        Whether there will be no others.
    """

    def __init__(self, names: Iterable[Hashable] = (), *, closed: bool = False) -> None:
        self.columns: dict[Hashable, int] = {name: column for column, name in enumerate(names)}
        self.closed = closed

    def __len__(self) -> int:
        return len(self.columns)

    def column(self, name: Hashable) -> int | None:
        """Return the column of a feature, a new one for a new name; ``None`` for a new name after closing.

        Parameters
        ----------
        name : hashable
            The feature.

        Returns
        -------
        int or None
        """
        if self.closed:
            return self.columns.get(name)
        return self.columns.setdefault(name, len(self.columns))

    @property
    def names(self) -> list[Hashable]:
        """Names in the order of the columns."""
        return list(self.columns)


@dataclass(frozen=True, eq=False)
class Limits:
    """``low ≤ matrix @ h ≤ high``, and what each row says."""

    matrix: sparse.csr_array
    low: Floats
    high: Floats
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Compiled:
    """One example as matrices; a structure h is a vector of 0 and 1, one for each part.

    Parameters
    ----------
    features : sparse array of shape (n_parts, n_features)
        Parts × features.
    always : sparse array of shape (1, n_features)
        Features that every structure of the example has (a row of 1 × features).
    labels : sequence of length n_parts
        What each part is, for people.
    heuristic : ndarray of shape (n_parts,)
        Scores of the parts for the two-stage system.
    make_limits : callable
        Makes the constraints. They are made when they are looked at: a problem with a solver of its own may never
        need them.
    solver : callable or None
        A faster way to the best structure, equal to the integer program; ``None`` if there is none. It may give up by
        returning ``None``.
    """

    features: sparse.csr_array
    always: sparse.csr_array
    labels: Sequence[Any]
    heuristic: Floats
    make_limits: Callable[[], Limits]
    solver: Solver | None = None

    @cached_property
    def limits(self) -> Limits:
        """The constraints."""
        return self.make_limits()

    @property
    def size(self) -> int:
        """The number of parts."""
        return int(self.features.shape[0])

    def row(self, chosen: Chosen) -> Row:
        """Return Φ(x, h), the sum of the features of the chosen parts, as columns and values.

        Parameters
        ----------
        chosen : ndarray of bool of shape (n_parts,)
            Which parts the structure has.

        Returns
        -------
        columns : ndarray of shape (n_found,), int64
        values : ndarray of shape (n_found,), float64
        """
        found: Row = _gathered(
            self.features.indptr, self.features.indices, self.features.data, self.always.indices, self.always.data,
            chosen, np.zeros(self.features.shape[1]), np.zeros(self.features.shape[1], dtype=np.bool_),
        )  # fmt: skip
        return found

    def vector(self, chosen: Chosen) -> sparse.csr_array:
        """Return Φ(x, h) as one sparse row.

        Parameters
        ----------
        chosen : as in `row`

        Returns
        -------
        csr_array of shape (1, n_features)
        """
        columns, values = self.row(chosen)
        return sparse.csr_array((values, columns, np.array([0, len(columns)])), shape=(1, self.features.shape[1]))

    def scores(self, weights: Floats) -> Floats:
        """Return the score of every part.

        Parameters
        ----------
        weights : ndarray of shape (n_features,)
            u.

        Returns
        -------
        ndarray of shape (n_parts,)
        """
        found: Floats = self.features @ weights[: self.features.shape[1]]
        return found

    def offset(self, weights: Floats) -> float:
        """Return the score that every structure has.

        Parameters
        ----------
        weights : as in `scores`

        Returns
        -------
        float
        """
        return float((self.always @ weights[: self.always.shape[1]])[0])


@compiled
def _gathered(
    starts: NDArray[np.integer[Any]],
    columns: NDArray[np.integer[Any]],
    values: Floats,
    own_columns: NDArray[np.integer[Any]],
    own_values: Floats,
    chosen: Chosen,
    sums: Floats,
    met: Chosen,
) -> Row:
    """Sum the rows that are chosen, and one more; a sparse product costs many times as much, and learners need many."""
    for cell in range(len(own_columns)):
        sums[own_columns[cell]] += own_values[cell]
        met[own_columns[cell]] = True
    for row in range(len(chosen)):
        if chosen[row]:
            for cell in range(starts[row], starts[row + 1]):
                sums[columns[cell]] += values[cell]
                met[columns[cell]] = True
    found = np.flatnonzero(met)
    return found, sums[found]


@dataclass
class Problem:
    """Parts and constraints of one example.

    Parameters
    ----------
    solver : callable or None
        A faster way to the best structure, as in `Compiled`.

    Examples
    --------
    Two words of one sentence, two of another; each word is mapped at most once.

    >>> problem = Problem()
    >>> pairs = {(i, j): problem.part({"same": float(i == j)}, label=(i, j)) for i in range(2) for j in range(2)}
    >>> for i in range(2):
    ...     problem.at_most_one([pairs[i, 0], pairs[i, 1]], f"left word {i} is mapped once")
    ...     problem.at_most_one([pairs[0, i], pairs[1, i]], f"right word {i} is mapped once")
    >>> compiled = problem.compile(FeatureIndex())
    >>> compiled.size, compiled.limits.matrix.shape
    (4, (4, 4))
    """

    _features: list[Mapping[Hashable, float]] = field(default_factory=list)
    _labels: list[Any] = field(default_factory=list)
    _heuristic: list[float] = field(default_factory=list)
    _rows: list[tuple[dict[int, float], float, float, str]] = field(default_factory=list)
    _always: dict[Hashable, float] = field(default_factory=dict)
    _later: list[Callable[[], None]] = field(default_factory=list)
    solver: Solver | None = None

    def part(self, features: Mapping[Hashable, float], *, label: Any = None, heuristic: float = 0.0) -> int:
        """Add a part that a structure may contain; returns its number.

        Parameters
        ----------
        features : mapping of hashable to float
            Name → value.
        label : object, optional
            What it is, for people.
        heuristic : float, default=0.0
            Its score in the two-stage system, which knows no weights yet.

        Returns
        -------
        int
        """
        for name, value in features.items():
            if not math.isfinite(value):
                raise ValueError(f"the feature {name!r} of part {label!r} is {value}; features must be finite numbers")
        if not math.isfinite(heuristic):
            raise ValueError(f"the heuristic score of part {label!r} is {heuristic}; it must be a finite number")
        self._features.append(dict(features))
        self._labels.append(label)
        self._heuristic.append(float(heuristic))
        return len(self._features) - 1

    def always(self, features: Mapping[Hashable, float]) -> None:
        """Add features that the example has whatever the structure, such as a bias.

        Parameters
        ----------
        features : mapping of hashable to float
            Name → value.
        """
        for name, value in features.items():
            if not math.isfinite(value):
                raise ValueError(f"the feature {name!r} is {value}; features must be finite numbers")
            self._always[name] = self._always.get(name, 0.0) + float(value)

    def constraint(self, weights: Mapping[int, float], low: float, high: float, name: str) -> None:
        """Ask for ``low ≤ Σ weights·h ≤ high``.

        Parameters
        ----------
        weights : mapping of int to float
            Number of a part → its weight.
        low, high : float
            Bounds.
        name : str
            What the constraint says, for people.
        """
        unknown = [part for part in weights if not 0 <= part < len(self._features)]
        if unknown:
            raise ValueError(
                f"the constraint {name!r} is about part {unknown[0]}, but there are {len(self._features)} parts; add "
                "the part first"
            )
        if low > high:
            raise ValueError(f"the constraint {name!r} asks for at least {low:g} and at most {high:g}")
        self._rows.append((dict(weights), low, high, name))

    def exactly_one(self, parts: Iterable[int], name: str) -> None:
        """One of the parts is chosen.

        Parameters
        ----------
        parts : iterable of int
            Numbers of parts.
        name : str
            What the constraint says, for people.
        """
        self.constraint(dict.fromkeys(parts, 1.0), 1.0, 1.0, name)

    def at_most_one(self, parts: Iterable[int], name: str) -> None:
        """One of the parts is chosen, or none.

        Parameters
        ----------
        parts, name : as in `exactly_one`
        """
        self.constraint(dict.fromkeys(parts, 1.0), 0.0, 1.0, name)

    def implies(self, part: int, other: int, name: str) -> None:
        """Where the first part is chosen, so is the other.

        Parameters
        ----------
        part, other : int
            Numbers of parts.
        name : str
            What the constraint says, for people.
        """
        self.constraint({other: 1.0, part: -1.0}, 0.0, 1.0, name)

    def non_crossing(self, pairs: Mapping[tuple[int, int], int], name: str = "no two parts cross") -> None:
        """Of parts that join place i on the left with place j on the right, no two chosen ones cross.

        ``(i, j)`` and ``(k, l)`` cross when i < k and j > l.

        Parameters
        ----------
        pairs : mapping of pair of int to int
            Places on the left and on the right → number of the part.
        name : str
            What the constraint says, for people.
        """
        for (i, j), part in pairs.items():
            for (i_other, j_other), other in pairs.items():
                if i < i_other and j_other < j:
                    self.at_most_one([part, other], name)

    def constrain_later(self, build: Callable[[], None]) -> None:
        """Have a function add constraints when somebody looks at them: for problems with a solver of their own.

        Parameters
        ----------
        build : callable
            It takes nothing, and adds them to this problem.
        """
        self._later.append(build)

    def compile(self, index: FeatureIndex) -> Compiled:
        """Make matrices.

        Parameters
        ----------
        index : FeatureIndex
            Columns of the features; it grows unless it is closed.

        Returns
        -------
        Compiled
        """
        rows, columns, values = [], [], []
        for row, features in enumerate(self._features):
            for name, value in features.items():
                column = index.column(name)
                if column is not None:
                    rows.append(row)
                    columns.append(column)
                    values.append(value)
        always = {column: value for name, value in self._always.items() if (column := index.column(name)) is not None}
        width = len(index)
        size = len(self._features)
        return Compiled(
            features=sparse.csr_array((values, (rows, columns)), shape=(size, width), dtype=np.float64),
            always=sparse.csr_array(
                (list(always.values()), ([0] * len(always), list(always))), shape=(1, width), dtype=np.float64
            ),
            labels=tuple(self._labels),
            heuristic=np.array(self._heuristic, dtype=np.float64),
            make_limits=self._limits,
            solver=self.solver,
        )

    def _limits(self) -> Limits:
        while self._later:
            self._later.pop(0)()
        cells = [(row, part, weight) for row, line in enumerate(self._rows) for part, weight in line[0].items()]
        rows, parts, weights = zip(*cells, strict=True) if cells else ((), (), ())
        shape = len(self._rows), len(self._features)
        return Limits(
            sparse.csr_array((list(weights), (list(rows), list(parts))), shape=shape, dtype=np.float64),
            np.array([line[1] for line in self._rows], dtype=np.float64),
            np.array([line[2] for line in self._rows], dtype=np.float64),
            tuple(line[3] for line in self._rows),
        )

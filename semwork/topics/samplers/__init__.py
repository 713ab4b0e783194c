"""Five samplers of one posterior, on one state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from semwork.topics.state import Keeps, State

__all__ = ["EXACT", "SAMPLERS", "Sampler", "SamplerName", "Swept"]

SamplerName = Literal["naive", "cholesky", "alias", "precision", "fast"]
SAMPLERS: tuple[SamplerName, ...] = ("naive", "cholesky", "alias", "precision", "fast")
EXACT: tuple[SamplerName, ...] = ("naive", "cholesky", "precision")
"""Samplers without a table: they draw from the exact conditional distribution always."""

_KEEPS: dict[str, Keeps] = {"naive": "psi", "cholesky": "factor", "alias": "factor"}
_CHANGES = 100_000  # of matrices; after so many the state is computed afresh


@dataclass(frozen=True)
class Swept:
    """What some sweeps did: tokens looked at, tokens moved, proposals made and accepted (0 for exact samplers).

    Attributes
    ----------
    tokens : int
        How many were looked at.
    moved : int
        How many have another topic now.
    proposals, accepted : int
        0 for exact samplers.
    """

    tokens: int
    moved: int
    proposals: int = 0
    accepted: int = 0

    @property
    def acceptance(self) -> float:
        """Share of the proposals that were accepted; 1 for samplers that propose nothing."""
        return self.accepted / self.proposals if self.proposals else 1.0


class Sampler:
    """Sweeps over a state.

    Parameters
    ----------
    name : {"naive", "cholesky", "alias", "precision", "fast"}
        One of `SAMPLERS`.
    mh_steps : int, default=2
        Proposals per token, for the samplers with a table.
    delicate : bool, default=False
        Whether the state is computed afresh after every sweep: where vectors are long beside the prior, a topic that
        empties and fills again loses digits each time.
    """

    def __init__(self, name: SamplerName, mh_steps: int = 2, *, delicate: bool = False) -> None:
        self.name, self.mh_steps, self.delicate = name, mh_steps, delicate
        self._table: tuple[Any, ...] = ()
        self._changes = 0

    @property
    def keeps(self) -> Keeps:
        """What the state has to keep of each topic for this sampler."""
        return _KEEPS.get(self.name, "precision")

    @property
    def exact(self) -> bool:
        """Whether it needs no table."""
        return self.name in EXACT

    def fill(self, state: State) -> None:
        """Fill the table of proposals from the state of now.

        Parameters
        ----------
        state : State
            From whose densities the table is filled.
        """
        a = state.arrays
        shape = (len(a.vectors), len(a.counts))
        if self.name == "fast":
            from semwork.topics.samplers import fast

            self._table = self._table or (np.empty(shape),)
            fast.fill(a, *self._table)
        elif self.name == "alias":
            from semwork.topics.samplers import alias

            rows = np.empty(shape), np.empty(shape[0]), np.empty(shape[0])
            self._table = self._table or (*rows, np.empty(shape), np.empty(shape, np.int32))
            alias.fill(a, *self._table)

    def sweep(
        self, state: State, n_sweeps: int = 1, visits: NDArray[np.int64] | None = None, refresh: int = 0, thin: int = 1
    ) -> Swept:
        """Draw the topic of every token ``n_sweeps`` times.

        Parameters
        ----------
        state : State
            What is swept over; it changes in place.
        n_sweeps : int, default=1
            How many times every token is drawn.
        visits : ndarray of shape (n_states,), int64, or None
            How often each assignment of topics was there, counted on; for problems that are small enough.
        refresh : int, default=0
            The table is filled before the first sweep and again after so many; 0 leaves it as it is.
        thin : int, default=1
            Every how many sweeps ``visits`` counts.

        Returns
        -------
        Swept
        """
        counters = np.zeros(0, np.int64) if visits is None else visits
        if not self.exact and (refresh or not self._table):
            self.fill(state)
        function = _function(self.name)
        if self.exact:
            swept = Swept(*function(state.arrays, n_sweeps, counters, thin))
        else:
            swept = Swept(*function(state.arrays, n_sweeps, counters, thin, *self._table, refresh, self.mh_steps))
        # Those that go word by word change a matrix for a moved token only, the others for each.
        self._changes += swept.moved if self.keeps == "precision" else swept.tokens
        if self._changes >= _CHANGES or self.delicate:
            state.rebuild()
            self._changes = 0
        return swept


def _function(name: SamplerName) -> Any:
    """Return the compiled sweeps; compiled at first use, so that importing is light."""
    from semwork.topics.samplers import alias, cholesky, fast, naive, precision

    modules = {"naive": naive, "cholesky": cholesky, "alias": alias, "precision": precision, "fast": fast}
    return modules[name].sweeps

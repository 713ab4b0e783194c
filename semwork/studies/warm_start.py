"""Where the next fit of a warm study begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from semwork.similarity.base import SentenceModel
from semwork.similarity.wtmf import WTMF

__all__ = ["WarmStart", "usable_start"]


def usable_start(components: Any) -> Any:
    """Return components if a new fit can start from them, ``None`` if not.

    Where a strong penalty has pulled a dimension to zero, alternating least squares never leaves it again: such a
    solution is no start for a weaker penalty.

    Examples
    --------
    >>> usable_start(np.zeros((2, 5))) is None
    True
    """
    if components is None:
        return None
    rows = np.asarray(components, dtype=np.float64)
    values = np.linalg.eigvalsh(rows @ rows.T)
    return components if values[0] > 1e-6 * max(values[-1], 1e-6) else None


class WarmStart:
    """The components of WTMF that a study has fitted last; models that are not WTMF neither give nor take them."""

    def __init__(self) -> None:
        self._components: Any = None

    def keep(self, snapshot: SentenceModel) -> None:
        """Remember a snapshot of the model, of which no later step changes anything."""
        if isinstance(snapshot, WTMF):
            self._components = snapshot.components_

    def options(self, model: SentenceModel, warm: bool) -> dict[str, Any]:
        """Return what ``steps`` of the model is given so that it goes on from the last solution; nothing if it cannot.

        A study that is not ``warm`` always begins anew.
        """
        start = usable_start(self._components) if warm and isinstance(model, WTMF) else None
        return {} if start is None else {"start": start}

"""Two rows and what joins them: a structure as a picture needs it."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

__all__ = ["Joined"]


@dataclass(frozen=True, eq=False)
class Joined:
    """Letters or words of two rows, and the parts of a structure between them.

    Parameters
    ----------
    left, right
        What stands in the rows.
    edges
        One line for each part that was chosen: ``left`` and ``right`` (places in the rows, −1 for none: a part with
        one place says that it was left alone), ``score``, ``kind`` and ``why``, a few words about the score.
    value
        Score of the whole structure.
    arcs
        Dependencies inside the rows: ``side`` (0 or 1), ``head`` and ``word`` (places in the row), ``label``, and a
        ``score`` if the other row has one that it is mapped on. Letters have none.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    edges: pd.DataFrame
    value: float
    arcs: pd.DataFrame | None = None

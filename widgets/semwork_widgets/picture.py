"""Which figure shows the answer to which question."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

__all__ = ["OneOf", "Picture"]


@dataclass(frozen=True)
class Picture:
    """A figure that shows the answer to a question of the study.

    Attributes
    ----------
    figure : callable
        A function of `semwork.plots`.
    question : str
        The name of a method of the study.
    shown : tuple of str
        Fields of the view that the figure takes, beside the answer.
    """

    figure: Callable[..., go.Figure]
    question: str
    shown: tuple[str, ...] = ()

    def of(self, _: Mapping[str, Any]) -> Picture:
        """Return the picture itself: it does not depend on the view."""
        return self


@dataclass(frozen=True)
class OneOf:
    """One of several pictures: which one, a field of the view says."""

    chosen_by: str
    pictures: Mapping[Any, Picture]

    def of(self, view: Mapping[str, Any]) -> Picture:
        """Return the picture that is chosen."""
        return self.pictures[view[self.chosen_by]]

"""What clicks do in both panels on latent structures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from semwork_widgets.live_figure import Point

__all__ = ["number_of", "this_iteration"]


def number_of(point: Point) -> int | None:
    """Return the number that a point stands for, if it stands for one."""
    return int(point.customdata) if isinstance(point.customdata, int | float) else None


def this_iteration(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Go to the iteration that a point of a curve stands for."""
    number = number_of(point)
    return None if number is None else {"iteration": number}

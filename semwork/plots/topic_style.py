"""What all figures of topics say in the same way: colours, axes with rows, the part of a plane that is shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from semwork.plots.grammar import GREY
from semwork.plots.labels import PAGE
from semwork.plots.style import PALETTE

__all__ = ["loud_colour", "pale", "plane_range", "rows_by_number", "topic_colours", "wide"]

_SLOTS = PALETTE[:6]
_COLOURED = 18  # with more topics than this, colours would say nothing


def topic_colours(n_topics: int) -> list[str]:
    """Return a colour for each topic: six in turn, grey where there are too many topics for colours.

    Examples
    --------
    >>> topic_colours(8)[0] == topic_colours(8)[6], topic_colours(50)[0]
    (True, '#8c8c8c')
    """
    return [_SLOTS[k % len(_SLOTS)] if n_topics <= _COLOURED else GREY for k in range(n_topics)]


def loud_colour(topic: int, n_topics: int) -> str:
    """Return the colour of the topic that is looked at: its own, or blue among grey ones."""
    return _SLOTS[topic % len(_SLOTS)] if n_topics <= _COLOURED else _SLOTS[0]


def pale(colour: str, share: float = 0.55) -> str:
    """Mix a colour ``#rrggbb`` with white.

    Examples
    --------
    >>> pale("#000000", 0.5)
    '#808080'
    """
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (255 - part) * share):02x}" for part in parts)


def plane_range(values: Any) -> list[float]:
    """Return the ends of an axis along which nearly all of these values are seen."""
    low, high = np.quantile(values, [0.002, 0.998])
    room = 0.1 * max(high - low, 1e-9)
    return [float(low - room), float(high + room)]


def wide(domain: tuple[float, float], margin: dict[str, int]) -> float:
    """Return how many pixels lie between the ends of a domain, on a page of ordinary width."""
    return (PAGE - margin["l"] - margin["r"]) * (domain[1] - domain[0])


def rows_by_number(names: list[str], n: int) -> dict[str, Any]:
    """Return an axis with rows by number, from the top: names may be equal."""
    return {
        "range": [n - 0.5, -0.5],
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "tickfont": {"size": 12},
        "ticklabelstandoff": 4,
        "zeroline": False,
        "showgrid": False,
    }

"""The controls that the panels about sentence models share, and refits that start where the last one ended."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import ipywidgets as ipw
import numpy as np

__all__ = ["WARM_NOTE", "WEIGHTS", "WarmStarts", "components", "iterations", "missing_weight", "regularization", "seed"]

# Round numbers, as in the paper, from "missing words do not count" to "they count like the others".
WEIGHTS = [0.0, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
# Stands in the code that a panel gives for data where it starts from the last solution.
WARM_NOTE = "# The panel goes on from its last solution; from a random start the numbers differ a little.\n"
# From none (the paper's model 5) on; the paper's own is 20.
PENALTIES = [0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]


def missing_weight(value: float = 0.01) -> Any:
    """A slider for w_m."""
    return ipw.SelectionSlider(
        options=WEIGHTS,
        value=value,
        description="w_m, the weight of missing words",
        tooltip="how sure are we that a word that is not there does not fit?",
    )


def regularization(value: float = 5.0) -> Any:
    """A slider for λ."""
    return ipw.SelectionSlider(
        options=PENALTIES,
        value=value,
        description="λ, regularisation",
        tooltip="how strongly are vectors pulled towards zero?",
    )


def components(value: int = 20, most: int = 60) -> Any:
    """A slider for K."""
    return ipw.IntSlider(value, min=2, max=most, description="K, dimensions", tooltip="how long is a sentence vector?")


def iterations(value: int = 12, most: int = 40) -> Any:
    """A slider for the number of alternating iterations."""
    return ipw.IntSlider(
        value, min=1, max=most, description="iterations", tooltip="how often are words and sentences solved in turn?"
    )


def seed() -> Any:
    """A box for the seed of the random start."""
    return ipw.BoundedIntText(
        0, min=0, max=9999, description="seed", tooltip="of the random start: try others, does the story change?"
    )


class WarmStarts:
    """The components fitted last for each data set: a large refit starts from them and is good after an iteration."""

    def __init__(self) -> None:
        self._components: dict[Hashable, Any] = {}

    def get(self, data: Hashable) -> Any:
        """Return the last components, or ``None`` for a random start."""
        return self._components.get(data)

    def keep(self, data: Hashable, components: Any) -> None:
        """Remember components; they are copied, because the next step writes over them."""
        self._components[data] = np.array(components)

"""Figures that copied code shows are kept, not opened in a browser of this machine."""

from __future__ import annotations

from collections.abc import Iterator

import plotly.io as pio
import pytest
from plotly.io.base_renderers import ExternalRenderer


class Kept(ExternalRenderer):
    def __init__(self) -> None:
        self.figures: list[dict] = []

    def render(self, fig_dict: dict) -> None:
        self.figures.append(fig_dict)


@pytest.fixture(autouse=True)
def shown() -> Iterator[list[dict]]:
    """What ``figure.show()`` has shown in this test."""
    before, kept = pio.renderers.default, Kept()
    pio.renderers["kept"] = kept
    pio.renderers.default = "kept"
    yield kept.figures
    pio.renderers.default = before

"""Controls that both panels on latent structures have."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw
import traitlets

from widgets.live_figure import Point
from widgets.panel import Panel

__all__ = ["Growing", "buttons", "follow_clicks"]


class Growing(ipw.IntSlider):
    """A slider through the iterations of a run: it grows with the run, and follows it while it stands at its end."""

    @traitlets.validate("value")
    def _validate_value(self, proposal: Any) -> int:
        self.max = max(self.max, proposal["value"])  # a state of a longer run may be restored
        return max(int(proposal["value"]), self.min)

    def reach(self, end: int) -> None:
        """Let the slider go at least so far."""
        if end > self.max:
            follow = self.value == self.max
            self.max = end
            if follow:
                self.value = end


def buttons(options: list[tuple[str, Any]], description: str, tooltip: str, width: int = 112, **more: Any) -> Any:
    """Buttons of which one is pressed."""
    style = {"button_width": f"{width}px"}
    return ipw.ToggleButtons(options=options, description=description, tooltip=tooltip, style=style, **more)


def follow_clicks(panel: Panel, control: Any, picture: str) -> None:
    """Let a click on a point of a picture set a control to the number that the point stands for."""

    def go_there(points: list[Point]) -> None:
        for point in points:
            if isinstance(point.customdata, (int, float)):
                control.value = int(point.customdata)

    panel.on_click(go_there, picture)

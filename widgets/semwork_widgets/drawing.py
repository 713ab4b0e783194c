"""The pictures of a panel: drawn from the last step, not more often than the eye can follow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import plotly.graph_objects as go

from semwork.plots import house_figure
from semwork_widgets.jobs import Stepped
from semwork_widgets.live_figure import LiveFigure

__all__ = ["Drawing", "words_in_place"]

_REDRAW_SECONDS = 0.04  # faster than this the eye gains nothing and the browser falls behind


def words_in_place(words: str, **layout: Any) -> go.Figure:
    """Words in place of a picture: axes without numbers would look like a result."""
    return house_figure(words, "", "", xaxis_visible=False, yaxis_visible=False, **layout)


class Drawing:
    """Live figures by name, and the step that they show.

    Parameters
    ----------
    title : str
        Of the panel; it names the figures for a screen reader.
    names : iterable of str
        Of the pictures.
    draw : callable
        ``draw(name, event, views)`` gives one picture of a step.
    words : str
        What stands in place of the pictures until there is a step.
    words_on : callable
        ``words_on(settings)`` is what a screen reader says of the settings, behind the name of a picture.
    """

    def __init__(
        self,
        title: str,
        names: Iterable[str],
        draw: Callable[[str, Stepped, Mapping[str, Any]], go.Figure],
        words: str,
        words_on: Callable[[Mapping[str, Any]], str],
    ) -> None:
        self._draw = draw
        several = list(names)
        self._names = {name: f"{title}: {name}" if len(several) > 1 else title for name in several}
        self._words_on = words_on
        self.figures = {name: LiveFigure(words_in_place(words), alt=alt) for name, alt in self._names.items()}
        self.last: Stepped | None = None
        self.drawn: Stepped | None = None
        self.views: dict[str, Any] = {}
        self._at = float("-inf")
        self._seconds = 0.0

    def due(self) -> bool:
        """Whether it is time for the next picture: those that take long to make may take half of the time, not all."""
        return time.perf_counter() - self._at >= max(_REDRAW_SECONDS, self._seconds)

    def show_last(self, views: dict[str, Any]) -> bool:
        """Draw the last step with these views, if it is not drawn; return whether anything was."""
        event = self.last
        if event is None or event is self.drawn:
            return False
        begin = time.perf_counter()
        for name, live in self.figures.items():
            live.update(self._draw(name, event, views), f"{self._names[name]}{self._words_on(event.settings)}")
        self.drawn, self.views = event, views
        self._at = time.perf_counter()
        self._seconds = self._at - begin
        return True

    def forget(self) -> None:
        """Let the last step be drawn again."""
        self.drawn = None

    def say(self, words: str) -> None:
        """Show words in place of the pictures, as long as none has been drawn."""
        if self.last is None:
            for live in self.figures.values():
                live.update(words_in_place(words))

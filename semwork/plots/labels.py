"""Names of points in a plot: how wide they are, and the traces that write them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.plots.grammar import GREY
from semwork.plots.label_spots import REACH, SIDES, Label, Side, place_labels

__all__ = ["PAGE", "Frame", "label_traces", "shortened", "text_width"]

Floats = NDArray[np.float64]

#: Width of a figure, in pixels, beside its controls in a window of 1280: names have room there, and on wider pages.
PAGE = 480.0

# Widths of letters in parts of their size, of DejaVu Sans: the other fonts of the house style are narrower.
_LETTERS = {0.34: "ijlIJ'.,:;| /\\", 0.42: 'ft()[]r-!"', 0.56: "szc*_?`", 0.86: "wMDGHNOQU&#+<=>^~", 1.0: "mW@%…"}
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
_OTHER, _FULL, _BOLD = 0.66, 1.0, 1.12
_LINE = 1.25  # height of a line of text, in parts of its size


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how many pixels wide a line of text is at most, about, in the fonts of the house style.

    Examples
    --------
    >>> text_width("word", 10) < text_width("word", 10, bold=True) < text_width("words", 12)
    True
    """
    parts = sum(_WIDTHS.get(letter, _OTHER if ord(letter) < 0x1100 else _FULL) for letter in text)
    return size * parts * (_BOLD if bold else 1.0)


def shortened(words: Sequence[str], room: float, size: float, *, bold: bool = False) -> str:
    """Join as many words as so many pixels have room for; if there is none for the first, its beginning.

    Examples
    --------
    >>> shortened(["lungs", "sleep", "medicine"], 90, 12)
    'lungs, sleep'
    """
    line = ""
    for word in words:
        longer = f"{line}, {word}" if line else word
        if text_width(longer, size, bold=bold) > room:
            return line or _beginning(word, room, size, bold=bold)
        line = longer
    return line


def _beginning(word: str, room: float, size: float, *, bold: bool) -> str:
    fits = (end for end in range(len(word), 0, -1) if text_width(word[:end] + "…", size, bold=bold) <= room)
    return word[: next(fits, 0)] + "…"


@dataclass(frozen=True)
class Frame:
    """A plot area as it will be on a narrow page: its size in pixels, and the ranges of its linear axes."""

    width: float
    height: float
    x: Sequence[float]
    y: Sequence[float]

    def pixels(self, points: Any) -> Floats:
        """Turn points of the data, n × 2, into pixels from the lower left corner."""
        return np.asarray((np.asarray(points, dtype=float).reshape(-1, 2) - self._low) / self._unit)

    def data(self, pixels: Any) -> Floats:
        """Turn pixels, n × 2, into points of the data."""
        return np.asarray(np.asarray(pixels, dtype=float).reshape(-1, 2) * self._unit + self._low)

    @property
    def _low(self) -> Floats:
        return np.array([self.x[0], self.y[0]], dtype=float)

    @property
    def _unit(self) -> Floats:
        return (np.array([self.x[1], self.y[1]], dtype=float) - self._low) / (self.width, self.height)


def label_traces(
    frame: Frame,
    points: Any,
    texts: Sequence[str],
    *,
    size: float = 12,
    strong: int = 0,
    radius: Any = 4.0,
    avoid: Any = (),
    crowd: Any = (),
    reach: float = REACH,
    name: str = "names",
) -> list[dict[str, Any]]:
    """Make traces that write plain texts beside points of the data: lines, then one trace for each side.

    There are always four, so that a live figure updates them in place. The first ``strong`` texts are bold.
    ``radius``, ``reach`` and the third column of ``avoid`` are pixels, as in `place_labels`.

    Parameters
    ----------
    frame : Frame
        The plot area.
    points : array-like of shape (n_names, 2)
        Points of the data.
    texts : sequence of str
        One for each point.
    size : float
        Height of the letters, in pixels.
    strong : int
        How many of the first texts are bold.
    radius : float or array-like of shape (n_names,)
        Of the marks at the points, in pixels.
    avoid : array-like of shape (n_marks, 3)
        Other marks that stay free: x and y in the data, the radius in pixels.
    crowd : array-like of shape (n_points, 2)
        Points of the data that would rather not be covered.
    reach : float
        So many pixels from its point a name may stand.
    name : str
        What the traces are named after.

    Returns
    -------
    list of dict
        Four traces of plotly.
    """
    sizes = [(text_width(text, size, bold=i < strong) + 4, _LINE * size) for i, text in enumerate(texts)]
    others = np.asarray(avoid, dtype=float).reshape(-1, 3)
    others = np.column_stack([frame.pixels(others[:, :2]), others[:, 2]])
    placed = place_labels(
        frame.pixels(points),
        sizes,
        (frame.width, frame.height),
        radius=radius,
        avoid=others,
        crowd=frame.pixels(crowd),
        reach=reach,
    )
    shown = [f"<b>{html.escape(text)}</b>" if i < strong else html.escape(text) for i, text in enumerate(texts)]
    written = [(label, text) for label, text in zip(placed, shown, strict=True) if label is not None]
    common = {"type": "scatter", "hoverinfo": "skip", "showlegend": False}
    return [
        {**common, "name": f"lines to {name}", **_led(frame, [label for label, _ in written])},
        *({**common, "name": f"{name}, {side}", **_written(frame, written, side, size)} for side in SIDES),
    ]


def _led(frame: Frame, labels: Sequence[Label]) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for label in labels:
        if label.line is not None:
            ends = frame.data(label.line)
            x += [*ends[:, 0].tolist(), None]
            y += [*ends[:, 1].tolist(), None]
    return {"x": x, "y": y, "mode": "lines", "line": {"color": GREY, "width": 1}}


def _written(frame: Frame, labels: Sequence[tuple[Label, str]], side: Side, size: float) -> dict[str, Any]:
    here = [(label, text) for label, text in labels if label.side == side]
    points = frame.data([(label.x, label.y) for label, _ in here])
    return {
        "x": points[:, 0].tolist(),
        "y": points[:, 1].tolist(),
        "text": [text for _, text in here],
        "mode": "text",
        "textposition": f"middle {side}",
        "textfont": {"size": size},  # in the theme's colour
    }

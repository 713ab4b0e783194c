"""Names of points in a plot: placed so that none stands on another."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["PAGE", "REACH", "Frame", "Label", "label_traces", "place_labels", "shortened", "text_width"]

Floats = NDArray[np.float64]

#: Width of a figure, in pixels, beside its controls in a window of 1280: names have room there, and on wider pages.
PAGE = 480.0
#: So many pixels a name stands away from its point at most.
REACH = 84.0

# Widths of letters in parts of their size, of DejaVu Sans: the other fonts of the house style are narrower.
_LETTERS = {0.34: "ijlIJ'.,:;| /\\", 0.42: 'ft()[]r-!"', 0.56: "szc*_?`", 0.86: "wMDGHNOQU&#+<=>^~", 1.0: "mW@%…"}
_WIDTHS = {letter: width for width, letters in _LETTERS.items() for letter in letters}
_OTHER, _FULL, _BOLD = 0.66, 1.0, 1.12
_LINE = 1.25  # height of a line of text, in parts of its size

Side = Literal["left", "center", "right"]
_SIDES: tuple[Side, ...] = ("left", "center", "right")
_RINGS = (20.0, 32.0, 46.0, 62.0, REACH)
_ANGLES = np.arange(16) * np.pi / 8
_LINED, _LONG = 4.0, 0.1  # what it costs to need a line at all, and each pixel of its length
_CROSSED = 6.0  # to lead a line across another, or over a mark
_COVERED = 0.5  # to cover a point of the crowd


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


# --- in pixels ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Label:
    """Where a name stands, in pixels.

    Attributes
    ----------
    x, y
        The middle of the text, or that end of it which is nearer to the point.
    side
        Of this place on which the text stands.
    box
        Left, bottom, right, top.
    line
        From the point to the text, ``(x, y, x, y)``; none if the text stands beside its point.
    """

    x: float
    y: float
    side: Side
    box: tuple[float, ...]
    line: tuple[float, ...] | None = None


def place_labels(
    points: Any,
    sizes: Any,
    area: tuple[float, float],
    *,
    radius: Any = 4.0,
    avoid: Any = (),
    crowd: Any = (),
    reach: float = REACH,
) -> list[Label | None]:
    """Find places for names near their points, one after the other: no box overlaps another, a mark, or the edge.

    The nearest place is the best, and one that covers few points of the crowd. A name stands beside its point or at
    the end of a line. It has no place if all within reach are taken, or if its point is outside.

    Every box holds the place from which its text is written. So boxes stay apart in a plot that is wider or higher
    than expected, where points move away from each other and letters stay as they are.

    Parameters
    ----------
    points
        n × 2, from the lower left corner of the plot; in pixels, as all that follows.
    sizes
        n × 2: width and height of the texts.
    area
        Width and height of the plot.
    radius
        Of the marks at the points: one for all, or one for each.
    avoid
        m × 3: other marks that stay free, x, y and radius.
    crowd
        k × 2: points that would rather not be covered; what stands there twice counts twice.
    reach
        So far from its point a name may stand.

    Examples
    --------
    >>> places = place_labels([(50, 50), (52, 50)], [(40, 12), (40, 12)], (200, 100))
    >>> [place.side for place in places]
    ['right', 'left']
    """
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    own = np.column_stack([points, np.broadcast_to(radius, len(points))])
    marks = _squares(np.vstack([own, np.asarray(avoid, dtype=float).reshape(-1, 3)]))
    crowd = np.asarray(crowd, dtype=float).reshape(-1, 2)
    crowd = _squares(np.column_stack([crowd, np.full(len(crowd), 1.0)]))
    texts, lines = np.zeros((0, 4)), np.zeros((0, 4))
    found: list[Label | None] = []
    for i, (width, height) in enumerate(np.asarray(sizes, dtype=float).reshape(-1, 2)):
        places = _places(own[i], float(width), float(height), reach)
        if (points[i] < 0).any() or (points[i] > area).any():
            free = np.zeros(0, dtype=np.int64)
        else:
            free = np.flatnonzero(_free(places, area, np.vstack([marks, texts]), texts, lines))
        if not len(free):
            found.append(None)
            continue
        costs = _costs(places, free, np.delete(marks, i, axis=0), lines, crowd)
        best = int(free[costs.argmin()])
        found.append(places.label(best))
        texts = np.vstack([texts, places.boxes[best]])
        lines = np.vstack([lines, places.lines[best]]) if places.lined[best] else lines
    return found


@dataclass(frozen=True)
class _Places:
    """Where one name could stand."""

    anchors: Floats
    sides: NDArray[np.int64]
    boxes: Floats
    lines: Floats
    lined: NDArray[np.bool_]
    costs: Floats

    def label(self, i: int) -> Label:
        line = tuple(self.lines[i].tolist()) if self.lined[i] else None
        x, y = self.anchors[i].tolist()
        return Label(x, y, _SIDES[self.sides[i]], tuple(self.boxes[i].tolist()), line)


def _squares(marks: Floats) -> Floats:
    return np.column_stack([marks[:, :2] - marks[:, 2:], marks[:, :2] + marks[:, 2:]])


def _places(mark: Floats, width: float, height: float, reach: float) -> _Places:
    """Places beside a mark, above and below, at its corners, and around it at the end of a line."""
    radius, half = mark[2], height / 2
    gap, up = radius + 3.0, radius + 1.0 + half
    # Across, up, the side as in _SIDES, and what it costs.
    near = [(gap, 0, 2, 0.0), (0, up, 1, 0.3), (0, -up, 1, 0.4), (-gap, 0, 0, 0.5)]
    near += [(gap, y, 2, 0.8) for y in (half, -half)] + [(-gap, y, 0, 1.0) for y in (half, -half)]
    far = []
    for ring in (ring for ring in _RINGS if ring <= reach):
        for x, y in zip(ring * np.cos(_ANGLES), ring * np.sin(_ANGLES), strict=True):
            side = 1 + int(np.sign(x)) * (abs(x) > 0.3 * ring)
            # Upwards and downwards the line ends at the middle of the text's edge.
            far.append((x, y + (side == 1) * np.sign(y) * half, side, _LINED + _LONG * ring))
    table = np.array([*near, *far], dtype=float)
    anchors, sides = mark[:2] + table[:, :2], table[:, 2].astype(np.int64)
    left = anchors[:, 0] - np.array([width, width / 2, 0.0])[sides]
    boxes = np.column_stack([left, anchors[:, 1] - half, left + width, anchors[:, 1] + half])
    ends = anchors - np.column_stack([2.0 * (sides - 1), (sides == 1) * np.sign(table[:, 1]) * half])
    away = ends - mark[:2]
    starts = mark[:2] + away * ((radius + 1) / np.maximum(np.linalg.norm(away, axis=1), 1e-9))[:, None]
    lined = np.arange(len(table)) >= len(near)
    return _Places(anchors, sides, boxes, np.column_stack([starts, ends]), lined, table[:, 3])


def _free(places: _Places, area: tuple[float, float], taken: Floats, texts: Floats, lines: Floats) -> NDArray[np.bool_]:
    """Which places are inside the plot and not taken; a line and a text never cross."""
    boxes = places.boxes
    inside = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= area).all(axis=1)
    covers = _overlap(boxes, taken).any(axis=1) | _cut(lines, boxes).any(axis=0)
    return np.asarray(inside & ~covers & ~(places.lined & _cut(places.lines, texts).any(axis=1)))


def _costs(places: _Places, free: NDArray[np.int64], marks: Floats, lines: Floats, crowd: Floats) -> Floats:
    """What each free place costs, beside what is there already."""
    led = places.lines[free]
    crossed = _cut(led, marks).sum(axis=1) + _crossing(led, lines).sum(axis=1)
    covered = _overlap(places.boxes[free], crowd).sum(axis=1)
    return np.asarray(places.costs[free] + _CROSSED * places.lined[free] * crossed + _COVERED * covered)


def _overlap(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which boxes overlap which others."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray((low < high).all(axis=2))


def _cut(lines: Floats, boxes: Floats) -> NDArray[np.bool_]:
    """Which lines go through which boxes: on the way there is a part that is inside in both directions."""
    start, way = lines[:, None, :2], lines[:, None, 2:] - lines[:, None, :2]
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    one, two = (boxes[None, :, :2] - start) / way, (boxes[None, :, 2:] - start) / way
    enter = np.minimum(one, two).max(axis=2)
    leave = np.maximum(one, two).min(axis=2)
    return np.asarray(np.maximum(enter, 0.0) < np.minimum(leave, 1.0))


def _crossing(lines: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which lines cross which others: the ends of each lie on two sides of the other."""

    def side(a: Floats, b: Floats, c: Floats) -> Floats:
        cross = (b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0]
        return np.asarray(cross)

    a, b, c, d = lines[:, None, :2], lines[:, None, 2:], others[None, :, :2], others[None, :, 2:]
    return np.asarray((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0))


# --- in a figure --------------------------------------------------------------------------------------------------


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
        *({**common, "name": f"{name}, {side}", **_written(frame, written, side, size)} for side in _SIDES),
    ]


def _led(frame: Frame, labels: Sequence[Label]) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[float | None] = []
    for label in labels:
        if label.line is not None:
            ends = frame.data(label.line)
            x += [*ends[:, 0].tolist(), None]
            y += [*ends[:, 1].tolist(), None]
    return {"x": x, "y": y, "mode": "lines", "line": {"color": "#8c8c8c", "width": 1}}


def _written(frame: Frame, labels: Sequence[tuple[Label, str]], side: Side, size: float) -> dict[str, Any]:
    own = [(label, text) for label, text in labels if label.side == side]
    places = frame.data([(label.x, label.y) for label, _ in own])
    return {
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "text": [text for _, text in own],
        "mode": "text",
        "textposition": f"middle {side}",
        "textfont": {"size": size},  # in the theme's colour
    }

"""Names of points in a plot, in pixels: placed so that none stands on another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["REACH", "SIDES", "Label", "Side", "place_labels"]

Floats = NDArray[np.float64]

#: So many pixels a name stands away from its point at most.
REACH = 84.0

Side = Literal["left", "center", "right"]
SIDES: tuple[Side, ...] = ("left", "center", "right")
_RINGS = (20.0, 32.0, 46.0, 62.0, REACH)
_ANGLES = np.arange(16) * np.pi / 8
_LINED, _LONG = 4.0, 0.1  # what it costs to need a line at all, and each pixel of its length
_CROSSED = 6.0  # to lead a line across another, or over a mark
_COVERED = 0.5  # to cover a point of the crowd


@dataclass(frozen=True)
class Label:
    """Where a name stands, in pixels.

    Attributes
    ----------
    x, y : float
        The middle of the text, or that end of it which is nearer to the point.
    side : {"left", "center", "right"}
        Of this place on which the text stands.
    box : tuple of (float, float, float, float)
        Left, bottom, right, top.
    line : tuple of (float, float, float, float), or None
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
    points : array-like of shape (n_names, 2)
        From the lower left corner of the plot; in pixels, as all that follows.
    sizes : array-like of shape (n_names, 2)
        Width and height of the texts.
    area : tuple of (float, float)
        Width and height of the plot.
    radius : float or array-like of shape (n_names,)
        Of the marks at the points: one for all, or one for each.
    avoid : array-like of shape (n_marks, 3)
        Other marks that stay free: x, y and radius.
    crowd : array-like of shape (n_points, 2)
        Points that would rather not be covered; what stands there twice counts twice.
    reach : float
        So far from its point a name may stand.

    Returns
    -------
    list of Label or None
        One for each name; ``None`` where there is no place.

    Examples
    --------
    >>> labels = place_labels([(50, 50), (52, 50)], [(40, 12), (40, 12)], (200, 100))
    >>> [label.side for label in labels]
    ['right', 'left']
    """
    points = np.asarray(points, dtype=float).reshape(-1, 2)
    named = np.column_stack([points, np.broadcast_to(radius, len(points))])
    marks = _squares(np.vstack([named, np.asarray(avoid, dtype=float).reshape(-1, 3)]))
    crowd = np.asarray(crowd, dtype=float).reshape(-1, 2)
    crowd = _squares(np.column_stack([crowd, np.full(len(crowd), 1.0)]))
    texts, lines = np.zeros((0, 4)), np.zeros((0, 4))
    found: list[Label | None] = []
    for i, (width, height) in enumerate(np.asarray(sizes, dtype=float).reshape(-1, 2)):
        spots = _spots(named[i], float(width), float(height), reach)
        if (points[i] < 0).any() or (points[i] > area).any():
            free = np.zeros(0, dtype=np.int64)
        else:
            free = np.flatnonzero(_free(spots, area, np.vstack([marks, texts]), texts, lines))
        if not len(free):
            found.append(None)
            continue
        costs = _costs(spots, free, np.delete(marks, i, axis=0), lines, crowd)
        best = int(free[costs.argmin()])
        found.append(spots.label(best))
        texts = np.vstack([texts, spots.boxes[best]])
        lines = np.vstack([lines, spots.lines[best]]) if spots.lined[best] else lines
    return found


@dataclass(frozen=True)
class _Spots:
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
        return Label(x, y, SIDES[self.sides[i]], tuple(self.boxes[i].tolist()), line)


def _squares(marks: Floats) -> Floats:
    return np.column_stack([marks[:, :2] - marks[:, 2:], marks[:, :2] + marks[:, 2:]])


def _spots(mark: Floats, width: float, height: float, reach: float) -> _Spots:
    """Places beside a mark, above and below, at its corners, and around it at the end of a line."""
    radius, half = mark[2], height / 2
    gap, up = radius + 3.0, radius + 1.0 + half
    # Across, up, the side as in SIDES, and what it costs.
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
    return _Spots(anchors, sides, boxes, np.column_stack([starts, ends]), lined, table[:, 3])


def _free(spots: _Spots, area: tuple[float, float], taken: Floats, texts: Floats, lines: Floats) -> NDArray[np.bool_]:
    """Which places are inside the plot and not taken; a line and a text never cross."""
    boxes = spots.boxes
    inside = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= area).all(axis=1)
    covers = _overlap(boxes, taken).any(axis=1) | _cut(lines, boxes).any(axis=0)
    return np.asarray(inside & ~covers & ~(spots.lined & _cut(spots.lines, texts).any(axis=1)))


def _costs(spots: _Spots, free: NDArray[np.int64], marks: Floats, lines: Floats, crowd: Floats) -> Floats:
    """What each free place costs, beside what is there already."""
    led = spots.lines[free]
    crossed = _cut(led, marks).sum(axis=1) + _crossing(led, lines).sum(axis=1)
    covered = _overlap(spots.boxes[free], crowd).sum(axis=1)
    return np.asarray(spots.costs[free] + _CROSSED * spots.lined[free] * crossed + _COVERED * covered)


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

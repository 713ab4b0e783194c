"""Names of points find places of their own."""

from __future__ import annotations

import itertools

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semwork.plots import static_picture
from semwork.plots.label_spots import REACH, place_labels
from semwork.plots.labels import Frame, label_traces, shortened, text_width

WIDTH, HEIGHT = 300.0, 200.0
inside = st.tuples(st.floats(0, WIDTH), st.floats(0, HEIGHT))
sizes = st.tuples(st.floats(10, 90), st.floats(10, 20))
named = st.lists(st.tuples(inside, sizes), min_size=1, max_size=9)
marks = st.lists(st.tuples(st.floats(0, WIDTH), st.floats(0, HEIGHT), st.floats(1, 12)), max_size=6)


def placed(points, avoid=(), **more):
    return place_labels([p for p, _ in points], [s for _, s in points], (WIDTH, HEIGHT), avoid=avoid, **more)


def overlap(one, two):
    return min(one[2], two[2]) - max(one[0], two[0]) > 1e-6 and min(one[3], two[3]) - max(one[1], two[1]) > 1e-6


def stretched(label, across, up):
    """The box in a plot that is so many times as wide and high: what is written moves, and has the same size."""
    left, low, right, high = label.box
    x, y = label.x * (across - 1), label.y * (up - 1)
    return left + x, low + y, right + x, high + y


@given(named, marks, st.floats(1, 4), st.floats(1, 4))
def test_boxes_do_not_overlap_also_where_there_is_more_room(points, avoid, across, up):
    labels = [label for label in placed(points, avoid) if label]
    for one, two in itertools.combinations(labels, 2):
        assert not overlap(one.box, two.box)
        assert not overlap(stretched(one, across, up), stretched(two, across, up))


@given(named, marks)
def test_boxes_are_as_large_as_their_texts_inside_the_plot_and_off_all_marks(points, avoid):
    circles = [(x, y, 4.0) for (x, y), _ in points] + avoid
    for label, (_, size) in zip(placed(points, avoid), points, strict=True):
        if label:
            left, low, right, high = label.box
            assert (right - left, high - low) == pytest.approx(size)
            assert left >= 0 <= low
            assert right <= WIDTH
            assert high <= HEIGHT
            assert not any(overlap(label.box, (x - r, y - r, x + r, y + r)) for x, y, r in circles)


@given(named, st.sampled_from([20.0, 34.0, REACH]))
def test_names_stay_near_their_points_and_lines_lead_there(points, reach):
    for label, ((x, y), _) in zip(placed(points, reach=reach), points, strict=True):
        if label:
            left, low, right, high = label.box
            away = np.hypot(max(left - x, x - right, 0), max(low - y, y - high, 0))
            assert away <= reach + 1e-6
            assert left - 1e-6 <= label.x <= right + 1e-6
            if label.line:
                assert np.hypot(label.line[0] - x, label.line[1] - y) == pytest.approx(5)
                assert np.hypot(label.line[2] - label.x, label.line[3] - label.y) <= 0.5 * (high - low) + 2
            else:
                assert away <= 8


@given(named)
def test_lines_do_not_go_through_other_names(points):
    labels = [label for label in placed(points) if label]
    for one, two in itertools.permutations(labels, 2):
        if one.line:
            along = np.linspace(0, 1, 50)
            x, y = (one.line[i] + along * (one.line[i + 2] - one.line[i]) for i in (0, 1))
            left, low, right, high = two.box
            assert not ((x > left + 1e-6) & (x < right - 1e-6) & (y > low + 1e-6) & (y < high - 1e-6)).any()


def test_a_lone_name_stands_beside_its_point_and_turns_at_the_edge():
    [alone] = place_labels([(100, 100)], [(50, 14)], (300, 200))
    [edge] = place_labels([(290, 100)], [(50, 14)], (300, 200))
    assert alone.side == "right"
    assert edge.side == "left"
    assert alone.line is edge.line is None
    assert place_labels([(-5, 100)], [(50, 14)], (300, 200)) == [None]
    assert place_labels([(50, 50)], [(500, 14)], (300, 200)) == [None]
    assert place_labels([], [], (300, 200)) == []


def test_a_place_that_covers_fewer_points_is_better():
    crowd = [(115 + 5 * i, 100) for i in range(6)]
    [label] = place_labels([(100, 100)], [(50, 14)], (300, 200), crowd=crowd)
    assert label.side != "right"


def test_a_frame_turns_points_into_pixels_and_back():
    frame = Frame(300, 200, (-1.0, 2.0), (0.0, 4.0))
    assert frame.pixels([(-1, 0), (2, 4), (0.5, 1)]).tolist() == [[0, 0], [300, 200], [150, 50]]
    assert frame.data(frame.pixels([(0.3, 1.7)]))[0] == pytest.approx([0.3, 1.7])


def test_traces_are_always_as_many_and_hold_every_name_once():
    frame = Frame(300, 200, (0.0, 3.0), (0.0, 2.0))
    texts = ["a < b", "two", "three", "four"]
    traces = label_traces(frame, [(1.5, 1.0)] * 4, texts, strong=1, avoid=[(1.4, 1.0, 9)], name="words")
    assert [trace["name"] for trace in traces] == ["lines to words", "words, left", "words, center", "words, right"]
    assert sorted(text for trace in traces[1:] for text in trace["text"]) == ["<b>a &lt; b</b>", "four", "three", "two"]
    none = label_traces(frame, [], [], name="words")
    assert [trace["name"] for trace in none] == [trace["name"] for trace in traces]
    assert static_picture(go.Figure(traces)).startswith(b"\x89PNG")


@given(st.text(max_size=20), st.text(max_size=20))
def test_longer_texts_are_wider_and_bold_ones_too(one, two):
    assert text_width(one + two, 12) == pytest.approx(text_width(one, 12) + text_width(two, 12))
    assert text_width(one, 12, bold=True) >= text_width(one, 12)


@pytest.mark.parametrize("bold", [False, True])
def test_texts_are_not_wider_than_estimated_in_the_widest_font(bold):
    fonts = pytest.importorskip("matplotlib.font_manager")
    from matplotlib.textpath import TextPath

    font = fonts.FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    for text in ("telephone, password", "minimum", "will till", "astronauts", "MOTOROLA", "1,551,668", "we show"):
        drawn = TextPath((0, 0), text, size=100, prop=font).get_extents().width
        assert drawn <= 1.03 * text_width(text, 100, bold=bold)
        assert drawn >= 0.78 * text_width(text, 100, bold=bold)


@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12), max_size=8), st.floats(30, 300))
def test_a_line_ends_at_a_whole_word_and_has_room(words, room):
    line = shortened(words, room, 12)
    assert text_width(line, 12) <= room
    if not line.endswith("…"):
        kept = line.split(", ") if line else []
        assert kept == words[: len(kept)]
        assert len(kept) == len(words) or text_width(", ".join(words[: len(kept) + 1]), 12) > room

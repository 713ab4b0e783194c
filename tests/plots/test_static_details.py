"""Static pictures keep named ticks, colours of single bars, labels below points, lines and notes."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import plotly.graph_objects as go

from semwork.plots import house_figure, static_picture


def pixels(figure):
    return matplotlib.image.imread(io.BytesIO(static_picture(figure)))[..., :3]


def share(figure, hex_colour):
    wanted = np.array([int(hex_colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return float((np.abs(pixels(figure) - wanted).max(axis=-1) < 0.02).mean())


def test_each_bar_has_its_own_colour_and_numbers_fall_back_to_one():
    figure = house_figure("", "x", "y")
    figure.add_bar(x=[1, 1], y=["a", "b"], orientation="h", marker={"color": ["#aa0000", "#00aa00"]})
    assert share(figure, "#aa0000") > 0.05
    assert share(figure, "#00aa00") > 0.05
    figure.data[0].marker.color = [1, 2]
    assert share(figure, "#aa0000") == share(figure, "#00aa00") == 0
    assert share(figure, "#0072B2") > 0.1


def test_named_ticks_and_labels_below_are_drawn():
    def drawn(**axis):
        figure = house_figure("", "", "")
        figure.add_scatter(x=[0, 1], y=[0, 1])
        return pixels(figure.update_xaxes(**axis))

    plain = drawn()
    named = drawn(tickvals=[0, 1], ticktext=["first", "second"])
    below = plain.shape[0] * 85 // 100
    assert (plain[below:] != named[below:]).any()

    def labelled(position):
        point = go.Scatter(x=[0], y=[0], mode="markers+text", text=["word"], textposition=position)
        return pixels(house_figure("", "", "").add_trace(point))

    def ink_row(position):
        """Where the label stands: just right of the point, which is in the middle of the axes."""
        picture = labelled(position)
        dark = (picture[60:330, 446:470] < 0.3).all(axis=-1)
        return np.flatnonzero(dark.any(axis=1)).mean()

    assert ink_row("bottom center") > ink_row("top center") + 5


def test_bands_have_no_edge_and_hidden_legend_entries_stay_hidden():
    figure = house_figure("", "x", "y")
    figure.add_scatter(
        name="band",
        x=["u", "v", "v", "u"],
        y=[0, 0, 1, 1],
        fill="toself",
        fillcolor="rgb(0,170,0)",
        line={"width": 0, "color": "#aa0000"},
        showlegend=False,
    )
    assert share(figure, "#00aa00") > 0.2
    assert share(figure, "#aa0000") == 0
    figure.add_scatter(name="one", x=["u", "v"], y=[0, 1])
    figure.add_scatter(name="two", x=["u", "v"], y=[1, 0])
    before = pixels(figure)
    figure.data[0].name = "another name"
    assert np.array_equal(pixels(figure), before)


def test_open_circles_are_empty_inside():
    figure = house_figure("", "x", "y")
    figure.add_scatter(x=[1], y=[1], mode="markers", marker={"size": 40, "color": "#aa0000", "symbol": "circle"})
    full = share(figure, "#aa0000")
    figure.data[0].marker.symbol = "circle-open"
    assert 0 < share(figure, "#aa0000") < full / 3


def test_tick_labels_can_be_hidden_or_turned():
    figure = house_figure("", "", "")
    figure.add_bar(x=["a long name", "another long name"], y=[1, 2])
    plain = pixels(figure)
    figure.update_xaxes(tickangle=-60)
    turned = pixels(figure)
    figure.update_xaxes(showticklabels=False)
    ink = [float((picture[-60:] < 0.5).mean()) for picture in (plain, turned, pixels(figure))]
    assert not np.array_equal(plain, turned)
    assert ink[2] < ink[0]


def test_small_html_is_not_shown_in_the_names_of_bars():
    def picture(name):
        figure = house_figure("", "", "")
        figure.add_bar(x=[1], y=[name], orientation="h")
        return pixels(figure)

    assert np.array_equal(picture("<b>R&amp;D</b>"), picture("R&D"))


def test_upright_lines_and_notes_with_arrows_are_drawn_where_they_stand():
    figure = house_figure("", "", "")
    figure.add_scatter(x=[1, 10, 100], y=[0, 1, 2])
    figure.update_xaxes(type="log", range=[0, 2])
    plain = pixels(figure)
    line = {"type": "line", "xref": "x", "yref": "y domain", "x0": 10, "x1": 10, "y0": 0, "y1": 1}
    figure.add_shape(**line, line={"color": "#aa0000", "width": 4})
    figure.add_annotation(x=1, y=1, text="now", arrowcolor="#00aa00", ax=20, ay=20)
    assert share(figure, "#aa0000") > 0.002
    assert share(figure, "#00aa00") > 0
    changed = np.flatnonzero((pixels(figure) != plain).any(axis=(0, 2)))
    middle = plain.shape[1] * (0.10 + 0.97) / 2
    assert abs(changed[0] - middle) < 6, "10 is in the middle of an axis from 1 to 100"
    assert changed[-1] > middle + 20, "the words stand right of it"


def test_an_area_takes_half_of_the_colour_of_its_line():
    figure = house_figure("", "", "")
    figure.add_scatter(
        x=[0, 1, 1, 0], y=[0, 0, 1, 1], mode="lines", fill="toself", line={"color": "#aa0000", "width": 0}
    )
    assert share(figure, "#aa0000") == 0
    assert share(figure, "#d47f7f") > 0.3
    figure.data[0].fillcolor = "#00aa00"
    assert share(figure, "#00aa00") > 0.3

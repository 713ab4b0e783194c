"""Static pictures keep named ticks, colours of single bars, labels below points, lines and notes."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import plotly.graph_objects as go
import pytest

from semwork.plots import house_figure, static_picture
from semwork.plots.static_axes import _formatter
from semwork.plots.static_marks import _pieces


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
        """Where the label stands: dark between the axes, where all else is blue or pale."""
        dark = (labelled(position)[60:330, 100:] < 0.5).all(axis=-1)
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
    figure.data[0].marker.line.width = 2
    assert 0 < share(figure, "#aa0000") < full / 3


def test_points_without_a_colour_are_rings():
    figure = house_figure("", "x", "y")
    ring = {"size": 40, "color": "rgba(0,0,0,0)", "line": {"color": "#aa0000", "width": 3}}
    figure.add_scatter(x=[1], y=[1], mode="markers", marker=ring)
    drawn = share(figure, "#aa0000")
    figure.data[0].marker.color = "#aa0000"
    assert 0 < drawn < share(figure, "#aa0000") / 2


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
    middle = (64 + plain.shape[1] - 20) / 2  # between the margins of the house style
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


def ink(figure):
    return (pixels(figure) < 0.6).all(axis=-1)


@pytest.mark.parametrize("length", [1, 12, 24])
def test_names_on_the_left_and_turned_names_below_are_never_cut(length):
    figure = house_figure("", "a title below", "a title")
    names = [letter * length for letter in "en"]
    figure.add_bar(x=[1, 2], y=names, orientation="h")
    figure.add_bar(x=names, y=[1, 2], xaxis="x2", yaxis="y2")
    figure.update_layout(
        xaxis={"domain": [0, 0.4]},
        xaxis2={"domain": [0.6, 1], "anchor": "y2", "tickangle": -60},
        yaxis2={"anchor": "x2"},
    )
    dark = ink(figure)
    assert dark.any()
    assert not dark[:, :3].any(), "left"
    assert not dark[-3:].any(), "below"


def test_a_hidden_grid_stays_hidden():
    figure = house_figure("", "", "")
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="markers", marker={"size": 1})
    figure.update_layout(xaxis={"zeroline": False}, yaxis={"zeroline": False})
    shown = share(figure, "#e4e4e4")
    figure.update_xaxes(showgrid=False)
    half = share(figure, "#e4e4e4")
    figure.update_yaxes(showgrid=False)
    assert shown > 1.3 * half > 0
    assert share(figure, "#e4e4e4") < half / 20, "nothing but the edges of letters"


def test_axes_that_match_have_one_range():
    def height_of_line(**axis):
        figure = house_figure("", "", "")
        figure.add_scatter(x=[0, 1], y=[0, 100], line={"color": "#00aa00"})
        figure.add_scatter(x=[0, 1], y=[50, 50], line={"color": "#aa0000", "width": 4}, xaxis="x2", yaxis="y2")
        figure.add_scatter(x=[0, 1], y=[40, 40], line={"color": "#0000aa", "width": 4}, xaxis="x2", yaxis="y2")
        figure.update_layout(xaxis={"domain": [0, 0.4]}, xaxis2={"domain": [0.6, 1], "anchor": "y2"}, yaxis2=axis)
        picture = pixels(figure)
        rows = [
            np.flatnonzero((np.abs(picture - colour).max(axis=-1) < 0.02).any(axis=1)).mean()
            for colour in ([2 / 3, 0, 0], [0, 0, 2 / 3])
        ]
        return rows[1] - rows[0]

    assert height_of_line(anchor="x2") > 5 * height_of_line(anchor="x2", matches="y")


@pytest.mark.parametrize(
    ("given", "value", "said"),
    [(".0%", 0.25, "25%"), ("~%", 0.001, "0.1%"), (",d", 12345.0, "12,345"), (".2f", 0.5, "0.50"), (None, 10.0, "10")],
)
def test_numbers_are_written_as_plotly_writes_them(given, value, said):
    assert _formatter(given)(value, 0) == said
    figure = house_figure("", "", "")
    figure.add_scatter(x=[0, 1], y=[0, value])
    wanted = figure.update_yaxes(tickvals=[value], ticktext=[said])
    named = pixels(wanted)
    wanted.update_yaxes(ticktext=None, tickformat=given)
    assert np.array_equal(pixels(wanted), named)


def test_one_legend_below_has_the_names_of_all_axes():
    def below(*names):
        figure = house_figure("", "x", "y", legend={"orientation": "h", "y": 0.01, "yref": "container"})
        for number, name in enumerate(names):
            axis = "2" if number % 2 else ""
            figure.add_scatter(
                name=name, x=[0, 1], y=[0, 1], xaxis="x" + axis, yaxis="y" + axis, line={"color": "#aa0000"}
            )
        figure.update_layout(
            xaxis={"domain": [0, 0.4]}, xaxis2={"domain": [0.6, 1], "anchor": "y2"}, yaxis2={"anchor": "x2"}
        )
        red = np.abs(pixels(figure)[-30:] - [2 / 3, 0, 0]).max(axis=-1) < 0.05
        return len(np.flatnonzero(np.diff(red.any(axis=0).astype(int)) == 1))

    assert below("one", "two") == 2
    assert below("one", "two", "one") == 2
    assert below("one") == 0


def test_words_are_bold_underlined_and_struck_out():
    def dark(text):
        figure = house_figure("", "", "")
        figure.add_scatter(x=[0], y=[0], mode="text", text=[text], textfont={"size": 20, "color": "#000000"})
        return int((pixels(figure)[60:330, 100:] < 0.4).all(axis=-1).sum())

    plain = dark("word")
    assert dark("<b>word</b>") > 1.1 * plain
    assert dark("<u>word</u>") > plain + 20
    assert dark("<s>word</s>") > plain + 10


def test_notes_beside_the_axes_keep_their_colours():
    figure = house_figure("", "", "")
    figure.add_scatter(x=[0, 1], y=[0, 1])
    note = {
        "xref": "paper",
        "yref": "paper",
        "x": 1,
        "y": 1,
        "xanchor": "right",
        "yanchor": "bottom",
        "showarrow": False,
    }
    figure.add_annotation(text="<b>all</b> <span style='color:#aa0000'>■</span> red", **note)
    assert share(figure, "#aa0000") > 0.00005
    before = ink(figure).sum()
    figure.layout.annotations = ()
    assert ink(figure).sum() < before


def test_a_heat_map_has_its_own_colours_and_its_scale():
    figure = house_figure("", "", "")
    scale = [[0, "rgb(0,0,170)"], [1, "#aa0000"]]
    figure.add_heatmap(z=[[0, 1], [1, 1]], colorscale=scale, zmin=0, zmax=1)
    assert share(figure, "#aa0000") > 2 * share(figure, "#0000aa") > 0
    right = np.abs(pixels(figure)[:, -70:-30] - [2 / 3, 0, 0]).max(axis=-1) < 0.02
    assert right.any(), "the scale stands on the right"
    figure.data[0].showscale = False
    figure.data[0].zmax = 10
    assert share(figure, "#aa0000") == 0


def test_a_long_title_goes_on_in_the_next_line():
    figure = house_figure("a title that says much " * 8, "", "")
    figure.add_scatter(x=[0, 1], y=[0, 1])
    dark = ink(figure)
    assert not dark[:, -3:].any()
    assert dark[:, :700].any()


@pytest.mark.parametrize(
    "layout",
    [
        *({"yaxis": {"tickformat": given}} for given in ("~s", ".2s", "d", "$,.2f", "%b")),
        {"xaxis": {"type": "category", "tickvals": ["a", "b"]}},
        {"yaxis": {"type": "log", "range": [None, 5]}},
        {"legend": {"orientation": "h", "xanchor": "auto", "yanchor": "auto"}},
        {"annotations": [{"xref": "paper", "yref": "paper", "x": 0, "y": 0}]},
        {"annotations": [{"xref": "paper", "yref": "y", "x": 0, "y": 1, "text": "<i>a</i>", "showarrow": False}]},
    ],
    ids=str,
)
def test_whatever_plotly_allows_is_drawn(layout):
    figure = house_figure("", "", "")
    figure.add_scatter(name="one", x=["a", "b", "c"], y=[1, 2, 3], mode="markers", marker={"color": ["red", "blue"]})
    figure.add_scatter(name="two", x=["a", "b"], y=[1, 2], mode="lines+markers+text", text=["a", None])
    figure.add_histogram(x=["a", "b"], xbins={"size": 1}, xaxis="x2", yaxis="y2")
    assert static_picture(figure.update_layout(layout)).startswith(b"\x89PNG")


def test_a_line_across_and_its_note_are_drawn_and_a_hidden_trace_is_not():
    figure = house_figure("", "", "")
    figure.add_scatter(x=[0, 1], y=[0, 2], line={"color": "#00aa00"}, visible="legendonly")
    figure.add_scatter(x=[0, 1], y=[0, 2], mode="markers")
    figure.add_hline(
        1, line={"color": "#aa0000", "width": 4}, annotation={"text": "here", "font": {"color": "#0000aa"}}
    )
    assert share(figure, "#00aa00") == 0
    assert share(figure, "#aa0000") > 0.005
    assert share(figure, "#0000aa") > 0


def test_ticks_outside_do_not_widen_a_range_and_reversed_axes_stay_reversed():
    figure = house_figure("", "", "")
    figure.add_scatter(x=[0, 1], y=[0, 1], line={"color": "#aa0000", "width": 4})
    red = [np.abs(pixels(figure.update_xaxes(range=[0, 1], tickvals=ticks)) - [2 / 3, 0, 0]).max(axis=-1) < 0.02
           for ticks in ([0, 1], [0, 1, 5])]  # fmt: skip
    assert np.flatnonzero(red[0].any(axis=0)).tolist() == np.flatnonzero(red[1].any(axis=0)).tolist()

    def top(**axis):
        two = house_figure("", "", "")
        two.add_scatter(x=[0, 1], y=[0, 0.2], line={"color": "#aa0000", "width": 4})
        two.add_scatter(x=[0, 1], y=[0, 2], xaxis="x2", yaxis="y2")
        two.update_layout(xaxis_domain=[0, 0.4], xaxis2={"domain": [0.6, 1], "anchor": "y2"}, yaxis2={"anchor": "x2"})
        two.update_layout(yaxis={"matches": "y2", **axis})
        return np.flatnonzero((np.abs(pixels(two) - [2 / 3, 0, 0]).max(axis=-1) < 0.02).any(axis=1)).mean()

    assert top(autorange="reversed") < 150 < 250 < top()


def test_sizes_of_single_points_numbers_on_bars_and_in_heat_maps_are_drawn():
    figure = house_figure("", "", "")
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines+markers", marker={"size": [2, 40]}, line={"color": "#aa0000"})
    large = share(figure, "#aa0000")
    figure.data[0].marker.size = [2, 2]
    assert large > share(figure, "#aa0000") + 0.002
    bars = house_figure("", "", "").add_bar(x=[1, 2], y=[1, 2], text=["12", "34"], textposition="outside")
    drawn = ink(bars).sum()
    bars.data[0].text = None
    assert drawn > ink(bars).sum() + 10
    heat = house_figure("", "", "").add_heatmap(z=[[0.0, 1.0]], colorscale=[[0, "#00aa00"], [1, "#00ffff"]])
    plain = pixels(heat)
    heat.data[0].texttemplate = "%{z:.2f}"
    assert (pixels(heat) != plain).any()


def test_small_html_in_coloured_notes_does_not_show():
    pieces = _pieces("<b>one</b><br>costs $5 and <i>not</i> <span style='color:#ff0000'>$6</span>")
    assert "".join(words for words, _ in pieces) == r"onecosts \$5 and not \$6"
    assert pieces[-1] == (r"\$6", {"color": "#ff0000"})

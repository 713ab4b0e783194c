"""Figures are pure functions of results; their tables and pictures show what they show."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from semwork.plots import PALETTE, house_figure, plotted_data, recall_figure, stacked_picture, static_picture


def pixels(png):
    return matplotlib.image.imread(io.BytesIO(png))[..., :3]


def has_colour(png, hex_colour):
    wanted = np.array([int(hex_colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return bool((np.abs(pixels(png) - wanted).max(axis=-1) < 0.02).any())


def test_recall_figure_shows_the_curves_that_it_is_given():
    share = np.array([0.001, 0.1, 1.0])
    found = {"m": np.array([0.5, 0.75, 1.0]), "n": share}
    figure = recall_figure(share, found, {"m": 0.75, "n": 0.5}, title="t")
    curve, other, chance = figure.data
    assert (curve.name, other.name, chance.name) == ("m: ATOP 0.750", "n: ATOP 0.500", "chance: ATOP 0.500")
    np.testing.assert_array_equal(curve.y, found["m"])
    assert (curve.line.width, other.line.dash) == (3, "dash")
    assert figure.layout.title.text == "t"


def test_plotted_data_of_every_kind_of_trace():
    figure = go.Figure(
        [
            go.Scatter(name="line", x=[1, 2], y=[3, 4], text=["u", "v"]),
            go.Bar(x=["a"], y=[5]),
            go.Histogram(name="h", x=[1, 1, 2]),
            go.Heatmap(name="m", x=["p", "q"], z=[[1, 2], [3, 4]]),
        ]
    )
    rows = plotted_data(figure)
    assert rows[rows["trace"] == "line"]["text"].to_list() == ["u", "v"]
    assert rows[rows["trace"] == "trace 1"]["y"].to_list() == [5]
    assert rows[rows["trace"] == "h"]["x"].to_list() == [1, 1, 2]
    heat = rows[rows["trace"] == "m"]
    assert heat[["x", "y", "z"]].to_numpy().tolist() == [["p", 0, 1], ["q", 0, 2], ["p", 1, 3], ["q", 1, 4]]
    assert plotted_data(go.Figure()).empty


def test_a_static_picture_holds_every_trace_in_its_colour():
    figure = house_figure("title with $ and <b>html</b>", "x", "y")
    figure.add_scatter(x=[1, 10, 100], y=[1, 2, 3], name="line")
    figure.add_scatter(x=[1, 10, 100], y=[3, 2, 1], mode="markers", name="points")
    figure.add_bar(x=[1, 10, 100], y=[1, 1, 1], name="bars", width=0.5)
    png = static_picture(figure)
    for colour in PALETTE[:3]:
        assert has_colour(png, colour)
    assert not has_colour(png, PALETTE[3])


@pytest.mark.parametrize(
    "trace",
    [
        go.Scatter(x=[1, 2], y=[1, 2], mode="lines+markers", line={"dash": "dot", "shape": "hv"}),
        go.Scatter(x=[1, 2], y=[1, 2], mode="markers+text", text=["a", "b"], marker={"color": [1, 2]}),
        go.Scatter(x=[1, 2], y=[1, 2], fill="tozeroy", fillcolor="rgba(0, 114, 178, 0.2)"),
        go.Bar(x=[3, 4], y=["u", "v"], orientation="h"),
        go.Histogram(x=np.arange(30) % 7, nbinsx=5),
        go.Heatmap(z=np.eye(3)),
        go.Heatmap(z=[[1, None]], x=["u", "v"], y=["w"]),
        go.Bar(y=[1, 2]),
        go.Bar(x=["a", "b"], y=[1, None]),
        go.Histogram(y=[1, 1, 2]),
        go.Scatter(x=[1, 2], y=[1, 2], mode="markers", marker={"color": ["rgb(1,2,3)", "red"]}),
        go.Scatter(x=["a", "b"], y=[1, 2], line={"color": "rgb(10%,0%,0%)"}, xaxis="x"),
        go.Scatter3d(x=[1], y=[1], z=[1]),
        go.Table(cells={"values": [[1]]}),
    ],
)
def test_every_trace_type_gives_a_picture_that_is_not_empty(trace):
    drawn = pixels(static_picture(go.Figure(trace)))
    assert drawn.std() > 0.01


def test_subplots_log_axes_and_ranges():
    figure = make_subplots(rows=1, cols=2)
    figure.add_scatter(x=[1, 1000], y=[1, 2], row=1, col=1)
    figure.add_scatter(x=[1, 2], y=[2, 1], row=1, col=2)
    figure.update_xaxes(type="log", range=[0, 3], row=1, col=1)
    figure.update_yaxes(autorange="reversed", row=1, col=2)
    png = static_picture(figure)
    left, right = np.array_split(pixels(png), 2, axis=1)
    assert (left < 0.9).any()
    assert (right < 0.9).any()


def test_other_formats_and_stacks():
    figure = go.Figure(go.Scatter(y=[1, 2]))
    assert b"<svg" in static_picture(figure, "svg")
    assert static_picture(figure, "pdf").startswith(b"%PDF")
    one, two = pixels(stacked_picture([figure])), pixels(stacked_picture([figure, figure]))
    assert two.shape[0] == 2 * one.shape[0]
    with pytest.raises(ValueError, match="'png', 'svg' or 'pdf'"):
        static_picture(figure, "gif")
    assert static_picture(go.Figure()).startswith(b"\x89PNG")


@pytest.mark.parametrize("trace", [go.Scatter(), go.Scatter(x=[1, 2]), go.Bar(), go.Heatmap(), go.Histogram()])
def test_empty_traces_give_empty_pictures_and_tables(trace):
    assert static_picture(go.Figure(trace)).startswith(b"\x89PNG")
    plotted_data(go.Figure(trace))


def test_an_axis_that_floats_freely_is_drawn():
    figure = go.Figure(go.Scatter(y=[1, 2]), layout={"xaxis": {"anchor": "free", "position": 0.1}})
    assert pixels(static_picture(figure)).std() > 0.01


def test_tables_hold_what_other_traces_show():
    rows = plotted_data(go.Figure([go.Pie(labels=["u", "v"], values=[1, 2]), go.Scatter3d(x=[1], y=[2], z=[3])]))
    assert rows["labels"].dropna().to_list() == ["u", "v"]
    assert rows["z"].dropna().to_list() == [3]
    assert plotted_data(go.Figure(go.Contour(z=[[1, 2], [3, 4]])))["z"].to_list() == [1, 2, 3, 4]
    assert plotted_data(go.Figure(go.Scatter(y=[5, 6])))["x"].to_list() == [0, 1]

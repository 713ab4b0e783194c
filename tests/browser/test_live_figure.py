"""What only a browser shows of a live figure."""

from __future__ import annotations

import pytest

from tests.browser import lab
from tests.browser.measure import key_to_picture, six_pictures

pytestmark = pytest.mark.browser

SETUP = """
import numpy as np, plotly.graph_objects as go, ipywidgets as ipw
from semwork_widgets import LiveFigure
from semwork.plots import house_figure
"""


def test_several_traces_and_the_layout_change_in_one_message(run):
    notebook = run(
        SETUP,
        """
x = np.arange(5.0)
live = LiveFigure(go.Figure([go.Scatter(x=x, y=x), go.Bar(x=x, y=x)], layout={"title": {"text": "before"}}))
live""",
        """
sent = []
send = live.send
live.send = lambda *a: (sent.append(a[0]["kind"]), send(*a))
live.update(go.Figure(
    [
        go.Scatter(x=x, y=2 * x),
        go.Bar(x=x, y=3 * x),
        go.Heatmap(z=np.arange(6.0).reshape(2, 3), xaxis="x2", yaxis="y2"),
    ],
    layout={
        "title": {"text": "after"},
        "xaxis": {"domain": [0, 0.4]},
        "xaxis2": {"domain": [0.6, 1]},
        "yaxis2": {"anchor": "x2"},
    },
))
sent""",
    )
    notebook.wait_drawn(1)
    notebook.page.wait_for_selector(".semwork-figure[data-revision='1']")
    assert notebook.page.locator("pre:has-text(\"['patch']\")").count() == 1
    assert notebook.plotted(0, 0)["y"] == [0, 2, 4, 6, 8]
    assert notebook.plotted(0, 1)["y"] == [0, 3, 6, 9, 12]
    z = notebook.page.evaluate("document.querySelector('.semwork-figure').data[2].z.map(row => Array.from(row))")
    assert z == [[0, 1, 2], [3, 4, 5]]
    assert notebook.page.evaluate("document.querySelector('.semwork-figure').layout.title.text") == "after"
    assert notebook.errors == []


def test_click_hover_and_selection_reach_python(run):
    notebook = run(
        SETUP,
        """
live = LiveFigure(go.Figure(go.Scatter(x=[1, 2, 3], y=[1, 2, 3], mode="markers", marker={"size": 30}, name="dots"),
                  layout={"dragmode": "select", "width": 600}))
told = ipw.Label("nothing yet")
live.on_click(lambda points: setattr(told, "value", f"clicked {points[0].name} {points[0].index} at {points[0].x}"))
hovered = ipw.Label("")
live.on_hover(lambda points: setattr(hovered, "value", f"hovered {points[0].index}"))
selected = ipw.Label("")
live.on_select(lambda points: setattr(selected, "value", f"selected {len(points)}"))
live""",
        "ipw.VBox([told, hovered, selected])",
    )
    notebook.wait_drawn(1)
    page = notebook.page
    page.wait_for_selector("text=nothing yet")
    point = page.locator(".semwork-figure .points path").nth(1)
    point.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    box = point.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.wait_for_selector("text=hovered 1")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("text=clicked dots 1 at 2")
    area = page.locator(".semwork-figure .nsewdrag").first.bounding_box()
    page.mouse.move(area["x"] + 2, area["y"] + 2)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] - 2, area["y"] + area["height"] - 2, steps=8)
    page.mouse.up()
    page.wait_for_selector("text=selected 3")
    assert notebook.errors == []


def test_the_figure_follows_the_width_of_the_page(run):
    notebook = run(SETUP, "LiveFigure(go.Figure(go.Scatter(y=[1, 2])))")
    notebook.wait_drawn(1)
    width = "document.querySelector('.semwork-figure')._fullLayout.width"
    wide = notebook.page.evaluate(width)
    notebook.page.set_viewport_size({"width": 900, "height": 900})
    notebook.page.wait_for_function(f"{width} < {wide} - 200")
    assert notebook.errors == []


def test_a_figure_shown_twice_and_hidden_first_is_drawn_everywhere(run):
    notebook = run(
        SETUP,
        "live = LiveFigure(go.Figure(go.Scatter(y=[1, 2])))\nlive",
        "ipw.Accordion([live], titles=['inside'])",
        "live.update(go.Figure(go.Scatter(y=[5, 6])))",
    )
    notebook.wait_drawn(1)
    notebook.page.click(".jupyter-widget-Collapse-header")
    notebook.wait_drawn(2)
    assert notebook.plotted(0)["y"] == [5, 6]
    assert notebook.plotted(1)["y"] == [5, 6]


def test_a_zoom_survives_an_update(run):
    notebook = run(
        SETUP,
        """
def figure(k):
    f = house_figure("zoom", "x", "y"); f.add_scatter(x=[0, 1, 2, 3], y=[0, k, 2 * k, 3 * k]); return f
live = LiveFigure(figure(1))
button = ipw.Button(description="double")
button.on_click(lambda _: live.update(figure(2)))
live""",
        "button",
    )
    notebook.wait_drawn(1)
    page = notebook.page
    area = page.locator(".semwork-figure .nsewdrag").first.bounding_box()
    page.mouse.move(area["x"] + 50, area["y"] + 50)
    page.mouse.down()
    page.mouse.move(area["x"] + 200, area["y"] + 200, steps=6)
    page.mouse.up()
    page.wait_for_function("document.querySelector('.semwork-figure').layout.xaxis.range[1] < 2.9")
    zoomed = page.evaluate("document.querySelector('.semwork-figure')._fullLayout.xaxis.range")
    page.click("button:has-text('double')")
    page.wait_for_selector(".semwork-figure[data-revision='1']")
    assert page.evaluate("document.querySelector('.semwork-figure')._fullLayout.xaxis.range") == zoomed
    assert notebook.plotted()["y"] == [0, 2, 4, 6]


def test_copied_code_draws_its_picture_in_a_notebook(run):
    notebook = run(
        "from semwork_widgets import first_curve\npanel = first_curve()\npanel.wait(300)", "exec(panel.code)"
    )
    drawn = notebook.page.locator(".jp-RenderedPlotly .scatterlayer .trace")
    drawn.first.wait_for(timeout=120_000)
    assert drawn.count() == 3  # WTMF, words only, and chance
    assert notebook.errors == []


def test_an_error_in_a_run_becomes_words_in_the_panel(run):
    notebook = run(
        SETUP
        + """
from semwork.steps import Step
from semwork_widgets import Panel
def compute(w):
    if w > 2:
        raise ValueError(f"w is {w}; it can be 2 at most: move the slider back")
    yield Step(done=1, total=1)
Panel("Careful", {"w": ipw.IntSlider(1, 0, 5)}, compute, lambda step: go.Figure(go.Scatter(y=[1, 2])))
""",
    )
    notebook.wait_drawn(1)
    handle = notebook.page.locator(".noUi-handle").first
    handle.focus()
    notebook.page.keyboard.press("ArrowRight")
    notebook.wait_status("Done")
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.wait_for_selector("[role=alert]:has-text('move the slider back')")
    notebook.page.keyboard.press("ArrowLeft")
    notebook.wait_status("Done")
    assert notebook.page.locator("[role=alert]").count() == 0


def test_a_panel_answers_while_a_cell_runs(run):
    notebook = run(
        SETUP
        + """
import time
from semwork.steps import Step
from semwork_widgets import Panel
def compute(w):
    for done in range(1, 10_001):
        time.sleep(0.05)
        yield Step(done=done, total=10_000, message=f"w is {w}")
panel = Panel("Long", {"w": ipw.IntSlider(1, 0, 5)}, compute, lambda step: go.Figure(go.Scatter(y=[1, step.done])))
panel""",
        "for _ in range(1_200):\n    time.sleep(0.1)",
    )
    notebook.wait_drawn(1)
    notebook.wait_status("w is 1")
    running = notebook.page.locator(".jp-InputPrompt:has-text('[*]')")
    notebook.page.locator(".noUi-handle").first.focus()
    notebook.page.keyboard.press("ArrowRight")
    notebook.wait_status("w is 2")
    notebook.button("Stop").click()
    notebook.wait_status("Stopped")
    assert running.count() >= 1, "the cell below was over before the panel answered"
    notebook.shut_down()


def test_voila_shows_the_same(page, folder, tmp_path):
    path = lab.notebook_file(
        folder / "voila.ipynb",
        [
            SETUP,
            """
live = LiveFigure(go.Figure(go.Scatter(y=[1, 2, 3])))
slider = ipw.IntSlider(1, 0, 5)
slider.observe(lambda change: live.update(go.Figure(go.Scatter(y=[change.new] * 3))), "value")
live""",
            "slider",
        ],
    )
    with lab.voila(path, tmp_path) as address:
        page.goto(address)
        page.wait_for_selector(".semwork-figure[data-revision]", timeout=60_000)
        assert page.locator("img[src^='data:image/png']:visible").count() == 0
        page.locator(".noUi-handle").first.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("Array.from(document.querySelector('.semwork-figure').data[0].y)[0] === 2")


def test_six_pictures_are_light_and_no_key_press_is_lost(base, folder, browser):
    """How fast they are, and what plotly's own widget takes (30 MB), is for `make bench`."""
    assert six_pictures(browser, base, folder, "LiveFigure").megabytes < 3
    assert key_to_picture(browser, base, folder, presses=20).lost == 0

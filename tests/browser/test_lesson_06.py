"""The lesson on Gaussian topics, as a reader meets it."""

from __future__ import annotations

import io
import pathlib

import pandas as pd
import pytest

from tests.browser import lab

pytestmark = pytest.mark.browser
NOTEBOOK = "06_gaussian_topics.ipynb"
MAP, CURVES, BELOW = range(3)


@pytest.fixture(scope="module")
def ran(browser, base):
    """The notebook, run once; the tests below go on where the last one left it, as a reader does."""
    context = browser.new_context(viewport={"width": 1400, "height": 1700}, accept_downloads=True)
    page = context.new_page()
    notebook = lab.Notebook(page, base, NOTEBOOK)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    notebook.run_all()
    notebook.wait_drawn(3, 300_000)
    page.locator(".semwork-panel .semwork-title").first.scroll_into_view_if_needed()
    notebook.wait_status("Done", 300_000)
    notebook.wait_settled()
    yield notebook
    assert notebook.errors == []
    assert [text for text in console if "semwork" in text or "plotly" in text.lower()] == []
    notebook.shut_down()
    context.close()


def title(notebook, figure):
    return notebook.page.evaluate(
        "figure => document.querySelectorAll('.semwork-figure')[figure].layout.title.text", figure
    )


def wait_title(notebook, figure, words):
    notebook.page.wait_for_function(
        "([figure, words]) => document.querySelectorAll('.semwork-figure')[figure].layout.title.text.includes(words)",
        arg=[figure, words],
        timeout=60_000,
    )


def named(notebook, figure, name):
    """The values of the first trace of this name."""
    return notebook.page.evaluate(
        """([figure, name]) => {
            const trace = document.querySelectorAll('.semwork-figure')[figure].data.find(trace => trace.name === name);
            return trace && {x: Array.from(trace.x), y: Array.from(trace.y), text: trace.text,
                             customdata: trace.customdata && Array.from(trace.customdata)};
        }""",
        [figure, name],
    )


def click(notebook, figure, name, point):
    """Click a point of a trace, where it is on the screen."""
    place = notebook.page.evaluate(
        """([figure, name, point]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            plot.scrollIntoView({block: 'center'});
            const trace = plot._fullData.find(trace => trace.name === name);
            const xaxis = plot._fullLayout['xaxis' + trace.xaxis.slice(1)];
            const yaxis = plot._fullLayout['yaxis' + trace.yaxis.slice(1)];
            const box = plot.getBoundingClientRect();
            const x = trace.type === 'bar' ? trace.x[point] / 2 : trace.x[point];
            return [box.left + xaxis._offset + xaxis.c2p(xaxis.d2c(x)),
                    box.top + yaxis._offset + yaxis.c2p(yaxis.d2c(trace.y[point]))];
        }""",
        [figure, name, point],
    )
    notebook.page.mouse.move(*place)
    notebook.page.wait_for_timeout(300)
    notebook.page.mouse.click(*place)


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0


def test_topics_have_found_their_places(ran):
    likelihood = named(ran, CURVES, "Gaussian LDA")["y"]
    assert len(likelihood) == 60
    assert likelihood[-1] > likelihood[0] + 1
    assert title(ran, MAP).startswith("After sweep 60: topic 6 has")
    assert named(ran, MAP, "means")["customdata"] == list(range(12))


def test_topics_move_while_the_slider_is_dragged(ran):
    before = named(ran, MAP, "means")
    first, second = ran.drag_slider(-400)
    assert (int(first), int(second)) == (60, 1)
    wait_title(ran, MAP, "After sweep 1:")
    wait_title(ran, CURVES, "After sweep 1:")
    after = named(ran, MAP, "means")
    assert after["x"] != before["x"]
    spread = [max(means["x"]) - min(means["x"]) for means in (after, before)]
    assert spread[0] < spread[1], "topics start in the middle"
    ran.drag_slider(500)
    wait_title(ran, MAP, "After sweep 60:")
    assert named(ran, MAP, "means") == before


def test_a_click_on_a_topic_shows_its_words_and_documents(ran):
    wanted = named(ran, MAP, "topics")["customdata"].index(1)
    click(ran, MAP, "topics", wanted)
    wait_title(ran, BELOW, "Topic 1:")
    first = ran.page.evaluate("document.querySelectorAll('.semwork-figure')[2].layout.yaxis.ticktext[0]")
    assert first in named(ran, MAP, "top words")["text"][wanted]
    documents = named(ran, BELOW, "share of this topic in a document")
    assert documents["x"] == sorted(documents["x"], reverse=True)
    click(ran, BELOW, "share of this topic in a document", 0)
    wait_title(ran, BELOW, f"Document {int(documents['customdata'][0])},")
    assert named(ran, BELOW, "at this sweep")["customdata"][0] == 1


def test_a_click_on_a_curve_goes_to_that_sweep(ran):
    click(ran, CURVES, "Gaussian LDA", 29)
    ran.page.wait_for_function(
        "!document.querySelectorAll('.semwork-figure')[0].layout.title.text.startsWith('After sweep 60')"
    )
    sweep = int(title(ran, MAP).removeprefix("After sweep ").split(":")[0])
    assert abs(sweep - 30) <= 2


def test_the_table_can_be_saved(ran):
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("CSV").click()
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()), low_memory=False)
    assert set(table["figure"]) == {"map", "curves", "below"}
    saved = table[(table["trace"] == "Gaussian LDA")]["y"].astype(float).to_list()
    assert saved[:60] == pytest.approx(named(ran, CURVES, "Gaussian LDA")["y"])


def test_a_longer_run_can_be_stopped_and_the_slider_ends_there(ran):
    sweeps = ran.page.locator(".semwork-controls .noUi-handle").last
    sweeps.focus()
    ran.page.keyboard.press("End")
    ran.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[1].layout.xaxis.range[1] > 200", timeout=120_000
    )
    ran.page.locator(".semwork-panel button:has-text('Stop'):not([disabled])").first.click()
    ran.wait_status("Stopped", 60_000)
    done = len(named(ran, CURVES, "Gaussian LDA")["x"])
    assert 0 < done < 240
    ran.page.wait_for_timeout(700)
    assert len(named(ran, CURVES, "Gaussian LDA")["x"]) == done
    assert int(ran.page.locator(".semwork-controls .widget-readout").first.inner_text()) <= done

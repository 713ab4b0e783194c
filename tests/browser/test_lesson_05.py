"""The lesson on latent alignments, as a reader meets it."""

from __future__ import annotations

import io
import pathlib

import pandas as pd
import pytest

from tests.browser import lab

pytestmark = pytest.mark.browser
NOTEBOOK = "05_latent_alignments.ipynb"
ALIGNMENT, LEARNING, BELOW = range(3)
DATA = [pytest.mark.data(name) for name in ("msr04", "rte", "wordnet", "en_core_web_sm")]
_TITLE = "figure => document.querySelectorAll('.semwork-figure')[figure].layout.title.text"


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
    wait_done(notebook)
    yield notebook
    assert notebook.errors == []
    assert [text for text in console if "semwork" in text or "plotly" in text.lower()] == []
    context.close()


def wait_done(notebook):
    """Wait until the panel says Done and its pictures stay as they are."""
    revisions = "[...document.querySelectorAll('.semwork-figure')].map(figure => figure.dataset.revision).join()"
    while True:
        notebook.wait_status("Done", 600_000)
        seen = notebook.page.evaluate(revisions)
        notebook.page.wait_for_timeout(500)
        if "Done" in status(notebook) and notebook.page.evaluate(revisions) == seen:
            return


def status(notebook):
    return notebook.page.locator(".semwork-status").first.inner_text()


def title(notebook, figure):
    return notebook.page.evaluate(_TITLE, figure)


def wait_title(notebook, figure, words):
    notebook.page.wait_for_function(
        "([figure, words]) => document.querySelectorAll('.semwork-figure')[figure].layout.title.text.includes(words)",
        arg=[figure, words],
        timeout=60_000,
    )


def named(notebook, figure, name):
    """The values of the trace of this name."""
    return notebook.page.evaluate(
        """([figure, name]) => {
            const trace = document.querySelectorAll('.semwork-figure')[figure].data.find(trace => trace.name === name);
            return trace && {x: Array.from(trace.x), y: Array.from(trace.y), text: trace.text,
                             customdata: trace.customdata};
        }""",
        [figure, name],
    )


def slide(notebook, key):
    notebook.page.locator(".semwork-controls .noUi-handle").first.focus()
    notebook.page.keyboard.press(key)


def typed(notebook, number, words):
    box = notebook.page.locator(".semwork-controls .widget-text input[type='text']").nth(number)
    box.fill(words)
    box.press("Enter")


def place_of(notebook, figure, name, point):
    """Where a point is on the screen."""
    return notebook.page.evaluate(
        """([figure, name, point]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            plot.scrollIntoView({block: 'center'});
            const trace = plot._fullData.find(trace => trace.name === name);
            const xaxis = plot._fullLayout['xaxis' + trace.xaxis.slice(1)];
            const yaxis = plot._fullLayout['yaxis' + trace.yaxis.slice(1)];
            const box = plot.getBoundingClientRect();
            return [box.left + xaxis._offset + xaxis.c2p(xaxis.d2c(trace.x[point])),
                    box.top + yaxis._offset + yaxis.c2p(yaxis.d2c(trace.y[point]))];
        }""",
        [figure, name, point],
    )


def click(notebook, *where):
    place = place_of(notebook, *where)
    notebook.page.mouse.move(*place)
    notebook.page.wait_for_timeout(300)
    notebook.page.mouse.click(*place)


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0


def test_learning_has_come_to_its_end(ran):
    history = named(ran, LEARNING, "accuracy")
    last = len(history["x"]) - 1
    assert last >= 2
    assert history["y"][-1] > named(ran, LEARNING, "accuracy, two-stage")["y"][0]
    assert title(ran, LEARNING).startswith(f"After iteration {last}:")
    assert title(ran, ALIGNMENT).startswith("Johannesburg – יוהנסבורג")
    assert int(ran.page.locator(".semwork-controls .widget-readout").first.inner_text()) == last


def test_alignment_accuracy_and_mistakes_move_with_the_slider(ran):
    before = named(ran, ALIGNMENT, "parts")["text"], title(ran, BELOW)
    slide(ran, "Home")
    wait_title(ran, LEARNING, "After the start")
    assert (named(ran, ALIGNMENT, "parts")["text"], title(ran, BELOW)) != before
    assert named(ran, LEARNING, "now")["x"] == [0, 0]
    slide(ran, "ArrowRight")
    wait_title(ran, LEARNING, "After iteration 1:")
    last = len(named(ran, LEARNING, "accuracy")["x"]) - 1
    for _ in range(1, last):
        slide(ran, "ArrowRight")
    wait_title(ran, LEARNING, f"After iteration {last}:")
    ran.page.wait_for_timeout(500)
    assert (named(ran, ALIGNMENT, "parts")["text"], title(ran, BELOW)) == before


def test_the_iteration_can_be_dragged(ran):
    was, now = ran.drag_slider(-400)
    assert (int(was) > 0, now) == (True, "0")
    wait_title(ran, LEARNING, "After the start")
    was, now = ran.drag_slider(400)
    wait_title(ran, LEARNING, f"After iteration {now}:")
    assert int(now) == len(named(ran, LEARNING, "accuracy")["x"]) - 1


def test_a_line_tells_its_score_under_the_mouse(ran):
    ran.page.mouse.move(*place_of(ran, ALIGNMENT, "parts", 1))
    told = ran.page.locator(".semwork-figure .hoverlayer text").first
    told.wait_for()
    assert "–" in told.text_content()


def test_an_own_pair_can_be_typed(ran):
    typed(ran, 0, "Tolkien")
    wait_title(ran, ALIGNMENT, "CLDR has no “Tolkien”")
    typed(ran, 1, "טולקין")
    wait_title(ran, ALIGNMENT, "Tolkien – טולקין: score")
    typed(ran, 1, "במקו")
    wait_title(ran, ALIGNMENT, "not the same name")


def test_a_click_on_a_mistake_shows_it_and_one_on_a_curve_goes_there(ran):
    wrong = named(ran, BELOW, "spelling of another name")
    click(ran, BELOW, "spelling of another name", 0)
    wait_title(ran, ALIGNMENT, "{} – {}: score".format(*wrong["customdata"][0]))
    click(ran, LEARNING, "objective", 1)
    wait_title(ran, LEARNING, "After iteration 1:")


def test_weights_can_be_looked_at(ran):
    ran.page.locator(".semwork-controls button:text-is('weights')").click()
    wait_title(ran, BELOW, "largest weights")
    ran.page.locator(".semwork-controls button:text-is('mistakes')").click()
    wait_title(ran, BELOW, "another spelling")


def test_the_table_can_be_saved(ran):
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("CSV").click()
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()))
    assert set(table["figure"]) == {"alignment", "learning", "below"}
    saved = table[table["trace"] == "accuracy"]["y"].astype(float).to_list()
    assert saved == pytest.approx(named(ran, LEARNING, "accuracy")["y"])


def test_free_letters_are_a_run_that_can_be_stopped(ran):
    ran.page.locator(".semwork-controls button:text-is('free')").click()
    ran.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[1].data.find(trace => trace.name === 'accuracy').x.length === 1",
        timeout=300_000,
    )
    ran.page.locator(".semwork-panel button:has-text('Stop'):not([disabled])").first.click()
    ran.wait_status("Stopped", 300_000)
    done = len(named(ran, LEARNING, "accuracy")["x"])
    ran.page.wait_for_timeout(1000)
    assert len(named(ran, LEARNING, "accuracy")["x"]) == done
    ran.page.locator(".semwork-controls button:text-is('one-to-one')").click()
    wait_done(ran)
    assert len(named(ran, LEARNING, "accuracy")["x"]) > 2


@pytest.mark.parametrize("name", [pytest.param("sentence_alignments", marks=DATA)])
def test_sentences_are_aligned_with_real_data(real, name):
    notebook = real(name)
    wait_title(notebook, LEARNING, "After iteration")
    wait_done(notebook)
    assert title(notebook, ALIGNMENT).startswith("Test pair 1: score")
    assert len(named(notebook, ALIGNMENT, "left")["x"]) > 5
    assert len([x for x in named(notebook, ALIGNMENT, "an edge mapped")["x"] if x is not None]) >= 13
    wrong = notebook.page.evaluate(
        "document.querySelectorAll('.semwork-figure')[2].data.find(t => t.name.startsWith('judged wrong')).name"
    )
    pair = named(notebook, BELOW, wrong)["customdata"][0]
    click(notebook, BELOW, wrong, 0)
    wait_title(notebook, ALIGNMENT, f"Test pair {pair}: score")
    notebook.drag_slider(-400)
    wait_title(notebook, LEARNING, "After the start")
    typed(notebook, 0, "The dog chased the cat.")
    wait_title(notebook, ALIGNMENT, "type both sentences")
    typed(notebook, 1, "The cat was chased by the dog.")
    wait_title(notebook, ALIGNMENT, "Your pair: score")
    assert "chased" in named(notebook, ALIGNMENT, "left")["text"]
    notebook.page.locator(".semwork-controls button:text-is('+ whole pairs')").click()
    wait_done(notebook)
    with notebook.page.expect_download(timeout=60_000) as waiting:
        notebook.button("CSV").click()
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()))
    assert set(table["figure"]) == {"alignment", "learning", "below"}

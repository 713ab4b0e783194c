"""The lesson on concept retrieval, as a reader meets it."""

from __future__ import annotations

import io
import pathlib

import pandas as pd
import pytest

from tests.browser import lab

pytestmark = pytest.mark.browser
NOTEBOOK = "02_concept_retrieval.ipynb"
MODELS, QUERIES, WHY, SWEEP = range(4)


@pytest.fixture(scope="module")
def ran(browser, base):
    """The notebook, run once; the tests below go on where the last one left it, as a reader does."""
    context = browser.new_context(viewport={"width": 1400, "height": 1800}, accept_downloads=True)
    notebook = lab.Notebook(context.new_page(), base, NOTEBOOK)
    console: list[str] = []
    notebook.page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    notebook.run_all()
    notebook.wait_drawn(4, 180_000)
    show(notebook, 0)
    wait_done(notebook, 0)
    yield notebook
    assert notebook.errors == []
    assert [text for text in console if "semwork" in text or "plotly" in text.lower()] == []
    context.close()


def show(notebook, panel):
    notebook.page.locator(".semwork-panel .semwork-title").nth(panel).scroll_into_view_if_needed()


def status(notebook, panel):
    return notebook.page.locator(".semwork-status").nth(panel).text_content()


def wait_status(notebook, panel, words, timeout=180_000):
    notebook.page.wait_for_function(
        "([panel, words]) => document.querySelectorAll('.semwork-status')[panel]?.textContent.includes(words)",
        arg=[panel, words],
        timeout=timeout,
    )


def wait_done(notebook, panel):
    """Wait until the panel says Done and its pictures stay as they are."""
    revisions = "[...document.querySelectorAll('.semwork-figure')].map(figure => figure.dataset.revision).join()"
    while True:
        wait_status(notebook, panel, "Done")
        seen = notebook.page.evaluate(revisions)
        notebook.page.wait_for_timeout(500)
        if "Done" in status(notebook, panel) and notebook.page.evaluate(revisions) == seen:
            return


def figure_title(notebook, figure):
    return notebook.page.evaluate(
        "figure => document.querySelectorAll('.semwork-figure')[figure].layout.title.text", figure
    )


def wait_title(notebook, figure, words):
    notebook.page.wait_for_function(
        "([figure, words]) => document.querySelectorAll('.semwork-figure')[figure].layout.title.text.includes(words)",
        arg=[figure, words],
        timeout=30_000,
    )


def named(notebook, figure, name, *, exact=False):
    """The plotted values of the trace whose name begins so, or is this."""
    return notebook.page.evaluate(
        """([figure, name, exact]) => {
            const fits = trace => exact ? trace.name === name : trace.name?.startsWith(name);
            const trace = document.querySelectorAll('.semwork-figure')[figure].data.find(fits);
            return trace && {name: trace.name, x: Array.from(trace.x), y: Array.from(trace.y),
                             customdata: trace.customdata && Array.from(trace.customdata)};
        }""",
        [figure, name, exact],
    )


def click_point(notebook, figure, x, y, axes=("xaxis", "yaxis")):
    """Click where the figure has drawn (x, y), in the units of its axes."""
    place = notebook.page.evaluate(
        """([figure, x, y, axes]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            plot.scrollIntoView({block: 'center'});
            const box = plot.getBoundingClientRect();
            const [across, down] = axes.map(axis => plot._fullLayout[axis]);
            return [box.left + across._offset + across.d2p(x), box.top + down._offset + down.d2p(y)];
        }""",
        [figure, x, y, list(axes)],
    )
    notebook.page.mouse.move(*place)
    notebook.page.wait_for_timeout(200)
    notebook.page.mouse.click(*place)


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0


def test_all_models_are_drawn_and_a_slider_moves_wtmf_alone(ran):
    before = {name: named(ran, MODELS, name) for name in ("WTMF", "words only", "LSA", "LDA", "n-grams")}
    assert all(before.values())
    assert len(named(ran, MODELS, "ATOP")["x"]) == 5
    handle = ran.page.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    handle.focus()
    for _ in range(3):
        ran.page.keyboard.press("ArrowRight")
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-figure').data.every(trace => trace.name !== old)",
        arg=before["WTMF"]["name"],
        timeout=30_000,
    )
    wait_done(ran, 0)
    after = {name: named(ran, MODELS, name) for name in before}
    assert after["WTMF"]["y"] != before["WTMF"]["y"]
    for name in ("words only", "LSA", "LDA", "n-grams"):
        assert after[name] == before[name]
    was, now = ran.drag_slider(-40)
    assert now != was
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-figure').data.every(trace => trace.name !== old)",
        arg=after["WTMF"]["name"],
        timeout=30_000,
    )
    wait_done(ran, 0)


def test_a_click_on_a_query_explains_it_and_a_click_on_a_bar_explains_another_candidate(ran):
    better = named(ran, QUERIES, "WTMF better")
    # The point that is farthest to the right and low: found by WTMF, not by words.
    pick = max(range(len(better["x"])), key=lambda i: better["x"][i] / better["y"][i])
    here = (better["x"][pick], better["y"][pick])
    same = [f"“{c}”" for x, y, c in zip(better["x"], better["y"], better["customdata"], strict=True) if (x, y) == here]
    click_point(ran, QUERIES, *here)
    ran.page.wait_for_function(
        "labels => labels.some("
        "label => document.querySelectorAll('.semwork-figure')[2].layout.title.text.includes(label))",
        arg=same,
        timeout=30_000,
    )
    bars = named(ran, WHY, "ranking")
    assert len(bars["x"]) >= 10
    parts = named(ran, WHY, "part of the similarity")
    explained = next(number for number, label in enumerate(bars["y"]) if label.startswith("<b>"))
    assert sum(parts["x"]) == pytest.approx(bars["x"][explained], abs=1e-3)
    other = 4 if explained != 4 else 5
    click_point(ran, WHY, bars["x"][other] / 2, bars["y"][other])
    ran.page.wait_for_function(
        "other => document.querySelectorAll('.semwork-figure')[2].data[0].y[other].startsWith('<b>')",
        arg=other,
        timeout=30_000,
    )
    parts = named(ran, WHY, "part of the similarity")
    assert sum(parts["x"]) == pytest.approx(bars["x"][other], abs=1e-3)


def test_a_headword_can_be_typed(ran):
    show(ran, 0)
    box = ran.page.locator(".semwork-controls .widget-text input[type='text']").first
    box.fill("browser")
    box.press("Enter")
    wait_title(ran, WHY, "“browser”")
    box.fill("no such word")
    box.press("Enter")
    wait_title(ran, WHY, "no query")


def test_data_that_is_not_here_is_said_and_the_sample_comes_back(ran):
    show(ran, 0)
    choice = ran.page.locator(".semwork-controls select").first
    choice.select_option(index=1)
    wait_status(ran, 0, "This did not work")
    assert "semwork data fetch" in status(ran, 0)
    choice.select_option(index=0)
    wait_done(ran, 0)


def test_the_table_can_be_saved(ran):
    show(ran, 0)
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("CSV").click()
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()))
    curve = named(ran, MODELS, "WTMF")
    assert table[table["trace"] == curve["name"]]["y"].astype(float).to_list() == pytest.approx(curve["y"])


def test_the_sweep_fills_in_can_be_stopped_and_goes_on(ran):
    show(ran, 1)
    panel = ran.page.locator(".semwork-panel").nth(1)
    wait_done(ran, 1)
    assert len(named(ran, SWEEP, "WTMF", exact=True)["x"]) == 14
    handle = panel.locator(".noUi-handle").first
    handle.focus()
    ran.page.keyboard.press("ArrowRight")
    panel.locator("button:has-text('Stop'):not([disabled])").click(timeout=30_000)
    wait_status(ran, 1, "Stopped")
    assert len(named(ran, SWEEP, "WTMF", exact=True)["x"]) < 14
    handle.focus()
    ran.page.keyboard.press("ArrowLeft")
    wait_status(ran, 1, "fits were known")
    assert len(named(ran, SWEEP, "WTMF", exact=True)["x"]) == 14
    panel.locator("button:text-is('show')").click()
    ran.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[3].data.some(trace => trace.name.startsWith('the paper'))"
    )
    panel.locator("button:text-is('hide')").click()


@pytest.mark.data("cdr", "brown")
def test_on_real_dictionaries_the_models_come_one_by_one_and_can_be_stopped(real):
    notebook = real("retrieval_race")
    notebook.page.locator(".semwork-controls select").first.select_option(index=1)
    notebook.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[2]?.layout.title.text.includes('“cheetah”')", timeout=180_000
    )
    notebook.page.locator(".semwork-panel button:has-text('Stop'):not([disabled])").first.click()
    notebook.wait_status("Stopped", 120_000)
    assert len(named(notebook, QUERIES, "WTMF better")["x"]) > 100
    assert len(named(notebook, WHY, "ranking")["x"]) >= 10

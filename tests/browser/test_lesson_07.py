"""The lesson on sampler convergence, as a reader meets it."""

from __future__ import annotations

import io
import pathlib

import pandas as pd
import pytest

from tests.browser import lab

pytestmark = pytest.mark.browser
NOTEBOOK = "07_sampler_convergence.ipynb"
LIKELIHOOD, AGREEMENT, SPEED, VARIATION = range(4)
RACE, BIAS = range(2)


@pytest.fixture(scope="module")
def ran(browser, base):
    """The notebook, run once; the tests below go on where the last one left it, as a reader does."""
    context = browser.new_context(viewport={"width": 1400, "height": 1700}, accept_downloads=True)
    page = context.new_page()
    notebook = lab.Notebook(page, base, NOTEBOOK)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    notebook.run_all()
    notebook.wait_drawn(4, 300_000)
    for panel in (RACE, BIAS):
        page.locator(".semwork-panel .semwork-title").nth(panel).scroll_into_view_if_needed()
        wait_status(notebook, panel, "Done")
    yield notebook
    assert notebook.errors == []
    assert [text for text in console if "semwork" in text or "plotly" in text.lower()] == []
    context.close()


def wait_status(notebook, panel, words):
    notebook.page.wait_for_function(
        "([panel, words]) => document.querySelectorAll('.semwork-status')[panel].innerText.includes(words)",
        arg=[panel, words],
        timeout=300_000,
    )


def panel_of(notebook, panel):
    return notebook.page.locator(".semwork-panel").nth(panel)


def button(notebook, panel, name):
    return panel_of(notebook, panel).locator(f"button:has-text('{name}'):not([disabled])").first


def drag(notebook, panel, slider, pixels):
    """Drag a slider of a panel with the mouse; returns its readout before and after."""
    controls = panel_of(notebook, panel).locator(".semwork-controls")
    handle, readout = controls.locator(".noUi-handle").nth(slider), controls.locator(".widget-readout").nth(slider)
    handle.scroll_into_view_if_needed()
    before, box = readout.inner_text(), handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    notebook.page.mouse.move(x, y)
    notebook.page.mouse.down()
    notebook.page.mouse.move(x + pixels, y, steps=20)
    notebook.page.mouse.up()
    return before, readout.inner_text()


def curve(notebook, figure, name, axis="x"):
    """The values of the first trace of this name on an axis."""
    return notebook.page.evaluate(
        """([figure, name, axis]) => {
            const trace = document.querySelectorAll('.semwork-figure')[figure].data
                .find(trace => trace.name === name && (trace.xaxis ?? 'x') === axis);
            return trace && {x: Array.from(trace.x), y: Array.from(trace.y)};
        }""",
        [figure, name, axis],
    )


def wait_settled(notebook, panel, figure):
    """Wait until a panel says Done and its picture stays as it is: a run that has just begun shows the old words."""
    revision = f"document.querySelectorAll('.semwork-figure')[{figure}].dataset.revision"
    while True:
        wait_status(notebook, panel, "Done")
        seen = notebook.page.evaluate(revision)
        notebook.page.wait_for_timeout(500)
        done = "Done" in panel_of(notebook, panel).locator(".semwork-status").inner_text()
        if done and notebook.page.evaluate(revision) == seen:
            return


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0


def test_samplers_climb_and_the_quick_ones_are_there_first(ran):
    for name in ("naive", "cholesky", "alias", "precision", "fast"):
        seconds, sweeps = curve(ran, LIKELIHOOD, name), curve(ran, LIKELIHOOD, name, "x2")
        assert seconds["y"] == sweeps["y"]
        assert seconds["y"][-1] > seconds["y"][0]
        assert seconds["x"] == sorted(seconds["x"])
        assert sweeps["x"] == list(range(1, len(sweeps["x"]) + 1))
    speed = curve(ran, SPEED, "tokens per second")
    of = dict(zip(speed["y"], speed["x"], strict=True))
    assert of["precision"] > 2 * of["naive"]
    assert of["fast"] > 2 * of["cholesky"]


def test_acceptance_and_r_hat_are_drawn(ran):
    assert all(0 < share <= 1 for share in curve(ran, AGREEMENT, "fast")["y"])
    assert curve(ran, AGREEMENT, "cholesky") is None
    assert curve(ran, AGREEMENT, "precision", "x2")["y"]


def test_a_stale_table_is_accepted_less_often(ran):
    fresh = curve(ran, AGREEMENT, "fast")["y"][15]
    before, after = drag(ran, RACE, 1, 400)
    assert (before, after) == ("1", "20")
    # A sweep of fast is over long before the slow ones are done.
    ran.page.wait_for_function(
        """([figure, fresh]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            return plot.data.find(trace => trace.name === 'fast')?.y[15] < fresh;
        }""",
        arg=[AGREEMENT, fresh],
        timeout=120_000,
    )


def test_a_race_can_be_run_stopped_and_run_again(ran):
    button(ran, RACE, "Run").click()
    button(ran, RACE, "Stop").click()
    wait_status(ran, RACE, "Stopped")
    done = len(curve(ran, LIKELIHOOD, "precision", "x2")["x"])
    ran.page.wait_for_timeout(700)
    assert len(curve(ran, LIKELIHOOD, "precision", "x2")["x"]) == done < 100
    button(ran, RACE, "Run").click()
    ran.page.wait_for_function(
        """([figure, done]) => document.querySelectorAll('.semwork-figure')[figure].data
            .find(trace => trace.name === 'precision' && trace.xaxis === 'x2')?.x.length > done""",
        arg=[LIKELIHOOD, done],
        timeout=120_000,
    )
    button(ran, RACE, "Stop").click()
    wait_status(ran, RACE, "Stopped")


def test_frozen_tables_end_at_the_floor_and_refreshed_ones_do_not(ran):
    floor = curve(ran, VARIATION, "independent draws")["y"][-1]
    exact = curve(ran, VARIATION, "precision")["y"]
    assert curve(ran, VARIATION, "fast")["y"][-1] < 1.4 * floor
    before, after = drag(ran, BIAS, 0, 600)
    assert (before, after) == ("never: frozen", "every sweep")
    wait_settled(ran, BIAS, VARIATION)
    assert curve(ran, VARIATION, "fast")["y"][-1] > 2 * floor
    assert curve(ran, VARIATION, "alias")["y"][-1] > 1.3 * floor
    assert curve(ran, VARIATION, "precision")["y"] == exact


def test_the_tables_can_be_saved(ran):
    for panel, figures in ((RACE, {"likelihood", "agreement", "speed"}), (BIAS, {"figure"})):
        with ran.page.expect_download(timeout=60_000) as waiting:
            button(ran, panel, "CSV").click()
        table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()))
        assert set(table.get("figure", ["figure"])) == figures
    saved = table[table["trace"] == "fast"]["y"].astype(float).to_list()
    assert saved == pytest.approx(curve(ran, VARIATION, "fast")["y"])

"""The lesson about missing words, as a reader works through it."""

from __future__ import annotations

import io
import os
import pathlib

import pandas as pd
import pytest

from tests.browser import lab

pytestmark = pytest.mark.browser
NOTEBOOK = "01_missing_words.ipynb"
WINNER = """() => {
    const data = document.querySelectorAll('.semwork-figure')[1].data;
    const found = data.find((trace) => (trace.text ?? []).some((text) => text.includes('wins')));
    return found ? found.name : null;
}"""
TITLE = "() => document.querySelector('.semwork-figure').layout.title.text"


@pytest.fixture(scope="module")
def ran(browser, base):
    """The lesson, run once; the tests below go on where the last one left it."""
    context = browser.new_context(viewport={"width": 1400, "height": 1600}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    notebook = lab.Notebook(context.new_page(), base, NOTEBOOK)
    console = []
    notebook.page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    notebook.run_all()
    notebook.wait_drawn(3)
    # Lab goes to the last cell, and a panel out of sight has no text to read.
    notebook.page.wait_for_selector(".jp-StatusBar-TextItem:has-text('| Idle')", timeout=120_000)
    notebook.page.locator(".semwork-panel").first.scroll_into_view_if_needed()
    notebook.wait_settled()
    picture(notebook, "first")
    yield notebook
    assert notebook.errors == []
    assert [text for text in console if "semwork" in text.lower() or "plotly" in text.lower()] == []
    context.close()


def picture(notebook, name):
    """Keep a screenshot of the panel if somebody wants to look at it."""
    folder = os.environ.get("SEMWORK_SCREENSHOTS")
    if folder:
        notebook.page.locator(".semwork-panel").first.screenshot(path=pathlib.Path(folder) / f"lesson_01_{name}.png")


def wait_winner(notebook, name):
    notebook.page.wait_for_function(f"({WINNER})() === '{name}'", timeout=60_000)
    notebook.wait_settled()


def wait_title(notebook, beginning):
    notebook.page.wait_for_function(f"beginning => ({TITLE})().startsWith(beginning)", arg=beginning, timeout=60_000)
    notebook.wait_settled()


def say(notebook, words):
    box = notebook.page.locator(".semwork-panel input[type=text]").first
    box.fill(words)
    box.press("Enter")


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    notebook = lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator("text=Error displaying widget").count() == 0
    assert notebook.errors == []


def test_the_weight_changes_the_winner_and_the_words(ran):
    page = ran.page
    assert page.evaluate(WINNER) == "v3"
    assert page.evaluate(TITLE).startswith("bank: ")
    before = ran.plotted(0, 2)
    handle = page.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    handle.focus()
    page.keyboard.press("Home")
    wait_winner(ran, "v1")
    picture(ran, "w_m_0")
    assert ran.plotted(0, 2)["y"] != before["y"], "other missing words fit"
    page.keyboard.press("End")
    wait_winner(ran, "v2")
    picture(ran, "w_m_1")
    assert max(ran.plotted(0, 2)["x"]) < max(before["x"]) / 4, "missing words that count fully are held down"


def test_the_weight_can_be_dragged(ran):
    before = ran.page.evaluate("document.querySelector('.semwork-figure').dataset.revision"), ran.plotted(0, 2)
    was, now = ran.drag_slider(-60)
    assert float(was) == 1 > float(now)
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-figure').dataset.revision !== old", arg=before[0], timeout=60_000
    )
    ran.wait_settled()
    assert max(ran.plotted(0, 2)["x"]) > max(before[1]["x"]), "missing words are held down less"


def test_a_click_on_a_score_moves_the_weight(ran):
    page = ran.page
    figure = page.locator(".semwork-figure").nth(1)
    figure.scroll_into_view_if_needed()
    x, y = page.evaluate(
        """() => {
            const figure = document.querySelectorAll('.semwork-figure')[1];
            const trace = figure.data.find((one) => one.name === 'v3 wins');
            const middle = Math.floor(trace.x.length / 2);
            const { xaxis2, yaxis2 } = figure._fullLayout;
            const box = figure.getBoundingClientRect();
            return [
                box.left + xaxis2._offset + xaxis2.l2p(trace.x[middle]),
                box.top + yaxis2._offset + yaxis2.l2p(trace.y[middle]),
            ];
        }"""
    )
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    wait_winner(ran, "v3")
    assert page.locator(".semwork-controls .widget-readout").first.inner_text() != "1.0"


def test_headwords_senses_own_sentences_and_clicks_on_neighbours(ran):
    page = ran.page
    say(ran, "loan")
    wait_title(ran, "loan 1: ")
    sense = page.locator(".semwork-panel input[type=number]").first
    sense.fill("2")
    sense.press("Enter")
    wait_title(ran, "loan 2: ")
    ran.wait_status("sense 2 of 2")

    say(ran, "a ship with a torn sail reached the harbour")
    wait_title(ran, "your sentence: ")
    picture(ran, "own")
    name = page.evaluate("() => document.querySelectorAll('.semwork-figure')[2].data[1].customdata[0][0]")
    bars = page.locator(".semwork-figure").nth(2).locator(".subplot.x2y2 .bars .point path").first
    bars.scroll_into_view_if_needed()
    bars.click(force=True)
    wait_title(ran, name)

    say(ran, "qwertz")
    ran.wait_status("knows no word of")
    say(ran, "bank")
    wait_title(ran, "bank: ")


def test_data_that_are_not_here_are_asked_for(ran):
    choice = ran.page.locator(".semwork-panel select").first
    choice.select_option("WordNet")
    ran.wait_status("semwork data fetch wordnet")
    choice.select_option("sample")
    ran.wait_settled()


def test_a_run_can_be_stopped(ran):
    page = ran.page
    page.locator(".noUi-handle").nth(1).focus()
    page.keyboard.press("End")
    page.wait_for_selector(".semwork-panel button:has-text('Stop'):not([disabled])")
    ran.button("Stop").click()
    ran.wait_status("Stopped")
    assert len(ran.plotted(0, 0)["y"]) > 5
    ran.button("Run").click()
    ran.wait_settled()


def test_the_table_holds_all_three_pictures(ran):
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("CSV").click()
    assert waiting.value.suggested_filename == "Missing-words.csv"
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()))
    assert set(table["figure"]) == {"words", "hypotheses", "neighbours"}
    missing = table[(table["figure"] == "words") & (table["trace"] == "missing")]
    shown = ran.plotted(0, 2)
    assert missing["y"].tolist() == shown["y"]
    assert missing["x"].astype(float).tolist() == pytest.approx(shown["x"])
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("HTML").click()
    assert b"Glossary" in pathlib.Path(waiting.value.path()).read_bytes()


def test_every_exercise_is_solved(ran):
    page = ran.page
    page.wait_for_selector(".jp-StatusBar-TextItem:has-text('| Idle')", timeout=120_000)
    ran.menu("File", "Save Notebook")
    saved = page.wait_for_function(
        """async () => {
            const path = location.pathname.split('/lab/tree/')[1];
            const answer = await fetch(`/api/contents/${path}`);
            const cells = (await answer.json()).content.cells.filter((cell) => cell.cell_type === 'code');
            if (cells.some((cell) => cell.execution_count === null)) return false;
            const outputs = cells.flatMap((cell) => cell.outputs);
            return {
                solved: outputs.filter((one) => (one.text ?? '').includes('Solved!')).length,
                errors: outputs.filter((one) => one.output_type === 'error').length,
            };
        }""",
        timeout=60_000,
    ).json_value()
    assert saved == {"solved": 4, "errors": 0}


@pytest.mark.data("wordnet")
def test_on_wordnet_iterations_are_drawn_as_they_come_and_can_be_stopped(real):
    notebook = real("missing_words")
    notebook.page.locator(".semwork-panel select").first.select_option("WordNet")
    notebook.page.wait_for_function(f"({TITLE})().startsWith('bank 4: ')", timeout=180_000)
    notebook.page.locator(".semwork-panel button:has-text('Stop'):not([disabled])").click()
    notebook.wait_status("Stopped", 180_000)
    assert notebook.page.locator(".semwork-panel input[type=number]").first.input_value() == "4"
    assert len(notebook.plotted(0, 2)["y"]) == 10

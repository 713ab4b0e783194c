"""The lesson about missing words, as a reader works through it."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest

from tests.browser import lab
from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "01_missing_words.ipynb"
FIGURES, PANELS = 3, 1
WINNER = """() => {
    const data = document.querySelectorAll('.semwork-figure')[1].data;
    const found = data.find((trace) => (trace.text ?? []).some((text) => text.includes('wins')));
    return found ? found.name : null;
}"""
TITLE = "() => document.querySelector('.semwork-figure').layout.title.text.replaceAll(' <br>', ' ')"


def wait_winner(notebook, name):
    notebook.page.wait_for_function(f"({WINNER})() === '{name}'", timeout=60_000)
    notebook.wait_settled()


def wait_title(notebook, beginning):
    notebook.page.wait_for_function(f"beginning => ({TITLE})().startsWith(beginning)", arg=beginning, timeout=60_000)
    notebook.wait_settled()


def test_the_weight_changes_the_winner_and_the_words(ran):
    page = ran.page
    ran.picture("lesson_01_first")
    assert page.evaluate(WINNER) == "v3"
    assert ran.title().startswith("website: ")
    before = ran.plotted(0, 2)
    ran.press("Home")
    wait_winner(ran, "v1")
    ran.picture("lesson_01_w_m_0")
    assert ran.plotted(0, 2)["y"] != before["y"], "other missing words fit"
    ran.press("End")
    wait_winner(ran, "v2")
    ran.picture("lesson_01_w_m_1")
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
    ran.click_point(1, "v3 wins", len(ran.trace(1, "v3 wins")["x"]) // 2)
    wait_winner(ran, "v3")
    assert ran.readout() != "1.0"


def test_headwords_senses_own_sentences_and_clicks_on_neighbours(ran):
    page = ran.page
    ran.type_into("loan")
    wait_title(ran, "loan 1: ")
    sense = page.locator(".semwork-panel input[type=number]").first
    sense.fill("2")
    sense.press("Enter")
    wait_title(ran, "loan 2: ")
    ran.wait_status("sense 2 of 2")

    ran.type_into("a ship with a torn sail reached the harbour")
    wait_title(ran, "your sentence: ")
    ran.picture("lesson_01_own")
    name = page.evaluate("() => document.querySelectorAll('.semwork-figure')[2].data[1].customdata[0][0]")
    bars = page.locator(".semwork-figure").nth(2).locator(".subplot.x2y2 .bars .point path").first
    bars.scroll_into_view_if_needed()
    bars.click(force=True)
    wait_title(ran, name)

    ran.type_into("qwertz")
    ran.wait_status("knows no word of")
    ran.type_into("bank")
    wait_title(ran, "bank: ")


def test_data_that_are_not_here_are_asked_for(ran):
    choice = ran.page.locator(".semwork-panel select").first
    choice.select_option("WordNet")
    ran.wait_status("semwork data fetch wordnet")
    choice.select_option("sample")
    ran.wait_settled()


def test_a_run_can_be_stopped(ran):
    ran.press("End", slider=1)
    ran.button("Stop").click()
    ran.wait_status("Stopped")
    assert len(ran.plotted(0, 0)["y"]) > 5
    ran.button("Run").click()
    ran.wait_settled()


def test_the_table_holds_all_three_pictures(ran):
    name, content = ran.saved("CSV")
    assert name == "Missing-words.csv"
    table = pd.read_csv(io.BytesIO(content))
    assert set(table["figure"]) == {"words", "hypotheses", "neighbours"}
    missing = table[(table["figure"] == "words") & (table["trace"] == "missing")]
    shown = ran.plotted(0, 2)
    assert missing["y"].tolist() == shown["y"]
    assert missing["x"].astype(float).tolist() == pytest.approx(shown["x"])
    assert b"Glossary" in ran.saved("HTML")[1]


def test_every_cell_runs_and_every_exercise_waits_for_its_answer(ran):
    ran.wait_idle(120_000)
    ran.menu("File", "Save Notebook")
    saved: list[dict[str, Any]] = []

    def cells_are_saved() -> bool:
        path = ran.page.url.split("/lab/tree/")[1].split("?")[0]
        content = ran.page.request.get(f"{ran.base}/api/contents/{path}").json()["content"]
        saved[:] = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
        return all(cell["execution_count"] is not None for cell in saved)

    lab.wait_until(cells_are_saved)
    outputs = [output for cell in saved for output in cell["outputs"]]
    assert sum(output.get("text", "").startswith("Not yet: write your answer") for output in outputs) == 4
    assert not [output for output in outputs if output["output_type"] == "error"]


@pytest.mark.data("wordnet")
def test_on_wordnet_iterations_are_drawn_as_they_come_and_can_be_stopped(real):
    notebook = real("missing_words")
    notebook.type_into("bank")
    wait_title(notebook, "bank: ")
    notebook.page.locator(".semwork-panel select").first.select_option("WordNet")
    notebook.page.wait_for_function(f"({TITLE})().startsWith('bank 4: ')", timeout=180_000)
    notebook.button("Stop").click()
    notebook.wait_status("Stopped", 180_000)
    assert notebook.page.locator(".semwork-panel input[type=number]").first.input_value() == "4"
    assert len(notebook.plotted(0, 2)["y"]) == 10

"""The lesson on unseen words, as a reader meets it."""

from __future__ import annotations

import io
import pathlib

import pandas as pd
import pytest

from tests.browser import lab

pytestmark = pytest.mark.browser
NOTEBOOK = "08_unseen_words.ipynb"
TEXT, TOPICS, WORD = range(3)


@pytest.fixture(scope="module")
def ran(browser, base):
    """The notebook, run once; the tests below go on where the last one left it, as a reader does."""
    context = browser.new_context(viewport={"width": 1400, "height": 1500}, accept_downloads=True)
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
    return notebook.page.evaluate(
        """([figure, name]) => {
            const trace = document.querySelectorAll('.semwork-figure')[figure].data.find(trace => trace.name === name);
            return {x: Array.from(trace.x), text: trace.text, customdata: Array.from(trace.customdata ?? [])};
        }""",
        [figure, name],
    )


def dropped(notebook):
    """How many words LDA drops, as the title says."""
    return int(title(notebook, TEXT).rsplit(" ", 1)[1])


def text_box(notebook):
    return notebook.page.locator(".semwork-controls .widget-textarea textarea")


def type_word(notebook, word):
    box = notebook.page.locator(".semwork-controls .widget-text input[type='text']").first
    box.fill(word)
    box.press("Enter")


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0


def test_the_text_is_there_with_words_that_lda_drops(ran):
    assert title(ran, TEXT).startswith("Document 3, space:")
    struck = [text for text in named(ran, TEXT, "text, LDA")["text"] if "<s>" in text]
    assert len(struck) == dropped(ran)
    assert any("<u>" in text for text in named(ran, TEXT, "text, Gaussian LDA")["text"])


def test_words_are_replaced_while_the_slider_is_dragged(ran):
    before, five = text_box(ran).input_value(), dropped(ran)
    first, second = ran.drag_slider(-300)
    assert (first, second) == ("5", "0")
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-controls .widget-textarea textarea').value !== old", arg=before
    )
    wait_title(ran, TEXT, f"LDA {five - 5}")
    now = named(ran, TOPICS, "Gaussian LDA, now")
    assert now["x"] == pytest.approx(named(ran, TOPICS, "Gaussian LDA, before")["x"])
    ran.drag_slider(400)
    wait_title(ran, WORD, "is unseen: topic")
    assert dropped(ran) > five
    assert named(ran, TOPICS, "LDA, now")["x"] != named(ran, TOPICS, "LDA, before")["x"]


def test_a_word_can_be_clicked_and_replaced_from_the_list(ran):
    ran.drag_slider(-500)
    wait_title(ran, WORD, "“space” is unseen")
    words = named(ran, TEXT, "text, Gaussian LDA")["customdata"]
    place = ran.page.evaluate(
        """point => {
            const plot = document.querySelectorAll('.semwork-figure')[0];
            const shown = [...plot.querySelectorAll('.scatterlayer .textpoint text')][point].getBoundingClientRect();
            return [shown.left + shown.width / 2, shown.top + shown.height / 2];
        }""",
        words.index("earth"),
    )
    ran.page.mouse.move(*place)
    ran.page.wait_for_timeout(300)
    ran.page.mouse.click(*place)
    wait_title(ran, WORD, "“earth” is seen")
    choice = ran.page.locator(".semwork-controls .widget-dropdown select").first
    new = choice.locator("option").nth(1).inner_text()
    choice.select_option(label=new)
    wait_title(ran, WORD, f"“{new}”, instead of “earth”, is unseen")
    assert new.capitalize() in text_box(ran).input_value()


def test_own_texts_and_words_can_be_typed(ran):
    box = text_box(ran)
    box.fill("The striker hit the ball after the whistle of the referee.")
    box.press("Tab")
    ran.page.wait_for_function(
        "document.querySelector('.semwork-figure').data[0].customdata.includes('whistle')", timeout=60_000
    )
    type_word(ran, "whistle")
    wait_title(ran, WORD, "“whistle” is")
    type_word(ran, "qwertz")
    wait_title(ran, WORD, "“qwertz” has no vector")
    type_word(ran, "whistle")
    wait_title(ran, WORD, "“whistle” is")


def test_the_table_can_be_saved(ran):
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("CSV").click()
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()), low_memory=False)
    assert set(table["figure"]) == {"text", "topics", "word"}
    saved = table[table["trace"] == "LDA, now"]["x"].astype(float).to_list()
    assert saved == pytest.approx(named(ran, TOPICS, "LDA, now")["x"])


def test_a_new_training_can_be_stopped_and_its_topics_read_the_text(ran):
    topics = ran.page.locator(".semwork-controls .noUi-handle").nth(1)
    topics.focus()
    ran.page.keyboard.press("End")
    ran.page.locator(".semwork-panel button:has-text('Stop'):not([disabled])").first.click(timeout=60_000)
    ran.wait_status("Stopped", 60_000)
    revision = ran.page.evaluate("document.querySelector('.semwork-figure').dataset.revision")
    ran.page.wait_for_timeout(700)
    assert ran.page.evaluate("document.querySelector('.semwork-figure').dataset.revision") == revision
    type_word(ran, "referee")
    wait_title(ran, WORD, "“referee” is")

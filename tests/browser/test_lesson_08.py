"""The lesson on unseen words, as a reader meets it."""

from __future__ import annotations

import pytest

from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "08_unseen_words.ipynb"
FIGURES, PANELS = 3, 1
TEXT, TOPICS, WORD = range(3)


def dropped(notebook):
    """How many words LDA drops, as the title says."""
    return int(notebook.title(TEXT).rsplit(" ", 1)[1])


def text_box(notebook):
    return notebook.page.locator(".semwork-controls .widget-textarea textarea")


def test_the_text_is_there_with_words_that_lda_drops(ran):
    assert ran.title(TEXT).startswith("Document 39, health:")
    assert "Medicines may still be needed" in text_box(ran).input_value()
    struck = [text for text in ran.trace(TEXT, "text, LDA")["text"] if "<s>" in text]
    assert len(struck) == dropped(ran)
    assert any("<u>" in text for text in ran.trace(TEXT, "text, Gaussian LDA")["text"])


def choose_document(notebook, number, title):
    box = notebook.page.locator(".semwork-controls input[type=number]").first
    box.fill(str(number))
    box.press("Enter")
    notebook.wait_title(TEXT, f"Document {number}, {title}:")
    notebook.wait_settled()


def test_words_are_replaced_while_the_slider_is_dragged(ran):
    choose_document(ran, 3, "space")
    before, four = text_box(ran).input_value(), dropped(ran)
    first, second = ran.drag_slider(-300)
    assert (first, second) == ("4", "0")
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-controls .widget-textarea textarea').value !== old", arg=before
    )
    ran.wait_title(TEXT, f"LDA {four - 4}")
    ran.wait_title(WORD, "“space” is unseen")  # the last of the three pictures
    now = ran.trace(TOPICS, "Gaussian LDA, now")
    assert now["x"] == pytest.approx(ran.trace(TOPICS, "Gaussian LDA, before")["x"])
    ran.drag_slider(400)
    ran.wait_title(WORD, "”, is unseen: topic")
    ran.wait_settled()
    assert dropped(ran) > four
    assert ran.trace(TOPICS, "LDA, now")["x"] != ran.trace(TOPICS, "LDA, before")["x"]


def test_a_word_can_be_clicked_and_replaced_from_the_list(ran):
    ran.drag_slider(-500)
    ran.wait_title(WORD, "“space” is unseen")
    words = ran.trace(TEXT, "text, Gaussian LDA")["customdata"]
    place = ran.page.evaluate(
        """point => {
            const plot = document.querySelectorAll('.semwork-figure')[0];
            const shown = [...plot.querySelectorAll('.scatterlayer .textpoint text')][point].getBoundingClientRect();
            return [shown.left + shown.width / 2, shown.top + shown.height / 2];
        }""",
        words.index("earth"),
    )
    ran.click(*place)
    ran.wait_title(WORD, "“earth” is seen")
    choice = ran.page.locator(".semwork-controls .widget-dropdown select").first
    new = choice.locator("option").nth(1).inner_text()
    choice.select_option(label=new)
    ran.wait_title(WORD, f"“{new}”, instead of “earth”, is unseen")
    assert new.capitalize() in text_box(ran).input_value()


def test_own_texts_and_words_can_be_typed(ran):
    box = text_box(ran)
    box.fill("The striker hit the ball after the whistle of the referee.")
    box.press("Tab")
    ran.page.wait_for_function(
        "document.querySelector('.semwork-figure').data[0].customdata.includes('whistle')", timeout=60_000
    )
    ran.type_into("whistle")
    ran.wait_title(WORD, "“whistle” is")
    ran.type_into("qwertz")
    ran.wait_title(WORD, "“qwertz” has no vector")
    ran.type_into("whistle")
    ran.wait_title(WORD, "“whistle” is")


def test_the_table_can_be_saved(ran):
    table = ran.table()
    assert set(table["figure"]) == {"text", "topics", "word"}
    saved = table[table["trace"] == "LDA, now"]["x"].astype(float).to_list()
    assert saved == pytest.approx(ran.trace(TOPICS, "LDA, now")["x"])


def test_a_new_training_can_be_stopped_and_its_topics_read_the_text(ran):
    ran.press("End", slider=1)
    ran.button("Stop").click(timeout=60_000)
    ran.wait_status("Stopped", 60_000)
    revision = ran.page.evaluate("document.querySelector('.semwork-figure').dataset.revision")
    ran.page.wait_for_timeout(700)
    assert ran.page.evaluate("document.querySelector('.semwork-figure').dataset.revision") == revision
    ran.type_into("referee")
    ran.wait_title(WORD, "“referee” is")


@pytest.mark.data("newsgroups", "glove")
def test_on_newsgroups_a_word_of_today_is_placed_beside_words_of_then(real):
    notebook = real("unseen_words")
    data = notebook.page.locator(".semwork-controls .widget-dropdown select").nth(1)
    data.select_option(label="20 newsgroups, 2,000 of its documents")
    notebook.wait_title(TEXT, "Document 3, alt.atheism:", 300_000)
    notebook.button("Stop").click()
    notebook.wait_status("Stopped", 120_000)
    assert "christian morality" in text_box(notebook).input_value()
    notebook.type_into("obama")
    notebook.wait_title(WORD, "“obama” is unseen: topic")
    notebook.picture("real_08")
    assert notebook.title(WORD).endswith("LDA drops it")
    assert set(notebook.trace(WORD, "nearest seen words")["text"]) == {"bush", "clinton", "dole", "gore", "hillary"}
    chances = notebook.trace(WORD, "p(topic | word)")
    assert f"topic {chances['customdata'][0]}, {chances['x'][0]:.0%};" in notebook.title(WORD)
    assert 0 <= min(chances["customdata"]) <= max(chances["customdata"]) < 30
    notebook.type_into("clinton")
    notebook.wait_title(WORD, "“clinton” is seen: topic")
    assert notebook.title(WORD).endswith("LDA knows it, too")
    notebook.type_into("kubernetes")
    notebook.wait_title(WORD, "“kubernetes” has no vector")

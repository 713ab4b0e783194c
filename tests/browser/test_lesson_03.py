"""Lesson 03 in a real browser: hover, click, drag, type."""

from __future__ import annotations

import pytest

from tests.browser import lab
from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "03_sentence_similarity.ipynb"
FIGURES, PANELS = 7, 4
PAIRS, WALK, THRESHOLD, YOURS = range(4)


def panel(notebook, number):
    found = notebook.panel(number)
    found.scroll_into_view_if_needed()
    return found


def wait_said(found, words, timeout=60_000):
    found.locator(".semwork-status", has_text=words).wait_for(timeout=timeout)


def title(found, figure=0):
    return found.locator(".semwork-figure").nth(figure).locator(".gtitle").text_content()


def wait_title(found, words, figure=0, timeout=30_000):
    found.locator(".semwork-figure").nth(figure).locator(".gtitle", has_text=words).wait_for(timeout=timeout)


def wait_other_title(found, old, figure=0):
    handle = found.locator(".semwork-figure").nth(figure).element_handle()
    found.page.wait_for_function(
        "([figure, old]) => figure.querySelector('.gtitle')?.textContent !== old", arg=[handle, old], timeout=30_000
    )
    return title(found, figure)


def accuracy(found):
    return float(title(found).split("accuracy ")[1].split("%")[0])


def test_nothing_failed_and_no_frozen_copy_is_left(ran):
    page = ran.page
    assert page.locator(".semwork-error").count() == 0
    assert page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert page.locator(".jp-RenderedImage img:visible").count() == 0


def test_a_slider_moves_the_points(ran):
    found = panel(ran, PAIRS)
    before = title(found)
    handle = found.locator(".noUi-handle").first
    handle.focus()
    ran.page.keyboard.press("End")
    after = wait_other_title(found, before)
    wait_said(found, "Done")
    assert "r = " in after
    found.locator("select").nth(2).select_option("words only")
    wait_title(found, "r = 0.274, ρ = 0.323")
    found.locator("select").nth(2).select_option("WTMF")
    handle.focus()
    for _ in range(6):
        ran.page.keyboard.press("ArrowLeft")
    wait_other_title(found, "People and model: r = 0.274, ρ = 0.323")
    wait_said(found, "Done")


def test_hover_reads_the_pair_and_a_click_explains_it(ran):
    found = panel(ran, PAIRS)
    ran.wait_settled(PAIRS)  # a picture of the last test would change the title, too
    figure = found.locator(".semwork-figure").first
    figure.scroll_into_view_if_needed()
    point = figure.locator(".scatterlayer .trace").nth(1).locator("path.point").nth(7)
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ran.page.mouse.move(x + 3, y + 3)
    ran.page.mouse.move(x, y)
    hover = figure.locator(".hoverlayer .hovertext")
    hover.first.wait_for()
    assert "people" in hover.first.text_content()
    before = title(found, 1)
    ran.page.mouse.click(x, y)
    after = wait_other_title(found, before, 1)
    number = found.locator("input[type=number]").last.input_value()
    assert after.startswith(f"Pair {number}: people ")
    assert found.locator(".semwork-figure").nth(1).locator(".bars .point").count() >= 4


def test_a_run_can_be_stopped_and_exported(ran):
    found = panel(ran, WALK)
    ran.press("ArrowRight", slider=1, panel=WALK)  # another K: what is known is not fitted again
    stop = found.locator("button:has-text('Stop'):not([disabled])")
    stop.wait_for()
    stop.click()
    wait_said(found, "Stopped")
    assert found.locator(".scatterlayer .trace").count() >= 1
    table = ran.table(WALK)
    assert {"sample", "sample: scenes", "sample: facts", "sample: news"} <= set(table["trace"])


def where(element):
    """The place of an element on the screen; one that is being drawn anew has none for a moment."""
    found = []
    lab.wait_until(lambda: found.append(element.bounding_box()) or found[-1] is not None)
    return found[-1]


def drag(notebook, found, pixels):
    """Take the line in its middle and pull it to the side; return where it was and where it is."""
    found.locator(".semwork-figure").scroll_into_view_if_needed()
    line = found.locator(".shapelayer path").first
    box = where(line)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = notebook.page.mouse
    mouse.move(x, y)
    mouse.down()
    for part in range(1, 11):
        mouse.move(x + pixels * part / 10, y)
    before = title(found)
    mouse.up()
    wait_other_title(found, before)
    moved = where(line)
    return x, moved["x"] + moved["width"] / 2


def test_the_line_can_be_dragged_and_the_accuracy_follows(ran):
    found = panel(ran, THRESHOLD)
    learnt = title(found)
    assert found.locator("input[type=checkbox]").is_checked(), "it starts at the learnt threshold"
    was, now = drag(ran, found, -120)
    assert now - was == pytest.approx(-120, abs=15)
    assert not found.locator("input[type=checkbox]").is_checked()
    shown = found.locator(".widget-readout").last.inner_text()
    assert float(shown) == pytest.approx(float(title(found).split(" at ")[1]), abs=0.002)
    was, now = drag(ran, found, 160)
    assert now > was
    found.locator("input[type=checkbox]").click()
    wait_title(found, learnt)


def test_the_threshold_has_a_slider_for_the_keyboard(ran):
    found = panel(ran, THRESHOLD)
    before = title(found)
    handle = found.locator(".noUi-handle").last
    handle.scroll_into_view_if_needed()
    handle.focus()
    for _ in range(5):
        ran.page.keyboard.press("PageUp")
    wait_other_title(found, before)
    ran.page.keyboard.press("End")
    wait_title(found, "F1 0.000 at 1.000")
    assert accuracy(found) == 60.0, "nothing is called a paraphrase: the share of the others"


def test_typing_compares_the_sentences(ran):
    found = panel(ran, YOURS)
    boxes = found.locator("textarea")
    boxes.nth(0).fill("The zebrafish swims in the river.")
    wait_title(found, "with WTMF: zebrafish unknown", 1)
    boxes.nth(1).fill("The zebrafish swims in the river.")
    ran.page.wait_for_function(
        """() => {
            const figures = document.querySelectorAll('.semwork-figure');
            const bars = Array.from(figures[figures.length - 2].data[0].x);
            return bars.length === 4 && bars.every((value) => value > 0.99);
        }"""
    )
    labels = found.locator(".semwork-figure").nth(1).locator(".ytick text").all_text_contents()
    assert labels[:2] == ["the", "(zebrafish)"]


@pytest.mark.data("li06", "wordnet", "brown")
def test_on_li06_counting_words_agrees_with_people_as_in_the_tables(real):
    notebook = real("sentence_pairs")
    found = panel(notebook, 0)
    found.locator("select").nth(2).select_option("words only")
    found.locator("select").nth(0).select_option("LI06")
    found.locator("select").nth(1).select_option(index=1)
    wait_title(found, "r = 0.82", timeout=180_000)
    wait_said(found, "Done")
    assert found.locator(".semwork-figure").first.locator(".scatterlayer path.point").count() >= 30

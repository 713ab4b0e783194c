"""The lesson on latent alignments, as a reader meets it."""

from __future__ import annotations

import pytest

from tests.browser import screen
from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "05_latent_alignments.ipynb"
FIGURES, PANELS = 3, 1
ALIGNMENT, LEARNING, BELOW = range(3)
DATA = [pytest.mark.data(name) for name in ("msr04", "rte", "wordnet", "en_core_web_sm")]


def test_learning_has_come_to_its_end(ran):
    history = ran.trace(LEARNING, "accuracy")
    last = len(history["x"]) - 1
    assert last >= 2
    assert history["y"][-1] > ran.trace(LEARNING, "accuracy, two-stage")["y"][0]
    assert ran.title(LEARNING).startswith(f"After iteration {last}:")
    assert ran.title(ALIGNMENT).startswith("Johannesburg – יוהנסבורג")
    assert int(ran.readout()) == last


def test_alignment_accuracy_and_mistakes_move_with_the_slider(ran):
    before = ran.trace(ALIGNMENT, "parts")["text"], ran.title(BELOW)
    ran.press("Home")
    ran.wait_title(LEARNING, "After the start")
    assert (ran.trace(ALIGNMENT, "parts")["text"], ran.title(BELOW)) != before
    assert ran.trace(LEARNING, "now")["x"] == [0, 0]
    ran.press("ArrowRight")
    ran.wait_title(LEARNING, "After iteration 1:")
    last = len(ran.trace(LEARNING, "accuracy")["x"]) - 1
    for _ in range(1, last):
        ran.press("ArrowRight")
    ran.wait_title(LEARNING, f"After iteration {last}:")
    ran.page.wait_for_timeout(500)
    assert (ran.trace(ALIGNMENT, "parts")["text"], ran.title(BELOW)) == before


def test_the_iteration_can_be_dragged(ran):
    was, now = ran.drag_slider(-400)
    assert (int(was) > 0, now) == (True, "0")
    ran.wait_title(LEARNING, "After the start")
    was, now = ran.drag_slider(400)
    ran.wait_title(LEARNING, f"After iteration {now}:")
    assert int(now) == len(ran.trace(LEARNING, "accuracy")["x"]) - 1


def test_end_goes_to_the_last_iteration(ran):
    last = len(ran.trace(LEARNING, "accuracy")["x"]) - 1
    ran.press("Home")
    ran.wait_title(LEARNING, "After the start")
    ran.press("End")
    ran.wait_title(LEARNING, f"After iteration {last}:")
    assert int(ran.readout()) == last


def test_a_line_tells_its_score_under_the_mouse(ran):
    ran.page.mouse.move(*ran.point(ALIGNMENT, "parts", 1))
    told = ran.page.locator(".semwork-figure .hoverlayer text").first
    told.wait_for()
    assert "–" in told.text_content()


def test_an_own_pair_can_be_typed(ran):
    ran.type_into("Tolkien")
    ran.wait_title(ALIGNMENT, "there is no “Tolkien” among these names")
    ran.type_into("טולקין", 1)
    ran.wait_title(ALIGNMENT, "Tolkien – טולקין: score")
    ran.type_into("במקו", 1)
    ran.wait_title(ALIGNMENT, "not the same name")


def test_a_click_on_a_mistake_shows_it_and_one_on_a_curve_goes_there(ran):
    wrong = ran.trace(BELOW, "spelling of another name")
    ran.click_point(BELOW, "spelling of another name", 0)
    ran.wait_title(ALIGNMENT, "{} – {}: score".format(*wrong["customdata"][0]))
    ran.click_point(LEARNING, "objective", 1)
    ran.wait_title(LEARNING, "After iteration 1:")


def test_weights_can_be_looked_at(ran):
    ran.choose("weights")
    ran.wait_title(BELOW, "largest weights")
    ran.choose("mistakes")
    ran.wait_title(BELOW, "another spelling")


def test_the_table_can_be_saved(ran):
    table = ran.table()
    assert set(table["figure"]) == {"alignment", "learning", "below"}
    saved = table[table["trace"] == "accuracy"]["y"].astype(float).to_list()
    assert saved == pytest.approx(ran.trace(LEARNING, "accuracy")["y"])


def test_free_letters_are_a_run_that_can_be_stopped(ran):
    ran.choose("free")
    ran.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[1].data.find(trace => trace.name === 'accuracy').x.length === 1",
        timeout=300_000,
    )
    ran.button("Stop").click()
    ran.wait_status("Stopped", 300_000)
    done = len(ran.trace(LEARNING, "accuracy")["x"])
    ran.page.wait_for_timeout(1000)
    assert len(ran.trace(LEARNING, "accuracy")["x"]) == done
    ran.choose("one-to-one")
    ran.wait_settled(timeout=600_000)
    assert len(ran.trace(LEARNING, "accuracy")["x"]) > 2


@pytest.mark.parametrize("name", [pytest.param("sentence_alignments", marks=DATA)])
def test_sentences_are_aligned_with_real_data(real, name):
    notebook = real(name)
    notebook.wait_title(LEARNING, "After iteration")
    notebook.wait_settled(timeout=600_000)
    assert notebook.title(ALIGNMENT).startswith("Test pair 1: score")
    assert screen.faults(notebook) == []
    assert len(notebook.trace(ALIGNMENT, "left")["x"]) > 5
    assert len([x for x in notebook.trace(ALIGNMENT, "an edge mapped")["x"] if x is not None]) >= 13
    wrong = notebook.trace(BELOW, "judged wrong", exact=False)
    notebook.click_point(BELOW, wrong["name"], 0)
    notebook.wait_title(ALIGNMENT, f"Test pair {wrong['customdata'][0]}: score")
    notebook.drag_slider(-400)
    notebook.wait_title(LEARNING, "After the start")
    notebook.type_into("The dog chased the cat.")
    notebook.wait_title(ALIGNMENT, "type both sentences")
    notebook.type_into("The cat was chased by the dog.", 1)
    notebook.wait_title(ALIGNMENT, "Your pair: score")
    assert "chased" in notebook.trace(ALIGNMENT, "left")["text"]
    notebook.choose("+ whole pairs")
    notebook.wait_settled(timeout=600_000)
    table = notebook.table()
    assert set(table["figure"]) == {"alignment", "learning", "below"}

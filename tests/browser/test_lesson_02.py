"""The lesson on concept retrieval, as a reader meets it."""

from __future__ import annotations

import pytest

from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "02_concept_retrieval.ipynb"
FIGURES, PANELS = 4, 1
MODELS, QUERIES, WHY, SWEEP = range(4)


def test_all_models_are_drawn_and_a_slider_moves_wtmf_alone(ran):
    before = {name: ran.trace(MODELS, name, exact=False) for name in ("WTMF", "words only", "LSA", "LDA", "n-grams")}
    assert all(before.values())
    assert len(ran.trace(MODELS, "ATOP", exact=False)["x"]) == 5
    ran.press("ArrowRight", 3)
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-figure').data.every(trace => trace.name !== old)",
        arg=before["WTMF"]["name"],
        timeout=30_000,
    )
    ran.wait_settled()
    after = {name: ran.trace(MODELS, name, exact=False) for name in before}
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
    ran.wait_settled()


def test_a_click_on_a_query_explains_it_and_a_click_on_a_bar_explains_another_candidate(ran):
    better = ran.trace(QUERIES, "WTMF better", exact=False)
    # The point that is farthest to the right and low: found by WTMF, not by words.
    pick = max(range(len(better["x"])), key=lambda i: better["x"][i] / better["y"][i])
    here = (better["x"][pick], better["y"][pick])
    same = [f"“{c}”" for x, y, c in zip(better["x"], better["y"], better["customdata"], strict=True) if (x, y) == here]
    ran.click_point(QUERIES, better["name"], pick)
    ran.page.wait_for_function(
        "labels => labels.some("
        "label => document.querySelectorAll('.semwork-figure')[2].layout.title.text.includes(label))",
        arg=same,
        timeout=30_000,
    )
    bars = ran.trace(WHY, "ranking")
    assert len(bars["x"]) >= 10
    parts = ran.trace(WHY, "part of the similarity")
    explained = next(number for number, label in enumerate(bars["y"]) if label.startswith("<b>"))
    assert sum(parts["x"]) == pytest.approx(bars["x"][explained], abs=1e-3)
    other = 4 if explained != 4 else 5
    ran.click_point(WHY, "ranking", other)
    ran.page.wait_for_function(
        "other => document.querySelectorAll('.semwork-figure')[2].data[0].y[other].startsWith('<b>')",
        arg=other,
        timeout=30_000,
    )
    parts = ran.trace(WHY, "part of the similarity")
    assert sum(parts["x"]) == pytest.approx(bars["x"][other], abs=1e-3)


def test_a_headword_can_be_typed(ran):
    ran.show()
    ran.type_into("browser")
    ran.wait_title(WHY, "“browser”")
    ran.type_into("no such word")
    ran.wait_title(WHY, "no query")


def test_data_that_is_not_here_is_said_and_the_sample_comes_back(ran):
    ran.show()
    choice = ran.page.locator(".semwork-controls select").first
    choice.select_option(index=1)
    ran.wait_status("This did not work", 180_000)
    assert "semwork data fetch" in ran.status()
    choice.select_option(index=0)
    ran.wait_settled()


def test_the_table_can_be_saved(ran):
    ran.show()
    table = ran.table()
    curve = ran.trace(MODELS, "WTMF", exact=False)
    assert table[table["trace"] == curve["name"]]["y"].astype(float).to_list() == pytest.approx(curve["y"])


def test_the_sweep_fills_in_can_be_stopped_and_goes_on(ran):
    ran.show(1)
    ran.wait_settled(1)
    assert len(ran.trace(SWEEP, "WTMF")["x"]) == 14
    ran.press("ArrowRight", slider=2, panel=1)
    ran.button("Stop", 1).click()
    ran.wait_status("Stopped", 180_000, 1)
    assert len(ran.trace(SWEEP, "WTMF")["x"]) < 14
    ran.press("ArrowLeft", slider=2, panel=1)
    ran.wait_status("fits were known", 180_000, 1)
    assert len(ran.trace(SWEEP, "WTMF")["x"]) == 14
    ran.choose("show", 1)
    ran.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[3].data.some(trace => trace.name.startsWith('the paper'))"
    )
    ran.choose("hide", 1)


@pytest.mark.data("cdr", "brown")
def test_on_real_dictionaries_the_models_come_one_by_one_and_can_be_stopped(real):
    notebook = real("retrieval_race")
    notebook.page.locator(".semwork-controls select").first.select_option(index=1)
    notebook.wait_title(WHY, "“cheetah”", 180_000)
    notebook.button("Stop").click()
    notebook.wait_status("Stopped", 120_000)
    # Stopped after any iteration: every query is a point, whoever is better by then.
    groups = ("WTMF better", "words only better", "same")
    assert sum(len(notebook.trace(QUERIES, name, exact=False)["x"]) for name in groups) > 500
    assert len(notebook.trace(WHY, "ranking")["x"]) >= 10

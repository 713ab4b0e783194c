"""The lesson on a reader's own texts, as a reader meets it."""

from __future__ import annotations

import pytest

from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "09_your_own_corpus.ipynb"
FIGURES, PANELS = 6, 2
TOPICS, KERNELS, DATA = range(3)  # panels
MAP, CURVES, _, CLASSES, ALIGNMENT, SECOND = range(6)  # figures
REVIEWS = """my text;my class
The soup was hot and the bread was fresh.;food
The bread came late and the soup was cold.;food
"The band played loud, and the drums were good.";music
"""


def choice(notebook, panel, number=0):
    """A list of a panel."""
    return notebook.panel(panel).locator(".semwork-controls select").nth(number)


def test_the_panels_show_the_comments_of_the_lesson(ran):
    for panel in (TOPICS, KERNELS):
        ran.show(panel)
        chosen = choice(ran, panel).evaluate("list => list.selectedOptions[0].label")
        assert " ".join(chosen.split()) == "Ballinmere (your own, 138)"
        assert ran.panel(panel).locator("[role=alert]").count() == 0
    assert choice(ran, KERNELS, 1).inner_text().split() == ["books", "building", "café", "children", "computers"]
    assert ran.title(MAP).startswith("After sweep 60")


def test_the_map_has_a_point_for_each_comment_and_a_colour_for_each_class(ran):
    names = ["books", "building", "café", "children", "computers"]
    assert sum(len(ran.trace(CLASSES, name)["x"]) for name in names) == 138
    for name in names:
        assert len(ran.trace(CLASSES, name)["hovertext"]) == len(ran.trace(CLASSES, name)["x"])


def test_a_word_that_is_typed_has_neighbours_that_it_never_met(ran):
    ran.show(KERNELS)
    ran.choose("words", KERNELS)
    ran.type_into("tea", panel=KERNELS)
    ran.wait_title(SECOND, "“tea”")
    strangers = ran.trace(SECOND, "never in a document together", exact=False)
    assert "coffe" in strangers["y"]
    ran.choose("classifier", KERNELS)
    ran.wait_settled(KERNELS)


def test_the_tab_for_own_data_is_open_and_lists_the_comments(ran):
    panel = ran.panel(DATA)
    panel.scroll_into_view_if_needed()
    panel.locator(".semwork-drop").wait_for()
    assert "Ballinmere" in panel.locator(".semwork-data-row:visible").inner_text()


def test_a_file_that_is_dropped_is_offered_in_the_panels_above(ran, tmp_path):
    file = tmp_path / "evening.csv"
    file.write_text(REVIEWS, encoding="utf-8")
    page, panel = ran.page, ran.panel(DATA)
    page.set_input_files(".semwork-drop input[type=file]", str(file))
    panel.locator(".semwork-report:has-text('evening.csv: 3 of 3 rows used')").wait_for()
    assert panel.locator(".semwork-preview tbody tr").count() == 3
    panel.locator("select[title='kind of data']").select_option(label="texts with a class each")
    panel.locator(".semwork-report:has-text('documents')").wait_for()
    panel.locator("select[title^='text:']").select_option(label="my text")
    panel.locator("select[title^='label:']").select_option(label="my class")
    panel.locator(".semwork-report:has-text('food (2)')").wait_for()
    panel.locator("input[type=checkbox]:visible").first.uncheck()
    panel.locator("button:has-text('Use these data')").click()
    panel.locator("[role=status]:has-text('evening is kept')").wait_for()
    assert "in memory only" in panel.locator(".semwork-data-row:has-text('evening')").inner_text()
    for number in (TOPICS, KERNELS):
        ran.show(number)
        assert choice(ran, number).locator("option:text-is('evening (your own, 3)')").count() == 1
    panel.scroll_into_view_if_needed()
    panel.locator(".semwork-data-row:has-text('evening') button").click()
    panel.locator("[role=status]:has-text('evening is removed')").wait_for()
    ran.show(TOPICS)
    assert choice(ran, TOPICS).locator("option:text-is('evening (your own, 3)')").count() == 0

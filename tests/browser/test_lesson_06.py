"""The lesson on Gaussian topics, as a reader meets it."""

from __future__ import annotations

import re

import pytest

from semwork.datasets import load
from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "06_gaussian_topics.ipynb"
FIGURES, PANELS = 3, 1
MAP, CURVES, BELOW = range(3)


def test_topics_have_found_their_places(ran):
    likelihood = ran.trace(CURVES, "Gaussian LDA")["y"]
    assert len(likelihood) == 60
    assert likelihood[-1] > likelihood[0] + 1
    assert ran.title(MAP).startswith("After sweep 60: topic 6 has")
    assert sorted(ran.trace(MAP, "means")["customdata"]) == list(range(12))


def test_topics_move_while_the_slider_is_dragged(ran):
    before = ran.trace(MAP, "means")
    first, second = ran.drag_slider(-400)
    assert (int(first), int(second)) == (60, 1)
    ran.wait_title(MAP, "After sweep 1:")
    ran.wait_title(CURVES, "After sweep 1:")
    after = ran.trace(MAP, "means")
    assert after["x"] != before["x"]
    spread = [max(means["x"]) - min(means["x"]) for means in (after, before)]
    assert spread[0] < spread[1], "topics start in the middle"
    ran.drag_slider(500)
    ran.wait_title(MAP, "After sweep 60:")
    assert ran.trace(MAP, "means") == before


def test_a_click_on_a_topic_shows_its_words_and_documents(ran):
    wanted = ran.trace(MAP, "topics")["customdata"].index(1)
    ran.click_point(MAP, "topics", wanted)
    ran.wait_title(BELOW, "Topic 1:")
    first = ran.page.evaluate("document.querySelectorAll('.semwork-figure')[2].layout.yaxis.ticktext[0]")
    assert first in ran.trace(MAP, "top words")["text"][wanted]
    documents = ran.trace(BELOW, "share of this topic in a document")
    assert documents["x"] == sorted(documents["x"], reverse=True)
    ran.click_point(BELOW, "share of this topic in a document", 0)
    ran.wait_title(BELOW, f"Document {int(documents['customdata'][0])},")
    assert ran.trace(BELOW, "at this sweep")["customdata"][0] == 1


def test_a_click_on_a_curve_goes_to_that_sweep(ran):
    ran.click_point(CURVES, "Gaussian LDA", 29)
    ran.page.wait_for_function(
        "!document.querySelectorAll('.semwork-figure')[0].layout.title.text.startsWith('After sweep 60')"
    )
    sweep = int(ran.title(MAP).removeprefix("After sweep ").split(":")[0])
    assert abs(sweep - 30) <= 2


def test_the_table_can_be_saved(ran):
    table = ran.table()
    assert set(table["figure"]) == {"map", "curves", "below"}
    saved = table[(table["trace"] == "Gaussian LDA")]["y"].astype(float).to_list()
    assert saved[:60] == pytest.approx(ran.trace(CURVES, "Gaussian LDA")["y"])


def test_a_longer_run_can_be_stopped_and_the_slider_ends_there(ran):
    ran.press("End", slider=-1)
    ran.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[1].layout.xaxis.range[1] > 200", timeout=120_000
    )
    ran.button("Stop").click()
    ran.wait_status("Stopped", 60_000)
    done = len(ran.trace(CURVES, "Gaussian LDA")["x"])
    assert 0 < done < 240
    ran.page.wait_for_timeout(700)
    assert len(ran.trace(CURVES, "Gaussian LDA")["x"]) == done
    assert int(ran.readout()) <= done


@pytest.mark.data("newsgroups", "glove")
def test_on_newsgroups_topics_take_in_all_tokens_and_climb(real):
    notebook = real("gaussian_topics")
    data = notebook.page.locator(".semwork-controls .widget-dropdown select").first
    data.select_option(label="20 newsgroups, 2,000 of its documents")
    # The sample has fewer topics.
    notebook.page.wait_for_function(
        """([map, curves]) => {
            const figures = document.querySelectorAll('.semwork-figure');
            const [topics, sweeps] = [figures[map].data, figures[curves].data];
            return Math.max(...(topics.find(trace => trace.name === 'means')?.customdata ?? [])) > 12
                && sweeps[0]?.x.length >= 3;
        }""",
        arg=[MAP, CURVES],
        timeout=300_000,
    )
    notebook.button("Stop").click()
    notebook.wait_status("Stopped", 120_000)
    notebook.picture("real_06")
    topics = notebook.trace(MAP, "means")
    assert 12 < max(topics["customdata"]) < 30, "the choice of the data sets the number of topics, too"
    sizes = [int(re.search(r"([\d,]+) tokens", told)[1].replace(",", "")) for told in topics["hovertext"]]
    assert sum(sizes) == 251_094
    likelihood = notebook.trace(CURVES, "Gaussian LDA", "x")["y"]
    assert likelihood[-1] > likelihood[0] + 2
    words = {word for told in topics["hovertext"] for word in told.split("<br>")[1].split(", ")}
    assert len(words) > 200
    assert words <= load("glove").index.keys()
    documents = notebook.trace(BELOW, "share of this topic in a document")["hovertext"]
    assert len(documents) == 12
    assert {re.match("<b>(.*?)</b>", told)[1] for told in documents} <= set(load("newsgroups").label_names)

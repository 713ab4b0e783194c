"""The lesson on semantic kernels, as a reader meets it."""

from __future__ import annotations

import pytest

from semwork.studies import DecaySettings
from tests.browser.measure import key_delays, watch
from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "04_semantic_kernels.ipynb"
FIGURES, PANELS = 2, 1
DECAYS = DecaySettings.parameters()["relative_decay"].grid
ALIGNMENT, SECOND = range(2)


def wait_for(notebook, figure, words):
    """Wait until the title of a figure, the name of a trace or a note has these words."""
    notebook.page.wait_for_function(
        """([figure, words]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            const notes = (plot.layout.annotations ?? []).map(note => note.text);
            const names = [plot.layout.title.text, ...plot.data.map(trace => trace.name), ...notes];
            return names.some(name => name.includes(words));
        }""",
        arg=[figure, words],
        timeout=60_000,
    )


def test_the_decay_moves_the_mark_and_leaves_the_curve(ran):
    assert ran.readout() == "2"
    curve, path = ran.trace(ALIGNMENT, "alignment"), ran.trace(SECOND, "F1, test")
    assert len(path["x"]) == 19
    ran.press("ArrowRight", 3)
    wait_for(ran, ALIGNMENT, "now: λ‖K‖ = 3.5")
    ran.wait_settled()
    assert ran.readout() == "3.5"
    assert ran.trace(ALIGNMENT, "alignment") == curve
    assert ran.trace(SECOND, "F1, test") == path
    ran.choose("spectrum")
    wait_for(ran, SECOND, "first eigenvector")
    before = ran.trace(SECOND, "after", exact=False)
    ran.press("ArrowRight")
    wait_for(ran, SECOND, "λ‖K‖ = 4")
    after = ran.trace(SECOND, "after", exact=False)
    assert all(now < then for now, then in zip(after["y"][1:], before["y"][1:], strict=True))


def test_the_decay_can_be_dragged(ran):
    was, now = ran.drag_slider(-60)
    assert float(now) < float(was)
    wait_for(ran, ALIGNMENT, f"now: λ‖K‖ = {now},")
    ran.press("Home")
    ran.press("ArrowRight", DECAYS.index(float(was)))
    wait_for(ran, ALIGNMENT, f"now: λ‖K‖ = {was},")
    ran.wait_settled()


def test_a_von_neumann_decay_from_1_on_becomes_words_and_the_panel_goes_on(ran):
    ran.choose("von Neumann")
    ran.page.wait_for_selector(".semwork-panel [role=alert]:has-text('below 1/‖K‖')")
    ran.press("ArrowLeft", 12)
    wait_for(ran, ALIGNMENT, "not allowed")
    ran.wait_settled()
    assert float(ran.readout()) < 1
    best, printed = ran.trace(ALIGNMENT, "best", exact=False), ran.trace(ALIGNMENT, "Proposition 7", exact=False)
    assert printed["x"] > best["x"]
    assert printed["y"] < best["y"]
    ran.choose("exponential")
    wait_for(ran, ALIGNMENT, "exponential")
    ran.wait_settled()


def test_the_second_picture_can_be_chosen_and_a_word_typed(ran):
    ran.choose("texts")
    wait_for(ran, SECOND, "Mean cosine inside space")
    ran.choose("words")
    wait_for(ran, SECOND, "“star”")
    ran.type_into("telescopes")
    wait_for(ran, SECOND, "“telescop”")
    ran.wait_settled()
    assert len(ran.trace(SECOND, "never in a document together", exact=False)["y"]) == 5
    ran.type_into("zyzzyva")
    ran.wait_title(SECOND, "do not have the word")
    ran.type_into("")
    wait_for(ran, SECOND, "“star”")
    ran.wait_settled()
    ran.choose("classifier")
    wait_for(ran, SECOND, "best alignment")


def test_centring_marks_the_other_best_decay(ran):
    plain = ran.trace(ALIGNMENT, "best", exact=False)
    ran.choose("centred")
    wait_for(ran, SECOND, "best centred alignment")
    assert ran.trace(ALIGNMENT, "best", exact=False)["x"] < plain["x"]
    # The first button of this name belongs to the class weights.
    ran.page.locator(".semwork-controls button:text-is('plain')").nth(1).click()
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-figure').data.some(trace => trace.name === old)", arg=plain["name"]
    )


def test_another_class_is_another_study(ran):
    before = ran.trace(ALIGNMENT, "alignment")
    ran.page.locator(".semwork-controls select").nth(1).select_option("money")
    ran.page.wait_for_function(
        """old => {
            const trace = document.querySelector('.semwork-figure').data.find(trace => trace.name === 'alignment');
            return Math.abs(trace.y[0] - old) > 1e-6;
        }""",
        arg=before["y"][0],
        timeout=60_000,
    )
    ran.wait_settled()
    assert ran.trace(ALIGNMENT, "alignment")["x"] == pytest.approx(before["x"])


def test_a_click_on_the_curve_moves_the_slider(ran):
    curve = ran.trace(ALIGNMENT, "alignment")
    ran.click_point(ALIGNMENT, "alignment", next(place for place, x in enumerate(curve["x"]) if x > 0.1))
    wait_for(ran, ALIGNMENT, "now: λ‖K‖ = 0.1,")
    ran.wait_settled()
    assert ran.readout() == "0.1"


def test_the_table_can_be_saved(ran):
    table = ran.table()
    for figure, name in ((ALIGNMENT, "alignment"), (SECOND, "F1, test")):
        curve = ran.trace(figure, name)
        assert table[table["trace"] == name]["y"].astype(float).to_list() == pytest.approx(curve["y"])


def test_data_that_is_not_here_is_said_and_the_sample_comes_back(ran):
    choice = ran.page.locator(".semwork-controls select").first
    choice.select_option(index=2)
    ran.page.wait_for_selector(".semwork-panel [role=alert]:has-text('semwork data fetch')")
    assert ran.page.locator(".semwork-controls select").nth(1).locator("option").count() == 8
    choice.select_option(index=0)
    ran.wait_settled()
    assert ran.trace(SECOND, "F1, test")


@pytest.mark.data("medline")
def test_on_medline_the_pictures_follow_the_slider(real):
    notebook = real("semantic_kernels")
    notebook.page.locator(".semwork-controls select").first.select_option(index=1)
    wait_for(notebook, ALIGNMENT, "vector of all ones: 0.85")
    notebook.wait_settled()
    assert notebook.page.locator(".semwork-controls select").nth(1).input_value() == "query 20"
    assert notebook.page.locator(".semwork-controls select").nth(1).locator("option").count() == 30
    watch(notebook.page)
    notebook.page.locator(".semwork-controls .noUi-handle").first.focus()
    delay = key_delays(notebook.page, ["ArrowLeft"] * 12 + ["ArrowRight"] * 12, figures=2)
    assert delay.lost == 0
    assert notebook.readout() == "2"


@pytest.mark.data("newsgroups")
def test_on_newsgroups_the_path_of_the_svm_can_be_stopped_and_goes_on(real):
    notebook = real("semantic_kernels")
    notebook.page.locator(".semwork-controls select").first.select_option(index=3)
    wait_for(notebook, ALIGNMENT, "vector of all ones: 0.79")
    notebook.wait_settled()
    notebook.choose("80 %")
    # Stop once the new study shows: its path takes seconds.
    notebook.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[1].data.filter(trace => trace.name === 'F1, test')"
        ".some(trace => trace.x.length > 0 && trace.x.length < 19)",
        timeout=60_000,
    )
    notebook.button("Stop").click()
    notebook.wait_status("Stopped")
    done = len(notebook.trace(SECOND, "F1, test")["x"])
    assert done < 19
    notebook.page.wait_for_timeout(1000)
    assert len(notebook.trace(SECOND, "F1, test")["x"]) == done
    notebook.button("Run").click()
    notebook.wait_settled()
    assert len(notebook.trace(SECOND, "F1, test")["x"]) == 19

"""The lesson on semantic kernels, as a reader meets it."""

from __future__ import annotations

import io
import pathlib

import pandas as pd
import pytest

from tests.browser import lab
from tests.browser.measure import key_delays, watch
from widgets.kernels.decay import _DECAYS as DECAYS

pytestmark = pytest.mark.browser
NOTEBOOK = "04_semantic_kernels.ipynb"
ALIGNMENT, SECOND = range(2)
PANEL = "from widgets import semantic_kernels\nsemantic_kernels()"


@pytest.fixture(scope="module")
def ran(browser, base):
    """The notebook, run once; the tests below go on where the last one left it, as a reader does."""
    context = browser.new_context(viewport={"width": 1400, "height": 1700}, accept_downloads=True)
    notebook, console = opened(context.new_page(), base, NOTEBOOK)
    yield notebook
    assert_quiet(notebook, console)
    context.close()


@pytest.fixture(scope="module")
def real(browser, real_base, folder):
    """The panel on a JupyterLab that sees the real data of this machine."""
    lab.notebook_file(folder / "kernels_real.ipynb", [PANEL])
    context = browser.new_context(viewport={"width": 1400, "height": 1700})
    notebook, console = opened(context.new_page(), real_base, "kernels_real.ipynb")
    yield notebook
    assert_quiet(notebook, console)
    notebook.shut_down()
    context.close()


def opened(page, base, name):
    notebook = lab.Notebook(page, base, name)
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    notebook.run_all()
    notebook.wait_drawn(2, 180_000)
    page.locator(".semwork-panel .semwork-title").first.scroll_into_view_if_needed()
    wait_done(notebook)
    return notebook, console


def assert_quiet(notebook, console):
    assert notebook.errors == []
    assert [text for text in console if "semwork" in text or "plotly" in text.lower()] == []


def status(notebook):
    return notebook.page.locator(".semwork-status").first.text_content()


def wait_done(notebook):
    """Wait until the panel says Done and its pictures stay as they are."""
    revisions = "[...document.querySelectorAll('.semwork-figure')].map(figure => figure.dataset.revision).join()"
    while True:
        notebook.wait_status("Done", 180_000)
        seen = notebook.page.evaluate(revisions)
        notebook.page.wait_for_timeout(500)
        if "Done" in status(notebook) and notebook.page.evaluate(revisions) == seen:
            return


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


def named(notebook, figure, name):
    """The plotted values of the trace whose name begins so."""
    return notebook.page.evaluate(
        """([figure, name]) => {
            const plot = document.querySelectorAll('.semwork-figure')[figure];
            const trace = plot.data.find(trace => trace.name.startsWith(name));
            return trace && {name: trace.name, x: Array.from(trace.x), y: Array.from(trace.y)};
        }""",
        [figure, name],
    )


def choose(notebook, label):
    notebook.page.locator(f".semwork-controls button:text-is('{label}')").first.click()


def press(notebook, key, times=1):
    notebook.page.locator(".semwork-controls .noUi-handle").first.focus()
    for _ in range(times):
        notebook.page.keyboard.press(key)


def readout(notebook):
    return notebook.page.locator(".semwork-controls .widget-readout").first.inner_text()


def test_the_saved_lesson_reads_well_before_it_is_run(page, base):
    lab.Notebook(page, base, NOTEBOOK)
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0


def test_the_decay_moves_the_mark_and_leaves_the_curve(ran):
    assert readout(ran) == "2"
    curve, path = named(ran, ALIGNMENT, "alignment"), named(ran, SECOND, "F1, test")
    assert len(path["x"]) == 19
    press(ran, "ArrowRight", 3)
    wait_for(ran, ALIGNMENT, "now: λ‖K‖ = 3.5")
    wait_done(ran)
    assert readout(ran) == "3.5"
    assert named(ran, ALIGNMENT, "alignment") == curve
    assert named(ran, SECOND, "F1, test") == path
    choose(ran, "spectrum")
    wait_for(ran, SECOND, "first eigenvector")
    before = named(ran, SECOND, "after")
    press(ran, "ArrowRight")
    wait_for(ran, SECOND, "λ‖K‖ = 4")
    after = named(ran, SECOND, "after")
    assert all(now < then for now, then in zip(after["y"][1:], before["y"][1:], strict=True))


def test_the_decay_can_be_dragged(ran):
    was, now = ran.drag_slider(-60)
    assert float(now) < float(was)
    wait_for(ran, ALIGNMENT, f"now: λ‖K‖ = {now},")
    press(ran, "Home")
    press(ran, "ArrowRight", DECAYS.index(float(was)))
    wait_for(ran, ALIGNMENT, f"now: λ‖K‖ = {was},")
    wait_done(ran)


def test_a_von_neumann_decay_from_1_on_becomes_words_and_the_panel_goes_on(ran):
    choose(ran, "von Neumann")
    ran.page.wait_for_selector(".semwork-panel [role=alert]:has-text('below 1/‖K‖')")
    press(ran, "ArrowLeft", 12)
    wait_for(ran, ALIGNMENT, "not allowed")
    wait_done(ran)
    assert float(readout(ran)) < 1
    best, printed = named(ran, ALIGNMENT, "best"), named(ran, ALIGNMENT, "Proposition 7")
    assert printed["x"] > best["x"]
    assert printed["y"] < best["y"]
    choose(ran, "exponential")
    wait_for(ran, ALIGNMENT, "exponential")
    wait_done(ran)


def test_the_second_picture_can_be_chosen_and_a_word_typed(ran):
    choose(ran, "texts")
    wait_for(ran, SECOND, "Mean cosine inside space")
    choose(ran, "words")
    wait_for(ran, SECOND, "“star”")
    box = ran.page.locator(".semwork-controls .widget-text input[type='text']").first
    box.fill("telescopes")
    box.press("Enter")
    wait_for(ran, SECOND, "“telescop”")
    wait_done(ran)
    assert len(named(ran, SECOND, "never in a document together")["y"]) == 5
    box.fill("zyzzyva")
    box.press("Enter")
    ran.page.wait_for_selector(".semwork-panel [role=alert]:has-text('do not have the word')")
    box.fill("")
    box.press("Enter")
    wait_for(ran, SECOND, "“star”")
    wait_done(ran)
    choose(ran, "classifier")
    wait_for(ran, SECOND, "best alignment")


def test_centring_marks_the_other_best_decay(ran):
    plain = named(ran, ALIGNMENT, "best")
    choose(ran, "centred")
    wait_for(ran, SECOND, "best centred alignment")
    assert named(ran, ALIGNMENT, "best")["x"] < plain["x"]
    # The first button of this name belongs to the class weights.
    ran.page.locator(".semwork-controls button:text-is('plain')").nth(1).click()
    ran.page.wait_for_function(
        "old => document.querySelector('.semwork-figure').data.some(trace => trace.name === old)", arg=plain["name"]
    )


def test_another_class_is_another_study(ran):
    before = named(ran, ALIGNMENT, "alignment")
    ran.page.locator(".semwork-controls select").nth(1).select_option("money")
    ran.page.wait_for_function(
        """old => {
            const trace = document.querySelector('.semwork-figure').data.find(trace => trace.name === 'alignment');
            return Math.abs(trace.y[0] - old) > 1e-6;
        }""",
        arg=before["y"][0],
        timeout=60_000,
    )
    wait_done(ran)
    assert named(ran, ALIGNMENT, "alignment")["x"] == pytest.approx(before["x"])


def test_a_click_on_the_curve_moves_the_slider(ran):
    place = ran.page.evaluate(
        """() => {
            const plot = document.querySelector('.semwork-figure');
            plot.scrollIntoView({block: 'center'});
            const trace = plot.data.find(trace => trace.name === 'alignment');
            const at = Array.from(trace.x).findIndex(x => x > 0.1);
            const box = plot.getBoundingClientRect(), {xaxis, yaxis} = plot._fullLayout;
            return [box.left + xaxis._offset + xaxis.d2p(trace.x[at]),
                    box.top + yaxis._offset + yaxis.d2p(trace.y[at])];
        }"""
    )
    ran.page.mouse.move(*place)
    ran.page.wait_for_timeout(300)
    ran.page.mouse.click(*place)
    wait_for(ran, ALIGNMENT, "now: λ‖K‖ = 0.1,")
    wait_done(ran)
    assert readout(ran) == "0.1"


def test_the_table_can_be_saved(ran):
    with ran.page.expect_download(timeout=60_000) as waiting:
        ran.button("CSV").click()
    table = pd.read_csv(io.BytesIO(pathlib.Path(waiting.value.path()).read_bytes()))
    for figure, name in ((ALIGNMENT, "alignment"), (SECOND, "F1, test")):
        curve = named(ran, figure, name)
        assert table[table["trace"] == name]["y"].astype(float).to_list() == pytest.approx(curve["y"])


def test_data_that_is_not_here_is_said_and_the_sample_comes_back(ran):
    choice = ran.page.locator(".semwork-controls select").first
    choice.select_option(index=2)
    ran.page.wait_for_selector(".semwork-panel [role=alert]:has-text('semwork data fetch')")
    assert ran.page.locator(".semwork-controls select").nth(1).locator("option").count() == 8
    choice.select_option(index=0)
    wait_done(ran)
    assert named(ran, SECOND, "F1, test")


@pytest.mark.data("medline")
def test_on_medline_the_pictures_follow_the_slider(real, capsys):
    real.page.locator(".semwork-controls select").first.select_option(index=1)
    wait_for(real, ALIGNMENT, "vector of all ones: 0.85")
    wait_done(real)
    assert real.page.locator(".semwork-controls select").nth(1).input_value() == "query 20"
    assert real.page.locator(".semwork-controls select").nth(1).locator("option").count() == 30
    watch(real.page)
    real.page.locator(".semwork-controls .noUi-handle").first.focus()
    delay = key_delays(real.page, ["ArrowLeft"] * 12 + ["ArrowRight"] * 12, figures=2)
    with capsys.disabled():
        print(f"\nMedline, key to both pictures: median {delay.median * 1e3:.0f} ms, p95 {delay.p95 * 1e3:.0f} ms")
    assert delay.lost == 0
    assert readout(real) == "2"


@pytest.mark.data("newsgroups")
def test_on_newsgroups_the_path_of_the_svm_can_be_stopped_and_goes_on(real):
    real.page.locator(".semwork-controls select").first.select_option(index=3)
    wait_for(real, ALIGNMENT, "vector of all ones: 0.79")
    wait_done(real)
    choose(real, "80 %")
    # Stop once the new study shows: its path takes seconds.
    real.page.wait_for_function(
        "document.querySelectorAll('.semwork-figure')[1].data.filter(trace => trace.name === 'F1, test')"
        ".some(trace => trace.x.length > 0 && trace.x.length < 19)",
        timeout=60_000,
    )
    real.page.locator(".semwork-panel button:has-text('Stop'):not([disabled])").first.click()
    real.wait_status("Stopped")
    done = len(named(real, SECOND, "F1, test")["x"])
    assert done < 19
    real.page.wait_for_timeout(1000)
    assert len(named(real, SECOND, "F1, test")["x"]) == done
    real.button("Run").click()
    wait_done(real)
    assert len(named(real, SECOND, "F1, test")["x"]) == 19

"""The first notebook, as a newcomer meets it."""

from __future__ import annotations

import io
import os
import re

import pandas as pd
import pytest

from tests.browser import lab
from tests.browser.screen import test_nothing_is_cut_covered_or_scrolled_in_an_ordinary_window  # noqa: F401

pytestmark = pytest.mark.browser
NOTEBOOK = "00_start_here.ipynb"
FIGURES, PANELS = 1, 1


def test_run_all_then_keys_and_drag_move_the_curve(ran):
    page = ran.page
    assert page.locator(".jp-RenderedImage img:visible").count() == 0, "the static picture stands beside the live one"
    assert ran.plotted()["name"].startswith("WTMF: ATOP 0.8")
    assert len(ran.plotted()["y"]) == 200

    handle = page.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    before = ran.plotted()
    value_before = handle.get_attribute("aria-valuenow")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    after_keys = ran.wait_trace_name(before["name"])
    ran.wait_settled()
    assert handle.get_attribute("aria-valuenow") != value_before
    assert ran.plotted()["y"] != before["y"]

    ran.drag_slider(-80)
    ran.wait_trace_name(after_keys)
    ran.wait_settled()
    weight = ran.readout()  # the box for exact values has it from the kernel
    # What is drawn belongs to where the slider ended.
    assert weight != "0.1", "the drag did not move the slider"
    ran.button("Copy code").click()
    page.wait_for_function("document.querySelector('.semwork-drawer textarea').value.includes('FirstSettings(')")
    code = page.locator(".semwork-drawer textarea").input_value()
    assert f"missing_weight={weight}," in code
    ran.button("Copy code").click()


def test_every_export_gives_a_good_file(ran, tmp_path):
    name, content = ran.saved("CSV")
    assert name == "Find-the-definition.csv"
    table = pd.read_csv(io.BytesIO(content))
    shown = ran.plotted()
    own = table[table["trace"] == shown["name"]]
    assert own["y"].to_list() == pytest.approx(shown["y"])
    assert own["x"].to_list() == pytest.approx(shown["x"])

    name, content = ran.saved("PNG")
    assert name.endswith(".png")
    assert content.startswith(b"\x89PNG")
    assert len(content) > 10_000

    name, content = ran.saved("SVG")
    assert name.endswith(".svg")
    assert b"<svg" in content[:200]
    assert b"share of the candidates looked at" in content

    name, content = ran.saved("HTML")
    assert name.endswith(".html")
    assert b"FirstCurve(" in content, "the page says how it was computed"
    page = ran.page.context.new_page()
    saved = tmp_path / name
    saved.write_bytes(content)
    page.goto(saved.as_uri())
    page.wait_for_selector(".js-plotly-plot .main-svg")
    assert page.locator("[data-title^='Share']").count() == 0
    page.close()
    ran.page.bring_to_front()


def test_code_and_state_can_be_copied_and_a_state_applied(ran):
    page = ran.page
    ran.button("Copy code").click()
    lab.wait_until(lambda: "FirstCurve(" in page.evaluate("navigator.clipboard.readText()"))
    ran.button("State").click()
    lab.wait_until(lambda: '"settings"' in page.evaluate("navigator.clipboard.readText()"))
    page.wait_for_function("document.querySelector('.semwork-drawer textarea').value.includes('\"settings\"')")
    text = page.locator(".semwork-drawer textarea")
    before = ran.plotted()["name"]
    text.fill(text.input_value().replace('"n_components": 20', '"n_components": 5'))
    text.press("Tab")
    ran.button("Apply").click()
    ran.wait_trace_name(before)
    ran.wait_settled()
    assert page.locator(".semwork-controls .widget-readout").nth(1).inner_text() == "5"
    ran.button("State").click()
    page.locator(".semwork-drawer textarea").wait_for(state="hidden")


def test_a_bad_state_becomes_words_and_the_panel_goes_on(ran):
    page = ran.page
    ran.button("State").click()
    page.wait_for_selector(".semwork-drawer textarea", state="visible")
    page.locator(".semwork-drawer textarea").fill('{"settings": {"n_componentz": 3}}')
    page.locator(".semwork-drawer textarea").press("Tab")
    ran.button("Apply").click()
    page.wait_for_selector(".semwork-panel [role=alert]:has-text('n_componentz')")
    ran.button("Run").click()
    ran.wait_settled()


def test_the_dark_theme_is_readable(ran):
    page = ran.page

    def brightness():
        colour = page.evaluate(
            "getComputedStyle(document.querySelector('.semwork-figure .xtitle')).fill.match(/\\d+/g).map(Number)"
        )
        return sum(colour[:3]) / 3

    assert brightness() < 80
    ran.menu("Settings", "Theme", "JupyterLab Dark")
    page.wait_for_selector(".semwork-figure[data-theme=dark]")
    assert brightness() > 180
    title = page.evaluate(
        "getComputedStyle(document.querySelector('.semwork-title')).color.match(/[\\d.]+/g).map(Number)"
    )
    assert sum(title[:3]) / 3 > 180
    ran.menu("Settings", "Theme", "JupyterLab Light")
    page.wait_for_selector(".semwork-figure[data-theme=light]")


def test_a_reloaded_page_shows_what_the_kernel_has_now(ran):
    page = ran.page
    handle = page.locator(".noUi-handle").first
    handle.focus()
    before = ran.plotted()["name"]
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    ran.wait_trace_name(before)
    ran.wait_settled()
    shown = ran.plotted()
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1500)
    page.reload()
    ran.wait_drawn(1)
    assert ran.plotted() == shown
    assert page.locator(".jp-RenderedImage img:visible").count() == 0
    handle = page.locator(".noUi-handle").first
    handle.focus()
    page.keyboard.press("ArrowRight")
    ran.wait_trace_name(shown["name"])


def test_the_data_panel_tells_what_is_here_and_how_to_get_the_rest(ran):
    page = ran.page
    rows = page.locator(".semwork-panel").nth(1)
    rows.scroll_into_view_if_needed()
    assert rows.locator("text=here").count() > 5
    rows.locator("button[title='Fetch li06']").click()
    alert = rows.locator("[role=alert]")
    alert.wait_for()
    assert "li06" in alert.inner_text()
    assert "SEMWORK_OFFLINE" in alert.inner_text()


def test_after_a_kernel_restart_everything_can_be_run_again(ran):
    page = ran.page
    ran.menu("Kernel", "Restart Kernel and Run All Cells…")
    page.click(".jp-Dialog button:has-text('Restart')")
    page.wait_for_function("document.querySelectorAll('.semwork-figure[data-revision]').length === 0")
    ran.wait_drawn(1)
    ran.wait_settled()
    page.locator(".noUi-handle").first.focus()
    before = ran.plotted()["name"]
    page.keyboard.press("ArrowRight")
    ran.wait_trace_name(before)
    ran.wait_settled()


@pytest.mark.skipif(
    os.environ.get("SEMWORK_REQUIRE_DATA") != "1", reason="downloads 11 MB; SEMWORK_REQUIRE_DATA=1 asks for it"
)
def test_one_click_fetches_a_real_data_set_with_progress(page, folder, tmp_path):
    places = {"SEMWORK_DATA": "", "SEMWORK_CACHE": str(tmp_path / "cache"), "SEMWORK_OFFLINE": "0"}
    with lab.jupyterlab(folder, tmp_path, **places) as address:
        lab.notebook_file(folder / "fetch.ipynb", ["from semwork_widgets import DataPanel\nDataPanel()"])
        notebook = lab.Notebook(page, address, "fetch.ipynb")
        notebook.run_all()
        row = page.locator(".semwork-data-row:has-text('GCIDE, the GNU')")
        row.locator("text=not here yet").wait_for()
        # A fast network is done within a blink: what the row says meanwhile is written down as it changes.
        row.evaluate(
            """row => {
              window.said = [];
              const heard = new MutationObserver(() => window.said.push(row.innerText));
              heard.observe(row, {childList: true, subtree: true});
            }"""
        )
        row.locator("button").click()
        row.locator("text=✓ here").wait_for(timeout=240_000)
        said = page.evaluate("window.said")
        assert any(re.search(r"[0-9.]+ MB of 10\.6 MB", words) for words in said), said
        assert notebook.errors == []

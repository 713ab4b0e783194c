"""The lessons as they are saved: what a reader sees before anything is run."""

from __future__ import annotations

import shutil

import pytest

from tests.browser import lab
from tests.browser.conftest import NOTEBOOKS

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("lesson", sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")))
def test_a_saved_lesson_reads_well_before_it_is_run(page, base, folder, lesson):
    # A copy of its own: other tests run the served lessons, and Lab saves them.
    shutil.copy(NOTEBOOKS / lesson, folder / f"saved_{lesson}")
    notebook = lab.Notebook(page, base, f"saved_{lesson}")
    page.wait_for_selector(".jp-RenderedImage img")
    assert page.locator(".jp-RenderedImage img").first.bounding_box()["width"] > 400
    assert page.locator("text=Error displaying widget").count() == 0
    assert page.locator("text=get notified about official Jupyter news").count() == 0
    assert notebook.errors == []
    notebook.shut_down()


def test_links_lead_from_the_map_to_a_lesson_and_on_to_the_next(page, base, folder):
    shutil.copy(NOTEBOOKS / "00_start_here.ipynb", folder / "saved_map.ipynb")
    notebook = lab.Notebook(page, base, "saved_map.ipynb")
    for title, file in (
        ("04 · Semantic kernels", "04_semantic_kernels"),
        ("05 · Latent alignments", "05_latent_alignm"),
    ):
        page.keyboard.press("Escape")
        page.keyboard.press("Control+End")  # the last cell of a lesson is drawn when it is looked at
        page.locator(f".jp-NotebookPanel:not(.lm-mod-hidden) a:text-is('{title}')").last.click()
        page.wait_for_selector(f".lm-TabBar-tab.lm-mod-current .lm-TabBar-tabLabel:has-text('{file}')")
        page.wait_for_selector(f".jp-NotebookPanel:not(.lm-mod-hidden) h1:has-text('{title}')")
    assert notebook.errors == []
    for path in ("saved_map.ipynb", "04_semantic_kernels.ipynb", "05_latent_alignments.ipynb"):
        notebook.path = path
        notebook.shut_down()

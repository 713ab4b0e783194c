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

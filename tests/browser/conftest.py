"""One JupyterLab and one Chromium for all browser tests."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.browser import lab

NOTEBOOKS = pathlib.Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The served folder: copies of the lessons, and room for small notebooks of the tests."""
    served = tmp_path_factory.mktemp("served")
    for notebook in NOTEBOOKS.glob("*.ipynb"):
        shutil.copy(notebook, served)
    return served


@pytest.fixture(scope="session")
def base(folder: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of JupyterLab; its kernels see no real data and may not fetch any."""
    home = tmp_path_factory.mktemp("jupyter")
    environment = {"SEMWORK_CACHE": str(home / "cache"), "SEMWORK_DATA": "", "SEMWORK_OFFLINE": "1"}
    with lab.jupyterlab(folder, home, **environment) as address:
        yield address


@pytest.fixture(scope="session")
def real_base(folder: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of another JupyterLab, whose kernels see the real data of this machine."""
    seen = {name: os.environ[name] for name in ("SEMWORK_DATA", "SEMWORK_CACHE") if name in os.environ}
    with lab.jupyterlab(folder, tmp_path_factory.mktemp("jupyter"), SEMWORK_OFFLINE="1", **seen) as address:
        yield address


@pytest.fixture(scope="module")
def ran(request: pytest.FixtureRequest, browser: lab.Browser, base: str) -> Iterator[lab.Notebook]:
    """The module's lesson, run once; its tests go on where the last one left it, as a reader does."""
    lesson = request.module
    with lab.opened(browser, base, lesson.NOTEBOOK, lesson.FIGURES, lesson.PANELS) as notebook:
        yield notebook


@pytest.fixture
def real(browser: lab.Browser, real_base: str, folder: pathlib.Path) -> Iterator[Callable[[str], lab.Notebook]]:
    """Show a panel, by its name in `semwork_widgets`, where the real data are; its kernel ends with the test.

    Its run on the sample may still go on: what is chosen next takes its place.
    """
    with contextlib.ExitStack() as shown:

        def show(panel: str) -> lab.Notebook:
            name = f"real_{panel}.ipynb"
            lab.notebook_file(folder / name, [f"from semwork_widgets import {panel}\n{panel}()"])
            return shown.enter_context(lab.opened(browser, real_base, name, panels=0))

        yield show


@pytest.fixture(scope="session")
def browser() -> Iterator[lab.Browser]:
    with lab.chromium() as started:
        yield started


@pytest.fixture
def page(browser: lab.Browser) -> Iterator[lab.Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    yield opened
    context.close()


@pytest.fixture
def run(page: lab.Page, base: str, folder: pathlib.Path) -> Callable[..., lab.Notebook]:
    """Write a notebook from cells, open it, run it all."""

    def open_and_run(*cells: str, name: str = "test.ipynb") -> lab.Notebook:
        lab.notebook_file(folder / name, list(cells))
        notebook = lab.Notebook(page, base, name)
        notebook.run_all()
        return notebook

    return open_and_run

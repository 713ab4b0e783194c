"""What the browser's pictures cost: seconds, megabytes, delays. Used by a test and by ``make bench``."""

from __future__ import annotations

import pathlib
import statistics
import time
from dataclasses import dataclass

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser import lab

_IMPORTS = {
    "LiveFigure": "from semwork_widgets import LiveFigure as Shown",
    "FigureWidget": "from plotly.graph_objects import FigureWidget as Shown",
}


@dataclass(frozen=True)
class Pictures:
    """From Run All to the last of six pictures, and what went over the websocket."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Delay:
    """From a key press to the changed picture, in seconds; ``lost`` counts presses that changed nothing."""

    median: float
    p95: float
    lost: int


def _figure_cells(kind: str) -> list[str]:
    setup = f"import numpy as np, plotly.graph_objects as go\n{_IMPORTS[kind]}\nx = np.linspace(0, 10, 500)"
    return [setup, *(f"Shown(go.Figure(go.Scatter(x=x, y=np.sin({k} * x))))" for k in range(1, 7))]


def six_pictures(browser: lab.Browser, base: str, folder: pathlib.Path, kind: str) -> Pictures:
    """Run a notebook with six figures of one kind; all of them are scrolled into existence by a tall window."""
    name = f"six_{kind}_{time.monotonic_ns()}.ipynb"  # a name of its own: a kernel of its own
    lab.notebook_file(folder / name, _figure_cells(kind))
    context = browser.new_context(viewport={"width": 1200, "height": 4200})
    page = context.new_page()
    received = [0]

    def count(payload: bytes | str) -> None:
        received[0] += len(payload)

    page.on("websocket", lambda socket: socket.on("framereceived", count))
    notebook = lab.Notebook(page, base, name)
    received[0] = 0
    begin = time.perf_counter()
    notebook.run_all()
    page.wait_for_function("document.querySelectorAll('.js-plotly-plot .trace').length >= 6", timeout=180_000)
    seconds = time.perf_counter() - begin
    notebook.shut_down()
    context.close()
    return Pictures(seconds, received[0] / 1e6)


_PANEL = """
import numpy as np, ipywidgets as ipw
from semwork.plots import house_figure
from semwork.steps import Step
from semwork_widgets import Panel
from dataclasses import dataclass

@dataclass(frozen=True, kw_only=True)
class Wave(Step):
    k: float

def compute(k):
    yield Wave(done=1, total=1, k=k)

x = np.linspace(0, 10, 500)
def picture(step):
    figure = house_figure("wave", "x", "y")
    figure.add_scatter(x=x, y=np.sin(step.k * x))
    return figure

Panel("Wave", {"k": ipw.FloatSlider(1, min=0, max=10, step=0.1)}, compute, picture)
"""

# In the page: note when a key is pressed, and when each figure is drawn after it. All times are the browser's own.
_WATCH = """() => {
  window.moves = [];
  document.addEventListener('keydown', () => window.moves.push({at: performance.now(), drawn: {}}), true);
  document.querySelectorAll('.semwork-figure').forEach((figure, number) => new MutationObserver(() => {
    const move = window.moves.at(-1);
    if (move) move.drawn[number] ??= performance.now() - move.at;
  }).observe(figure, {attributes: true, attributeFilter: ['data-revision']}));
}"""
_DRAWN = "([move, figures]) => Object.keys(window.moves[move]?.drawn ?? {}).length >= figures"


def watch(page: lab.Page) -> None:
    """Begin to note key presses and pictures; once per page."""
    page.evaluate(_WATCH)


def key_delays(page: lab.Page, keys: list[str], figures: int = 1) -> Delay:
    """Press keys on the slider that has the focus; a press is over when all figures are drawn again."""
    first, lost = page.evaluate("window.moves.length"), 0
    for move, key in enumerate(keys, first):
        page.keyboard.press(key)
        try:
            page.wait_for_function(_DRAWN, arg=[move, figures], timeout=5000)
        except PlaywrightTimeout:
            lost += 1
        page.wait_for_timeout(60)
    moves = [list(move["drawn"].values()) for move in page.evaluate("window.moves")[first:]]
    delays = sorted(max(drawn) / 1e3 for drawn in moves if len(drawn) >= figures)
    return Delay(statistics.median(delays), delays[int(0.95 * (len(delays) - 1))], lost)


def key_to_picture(browser: lab.Browser, base: str, folder: pathlib.Path, presses: int = 60) -> Delay:
    """Press an arrow key on a slider again and again, waiting for the picture each time."""
    lab.notebook_file(folder / "keys.ipynb", [_PANEL])
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    notebook = lab.Notebook(page, base, "keys.ipynb")
    notebook.run_all()
    notebook.wait_drawn(1)
    notebook.wait_status("Done")
    handle = page.locator(".noUi-handle").first
    handle.scroll_into_view_if_needed()
    handle.focus()
    watch(page)
    delay = key_delays(page, ["ArrowRight"] * presses)
    notebook.shut_down()
    context.close()
    return delay


_LEFT_AND_RIGHT = ["ArrowLeft"] * 12 + ["ArrowRight"] * 12


def key_on_panel(browser: lab.Browser, base: str, folder: pathlib.Path, cell: str, figures: int) -> Delay:
    """Press arrow keys on the first slider of a panel that a cell makes, until so many of its pictures have moved."""
    name = f"keys_{time.monotonic_ns()}.ipynb"
    lab.notebook_file(folder / name, [cell])
    context = browser.new_context(viewport={"width": 1400, "height": 1700})
    notebook = lab.Notebook(context.new_page(), base, name)
    notebook.run_all()
    notebook.wait_drawn(figures, 180_000)
    notebook.wait_settled()
    watch(notebook.page)
    notebook.press("ArrowLeft", 0)
    delay = key_delays(notebook.page, _LEFT_AND_RIGHT, figures)
    notebook.shut_down()
    context.close()
    return delay


_SECOND_PICTURES = ("classifier", "spectrum", "texts", "words")


def slider_on_medline(browser: lab.Browser, base: str, folder: pathlib.Path) -> dict[str, Delay]:
    """Move the decay of lesson 04's panel on Medline; both of its pictures follow. By the second picture's name."""
    lab.notebook_file(folder / "medline.ipynb", ["from semwork_widgets import semantic_kernels\nsemantic_kernels()"])
    context = browser.new_context(viewport={"width": 1400, "height": 1200})
    page = context.new_page()
    notebook = lab.Notebook(page, base, "medline.ipynb")
    notebook.run_all()
    notebook.wait_drawn(2)
    notebook.wait_settled()
    page.locator(".semwork-controls select").first.select_option(index=1)
    page.wait_for_function(
        "name => document.querySelector('.semwork-figure').data.some(trace => trace.name.startsWith(name))",
        arg="vector of all ones: 0.85",
        timeout=120_000,
    )
    notebook.wait_settled()
    watch(page)
    found = {}
    for name in _SECOND_PICTURES:
        page.locator(f".semwork-controls button:text-is('{name}')").click()
        page.wait_for_timeout(1000)
        page.locator(".semwork-controls .noUi-handle").first.focus()
        found[name] = key_delays(page, _LEFT_AND_RIGHT, figures=2)
    notebook.shut_down()
    context.close()
    return found

"""What the browser's pictures cost: seconds, megabytes, delays. Used by a test and by ``make bench``."""

from __future__ import annotations

import pathlib
import statistics
import time
from dataclasses import dataclass

from tests.browser import lab

_IMPORTS = {
    "LiveFigure": "from widgets import LiveFigure as Shown",
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
from widgets import Panel
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

# In the page: press a key, and note when the drawn revision changes. Both times are the browser's own clock.
_WATCH = """() => {
  const figure = document.querySelector('.semwork-figure');
  window.pressed = null; window.delays = [];
  document.addEventListener('keydown', () => { window.pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (window.pressed !== null) { window.delays.push(performance.now() - window.pressed); window.pressed = null; }
  }).observe(figure, {attributes: true, attributeFilter: ['data-revision']});
}"""


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
    page.evaluate(_WATCH)
    lost = 0
    for press in range(presses):
        page.keyboard.press("ArrowRight")
        try:
            page.wait_for_function("n => window.delays.length > n", arg=press - lost, timeout=5000)
        except lab.PlaywrightTimeout:
            lost += 1
        page.wait_for_timeout(60)
    delays = sorted(value / 1e3 for value in page.evaluate("window.delays"))
    notebook.shut_down()
    context.close()
    return Delay(statistics.median(delays), delays[int(0.95 * (len(delays) - 1))], lost)

"""A real JupyterLab and a real Chromium, for tests and benchmarks."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, sync_playwright

import semwork

CHROMIUM_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(ask: Callable[[], bool], seconds: float = 60) -> None:
    """Ask again until it is so; Playwright takes the promise of an ``async`` question for a yes."""
    deadline = time.monotonic() + seconds
    while not ask():
        assert time.monotonic() < deadline, "it has not become so"
        time.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):
            return True
    except urllib.error.HTTPError:
        return True  # it is there, even if it has nothing under this address
    except OSError:
        return False


@contextlib.contextmanager
def _server(command: list[str], status_url: str, folder: pathlib.Path, environment: dict[str, str]) -> Iterator[None]:
    log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed below, after the process that writes to it
    process = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **environment}, stdout=log, stderr=log, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 90
        while not _answers(status_url):
            if process.poll() is not None or time.monotonic() > deadline:
                log.seek(0)
                raise RuntimeError(f"the server did not start: {log.read()[-3000:]}")
            time.sleep(0.2)
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        log.close()


def fresh_jupyter(home: pathlib.Path) -> dict[str, str]:
    """Environment variables that keep Jupyter out of the user's own settings."""
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
    }
    return {name: str(home / folder) for name, folder in names.items()}


@contextlib.contextmanager
def jupyterlab(folder: pathlib.Path, home: pathlib.Path, **environment: str) -> Iterator[str]:
    """Serve ``folder``; yields the base address. Without a token: loopback, tests only."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1"),
        *("--ServerApp.token=", f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}"),
    ]
    # The same settings that `semwork lab` adds: no news pop-up.
    environment["JUPYTER_CONFIG_PATH"] = str(pathlib.Path(semwork.__file__).parent / "lab_settings")
    with _server(command, f"{base}/api/status", folder, {**fresh_jupyter(home), **environment}):
        yield base


@contextlib.contextmanager
def voila(notebook: pathlib.Path, home: pathlib.Path) -> Iterator[str]:
    """Serve one notebook as a stand-alone page."""
    port = free_port()
    command = [
        *(sys.executable, "-m", "voila", "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1", str(notebook)),
    ]
    with _server(command, f"http://127.0.0.1:{port}/voila/static/", notebook.parent, fresh_jupyter(home)):
        yield f"http://127.0.0.1:{port}/"


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=CHROMIUM_FLAGS,
            ignore_default_args=["--hide-scrollbars"],  # a reader has them, and they take room
        )
        try:
            yield browser
        finally:
            browser.close()


def notebook_file(path: pathlib.Path, cells: list[str]) -> pathlib.Path:
    """Write a small notebook; it names its kernel, or Lab would ask in a dialog."""
    content = {
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell{i}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source,
            }
            for i, source in enumerate(cells)
        ],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(content))
    return path


class Notebook:
    """A notebook open in JupyterLab, driven as a person would."""

    def __init__(self, page: Page, base: str, path: str) -> None:
        self.page, self.base, self.path = page, base, path
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)
        page.goto(f"{base}/lab/tree/{path}?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        # Cells that are run before the kernel is connected are silently forgotten.
        self.wait_idle()

    def _note(self, message: ConsoleMessage) -> None:
        """Keep an error that our own code has told the console."""
        if message.type == "error" and any(name in message.text.lower() for name in ("semwork", "plotly")):
            self.errors.append(message.text)

    def wait_idle(self, timeout: float = 60_000) -> None:
        """Wait until the kernel is connected and runs no cell."""
        self.page.wait_for_selector(".jp-StatusBar-TextItem:has-text('| Idle')", timeout=timeout)

    def menu(self, *path: str) -> None:
        """Choose an entry of the menu bar."""
        self.page.click(f".lm-MenuBar-itemLabel:text-is('{path[0]}')")
        for label in path[1:]:
            self.page.click(f".lm-Menu-itemLabel:text-is('{label}')")

    def shut_down(self) -> None:
        """End the notebook's kernel."""
        sessions = self.page.request.get(f"{self.base}/api/sessions").json()
        for session in sessions:
            if session["path"] == self.path:
                self.page.request.delete(f"{self.base}/api/sessions/{session['id']}", headers=self._xsrf())

    def _xsrf(self) -> dict[str, str]:
        cookies = {cookie["name"]: cookie["value"] for cookie in self.page.context.cookies()}
        return {"X-XSRFToken": cookies.get("_xsrf", "")}

    def run_all(self) -> None:
        """Run → Run All Cells."""
        self.menu("Run", "Run All Cells")

    def wait_drawn(self, count: int, timeout: float = 60_000) -> None:
        """Wait until that many figures are drawn."""
        self.page.wait_for_function(
            "count => document.querySelectorAll('.semwork-figure[data-revision]').length >= count",
            arg=count,
            timeout=timeout,
        )

    # --- panels: the first one unless told otherwise ------------------------------------------------------------

    def panel(self, number: int = 0) -> Locator:
        return self.page.locator(".semwork-panel").nth(number)

    def show(self, panel: int = 0) -> None:
        """Scroll to a panel: one that is out of sight has no text to read."""
        self.panel(panel).locator(".semwork-title").scroll_into_view_if_needed()

    def button(self, name: str, panel: int = 0) -> Locator:
        """A button of a panel; a click waits until it is enabled."""
        return self.panel(panel).locator(f"button:has-text('{name}')").first

    def choose(self, label: str, panel: int = 0) -> None:
        """Press one of several buttons of which one is pressed."""
        self.panel(panel).locator(f".semwork-controls button:text-is('{label}')").first.click()

    def type_into(self, words: str, box: int = 0, panel: int = 0) -> None:
        """Type into a box for one line, and press Enter."""
        line = self.panel(panel).locator(".semwork-controls .widget-text input[type='text']").nth(box)
        line.fill(words)
        line.press("Enter")

    def press(self, key: str, times: int = 1, slider: int = 0, panel: int = 0) -> None:
        """Press a key on a slider."""
        self.panel(panel).locator(".semwork-controls .noUi-handle").nth(slider).focus()
        for _ in range(times):
            self.page.keyboard.press(key)

    def readout(self, slider: int = 0, panel: int = 0) -> str:
        """What a slider says beside itself: in its own words, or in a box for exact values."""
        return self.page.evaluate(
            """([panel, slider]) => {
                const handle = document.querySelectorAll('.semwork-panel')[panel]
                    .querySelectorAll('.semwork-controls .noUi-handle')[slider];
                const row = handle.closest('.widget-hslider');
                const shown = row.querySelector('.widget-readout');
                const box = row.parentElement.querySelector('input[type=number]');
                return shown && shown.offsetParent ? shown.innerText : box.value;
            }""",
            [panel, slider],
        )

    def drag_slider(self, pixels: float, slider: int = 0, panel: int = 0) -> tuple[str, str]:
        """Drag the handle of a slider with the mouse; returns its readout before and after.

        The box beside a slider has its number from the kernel: the readout is awaited until it has changed and stays.
        """
        handle = self.panel(panel).locator(".semwork-controls .noUi-handle").nth(slider)
        handle.scroll_into_view_if_needed()
        before, box = self.readout(slider, panel), handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + pixels, y, steps=20)
        self.page.mouse.up()
        after, seen, deadline = before, self.readout(slider, panel), time.monotonic() + 10
        while (seen == before or seen != after) and time.monotonic() < deadline:
            self.page.wait_for_timeout(300)
            after, seen = seen, self.readout(slider, panel)
        return before, seen

    def status(self, panel: int = 0) -> str:
        """The words of a panel's status line."""
        return self.panel(panel).locator(".semwork-status").first.inner_text()

    def wait_status(self, words: str, timeout: float = 60_000, panel: int = 0) -> None:
        """Wait until a panel's status line says so."""
        self.page.wait_for_function(
            """([panel, words]) => document.querySelectorAll('.semwork-panel')[panel]
                ?.querySelector('.semwork-status')?.innerText.includes(words)""",
            arg=[panel, words],
            timeout=timeout,
        )

    def wait_settled(self, panel: int = 0, timeout: float = 300_000) -> None:
        """Wait until a panel says Done and its pictures stay as they are.

        A run that has just begun still shows the last one's words.
        """
        revisions = """panel => Array.from(
            document.querySelectorAll('.semwork-panel')[panel].querySelectorAll('.semwork-figure'),
            figure => figure.dataset.revision)"""
        while True:
            self.wait_status("Done", timeout, panel)
            seen = self.page.evaluate(revisions, panel)
            self.page.wait_for_timeout(500)
            if "Done" in self.status(panel) and self.page.evaluate(revisions, panel) == seen:
                return

    def picture(self, name: str) -> None:
        """Keep a screenshot of the first panel if somebody wants to look at it."""
        folder = os.environ.get("SEMWORK_SCREENSHOTS")
        if folder:
            self.panel().screenshot(path=pathlib.Path(folder) / f"{name}.png")

    def saved(self, kind: str, panel: int = 0) -> tuple[str, bytes]:
        """Save with a panel's button of this name; returns the file's name and content."""
        with self.page.expect_download(timeout=60_000) as waiting:
            self.button(kind, panel).click()
        return waiting.value.suggested_filename, pathlib.Path(waiting.value.path()).read_bytes()

    def table(self, panel: int = 0) -> pd.DataFrame:
        """Save a panel's table, and read it."""
        return pd.read_csv(io.BytesIO(self.saved("CSV", panel)[1]), low_memory=False)

    # --- figures, counted over the whole page -------------------------------------------------------------------

    def plotted(self, figure: int = 0, trace: int = 0) -> dict[str, list[float]]:
        """Read the plotted x and y of one trace."""
        return self.page.evaluate(
            """([figure, trace]) => {
                const data = document.querySelectorAll('.semwork-figure')[figure].data[trace];
                return {x: Array.from(data.x ?? []), y: Array.from(data.y ?? []), name: data.name ?? null};
            }""",
            [figure, trace],
        )

    def trace(self, figure: int, name: str, axis: str | None = None, *, exact: bool = True) -> dict[str, Any] | None:
        """Read the first trace of this name, or whose name begins so; on this x axis, if one is given."""
        return self.page.evaluate(
            """([figure, name, axis, exact]) => {
                const fits = trace => (exact ? trace.name === name : trace.name?.startsWith(name))
                    && (axis === null || (trace.xaxis ?? 'x') === axis);
                const found = document.querySelectorAll('.semwork-figure')[figure].data.find(fits);
                return found && {name: found.name, x: Array.from(found.x), y: Array.from(found.y), text: found.text,
                                 hovertext: found.hovertext,
                                 customdata: found.customdata && Array.from(found.customdata)};
            }""",
            [figure, name, axis, exact],
        )

    def wait_trace_name(self, different_from: str, timeout: float = 30_000) -> str:
        """Wait until the first trace has another name, and return it."""
        self.page.wait_for_function(
            "old => document.querySelector('.semwork-figure').data[0].name !== old", arg=different_from, timeout=timeout
        )
        return str(self.plotted()["name"])

    def title(self, figure: int = 0) -> str:
        """The title of a figure; a narrow page breaks it into lines."""
        return self.page.evaluate(
            "figure => document.querySelectorAll('.semwork-figure')[figure].layout.title.text.replaceAll(' <br>', ' ')",
            figure,
        )

    def wait_title(self, figure: int, words: str, timeout: float = 60_000) -> None:
        """Wait until the title of a figure has these words."""
        self.page.wait_for_function(
            """([figure, words]) =>
                document.querySelectorAll('.semwork-figure')[figure]?.layout?.title.text.replaceAll(' <br>', ' ')
                    .includes(words)""",
            arg=[figure, words],
            timeout=timeout,
        )

    def point(self, figure: int, name: str, number: int) -> tuple[float, float]:
        """Where a point of the first trace of this name is on the screen; of a lying bar, its middle."""
        x, y = self.page.evaluate(
            """([figure, name, number]) => {
                const plot = document.querySelectorAll('.semwork-figure')[figure];
                plot.scrollIntoView({block: 'center'});
                const trace = plot._fullData.find(trace => trace.name === name);
                const xaxis = plot._fullLayout['xaxis' + trace.xaxis.slice(1)];
                const yaxis = plot._fullLayout['yaxis' + trace.yaxis.slice(1)];
                const box = plot.getBoundingClientRect();
                const x = trace.type === 'bar' && trace.orientation === 'h' ? trace.x[number] / 2 : trace.x[number];
                return [box.left + xaxis._offset + xaxis.d2p(x), box.top + yaxis._offset + yaxis.d2p(trace.y[number])];
            }""",
            [figure, name, number],
        )
        return x, y

    def click(self, x: float, y: float) -> None:
        """Move the mouse there, and click."""
        self.page.mouse.move(x, y)
        self.page.wait_for_timeout(300)
        self.page.mouse.click(x, y)

    def click_point(self, figure: int, name: str, number: int) -> None:
        """Click a point of a trace, or the middle of a lying bar."""
        self.click(*self.point(figure, name, number))


@contextlib.contextmanager
def opened(browser: Browser, base: str, path: str, figures: int = 1, panels: int = 1) -> Iterator[Notebook]:
    """Open a notebook in a large window and run it until its first panels are done; its kernel ends with the block."""
    context = browser.new_context(viewport={"width": 1400, "height": 1700}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    try:
        notebook = Notebook(context.new_page(), base, path)
        try:
            notebook.run_all()
            notebook.wait_drawn(figures, 300_000)
            notebook.wait_idle(300_000)  # until then Lab scrolls to the cell that runs
            for panel in reversed(range(panels)):
                notebook.show(panel)
                notebook.wait_settled(panel, 600_000)
            yield notebook
            assert notebook.errors == []
        finally:
            notebook.shut_down()
    finally:
        context.close()

"""A real JupyterLab and a real Chromium, for tests and benchmarks."""

from __future__ import annotations

import contextlib
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
from collections.abc import Iterator

from playwright.sync_api import Browser, Locator, Page, sync_playwright

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
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
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
        page.goto(f"{base}/lab/tree/{path}?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        # Cells that are run before the kernel is connected are silently forgotten.
        page.wait_for_selector(".jp-StatusBar-TextItem:has-text('| Idle')", timeout=60_000)

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

    def plotted(self, figure: int = 0, trace: int = 0) -> dict[str, list[float]]:
        """Read the plotted x and y of one trace."""
        return self.page.evaluate(
            """([figure, trace]) => {
                const data = document.querySelectorAll('.semwork-figure')[figure].data[trace];
                return {x: Array.from(data.x ?? []), y: Array.from(data.y ?? []), name: data.name ?? null};
            }""",
            [figure, trace],
        )

    def button(self, name: str) -> Locator:
        """A button of the first panel."""
        return self.page.locator(f".semwork-panel button:has-text('{name}')").first

    def drag_slider(self, pixels: float) -> tuple[str, str]:
        """Drag the handle of the first slider with the mouse; returns its readout before and after."""
        handle = self.page.locator(".semwork-controls .noUi-handle").first
        readout = self.page.locator(".semwork-controls .widget-readout").first
        handle.scroll_into_view_if_needed()
        before, box = readout.inner_text(), handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + pixels, y, steps=20)
        self.page.mouse.up()
        return before, readout.inner_text()

    def wait_status(self, words: str, timeout: float = 60_000) -> None:
        """Wait until the first panel's status line says so."""
        self.page.wait_for_function(
            "words => document.querySelector('.semwork-status')?.innerText.includes(words)", arg=words, timeout=timeout
        )

    def wait_settled(self) -> None:
        """Wait until the first panel says Done and its picture stays as it is.

        A run that has just begun still shows the last one's words.
        """
        revision = "document.querySelector('.semwork-figure').dataset.revision"
        while True:
            self.wait_status("Done")
            seen = self.page.evaluate(revision)
            self.page.wait_for_timeout(400)
            done = "Done" in self.page.locator(".semwork-status").first.inner_text()
            if done and self.page.evaluate(revision) == seen:
                return

    def wait_trace_name(self, different_from: str, timeout: float = 30_000) -> str:
        """Wait until the first trace has another name, and return it."""
        self.page.wait_for_function(
            "old => document.querySelector('.semwork-figure').data[0].name !== old", arg=different_from, timeout=timeout
        )
        return str(self.plotted()["name"])

"""The state of the data: what is here, one click to fetch the rest; and data of the reader's own."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import ipywidgets as ipw

from semwork import datasets
from semwork.datasets import DataSet, FetchStep
from semwork.datasets.registry import registered
from semwork_widgets.answering import answer_while_cells_run
from semwork_widgets.jobs import Event, Failed, Finished, Job, Started, Stepped, Stopped
from semwork_widgets.start.own_data import OwnDataPanel

__all__ = ["DataPanel"]


def _megabytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"


class _Row:
    """One data set: its words, its button, its progress, its job."""

    def __init__(self, data: DataSet, refresh: Callable[[], None]) -> None:
        self.data = data
        self.refresh = refresh
        self.words = ipw.HTML(
            f"<b>{html.escape(data.name)}</b> {html.escape(data.title)}", layout=ipw.Layout(flex="0 1 420px")
        )
        size = _megabytes(data.download_size) if data.download_size else ""
        self.size = ipw.HTML(size, layout=ipw.Layout(flex="0 0 70px"))
        self.state = ipw.HTML().add_class("semwork-status")
        self.progress = ipw.FloatProgress(0, min=0, max=1, layout=ipw.Layout(width="90px", height="14px"))
        self.button = ipw.Button(description="Fetch", tooltip=f"Fetch {data.name}", layout=ipw.Layout(flex="0 0 76px"))
        self.button.on_click(lambda _: self.toggle())
        self.job = Job(lambda _: datasets.fetch(data.name), self.on_event)
        self.show()

    def show(self) -> None:
        """Say whether the data set is here."""
        self.failed = False
        here = datasets.available(self.data.name)
        self.state.value = "<b>✓ here</b>" if here else "not here yet"
        self.button.layout.visibility = "hidden" if here else "visible"
        self.button.description = "Fetch"
        self.progress.layout.display = "none"

    def toggle(self) -> None:
        """Fetch, or stop fetching."""
        with self.job.quiet():
            if not self.job.running:
                self.job.submit({})
            elif self.job.stop():
                self.state.value = "stopping …"

    def on_event(self, event: Event) -> None:
        """Show what happens to the fetch."""
        if isinstance(event, Started):
            self.button.description = "Stop"
            self.progress.layout.display = ""
            self.state.value = "asking …"
        elif isinstance(event, Stepped):
            self.on_step(event)
        elif isinstance(event, Failed):
            self.show()
            self.failed = True
            words = html.escape(str(event.error)).replace("\n", "<br>")
            self.state.value = f'<div class="semwork-error" role="alert">{words}</div>'
        elif isinstance(event, (Finished, Stopped)):
            self.refresh()  # one fetch may make others complete: those built from it, or from the same package

    def on_step(self, event: Stepped) -> None:
        """Show size, speed and time left."""
        step = event.step
        self.progress.value = step.fraction or 0
        speed = step.speed if isinstance(step, FetchStep) else None
        parts = [
            f"{_megabytes(step.done)} of {_megabytes(step.total)}" if step.total else _megabytes(step.done),
            f"{_megabytes(speed)}/s" if speed else "",
            f"about {event.left:.0f} s left" if event.left and event.left >= 1 else "",
        ]
        self.state.value = " · ".join(part for part in parts if part)


class DataPanel(ipw.VBox):
    """Every data set with its state and a button that fetches it in the background; in a second tab the reader's own.

    Parameters
    ----------
    own_first : bool
        Whether the tab for the reader's own data is open.
    """

    def __init__(self, *, own_first: bool = False) -> None:
        self.rows = {name: _Row(data, self.refresh) for name, data in registered().items()}
        lines = [
            ipw.HBox([row.words, row.size, row.button, row.progress, row.state]).add_class("semwork-data-row")
            for row in self.rows.values()
        ]
        everything = ipw.Button(
            description="Fetch all that is missing",
            tooltip="Start every fetch; each can be stopped",
            layout=ipw.Layout(width="auto", align_self="flex-start", margin="8px 0 0 0"),
        )
        everything.on_click(lambda _: self.fetch_missing())
        self.own = OwnDataPanel()
        tabs = ipw.Tab([ipw.VBox([*lines, everything]), self.own], selected_index=int(own_first))
        tabs.titles = ("Real data, by name", "Your own data")
        super().__init__([tabs])
        self.add_class("semwork-panel")
        answer_while_cells_run(self)

    def refresh(self) -> None:
        """Look again what is here; rows that are at work or show an error are left alone, unless they are done."""
        for row in self.rows.values():
            if row.job.current is None and (not row.failed or datasets.available(row.data.name)):
                row.show()

    def fetch_missing(self) -> None:
        """Start fetching every data set that is not here."""
        for row in self.rows.values():
            if not row.job.running and not datasets.available(row.data.name):
                row.job.submit({})

    def wait(self, timeout: float | None = 600) -> None:
        """Wait for all fetches; raise the first error.

        Parameters
        ----------
        timeout : float or None
            Seconds for each; ``None`` waits as long as it takes.
        """
        for row in self.rows.values():
            row.job.wait(timeout)

    def __repr__(self) -> str:
        return f"DataPanel({', '.join(self.rows)})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {
            "text/plain": repr(self),
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.model_id,
            },
        }

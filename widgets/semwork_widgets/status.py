"""What a panel says of its run: the status line, the bar, and whether Stop can be pressed."""

from __future__ import annotations

import html
import threading
import time
import traceback
from collections.abc import Callable

from semwork_widgets.jobs import Finished, Stepped, Stopped
from semwork_widgets.layout import Parts

__all__ = ["Status"]

_STATUS_SECONDS = 0.1
_PATIENCE_SECONDS = 0.15


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 60 else f"{int(value) // 60} min {int(value) % 60:02d} s"


class Status:
    """The status line.

    A run that is over in a blink sends two messages: the picture and the last words. Only one that takes longer says
    that it is running, enables Stop and moves the bar. Every message saved is a millisecond for the picture.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._busy_run = 0
        self._patience = threading.Timer(0, lambda: None)
        self._told_at = float("-inf")

    def begin(self, run: int, still: Callable[[int], object]) -> None:
        """Call ``still(run)`` if the run has not ended in a moment."""
        self._patience = threading.Timer(_PATIENCE_SECONDS, still, [run])
        self._patience.daemon = True
        self._patience.start()

    def running(self, run: int) -> None:
        """Say that the run is on its way."""
        self._busy_run = run
        self._parts.stop.disabled = False
        self._parts.progress.bar_style = "info"
        self._parts.progress.value = 0
        self.tell("Running …")

    def step(self, event: Stepped) -> None:
        """Say how far the run is, a few times a second."""
        if self._busy_run == event.run and time.perf_counter() - self._told_at >= _STATUS_SECONDS:
            self._parts.progress.value = event.step.fraction or 0
            left = f" · about {_seconds(event.left)} left" if event.left and event.left >= 1 else ""
            of = f" of {event.step.total}" if event.step.total else ""
            self.tell(f"Step <b>{event.step.done}</b>{of}{left} · {html.escape(event.step.message)}")

    def over(self) -> None:
        """Forget the run: it has ended."""
        self._patience.cancel()
        self._busy_run = 0

    def ended(self, event: Finished | Stopped, last: Stepped | None) -> None:
        """Say how the run ended; ``last`` is the last step that is shown, of this run or an earlier one."""
        finished = isinstance(event, Finished)
        self._rest("success" if finished else "warning")
        of_this_run = last if last and last.run == event.run else None
        before = "; the picture is of earlier settings" if last else ""
        said = of_this_run.step.message if of_this_run else f"without a step{before}"
        word = "Done" if finished else "Stopped"
        self.tell(f"<b>{word}</b> after {_seconds(event.seconds)}{' · ' + html.escape(said) if said else ''}")

    def failed(self) -> None:
        """Show that the run has failed."""
        self._rest("danger")

    def _rest(self, bar_style: str) -> None:
        self._parts.stop.disabled = True
        self._parts.progress.bar_style = bar_style
        if bar_style == "success":
            self._parts.progress.value = 1

    def tell(self, words: str) -> None:
        """Say something, as HTML."""
        self._told_at = time.perf_counter()
        self._parts.status.value = words

    def tell_error(self, error: BaseException) -> None:
        """Say what did not work."""
        where = "".join(traceback.format_exception(error))
        words = f"no such key: {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
        self.tell(
            f'<div class="semwork-error" role="alert"><b>This did not work.</b> {html.escape(words)}'
            f"<details><summary>{type(error).__name__}: details for a bug report</summary>"
            f"<pre>{html.escape(where)}</pre></details></div>"
        )

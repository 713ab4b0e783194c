"""Background work for a panel: one run at a time, the latest settings win.

A slider that is dragged asks for a hundred runs; a reader wants to see the picture follow and to end at the right
one. :class:`Job` keeps at most one thread, which lives only while there is work. Its laws, all tested:

* the last settings submitted are always run, to the end or to Stop;
* a run that is overtaken ends at its next step; it still shows one step if it had shown none yet, so that the
  picture follows a drag, but never anything after a step of a newer run;
* after :meth:`Job.stop` has returned, nothing of the stopped runs is delivered except the word how they ended;
* a run that has begun and is not overtaken has exactly one end: finished, stopped or failed;
* an exception is delivered as an event, kept in :attr:`Job.errors`, and raised by :meth:`Job.wait`.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from semwork.steps import Step, TimeLeft

__all__ = ["Event", "Failed", "Finished", "Job", "Started", "Stepped", "Stopped"]

Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Event:
    """Something happened to run number ``run``."""

    run: int
    settings: Settings


@dataclass(frozen=True)
class Started(Event):
    """The run begins."""


@dataclass(frozen=True)
class Stepped(Event):
    """The run gave a step; ``left`` is an estimate of the seconds to its end, if one can be made."""

    step: Step
    seconds: float
    left: float | None


@dataclass(frozen=True)
class Finished(Event):
    """The run came to its end."""

    seconds: float


@dataclass(frozen=True)
class Stopped(Event):
    """The run was ended by Stop (not by newer settings: those simply take over)."""

    seconds: float


@dataclass(frozen=True)
class Failed(Event):
    """The run raised ``error``."""

    error: BaseException


class Job:
    """Run ``compute(settings)`` in the background, the latest settings winning.

    Parameters
    ----------
    compute : callable
        Takes the settings and gives an iterable of steps (a generator, as a rule).
    deliver : callable
        Is called with every event, in order, from one thread at a time. It may call :meth:`submit` or :meth:`stop`.

    Examples
    --------
    >>> from semwork.steps import Step
    >>> seen = []
    >>> job = Job(lambda settings: (Step(done=i) for i in range(settings["n"])), seen.append)
    >>> _ = job.submit({"n": 2})
    >>> job.wait()
    >>> [type(event).__name__ for event in seen]
    ['Started', 'Stepped', 'Stepped', 'Finished']
    """

    def __init__(self, compute: Callable[[Settings], Iterable[Step]], deliver: Callable[[Event], object]) -> None:
        self._compute = compute
        self._deliver_to = deliver
        self._state = threading.Condition(threading.RLock())
        self._pending: tuple[int, Settings] | None = None
        self._current: int | None = None
        self._latest = 0
        self._stopped = 0
        self._thread: threading.Thread | None = None
        self._closed = False
        self._last_error: BaseException | None = None
        self.errors: deque[BaseException] = deque(maxlen=100)

    # --- asking ---------------------------------------------------------------------------------------------

    def submit(self, settings: Settings) -> int:
        """Ask for a run with these settings; it replaces whatever runs or waits. Returns the run's number.

        Parameters
        ----------
        settings : mapping of str to object
            What is computed with; the values of this moment are taken.

        Returns
        -------
        int
        """
        with self._state:
            if self._closed:
                raise RuntimeError("this job is closed; make a new panel (run its cell again) to go on")
            self._latest += 1
            self._pending = (self._latest, dict(settings))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="semwork-job", daemon=True)
                self._thread.start()
            return self._latest

    def stop(self) -> bool:
        """End what runs (at its next step) and forget what waits.

        Returns whether a run is still on its way to its end: then an event will say so.
        """
        with self._state:
            self._stopped = self._latest
            dropped, self._pending = self._pending, None
            if self._current is None and dropped is not None:
                self._deliver(Stopped(*dropped, seconds=0.0))  # it had not begun
            return self._current is not None

    def close(self) -> None:
        """Stop, and accept nothing more."""
        with self._state:
            self._closed = True
            self.stop()

    @property
    def current(self) -> int | None:
        """The number of the run under way, if one is."""
        with self._state:
            return self._current

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Keep events from being delivered while the caller looks and acts."""
        with self._state:
            yield

    @property
    def running(self) -> bool:
        """Whether a run is under way or waiting."""
        with self._state:
            return self._thread is not None

    @property
    def stopping(self) -> bool:
        """Whether Stop was asked for and the last step is still being computed."""
        with self._state:
            return self._thread is not None and self._stopped == self._latest

    def wait(self, timeout: float | None = None) -> None:
        """Wait until nothing runs; raise what the last run raised, or ``TimeoutError``.

        Parameters
        ----------
        timeout : float or None
            Seconds; ``None`` waits as long as it takes.
        """
        with self._state:
            if not self._state.wait_for(lambda: self._thread is None, timeout):
                raise TimeoutError(f"the run is not finished after {timeout} s; wait longer, or stop it")
            error, self._last_error = self._last_error, None
        if error is not None:
            raise error

    # --- working --------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._state:
                if self._pending is None:
                    self._thread = None
                    self._state.notify_all()
                    return
                (run, settings), self._pending = self._pending, None
                self._current = run
                self._last_error = None
            self._execute(run, settings)

    def _execute(self, run: int, settings: Settings) -> None:
        begin = time.perf_counter()
        error: BaseException | None = None
        steps: Iterable[Step] = ()
        try:
            with self._state:
                begun = run > self._stopped
                if begun:
                    self._deliver(Started(run, settings))
            steps = self._compute(settings) if begun else ()
            self._deliver_steps(run, settings, _checked(steps), begin)
        except BaseException as raised:  # noqa: BLE001 - whatever ends a run, the panel has to say it
            error = raised
        try:
            close = getattr(steps, "close", None)
            if close is not None:
                close()
        except BaseException as raised:  # noqa: BLE001 - a generator may fail while it cleans up
            error = error or raised
        self._end(run, settings, error, time.perf_counter() - begin)

    def _deliver_steps(self, run: int, settings: Settings, steps: Iterable[Step], begin: float) -> None:
        shown, left = 0, TimeLeft()
        for step in steps:
            with self._state:
                overtaken = run < self._latest
                if run <= self._stopped or (overtaken and shown):
                    return
                seconds = time.perf_counter() - begin
                self._deliver(Stepped(run, settings, step, seconds, left(seconds, step.fraction)))
                shown += 1
                if overtaken:
                    return

    def _end(self, run: int, settings: Settings, error: BaseException | None, seconds: float) -> None:
        """Say how the run ended: once, unless newer settings have simply taken over."""
        with self._state:
            self._current = None
            stopped = run <= self._stopped
            overtaken = run < self._latest and not stopped
            if error is None and not overtaken:
                try:
                    self._deliver((Stopped if stopped else Finished)(run, settings, seconds))
                except BaseException as raised:  # noqa: BLE001 - the last picture could not be drawn
                    error = raised
            if error is not None:
                self.errors.append(error)
                if not overtaken:
                    self._last_error = error
                    self._deliver_quietly(Failed(run, settings, error))

    def _deliver_quietly(self, event: Event) -> None:
        try:
            self._deliver(event)
        except BaseException as raised:  # noqa: BLE001 - the thread must live to say that it is done
            self.errors.append(raised)

    def _deliver(self, event: Event) -> None:
        # Held while delivering: submit and stop wait for the delivery, so nothing stale can follow them.
        with self._state:
            self._deliver_to(event)


def _checked(steps: Any) -> Iterator[Step]:
    """Pass steps on; anything else is refused in words."""
    if not isinstance(steps, Iterable):
        raise TypeError(
            f"compute gave {steps!r:.80}; it has to give an iterable of steps (write `yield Step(...)` in it)"
        )
    for step in steps:
        if not isinstance(step, Step):
            raise TypeError(f"compute yielded {step!r:.80}; every step has to be a semwork.steps.Step")
        yield step

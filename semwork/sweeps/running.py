"""The one engine: cells of any function of settings, kept, here or on any executor; a run is a stream of steps."""

from __future__ import annotations

import contextlib
import functools
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any

from semwork.datasets.cache import CacheNotWritable
from semwork.steps import Step
from semwork.sweeps.cells import Cell
from semwork.sweeps.contents import unchanged
from semwork.sweeps.keeping import Memory, Store
from semwork.sweeps.results import CellError, Done, Event, Run, SweepStep
from semwork.threads import workers_of

__all__ = ["Sweep"]

_TELL_SECONDS = 0.2  # between two steps that only say where a cell is
_FAILURES = (Exception, SystemExit)  # of a cell; an interrupt is the user's, and ends the run
_LOOK_SECONDS = 0.1  # between two looks whether the run was stopped while cells are computed elsewhere


class Sweep:
    """Cells to be computed, each once; what is kept already is not computed again.

    Parameters
    ----------
    cells : iterable of Cell
        Those that are equal are one.
    store : Store or None
        Where results are kept: a `Memory` of its own, or one that is shared with other sweeps, or a `Folder`.
    threads : int or None
        How many cells of one core run side by side here; ``None`` for all cores. Cells that use all cores run one after
        the other.

    Examples
    --------
    >>> from semwork.steps import last
    >>> from semwork.sweeps import grid
    >>> def power(base, exponent):
    ...     return base**exponent
    >>> end = last(Sweep(grid(power, {"base": [2, 3], "exponent": [1, 2]})).steps())
    >>> end.message, list(end.results.values())
    ('all 4 cells are there', [2, 4, 3, 9])
    """

    def __init__(self, cells: Iterable[Cell], *, store: Store | None = None, threads: int | None = None) -> None:
        with unchanged():
            self.cells = tuple(dict.fromkeys(cells))
        self.store: Store = Memory() if store is None else store
        self.threads = workers_of(threads)

    def steps(self, executor: Executor | None = None, stop: threading.Event | None = None) -> Iterator[SweepStep]:
        """Compute what is not kept yet; every finished cell is a step, and the last step says what failed.

        Closing the stream ends the run, as does ``stop``: cells that are streams end between two of their steps, others
        when they are done; those that have not begun do not begin. What is finished is kept.

        Parameters
        ----------
        executor : concurrent.futures.Executor or None
            Any executor of `concurrent.futures`: cells are handed to it, and only their ends are seen from here. It is
            the caller's, and is not shut down. ``None`` computes in this process.
        stop : threading.Event or None
            Ends the run from another thread.

        Yields
        ------
        SweepStep
        """
        run = Run(self.cells)
        for cell in self.cells:
            kept = self.store.kept(cell)
            if kept is not None:
                run.results[cell] = kept
        missing = [cell for cell in self.cells if cell not in run.results]
        if missing and run.results:
            yield run.step(f"{len(run.results)} of {len(self.cells)} cells were computed before")
        if missing:
            self.store.check()
            ended = threading.Event()

            def stopped() -> bool:
                return ended.is_set() or (stop is not None and stop.is_set())

            events = self._here(missing, stopped) if executor is None else self._there(missing, executor, stopped)
            with contextlib.closing(events):
                try:
                    for cell, event in events:
                        yield run.take(cell, event)
                finally:
                    ended.set()
        yield run.end()

    def _here(self, cells: list[Cell], stopped: Callable[[], bool]) -> Generator[tuple[Cell, Event], None, None]:
        chains = [cell for cell in cells if cell.one_core and self.threads > 1]
        if len(chains) > 1:
            yield from self._side_by_side(chains, stopped)
        else:
            chains = []
        beside = set(chains)
        for cell in cells:
            if cell not in beside and not stopped():
                for event in self._events(cell, stopped):
                    yield cell, event

    def _side_by_side(
        self, cells: list[Cell], stopped: Callable[[], bool]
    ) -> Generator[tuple[Cell, Event], None, None]:
        told: queue.SimpleQueue[tuple[Cell, Event] | None] = queue.SimpleQueue()
        over = threading.Event()

        def compute(cell: Cell) -> None:
            try:
                for event in self._events(cell, lambda: over.is_set() or stopped()):
                    told.put((cell, event))
            except BaseException as error:  # noqa: BLE001 - it is raised where the stream is read
                told.put((cell, Done(broken=error)))
            finally:
                told.put(None)

        pool = ThreadPoolExecutor(self.threads)
        try:
            for cell in cells:
                pool.submit(compute, cell)
            yield from _told(told, len(cells), stopped)
        finally:
            over.set()
            pool.shutdown(cancel_futures=True)

    def _events(self, cell: Cell, stopped: Callable[[], bool]) -> Iterator[Event]:
        """Compute one cell in this thread: now and then one of its steps, and its end unless it was stopped."""
        if stopped():
            return
        spoke, found = time.perf_counter(), list[Any]()

        def run() -> Generator[Step, None, None]:
            found.append((yield from cell.steps()))

        try:
            with contextlib.closing(run()) as steps:
                for step in steps:
                    if time.perf_counter() - spoke >= _TELL_SECONDS:
                        yield step
                        spoke = time.perf_counter()
                    if stopped():
                        return
        except _FAILURES as error:  # one cell's error does not end the run; it is recorded
            yield self._keep(cell, Done(error=CellError.of(error)))
        else:
            yield self._keep(cell, Done(result=found[0]))

    def _there(
        self, cells: list[Cell], executor: Executor, stopped: Callable[[], bool]
    ) -> Generator[tuple[Cell, Event], None, None]:
        told: queue.SimpleQueue[tuple[Cell, Event] | None] = queue.SimpleQueue()
        over = threading.Event()

        def failed(cell: Cell, error: BaseException) -> None:
            """Of the executor, not of the cell; after the end, workers that were interrupted are nobody's error."""
            if not isinstance(error, _FAILURES):
                told.put((cell, Done(broken=error)))
            elif not over.is_set():
                told.put((cell, self._keep(cell, Done(error=CellError.of(error)))))

        def finished(cell: Cell, future: Future[Done]) -> None:
            if not future.cancelled():
                error = future.exception()
                if error is None:
                    told.put((cell, self._keep(cell, future.result())))
                else:
                    failed(cell, error)
            told.put(None)

        futures = []
        try:
            for cell in cells:
                try:
                    future = executor.submit(_compute, cell)
                except BrokenExecutor as error:  # a worker has died before all cells were handed over
                    failed(cell, error)
                    told.put(None)
                else:
                    futures.append(future)
                    future.add_done_callback(functools.partial(finished, cell))
            yield from _told(told, len(cells), stopped)
        finally:
            over.set()
            for future in futures:
                future.cancel()

    def _keep(self, cell: Cell, done: Done) -> Done:
        """Keep a result as soon as it is there, whoever reads the stream; a result that cannot be kept is an error."""
        try:
            if done.error is None:
                self.store.keep(cell, done.result)
        except CacheNotWritable as error:
            return Done(broken=error)
        except Exception as error:  # noqa: BLE001 - a result of the wrong kind is the cell's error
            done = Done(error=CellError.of(error))
        if done.error is not None:
            try:
                self.store.failed(cell, done.error.traceback)
            except CacheNotWritable as error:
                return Done(broken=error)
        return done


def _told(
    told: queue.SimpleQueue[tuple[Cell, Event] | None], running: int, stopped: Callable[[], bool]
) -> Iterator[tuple[Cell, Event]]:
    """Pass on what other threads tell until all of them are done; of a run that is stopped, what is told by then."""
    while running:
        if stopped():
            yield from filter(None, (told.get() for _ in range(told.qsize())))
            return
        with contextlib.suppress(queue.Empty):
            found = told.get(timeout=_LOOK_SECONDS)
            if found is None:
                running -= 1
            else:
                yield found


def _compute(cell: Cell) -> Done:
    """Compute a cell from beginning to end, in whatever process this is."""
    try:
        return Done(result=cell.compute())
    except _FAILURES as error:
        return Done(error=CellError.of(error))

"""One BLAS thread inside each of our own threads."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any

__all__ = ["one_thread_inside"]


class _OneThread:
    """Counts who needs a single BLAS thread; the setting belongs to the whole process, so it is changed once."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.limited: Any = None

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        with self.lock:
            if self.users == 0:
                with _from_any_thread():
                    self.limited = _controller().limit(limits=1, user_api="blas")
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if self.users == 0:
                    with _from_any_thread():
                        self.limited.restore_original_limits()


@contextlib.contextmanager
def _from_any_thread() -> Iterator[None]:
    """Let this thread change the number, and the next one after it.

    threadpoolctl 3.8 and newer silently ignores all threads but the one that changed the number first. Our users come
    from many threads and are counted, so that they do not fight.
    """
    free = [getattr(library, "clear_controlling_thread", None) for library in _controller().lib_controllers]
    for clear in filter(None, free):
        clear(force=True)
    try:
        yield
    finally:
        for clear in filter(None, free):
            clear(force=True)


@functools.cache
def _controller() -> Any:
    import scipy.linalg.cython_blas  # noqa: F401 - loads the library that the controller has to find
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


one_thread_inside = _OneThread()

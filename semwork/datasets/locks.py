"""A lock between processes that dies with its holder, so that nobody waits for the dead.

Some file systems have no locks (some network drives). There nothing is fetched: two processes that write the same files
unlocked could each trust what the other is still writing, and the cache is easily put elsewhere.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

__all__ = ["Lock"]

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


_HELD = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES}
"""What the systems say when somebody else holds the lock; everything else would not go away by waiting."""


class Lock:
    """An exclusive lock on a file; the operating system frees it when the process ends, however it ends.

    The file itself stays: removing it would let two processes lock two files of the same name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Try once; ``False`` when somebody else holds it.

        Raises
        ------
        OSError
            When the file cannot be made, or when its file system cannot lock.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            if error.errno in _HELD:
                return False
            words = f"the file system cannot lock files: {error.strerror}"
            raise OSError(error.errno, words, str(self.path)) from error
        self._handle = handle
        return True

    def release(self) -> None:
        """Give it back; harmless when it is not held."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            _unlock(handle)
            os.close(handle)

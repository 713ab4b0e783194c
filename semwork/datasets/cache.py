"""Writing into the cache: beside the file and then into its place, and in words when it cannot be done."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from semwork.datasets import places

__all__ = ["CacheNotWritable", "cannot_write", "check_writable", "writing"]


class CacheNotWritable(OSError):  # noqa: N818 - reads better in a message
    """The cache cannot be written; the message says what was to be kept, where, why not, and what to do."""


def cannot_write(what: str, error: OSError) -> str:
    """Say in words that `what` could not be written."""
    return (
        f"cannot write {what} to the cache {places.cache_folder()} ({error}). Make room there, or choose a folder that "
        "you may write to: SEMWORK_CACHE=FOLDER"
    )


def check_writable(folder: Path, what: str) -> None:
    """Raise when nothing can be written into a folder of the cache, before work is done that is to be kept there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CacheNotWritable(cannot_write(what, error)) from error


@contextlib.contextmanager
def writing(path: Path, what: str) -> Iterator[Path]:
    """Give a name beside `path` to write to; what was written is put into place when it is whole and on the disk."""
    staged = path.with_name(f".{os.getpid()}-{threading.get_ident()}-{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield staged
        with staged.open("rb+") as file:
            os.fsync(file.fileno())
        staged.replace(path)
    except OSError as error:
        raise CacheNotWritable(cannot_write(what, error)) from error
    finally:
        with contextlib.suppress(OSError):
            staged.unlink(missing_ok=True)

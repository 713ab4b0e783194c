"""Writing into the cache: beside the file and then into its place, and in words when it cannot be done."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from semwork.atomic import written_whole
from semwork.datasets import folders

__all__ = ["CacheNotWritable", "cannot_write", "check_writable", "saying", "writing"]


class CacheNotWritable(OSError):  # noqa: N818 - reads better in a message
    """The cache cannot be written; the message says what was to be kept, where, why not, and what to do."""


def cannot_write(what: str, error: OSError) -> str:
    """Say in words that `what` could not be written."""
    return (
        f"cannot write {what} to the cache {folders.cache_folder()} ({error}). Make room there, or choose a folder "
        "that you may write to: SEMWORK_CACHE=FOLDER"
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
def saying(path: Path, what: str) -> Iterator[None]:
    """Make the folder of a file of the cache, and say in words when it or the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise CacheNotWritable(cannot_write(what, error)) from error


@contextlib.contextmanager
def writing(path: Path, what: str) -> Iterator[IO[bytes]]:
    """Open a file of the cache for bytes; it is there, or takes the place of an older one, when it is whole."""
    with saying(path, what), written_whole(path) as file:
        yield file

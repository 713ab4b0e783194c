"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

__all__ = ["write_whole", "written_whole"]


@contextlib.contextmanager
def written_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for bytes that takes its place, or that of an older one, only when all of it is written.

    The bytes go to a file beside it, which is renamed at the end. Whatever fails before (a full disk, an interrupt)
    leaves the older file as it was and no other behind. The permissions of an older file are kept, and a link stays a
    link.

    Parameters
    ----------
    path : str or Path
        Where the file will be; its folder must be there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with written_whole(f"{folder}/numbers.txt") as file:
    ...         size = file.write(b"1 2 3")
    ...     print(os.listdir(folder), size)
    ['numbers.txt'] 5
    """
    target = Path(path).resolve()
    # Not tempfile's: its files are for nobody but their owner.
    beside = target.with_name(f".semwork-{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(target, beside)
        beside.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(beside)):
            error.filename = str(target)  # the file that was asked for, not the one beside it
        raise


def write_whole(path: str | Path, content: bytes | str) -> None:
    """Write a file in one go, as `written_whole` does; text becomes UTF-8.

    Parameters
    ----------
    path : str or Path
        Where the file will be; its folder must be there.
    content : bytes or str
        All of the file.
    """
    with written_whole(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)

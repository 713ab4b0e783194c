"""Parsed forms, kept in the cache: Parquet, npy and text, never pickle; keyed by source hashes and by their code."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semwork.datasets import folders
from semwork.datasets.cache import CacheNotWritable, cannot_write
from semwork.datasets.trust import Checker, sha256_of
from semwork.sources import NotImportable, digest

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Source", "frame", "stored"]

_SEAL = "complete.json"
_ALWAYS_HASHED = 64_000_000  # larger files are memory-mapped: hashing them at every load would undo that
_unkept: dict[Path, Path] = {}  # folder of a cache that could not be written → where its files are for this process


@dataclass(frozen=True)
class Source:
    """What a loader gets: the original files, when it needs them, and what identifies them.

    Parameters
    ----------
    name : str
        The data set.
    fingerprint : str
        Digest of its original files, from the register.
    folder : callable
        Returns the folder of the original files; this is where a missing data set is fetched.
    other : callable
        Returns the source of another data set, for derived ones.
    """

    name: str
    fingerprint: str
    folder: Callable[[], Path]
    other: Callable[[str], Source]


def stored(source: Source, part: str, write: Callable[[Path], None], made_by: Callable[..., Any] | None = None) -> Path:
    """Return a folder with what `write` writes, from the cache when it is there and whole.

    A cache that cannot be written costs time and nothing else: a warning says so, and the files go to a temporary
    folder of this process.

    Parameters
    ----------
    source : Source
        Whose parsed form it is.
    part : str
        A word for this form, such as ``"table-1"``; another number for other files.
    write : callable
        Writes files into the empty folder it is given.
    made_by : callable or None
        Whose code makes what is written, if not that of `write`: when it changes, the form is made again.

    Returns
    -------
    Path
    """
    said = f"{source.name} {part} {source.fingerprint} {_code(made_by or write)}"
    key = hashlib.sha256(said.encode()).hexdigest()[:16]
    folder = folders.cache_folder() / "parsed" / f"{source.name}-{part}-{key}"
    if _whole(folder):
        return folder
    if folder in _unkept:
        return _unkept[folder]
    try:
        return _write(folder, write)
    except OSError as error:
        words = cannot_write(f"the parsed form of {source.name!r}", error)
    try:
        _unkept[folder] = _write(_temporary() / folder.name, write)
    except OSError as error:
        raise CacheNotWritable(f"{words}\nNor could it be written to a temporary folder ({error}).") from error
    warnings.warn(f"{words}\nUntil then it is made anew in every process.", stacklevel=2)
    return _unkept[folder]


def _code(maker: Callable[..., Any]) -> str:
    """A digest of the code around a function of a loader; empty where it has no file."""
    try:
        return digest((maker.__module__, maker.__qualname__.partition(".")[0]))
    except (AttributeError, NotImportable):
        return ""


@functools.cache
def _temporary() -> Path:
    folder = tempfile.mkdtemp(prefix="semwork-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _whole(folder: Path) -> bool:
    try:
        seal = json.loads((folder / _SEAL).read_text(encoding="utf-8"))
        check = Checker(f"parsed-{folder.name}")
        for name, (size, sha256) in seal.items():
            path = folder / name
            actual = path.stat().st_size
            if actual != size or (sha256_of(path) if actual < _ALWAYS_HASHED else check.digest(path)) != sha256:
                return False
        check.save()
    except (OSError, ValueError, TypeError, AttributeError):
        return False
    return True


def _write(folder: Path, write: Callable[[Path], None]) -> Path:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))
    try:
        write(work)
        seal = {path.name: [path.stat().st_size, sha256_of(path)] for path in sorted(work.iterdir())}
        (work / _SEAL).write_text(json.dumps(seal), encoding="utf-8")
        for _ in range(3):
            with contextlib.suppress(OSError):
                work.rename(folder)
                return folder
            if _whole(folder):  # another process was faster
                return folder
            _clear(folder)
        raise OSError(f"cannot put the parsed form into {folder}; remove that folder and try again")
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove what killed processes left here more than an hour ago."""
    for leftover in [*folder.glob(".new-*"), *folder.glob(".old-*")]:
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > 3600:
                shutil.rmtree(leftover, ignore_errors=True)


def _clear(folder: Path) -> None:
    """Take a damaged folder out of the way in one step, then remove it."""
    with contextlib.suppress(OSError):
        aside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".old-"))
        folder.rename(aside / "damaged")
        shutil.rmtree(aside, ignore_errors=True)


def frame(
    source: Source, part: str, build: Callable[[], pd.DataFrame], columns: list[str] | None = None
) -> pd.DataFrame:
    """Return the table that `build` makes, kept as Parquet; `columns` reads only some."""
    import pandas as pd

    def write(folder: Path) -> None:
        build().to_parquet(folder / "table.parquet", index=False, compression="zstd")

    return pd.read_parquet(stored(source, part, write, build) / "table.parquet", columns=columns)

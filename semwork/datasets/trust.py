"""Nothing is used before its SHA-256 was checked; what was checked once is remembered by path, size and time."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from semwork.atomic import write_whole
from semwork.datasets import folders
from semwork.datasets.registry import Archive, File

__all__ = ["Checker", "sha256_of"]


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Checker:
    """Checks files of one data set against the register, and remembers what it has hashed.

    Parameters
    ----------
    name : str
        The data set; its memory is ``checked/<name>.json`` in the cache.
    fresh : bool
        Hash again, whatever was remembered.
    """

    def __init__(self, name: str, *, fresh: bool = False) -> None:
        self._memory = folders.cache_folder() / "checked" / f"{name}.json"
        self._known: dict[str, list[int | str]] = {}
        self._changed = False
        self.problems: list[str] = []
        if not fresh:
            with contextlib.suppress(OSError, ValueError):
                self._known = dict(json.loads(self._memory.read_text(encoding="utf-8")))

    def genuine(self, path: Path, file: File | Archive) -> bool:
        """Say whether `path` is there with the bytes of `file`; what is wrong goes to ``problems``."""
        try:
            stat = path.stat()
        except (OSError, ValueError):
            return False
        if stat.st_size != file.size:
            self.problems.append(f"{path} has {stat.st_size:,} bytes instead of {file.size:,}; it was left alone")
            return False
        if self.digest(path) == file.sha256:
            return True
        self.problems.append(f"{path} has another SHA-256 than the registry says ({file.sha256}); it was left alone")
        return False

    def digest(self, path: Path) -> str:
        """Return the SHA-256, from memory when size and time are those of the last time."""
        stat = path.stat()
        known = self._known.get(str(path))
        if known and known[:2] == [stat.st_size, stat.st_mtime_ns]:
            return str(known[2])
        sha256 = sha256_of(path)
        self._known[str(path)] = [stat.st_size, stat.st_mtime_ns, sha256]
        self._changed = True
        return sha256

    def save(self) -> None:
        """Remember for the next process; a cache that cannot be written only costs time."""
        if self._changed:
            with contextlib.suppress(OSError):
                self._memory.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._memory, json.dumps(self._known))
            self._changed = False

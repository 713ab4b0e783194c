"""Take the registered members out of an archive, and nothing else, and nowhere else."""

from __future__ import annotations

import hashlib
import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from semwork.datasets.registry import File

__all__ = ["UnsafeArchive", "safe_path", "unpack"]

_CHUNK = 1 << 20


class UnsafeArchive(ValueError):  # noqa: N818 - reads better in a message
    """An archive that holds something other than what the register promises."""


def safe_path(folder: Path, name: str) -> Path:
    """Return the place of `name` in `folder`; raise when it would land anywhere else."""
    parts = PurePosixPath(name).parts
    wrong = not parts or name.startswith("/") or ".." in parts or "\\" in name or "\0" in name
    if wrong or re.match(r"[A-Za-z]:", name):
        raise UnsafeArchive(f"the name {name!r} would land outside of the folder; the archive is refused")
    return folder.joinpath(*parts)


def unpack(archive: Path, files: Sequence[File], folder: Path) -> Iterator[File]:
    """Unpack exactly `files` into `folder`, one per step.

    Every name in the archive is looked at: one that points outside (absolute, ``..``, drive letter, backslash)
    condemns the whole archive. A wanted member must be a regular file of the registered size and SHA-256; no more
    than that size is ever written, whatever the archive claims.
    """
    wanted = {file.member: file for file in files}
    opened = _zip_members(archive) if zipfile.is_zipfile(archive) else _tar_members(archive)
    for name, regular, size, source in opened:
        safe_path(folder, name.rstrip("/") or name)
        file = wanted.get(name)
        if file is None:
            continue
        if not regular:
            raise UnsafeArchive(f"{name!r} in {archive.name} is a link or a device, not a file; the archive is refused")
        if size != file.size:
            raise UnsafeArchive(f"{name!r} in {archive.name} claims {size:,} bytes; the registry says {file.size:,}")
        _copy(source(), safe_path(folder, file.path), file)
        del wanted[name]
        yield file
    if wanted:
        raise UnsafeArchive(f"{archive.name} lacks {', '.join(sorted(wanted)[:5])}")


class _Opener:
    """Opens a member when it is wanted, so that the others cost nothing."""

    def __init__(self, archive: zipfile.ZipFile | tarfile.TarFile, member: zipfile.ZipInfo | tarfile.TarInfo) -> None:
        self._archive, self._member = archive, member

    def __call__(self) -> IO[bytes]:
        if isinstance(self._archive, zipfile.ZipFile):
            assert isinstance(self._member, zipfile.ZipInfo)  # noqa: S101 - for the type checker
            return self._archive.open(self._member)
        assert isinstance(self._member, tarfile.TarInfo)  # noqa: S101 - for the type checker
        source = self._archive.extractfile(self._member)
        if source is None:
            raise UnsafeArchive(f"{self._member.name!r} cannot be read")
        return source


_Member = tuple[str, bool, int, _Opener]


def _zip_members(path: Path) -> Iterator[_Member]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            mode = stat.S_IFMT(info.external_attr >> 16)
            regular = not info.is_dir() and mode in (0, stat.S_IFREG)
            yield info.orig_filename, regular, info.file_size, _Opener(archive, info)


def _tar_members(path: Path) -> Iterator[_Member]:
    with tarfile.open(path) as archive:
        for info in archive:
            yield info.name, info.isreg(), info.size, _Opener(archive, info)


def _copy(source: IO[bytes], target: Path, file: File) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), file.size
    with source, target.open("xb") as out:
        while chunk := source.read(min(_CHUNK, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise UnsafeArchive(f"{file.member!r} is longer than the {file.size:,} bytes of the registry")
            digest.update(chunk)
            out.write(chunk)
    if digest.hexdigest() != file.sha256:
        raise UnsafeArchive(f"{file.member!r} has another SHA-256 than the registry says")

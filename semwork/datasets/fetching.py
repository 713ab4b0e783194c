"""Fetch a data set as a stream of steps: atomic, checked, safe against kills and against a second process."""

from __future__ import annotations

import contextlib
import errno
import shutil
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from semwork.datasets import folders
from semwork.datasets.download import SourceFailed, from_package, from_url
from semwork.datasets.finding import DataNotAvailable, Found, find, ways
from semwork.datasets.locks import Lock
from semwork.datasets.registry import Archive, DataSet, File, megabytes, registered
from semwork.datasets.trust import Checker
from semwork.datasets.unpack import UnsafeArchive, safe_path, unpack
from semwork.steps import Step

__all__ = ["FetchStep", "fetch"]


@dataclass(frozen=True, kw_only=True)
class FetchStep(Step):
    """One record of a fetch; ``done`` and ``total`` are bytes.

    Parameters
    ----------
    name : str
        The data set.
    phase : {"waiting", "downloading", "unpacking", "ready"}
        ``"waiting"`` (for another process), ``"downloading"``, ``"unpacking"`` or ``"ready"``.
    speed : float or None
        Bytes per second since this download began; ``None`` when nothing is downloaded.
    """

    name: str
    phase: str
    speed: float | None = None


def fetch(data: DataSet) -> Generator[FetchStep, None, None]:
    """Make sure that a data set is on this machine; draining the stream does the work.

    Closing the stream between two steps stops the work and leaves nothing that a later run would trust.
    """
    if data.kind == "derived":
        for name in data.needs:
            yield from fetch(registered()[name])
    if data.kind in {"derived", "library", "written"}:
        yield _ready(data)
        return
    if find(data).folder is None:
        lock = Lock(folders.cache_folder() / "locks" / f"{data.archive.path if data.archive else data.name}.lock")
        try:
            while not lock.acquire():
                words = f"{data.name}: waiting for another process that fetches it"
                yield FetchStep(done=0, total=data.download_size, name=data.name, phase="waiting", message=words)
                time.sleep(0.2)
        except OSError as error:
            raise DataNotAvailable(_cannot_write(data, error)) from error
        try:
            yield from _fetch_alone(data)
        finally:
            lock.release()
    yield _ready(data)


def _ready(data: DataSet) -> FetchStep:
    size = max(1, data.download_size)
    return FetchStep(done=size, total=size, name=data.name, phase="ready", message=f"{data.name}: ready")


def _cannot_write(data: DataSet, error: OSError) -> str:
    folder = folders.cache_folder()
    if error.errno == errno.ENOSPC:
        # pip has the artefact twice while it works; then there are the artefact and its files.
        room = megabytes(data.download_size + max(data.download_size, sum(file.size for file in data.files)))
        return (
            f"the disk of the cache {folder} is full ({error}). The data set {data.name!r} needs about {room}: "
            "make room there, or set $SEMWORK_CACHE to a folder on another disk."
        )
    return f"cannot work in the cache {folder} ({error}). Set $SEMWORK_CACHE to a folder of yours.\n{ways(data)}"


def _fetch_alone(data: DataSet) -> Iterator[FetchStep]:
    """Fetch while holding the lock: whatever lies in the staging folder is a leftover of somebody killed."""
    found = find(data)  # another process may have been faster
    if found.folder:
        return
    staging = folders.cache_folder() / "staging" / (data.archive.path if data.archive else data.name)
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir(parents=True, exist_ok=True)  # a pip that outlived its parent may still write there
        work = Path(tempfile.mkdtemp(dir=staging))
        if data.archive:
            yield from _fetch_archive(data, data.archive, found, work)
        else:
            yield from _fetch_files(data, found, work)
    except OSError as error:
        raise DataNotAvailable(_cannot_write(data, error)) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _fetch_archive(data: DataSet, archive: Archive, found: Found, work: Path) -> Iterator[FetchStep]:
    path = found.archive
    if path is None:
        downloaded = work / archive.path
        yield from _download(data, archive, downloaded, 0, found)
        path = folders.cache_folder() / "downloads" / archive.path
        path.parent.mkdir(parents=True, exist_ok=True)
        downloaded.replace(path)
    size = archive.size
    try:
        for number, file in enumerate(unpack(path, data.files, work / "unpacked"), start=1):
            words = f"{data.name}: unpacking, {number} of {len(data.files)} files ({file.path})"
            yield FetchStep(done=size, total=size, name=data.name, phase="unpacking", message=words)
    except (UnsafeArchive, zipfile.BadZipFile, tarfile.TarError) as error:
        raise DataNotAvailable(f"{path} was refused: {error}\n{ways(data)}") from error
    _into_place(work / "unpacked", data)


def _fetch_files(data: DataSet, found: Found, work: Path) -> Iterator[FetchStep]:
    check = Checker(data.name)
    before = 0
    for file in data.files:
        target = safe_path(work / "files", file.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        places_of_file = (safe_path(root / data.name, file.path) for root in folders.roots())
        here = next((path for path in places_of_file if check.genuine(path, file)), None)
        if here:
            shutil.copyfile(here, target)
        else:
            yield from _download(data, file, target, before, found)
        before += file.size
    _into_place(work / "files", data)


def _into_place(unpacked: Path, data: DataSet) -> None:
    """Move checked files to their folder, each in one atomic step; the data set counts when all are there."""
    folder = folders.cache_folder() / data.name
    for file in data.files:
        target = safe_path(folder, file.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        safe_path(unpacked, file.path).replace(target)


def _download(data: DataSet, file: File | Archive, target: Path, before: int, found: Found) -> Iterator[FetchStep]:
    """Try the sources in their order; raise with all their reasons and every way when none gives the bytes."""
    reasons = list(found.problems)
    if folders.offline():
        reasons.append("the network is forbidden by $SEMWORK_OFFLINE")
    else:
        sources: list[tuple[str, Generator[int, None, None]]] = [
            (url, from_url(url, file, target)) for url in file.urls
        ]
        if isinstance(file, Archive) and file.package:
            sources.append((f"package {file.package}", from_package(file.package, file, target)))
        for source, stream in sources:
            start = time.monotonic()
            try:
                with contextlib.closing(stream):
                    for done in stream:
                        speed = done / max(1e-9, time.monotonic() - start)
                        yield _progress(data, file, before + done, speed)
            except SourceFailed as error:
                reasons.append(f"{source}: {error}")
            else:
                yield _progress(data, file, before + file.size, file.size / max(1e-9, time.monotonic() - start))
                return
    what = f"The data set {data.name!r} is not on this machine and could not be fetched."
    tried = "\n".join(["What was tried:", *(f"  - {reason}" for reason in reasons)])
    raise DataNotAvailable(f"{what}\n{tried}\n{ways(data)}")


def _progress(data: DataSet, file: File | Archive, done: int, speed: float) -> FetchStep:
    total = data.download_size
    words = f"{data.name}: {file.path}, {megabytes(done)} of {megabytes(total)}, {megabytes(round(speed))}/s"
    return FetchStep(done=done, total=total, name=data.name, phase="downloading", speed=speed, message=words)

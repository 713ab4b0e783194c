"""Bytes from outside: a URL through pooch, a pinned package through pip. Streams that can be stopped."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Generator
from pathlib import Path
from typing import IO

from semwork.datasets.registry import Archive, File
from semwork.datasets.trust import sha256_of

__all__ = ["SourceFailed", "from_package", "from_url"]

TIMEOUT = (10.0, 20.0)  # seconds to connect, and between two pieces
ATTEMPTS = 3
_TICK = 0.1
_CHUNK = 1 << 16


class SourceFailed(RuntimeError):  # noqa: N818 - reads better in a message
    """One source did not give the right bytes; the next one may."""


class _Stopped(Exception):  # noqa: N818 - not an error: the reader of the stream has gone
    pass


class _Watched:
    """A file that counts what is written, never grows past its size, and stops when it is told to."""

    def __init__(self, file: IO[bytes], limit: int) -> None:
        self._file, self._limit = file, limit
        self.done = 0
        self.stop = False

    def write(self, chunk: bytes) -> int:
        if self.stop:
            raise _Stopped
        self.done += len(chunk)
        if self.done > self._limit:
            raise SourceFailed(f"it sends more than the {self._limit:,} bytes of the registry")
        return self._file.write(chunk)

    def flush(self) -> None:
        self._file.flush()


def from_url(url: str, wanted: File | Archive, target: Path) -> Generator[int, None, None]:
    """Download `url` to `target`, yielding the bytes so far; raise `SourceFailed` unless size and SHA-256 are right.

    A connection that breaks off is tried again from the start, three times in all; an answer like 404 is final.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            yield from _one_attempt(url, wanted, target)
        except _Again as error:
            if attempt == ATTEMPTS:
                raise SourceFailed(f"{error} ({attempt} attempts)") from error
            until = time.monotonic() + 0.5 * 2**attempt
            while time.monotonic() < until:
                yield 0
                time.sleep(_TICK)
        else:
            return


class _Again(Exception):  # noqa: N818 - not the last word: another attempt may do
    pass


def _one_attempt(url: str, wanted: File | Archive, target: Path) -> Generator[int, None, None]:
    import pooch

    outcome: list[BaseException] = []
    headers = {"Accept-Encoding": "identity"}
    fetch = pooch.HTTPDownloader(timeout=TIMEOUT, chunk_size=_CHUNK, headers=headers)
    with target.open("wb") as file:
        watched = _Watched(file, wanted.size)

        def work() -> None:
            try:
                fetch(url, watched, None)
            except BaseException as error:  # noqa: BLE001 - handed to the reader of the stream, below
                outcome.append(error)

        # pooch calls back from inside its loop; a thread turns that into a stream which Stop can leave at once.
        thread = threading.Thread(target=work, name="semwork-download", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(_TICK)
                yield watched.done
        finally:
            watched.stop = True
            thread.join(1.0)
        file.flush()
        os.fsync(file.fileno())
    if outcome:
        _explain(outcome[0], watched.done)
    if watched.done != wanted.size:
        raise _Again(f"the connection broke off after {watched.done:,} of {wanted.size:,} bytes")
    if sha256_of(target) != wanted.sha256:
        raise SourceFailed(f"its bytes have another SHA-256 than the registry says ({wanted.sha256})")


def _explain(error: BaseException, done: int) -> None:
    """Raise `_Again` for what may pass, `SourceFailed` for what will not."""
    import requests
    import urllib3

    if isinstance(error, requests.HTTPError) and error.response is not None:
        status = error.response.status_code
        words = f"the server answered {status} {error.response.reason}"
        raise (_Again if status >= 500 or status == 429 else SourceFailed)(words) from error
    if isinstance(error, requests.RequestException):
        cause = error.args[0] if error.args else None
        if isinstance(cause, urllib3.exceptions.MaxRetryError):  # it never came to a connection
            raise SourceFailed(f"no connection ({type(cause.reason or error).__name__})") from error
        raise _Again(f"the connection broke off after {done:,} bytes ({type(error).__name__})") from error
    raise error


def from_package(package: str, wanted: Archive, target: Path) -> Generator[int, None, None]:
    """Let pip download a pinned artefact to `target`, yielding the bytes so far.

    pip checks the SHA-256 before it looks inside. For a source distribution it then runs the metadata step of the
    package's build (in a temporary environment of its own); semwork itself only unpacks data. Progress is seen from
    outside, as the growth of pip's temporary folder, which is put beside `target`. pip keeps no copy in its own
    cache: the artefact stays in ours.
    """
    work = target.parent / "pip"
    for folder in ("tmp", "got"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    requirements = work / "requirements.txt"
    requirements.write_text(f"{package} --hash=sha256:{wanted.sha256}\n", encoding="utf-8")
    name = package.partition("==")[0]
    form = "--no-binary" if wanted.path.endswith(".tar.gz") else "--only-binary"
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", form, name]
    command += ["--ignore-requires-python", "--no-cache-dir", "--disable-pip-version-check", "--no-input"]
    command += ["--progress-bar", "off", "--timeout", "15", "--retries", "2"]
    command += ["--dest", str(work / "got"), "--requirement", str(requirements)]
    environment = os.environ | {name: str(work / "tmp") for name in ("TMPDIR", "TEMP", "TMP")}
    said: deque[str] = deque(maxlen=6)
    status = yield from _watch(command, environment, said, work, wanted.size)
    got = work / "got" / wanted.path
    if status != 0 or not got.is_file():
        if any(f"[Errno {errno.ENOSPC}]" in line for line in said):
            raise OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)}, says pip", str(work))
        raise SourceFailed("pip could not download it; its last words:\n" + "\n".join(f"    {line}" for line in said))
    if sha256_of(got) != wanted.sha256:
        raise SourceFailed(f"its bytes have another SHA-256 than the registry says ({wanted.sha256})")
    got.replace(target)
    shutil.rmtree(work, ignore_errors=True)


def _watch(
    command: list[str], environment: dict[str, str], said: deque[str], work: Path, size: int
) -> Generator[int, None, int]:
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    # Not into a file: a full disk would take no words about it.
    listener = threading.Thread(target=_listen, args=(process.stdout, said), name="semwork-pip", daemon=True)
    listener.start()
    try:
        while True:
            try:
                status = process.wait(_TICK)
            except subprocess.TimeoutExpired:
                yield min(_grown(work), size)
            else:
                return status
    finally:
        if process.poll() is None:
            _kill(process)
        listener.join(1.0)


def _listen(pipe: IO[bytes], said: deque[str]) -> None:
    with pipe:
        for line in pipe:
            words = line.decode("utf-8", errors="replace").rstrip()
            if words:
                said.append(words[:300])


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End pip and the build it may have started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _grown(folder: Path) -> int:
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):  # pip removes its files while we look
                total += (Path(place) / name).stat().st_size
    return total

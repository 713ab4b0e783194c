"""Several processes at once, and processes that are killed: nothing wrong is ever trusted."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from conftest import make_zip

from semwork import datasets
from semwork.datasets import locks
from semwork.datasets.locks import Lock

FETCH = """
import sys
from pathlib import Path
from semwork.datasets import folders
folders.registry_file = lambda: Path(sys.argv[1])
from semwork import datasets
print("start", flush=True)
for step in datasets.fetch("big"):
    print(step.phase, flush=True)
"""

MEMBERS = {f"top/{i}": random.Random(i).randbytes(200_000) for i in range(12)}
ARCHIVE = make_zip(MEMBERS)


def start(shelf) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", FETCH, str(shelf.registry)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))


def check(shelf) -> None:
    folder = datasets.path("big")
    for name, content in MEMBERS.items():
        assert (folder / name.removeprefix("top/")).read_bytes() == content


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 4])
def test_processes_that_fetch_at_once_download_once(shelf, server, count):
    shelf.add_archive("big", "big.zip", ARCHIVE, MEMBERS, urls=[server.put("/big.zip", ARCHIVE, *["slow"] * count)])
    processes = [start(shelf) for _ in range(count)]
    results = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * count, results
    assert server.requests == ["/big.zip"]
    assert all(out.endswith("ready\n") for out, _ in results)
    check(shelf)


@pytest.mark.slow
def test_kill_at_random_moments(shelf, server):
    """Kill -9 while it downloads, unpacks and moves; the next run never trusts a half and leaves no leftovers."""
    url = server.put("/big.zip", ARCHIVE, *["slow"] * 100)
    shelf.add_archive("big", "big.zip", ARCHIVE, MEMBERS, urls=[url])
    chance = random.Random(1)
    for _ in range(6):
        for lost in ("downloads", "big"):
            if chance.random() < 0.5:
                for path in (shelf.cache / lost).glob("*"):
                    path.unlink()
        process = start(shelf)
        assert process.stdout is not None
        assert process.stdout.readline() == "start\n"
        time.sleep(chance.uniform(0, 4.5))
        process.kill()
        process.communicate()
        found = datasets.finding.find(datasets.describe("big"))
        if found.folder:
            check(shelf)
    server.behaviour["/big.zip"].clear()
    check(shelf)
    assert list(shelf.cache.rglob("*.zip")) == [shelf.cache / "downloads" / "big.zip"]
    assert not [p for p in (shelf.cache / "staging").rglob("*") if p.is_file()]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("phase", ["downloading", "unpacking"])
def test_killed_in_a_phase_the_next_run_takes_over_at_once(shelf, server, phase):
    url = server.put("/big.zip", ARCHIVE, "slow")
    shelf.add_archive("big", "big.zip", ARCHIVE, MEMBERS, urls=[url])
    process = start(shelf)
    assert process.stdout is not None
    while process.stdout.readline() != phase + "\n":
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    begin = time.monotonic()
    check(shelf)
    assert time.monotonic() - begin < 5, "a dead process must not hold the lock"


def test_lock_excludes_and_frees(tmp_path):
    one, two = Lock(tmp_path / "x" / "lock"), Lock(tmp_path / "x" / "lock")
    assert one.acquire()
    assert not two.acquire()
    one.release()
    one.release()
    assert two.acquire()
    two.release()


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL])
def test_a_file_system_without_locks_is_an_error_and_no_endless_waiting(shelf, server, monkeypatch, code):
    def refuse(handle):
        handles.append(handle)
        raise OSError(code, os.strerror(code))

    handles: list[int] = []
    monkeypatch.setattr(locks, "_lock", refuse)
    lock = Lock(shelf.cache / "locks" / "x.lock")
    with pytest.raises(OSError, match=r"cannot lock files.*x\.lock") as caught:
        lock.acquire()
    assert caught.value.errno == code
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(handles[0])
    lock.release()
    shelf.add_archive("big", "big.zip", ARCHIVE, MEMBERS, urls=[server.put("/big.zip", ARCHIVE)])
    with pytest.raises(datasets.DataNotAvailable, match=r"cannot lock files.*Set \$SEMWORK_CACHE"):
        list(datasets.fetch("big"))


@pytest.mark.parametrize("code", [errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK])
def test_held_by_another(tmp_path, monkeypatch, code):
    def held(handle):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(locks, "_lock", held)
    assert not Lock(tmp_path / "lock").acquire()


def test_waiting_for_another_is_a_step_and_can_be_stopped(shelf, server):
    shelf.add_archive("big", "big.zip", ARCHIVE, MEMBERS, urls=[server.put("/big.zip", ARCHIVE)])
    lock = Lock(shelf.cache / "locks" / "big.zip.lock")
    assert lock.acquire()
    stream = datasets.fetch("big")
    assert next(stream).phase == "waiting"
    assert next(stream).phase == "waiting"
    stream.close()
    stream = datasets.fetch("big")
    next(stream)
    lock.release()
    assert [step.phase for step in stream][-1] == "ready"

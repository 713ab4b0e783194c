"""Every test, on two cores: ``make test``.

The browser's tests have the machine, and are seen while they run; the others take what the browser leaves, one after
the other, and two at a time when it is done. Their reports come at the end. ``python -m tests.everything`` ends with 0
when nothing has failed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
BROWSER = [*PYTEST, "-m", "browser"]
# What takes long does not wait for the rest of its file.
UNIT = [*PYTEST, "-m", "not browser", "-n", "2", "--dist", "worksteal"]
LESSONS = [*PYTEST, "--nbval", "--nbval-sanitize-with", "tests/notebooks/sanitise.cfg", "notebooks"]
POSIX = os.name != "nt"


class Parts:
    """Parts of the tests that run beside each other; stopped as a whole."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[bytes]] = []
        self.ended: list[tuple[str, float, int]] = []
        self.stopped = False
        self.starting = threading.Lock()

    def run(self, name: str, command: list[str], output: IO[bytes] | None = None) -> None:
        """Run a part to its end, in a group of processes of its own."""
        began = time.monotonic()
        with self.starting:
            if self.stopped:
                return
            process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output, start_new_session=POSIX)
            self.running.append(process)
        code = process.wait()
        self.ended.append((name, time.monotonic() - began, code))

    def stop(self) -> None:
        """End whatever still runs, with all that it has started; nothing is started any more."""
        with self.starting:
            self.stopped = True
        for process in self.running:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM) if POSIX else process.terminate()


def main(first: list[str] = BROWSER, beside: dict[str, list[str]] | None = None) -> int:
    """Run the first part in sight, and the others one after the other beside it, or beside each other after it."""
    beside = {"unit": UNIT, "lessons": LESSONS} if beside is None else beside
    nice = ["nice"] if shutil.which("nice") else []
    parts, waiting = Parts(), deque(beside.items())
    with contextlib.ExitStack() as files:
        logs = {name: files.enter_context(tempfile.TemporaryFile()) for name in beside}

        def others() -> None:
            with contextlib.suppress(IndexError):
                while True:
                    name, command = waiting.popleft()
                    parts.run(name, [*nice, *command], logs[name])

        thread = threading.Thread(target=others, daemon=True)
        thread.start()
        try:
            parts.run("browser", first)
            others()
            thread.join()
        finally:
            parts.stop()
            sys.stdout.flush()
            for log in logs.values():
                log.seek(0)
                shutil.copyfileobj(log, sys.stdout.buffer)
            sys.stdout.flush()
    for name, seconds, code in parts.ended:
        print(f"{name}: {seconds / 60:.1f} min, {'all well' if code == 0 else f'FAILED (exit code {code})'}")
    return int(any(code for _, _, code in parts.ended))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        sys.exit(130)

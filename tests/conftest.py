"""What needs a browser or real data says why it is skipped; under .ci/run nothing may be skipped for that."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# A landing is judged on the same examples every time; at home every run looks at new ones.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("home", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "home")


def _required(variable: str) -> bool:
    return os.environ.get(variable) == "1"


def _missing_data(name: str) -> str | None:
    from semwork import datasets

    return None if datasets.available(name) else f"data set {name!r} is not on this machine: semwork data fetch {name}"


def _missing_browser() -> str | None:
    return None if shutil.which("chromium") else "no chromium on the PATH: install the chromium package"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what cannot run here, or fail when the environment says that it must run."""
    reasons = [_missing_data(name) for mark in item.iter_markers("data") for name in mark.args]
    missing_data = [reason for reason in reasons if reason]
    if missing_data:
        _skip_or_fail(missing_data[0], "SEMWORK_REQUIRE_DATA")
    if any(item.iter_markers("browser")):
        reason = _missing_browser()
        if reason:
            _skip_or_fail(reason, "SEMWORK_REQUIRE_BROWSER")


def _skip_or_fail(reason: str, variable: str) -> None:
    if _required(variable):
        pytest.fail(f"{reason} ({variable}=1 makes this test mandatory)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def small_disk():
    """Run Python where a folder is a disk of its own, such as one of ``size=1m`` or ``ro``; nothing stays mounted."""
    private = ["unshare", "--user", "--map-root-user", "--mount"]
    mount = 'mount -t tmpfs -o "$0" none "$1" && shift && exec "$@"'
    if shutil.which("unshare") is None:
        pytest.skip("no disk can be mounted here: there is no unshare")
    tried = subprocess.run([*private, "sh", "-c", mount, "ro", "/tmp", "true"], capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f"no disk can be mounted here: {tried.stderr.strip()}")

    def run(options: str, folder: Path, code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        folder.mkdir(parents=True, exist_ok=True)
        command = [*private, "sh", "-c", mount, options, folder, sys.executable, "-c", code, *arguments]
        environment = {**os.environ, "SEMWORK_CACHE": str(folder)}
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)

    return run

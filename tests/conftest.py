"""What needs a browser or real data says why it is skipped; under .ci/run nothing may be skipped for that."""

from __future__ import annotations

import os
import shutil

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

"""`make test` fails when any of its parts does, shows what all of them said, and leaves nothing running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests import everything


def said(words: str, code: int = 0) -> list[str]:
    return [sys.executable, "-c", f"print({words!r}); raise SystemExit({code})"]


@pytest.mark.parametrize(("browser", "unit", "lessons"), [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 5)])
def test_it_fails_when_any_part_fails_and_runs_them_all(capfd, browser, unit, lessons):
    beside = {"unit": said("units spoke", unit), "lessons": said("lessons spoke", lessons)}
    assert everything.main(said("browser spoke", browser), beside) == int(any([browser, unit, lessons]))
    out = capfd.readouterr().out
    assert all(f"{name} spoke" in out for name in ("browser", "units", "lessons"))
    assert out.count("all well") == [browser, unit, lessons].count(0)
    assert out.count("FAILED") == 3 - [browser, unit, lessons].count(0)


def test_what_waits_runs_beside_each_other_when_the_browser_is_done(capfd, tmp_path):
    def meets(mine: str, other: str) -> list[str]:
        code = (
            f"import pathlib, time; pathlib.Path({str(tmp_path / mine)!r}).touch(); end = time.monotonic() + 60\n"
            f"while not pathlib.Path({str(tmp_path / other)!r}).exists():\n"
            "    assert time.monotonic() < end; time.sleep(0.02)\n"
            f"print('{mine} met {other}')"
        )
        return [sys.executable, "-c", code]

    assert everything.main(said("browser spoke"), {"unit": meets("a", "b"), "lessons": meets("b", "a")}) == 0
    out = capfd.readouterr().out
    assert out.index("a met b") < out.index("b met a"), "reports are not mixed"


def test_every_test_is_in_one_part():
    marks = [part[part.index("-m", 3) + 1] for part in (everything.BROWSER, everything.UNIT)]
    assert marks == ["browser", "not browser"]
    assert everything.LESSONS[-1] == "notebooks"


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_what_is_stopped_leaves_nothing_running(tmp_path):
    """Also what a part has started itself."""
    child = f"import os, time; open({str(tmp_path / 'child')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    code = f"""
import signal, sys
from tests import everything
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background hands down that it is ignored
part = [sys.executable, "-c", {parent!r}]
everything.main(part, {{}})
"""
    process = subprocess.Popen([sys.executable, "-c", code], cwd=everything.ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    pid = int((tmp_path / "child").read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(60) != 0
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < deadline, "the part's own process still runs"
        time.sleep(0.05)

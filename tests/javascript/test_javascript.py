"""The JavaScript is linted, and its types are checked from its comments, by tools that only developers need."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
LIVE_FIGURE = pathlib.Path("widgets", "semwork_widgets", "live_figure.js")


def checked(folder: pathlib.Path = HERE) -> subprocess.CompletedProcess[str]:
    """Run eslint and tsc, as package.json says."""
    quiet = {**os.environ, "npm_config_update_notifier": "false", "npm_config_loglevel": "error"}
    command = ["npm", "run", "--silent", "check"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=quiet)


@pytest.fixture(autouse=True)
def tools() -> None:
    reason = missing(HERE)
    if reason and os.environ.get("SEMWORK_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{reason} (SEMWORK_REQUIRE_BROWSER=1 makes this test mandatory)", pytrace=False)
    if reason:
        pytest.skip(reason)


def missing(folder: pathlib.Path) -> str:
    """Say what keeps the JavaScript from being checked, if anything does."""
    if shutil.which("npm") is None:
        return "the JavaScript is not checked: there is no npm on the PATH"
    if not (folder / "node_modules" / ".bin" / "tsc").exists():
        return "the JavaScript is not checked: `make check` installs what does it, where npm reaches a registry"
    return ""


def test_nothing_is_wrong():
    done = checked()
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("store.revision = message.revision;", "store.revision = message.revision;\n  let unused;", "no-unused-vars"),
        ("Plotly?.purge(div)", "Plotly.purge(div)", "possibly 'null'"),
        ("slot.asked = Date.now()", "slot.asked = new Date()", "Type 'Date' is not assignable to type 'number'"),
        ("return () => stores.delete", "return stores.delete", "Type 'boolean' is not assignable"),
    ],
)
def test_what_is_wrong_is_found(tmp_path, right, wrong, said):
    copies = tmp_path / "tests" / "javascript"
    copies.mkdir(parents=True)
    for name in ("package.json", "eslint.config.js", "tsconfig.json"):
        shutil.copy(HERE / name, copies)
    (copies / "node_modules").symlink_to(HERE / "node_modules", target_is_directory=True)
    source = (HERE.parents[1] / LIVE_FIGURE).read_text(encoding="utf-8")
    assert right in source
    (tmp_path / LIVE_FIGURE).parent.mkdir(parents=True)
    (tmp_path / LIVE_FIGURE).write_text(source.replace(right, wrong), encoding="utf-8")
    done = checked(copies)
    assert done.returncode != 0
    assert said in done.stdout + done.stderr

"""What a plain install brings, tried in an environment of its own, away from the checkout."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import sysconfig
import venv
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [built] = folder.glob("semwork-*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A Python that has the wheel, and the packages it needs from the environment of the tests."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=os.name != "nt", with_pip=False)
    made = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(made), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = subprocess.run([made, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    # A .pth file that is found through another one is not read: the checkout's own stays out.
    pathlib.Path(own, "packages_of_the_tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return made


def ran(python, folder, *command):
    """Run it where there is no checkout and no data."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    places = {"SEMWORK_DATA": "", "SEMWORK_CACHE": str(folder / "cache"), "SEMWORK_OFFLINE": "1"}
    command = [str(python), *command]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=kept | places)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_has_two_packages_and_what_they_read(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    version = wheel.name.split("-")[1]
    assert {name.split("/")[0] for name in names} == {"semwork", "semwork_widgets", f"semwork-{version}.dist-info"}
    for package, folder in (("semwork", ROOT / "semwork"), ("semwork_widgets", ROOT / "widgets" / "semwork_widgets")):
        ours = {f"{package}/{path.relative_to(folder).as_posix()}" for path in folder.rglob("*.py")}
        assert ours <= names
        assert f"{package}/py.typed" in names
    assert {"semwork_widgets/live_figure.js", "semwork_widgets/style.css"} <= names
    assert "semwork/datasets/_data/registry.toml" in names
    samples = {path.name for path in (ROOT / "data" / "sample").iterdir()}
    assert {f"semwork/datasets/_data/sample/{name}" for name in samples} <= names
    carried = {name.removeprefix("semwork/_lessons/") for name in names if name.startswith("semwork/_lessons/")}
    assert carried == set(LESSONS), "every lesson has a line in pyproject.toml"
    assert not [name for name in names if name.endswith(".pyc") or "test_" in name]


def test_it_is_imported_from_where_it_is_installed_and_no_package_is_called_widgets(python, tmp_path):
    code = """
import importlib.util, json, semwork, semwork_widgets
from semwork.datasets import load
print(json.dumps({
    "files": [semwork.__file__, semwork_widgets.__file__],
    "widgets": str(importlib.util.find_spec("widgets")),
    "script": len(str(semwork_widgets.LiveFigure._esm)),
    "texts": len(load("sample").texts),
}))
"""
    found = json.loads(ran(python, tmp_path, "-c", code))
    assert all(str(python.parents[1]) in file for file in found["files"]), found
    assert found["widgets"] == "None"
    assert found["script"] > 1000
    assert found["texts"] > 1000


def test_the_command_tells_of_itself_and_of_data(python, tmp_path):
    command = python.with_name("semwork.exe" if os.name == "nt" else "semwork")
    assert f"semwork {command_version()}" in ran(command, tmp_path, "info")
    assert "wordnet" in ran(command, tmp_path, "data", "list")


def command_version():
    import tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_lab_copies_the_lessons_and_opens_the_first(python, tmp_path):
    # Jupyter says its version and ends.
    said = ran(python, tmp_path, "-m", "semwork", "lab", "--", "--version")
    assert "The lessons are in" in said
    assert f"{len(LESSONS)} files were copied" in said
    assert sorted(path.name for path in (tmp_path / "semwork-lessons").glob("*.ipynb")) == LESSONS
    mine = tmp_path / "mine"
    ran(python, tmp_path, "-m", "semwork", "lab", "--copy-to", str(mine), "--", "--version")
    assert (mine / LESSONS[0]).read_bytes() == (ROOT / "notebooks" / LESSONS[0]).read_bytes()

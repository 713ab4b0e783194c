"""The project's own files agree with each other."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

ROOT = pathlib.Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def bounds(requirements):
    """``{"numpy": ">=2.0"}`` from requirement strings."""
    found = {}
    for requirement in requirements:
        match = re.fullmatch(r"([\w.-]+?)(-base)?\s*(>=[\d.]+)", requirement)
        assert match, f"{requirement!r} has no plain lower bound"
        found[match[1]] = match[3]
    return found


def test_environment_yml_and_pyproject_name_the_same_versions():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    plain = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    conda = bounds(plain)
    assert conda.pop("python") == PYPROJECT["project"]["requires-python"]
    ours = bounds(PYPROJECT["project"]["dependencies"])
    assert {name: ours.get(name) for name in conda} == conda
    [pip] = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    assert pip == ["--editable ."]


def test_every_extra_the_readme_of_the_frame_asks_for_is_there():
    assert {"test", "bench", "nlp", "cluster", "export"} <= set(PYPROJECT["project"]["optional-dependencies"])
    for requirements in PYPROJECT["project"]["optional-dependencies"].values():
        assert bounds(requirements)


def test_the_visible_folders_are_the_five_rooms():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("not a git checkout")
    folders = {line.split("/")[0] for line in tracked.stdout.splitlines() if "/" in line}
    assert {f for f in folders if not f.startswith(".")} <= {"notebooks", "semwork", "widgets", "data", "tests"}


def test_the_doctests_of_every_package_are_collected():
    packages = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) <= set(PYPROJECT["tool"]["pytest"]["ini_options"]["testpaths"])


def test_make_alone_lists_the_commands():
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for command in ("lab", "test", "bench", "reproduce", "data", "clean"):
        assert re.search(rf"make {command}\s+\w", listed)


def test_saved_notebooks_hold_no_widget_views_and_every_output_is_there():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text())
        assert notebook["metadata"]["kernelspec"]["name"] == "python3"
        assert "widgets" not in notebook["metadata"]
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                assert cell["execution_count"], f"{path.name} has a cell that was not run"
                for output in cell["outputs"]:
                    assert output["output_type"] != "error"
                    assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})


@pytest.mark.parametrize(
    "package", ["semwork", "semwork.text", "semwork.datasets", "semwork.plots", "semwork.similarity"]
)
def test_semwork_imports_without_jupyter(package):
    code = (
        f"import sys, {package}; "
        "jupyter = {'ipywidgets', 'IPython', 'anywidget', 'jupyterlab', 'widgets'}; "
        "found = {m.split('.')[0] for m in sys.modules} & jupyter; "
        "sys.exit(str(found) if found else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

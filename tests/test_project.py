"""The project's own files agree with each other."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tomllib

import pandas as pd
import pytest
import yaml

import semwork
from semwork.cli import _parser
from semwork.datasets import load
from semwork.similarity import SentenceSpace

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


def test_every_extra_has_plain_lower_bounds():
    assert set(PYPROJECT["project"]["optional-dependencies"]) == {"test", "bench", "nlp"}
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
    paths = PYPROJECT["tool"]["pytest"]["ini_options"]["testpaths"]
    assert all({package, package.split("/")[0]} & set(paths) for package in packages)


def test_make_alone_lists_the_commands():
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for command in ("lab", "check", "test", "bench", "reproduce", "data", "clean"):
        assert re.search(rf"make {command}\s+\w", listed)


MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
COMMANDS = set(re.findall(r"^([a-z-]+):.*## ", MAKEFILE, flags=re.MULTILINE))


def test_every_command_is_phony_and_no_other_name_is():
    [phony] = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, flags=re.MULTILINE)
    assert set(phony.split()) == COMMANDS


def test_one_version_is_said_everywhere():
    version = PYPROJECT["project"]["version"]
    [newest, *_] = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (newest, str(citation["version"]), semwork.__version__) == (version, version, version)


def test_the_citation_has_the_software_and_the_five_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PYPROJECT["project"]["license"]
    assert {"message", "title", "authors", "type"} <= set(citation)
    papers = [(paper["authors"][0]["family-names"], paper["year"]) for paper in citation["references"]]
    assert papers == [("Guo", 2012), ("Guo", 2012), ("Kandola", 2002), ("Chang", 2010), ("Das", 2015)]
    assert all({"type", "title", "collection-title"} <= set(paper) for paper in citation["references"])


def test_the_hooks_before_a_commit_are_commands_of_the_makefile():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in hooks["repos"]] == ["local"], "nothing is fetched"
    for hook in hooks["repos"][0]["hooks"]:
        make, command = hook["entry"].split()
        assert (make, hook["language"], hook["pass_filenames"]) == ("make", "system", False)
        assert command in COMMANDS


WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))


def test_the_workflow_types_the_commands_of_the_makefile_and_tries_the_wheel():
    typed = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    made = {words.split()[1] for words in typed if words.startswith("make ")}
    assert made == {"check", "lab", "test", "wheel"} <= COMMANDS
    others = {words for words in typed if not words.startswith("make ")}
    assert others == {
        "python -m pip install *.whl",
        'python -c "import semwork, semwork_widgets"',
        "semwork info",
        "semwork data list",
        "semwork lab --copy-to lessons -- --version",
    }
    for words in others:
        if words.startswith("semwork "):
            _parser().parse_args(words.split()[1:])


def test_the_workflow_has_the_systems_and_pythons_that_are_promised():
    jobs = WORKFLOW["jobs"]
    systems = {name: set(job["strategy"]["matrix"]["os"]) for name, job in jobs.items() if "strategy" in job}
    both = {"ubuntu-latest", "macos-latest"}
    assert systems == {"check": both, "test": both, "installed": {*both, "windows-latest"}}
    pythons = jobs["test"]["strategy"]["matrix"]["python"]
    assert len(pythons) == 3
    assert jobs["check"]["strategy"]["matrix"]["python"] == pythons
    assert f">={pythons[0]}" == PYPROJECT["project"]["requires-python"]
    assert jobs["installed"]["needs"] == "wheel"
    assert jobs["installed"]["defaults"]["run"]["shell"] == "bash", "PowerShell leaves the asterisk of *.whl as it is"
    for job in jobs.values():
        assert job["timeout-minutes"] <= 90
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", step.get("uses", "actions/none@v0"))


@pytest.mark.parametrize("count", [10, None])
def test_the_readmes_code_runs_and_what_it_saves_gives_the_same_answers(count, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    scope = {"my_texts": load("sample").texts[:count]}
    for block in re.findall(r"^```python\n(.*?)^```", readme, flags=re.MULTILINE | re.DOTALL):
        exec(block, scope)
    [asked] = re.findall(r'similar\("([^"]+)", k=5\)', readme)
    found = scope["space"].similar(asked, k=5)
    assert len(found) == 5
    pd.testing.assert_frame_equal(SentenceSpace.load(tmp_path / "my_space.npz").similar(asked, k=5), found)


def test_saved_notebooks_hold_no_widget_views_and_every_output_is_there():
    for path in sorted([*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "notebooks").glob("teacher/*.ipynb")]):
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

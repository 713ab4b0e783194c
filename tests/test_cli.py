"""The command line is thin; what it prints is what one pastes into a bug report."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest

from semwork import cli


def semwork(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "semwork", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_info_names_versions_blas_cores_and_data(tmp_path):
    done = semwork("info", SEMWORK_DATA="", SEMWORK_CACHE=str(tmp_path), OMP_NUM_THREADS="1")
    assert done.returncode == 0
    for words in ("Python 3.", "BLAS: ", "cores: ", "numpy ", "jupyterlab ", "OMP_NUM_THREADS=1", str(tmp_path)):
        assert words in done.stdout
    assert "semwork data fetch wordnet" in done.stdout
    assert list(tmp_path.iterdir()) == [], "asking writes nothing"


def test_data_commands_are_wired(tmp_path):
    listed = semwork("data", "list", "--json", SEMWORK_DATA="", SEMWORK_CACHE=str(tmp_path))
    assert {"sample", "wordnet", "cdr"} <= {row["name"] for row in json.loads(listed.stdout)}
    where = semwork("data", "path", "sample")
    assert pathlib.Path(where.stdout.strip(), "dictionary_a.tsv").exists()


def test_unknown_words_are_refused_with_what_is_allowed():
    done = semwork("reproduce", "nothing")
    assert done.returncode == 2
    assert "there are: wtmf, sts2012" in done.stderr
    assert semwork("dance").returncode == 2


def test_reproduce_lists_without_a_name(capsys):
    assert cli.main(["reproduce"]) == 0
    assert "Table 2" in capsys.readouterr().out


@pytest.fixture
def started(monkeypatch):
    """What `semwork lab` would put in its place, what it starts beside, and where it goes."""
    found = {"started": [], "beside": [], "folder": []}
    monkeypatch.setattr(os, "execv", lambda program, command: found["started"].append(command))
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: found["beside"].append(command))
    monkeypatch.setattr(os, "chdir", lambda path: found["folder"].append(pathlib.Path(path)))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "mine")
    return found


def test_lab_replaces_the_process_and_keeps_jupyters_own_defaults(started):
    cli._lab(cli._parser().parse_args(["lab", "--", "--no-browser"]))
    [command] = started["started"]
    assert started["beside"] == [[sys.executable, "-m", "semwork.warm_up"]]
    assert started["folder"] == [pathlib.Path(cli.__file__).parents[1]]
    assert command[1:4] == ["-m", "jupyterlab", str(pathlib.Path("notebooks", "00_start_here.ipynb"))]
    assert "--no-browser" in command
    assert not any("token" in word or "ip=" in word for word in command)
    first, second = os.environ["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    assert first == "mine"
    assert (pathlib.Path(second) / "labconfig" / "default_setting_overrides.json").exists()


def test_lab_opens_copies_where_they_are_asked_for(started, tmp_path, capsys):
    cli._lab(cli._parser().parse_args(["lab", "--copy-to", str(tmp_path / "mine"), "--", "--version"]))
    assert started["beside"] == [], "a version is said without a compiler"
    assert started["folder"] == [tmp_path / "mine"]
    assert started["started"][0][3] == "00_start_here.ipynb"
    assert (tmp_path / "mine" / "00_start_here.ipynb").is_file()
    assert f"The lessons are in {tmp_path / 'mine'}" in capsys.readouterr().out


def test_lab_without_the_lessons_says_what_to_do(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr("semwork.lessons.__file__", str(tmp_path / "lessons.py"))
    monkeypatch.setattr("semwork.datasets.folders.checkout", lambda: None)
    assert cli.main(["lab", "--copy-to", str(tmp_path / "mine")]) == 1
    assert "install semwork from its wheel" in capsys.readouterr().err


def test_ctrl_c_is_not_a_traceback(monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("semwork.info.report", interrupted)
    assert cli.main(["info"]) == 130
    assert "Stopped" in capsys.readouterr().err


@pytest.mark.slow
def test_warming_up_compiles_the_models_into_the_cache():
    from semwork.similarity import als, search
    from semwork.warm_up import warm_up

    warm_up()
    assert als.solve_rows.signatures
    assert search._count_tile.signatures

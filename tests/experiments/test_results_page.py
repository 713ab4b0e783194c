"""data/results/README.md is what the committed CSV files say, and every one of them is declared once."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path

import pytest

from semwork import plots
from semwork.experiments import EXPERIMENTS, Report, run_and_print, write_tables
from semwork.experiments.report import page, write_page

RESULTS = Path(__file__).parents[2] / "data" / "results"
TOY = ({"texts": 20, "weights": "count", "default λ": 0.5} | {
    f"hit@10, {one}": 0.5 for one in ("default", "best", "λ = 20")
},)  # fmt: skip


def test_the_page_is_made_from_the_files_beside_it():
    assert (RESULTS / "README.md").read_text(encoding="utf-8") == page(RESULTS), (
        "write it again with: semwork reproduce --report data/results"
    )


def test_every_file_is_declared_by_one_experiment_and_every_declaration_has_its_file():
    declared = [f"{name}_{table}" for name, experiment in EXPERIMENTS.items() for table in experiment.tables]
    assert len(set(declared)) == len(declared)
    assert {path.stem for path in RESULTS.glob("*.csv")} == set(declared)
    pictures = {f"{name}_{one.file}" for name, experiment in EXPERIMENTS.items() for one in experiment.pictures}
    assert {path.stem for path in RESULTS.glob("*.png")} == pictures


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_is_declared_can_be_imported(name):
    module, function = EXPERIMENTS[name].entry
    assert callable(getattr(import_module(f"semwork.experiments.{module}"), function))
    for picture in EXPERIMENTS[name].pictures:
        assert callable(getattr(plots, picture.draw))


def test_every_file_and_picture_is_linked():
    text = page(RESULTS)
    for path in [*RESULTS.glob("*.csv"), *RESULTS.glob("*.png")]:
        assert f"]({path.name})" in text
    for experiment in EXPERIMENTS.values():
        assert experiment.differences in text
        for report in experiment.reports:
            assert report.remark in text


def test_a_number_that_changes_changes_the_page(tmp_path):
    shutil.copytree(RESULTS, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "wtmf_table_2.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("0.8762", "0.8763"), encoding="utf-8")
    assert "| IR | 1 | .8840 | .8578 | .8763 |" in page(tmp_path)


def test_a_folder_with_few_results_has_a_short_page(tmp_path):
    rows = tuple(TOY[0] | {"weights": one} for one in ("tfidf", "tfidf, length 1", "count"))
    write_tables(tmp_path, "regularization", {"table": rows}, "semwork reproduce regularization")
    text = page(tmp_path)
    assert "| 20 | λ = 0.5: .500, .500, .500 |" in text
    assert "wtmf" not in text


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="wtmf_table_2 has no column 'speed'; it has model, seeds, dev"):
        Report("Speed", "table_2", columns={"model": "model", "speed": "speed"}).markdown(RESULTS, "wtmf")


def test_somebody_elses_readme_stays(tmp_path, capsys):
    (tmp_path / "README.md").write_text("# My own results\n")
    assert run_and_print([], report=tmp_path) == 0
    assert (tmp_path / "README.md").read_text() == "# My own results\n"
    assert (tmp_path / "results.md").read_text() == page(tmp_path)
    assert f"saved {tmp_path / 'results.md'}" in capsys.readouterr().out
    assert run_and_print([], report=tmp_path / "nowhere") == 2
    assert "give a folder with tables" in capsys.readouterr().err


def test_a_page_is_written_again_where_it_is(tmp_path):
    first = write_page(tmp_path)
    assert write_page(tmp_path) == first == tmp_path / "README.md"

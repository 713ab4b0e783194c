"""The README shows the tables that were measured: the committed CSV files, written as Markdown."""

from pathlib import Path

import pytest

from semwork.experiments.report import REPORTS
from semwork.experiments.running import EXPERIMENTS, read_table

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "data" / "results"


@pytest.mark.parametrize("heading", REPORTS)
def test_the_readme_shows_what_was_measured_and_nothing_else(heading):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    needed, table = REPORTS[heading]
    if (RESULTS / f"{needed}.csv").exists():
        assert f"{heading}:\n\n{table(RESULTS)}\n" in readme
    else:
        assert heading not in readme, "no table before the experiment was run in full"


def test_every_result_says_its_command_versions_and_date():
    files = sorted(RESULTS.glob("*.csv"))
    assert files
    for path in files:
        command, versions, date = path.read_text(encoding="utf-8").splitlines()[:3]
        [name] = [name for name in EXPERIMENTS if path.stem.startswith(f"{name}_")]
        assert command.startswith(f"# semwork reproduce {name}")
        assert "numpy" in versions
        assert date.startswith("# 20")
        assert len(read_table(path))

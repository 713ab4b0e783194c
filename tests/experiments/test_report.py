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


def test_entailment_is_the_papers_table_3_and_paraphrase_its_table_4():
    assert {name[:3] for name in read_table(RESULTS / "lclr_table_3.csv")["data"]} == {"rte"}
    paraphrase = read_table(RESULTS / "lclr_table_4.csv")
    assert {name.split()[0] for name in paraphrase["data"]} == {"msr04"}
    assert paraphrase["LCLR, paper"].dropna().tolist() == [76.41, 72.75]


def short(number: float) -> str:
    return f"{number:.2f}".removeprefix("0")


def test_what_differs_from_the_papers_is_said_beside_the_tables():
    """The README and the texts of the experiments say what the cells really are."""
    from semwork.experiments.pairs import VARIANTS
    from semwork.experiments.retrieval import retrieval_cells
    from semwork.structures.tasks.graphs import _feature_names
    from semwork.structures.tasks.guides import alike

    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    differences = {name: experiment.differences for name, experiment in EXPERIMENTS.items()}

    weights = {
        dict(cell.parameters).get("missing_weight") for _, found in retrieval_cells(2)["figure_3"] for cell in found
    }
    assert weights == {0.01, None}, "WTMF's, and LDA has none"
    assert "Figure 3 has w_m = .01, the paper's .0005" in differences["wtmf"]
    assert "drawn at w_m = .01; the paper's Figure 3 is at .0005" in readme
    assert "w_m = 0, which is shown after 20 iterations like the others" in readme
    assert "w_m = 0 runs 20 iterations like the others, the paper stops it after the first ones" in differences["wtmf"]

    variants = read_table(RESULTS / "sts2012_variants.csv").set_index(["model", "how"])["test ALL"]
    with_sts = variants["with the STS training sentences", "mean of seeds"]
    assert ("with the STS training sentences", "pairs+sts") in [(label, task) for label, task, _ in VARIANTS]
    assert f"with them it is {with_sts:.4f} here".replace("0.", ".") in readme
    for text in (readme, differences["sts2012"]):
        assert "first paper" in text
        assert "definitions alone" in text
        assert "STS training sentences" in text

    medline = read_table(RESULTS / "kernels_medline_query_20.csv")
    plain = medline[medline["weights"] == "plain"]
    words = plain[plain["kernel"] == "bag of words"]["f1"].map(short).tolist()
    grown = plain[(plain["kernel"] == "exponential") & (plain["proximity"] == "all")]["f1"].map(short).tolist()
    assert "Only balanced class weights are shown" in readme
    assert f"the bag of words is {words[0]}, {words[1]} and {words[2]} for 80, 50 and 20 %" in readme
    assert f"from all documents {grown[0]}, {grown[1]} and {grown[2]}" in readme

    assert sorted({alike("b", letter) for letter in "בפת"}) == [-1.0, 1.0, 2.0]
    for text in (readme, differences["lclr"]):
        assert "romanisation table is graded (2 for a letter of the table, 1 for one like it" in text
        assert "labels of deleted words" in text
        assert "the paper's kinds" not in text
    assert [name for name in _feature_names() if name[0] == "delete label"]

    for text in (readme, *differences.values()):
        assert "as published" not in text, "the paper names no schedule of alias"
        assert "at the papers' settings" not in text

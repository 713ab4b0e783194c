"""What readers are told of results is what was measured: the README, the page of results, the experiments' words."""

from pathlib import Path

import numpy as np

from semwork.experiments import EXPERIMENTS, read_table
from semwork.kernels import alignment

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "data" / "results"


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


def short(number: float, digits: int = 2) -> str:
    return f"{number:.{digits}f}".removeprefix("0")


def test_what_differs_from_the_papers_is_said_beside_the_tables():
    """The page of results and the texts of the experiments say what the cells really are."""
    from semwork.experiments.pairs import VARIANTS
    from semwork.experiments.retrieval import retrieval_cells
    from semwork.structures.tasks.graphs import _feature_names
    from semwork.structures.tasks.guides import alike

    page = " ".join((RESULTS / "README.md").read_text(encoding="utf-8").split())
    differences = {name: experiment.differences for name, experiment in EXPERIMENTS.items()}

    weights = {
        cell.settings["parameters"].get("missing_weight")
        for _, found in retrieval_cells(2)["figure_3"]
        for cell in found
    }
    assert weights == {0.01, None}, "WTMF's, and LDA has none"
    assert "Figure 3 has w_m = .01, the paper's .0005" in differences["wtmf"]
    assert "drawn at w_m = .01; the paper's Figure 3 is at .0005" in page
    assert "w_m = 0, which is shown after 20 iterations like the others" in page
    assert "w_m = 0 runs 20 iterations like the others, the paper stops it after the first ones" in differences["wtmf"]

    variants = read_table(RESULTS / "sts2012_variants.csv").set_index(["model", "how"])["test ALL"]
    with_sts = variants["with the STS training sentences", "mean of seeds"]
    assert ("with the STS training sentences", "pairs+sts") in [(label, task) for label, task, _ in VARIANTS]
    assert f"with them it is {with_sts:.4f} here".replace("0.", ".") in page
    for text in (page, differences["sts2012"]):
        assert "first paper" in text
        assert "definitions alone" in text
        assert "STS training sentences" in text

    medline = read_table(RESULTS / "kernels_medline_query_20.csv")
    plain = medline[medline["weights"] == "plain"]
    words = plain[plain["kernel"] == "bag of words"]["f1"].map(short).tolist()
    grown = plain[(plain["kernel"] == "exponential") & (plain["proximity"] == "all")]["f1"].map(short).tolist()
    assert "Only balanced class weights are shown" in page
    assert f"the bag of words is {words[0]}, {words[1]} and {words[2]} for 80, 50 and 20 %" in page
    assert f"from all documents {grown[0]}, {grown[1]} and {grown[2]}" in page

    assert sorted({alike("b", letter) for letter in "בפת"}) == [-1.0, 1.0, 2.0]
    for text in (page, differences["lclr"]):
        assert "romanisation table is graded (2 for a letter of the table, 1 for one like it" in text
        assert "labels of deleted words" in text
        assert "the paper's kinds" not in text
    assert [name for name in _feature_names() if name[0] == "delete label"]

    for text in (page, *differences.values()):
        assert "as published" not in text, "the paper names no schedule of alias"
        assert "at the papers' settings" not in text


README = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())


def row(file: str, **wanted: object):
    """The one row of a table with these values."""
    table = read_table(RESULTS / f"{file}.csv")
    for column, value in wanted.items():
        table = table[table[column] == value]
    [found] = table.to_dict("records")
    return found


def test_the_findings_of_the_readme_are_in_the_tables():
    few = row("regularization_table", texts=60, weights="tfidf")
    ours, papers = (f"{few[name]:.0%}".replace("%", " %") for name in ("hit@10, default", "hit@10, λ = 20"))
    assert f"of 60 texts it finds {papers} of the definitions, the default of `WTMF()` finds {ours}" in README

    medline = read_table(RESULTS / "kernels_medline_query_20.csv")
    best = medline["alignment"].max()
    assert f"{short(best)} is the certified best" in README
    # A kernel of ones needs no data: how many of the documents are relevant is enough.
    lesson = (ROOT / "notebooks" / "source" / "04_semantic_kernels.md").read_text(encoding="utf-8")
    assert "1,033 abstracts; for query 20, 39 of them are relevant" in lesson
    alike = alignment(np.ones((1033, 1033)), np.where(np.arange(1033) < 39, 1, -1))
    assert f"calling *all* documents alike already has {short(alike, 3)}" in README
    page = " ".join((RESULTS / "README.md").read_text(encoding="utf-8").split())
    assert f"takes all documents to be alike has {short(alike, 3)}" in page

    hebrew = row("lclr_names_guides", language="he", guide="no table")
    assert (
        f"{hebrew['two-stage accuracy']:.1f} → {hebrew['LCLR accuracy']:.1f} % for Hebrew names without a table"
        in README
    )
    pairs = row("lclr_table_4", data="msr04", features="of words and edges", **{"training pairs": 4076})
    assert f"{pairs['gain']:+.2f} points on MSR04's paraphrases" in README

    dropped = row("gaussian_lda_table_2", system="LDA")["PPDB"]
    read = row("gaussian_lda_table_2", system="Gaussian LDA, paper's prior", inference="fixed topics")
    assert f"({read['PPDB']:.1f} %, the paper {read['PPDB, paper']:.1f})" in README
    assert f"drops them has {dropped:.1f} %" in README

    alias, words = (
        row("gaussian_lda_figure_2_speed", documents="500", sampler=name) for name in ("alias", "precision")
    )
    papers = alias["times cholesky, paper"]
    assert f"is {alias['times cholesky']:.2f} times as fast as Cholesky here, not {papers:.2f} times" in README
    assert f"goes word by word is {words['times cholesky']:.1f} times as fast" in README

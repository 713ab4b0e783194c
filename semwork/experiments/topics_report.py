"""The tables of Gaussian LDA as Markdown, for the README."""

from __future__ import annotations

from pathlib import Path

from semwork.experiments.markdown import markdown
from semwork.experiments.running import read_table

__all__ = ["deviations_markdown", "samplers_markdown", "topics_markdown", "unseen_markdown"]


def topics_markdown(folder: Path) -> str:
    """Table 1 of Das et al. (2015): coherence of the top 15 words, PMI and NPMI in three references."""
    table = read_table(folder / "gaussian_lda_table_1.csv")
    scores = [name for name in table.columns if name.startswith(("PMI", "NPMI")) and "s.d." not in name]
    shown = {name: table[name].map("{:.2f}".format).replace("nan", "–") for name in scores}
    never = [name for name in table.columns if name.startswith("unseen ")]
    shown |= {name: table[name].map("{:.0%}".format) for name in never}
    return markdown(
        table.assign(**shown, **{"empty topics": table["empty topics"].map("{:.1f}".format)}),
        {
            "system": "system",
            "ranked by": "words ranked by",
            "seeds": "seeds",
            "empty topics": "empty topics",
            "PMI 20 newsgroups, test": "PMI 20news",
            "NPMI 20 newsgroups, test": "NPMI",
            "unseen 20 newsgroups, test": "never met",
            "PMI Reuters R52": "PMI R52",
            "NPMI Reuters R52": "NPMI",
            "unseen Reuters R52": "never met",
            "PMI Brown": "PMI Brown",
            "NPMI Brown": "NPMI",
            "unseen Brown": "never met",
            "PMI in Wikipedia, paper": "PMI Wikipedia, paper",
        },
    )


def samplers_markdown(folder: Path) -> str:
    """How many times as fast as Cholesky and as naive: what Figure 2 of Das et al. (2015) says in numbers."""
    table = read_table(folder / "gaussian_lda_figure_2_speed.csv")
    ratios = [name for name in table.columns if name.startswith("times ")]
    shown = {name: table[name].map("{:,.2f}".format).replace("nan", "–") for name in ratios}
    speed, own = "tokens per CPU second, late", "topics of a document, in the end"
    there = "CPU seconds to Cholesky's last log-likelihood"
    shown |= {speed: table[speed].map("{:,}".format), own: table[own].map("{:.1f}".format)}
    shown[there] = table[there].map("{:.1f}".format).replace("nan", "–")
    return markdown(
        table.assign(**shown),
        {
            "documents": "documents",
            "sampler": "sampler",
            speed: "tokens/s",
            there: "s to Cholesky's end",
            own: "topics of a document",
            "times cholesky": "× Cholesky",
            "times cholesky, paper": "paper",
            "times naive": "× naive",
            "times naive, paper": "paper",
        },
    )


def unseen_markdown(folder: Path) -> str:
    """Table 2 of Das et al. (2015): accuracy on documents with words that nobody has seen."""
    table = read_table(folder / "gaussian_lda_table_2.csv")
    numbers = [name for name in table.columns if table[name].dtype.kind == "f"]
    shown = {name: table[name].map("{:.1f}".format).replace("nan", "–") for name in numbers}
    shown["seeds"] = table["seeds"].map("{:.0f}".format).replace("nan", "–")
    return markdown(
        table.assign(**shown),
        {
            "system": "system",
            "inference": "inference",
            "seeds": "seeds",
            "original documents": "original %",
            "PPDB": "PPDB %",
            "PPDB s.d.": "s.d.",
            "PPDB, paper": "paper",
            "WordNet": "WordNet %",
            "WordNet s.d.": "s.d.",
            "WordNet, paper": "paper",
        },
    )


def deviations_markdown(folder: Path) -> str:
    """Table 3 of Das et al. (2015): how far a document's proportions move when its words are replaced."""
    table = read_table(folder / "gaussian_lda_table_3.csv")
    norms = "L1", "L2", "L∞"
    shown = {norm: table[norm].map("{:.3f}".format).replace("nan", "–") for norm in norms}
    paper = {f"{norm}, paper": table[f"{norm}, paper"].map("{:.2f}".format).replace("nan", "–") for norm in norms}
    columns = {name: "paper" if name in paper else name for norm in norms for name in (norm, f"{norm}, paper")}
    seeds = table["seeds"].map("{:.0f}".format).replace("nan", "–")
    return markdown(
        table.assign(**shown, **paper, seeds=seeds),
        {"system": "system", "inference": "inference", "seeds": "seeds", **columns},
    )

"""The tables of Gaussian LDA as Markdown, for the README."""

from __future__ import annotations

from pathlib import Path

from semwork.experiments.markdown import markdown
from semwork.experiments.running import read_table

__all__ = ["samplers_markdown", "topics_markdown", "unseen_markdown"]


def topics_markdown(folder: Path) -> str:
    """Table 1 of Das et al. (2015): coherence of the top 15 words, PMI and NPMI in three references."""
    table = read_table(folder / "gaussian_lda_table_1.csv")
    scores = [name for name in table.columns if name.startswith(("PMI", "NPMI")) and "s.d." not in name]
    shown = {name: table[name].map("{:.2f}".format).replace("nan", "–") for name in scores}
    return markdown(
        table.assign(**shown, **{"empty topics": table["empty topics"].map("{:.1f}".format)}),
        {
            "system": "system",
            "ranked by": "words ranked by",
            "seeds": "seeds",
            "empty topics": "empty topics",
            "PMI 20 newsgroups, test": "PMI 20news",
            "NPMI 20 newsgroups, test": "NPMI",
            "PMI Reuters R52": "PMI R52",
            "NPMI Reuters R52": "NPMI",
            "PMI Brown": "PMI Brown",
            "NPMI Brown": "NPMI",
            "PMI in Wikipedia, paper": "PMI Wikipedia, paper",
        },
    )


def samplers_markdown(folder: Path) -> str:
    """How many times as fast as Cholesky and as naive: what Figure 2 of Das et al. (2015) says in numbers."""
    table = read_table(folder / "gaussian_lda_figure_2_speed.csv")
    ratios = [name for name in table.columns if name.startswith("times ")]
    shown = {name: table[name].map("{:,.2f}".format).replace("nan", "–") for name in ratios}
    speed = "tokens per CPU second, late"
    return markdown(
        table.assign(**shown, **{speed: table[speed].map("{:,}".format)}),
        {
            "documents": "documents",
            "sampler": "sampler",
            speed: "tokens/s",
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

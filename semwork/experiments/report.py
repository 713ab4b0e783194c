"""The result tables as Markdown, for the README: written by a program so that they stay what was measured."""

from __future__ import annotations

from pathlib import Path

from semwork.experiments.markdown import markdown
from semwork.experiments.running import read_table
from semwork.experiments.topics_report import deviations_markdown, samplers_markdown, topics_markdown, unseen_markdown

__all__ = [
    "REPORTS",
    "guides_markdown",
    "kernels_markdown",
    "names_markdown",
    "pairs_markdown",
    "regularization_markdown",
    "sentences_markdown",
    "wtmf_markdown",
]


def wtmf_markdown(folder: Path) -> str:
    """Table 2 of Guo & Diab (2012)."""
    return markdown(
        read_table(folder / "wtmf_table_2.csv"),
        {
            "model": "model",
            "seeds": "runs",
            "dev": "dev",
            "dev, paper": "paper",
            "test": "test",
            "test s.d.": "s.d.",
            "test, paper": "paper",
            "test hit@10": "hit@10",
        },
    )


def pairs_markdown(folder: Path) -> str:
    """LI06, MSR04 and STS 2012, one row for each model; WTMF and LDA with the papers' numbers."""
    li06 = read_table(folder / "sts2012_li06.csv").replace({"model": {"WTMF, w_m=0.01": "WTMF"}})
    table = read_table(folder / "sts2012_sts2012.csv").merge(read_table(folder / "sts2012_msr04.csv"), on="model")
    table = table.merge(li06, on="model")
    return markdown(
        table,
        {
            "model": "model",
            "r": "LI06 r",
            "r, paper": "paper",
            "accuracy": "MSR04 %",
            "accuracy, paper": "paper",
            "ALL": "STS ALL",
            "ALL, paper": "paper",
            "ALLnrm": "ALLnrm",
            "ALLnrm, paper": "paper",
            "Mean": "Mean",
            "Mean, paper": "paper",
        },
    )


def regularization_markdown(folder: Path) -> str:
    """hit@10 with the default λ of WTMF, with the best of a grid, and with the paper's: texts × weightings."""
    table = read_table(folder / "regularization_table.csv")
    scores = (table[f"hit@10, {which}"].map("{:.3f}".format).str.removeprefix("0") for which in _WHICH)
    cells = [
        f"λ = {penalty:g}: {default}, {best}, {paper}"
        for penalty, default, best, paper in zip(table["default λ"], *scores, strict=True)
    ]
    table = table.assign(cell=cells, texts=table["texts"].map("{:,}".format))
    weights = list(dict.fromkeys(table["weights"]))
    wide = table.pivot_table("cell", "texts", "weights", aggfunc="first", sort=False)[weights]
    return markdown(wide.reset_index(), {"texts": "texts"} | {name: name for name in weights})


def kernels_markdown(folder: Path) -> str:
    """Medline, query 20, balanced class weights: the two tables of Kandola et al. (2002) in one."""
    table = read_table(folder / "kernels_medline_query_20.csv")
    table = table[table["weights"] == "balanced"]
    names = {"bag of words": "bag of words", "exponential": "exponential", "von_neumann": "von Neumann"}
    proximity = {"–": "", "training": ", from training documents", "all": ", from all documents"}
    kernel = [names[kind] + proximity[way] for kind, way in zip(table["kernel"], table["proximity"], strict=True)]
    return markdown(
        table.assign(kernel=kernel),
        {
            "train %": "train %",
            "kernel": "kernel",
            "alignment": "alignment",
            "alignment, paper": "paper",
            "decay": "λ",
            "decay, paper": "paper",
            "error": "error",
            "error, paper": "paper",
            "f1": "F1",
            "f1, paper": "paper",
            "average_precision": "AP",
            "prior_f1": "F1 at prior",
        },
    )


def names_markdown(folder: Path) -> str:
    """Table 1 of Chang et al. (2010)."""
    table = read_table(folder / "lclr_table_1.csv")
    percent = [name for name in table.columns if name.startswith(("accuracy", "MRR"))]
    return markdown(
        table.assign(**{name: table[name].map("{:.1f}".format).replace("nan", "–") for name in percent}),
        {
            "system": "system",
            "splits": "splits",
            "accuracy": "accuracy %",
            "accuracy s.d.": "s.d.",
            "accuracy, paper": "paper",
            "MRR": "MRR %",
            "MRR s.d.": "s.d.",
            "MRR, paper": "paper",
        },
    )


def guides_markdown(folder: Path) -> str:
    """Accuracy of two stages and of LCLR, the less is known of the letters the further to the right."""
    table = read_table(folder / "lclr_names_guides.csv")
    cells = [
        f"{two:.1f} → {joint:.1f}"
        for two, joint in zip(table["two-stage accuracy"], table["LCLR accuracy"], strict=True)
    ]
    guides = list(dict.fromkeys(table["guide"]))
    wide = table.assign(cell=cells).pivot_table("cell", "language", "guide", aggfunc="first", sort=False)[guides]
    return markdown(wide.reset_index(), {"language": "language"} | {guide: guide for guide in guides})


def sentences_markdown(folder: Path) -> str:
    """Tables 3 and 4 of Chang et al. (2010): entailment and paraphrase."""
    import pandas as pd

    table = pd.concat([read_table(folder / f"lclr_table_{number}.csv") for number in (3, 4)])
    gain = [
        f"{gain:+.2f} ({low:+.2f} to {high:+.2f})"
        for gain, low, high in zip(table["gain"], table["low"], table["high"], strict=True)
    ]
    return markdown(
        table.assign(gain=gain),
        {
            "data": "data",
            "features": "features",
            "training pairs": "training pairs",
            "samples": "samples",
            "two-stage": "two-stage %",
            "two-stage, paper": "paper",
            "LCLR": "LCLR %",
            "LCLR, paper": "paper",
            "gain": "gain",
            "p": "p",
        },
    )


_WHICH = ("default", "best", "λ = 20")

# What the README shows once it was run in full: heading → the result it needs, and the table.
REPORTS = {
    "Concept definition retrieval, ATOP (`semwork reproduce wtmf`, Table 2)": ("wtmf_table_2", wtmf_markdown),
    "Sentence pairs (`semwork reproduce sts2012`)": ("sts2012_sts2012", pairs_markdown),
    "The default λ of WTMF (`semwork reproduce regularization`)": ("regularization_table", regularization_markdown),
    "Medline, query 20 (`semwork reproduce kernels`)": ("kernels_medline_query_20", kernels_markdown),
    "Names in Latin and Hebrew script (`semwork reproduce lclr`, Table 1)": ("lclr_table_1", names_markdown),
    "Accuracy of two stages → LCLR when less is known of the letters (`semwork reproduce lclr`)": (
        "lclr_names_guides",
        guides_markdown,
    ),
    "Entailment and paraphrase (`semwork reproduce lclr`, Tables 3 and 4)": ("lclr_table_3", sentences_markdown),
    "Topics of 20 newsgroups (`semwork reproduce gaussian_lda`, Table 1)": ("gaussian_lda_table_1", topics_markdown),
    "Samplers (`semwork reproduce gaussian_lda`, Figure 2)": ("gaussian_lda_figure_2_speed", samplers_markdown),
    "Unseen words (`semwork reproduce gaussian_lda`, Table 2)": ("gaussian_lda_table_2", unseen_markdown),
    "How far proportions move (`semwork reproduce gaussian_lda`, Table 3)": (
        "gaussian_lda_table_3",
        deviations_markdown,
    ),
}

"""The hands of semwork: panels that show, move and export what the package computes.

In this project ``import ipywidgets as ipw`` (not ``as widgets``), because this package has that name.
"""

from typing import Any

from widgets.jobs import Job
from widgets.live_figure import LiveFigure
from widgets.panel import Panel

__all__ = [
    "DataPanel",
    "Job",
    "LiveFigure",
    "Panel",
    "first_curve",
    "gaussian_topics",
    "latent_alignments",
    "missing_words",
    "paraphrase_threshold",
    "retrieval_race",
    "retrieval_sweep",
    "sampler_bias",
    "sampler_race",
    "semantic_kernels",
    "sentence_alignments",
    "sentence_pairs",
    "unseen_words",
    "weight_path",
    "your_sentences",
]


def __getattr__(name: str) -> Any:
    """Import the lessons' panels at their first use: the models behind them take seconds to load."""
    if name in ("DataPanel", "first_curve"):
        import widgets.start

        return getattr(widgets.start, name)
    if name == "missing_words":
        from widgets.similarity.missing_words import missing_words

        return missing_words
    if name in ("retrieval_race", "retrieval_sweep"):
        import widgets.similarity.retrieval

        return getattr(widgets.similarity.retrieval, name)
    if name in ("paraphrase_threshold", "sentence_pairs", "weight_path", "your_sentences"):
        import widgets.similarity.pairs

        return getattr(widgets.similarity.pairs, name)
    if name == "semantic_kernels":
        from widgets.kernels.decay import semantic_kernels

        return semantic_kernels
    if name == "latent_alignments":
        from widgets.structures.names import latent_alignments

        return latent_alignments
    if name == "sentence_alignments":
        from widgets.structures.sentences import sentence_alignments

        return sentence_alignments
    if name == "gaussian_topics":
        from widgets.topics.gaussian_topics import gaussian_topics

        return gaussian_topics
    if name in ("sampler_bias", "sampler_race"):
        import widgets.topics.convergence

        return getattr(widgets.topics.convergence, name)
    if name == "unseen_words":
        from widgets.topics.unseen_words import unseen_words

        return unseen_words
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The hands of semwork: panels that show, move and export what the package computes.

A panel is added here by one line; it is imported at its first use, because the models behind it take seconds to load.
"""

from typing import Any

from semwork.lazy import imported

# Name → the module that has it.
_MODULES = {
    "DataPanel": "start.data",
    "Job": "jobs",
    "LiveFigure": "live_figure",
    "Panel": "panel",
    "first_curve": "start.first_curve",
    "gaussian_topics": "topics.gaussian_topics",
    "latent_alignments": "structures.names",
    "missing_words": "similarity.missing_words",
    "paraphrase_threshold": "similarity.pairs",
    "retrieval_race": "similarity.retrieval_race",
    "retrieval_sweep": "similarity.retrieval_sweep",
    "sampler_bias": "topics.convergence",
    "sampler_race": "topics.convergence",
    "semantic_kernels": "kernels.decay",
    "sentence_alignments": "structures.sentences",
    "sentence_pairs": "similarity.pairs",
    "unseen_words": "topics.unseen_words",
    "weight_path": "similarity.pairs",
    "your_sentences": "similarity.pairs",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    return imported(__name__, _MODULES, name)

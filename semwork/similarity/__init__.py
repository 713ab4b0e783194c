"""Sentences as vectors: WTMF, what it is compared with, and tasks to try them on."""

from typing import TYPE_CHECKING, Any

from semwork.similarity.base import SentenceModel
from semwork.similarity.baselines import LSA, Encoder, LDAVectors, NGramOverlap, TfidfCosine, WordAverage
from semwork.similarity.blend import Blend
from semwork.similarity.catalogue import CATALOGUE, CataloguedModel, available_models, named_model
from semwork.similarity.cosine import cosine
from semwork.similarity.explain import contributions
from semwork.similarity.pairs import PairStep, PairTask
from semwork.similarity.penalty import CollapsedVectorsWarning
from semwork.similarity.retrieval import RetrievalStep, RetrievalTask
from semwork.similarity.space import SentenceSpace
from semwork.similarity.words import SentenceWord, WordMatch, sentence_words, word_effects, word_match
from semwork.similarity.wtmf import WTMF, WTMFStep

if TYPE_CHECKING:
    from semwork.similarity.search import RankStep, nearest, pairwise, rank, rank_steps

__all__ = [
    "CATALOGUE",
    "LSA",
    "WTMF",
    "Blend",
    "CataloguedModel",
    "CollapsedVectorsWarning",
    "Encoder",
    "LDAVectors",
    "NGramOverlap",
    "PairStep",
    "PairTask",
    "RankStep",
    "RetrievalStep",
    "RetrievalTask",
    "SentenceModel",
    "SentenceSpace",
    "SentenceWord",
    "TfidfCosine",
    "WTMFStep",
    "WordAverage",
    "WordMatch",
    "available_models",
    "contributions",
    "cosine",
    "named_model",
    "nearest",
    "pairwise",
    "rank",
    "rank_steps",
    "sentence_words",
    "word_effects",
    "word_match",
]

_COMPILED = ("RankStep", "nearest", "pairwise", "rank", "rank_steps")


def __getattr__(name: str) -> Any:
    """Load the compiled search when it is asked for: the compiler takes a second to import."""
    if name in _COMPILED:
        from semwork.similarity import search

        return getattr(search, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

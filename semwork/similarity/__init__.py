"""Sentences as vectors: WTMF, what it is compared with, and tasks to try them on."""

from typing import TYPE_CHECKING, Any

from semwork.similarity.base import SentenceModel
from semwork.similarity.baselines import LSA, Encoder, LDAVectors, NGramOverlap, TfidfCosine, WordAverage
from semwork.similarity.blend import Blend
from semwork.similarity.cosine import cosine
from semwork.similarity.explain import contributions, explain_query, labels_of
from semwork.similarity.missing import Glossary, MissingStep
from semwork.similarity.pairs import PairStep, PairTask, WeightStep, training_texts, weight_steps, worst_pairs
from semwork.similarity.penalty import CollapsedVectorsWarning
from semwork.similarity.retrieval import RetrievalStep, RetrievalTask
from semwork.similarity.retrieval_race import RaceStep, RetrievalRace
from semwork.similarity.retrieval_sweep import RetrievalSweep, SweepStep
from semwork.similarity.space import SentenceSpace
from semwork.similarity.words import SentenceWord, WordMatch, sentence_words, word_effects, word_match
from semwork.similarity.wtmf import WTMF, WTMFStep

if TYPE_CHECKING:
    from semwork.similarity.search import RankStep, nearest, pairwise, rank, rank_steps

__all__ = [
    "LSA",
    "WTMF",
    "Blend",
    "CollapsedVectorsWarning",
    "Encoder",
    "Glossary",
    "LDAVectors",
    "MissingStep",
    "NGramOverlap",
    "PairStep",
    "PairTask",
    "RaceStep",
    "RankStep",
    "RetrievalRace",
    "RetrievalStep",
    "RetrievalSweep",
    "RetrievalTask",
    "SentenceModel",
    "SentenceSpace",
    "SentenceWord",
    "SweepStep",
    "TfidfCosine",
    "WTMFStep",
    "WeightStep",
    "WordAverage",
    "WordMatch",
    "contributions",
    "cosine",
    "explain_query",
    "labels_of",
    "nearest",
    "pairwise",
    "rank",
    "rank_steps",
    "sentence_words",
    "training_texts",
    "weight_steps",
    "word_effects",
    "word_match",
    "worst_pairs",
]

_COMPILED = ("RankStep", "nearest", "pairwise", "rank", "rank_steps")


def __getattr__(name: str) -> Any:
    """Load the compiled search when it is asked for: the compiler takes a second to import."""
    if name in _COMPILED:
        from semwork.similarity import search

        return getattr(search, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

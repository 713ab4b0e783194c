"""Sentences as vectors: WTMF and its baselines."""

from semwork.similarity.baselines import TfidfCosine
from semwork.similarity.cosine import cosine
from semwork.similarity.retrieval import RetrievalStep, retrieval_steps
from semwork.similarity.wtmf import WTMF, WTMFStep

__all__ = ["WTMF", "RetrievalStep", "TfidfCosine", "WTMFStep", "cosine", "retrieval_steps"]

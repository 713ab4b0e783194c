"""Sentences as vectors: WTMF, and tasks to try it on."""

from semwork.similarity.cosine import cosine, sparse_cosine
from semwork.similarity.retrieval import RetrievalStep, RetrievalTask
from semwork.similarity.wtmf import WTMF, WTMFStep

__all__ = ["WTMF", "RetrievalStep", "RetrievalTask", "WTMFStep", "cosine", "sparse_cosine"]

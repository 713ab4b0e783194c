"""Arrays in, numbers out."""

from semwork.evaluation.retrieval import atop, rank_scores, topk

__all__ = ["atop", "rank_scores", "topk"]

"""Arrays in, numbers out."""

from semwork.evaluation.ranking import Ranking
from semwork.evaluation.retrieval import atop, rank, rank_scores, topk
from semwork.evaluation.sampling import Sampled, sample_candidates, sampled

__all__ = ["Ranking", "Sampled", "atop", "rank", "rank_scores", "sample_candidates", "sampled", "topk"]

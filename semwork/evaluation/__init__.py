"""Arrays in, numbers out."""

from semwork.evaluation.correlation import Correlation, correlation, pearson, spearman
from semwork.evaluation.paraphrase import AccuracyCurve, Paraphrase, accuracy_curve, best_threshold, paraphrase
from semwork.evaluation.ranking import Ranking
from semwork.evaluation.retrieval import atop, rank, rank_scores, topk
from semwork.evaluation.sampling import Sampled, sample_candidates, sampled
from semwork.evaluation.sts import StsScores, sts_scores

__all__ = [
    "AccuracyCurve",
    "Correlation",
    "Paraphrase",
    "Ranking",
    "Sampled",
    "StsScores",
    "accuracy_curve",
    "atop",
    "best_threshold",
    "correlation",
    "paraphrase",
    "pearson",
    "rank",
    "rank_scores",
    "sample_candidates",
    "sampled",
    "spearman",
    "sts_scores",
    "topk",
]

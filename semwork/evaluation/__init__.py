"""Arrays in, numbers out.

Retrieval (`rank`, `Ranking`, `sampled`), correlation with human scores (`correlation`, `sts_scores`), paraphrases
(`paraphrase`), classifiers (`decisions`), and whether one model is better than another (`paired_test`,
`paired_accuracy`, `compare_correlations`).
"""

from semwork.evaluation.classification import Decisions, decisions
from semwork.evaluation.correlation import Correlation, correlation, pearson, spearman
from semwork.evaluation.paraphrase import AccuracyCurve, Paraphrase, accuracy_curve, best_threshold, paraphrase
from semwork.evaluation.ranking import Ranking
from semwork.evaluation.retrieval import atop, rank, rank_scores, topk
from semwork.evaluation.sampling import Sampled, sample_candidates, sampled
from semwork.evaluation.significance import Comparison, compare_correlations, paired_accuracy, paired_test
from semwork.evaluation.sts import StsScores, sts_scores
from semwork.evaluation.threshold import ThresholdScores, at_threshold

__all__ = [
    "AccuracyCurve",
    "Comparison",
    "Correlation",
    "Decisions",
    "Paraphrase",
    "Ranking",
    "Sampled",
    "StsScores",
    "ThresholdScores",
    "accuracy_curve",
    "at_threshold",
    "atop",
    "best_threshold",
    "compare_correlations",
    "correlation",
    "decisions",
    "paired_accuracy",
    "paired_test",
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

"""Topics of documents: Gaussian LDA over word vectors, LDA over words, samplers, diagnostics, coherence."""

from semwork.topics.chains import ChainsStep, run_chains
from semwork.topics.coherence import Coherence, coherence
from semwork.topics.data import TOPIC_DATA, TopicData, topic_data
from semwork.topics.diagnostics import bulk_ess, match_topics, r_hat
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.geometry import TopicMap, topic_map
from semwork.topics.lda import LDA
from semwork.topics.planted import Planted, planted
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.purity import purity
from semwork.topics.records import TopicStep
from semwork.topics.samplers import EXACT, SAMPLERS
from semwork.topics.sharing import for_pyldavis, for_topicwizard, proportion_table, topic_table
from semwork.topics.tiny import TinyProblem, VariationStep, tiny_problem, variation_steps

__all__ = [
    "EXACT",
    "LDA",
    "SAMPLERS",
    "TOPIC_DATA",
    "ChainsStep",
    "Coherence",
    "GaussianLDA",
    "NormalInverseWishart",
    "Planted",
    "TinyProblem",
    "TopicData",
    "TopicMap",
    "TopicStep",
    "VariationStep",
    "bulk_ess",
    "coherence",
    "for_pyldavis",
    "for_topicwizard",
    "match_topics",
    "planted",
    "proportion_table",
    "purity",
    "r_hat",
    "run_chains",
    "tiny_problem",
    "topic_data",
    "topic_map",
    "topic_table",
    "variation_steps",
]

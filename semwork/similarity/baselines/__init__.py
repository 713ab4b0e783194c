"""What WTMF is compared with: the paper's own baselines and two modern yardsticks, all with one interface."""

from semwork.similarity.baselines.averages import WordAverage
from semwork.similarity.baselines.callables import Encoder, EncoderStep
from semwork.similarity.baselines.lda import LDAStep, LDAVectors
from semwork.similarity.baselines.lsa import LSA, LSAStep
from semwork.similarity.baselines.ngrams import NGramOverlap
from semwork.similarity.baselines.tfidf import TfidfCosine

__all__ = [
    "LSA",
    "Encoder",
    "EncoderStep",
    "LDAStep",
    "LDAVectors",
    "LSAStep",
    "NGramOverlap",
    "TfidfCosine",
    "WordAverage",
]

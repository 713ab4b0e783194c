"""Topics of documents: Gaussian LDA over word vectors, LDA over words, samplers, diagnostics, coherence."""

from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.planted import Planted, planted
from semwork.topics.prior import NormalInverseWishart

__all__ = ["GaussianLDA", "NormalInverseWishart", "Planted", "planted"]

"""The sentence models of the catalogue, made from the settings of a study."""

from __future__ import annotations

from typing import Protocol

from semwork.similarity.base import SentenceModel
from semwork.similarity.catalogue import CATALOGUE
from semwork.studies.wtmf_fields import ITERATIONS, PAPERS_ITERATIONS

__all__ = ["FEW_TEXTS", "LEARNT", "MODELS", "NEEDS", "ModelSettings", "iterations_for", "model_named"]

#: The model that the lessons are about.
LEARNT = "WTMF"
#: All models whose similarities are cosines, which share an axis; `LEARNT` first.
MODELS = (LEARNT, *(name for name, model in CATALOGUE.items() if name != LEARNT and not model.counts))
#: Model → data without which it cannot be fitted.
NEEDS = {name: model.needs for name, model in CATALOGUE.items() if model.needs}
#: From this number on texts are many: a fit of them takes seconds.
FEW_TEXTS = 10_000
# Sweeps of LDA beside other models, of few and of many texts: the paper makes 5,000, nobody would wait for them.
_LDA_SWEEPS, _MORE_LDA_SWEEPS = 60, 100


class ModelSettings(Protocol):
    """What a model is made from."""

    @property
    def missing_weight(self) -> float:
        """w_m."""
        ...

    @property
    def regularization(self) -> float:
        """λ."""
        ...

    @property
    def n_components(self) -> int:
        """K."""
        ...

    @property
    def seed(self) -> int:
        """Of the random start."""
        ...


def iterations_for(texts: int) -> int:
    """Return how often WTMF solves words and sentences in turn: few texts need fewer, many as in the paper."""
    return ITERATIONS if texts < FEW_TEXTS else PAPERS_ITERATIONS


def model_named(name: str, settings: ModelSettings, texts: int) -> SentenceModel:
    """Return a model that is not fitted yet, for so many texts."""
    return CATALOGUE[name].make(
        n_components=settings.n_components,
        missing_weight=settings.missing_weight,
        regularization=settings.regularization,
        seed=settings.seed,
        iterations=iterations_for(texts),
        sweeps=_LDA_SWEEPS if texts < FEW_TEXTS else _MORE_LDA_SWEEPS,
    )

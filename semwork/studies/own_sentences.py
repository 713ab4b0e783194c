"""How similar are two sentences of the reader's own, under each model, and which words match?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.similarity.base import SentenceModel
from semwork.similarity.catalogue import CATALOGUE
from semwork.similarity.space import SentenceSpace
from semwork.similarity.words import word_match
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step
from semwork.studies import wtmf_fields
from semwork.studies.pair_agreement import table_of_words
from semwork.studies.pair_models import FEW_TEXTS, LEARNT, MODELS, NEEDS, model_named
from semwork.studies.remembered import Remembered
from semwork.studies.settings import Settings, choice, text
from semwork.studies.study import Answer, Facts, NoAnswer, Study
from semwork.studies.training import TRAINING_TEXTS
from semwork.studies.warm_start import WarmStart
from semwork.text import Corpus

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ModelsSettings", "ModelsStep", "OwnSentences", "OwnSentencesView"]

_ROUNDS = 4  # of all models; on many texts only the last ones are remembered


@dataclass(frozen=True, kw_only=True)
class ModelsSettings(Settings):
    """How the models are fitted."""

    missing_weight: float = wtmf_fields.missing_weight()
    regularization: float = wtmf_fields.regularization()
    n_components: int = wtmf_fields.n_components(most=100)
    seed: int = wtmf_fields.seed()


@dataclass(frozen=True, kw_only=True)
class OwnSentencesView(Settings):
    """The sentences, and the model under which their words are compared."""

    left: str = text("The nurse gave the sick child some medicine.", "first sentence", "", shown="lines", at_once=True)
    right: str = text(
        "A doctor treats a young patient with a fever.", "second sentence", "", shown="lines", at_once=True
    )
    matched: str = choice(LEARNT, "word by word under", "which model compares the words", MODELS, needs=NEEDS)


@dataclass(frozen=True, kw_only=True)
class ModelsStep(Step):
    """The models that are fitted so far, by name.

    Attributes
    ----------
    models : mapping of str to SentenceModel
        Name → a fitted model.
    """

    models: Mapping[str, SentenceModel]


@dataclass(frozen=True, eq=False)
class Similarities(Answer):
    """The similarity of two sentences under each model."""

    similarities: Mapping[str, float]
    title: str = "How similar are your sentences?"


@dataclass(frozen=True, eq=False)
class Match(Answer):
    """Each word of one sentence against each of the other."""

    left: pd.DataFrame
    right: pd.DataFrame
    similarity: NDArray[np.float64]
    title: str


class OwnSentences(Study[ModelsSettings, ModelsStep]):
    """Several models on the same two sentences.

    Parameters
    ----------
    corpus : Corpus
        What the models are fitted on.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = OwnSentences.on("sample")
    >>> end = last(study.steps(ModelsSettings()))
    >>> found = study.similar(end, "The nurse helps.", "The nurse helps.").similarities
    >>> round(found["words only"], 6)
    1.0
    """

    settings, view = ModelsSettings, OwnSentencesView
    inputs = {"training": TRAINING_TEXTS}

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        # What the settings do not change is fitted once: the model's name and what it takes → the fitted model.
        rounds = _ROUNDS if len(corpus) < FEW_TEXTS else 1
        self._baselines = Remembered[tuple[Any, ...], SentenceModel](rounds * len(MODELS))
        self._start = WarmStart()

    @functools.cached_property
    def facts(self) -> Facts:
        """How many texts and words there are."""
        return Facts(**wtmf_fields.facts_of(self.corpus))

    @classmethod
    def goes_on(cls, _: ModelsSettings) -> bool:
        """Whether WTMF is fitted: always."""
        return True

    def steps(self, settings: ModelsSettings) -> Iterator[ModelsStep]:
        """Fit model after model; those that the settings do not change are fitted once."""
        settings = settings.checked()
        names = [name for name in MODELS if CATALOGUE[name].available]
        models: dict[str, SentenceModel] = {}
        for number, name in enumerate(names):
            key = (name, *(getattr(settings, one, None) for one in CATALOGUE[name].takes))
            if (baseline := self._baselines.get(key)) is not None:
                models[name] = baseline
                continue
            model = model_named(name, settings, len(self.corpus))
            for step in SentenceSpace(self.corpus, model).steps(**self._start.options(model, self.warm)):
                models[name] = model.snapshot()
                message = f"{name}: {step.message}" if step.message else name
                yield ModelsStep(done=number, total=len(names), message=message, models=dict(models))
            self._start.keep(models[name])
            if not isinstance(model, WTMF):
                self._baselines.put(key, models[name])
        yield ModelsStep(done=len(names), total=len(names), message=f"{len(names)} models", models=dict(models))

    def table(
        self, step: ModelsStep, left: str = OwnSentencesView.left, right: str = OwnSentencesView.right
    ) -> pd.DataFrame:
        """Return the similarity of two sentences under each model."""
        import pandas as pd

        found = self.similar(step, left, right).similarities
        return pd.DataFrame({"model": list(found), "similarity": list(found.values())})

    # --- questions --------------------------------------------------------------------------------------------------

    def similar(self, step: ModelsStep, left: str, right: str) -> Similarities:
        """Return the similarity of two sentences under each model that is fitted so far."""
        spaces = {name: SentenceSpace(self.corpus, model) for name, model in step.models.items()}
        return Similarities({name: float(space.similarity([left], [right])[0]) for name, space in spaces.items()})

    def match(self, step: ModelsStep, left: str, right: str, matched: str = LEARNT) -> Match:
        """Return the similarity of each word of one sentence with each of the other under one model."""
        if matched not in step.models:
            here, needed = CATALOGUE[matched].available, " and ".join(CATALOGUE[matched].needs)
            raise NoAnswer(f"{matched} is not fitted yet" if here else f"{matched} needs {needed}: see lesson 00")
        found = word_match(SentenceSpace(self.corpus, step.models[matched]), left, right)
        unknown = list(dict.fromkeys(word.word for word in (*found.left, *found.right) if not word.known))
        said = f"{', '.join(unknown)} unknown" if unknown else "all words known"
        return Match(
            table_of_words(found.left),
            table_of_words(found.right),
            found.similarity,
            f"Word by word with {matched}: {said}",
        )

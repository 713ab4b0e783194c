"""The sentence models, each declared once: what lessons, experiments and sweeps call them and how they make them.

A new model is a file of its own and one line in `CATALOGUE`. Its colour is chosen by its name in `semwork.plots`, which
imports no model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from semwork.datasets import available
from semwork.given import check_word
from semwork.similarity.base import SentenceModel
from semwork.similarity.baselines import LSA, LDAVectors, NGramOverlap, TfidfCosine, WordAverage
from semwork.similarity.wtmf import WTMF

__all__ = [
    "CATALOGUE",
    "PAPERS_PENALTY",
    "SETTINGS",
    "WEIGHT_GRID",
    "CataloguedModel",
    "available_models",
    "named_model",
]

#: Weights of missing words from "they do not count" to "they count like the others".
WEIGHT_GRID = (0.0, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: λ of Guo & Diab (2012).
PAPERS_PENALTY = 20.0

#: What models have in common, and which parameter of theirs it is: iterations are those of alternating least squares,
#: sweeps those of a sampler.
SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "n_components": "n_components",
        "missing_weight": "missing_weight",
        "regularization": "regularization",
        "iterations": "max_iter",
        "sweeps": "max_iter",
        "seed": "random_state",
    }
)


@dataclass(frozen=True)
class CataloguedModel:
    """A sentence model with what has to be known of it before it is made.

    Attributes
    ----------
    name : str
        What lessons call it.
    kind : type of SentenceModel
        The class; its parameters beyond the shared settings are its own.
    says : str
        What it compares, in a few words.
    takes : tuple of str
        Which of `SETTINGS` change it.
    paper : str
        What the papers' tables call it, where that is another name.
    fixed : mapping of str to Any
        Parameters that `make` always gives it.
    one_core : bool
        Whether a fit runs on one core, so that several run side by side.
    needs : tuple of str
        Data sets without which it cannot be fitted.
    counts : bool
        Whether its similarity is a count without an upper end, not a cosine.
    """

    name: str
    kind: type[SentenceModel]
    says: str
    takes: tuple[str, ...] = ()
    paper: str = ""
    fixed: Mapping[str, Any] = field(default_factory=dict, hash=False)
    one_core: bool = False
    needs: tuple[str, ...] = ()
    counts: bool = False

    @property
    def seedless(self) -> bool:
        """Whether the result is the same whatever the seed."""
        return "seed" not in self.takes

    @property
    def available(self) -> bool:
        """Whether all that it needs is on this machine."""
        return all(available(name) for name in self.needs)

    def make(self, **settings: Any) -> SentenceModel:
        """Make the model with those of the shared settings that it takes; the others do not change it.

        Parameters
        ----------
        **settings : Any
            Some of `SETTINGS`, by their names.

        Returns
        -------
        SentenceModel
            Not fitted yet.

        Examples
        --------
        >>> shared = {"n_components": 20, "missing_weight": 0.05, "sweeps": 60, "seed": 1}
        >>> CATALOGUE["LDA"].make(**shared)
        LDAVectors(max_iter=60, n_components=20, random_state=1)
        >>> CATALOGUE["words only"].make(**shared)
        TfidfCosine()
        """
        unknown = [name for name in settings if name not in SETTINGS]
        if unknown:
            raise TypeError(
                f"no model has the setting {unknown[0]!r} in common with others; these are {', '.join(SETTINGS)}. "
                f"What is of {self.kind.__name__} alone is given to the class itself"
            )
        return self.kind(**self.fixed, **{SETTINGS[name]: settings[name] for name in self.takes if name in settings})


_FACTORS = ("n_components", "missing_weight", "regularization", "iterations", "seed")
_TOPICS = ("n_components", "sweeps", "seed")

#: All models by name, in the order of a table.
CATALOGUE: Mapping[str, CataloguedModel] = MappingProxyType(
    {
        model.name: model
        for model in (
            CataloguedModel("words only", TfidfCosine, "the weighted words themselves, nothing learnt", paper="IR"),
            CataloguedModel(
                "n-grams", NGramOverlap, "the phrases that two sentences share", paper="N-gram", counts=True
            ),
            # A seed would not change LSA in the digits that are shown.
            CataloguedModel(
                "LSA", LSA, "every word counts, and every missing one", ("n_components",),
                fixed={"random_state": 0}, one_core=True,
            ),
            CataloguedModel("LDA", LDAVectors, "missing words do not count", _TOPICS, one_core=True),
            CataloguedModel("WTMF", WTMF, "missing words count a little", _FACTORS),
            CataloguedModel(
                "GloVe average", WordAverage, "the mean of vectors from elsewhere",
                paper="GloVe average (SIF)", needs=("glove",),
            ),
        )
    }
)  # fmt: skip


def named_model(name: str) -> CataloguedModel:
    """Return the model of a name: that of the lessons, or that of the papers' tables.

    Parameters
    ----------
    name : str
        A name in `CATALOGUE`, or one of the papers.

    Returns
    -------
    CataloguedModel

    Examples
    --------
    >>> named_model("IR") is named_model("words only")
    True
    """
    check_word("model", name, CATALOGUE)
    found = CATALOGUE.get(name) or next((model for model in CATALOGUE.values() if model.paper == name), None)
    if found is None:
        raise ValueError(f"there is no model {name!r}; there are {', '.join(map(repr, CATALOGUE))}")
    return found


def available_models() -> dict[str, CataloguedModel]:
    """Return those models whose data are on this machine.

    Returns
    -------
    dict of str to CataloguedModel
    """
    return {name: model for name, model in CATALOGUE.items() if model.available}

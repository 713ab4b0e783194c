"""What WTMF is compared with on one retrieval task: each model is fitted once, and goes on where it was overtaken."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from semwork.similarity.base import SentenceModel
from semwork.similarity.retrieval import RetrievalTask
from semwork.similarity.space import SentenceSpace
from semwork.steps import Step
from semwork.studies.remembered import Remembered

if TYPE_CHECKING:
    from semwork.evaluation import Ranking

__all__ = ["Rivals", "key_of"]

_TELL_SECONDS = 0.2
_RANKINGS = 100  # are remembered; one is as long as there are queries
_BEGUN = 3  # fits that wait to be gone on with; each holds a model and its data


def key_of(model: SentenceModel) -> Any:
    """Return what a model's result depends on: its class and its parameters."""
    return type(model).__name__, tuple(sorted(model.get_params(deep=False).items(), key=lambda item: item[0]))


class Rivals:
    """Rankings of models on one task.

    Parameters
    ----------
    task : RetrievalTask
        Queries, candidates and the corpus to train on.
    """

    def __init__(self, task: RetrievalTask) -> None:
        self.task = task
        self._rankings = Remembered[Any, "Ranking"](_RANKINGS)
        # A rival that was overtaken by new settings goes on where it was as soon as it is wanted again.
        self._begun = Remembered[Any, tuple[SentenceModel, Iterator[Step]]](_BEGUN)

    def found(self, wanted: Mapping[str, SentenceModel]) -> dict[str, Ranking]:
        """Return the rankings of those that have one, by name."""
        known = {name: self._rankings.get(key_of(model)) for name, model in wanted.items()}
        return {name: ranking for name, ranking in known.items() if ranking is not None}

    def waiting(self, wanted: Mapping[str, SentenceModel]) -> tuple[str, ...]:
        """Return the names of those that have none yet."""
        return tuple(name for name, model in wanted.items() if key_of(model) not in self._rankings)

    def progress(self, rival: SentenceModel) -> Iterator[Step]:
        """Fit a rival, or go on fitting it, and remember its ranking; tell where it is a few times a second."""
        key = key_of(rival)
        if key in self._rankings:
            return
        model, fit = self._begun.made(key, lambda: (rival, SentenceSpace(self.task.corpus, rival).steps()))
        told = time.perf_counter()
        try:
            for step in fit:
                if time.perf_counter() - told >= _TELL_SECONDS:
                    yield step
                    told = time.perf_counter()
            self._rankings.put(key, self.task.fitted_ranking(model))
        except GeneratorExit:
            raise  # overtaken: what is begun stays
        except BaseException:
            self._begun.forget(key)
            raise
        self._begun.forget(key)

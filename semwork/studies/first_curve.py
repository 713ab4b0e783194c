"""How soon is the right definition found?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from semwork.evaluation import atop, topk
from semwork.similarity.retrieval import RetrievalStep, RetrievalTask, check_task
from semwork.similarity.wtmf import WTMF
from semwork.studies import wtmf_fields
from semwork.studies.retrieval_tasks import RETRIEVAL_TASKS
from semwork.studies.settings import Settings
from semwork.studies.study import Answer, Facts, Input, Study

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FirstCurve", "FirstSettings"]

_POINTS = 200  # of a curve


@dataclass(frozen=True, kw_only=True)
class FirstSettings(Settings):
    """How WTMF is fitted."""

    missing_weight: float = wtmf_fields.missing_weight()
    n_components: int = wtmf_fields.n_components()
    regularization: float = wtmf_fields.regularization()
    seed: int = wtmf_fields.seed()


@dataclass(frozen=True, eq=False)
class Recall(Answer):
    """The share of the targets that is found, and the area under it."""

    share: NDArray[np.float64]
    recall: Mapping[str, Any]
    atop: Mapping[str, float]
    title: str = "How soon is the right definition found?"


class FirstCurve(Study[FirstSettings, RetrievalStep]):
    """WTMF beside the words themselves on one retrieval task.

    Parameters
    ----------
    task : RetrievalTask
        Queries, candidates and the corpus to train on.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = FirstCurve.on("sample")
    >>> end = last(study.steps(FirstSettings()))
    >>> study.table(end)["model"].tolist()
    ['WTMF', 'words only']
    """

    settings = FirstSettings
    inputs = {
        "data": Input(RETRIEVAL_TASKS.symbol, RETRIEVAL_TASKS.says, {"sample": RETRIEVAL_TASKS.sources["sample"]}),
    }

    def __init__(self, task: RetrievalTask) -> None:
        check_task(task)
        self.task = task

    @functools.cached_property
    def facts(self) -> Facts:
        """How many texts and words there are."""
        return Facts(**wtmf_fields.facts_of(self.task.corpus))

    @functools.cached_property
    def _words_only(self) -> Any:
        return self.task.baseline()

    def steps(self, settings: FirstSettings) -> Iterator[RetrievalStep]:
        """Fit WTMF, scoring it after every iteration."""
        settings = settings.checked()
        given = (settings.n_components, settings.missing_weight, settings.regularization)
        return self.task.steps(WTMF(*given, max_iter=wtmf_fields.ITERATIONS, random_state=settings.seed))

    def table(self, step: RetrievalStep) -> pd.DataFrame:
        """Return ``atop`` of each ``model``."""
        import pandas as pd

        found = self.recall(step).atop
        return pd.DataFrame({"model": list(found), "atop": list(found.values())})

    def recall(self, step: RetrievalStep) -> Recall:
        """Return the share of the targets that is found when a share of the candidates is looked at."""
        scores = {"WTMF": step.scores, "words only": self._words_only}
        share = np.geomspace(1e-3, 1, _POINTS)
        curves = {name: topk(values, share) for name, values in scores.items()}
        return Recall(share, curves, {name: atop(values) for name, values in scores.items()})

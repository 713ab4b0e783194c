"""Which model finds the right definition first, and why?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from semwork.similarity.base import SentenceModel, plain_rows
from semwork.similarity.catalogue import CATALOGUE
from semwork.similarity.retrieval import RetrievalTask, check_task
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step
from semwork.studies import wtmf_fields
from semwork.studies.pair_models import LEARNT
from semwork.studies.query_explanation import explain_query, labels_of
from semwork.studies.retrieval_tasks import RETRIEVAL_TASKS
from semwork.studies.rivals import Rivals, key_of
from semwork.studies.settings import Settings, choice, several, text
from semwork.studies.study import Answer, Facts, Study
from semwork.studies.warm_start import WarmStart

if TYPE_CHECKING:
    import pandas as pd

    from semwork.evaluation import Ranking

__all__ = ["RIVALS", "RaceSettings", "RaceStep", "RaceView", "RetrievalRace"]

WORDS_ONLY = "words only"
THE_RIGHT_ONE = "the right one"
# Less than the paper's 5,000: retrieval hardly rises after 150, see `LDAVectors`.
_LDA_SWEEPS = 200
#: So many candidates of a query are listed.
LISTED = 10
#: What WTMF can be compared with: the models of the catalogue, those that sample last, because they are slow.
RIVALS = tuple(
    sorted((name for name in CATALOGUE if name != LEARNT), key=lambda name: "sweeps" in CATALOGUE[name].takes)
)


@dataclass(frozen=True, kw_only=True)
class RaceSettings(Settings):
    """What is fitted, and what it is compared with."""

    missing_weight: float = wtmf_fields.missing_weight()
    regularization: float = wtmf_fields.regularization()
    n_components: int = wtmf_fields.n_components(most=150)
    iterations: int = wtmf_fields.iterations()
    seed: int = wtmf_fields.seed()
    models: tuple[str, ...] = several(
        tuple(name for name in RIVALS if name != WORDS_ONLY and not CATALOGUE[name].needs),
        "other models",
        "beside WTMF and words only; Ctrl-click takes one in or out",
        tuple(name for name in RIVALS if name != WORDS_ONLY),
        needs={name: CATALOGUE[name].needs for name in RIVALS},
    )

    def model(self) -> WTMF:
        """Return WTMF with these settings, not fitted yet."""
        return WTMF(
            n_components=self.n_components,
            missing_weight=self.missing_weight,
            regularization=self.regularization,
            max_iter=self.iterations,
            random_state=self.seed,
        )


@dataclass(frozen=True, kw_only=True)
class RaceView(Settings):
    """What is drawn of a step."""

    axis: str = choice("log", "k axis", "", ("log", "linear"))
    query: str = text(
        "mulch",
        "query",
        "type a headword, or click a point",
        at={"cdr": "cheetah"},
        own=lambda facts: facts["first"],
        keeps=True,
    )
    candidate: str = choice(
        THE_RIGHT_ONE,
        "explain candidate",
        "or click a bar of the ranking",
        (THE_RIGHT_ONE, *map(str, range(1, LISTED + 1))),
    )


@dataclass(frozen=True, kw_only=True)
class RaceStep(Step):
    """Where the models stand.

    Attributes
    ----------
    rankings : mapping of str to Ranking
        Per model that has a result, WTMF first.
    waiting : tuple of str
        The names of the models that have none yet.
    model : WTMF
        WTMF as it is now; later steps do not change it.
    vectors : pair of arrays
        Its vectors of the queries and of the candidates.
    """

    rankings: Mapping[str, Ranking]
    waiting: tuple[str, ...]
    model: WTMF
    vectors: tuple[Any, Any]


@dataclass(frozen=True, eq=False)
class Curves(Answer):
    """TOPK of all models, and ATOP, the best last."""

    share: Any
    recall: Mapping[str, Any]
    atop: pd.DataFrame
    waiting: tuple[str, ...]
    title: str = "Who finds the definition first?"


@dataclass(frozen=True, eq=False)
class QueryRanks(Answer):
    """For each query the rank of its target with two models."""

    ranks: pd.DataFrame
    candidates: int
    chosen: int | None
    title: str = "Each point is a query: click one"


@dataclass(frozen=True, eq=False)
class Why(Answer):
    """One ranking, and one similarity taken apart."""

    ranking: pd.DataFrame
    words: pd.DataFrame
    candidate: int
    similarity: float
    label: str
    text: str
    note: str


class RetrievalRace(Study[RaceSettings, RaceStep]):
    """All models on one task: WTMF iteration by iteration, then what it is compared with, the slowest last.

    What does not change between two runs is not computed again.

    Parameters
    ----------
    task : RetrievalTask
        Queries, candidates and the corpus to train on.

    Examples
    --------
    >>> from semwork.steps import last
    >>> race = RetrievalRace.on("sample")
    >>> end = last(race.steps(RaceSettings(n_components=10, iterations=3, models=("LSA",))))
    >>> list(end.rankings)
    ['WTMF', 'words only', 'LSA']
    >>> race.why(end, "mulch").words["word"].head(2).tolist()
    ['soil', 'layer']
    """

    settings, view = RaceSettings, RaceView
    inputs = {"data": RETRIEVAL_TASKS}

    def __init__(self, task: RetrievalTask) -> None:
        check_task(task)
        self.task = task
        self._rivals = Rivals(task)
        self._last: tuple[Any, RaceStep] | None = None
        self._last_rivals: tuple[str, ...] = ()
        self._start = WarmStart()

    @functools.cached_property
    def facts(self) -> Facts:
        """How many queries, candidates and texts to train on there are."""
        return Facts(
            queries=len(self.task.data),
            candidates=len(self.task.data.candidates),
            first=lambda: self.labels[0],
            **wtmf_fields.facts_of(self.task.corpus),
        )

    @functools.cached_property
    def labels(self) -> list[str]:
        """Names of the queries: their headwords."""
        return labels_of(self.task.data.queries, self.task.data.query_table)

    @classmethod
    def goes_on(cls, _: RaceSettings) -> bool:
        """Whether WTMF is fitted: always."""
        return True

    def steps(self, settings: RaceSettings) -> Iterator[RaceStep]:
        """Fit WTMF, scoring it after every iteration, then the rivals that have no result yet.

        Words only are always compared. When nothing but the list of rivals has changed, WTMF is not fitted again. A
        warm study lets WTMF start from the components that were fitted last, unless they have lost a dimension.
        """
        settings = settings.checked(self.facts)
        model = settings.model()
        chosen = tuple(name for name in RIVALS if name in settings.models or name == WORDS_ONLY)
        shared = {
            "n_components": model.rank_for(self.task.training.shape),
            "missing_weight": settings.missing_weight,
            "regularization": settings.regularization,
            "iterations": settings.iterations,
            "sweeps": _LDA_SWEEPS,
            "seed": settings.seed,
        }
        wanted = {name: CATALOGUE[name].make(**shared) for name in chosen}
        for _ in self._rivals.progress(wanted[WORDS_ONLY]):
            pass  # a blink; pictures compare with it
        key = key_of(model)
        known = self._last is not None and self._last[0] == key and self._last_rivals != chosen
        self._last_rivals = chosen
        # A rival of many sweeps weighs as many steps, so that the time left is not promised too short.
        weighs = {name: int(getattr(rival, "max_iter", 1)) for name, rival in wanted.items()}
        total = int(model.max_iter) + sum(weighs.values())
        if not known:
            for step in self._wtmf(model, wanted, total):
                self._last = (key, step) if step.done == model.max_iter else None
                yield step
        if self._last is None:
            return
        done = self._with(self._last[1], wanted, total, int(model.max_iter), "")
        if known:
            yield done
        behind = int(model.max_iter)
        for name, rival in wanted.items():
            for fit in self._rivals.progress(rival):
                share = int(weighs[name] * (fit.fraction or 0.0))
                said = f"step {fit.done} of {fit.total}" if fit.total else fit.message
                yield self._with(done, wanted, total, min(behind + share, total - 1), f"{name}: {said}")
            behind += weighs[name]
            atop = self._rivals.found(wanted)[name].atop
            yield self._with(done, wanted, total, behind, f"{name}: ATOP {atop:.3f}" if behind < total else "")

    def _wtmf(self, model: WTMF, wanted: Mapping[str, SentenceModel], total: int) -> Iterator[RaceStep]:
        from semwork.similarity.search import rank

        for step in model.steps(self.task.training, **self._start.options(model, self.warm)):
            vectors = plain_rows(model, self.task.queries), plain_rows(model, self.task.candidates)
            ranking = rank(*vectors, self.task.data.targets)
            now = model.snapshot()
            self._start.keep(now)
            yield RaceStep(
                done=step.done,
                total=total,
                message=f"ATOP {ranking.atop:.3f} · {step.message}",
                rankings={LEARNT: ranking, **self._rivals.found(wanted)},
                waiting=self._rivals.waiting(wanted),
                model=now,
                vectors=vectors,
            )

    def _with(self, step: RaceStep, wanted: Mapping[str, SentenceModel], total: int, done: int, said: str) -> RaceStep:
        """The same WTMF beside what is known of the others by now."""
        ranking = step.rankings[LEARNT]
        return replace(
            step,
            done=done,
            total=total,
            message=said or f"WTMF: ATOP {ranking.atop:.3f}",
            rankings={LEARNT: ranking, **self._rivals.found(wanted)},
            waiting=self._rivals.waiting(wanted),
        )

    def table(self, step: RaceStep) -> pd.DataFrame:
        """Return columns ``model``, ``atop`` and ``spread``: half of the 95 % interval over the queries."""
        import pandas as pd

        found = step.rankings.items()
        return pd.DataFrame(
            {
                "model": [name for name, _ in found],
                "atop": [ranking.atop for _, ranking in found],
                "spread": [1.96 * float(np.std(r.scores) / np.sqrt(max(r.n_queries, 1))) for _, r in found],
            }
        )

    # --- questions --------------------------------------------------------------------------------------------------

    def curves(self, step: RaceStep, axis: str = "log") -> Curves:
        """Return how many targets are found when the first k candidates are looked at, and the area under that."""
        size = max((ranking.n_candidates for ranking in step.rankings.values()), default=1000)
        share = np.geomspace(1 / size, 1, 200) if axis == "log" else np.linspace(0, 1, 201)
        recall = {name: ranking.topk(share) for name, ranking in step.rankings.items()}
        atop = self.table(step).sort_values("atop", kind="stable", ignore_index=True)
        return Curves(share, recall, atop, step.waiting)

    def queries(self, step: RaceStep, query: str = "") -> QueryRanks:
        """Return the rank of each query's target with WTMF and with words only."""
        import pandas as pd

        learnt, words = (step.rankings[name].table()["best_rank"] for name in (LEARNT, WORDS_ONLY))
        ranks = pd.DataFrame({"label": self.labels, "text": self.task.data.queries, LEARNT: learnt, WORDS_ONLY: words})
        return QueryRanks(ranks, step.rankings[LEARNT].n_candidates, self.find(query)[0])

    def why(self, step: RaceStep, query: str, candidate: str = THE_RIGHT_ONE) -> Why:
        """Return the ranking of one query, and why the candidate at a place (or the right one) stands there."""
        number, note = self.find(query)
        place = None if candidate == THE_RIGHT_ONE else int(candidate)
        found = explain_query(self.task, step.model, number, place=place, vectors=step.vectors, k=LISTED)
        return Why(found.ranking, found.words, found.candidate, found.similarity, found.label, found.text, note)

    def find(self, query: str) -> tuple[int, str]:
        """Return the number of the query that is asked for, or of the nearest one, and a word about it.

        Parameters
        ----------
        query : str
            A label of `labels`, or its beginning.

        Returns
        -------
        number : int
        said : str
            Empty where the query was found.
        """
        asked = query.strip().lower()
        lower = [label.lower() for label in self.labels]
        if asked in lower:
            return lower.index(asked), ""
        near = next((number for number, label in enumerate(lower) if asked and label.startswith(asked)), None)
        if near is not None:
            return near, ""
        return 0, f"(no query “{query.strip()}” here) " if asked else ""

"""All models on one retrieval task: WTMF iteration by iteration, then what it is compared with, the slowest last."""

from __future__ import annotations

import copy
import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from semwork.datasets import load
from semwork.given import check_word
from semwork.similarity.base import SentenceModel, plain_rows
from semwork.similarity.baselines import LSA, LDAVectors, NGramOverlap, TfidfCosine, WordAverage
from semwork.similarity.retrieval import RetrievalTask, check_task
from semwork.similarity.space import SentenceSpace
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step

if TYPE_CHECKING:
    from semwork.evaluation import Ranking

__all__ = ["RIVALS", "RaceStep", "RetrievalRace", "named_task", "usable_start"]

LEARNT, WORDS_ONLY = "WTMF", "words only"
_LDA_SWEEPS = 200
_TELL_SECONDS = 0.2

#: What WTMF can be compared with: name → model for (K, seed), the slowest last.
RIVALS: Mapping[str, Callable[[int, int], SentenceModel]] = {
    WORDS_ONLY: lambda k, seed: TfidfCosine(),
    "n-grams": lambda k, seed: NGramOverlap(),
    "LSA": lambda k, seed: LSA(n_components=k, random_state=0),  # a seed would not change it
    "GloVe average": lambda k, seed: WordAverage(),
    "LDA": lambda k, seed: LDAVectors(n_components=k, max_iter=_LDA_SWEEPS, random_state=seed),
}


def named_task(name: str) -> RetrievalTask:
    """Return the retrieval task of a lesson, made once.

    Parameters
    ----------
    name
        ``"sample"``: all queries of the sample dictionaries, trained with the sample documents. ``"cdr"``: the
        development queries of GCIDE → WordNet, trained with the sentences of Brown.

    Examples
    --------
    >>> len(named_task("sample").data)
    320
    """
    check_word("name", name, ("sample", "cdr"), "RetrievalTask.from_set(data) makes a task of other data")
    return _named_task(name)


@functools.lru_cache(maxsize=2)
def _named_task(name: str) -> RetrievalTask:
    if name == "sample":
        sample = load("sample")
        return RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)
    if name == "cdr":
        return RetrievalTask.from_set(load("cdr").subset("dev"), more_texts=load("brown").texts)
    raise ValueError(f"there is no retrieval task {name!r}; there are 'sample' and 'cdr'")


@dataclass(frozen=True, kw_only=True)
class RaceStep(Step):
    """Where the models stand.

    Attributes
    ----------
    task
        What they are compared on.
    rankings
        Per model that has a result, WTMF first.
    waiting
        The names of the models that have none yet.
    model
        WTMF as it is now; later steps do not change it.
    vectors
        Its vectors of the queries and of the candidates.
    """

    task: RetrievalTask
    rankings: Mapping[str, Ranking]
    waiting: tuple[str, ...]
    model: WTMF
    vectors: tuple[Any, Any]


def usable_start(components: Any) -> Any:
    """Return components if a new fit can start from them, ``None`` if not.

    Where a strong penalty has pulled a dimension to zero, alternating least squares never leaves it again: such a
    solution is no start for a weaker penalty.

    Examples
    --------
    >>> usable_start(np.zeros((2, 5))) is None
    True
    """
    if components is None:
        return None
    rows = np.asarray(components, dtype=np.float64)
    values = np.linalg.eigvalsh(rows @ rows.T)
    return components if values[0] > 1e-6 * max(values[-1], 1e-6) else None


class RetrievalRace:
    """The models on one task; what does not change between two runs is kept.

    Parameters
    ----------
    task
        Queries, candidates and the corpus to train on.

    Examples
    --------
    >>> from semwork.steps import last
    >>> race = RetrievalRace(named_task("sample"))
    >>> end = last(race.steps(WTMF(n_components=10, regularization=5, max_iter=3, random_state=0), ["LSA"]))
    >>> list(end.rankings)
    ['WTMF', 'words only', 'LSA']
    """

    def __init__(self, task: RetrievalTask) -> None:
        check_task(task)
        self.task = task
        self._rankings: dict[Any, Ranking] = {}
        # A rival that was overtaken by new settings goes on where it was as soon as it is wanted again.
        self._begun: dict[Any, tuple[SentenceModel, Iterator[Step]]] = {}
        self._last: tuple[Any, RaceStep] | None = None
        self._last_rivals: tuple[str, ...] = ()

    def steps(self, model: WTMF, rivals: Sequence[str] = (), *, start: Any = None) -> Iterator[RaceStep]:
        """Fit WTMF, scoring it after every iteration, then the rivals that have no result yet.

        Words only are always compared. When nothing but the list of rivals has changed, WTMF is not fitted again.

        Parameters
        ----------
        model
            WTMF with its parameters.
        rivals
            Names in `RIVALS`.
        start
            Components to start from, as in `WTMF.steps`; those that have lost a dimension are passed over.
        """
        unknown = [name for name in rivals if name not in RIVALS]
        if unknown:
            raise ValueError(f"there is no model {unknown[0]!r} to compare with; there are: {', '.join(RIVALS)}")
        chosen = tuple(name for name in RIVALS if name in rivals or name == WORDS_ONLY)
        seed = int(model.random_state or 0)
        rank = model.rank_for(self.task.training.shape)
        wanted = {name: RIVALS[name](rank, seed) for name in chosen}
        self._drain(_key(wanted[WORDS_ONLY]), wanted[WORDS_ONLY])  # a blink; pictures compare with it
        key = _key(model)
        known = self._last is not None and self._last[0] == key and self._last_rivals != chosen
        self._last_rivals = chosen
        # A rival of many sweeps weighs as many steps, so that the time left is not promised too short.
        weighs = {name: int(getattr(rival, "max_iter", 1)) for name, rival in wanted.items()}
        total = int(model.max_iter) + sum(weighs.values())
        if not known:
            for step in self._wtmf(model, wanted, total, usable_start(start)):
                self._last = (key, step) if step.done == model.max_iter else None
                yield step
        if self._last is None:
            return
        done = self._with(self._last[1], wanted, total, int(model.max_iter), "")
        if known:
            yield done
        behind = int(model.max_iter)
        for name, rival in wanted.items():
            for fit in self._progress(_key(rival), rival):
                share = int(weighs[name] * (fit.fraction or 0.0))
                said = f"step {fit.done} of {fit.total}" if fit.total else fit.message
                yield self._with(done, wanted, total, min(behind + share, total - 1), f"{name}: {said}")
            behind += weighs[name]
            atop = self._rankings[_key(rival)].atop
            yield self._with(done, wanted, total, behind, f"{name}: ATOP {atop:.3f}" if behind < total else "")

    def _wtmf(self, model: WTMF, wanted: Mapping[str, SentenceModel], total: int, start: Any) -> Iterator[RaceStep]:
        from semwork.similarity.search import rank

        for step in model.steps(self.task.training, start=start):
            vectors = plain_rows(model, self.task.queries), plain_rows(model, self.task.candidates)
            ranking = rank(*vectors, self.task.data.targets)
            kept = copy.copy(model)
            kept.components_ = model.components_.copy()
            kept.__dict__.pop("embedding_", None)
            yield RaceStep(
                done=step.done,
                total=total,
                message=f"ATOP {ranking.atop:.3f} · {step.message}",
                task=self.task,
                rankings={LEARNT: ranking, **self._known(wanted)},
                waiting=self._waiting(wanted),
                model=kept,
                vectors=vectors,
            )

    def _with(self, step: RaceStep, wanted: Mapping[str, SentenceModel], total: int, done: int, said: str) -> RaceStep:
        """The same WTMF beside what is known of the others by now."""
        ranking = step.rankings[LEARNT]
        return RaceStep(
            done=done,
            total=total,
            message=said or f"WTMF: ATOP {ranking.atop:.3f}",
            task=self.task,
            rankings={LEARNT: ranking, **self._known(wanted)},
            waiting=self._waiting(wanted),
            model=step.model,
            vectors=step.vectors,
        )

    def _known(self, wanted: Mapping[str, SentenceModel]) -> dict[str, Ranking]:
        keys = {name: _key(model) for name, model in wanted.items()}
        return {name: self._rankings[key] for name, key in keys.items() if key in self._rankings}

    def _waiting(self, wanted: Mapping[str, SentenceModel]) -> tuple[str, ...]:
        return tuple(name for name, model in wanted.items() if _key(model) not in self._rankings)

    def _progress(self, key: Any, rival: SentenceModel) -> Iterator[Step]:
        """Fit a rival, or go on fitting it, and keep its ranking; where it is, a few times a second."""
        if key in self._rankings:
            return
        if key not in self._begun:
            self._begun[key] = rival, SentenceSpace(self.task.corpus, rival).steps()
        model, fit = self._begun[key]
        told = time.perf_counter()
        try:
            for step in fit:
                if time.perf_counter() - told >= _TELL_SECONDS:
                    yield step
                    told = time.perf_counter()
            self._rankings[key] = self.task.fitted_ranking(model)
        except GeneratorExit:
            raise  # overtaken: what is begun stays
        except BaseException:
            del self._begun[key]
            raise
        del self._begun[key]

    def _drain(self, key: Any, rival: SentenceModel) -> None:
        for _ in self._progress(key, rival):
            pass


def _key(model: SentenceModel) -> Any:
    return type(model).__name__, tuple(sorted(model.get_params(deep=False).items(), key=lambda item: item[0]))

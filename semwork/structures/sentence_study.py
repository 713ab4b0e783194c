"""Learning to tell paraphrases, or what follows from what, step by step: the second half of lesson 05."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.datasets import SentencePairs, load
from semwork.given import check_word
from semwork.steps import Step
from semwork.structures.inference import best_structure
from semwork.structures.joined import Joined
from semwork.structures.learner import LCLR, AlignThenLearn
from semwork.structures.problem import Compiled, Floats
from semwork.structures.tasks.parsing import Parsed, parse_steps, parse_text
from semwork.structures.tasks.sentences import entailment_problems, not_here, paraphrase_problems

__all__ = ["SENTENCE_KINDS", "SENTENCE_TASKS", "SentenceIteration", "SentenceStep", "SentenceStudy", "TwoStage"]

#: Name → data set and group of pairs; what a positive pair and a negative one are called.
SENTENCE_TASKS = {
    "paraphrase": ("msr04", "", "a paraphrase", "no paraphrase"),
    "entailment 1": ("rte", "rte1", "it follows", "it does not follow"),
    "entailment 2": ("rte", "rte2", "it follows", "it does not follow"),
    "entailment 3": ("rte", "rte3", "it follows", "it does not follow"),
}
#: What features are about.
SENTENCE_KINDS = ("words mapped", "words left out", "edges", "the whole pair")
_LONGEST = 14  # letters of a word that are shown


@dataclass(frozen=True, eq=False)
class SentenceIteration:
    """What one outer iteration knows: objective, weights, and the score of every test pair."""

    objective: float
    changed: float
    weights: Floats
    scores: Floats


@dataclass(frozen=True)
class TwoStage:
    """How well the two-stage system does."""

    accuracy: float


@dataclass(frozen=True, kw_only=True)
class SentenceStep(Step):
    """All iterations so far, none while sentences are parsed; the first is the two-stage start.

    Attributes
    ----------
    iterations
        From the two-stage start on.
    two_stage
        The two-stage system on the test pairs.
    names
        Names of the features.
    study
        The pairs.
    """

    iterations: tuple[SentenceIteration, ...] = ()
    two_stage: TwoStage = TwoStage(0.0)
    names: tuple[Hashable, ...] = field(default=(), repr=False, compare=False)
    study: SentenceStudy = field(repr=False, compare=False)

    @cached_property
    def history(self) -> pd.DataFrame:
        """Columns ``iteration``, ``objective``, ``changed``, ``accuracy``."""
        truth = self.study.test_labels
        return pd.DataFrame(
            {
                "iteration": np.arange(len(self.iterations)),
                "objective": [one.objective for one in self.iterations],
                "changed": [one.changed for one in self.iterations],
                "accuracy": [float(np.mean((one.scores >= 0) == (truth > 0))) for one in self.iterations],
            }
        )

    def at(self, iteration: int | None) -> SentenceIteration:
        """Return an iteration, the last one if there are not so many yet."""
        return self.iterations[-1 if iteration is None else min(iteration, len(self.iterations) - 1)]

    def scores(self, iteration: int | None = None) -> pd.DataFrame:
        """Return all test pairs: ``pair`` (its number), ``left``, ``right``, ``truth``, ``score``, ``correct``."""
        values, truth = self.at(iteration).scores, self.study.test_labels > 0
        left, right = zip(*(self.study.texts(number) for number in range(len(truth))), strict=True)
        return pd.DataFrame(
            {"pair": np.arange(len(truth)), "left": left, "right": right, "truth": truth, "score": values}
        ).assign(correct=(values >= 0) == truth)

    def weights(self, iteration: int | None = None, n: int = 12) -> pd.DataFrame:
        """Return the largest and the smallest weights: columns ``feature``, ``kind``, ``weight``, largest first.

        Features differ in size, so a weight is told for the feature's standard deviation over the training pairs.
        """
        weights = self.at(iteration).weights * self.study.spread
        order = np.argsort(-weights, kind="stable")
        chosen = [*order[:n][weights[order[:n]] > 0], *order[-n:][weights[order[-n:]] < 0]]
        return pd.DataFrame(
            {
                "feature": [_said(self.names[k]) for k in chosen],
                "kind": [_kind(self.names[k]) for k in chosen],
                "weight": weights[chosen],
            }
        )

    def joined(self, left: Parsed, right: Parsed, iteration: int | None = None) -> Joined:
        """Return the best alignment of two sentences with the weights of one iteration."""
        weights = self.at(iteration).weights
        problem = self.study.problems((left, right))
        scores = problem.scores(weights)
        chosen = np.flatnonzero(best_structure(problem, scores).chosen)
        parts = [(problem.labels[int(part)], int(part)) for part in chosen]
        lines = [_line(label, scores[part], self._why(problem, part, weights)) for label, part in parts]
        mapped = {label[1:]: float(scores[part]) for label, part in parts if label[0] == "edges"}
        columns = ["left", "right", "score", "kind", "why"]
        return Joined(
            tuple(_short(word) for word in left.words),
            tuple(_short(word) for word in right.words),
            pd.DataFrame([line for line in lines if line is not None], columns=columns),
            float(scores[chosen].sum()) + problem.offset(weights),
            arcs=_arcs((left, right), mapped),
        )

    def _why(self, problem: Compiled, part: int, weights: Floats) -> str:
        row = problem.features[[part]]
        told = [
            (abs(weights[k] * value), f"{_said(self.names[k])} {weights[k] * value:+.3f}")
            for k, value in zip(row.indices, row.data, strict=True)
        ]
        return ", ".join(words for _, words in sorted(told, reverse=True)[:5])


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"


def _said(feature: Any) -> str:
    """Return a feature for people.

    Examples
    --------
    >>> _said(("map equal", "noun")), _said("bias")
    ('map equal: noun', 'bias')
    """
    return f"{feature[0]}: {feature[1]}" if isinstance(feature, tuple) else str(feature)


def _kind(feature: Any) -> str:
    if not isinstance(feature, tuple) or feature[0] == "general":
        return SENTENCE_KINDS[3]
    first = str(feature[0]).split()[0]
    return {"map": SENTENCE_KINDS[0], "delete": SENTENCE_KINDS[1]}.get(first, SENTENCE_KINDS[2])


def _line(label: tuple[Any, ...], score: float, why: str) -> dict[str, Any] | None:
    """A part that joins words or leaves one out; edges are drawn as arcs."""
    places = {"words": label[1:], "delete left": (label[1], -1), "delete right": (-1, label[1])}.get(label[0])
    if places is None:
        return None
    kind = "joined" if label[0] == "words" else "alone"
    return {"left": places[0], "right": places[1], "score": float(score), "kind": kind, "why": why}


def _arcs(sides: tuple[Parsed, Parsed], mapped: dict[tuple[int, ...], float]) -> pd.DataFrame:
    """Every dependency of both sentences; ``score`` where it is mapped on one of the other sentence."""
    scores = [{pair[side]: score for pair, score in mapped.items()} for side in (0, 1)]
    rows = [
        {"side": side, "head": head, "word": word, "label": sentence.labels[word], "score": scores[side].get(word)}
        for side, sentence in enumerate(sides)
        for head, word in sentence.edges
    ]
    return pd.DataFrame(rows, columns=["side", "head", "word", "label", "score"])


class SentenceStudy:
    """Pairs of sentences: some to learn from, some to be judged.

    Parameters
    ----------
    task
        One of `SENTENCE_TASKS`.
    training, test
        Number of pairs to learn from, drawn at random, and to be judged, always the same ones.
    seed
        Which pairs are learnt from.
    general
        Whether features of whole sentences are used, too.
    """

    def __init__(
        self, task: str = "paraphrase", training: int = 200, seed: int = 0, *, general: bool = False, test: int = 200
    ) -> None:
        check_word(
            "task",
            task,
            SENTENCE_TASKS,
            "its pairs are data sets; for pairs of your own fit LCLR(paraphrase_problems())",
        )
        if task not in SENTENCE_TASKS:
            raise ValueError(f"there is no task {task!r}; there are {', '.join(SENTENCE_TASKS)}")
        self.task, self.seed, self.general = task, seed, general
        self._wanted = training, test
        self._parsed: list[tuple[Parsed, Parsed]] = []
        self._kept: dict[int, Compiled] = {}
        self._finished: dict[tuple[float, int], SentenceStep] = {}

    @cached_property
    def problems(self) -> Any:
        """Function from a pair of parsed sentences to its problem."""
        make = paraphrase_problems if self.task == "paraphrase" else entailment_problems
        return make(general=self.general)

    @cached_property
    def _pairs(self) -> SentencePairs:
        """Training pairs, then test pairs."""
        name, group, _, _ = SENTENCE_TASKS[self.task]
        every: SentencePairs = load(name)
        own = np.asarray(every.group) == group if group else np.ones(len(every), dtype=bool)
        held = own & (np.asarray(every.split) == "test")
        training, test = self._wanted
        learn = np.random.default_rng(self.seed).permutation(np.flatnonzero(own & ~held))[:training]
        judge = np.random.default_rng(0).permutation(np.flatnonzero(held))[:test]
        self._training = len(learn)
        chosen: SentencePairs = every._rows(np.concatenate([learn, judge]))
        return chosen

    @property
    def labels(self) -> NDArray[np.int64]:
        """1 and -1 of training and test pairs."""
        return np.where(np.asarray(self._pairs.scores) > 0.5, 1, -1).astype(np.int64)

    @cached_property
    def test_labels(self) -> NDArray[np.int64]:
        """1 and -1 of the test pairs."""
        return self.labels[self._training :]

    def texts(self, number: int) -> tuple[str, str]:
        """Return a test pair as text."""
        pairs = self._pairs
        return pairs.left[self._training + number], pairs.right[self._training + number]

    def parsed(self, number: int) -> tuple[Parsed, Parsed]:
        """Return a test pair as graphs."""
        return self._parsed[self._training + number]

    def own(self, left: str, right: str) -> tuple[Parsed, Parsed]:
        """Parse two sentences of the user's."""
        return parse_text(left), parse_text(right)

    def verdict(self, value: float) -> str:
        """Say what a score means."""
        return SENTENCE_TASKS[self.task][2 if value >= 0 else 3]

    def _compiled(self, number: int) -> Compiled:
        if number not in self._kept:
            self._kept[number] = self.problems(self._parsed[number])
        return self._kept[number]

    def steps(self, regularization: float = 30.0, max_iter: int = 15) -> Iterator[SentenceStep]:
        """Parse what is not parsed yet, then learn, iteration by iteration; a finished run is shown at once."""
        key = (float(regularization), int(max_iter))
        if key in self._finished:
            yield self._finished[key]
            return
        yield from self._parse()
        problem = _Numbered(self)
        model = LCLR(
            problem, regularization, max_iter=max_iter, tolerance=1e-4, random_state=self.seed, standardize=True
        )
        learn = list(range(self._training))
        judge = list(range(self._training, len(self._parsed)))
        iterations: tuple[SentenceIteration, ...] = ()
        two_stage = step = None
        for learnt in model.steps(learn, self.labels[: self._training]):
            if two_stage is None:
                two_stage = self._two_stage(model, judge)
                self.spread = model.scales_
            values = model.decision_function(judge)
            iterations = (*iterations, SentenceIteration(learnt.objective, learnt.changed, model.weights_, values))
            right = float(np.mean((values >= 0) == (self.test_labels > 0)))
            step = SentenceStep(
                done=learnt.done,
                total=learnt.total,
                message=f"objective {learnt.objective:,.2f}, {right:.1%} of {len(judge)} test pairs right",
                iterations=iterations,
                two_stage=two_stage,
                names=tuple(model.index_.names),
                study=self,
            )
            yield step
        if step is not None:
            self._finished[key] = step

    def _parse(self) -> Iterator[SentenceStep]:
        if self._parsed:
            return
        missing = not_here()
        if missing:
            raise FileNotFoundError(missing)
        pairs = self._pairs
        for found in parse_steps([*pairs.left, *pairs.right]):
            yield SentenceStep(done=found.done, message=f"parsing: {found.message}", study=self)
        half = len(pairs)
        self._parsed = list(zip(found.parsed[:half], found.parsed[half:], strict=True))

    def _two_stage(self, model: LCLR, judge: list[int]) -> TwoStage:
        """Judge the two-stage system, whose weights are those with which LCLR starts."""
        start = AlignThenLearn(model.problem, model.regularization)
        start.index_, start.weights_, start.n_features_ = model.index_, model.weights_, model.n_features_
        values = start.decision_function(judge)
        return TwoStage(float(np.mean((values >= 0) == (self.test_labels > 0))))


class _Numbered:
    """Problems of pairs given by their numbers, compiled once."""

    def __init__(self, study: SentenceStudy) -> None:
        self._study = study

    @property
    def feature_names(self) -> list[Hashable]:
        names: list[Hashable] = self._study.problems.feature_names
        return names

    def __call__(self, number: int) -> Compiled:
        return self._study._compiled(number)

"""Learning to recognise names in another script, step by step: what the lesson on latent alignments shows."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.given import check_word
from semwork.steps import Step
from semwork.structures.inference import best_structure
from semwork.structures.joined import Joined
from semwork.structures.learner import LCLR, AlignThenLearn
from semwork.structures.problem import FeatureIndex, Floats, Problem
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.transliteration import Names, Ranked, letters, name_problem, ranked, transliterated_names

__all__ = ["LANGUAGES", "Iteration", "NameStep", "NameStudy", "shown_letter"]

#: CLDR codes for which there is a romanisation table.
LANGUAGES = {
    "he": "Hebrew",
    "ar": "Arabic",
    "ru": "Russian",
    "uk": "Ukrainian",
    "el": "Greek",
    "ka": "Georgian",
    "hy": "Armenian",
    "hi": "Hindi",
    "ko": "Korean",
}
_TEST = 300  # names to find, as in the paper


def shown_letter(letter: str) -> str:
    """Return a letter as it can stand alone: a mark gets a circle to sit on.

    Examples
    --------
    >>> shown_letter("r"), len(shown_letter("ि"))
    ('r', 2)
    """
    return "◌" + letter if unicodedata.category(letter).startswith("M") else letter


@dataclass(frozen=True, eq=False)
class Iteration:
    """What one outer iteration knows, and how well it finds the test names.

    Parameters
    ----------
    objective, changed
        As in `LCLRStep`.
    weights
        u.
    ranked
        Places of the right spellings.
    right, rival
        Score of the right spelling of each name, and of the best other one.
    rivals
        Which other one that is, as a place in the list of test names.
    """

    objective: float
    changed: float
    weights: Floats
    ranked: Ranked
    right: Floats
    rival: Floats
    rivals: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class NameStep(Step):
    """All iterations so far; the first is the two-stage start.

    Attributes
    ----------
    iterations
        From the two-stage start on.
    two_stage
        The two-stage system on the test names: it aligns by the romanisation table, whatever it has learnt.
    index
        Names of the features.
    """

    iterations: tuple[Iteration, ...]
    two_stage: Ranked
    index: FeatureIndex = field(repr=False, compare=False)
    study: NameStudy = field(repr=False, compare=False)

    @cached_property
    def history(self) -> pd.DataFrame:
        """Columns ``iteration``, ``objective``, ``changed``, ``accuracy``, ``mrr``."""
        return pd.DataFrame(
            {
                "iteration": np.arange(len(self.iterations)),
                "objective": [one.objective for one in self.iterations],
                "changed": [one.changed for one in self.iterations],
                "accuracy": [one.ranked.accuracy for one in self.iterations],
                "mrr": [one.ranked.mrr for one in self.iterations],
            }
        )

    def at(self, iteration: int | None) -> Iteration:
        """Return an iteration, the last one if there are not so many yet."""
        return self.iterations[-1 if iteration is None else min(iteration, len(self.iterations) - 1)]

    def joined(self, english: str, foreign: str, iteration: int | None = None) -> Joined:
        """Return the best structure of two names with the weights of one iteration."""
        weights = self.at(iteration).weights
        problem = self.study.problem((english, foreign)).compile(self.index)
        scores = problem.scores(weights)
        chosen = np.flatnonzero(best_structure(problem, scores).chosen)
        left, right = (tuple(shown_letter(letter) for letter in letters(name)) for name in (english, foreign))
        names, rows = self.index.names, []
        for part in chosen:
            i, j = problem.labels[int(part)]
            row = problem.features[[part]]
            why = [  # the mark keeps a number behind Hebrew behind it
                f"{feature_name(names[k])}\u200e {weights[k] * value:+.3f}"
                for k, value in zip(row.indices, row.data, strict=True)
            ]
            rows.append(
                {
                    "left": -1 if i is None else i,
                    "right": -1 if j is None else j,
                    "score": float(scores[part]),
                    "kind": "alone" if i is None or j is None else "joined",
                    "why": ", ".join(why) or "never seen in training: 0",
                }
            )
        edges = pd.DataFrame(rows, columns=["left", "right", "score", "kind", "why"])
        return Joined(left, right, edges, float(scores[chosen].sum()) + problem.offset(weights))

    def weights(self, iteration: int | None = None, n: int = 12) -> pd.DataFrame:
        """Return the largest and the smallest weights: columns ``feature``, ``kind``, ``weight``, largest first."""
        weights, names = self.at(iteration).weights, self.index.names
        order = np.argsort(-weights, kind="stable")
        chosen = [*order[:n][weights[order[:n]] > 0], *order[-n:][weights[order[-n:]] < 0]]
        return pd.DataFrame(
            {
                "feature": [feature_name(names[k]) for k in chosen],
                "kind": [feature_kind(names[k]) for k in chosen],
                "weight": weights[chosen],
            }
        )

    def mistakes(self, iteration: int | None = None) -> pd.DataFrame:
        """Return the test names whose spelling was not the first, the worst ones first.

        Columns ``english``, ``foreign``, ``place``, ``score``, and ``rival`` with ``rival score``.
        """
        now, test = self.at(iteration), self.study.test
        wrong = np.flatnonzero(now.ranked.places > 1)
        wrong = wrong[np.argsort((now.right - now.rival)[wrong], kind="stable")]
        return pd.DataFrame(
            {
                "english": [test.english[i] for i in wrong],
                "foreign": [test.foreign[i] for i in wrong],
                "place": now.ranked.places[wrong],
                "score": now.right[wrong],
                "rival": [test.foreign[now.rivals[i]] for i in wrong],
                "rival score": now.rival[wrong],
            }
        )


def feature_kind(feature: Any) -> str:
    """Say what a feature of `name_problem` is about."""
    if not isinstance(feature, tuple):
        return "bias"
    if "" in feature:
        return "left alone"
    return "two letters each" if len(feature[0]) > 1 else "letters"


def feature_name(feature: Any) -> str:
    """Return a feature of `name_problem` for people; ``^`` is the beginning of a name.

    Examples
    --------
    >>> feature_name(("k", "ק")), feature_name(("e", "")), feature_name("bias")
    ('k – ק', 'alone e', 'bias')
    """
    if not isinstance(feature, tuple):
        return str(feature)
    one, two = (shown_letter(side) if len(side) == 1 else side for side in feature)
    return f"{one} – {two}" if one and two else f"alone {one or two}"


class NameStudy:
    """Names of one language: some to learn from, some to be found.

    Parameters
    ----------
    language
        CLDR code, one of `LANGUAGES`.
    training
        Number of pairs to learn from.
    share
        Share of their false pairings that are negative examples; the paper has .1.
    seed
        Which pairs, and which false pairings.
    one_to_one, crossing
        The rules of an alignment; see `name_problem`.

    Examples
    --------
    >>> study = NameStudy("el", training=20, share=0.05)
    >>> [len(study.train), len(study.test)]
    [20, 300]
    """

    def __init__(
        self,
        language: str = "he",
        training: int = 250,
        share: float = 0.01,
        seed: int = 0,
        *,
        one_to_one: bool = True,
        crossing: bool = False,
    ) -> None:
        check_word(
            "language", language, LANGUAGES, "its names come from CLDR; for names of your own fit LCLR(name_problem)"
        )
        self.names = transliterated_names(language)
        self.train, rest = self.names.split(training, seed)
        self.test = Names(language, rest.english[:_TEST], rest.foreign[:_TEST])
        self.share, self.seed = share, seed
        self.one_to_one, self.crossing = one_to_one, crossing
        self._finished: dict[tuple[float, int, float], NameStep] = {}

    @property
    def problem(self) -> functools.partial[Problem]:
        """Function from a pair of names to its `Problem`, under the rules of this study."""
        return functools.partial(name_problem, one_to_one=self.one_to_one, crossing=self.crossing)

    def spelling(self, english: str) -> str | None:
        """Return the spelling of a known name in the other script; ``None`` for others."""
        known = {name.lower(): spelled for name, spelled in zip(self.names.english, self.names.foreign, strict=True)}
        return known.get(english.strip().lower())

    def examples(self) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
        """Return the training examples and their labels."""
        return self.train.examples(self.share, self.seed)

    def _rank(self, model: LCLR | AlignThenLearn) -> tuple[Floats, Ranked]:
        one, two = self.test.english, self.test.foreign
        scores = name_scores(model, one, two, one_to_one=self.one_to_one, crossing=self.crossing)
        return scores, ranked(scores, one, two)

    def steps(self, regularization: float = 1.0, max_iter: int = 10, cut_tolerance: float = 0.03) -> Iterator[NameStep]:
        """Learn with LCLR, iteration by iteration; a run that was finished before is shown at once.

        Parameters
        ----------
        regularization
            λ.
        max_iter
            Outer iterations at most.
        cut_tolerance
            Structures that violate their bound by less are left alone. The default saves a lesson's time; a small
            number makes the result independent of the last digits.
        """
        key = (float(regularization), int(max_iter), float(cut_tolerance))
        if key in self._finished:
            yield self._finished[key]
            return
        X, y = self.examples()
        model = LCLR(
            self.problem,
            regularization,
            max_iter=max_iter,
            tolerance=1e-3,
            cut_tolerance=cut_tolerance,
            random_state=self.seed,
        )
        iterations: tuple[Iteration, ...] = ()
        two_stage = step = None
        for learnt in model.steps(X, y):
            two_stage = two_stage or self._two_stage(model)
            scores, found = self._rank(model)
            iterations = (*iterations, self._iteration(learnt.objective, learnt.changed, model.weights_, scores, found))
            said = f"objective {learnt.objective:,.2f}, accuracy {found.accuracy:.1%}, MRR {found.mrr:.3f}"
            step = NameStep(
                done=learnt.done,
                total=learnt.total,
                message=said,
                iterations=iterations,
                two_stage=two_stage,
                index=model.index_,
                study=self,
            )
            yield step
        if step is not None:
            self._finished[key] = step

    def _two_stage(self, model: LCLR) -> Ranked:
        """Judge the two-stage system, whose weights are those with which LCLR starts."""
        start = AlignThenLearn(self.problem, model.regularization)
        start.index_, start.weights_ = model.index_, model.weights_
        return self._rank(start)[1]

    def _iteration(self, objective: float, changed: float, weights: Floats, scores: Floats, found: Ranked) -> Iteration:
        spelled = np.array(self.test.foreign, dtype=object)
        others = np.where(spelled[:, None] == spelled[None, :], -np.inf, scores)
        rivals = np.argmax(others, axis=1)
        rows = np.arange(len(scores))
        return Iteration(objective, changed, weights, found, scores[rows, rows], others[rows, rivals], rivals)

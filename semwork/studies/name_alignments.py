"""Which names are the same, and which letters belong together, when only the first is told?"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.given import check_kind
from semwork.steps import Step
from semwork.structures import LCLR, AlignThenLearn, FeatureIndex, best_structure
from semwork.structures.problem import Floats
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.transliteration import Names, Ranked, letters, ranked
from semwork.studies.latent import Joined, JoinedRows, Learning, Weights, at_iteration, extremes, said_when
from semwork.studies.name_fields import (
    CLDR_NAMES,
    FIRST_NAME,
    NAME_KINDS,
    NameSettings,
    NameView,
    feature_kind,
    feature_name,
    shown_letter,
)
from semwork.studies.remembered import Remembered
from semwork.studies.study import Answer, NoAnswer, Study

__all__ = ["NameAlignments", "NameIteration", "NameStep"]

_TEST = 300  # names to find, as in the paper
_REMEMBERED = 12  # finished runs


@dataclass(frozen=True, eq=False)
class NameIteration:
    """What one outer iteration knows, and how well it finds the test names.

    Attributes
    ----------
    objective, changed : float
        As in `LCLRStep`.
    weights : ndarray of shape (n_features,)
        u.
    ranked : Ranked
        Places of the right spellings.
    right, rival : ndarray of shape (n_test,)
        Score of the right spelling of each name, and of the best other one.
    rivals : ndarray of shape (n_test,)
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
    iterations : tuple of NameIteration
        From the two-stage start on.
    two_stage : Ranked
        The two-stage system on the test names: it aligns by the romanisation table, whatever it has learnt.
    test : Names
        The test names.
    settings : NameSettings
        What was learnt from, and under which rules.
    names : tuple of hashable
        Names of the features.
    """

    iterations: tuple[NameIteration, ...]
    two_stage: Ranked
    test: Names
    settings: NameSettings
    names: tuple[Hashable, ...] = field(repr=False, compare=False)

    @property
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

    def at(self, iteration: int | None = None) -> NameIteration:
        """Return an iteration, the last one if there are not so many yet.

        Parameters
        ----------
        iteration : int or None
            From 0, the start; ``None`` for the last one.

        Returns
        -------
        NameIteration
        """
        return at_iteration(self.iterations, iteration)


@dataclass(frozen=True, eq=False)
class Mistakes(Answer):
    """The test names whose spelling was not the first."""

    mistakes: pd.DataFrame
    chosen: tuple[str, str]
    iteration: int
    title: str


class NameAlignments(Study[NameSettings, NameStep]):
    """Names of one language: some to learn from, some to be found.

    Parameters
    ----------
    names : Names
        Pairs of names.
    max_iter : int
        Outer iterations at most.
    cut_tolerance : float
        Structures that violate their bound by less are left alone. The default saves a lesson's time; a small number
        makes the result independent of the last digits.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = NameAlignments.on("el")
    >>> end = last(study.steps(NameSettings(training=20, share=0.05)))
    >>> len(end.test)
    300
    >>> study.joined(end, "Rome", "Ρώμη").right
    ('ρ', 'ω', 'μ', 'η')
    """

    settings, view = NameSettings, NameView
    inputs = {"language": CLDR_NAMES}

    def __init__(self, names: Names, max_iter: int = 10, cut_tolerance: float = 0.03) -> None:
        check_kind("names", names, Names, "load some with transliterated_names('he'), or make them: Names(…)")
        self.names, self.max_iter, self.cut_tolerance = names, max_iter, cut_tolerance
        self._finished = Remembered[NameSettings, NameStep](_REMEMBERED)

    @property
    def facts(self) -> Mapping[str, Any]:
        """How many names there are."""
        return {"names": len(self.names)}

    def spelling(self, english: str) -> str | None:
        """Return the spelling of a known name in the other script; ``None`` for others.

        Parameters
        ----------
        english : str
            The name, in upper or lower case.

        Returns
        -------
        str or None
        """
        known = {name.lower(): spelled for name, spelled in zip(self.names.english, self.names.foreign, strict=True)}
        return known.get(english.strip().lower())

    def examples(self, settings: NameSettings) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
        """Return the training examples and their labels.

        Parameters
        ----------
        settings : NameSettings
            Those of a run.

        Returns
        -------
        pairs : list of tuple of (str, str)
        labels : ndarray of shape (n_pairs,), int64
        """
        train, _ = self.names.split(settings.training, settings.seed)
        return train.examples(settings.share, settings.seed)

    def steps(self, settings: NameSettings) -> Iterator[NameStep]:
        """Learn with LCLR, iteration by iteration; a run that was finished before is shown at once."""
        settings = settings.checked(self.facts)
        if (finished := self._finished.get(settings)) is not None:
            yield finished
            return
        _, rest = self.names.split(settings.training, settings.seed)
        test = Names(rest.language, rest.english[:_TEST], rest.foreign[:_TEST])
        model = LCLR(
            settings.problem,
            settings.regularization,
            max_iter=self.max_iter,
            tolerance=1e-3,
            cut_tolerance=self.cut_tolerance,
            random_state=settings.seed,
        )
        iterations: tuple[NameIteration, ...] = ()
        two_stage = step = None
        for learnt in model.steps(*self.examples(settings)):
            two_stage = two_stage or _rank(AlignThenLearn.at_start_of(model), test, settings)[1]
            now = _iteration(learnt.objective, learnt.changed, model, test, settings)
            iterations = (*iterations, now)
            found = now.ranked
            step = NameStep(
                done=learnt.done,
                total=learnt.total,
                message=f"objective {learnt.objective:,.2f}, accuracy {found.accuracy:.1%}, MRR {found.mrr:.3f}",
                iterations=iterations,
                two_stage=two_stage,
                test=test,
                settings=settings,
                names=tuple(model.index_.names),
            )
            yield step
        if step is not None:
            self._finished.put(settings, step)

    def table(self, step: NameStep) -> pd.DataFrame:
        """Return columns ``iteration``, ``objective``, ``changed``, ``accuracy``, ``mrr``."""
        return step.history

    # --- questions --------------------------------------------------------------------------------------------------

    def joined(self, step: NameStep, english: str, foreign: str, iteration: int | None = None) -> Joined:
        """Return the best structure of two names with the weights of one iteration.

        Parameters
        ----------
        step : NameStep
            What is asked.
        english, foreign : str
            The names.
        iteration : int or None
            From 0; the last one if there are not so many.
        """
        weights = step.at(iteration).weights
        problem = step.settings.problem((english, foreign)).compile(FeatureIndex(step.names, closed=True))
        scores = problem.scores(weights)
        chosen = np.flatnonzero(best_structure(problem, scores).chosen)
        left, right = (tuple(shown_letter(letter) for letter in letters(name)) for name in (english, foreign))
        rows = []
        for part in chosen:
            i, j = problem.labels[int(part)]
            row = problem.features[[part]]
            why = [  # the mark keeps a number behind Hebrew behind it
                f"{feature_name(step.names[k])}\u200e {weights[k] * value:+.3f}"
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

    def alignment(self, step: NameStep, english: str, foreign: str = "", iteration: int | None = None) -> JoinedRows:
        """Return two names and what joins their letters; without a spelling that of the data is taken."""
        first = FIRST_NAME if self.spelling(FIRST_NAME) else step.test.english[0]
        name = english.strip() or first
        spelled = foreign.strip() or self.spelling(name)
        if not spelled:
            raise NoAnswer(f"there is no “{name}” among these names: type its spelling, too")
        for one in (name, spelled):
            if not letters(one):
                raise NoAnswer(f"the name {one!r} has no letters")
        found = self.joined(step, name, spelled, iteration)
        verdict = "the same name" if found.value >= 0 else "not the same name"
        return JoinedRows(
            found.left,
            found.right,
            found.edges,
            None,
            f"{name} – {spelled}: score {found.value:+.2f}, {verdict}",
            "thick lines: large scores; orange: below 0; grey: left alone; both names from left to right",
        )

    def learning(self, step: NameStep, iteration: int | None = None) -> Learning:
        """Return how the objective falls and how many names are found, iteration by iteration."""
        now = at_iteration(range(len(step.iterations)), iteration)
        found, before = step.at(now).ranked, step.two_stage
        return Learning(
            step.history,
            {"accuracy": before.accuracy, "mrr": before.mrr},
            now,
            f"After {said_when(now)}: {found.accuracy:.1%} of the names found, MRR {found.mrr:.3f}",
            "test names",
        )

    def weights(self, step: NameStep, iteration: int | None = None) -> Weights:
        """Return the largest and the smallest weights: columns ``feature``, ``kind``, ``weight``, largest first."""
        weights, names = step.at(iteration).weights, step.names
        chosen = extremes(weights)
        table = pd.DataFrame(
            {
                "feature": [feature_name(names[k]) for k in chosen],
                "kind": [feature_kind(names[k]) for k in chosen],
                "weight": weights[chosen],
            }
        )
        return Weights(table, NAME_KINDS, "The largest weights, and the smallest (^: beginning of a name)")

    def mistakes(self, step: NameStep, iteration: int | None = None, english: str = "", foreign: str = "") -> Mistakes:
        """Return the test names whose spelling was not the first, the worst ones first.

        Columns ``english``, ``foreign``, ``place``, ``score``, and ``rival`` with ``rival score``.
        """
        now, test = step.at(iteration), step.test
        wrong = np.flatnonzero(now.ranked.places > 1)
        wrong = wrong[np.argsort((now.right - now.rival)[wrong], kind="stable")]
        table = pd.DataFrame(
            {
                "english": [test.english[i] for i in wrong],
                "foreign": [test.foreign[i] for i in wrong],
                "place": now.ranked.places[wrong],
                "score": now.right[wrong],
                "rival": [test.foreign[now.rivals[i]] for i in wrong],
                "rival score": now.rival[wrong],
            }
        )
        title = f"{len(table)} of {len(test)} names have a better score with another spelling; the worst:"
        shown = at_iteration(range(len(step.iterations)), iteration)
        return Mistakes(table, (english, foreign), shown, title)


def _rank(model: LCLR | AlignThenLearn, test: Names, settings: NameSettings) -> tuple[Floats, Ranked]:
    one, two = test.english, test.foreign
    scores = name_scores(model, one, two, one_to_one=settings.one_to_one, crossing=settings.crossing)
    return scores, ranked(scores, test.english, test.foreign)


def _iteration(objective: float, changed: float, model: LCLR, test: Names, settings: NameSettings) -> NameIteration:
    scores, found = _rank(model, test, settings)
    spelled = np.array(test.foreign, dtype=object)
    others = np.where(spelled[:, None] == spelled[None, :], -np.inf, scores)
    rivals = np.argmax(others, axis=1)
    rows = np.arange(len(scores))
    return NameIteration(objective, changed, model.weights_, found, scores[rows, rows], others[rows, rivals], rivals)

"""Learning over constrained latent representations: the classifier and its two-stage rival."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_random_state

from semwork.given import check_count
from semwork.steps import Step, last
from semwork.structures.batches import Batch
from semwork.structures.dual import CutSet
from semwork.structures.inference import best_structure
from semwork.structures.problem import Compiled, Floats, Row
from semwork.structures.structured import StructuredClassifier

__all__ = ["LCLR", "AlignThenLearn", "LCLRStep"]

_INNER_TOLERANCE = 1e-8
_ROUNDS = 200


@dataclass(frozen=True, kw_only=True)
class LCLRStep(Step):
    """One outer iteration; ``done`` = 1 is the two-stage start.

    Attributes
    ----------
    objective : float
        ``λ/2 ‖u‖² + Σ loss``, the best structure of every example being looked for anew. It never rises within a start.
    start : int
        Which start it belongs to, from 1.
    rounds : int
        Rounds of cutting planes.
    cuts : int
        Structures of negative examples that are known by now.
    changed : float
        Share of the positive examples whose structure is not the one of the iteration before.
    weights : ndarray of shape (n_features,)
        u, one number for each feature.
    """

    objective: float
    start: int
    rounds: int
    cuts: int
    changed: float
    weights: Floats


class AlignThenLearn(StructuredClassifier):
    """The two-stage system: the best structure by heuristic scores, then a linear SVM (squared hinge) on its features.

    Parameters
    ----------
    problem : callable or None, default=None
        Function from an example to its `Problem`.
    regularization : float, default=1.0
        λ of ``λ/2 ‖u‖² + Σ loss``.
    standardize : bool, default=False
        Whether the penalty is on weights of features in units of their standard deviation (over the heuristic's
        structures of the training examples). For features of different size.
    time_limit : float or None, default=None
        Seconds for each integer program.
    random_state : int, RandomState or None, default=None
        Seed of the order of the descent.
    """

    _saved_attributes = ("objective_",)

    def __init__(
        self,
        problem: Any = None,
        regularization: float = 1.0,
        time_limit: float | None = None,
        random_state: Any = None,
        standardize: bool = False,
    ) -> None:
        self.problem = problem
        self.regularization = regularization
        self.standardize = standardize
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X: Sequence[Any], y: Any) -> Self:
        """Align, then learn.

        Parameters
        ----------
        X : sequence of length n_examples
            Examples, of which ``problem`` makes problems.
        y : array-like of shape (n_examples,)
            Labels of two classes; the second one in order is the positive one.
        """
        _, _, cuts = self._started(X, y)
        cuts.solve(_INNER_TOLERANCE, _ROUNDS, check_random_state(self.random_state))
        self.weights_ = cuts.weights / self.scales_
        self.objective_ = cuts.objective()
        return self

    @classmethod
    def at_start_of(cls, model: LCLR) -> Self:
        """Return the two-stage system that LCLR starts from, without learning again.

        Parameters
        ----------
        model : LCLR
            After its first step: its weights are those of the two-stage system then.
        """
        start = cls(model.problem, model.regularization, model.time_limit, model.random_state, model.standardize)
        for name in ("classes_", "index_", "n_features_", "scales_", "weights_"):
            setattr(start, name, getattr(model, name))
        return start

    def _part_scores(self, problem: Compiled) -> Floats:
        return problem.heuristic


class LCLR(StructuredClassifier):
    """Classifier that learns which hidden structure makes examples positive (Chang et al. 2010 [1]_).

    An example is positive when its best structure has a score of at least 0: ``f_u(x) = max_h u·Φ(x, h)`` over all h
    that satisfy the constraints. Minimises ``λ/2 ‖u‖² + Σ max(0, 1 − y f_u(x))²``.

    Parameters
    ----------
    problem : callable or None, default=None
        Function from an example to its `Problem` (or a `Compiled` one).
    regularization : float, default=1.0
        λ.
    loss : {"squared_hinge"}, default="squared_hinge"
        ``"squared_hinge"``.
    max_iter : int, default=30
        Outer iterations of a start at most.
    tolerance : float, default=1e-5
        The end: the structures of the positive examples are those of the iteration before, and the objective improved
        by less than this share.
    cut_tolerance : float, default=1e-5
        Structures of negative examples are added while they violate their bound by more.
    time_limit : float or None, default=None
        Seconds for each integer program; ``None``: until it is solved.
    random_state : int, RandomState or None, default=None
        Seed of the order of the descent.
    standardize : bool, default=False
        Whether the penalty is on weights of features in units of their standard deviation (over the two-stage
        structures of the training examples). For features of different size.
    n_jobs : int or None, default=1
        Processes that look for structures while learning; ``None`` and −1 mean one for each core, −2 all but one.
        More than one pays where inference takes most of the time.
    n_starts : int, default=1
        How often to learn; the best result is kept. The first start is the two-stage system. Every other one has the
        best structures for weights drawn at random.

    Attributes
    ----------
    weights_ : ndarray
        u.
    objective_path_ : list of float
        After the beginning of the best start and after every outer iteration of it; it never rises (Theorem 1 of
        [1]_).
    start_objectives_ : list of float
        The last objective of every start.
    index_ : FeatureIndex
        Names of the features.

    References
    ----------
    .. [1] M.-W. Chang, D. Goldwasser, D. Roth & V. Srikumar (2010), Discriminative Learning over Constrained Latent
       Representations, NAACL, section 3.
    """

    _saved_attributes = ("objective_path_", "start_objectives_")

    def __init__(
        self,
        problem: Any = None,
        regularization: float = 1.0,
        loss: str = "squared_hinge",
        max_iter: int = 30,
        tolerance: float = 1e-5,
        cut_tolerance: float = 1e-5,
        time_limit: float | None = None,
        random_state: Any = None,
        standardize: bool = False,
        n_jobs: int | None = 1,
        n_starts: int = 1,
    ) -> None:
        self.problem = problem
        self.regularization = regularization
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.n_starts = n_starts
        self.loss = loss
        self.max_iter = max_iter
        self.tolerance = tolerance
        self.cut_tolerance = cut_tolerance
        self.time_limit = time_limit
        self.random_state = random_state

    def fit(self, X: Sequence[Any], y: Any) -> Self:
        """Run all steps.

        Parameters
        ----------
        X : sequence of length n_examples
            Examples, of which ``problem`` makes problems.
        y : array-like of shape (n_examples,)
            Labels of two classes; the second one in order is the positive one.
        """
        last(self.steps(X, y))
        return self

    def steps(self, X: Sequence[Any], y: Any) -> Iterator[LCLRStep]:
        """Learn step by step; after every step the fitted attributes are those of the best start so far.

        Parameters
        ----------
        X : sequence of length n_examples
            Examples, of which ``problem`` makes problems.
        y : array-like of shape (n_examples,)
            Labels of two classes; the second one in order is the positive one.

        Yields
        ------
        LCLRStep
        """
        if self.loss != "squared_hinge":
            raise ValueError(f"loss must be 'squared_hinge', got {self.loss!r}")
        check_count("n_starts", self.n_starts)
        random = check_random_state(self.random_state)
        problems, labels, cuts = self._started(X, y)
        positive, negative = (
            Batch(problems, np.flatnonzero(labels == sign).tolist(), self.time_limit, self.n_jobs) for sign in (1, -1)
        )
        self.objective_path_: list[float] = []
        self.start_objectives_: list[float] = []
        total, done = self.n_starts * (self.max_iter + 1), 0
        for start in range(1, self.n_starts + 1):
            if start > 1:
                cuts = self._cuts(self._at_random(problems, random), labels)
            path: list[float] = []
            self.start_objectives_.append(np.inf)
            for now in self._descend(cuts, problems, positive, negative, random):
                done += 1
                path.append(now.objective)
                self.start_objectives_[-1] = now.objective
                if now.objective < min(self.start_objectives_[:-1], default=np.inf):
                    self.objective_path_, self.weights_ = path, now.weights
                said = f"objective {now.objective:,.4f}" + (f", start {start}" if self.n_starts > 1 else "")
                yield replace(now, done=done, total=total, message=said, start=start)
            done = start * (self.max_iter + 1)

    def _at_random(self, problems: Sequence[Compiled], random: Any) -> list[Row]:
        """Give every example the best structure for weights that are drawn at random."""
        weights = random.normal(size=self.n_features_)
        return [
            problem.row(best_structure(problem, problem.scores(weights), time_limit=self.time_limit).chosen)
            for problem in problems
        ]

    def _descend(
        self, cuts: CutSet, problems: Sequence[Compiled], positive: Batch, negative: Batch, random: Any
    ) -> Iterator[LCLRStep]:
        """Go down from one start: structures of the positive examples, then weights, and so on."""
        cuts.solve(_INNER_TOLERANCE, _ROUNDS, random)
        against = [value for _, _, value in negative.solved(cuts.weights)]
        known: dict[int, bytes] = {}
        before, kept, rounds = np.inf, cuts.weights, 0
        for done in range(1, self.max_iter + 2):
            weights = cuts.weights.copy()
            best = {place: (found, value) for place, found, value in positive.solved(weights)}
            objective = float(self.regularization) / 2 * float(weights @ weights)
            objective += sum(max(0.0, 1 - value) ** 2 for _, value in best.values())
            objective += sum(max(0.0, 1 + value) ** 2 for value in against)
            changed = [place for place, (found, _) in best.items() if known.get(place) != found.chosen.tobytes()]
            known = {place: found.chosen.tobytes() for place, (found, _) in best.items()}
            # Weights are solved for within a tolerance only, so what is as good as before may come out as worse.
            if objective < before:
                kept = weights
            gained = before - objective
            before = min(objective, before)
            yield LCLRStep(
                done=done, objective=before, start=1, rounds=rounds, cuts=len(cuts),
                changed=len(changed) / max(len(best), 1), weights=kept / self.scales_,
            )  # fmt: skip
            # At u = 0 all structures are equally good: the objective stands still and others come next all the same.
            if done > 1 and not changed and gained <= self.tolerance * before:
                return
            for place in changed:
                cuts.replace(place, problems[place].row(best[place][0].chosen))
            rounds, against = self._cutting_planes(cuts, negative, random)

    def _cutting_planes(self, cuts: CutSet, negative: Batch, random: Any) -> tuple[int, list[float]]:
        """Algorithm 2: add the worst structure of every negative example and solve, until none is worse than known.

        Returns the rounds, and the values of the negative examples for the weights of the last one.
        """
        rounds = 0
        while True:
            rounds += 1
            cuts.solve(_INNER_TOLERANCE, _ROUNDS, random)
            slack = np.sqrt(cuts.losses())
            added, values = 0, []
            for (place, found, value), problem in zip(negative.solved(cuts.weights), negative.problems, strict=True):
                values.append(value)
                if max(0.0, 1 + value) > slack[place] + self.cut_tolerance:
                    added += cuts.add(problem.row(found.chosen), -1.0, place)
            if not added:
                return rounds, values

"""Learning over constrained latent representations: the classifier and its two-stage rival."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from semwork.model_files import plain_parameters, read_model, write_model
from semwork.steps import Step, last
from semwork.structures.batches import Batch
from semwork.structures.dual import CutSet
from semwork.structures.inference import Solution, best_structure
from semwork.structures.problem import Compiled, FeatureIndex, Floats, Problem, Row
from semwork.structures.saving import names_again, plain_classes, plain_names, said_of

__all__ = ["LCLR", "AlignThenLearn", "LCLRStep"]

_INNER_TOLERANCE = 1e-8
_ROUNDS = 200


@dataclass(frozen=True, kw_only=True)
class LCLRStep(Step):
    """One outer iteration; ``done`` = 1 is the two-stage start.

    Attributes
    ----------
    objective
        ``λ/2 ‖u‖² + Σ loss``, the best structure of every example being looked for anew. It never rises within a start.
    start
        Which start it belongs to, from 1.
    rounds
        Rounds of cutting planes.
    cuts
        Structures of negative examples that are known by now.
    changed
        Share of the positive examples whose structure is not the one of the iteration before.
    weights
        u, one number for each feature.
    """

    objective: float
    start: int
    rounds: int
    cuts: int
    changed: float
    weights: Floats


class _Structured(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What both learners share: problems in, labels out."""

    problem: Callable[[Any], Problem | Compiled]
    regularization: float
    standardize: bool
    random_state: Any
    time_limit: float | None
    # Fitted numbers and lists of numbers that a file keeps besides weights.
    _kept: ClassVar[tuple[str, ...]] = ()

    def _read(self, X: Sequence[Any], y: Any) -> tuple[list[Compiled], Floats]:
        if not callable(self.problem):
            raise TypeError(f"problem must be a function from an example to a Problem, got {self.problem!r:.60}")
        if not 0 < float(self.regularization) < np.inf:
            raise ValueError(f"regularization must be a number above 0, got {self.regularization!r}")
        X, labels = list(X), np.asarray(y)
        if not X:
            raise ValueError("there are no examples: X is empty")
        if labels.shape != (len(X),):
            raise ValueError(f"there are {len(X):,} examples and labels of the shape {labels.shape}; give one for each")
        self.classes_ = np.unique(labels)
        if len(self.classes_) != 2:
            said = ", ".join(map(str, self.classes_[:4].tolist()))
            raise ValueError(f"y must have two classes, it has {len(self.classes_)}: {said}")
        # Problems that come compiled may name their columns.
        self.index_ = FeatureIndex(getattr(self.problem, "feature_names", ()))
        problems = [self._compile(x) for x in X]
        self.index_.closed = True
        width = len(self.index_) or max((problem.features.shape[1] for problem in problems), default=0)
        self.n_features_ = max([width, *(problem.features.shape[1] for problem in problems)])
        signs = np.where(labels == self.classes_[1], 1.0, -1.0)
        return [_widened(problem, self.n_features_) for problem in problems], signs

    def _started(self, X: Sequence[Any], y: Any) -> tuple[list[Compiled], Floats, CutSet]:
        """Compiled problems, signs, and the vectors of the heuristic's structures; columns in units of `scales_`."""
        problems, signs = self._read(X, y)
        chosen = [best_structure(problem, problem.heuristic, time_limit=self.time_limit).chosen for problem in problems]
        rows = [problem.row(structure) for problem, structure in zip(problems, chosen, strict=True)]
        self.scales_ = np.ones(self.n_features_)
        if self.standardize:
            self.scales_ = _scales(rows, self.n_features_)
            problems = [_divided(problem, self.scales_) for problem in problems]
            rows = [(columns, values / self.scales_[columns]) for columns, values in rows]
        return problems, signs, self._cuts(rows, signs)

    def _cuts(self, rows: Sequence[Row], signs: Floats) -> CutSet:
        """One structure for every example."""
        cuts = CutSet(self.n_features_, len(rows), float(self.regularization))
        for place, (row, sign) in enumerate(zip(rows, signs, strict=True)):
            cuts.add(row, sign, place)
        return cuts

    def _compile(self, x: Any) -> Compiled:
        made = self.problem(x)
        if isinstance(made, Compiled):
            return made
        if isinstance(made, Problem):
            return made.compile(self.index_)
        raise TypeError(f"problem({x!r:.40}) gave a {type(made).__name__}; it must give a Problem or a Compiled")

    def predict(self, X: Sequence[Any]) -> Any:
        """Return the label of each example: the second class where the decision value is 0 or more."""
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]

    def decision_function(self, X: Sequence[Any]) -> Floats:
        """Return the score of each example's structure."""
        return np.array([value for _, _, value in self._solved(X)])

    def structures(self, X: Sequence[Any]) -> list[pd.DataFrame]:
        """Return each example's structure: the labels of the chosen parts and their scores."""
        found = []
        for problem, solution, _ in self._solved(X):
            scores = problem.scores(self.weights_)
            places = np.flatnonzero(solution.chosen)
            found.append(pd.DataFrame({"part": [problem.labels[i] for i in places.tolist()], "score": scores[places]}))
        return found

    def _solved(self, X: Sequence[Any]) -> Iterator[tuple[Compiled, Solution, float]]:
        check_is_fitted(self)
        for x in X:
            problem = _widened(self._compile(x), self.n_features_)
            solution = best_structure(problem, self._part_scores(problem), time_limit=self.time_limit)
            value = float(problem.scores(self.weights_)[solution.chosen].sum()) + problem.offset(self.weights_)
            yield problem, solution, value

    def _part_scores(self, problem: Compiled) -> Floats:
        return problem.scores(self.weights_)

    def top_features(self, n: int = 10) -> pd.DataFrame:
        """Return the features with the largest and the smallest weights."""
        check_is_fitted(self)
        names = self.index_.names or list(range(self.n_features_))
        order = np.argsort(-self.weights_[: len(names)], kind="stable")
        chosen = order if len(order) <= 2 * n else np.concatenate([order[:n], order[-n:]])
        return pd.DataFrame({"feature": [names[i] for i in chosen], "weight": self.weights_[chosen]})

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to an ``.npz`` file: arrays, and parameters and names of features as JSON.

        ``problem`` is code, which no file keeps; it is given again to :meth:`load`. Names of features are words,
        numbers or tuples of these.
        """
        check_is_fitted(self)
        parameters = self.get_params(deep=False)
        del parameters["problem"]
        head = {
            "parameters": plain_parameters(parameters),
            "problem": said_of(self.problem),
            "features": plain_names(self.index_.names),
        } | {name: getattr(self, name) for name in self._kept}
        arrays = {"weights": self.weights_, "scales": self.scales_, "classes": plain_classes(self.classes_)}
        return write_model(path, type(self), head, arrays)

    @classmethod
    def load(cls, path: str | Path, problem: Any = None) -> Self:
        """Read a model that :meth:`save` wrote.

        Parameters
        ----------
        path
            The file.
        problem
            The function that the model was fitted with, from an example to its `Problem`: a file keeps no code.
        """
        head, arrays = read_model(path, cls)
        if not callable(problem):
            raise TypeError(
                f"a file keeps no code: give {cls.__name__}.load the function that the model was fitted with as "
                f"problem (its name was {head['problem']}), got {problem!r:.60}"
            )
        names = names_again(head["features"])
        own = FeatureIndex(getattr(problem, "feature_names", names)).names
        if own != names:
            raise ValueError(
                f"problem has {len(own):,} names of features, the model was fitted with {len(names):,}, and they "
                f"differ; give the function that it was fitted with (its name was {head['problem']})"
            )
        model = cls(problem, **head["parameters"])
        model.index_ = FeatureIndex(names)
        model.index_.closed = True
        model.weights_, model.scales_, model.classes_ = (arrays[name] for name in ("weights", "scales", "classes"))
        model.n_features_ = len(model.weights_)
        for name in cls._kept:
            setattr(model, name, head[name])
        return model


def _widened(problem: Compiled, width: int) -> Compiled:
    """The same with as many columns as there are features by now."""
    if problem.features.shape[1] == width:
        return problem
    features = sparse.csr_array(problem.features, copy=True)
    features.resize((problem.size, width))
    always = sparse.csr_array(problem.always, copy=True)
    always.resize((1, width))
    return replace(problem, features=features, always=always)


def _scales(rows: Sequence[Row], width: int) -> Floats:
    """Standard deviations; a column that never changes, such as a bias, is made large and so hardly penalised."""
    columns, values = (np.concatenate([row[which] for row in rows]) for which in (0, 1))
    mean = np.bincount(columns, values, width) / len(rows)
    square = np.bincount(columns, values**2, width) / len(rows)
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    constant = spread <= 1e-6 * np.sqrt(square)  # what rounding leaves of the difference above
    return np.where(constant, np.where(mean != 0, np.abs(mean) / 10, 1.0), spread)


def _divided(problem: Compiled, scales: Floats) -> Compiled:
    def divided(matrix: sparse.csr_array) -> sparse.csr_array:
        return sparse.csr_array((matrix.data / scales[matrix.indices], matrix.indices, matrix.indptr), matrix.shape)

    return replace(problem, features=divided(problem.features), always=divided(problem.always))


class AlignThenLearn(_Structured):
    """The two-stage system: the best structure by heuristic scores, then a linear SVM (squared hinge) on its features.

    Parameters
    ----------
    problem
        Function from an example to its `Problem`.
    regularization
        λ of ``λ/2 ‖u‖² + Σ loss``.
    standardize
        Whether the penalty is on weights of features in units of their standard deviation (over the heuristic's
        structures of the training examples). For features of different size.
    time_limit
        Seconds for each integer program.
    random_state
        Seed of the order of the descent.
    """

    _kept = ("objective_",)

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
        """Align, then learn."""
        _, _, cuts = self._started(X, y)
        cuts.solve(_INNER_TOLERANCE, _ROUNDS, check_random_state(self.random_state))
        self.weights_ = cuts.weights / self.scales_
        self.objective_ = cuts.objective()
        return self

    def _part_scores(self, problem: Compiled) -> Floats:
        return problem.heuristic


class LCLR(_Structured):
    """Classifier that learns which hidden structure makes examples positive (Chang et al. 2010 [1]_).

    An example is positive when its best structure has a score of at least 0: ``f_u(x) = max_h u·Φ(x, h)`` over all h
    that satisfy the constraints. Minimises ``λ/2 ‖u‖² + Σ max(0, 1 − y f_u(x))²``.

    Parameters
    ----------
    problem
        Function from an example to its `Problem` (or a `Compiled` one).
    regularization
        λ.
    loss
        ``"squared_hinge"``.
    max_iter
        Outer iterations of a start at most.
    tolerance
        The end: the structures of the positive examples are those of the iteration before, and the objective improved
        by less than this share.
    cut_tolerance
        Structures of negative examples are added while they violate their bound by more.
    time_limit
        Seconds for each integer program; ``None``: until it is solved.
    random_state
        Seed of the order of the descent.
    standardize
        Whether the penalty is on weights of features in units of their standard deviation (over the two-stage
        structures of the training examples). For features of different size.
    n_jobs
        Processes that look for structures while learning; ``None`` and −1 mean one for each core, −2 all but one.
        More than one pays where inference takes most of the time.
    n_starts
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

    _kept = ("objective_path_", "start_objectives_")

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
        """Run all steps."""
        last(self.steps(X, y))
        return self

    def steps(self, X: Sequence[Any], y: Any) -> Iterator[LCLRStep]:
        """Learn step by step; after every step the fitted attributes are those of the best start so far."""
        if self.loss != "squared_hinge":
            raise ValueError(f"loss must be 'squared_hinge', got {self.loss!r}")
        if isinstance(self.n_starts, bool) or not isinstance(self.n_starts, int | np.integer) or self.n_starts < 1:
            raise ValueError(f"n_starts must be a whole number from 1, got {self.n_starts!r}")
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

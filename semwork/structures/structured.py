"""What all learners of latent structures share: problems in, labels out, files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from semwork.given import check_positive
from semwork.model_files import plain_parameters, read_model, write_model
from semwork.structures.columns import divided, spreads, widened
from semwork.structures.dual import CutSet
from semwork.structures.inference import Solution, best_structure
from semwork.structures.problem import Compiled, FeatureIndex, Floats, Problem, Row
from semwork.structures.saving import names_again, plain_classes, plain_names, said_of

__all__ = ["StructuredClassifier"]


class StructuredClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """What both learners share: problems in, labels out."""

    problem: Callable[[Any], Problem | Compiled]
    regularization: float
    standardize: bool
    random_state: Any
    time_limit: float | None
    # Fitted numbers and lists of numbers that a file keeps besides weights.
    _saved_attributes: ClassVar[tuple[str, ...]] = ()

    def _read(self, X: Sequence[Any], y: Any) -> tuple[list[Compiled], Floats]:
        if not callable(self.problem):
            raise TypeError(f"problem must be a function from an example to a Problem, got {self.problem!r:.60}")
        check_positive("regularization", self.regularization)
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
        return [widened(problem, self.n_features_) for problem in problems], signs

    def _started(self, X: Sequence[Any], y: Any) -> tuple[list[Compiled], Floats, CutSet]:
        """Compiled problems, signs, and the vectors of the heuristic's structures; columns in units of `scales_`."""
        problems, signs = self._read(X, y)
        chosen = [best_structure(problem, problem.heuristic, time_limit=self.time_limit).chosen for problem in problems]
        rows = [problem.row(structure) for problem, structure in zip(problems, chosen, strict=True)]
        self.scales_ = np.ones(self.n_features_)
        if self.standardize:
            self.scales_ = spreads(rows, self.n_features_)
            problems = [divided(problem, self.scales_) for problem in problems]
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
        """Return the label of each example: the second class where the decision value is 0 or more.

        Parameters
        ----------
        X : sequence of length n_examples
            Examples, of which ``problem`` makes problems.
        """
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]

    def decision_function(self, X: Sequence[Any]) -> Floats:
        """Return the score of each example's structure.

        Parameters
        ----------
        X : sequence of length n_examples
            Examples, of which ``problem`` makes problems.
        """
        return np.array([value for _, _, value in self._solved(X)])

    def structures(self, X: Sequence[Any]) -> list[pd.DataFrame]:
        """Return each example's structure: the labels of the chosen parts and their scores.

        Parameters
        ----------
        X : sequence of length n_examples
            Examples, of which ``problem`` makes problems.
        """
        found = []
        for problem, solution, _ in self._solved(X):
            scores = problem.scores(self.weights_)
            places = np.flatnonzero(solution.chosen)
            found.append(pd.DataFrame({"part": [problem.labels[i] for i in places.tolist()], "score": scores[places]}))
        return found

    def _solved(self, X: Sequence[Any]) -> Iterator[tuple[Compiled, Solution, float]]:
        check_is_fitted(self)
        for x in X:
            problem = widened(self._compile(x), self.n_features_)
            solution = best_structure(problem, self._part_scores(problem), time_limit=self.time_limit)
            value = float(problem.scores(self.weights_)[solution.chosen].sum()) + problem.offset(self.weights_)
            yield problem, solution, value

    def _part_scores(self, problem: Compiled) -> Floats:
        return problem.scores(self.weights_)

    def top_features(self, n: int = 10) -> pd.DataFrame:
        """Return the features with the largest and the smallest weights.

        Parameters
        ----------
        n : int, default=10
            How many of either.
        """
        check_is_fitted(self)
        names = self.index_.names or list(range(self.n_features_))
        order = np.argsort(-self.weights_[: len(names)], kind="stable")
        chosen = order if len(order) <= 2 * n else np.concatenate([order[:n], order[-n:]])
        return pd.DataFrame({"feature": [names[i] for i in chosen], "weight": self.weights_[chosen]})

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to an ``.npz`` file: arrays, and parameters and names of features as JSON.

        ``problem`` is code, which no file keeps; it is given again to :meth:`load`. Names of features are words,
        numbers or tuples of these.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        check_is_fitted(self)
        parameters = self.get_params(deep=False)
        del parameters["problem"]
        head = {
            "parameters": plain_parameters(parameters),
            "problem": said_of(self.problem),
            "features": plain_names(self.index_.names),
        } | {name: getattr(self, name) for name in self._saved_attributes}
        arrays = {"weights": self.weights_, "scales": self.scales_, "classes": plain_classes(self.classes_)}
        return write_model(path, type(self), head, arrays)

    @classmethod
    def load(cls, path: str | Path, problem: Any = None) -> Self:
        """Read a model that :meth:`save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.
        problem : callable
            The function that the model was fitted with, from an example to its `Problem`: a file keeps no code.
        """
        head, arrays = read_model(path, cls)
        if not callable(problem):
            raise TypeError(
                f"a file keeps no code: give {cls.__name__}.load the function that the model was fitted with as "
                f"problem (its name was {head['problem']}), got {problem!r:.60}"
            )
        names = names_again(head["features"])
        given = FeatureIndex(getattr(problem, "feature_names", names)).names
        if given != names:
            raise ValueError(
                f"problem has {len(given):,} names of features, the model was fitted with {len(names):,}, and they "
                f"differ; give the function that it was fitted with (its name was {head['problem']})"
            )
        model = cls(problem, **head["parameters"])
        model.index_ = FeatureIndex(names, closed=True)
        model.weights_, model.scales_, model.classes_ = (arrays[name] for name in ("weights", "scales", "classes"))
        model.n_features_ = len(model.weights_)
        for name in cls._saved_attributes:
            setattr(model, name, head[name])
        return model

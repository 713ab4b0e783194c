"""What can be set where sentences are aligned, and what is known after each step."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.steps import Step
from semwork.structures.problem import Floats
from semwork.structures.tasks.parsing import Parsed
from semwork.studies.latent import at_iteration, iteration_field
from semwork.studies.settings import Settings, choice, real, seed, text, whole
from semwork.studies.study import NoAnswer

__all__ = ["Graphs", "SentenceIteration", "SentenceSettings", "SentenceStep", "SentenceView"]

_PENALTIES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
#: Two sentences.
Graphs = tuple[Parsed, Parsed]


@dataclass(frozen=True, kw_only=True)
class SentenceSettings(Settings):
    """What is learnt from, and with which features."""

    training: int = whole(200, "training pairs", "200 others are for the test", 2, 5000, grid=(50, 100, 200, 400))
    general: bool = choice(
        False,
        "features",
        "n-grams, lengths, numbers, names of the whole pair: not in the paper",
        {"words, edges": False, "+ whole pairs": True},
        shown="buttons",
    )
    regularization: float = real(
        30.0,
        "λ, regularisation",
        "how strongly are weights pulled towards zero?",
        0.01,
        10_000,
        grid=_PENALTIES,
        log=True,
    )
    seed: int = seed("which pairs are learnt from")


@dataclass(frozen=True, kw_only=True)
class SentenceView(Settings):
    """Which iteration is drawn, and which pair is aligned."""

    iteration: int = iteration_field()
    pair: int = whole(1, "test pair", "or click one in the last picture", 0, lambda step: max(len(step.truth) - 1, 1))
    left: str = text("", "your first sentence", "type both, or none")
    right: str = text("", "your second one", "does it say the same?")
    look_at: str = choice("test pairs", "look at", "the last picture", ("test pairs", "weights"), shown="buttons")


@dataclass(frozen=True, eq=False)
class SentenceIteration:
    """What one outer iteration knows.

    Attributes
    ----------
    objective, changed : float
        As in `LCLRStep`.
    weights : ndarray of shape (n_features,)
        u.
    scores : ndarray of shape (n_test,)
        The score of every test pair.
    """

    objective: float
    changed: float
    weights: Floats
    scores: Floats


@dataclass(frozen=True, kw_only=True)
class SentenceStep(Step):
    """All iterations so far, none while sentences are parsed; the first is the two-stage start.

    Attributes
    ----------
    settings : SentenceSettings
        What is learnt from.
    left, right : tuple of str
        The test pairs as texts.
    truth : ndarray of shape (n_test,)
        Which test pairs are positive.
    graphs : tuple of pairs of Parsed
        The test pairs as graphs.
    iterations : tuple of SentenceIteration
        From the two-stage start on.
    two_stage : float
        The accuracy of the two-stage system on the test pairs.
    names : tuple of hashable
        Names of the features.
    spread : ndarray of shape (n_features,)
        Their standard deviations over the training pairs.
    """

    settings: SentenceSettings
    left: tuple[str, ...] = field(default=(), repr=False)
    right: tuple[str, ...] = field(default=(), repr=False)
    truth: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool), repr=False, compare=False)
    graphs: tuple[Graphs, ...] = field(default=(), repr=False, compare=False)
    iterations: tuple[SentenceIteration, ...] = ()
    two_stage: float = 0.0
    names: tuple[Hashable, ...] = field(default=(), repr=False, compare=False)
    spread: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)

    @property
    def history(self) -> pd.DataFrame:
        """Columns ``iteration``, ``objective``, ``changed``, ``accuracy``."""
        return pd.DataFrame(
            {
                "iteration": np.arange(len(self.iterations)),
                "objective": [one.objective for one in self.iterations],
                "changed": [one.changed for one in self.iterations],
                "accuracy": [float(np.mean((one.scores >= 0) == self.truth)) for one in self.iterations],
            }
        )

    def at(self, iteration: int | None = None) -> SentenceIteration:
        """Return an iteration, the last one if there are not so many yet; without any there is no answer.

        Parameters
        ----------
        iteration : int or None
            From 0, the start; ``None`` for the last one.

        Returns
        -------
        SentenceIteration
        """
        if not self.iterations:
            raise NoAnswer("nothing is learnt yet")
        return at_iteration(self.iterations, iteration)

    def place(self, iteration: int | None) -> int:
        """Return the number of the iteration that is meant.

        Parameters
        ----------
        iteration : as in `at`

        Returns
        -------
        int
        """
        return at_iteration(range(max(len(self.iterations), 1)), iteration)

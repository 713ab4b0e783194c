"""How ATOP depends on the weight of missing words, on the penalty and on the number of dimensions, cell by cell."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from semwork.similarity.base import SentenceModel
from semwork.similarity.baselines import LDAVectors
from semwork.similarity.retrieval import RetrievalTask, check_task
from semwork.similarity.space import SentenceSpace
from semwork.similarity.wtmf import WTMF
from semwork.steps import Step

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RetrievalSweep", "SweepCell", "SweepStep"]

_TELL_SECONDS = 0.2


@dataclass(frozen=True)
class SweepCell:
    """One fit of one model: everything that its score depends on."""

    model: str
    n_components: int
    missing_weight: float | None
    regularization: float | None
    iterations: int
    seed: int

    def build(self) -> SentenceModel:
        """Make the model, not fitted yet."""
        if self.model == "LDA":
            return LDAVectors(n_components=self.n_components, max_iter=self.iterations, random_state=self.seed)
        return WTMF(
            n_components=self.n_components,
            missing_weight=self.missing_weight or 0.0,
            regularization=self.regularization or 0.0,
            max_iter=self.iterations,
            random_state=self.seed,
        )

    def __str__(self) -> str:
        weight = "" if self.missing_weight is None else f", w_m = {self.missing_weight:g}"
        penalty = "" if self.regularization is None else f", λ = {self.regularization:g}"
        return f"{self.model}, K = {self.n_components}{weight}{penalty}, seed {self.seed}"


@dataclass(frozen=True, kw_only=True)
class SweepStep(Step):
    """What is known so far.

    Attributes
    ----------
    over_weight, over_penalty, over_size
        One row per finished fit: ``model``, ``missing_weight``, ``regularization`` or ``n_components``, ``seed``,
        ``atop``.
    weights, penalties, sizes
        All values that will be tried.
    words_only
        ATOP without a model, for comparison.
    """

    over_weight: pd.DataFrame
    over_penalty: pd.DataFrame
    over_size: pd.DataFrame
    weights: tuple[float, ...]
    penalties: tuple[float, ...]
    sizes: tuple[int, ...]
    words_only: float


class RetrievalSweep:
    """Sweeps on one task. Cells that are known are not computed again when a parameter comes back.

    Parameters
    ----------
    task
        Queries, candidates and the corpus to train on.

    Examples
    --------
    >>> from semwork.similarity.retrieval_race import named_task
    >>> from semwork.steps import last
    >>> sweep = RetrievalSweep(named_task("sample"))
    >>> end = last(sweep.steps(weights=[0.01, 1.0], sizes=[5], models=["WTMF"], n_components=5, iterations=2))
    >>> end.over_weight["missing_weight"].tolist()
    [0.01, 1.0]
    """

    def __init__(self, task: RetrievalTask) -> None:
        check_task(task)
        self.task = task
        self.known: dict[SweepCell, float] = {}
        self._words_only: float | None = None

    def steps(
        self,
        *,
        weights: Sequence[float],
        sizes: Sequence[int],
        penalties: Sequence[float] = (),
        models: Sequence[str] = ("WTMF", "LDA"),
        missing_weight: float = 0.01,
        n_components: int = 20,
        regularization: float = 5.0,
        iterations: int = 12,
        sweeps: int = 100,
        seeds: int = 1,
    ) -> Iterator[SweepStep]:
        """Fit all cells, seed by seed, so that whole curves come first and their spread later.

        Parameters
        ----------
        weights
            Values of w_m for WTMF, with ``n_components`` dimensions (the paper's Figure 2).
        sizes
            Values of K for each of ``models``, WTMF with ``missing_weight`` (Figure 3, which has w_m = .0005).
        models
            ``"WTMF"``, ``"LDA"`` or both.
        missing_weight, n_components, regularization, iterations
            Of WTMF, where they are not swept.
        sweeps
            Of LDA's sampler.
        seeds
            How many random starts, from 0.
        """
        wrong = [name for name in models if name not in ("WTMF", "LDA")]
        if wrong:
            raise ValueError(f"models has {wrong[0]!r}; it can have 'WTMF' and 'LDA'")
        by_weight: list[SweepCell] = []
        by_penalty: list[SweepCell] = []
        by_size: list[SweepCell] = []
        order: dict[SweepCell, None] = {}
        for seed in range(seeds):
            own = [SweepCell("WTMF", n_components, w, regularization, iterations, seed) for w in weights]
            along = [SweepCell("WTMF", n_components, missing_weight, p, iterations, seed) for p in penalties]
            other = [
                SweepCell("WTMF", k, missing_weight, regularization, iterations, seed)
                if name == "WTMF"
                else SweepCell("LDA", k, None, None, sweeps, seed)
                for name in models
                for k in sizes
            ]
            by_weight += own
            by_penalty += along
            by_size += other
            order.update(dict.fromkeys([*own, *along, *other]))
        if self._words_only is None:
            self._words_only = float(self.task.baseline().mean())
        waiting = [cell for cell in order if cell not in self.known]
        done, total = len(order) - len(waiting), len(order)

        def step(said: str) -> SweepStep:
            return SweepStep(
                done=done,
                total=total,
                message=said,
                over_weight=self._table(by_weight, "missing_weight"),
                over_penalty=self._table(by_penalty, "regularization"),
                over_size=self._table(by_size, "n_components"),
                weights=tuple(weights),
                penalties=tuple(penalties),
                sizes=tuple(sizes),
                words_only=self._words_only or 0.0,
            )

        if done:
            yield step(f"{done} of {total} fits were known")
        for cell in waiting:
            for part in self._fit(cell):
                yield step(f"{cell}: {part}")
            done += 1
            yield step(f"{cell}: ATOP {self.known[cell]:.3f}")

    def _fit(self, cell: SweepCell) -> Iterator[str]:
        model = cell.build()
        told = time.perf_counter()
        for step in SentenceSpace(self.task.corpus, model).steps():
            if time.perf_counter() - told >= _TELL_SECONDS:
                yield f"step {step.done} of {step.total}"
                told = time.perf_counter()
        self.known[cell] = float(self.task.fitted_ranking(model).atop)

    def _table(self, cells: Sequence[SweepCell], swept: str) -> pd.DataFrame:
        import pandas as pd

        rows: list[dict[str, Any]] = [
            {"model": cell.model, swept: getattr(cell, swept), "seed": cell.seed, "atop": self.known[cell]}
            for cell in cells
            if cell in self.known
        ]
        return pd.DataFrame(rows, columns=["model", swept, "seed", "atop"])

"""How much should missing words weigh, how strong a penalty, how many dimensions?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from semwork.similarity.catalogue import CATALOGUE, PAPERS_PENALTY, WEIGHT_GRID
from semwork.similarity.retrieval import RetrievalTask, check_task
from semwork.steps import Step
from semwork.studies import wtmf_fields
from semwork.studies.model_cells import atop_of, label_of, over_seeds
from semwork.studies.pair_models import FEW_TEXTS, LEARNT, NEEDS
from semwork.studies.retrieval_tasks import RETRIEVAL_TASKS
from semwork.studies.settings import Settings, choice, several, whole
from semwork.studies.study import Answer, Facts, Study
from semwork.studies.wtmf_fields import PENALTY_GRID
from semwork.sweeps import Cell, Memory, Sweep

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PAPERS_ATOP", "SIZED", "RetrievalSweep", "SweepSettings", "SweepStep", "SweepView"]

#: Models beside WTMF that have a number of dimensions.
SIZED = tuple(name for name, model in CATALOGUE.items() if "n_components" in model.takes and name != LEARNT)
_SIZES = (5, 10, 20, 30, 40, 60)
_LARGE_SIZES = (50, 75, 100, 125, 150)
#: Guo & Diab (2012), Table 2, dev, with K = 100: symbol → model → value → ATOP. w_m with their λ (0 for w_m = 1), λ
#: with w_m = .01.
PAPERS_ATOP: Mapping[str, Mapping[str, Mapping[float, float]]] = {
    "w_m": {"WTMF": {0.0: 0.8745, 0.0005: 0.9610, 0.01: 0.9555, 1.0: 0.8273}},
    "λ": {"WTMF": {PAPERS_PENALTY: 0.9555}},
    "K": {"WTMF": {100: 0.9610}, "LDA": {100: 0.9506}},
}
_SWEPT = {"w_m": "missing_weight", "λ": "regularization", "K": "n_components"}


@dataclass(frozen=True, kw_only=True)
class SweepSettings(Settings):
    """What is fixed while something else is swept."""

    missing_weight: float = wtmf_fields.missing_weight("weight of missing words while λ and K are swept")
    regularization: float = wtmf_fields.regularization("while w_m and K are swept")
    n_components: int = wtmf_fields.n_components(most=150, says="while w_m and λ are swept")
    iterations: int = wtmf_fields.iterations()
    lda_sweeps: int = whole(100, "LDA sweeps", "of its Gibbs sampler", 50, 5000, grid=(50, 100, 200, 500), paper=5000)
    models: tuple[str, ...] = several(
        ("LDA",), "also over K", "models beside WTMF; Ctrl-click takes one in or out", SIZED, needs=NEEDS
    )
    seeds: int = whole(3, "seeds", "random starts; the band is one standard deviation", 1, 10)


@dataclass(frozen=True, kw_only=True)
class SweepView(Settings):
    """Whether the paper's results stand beside ours."""

    paper: bool = choice(
        False,
        "the paper's points",
        "of its own data: compare the shape, not the height",
        {"hide": False, "show": True},
        shown="buttons",
    )


@dataclass(frozen=True, kw_only=True)
class SweepStep(Step):
    """What is known so far.

    Attributes
    ----------
    tables : mapping of str to DataFrame
        Symbol of what is swept → one row per finished fit: ``model``, ``value``, ``seed``, ``atop``.
    """

    tables: Mapping[str, pd.DataFrame]


@dataclass(frozen=True, eq=False)
class Curves(Answer):
    """ATOP along each parameter: mean and standard deviation over the seeds of each point."""

    tables: Mapping[str, pd.DataFrame]
    values: Mapping[str, Sequence[float]]
    words_only: float
    points: Mapping[str, Mapping[str, Mapping[float, float]]]
    marks: Mapping[str, float]
    title: str = "How much should missing words weigh, how strong a penalty, how many dimensions?"


class RetrievalSweep(Study[SweepSettings, SweepStep]):
    """Sweeps on one retrieval task. Cells that are known are not computed again when a parameter comes back.

    Parameters
    ----------
    task : RetrievalTask
        Queries, candidates and the corpus to train on.
    values : mapping of str to sequence of float, optional
        Symbol (``"w_m"``, ``"λ"``, ``"K"``) → what is tried, in place of the values of the lesson.

    Examples
    --------
    >>> from semwork.steps import last
    >>> from semwork.studies import retrieval_task
    >>> study = RetrievalSweep(retrieval_task("sample"), {"w_m": [0.01, 1.0], "λ": [], "K": []})
    >>> end = last(study.steps(SweepSettings(n_components=5, iterations=2, seeds=1)))
    >>> end.tables["w_m"]["value"].tolist()
    [0.01, 1.0]
    """

    settings, view = SweepSettings, SweepView
    inputs = {"data": RETRIEVAL_TASKS}

    def __init__(self, task: RetrievalTask, values: Mapping[str, Sequence[float]] | None = None) -> None:
        check_task(task)
        self.task = task
        rank = min(task.training.shape)
        usual = _SIZES if task.training.shape[0] < FEW_TEXTS else _LARGE_SIZES
        sizes = [size for size in usual if size <= rank] or [rank]
        self.values = {"w_m": WEIGHT_GRID, "λ": PENALTY_GRID, "K": sizes, **(values or {})}
        self.known = Memory()

    @functools.cached_property
    def facts(self) -> Facts:
        """How many queries and candidates there are."""
        data = self.task.data
        return Facts(queries=len(data), candidates=len(data.candidates), **wtmf_fields.facts_of(self.task.corpus))

    @functools.cached_property
    def words_only(self) -> float:
        """ATOP of the words themselves, without a model."""
        return float(self.task.baseline().mean())

    def steps(self, settings: SweepSettings) -> Iterator[SweepStep]:
        """Fit all cells, seed by seed, so that whole curves come first and their spread later.

        A cell that fails ends none of the others; after the last step the failures are raised, as `SweepFailed`.
        """
        settings = settings.checked(self.facts)
        rows = self._plan(settings)
        cells = [cell for _, _, cell in sorted(rows, key=lambda row: row[2].seed or 0)]
        sweep = Sweep(cells, store=self.known)
        count, computed = len(sweep.cells), False
        for step in sweep.steps():
            if step.cell is not None:
                computed = True
                said = f"{step.cell}: ATOP {step.result['atop']:.3f}" if step.result else step.message
            elif computed and not step.errors:
                continue  # the end of all cells says nothing that the last one has not said
            else:
                said = step.message if step.errors else f"{step.done} of {count} fits were known"
            tables = {symbol: _table(rows, symbol, step.results) for symbol in _SWEPT}
            yield SweepStep(done=step.done, total=count, message=said, tables=tables)
        step.checked()  # after the last picture, which has the others: a run with failed cells is no success

    def _plan(self, settings: SweepSettings) -> list[tuple[str, float, Cell]]:
        """Symbol, value and cell of every point; where two curves cross they have the same cell."""
        fixed = {
            "n_components": settings.n_components,
            "missing_weight": settings.missing_weight,
            "regularization": settings.regularization,
            "iterations": settings.iterations,
        }
        rows: list[tuple[str, float, Cell]] = []
        for seed in range(settings.seeds):
            for symbol, name in _SWEPT.items():
                each = [{**fixed, name: value} for value in self.values[symbol]]
                rows += [(symbol, given[name], self._cell(LEARNT, given, seed)) for given in each]
            for name in settings.models:
                for value in self.values["K"]:
                    shared = {**fixed, "n_components": int(value), "sweeps": settings.lda_sweeps}
                    taken = {one: shared[one] for one in CATALOGUE[name].takes if one in shared}
                    rows.append(("K", value, self._cell(name, taken, seed)))
        return rows

    def _cell(self, model: str, settings: dict[str, Any], seed: int) -> Cell:
        label = label_of(model, settings, seed)
        return Cell(atop_of, {"model": model, **settings}, seed=seed, data=self.task, label=label)

    def table(self, step: SweepStep) -> pd.DataFrame:
        """Return mean and standard deviation of ``atop`` for each ``parameter``, ``model`` and ``value``."""
        import pandas as pd

        columns = ["parameter", "model", "value", "mean", "std", "count"]
        tables = [_over_seeds(table).assign(parameter=symbol) for symbol, table in step.tables.items() if len(table)]
        return pd.concat(tables, ignore_index=True)[columns] if tables else pd.DataFrame(columns=columns)

    def curves(self, step: SweepStep, paper: bool = False) -> Curves:
        """Return ATOP along each parameter, with the paper's results or without; one seed has no deviation: 0."""
        tables = {symbol: _over_seeds(table).fillna({"std": 0.0}) for symbol, table in step.tables.items()}
        values = {symbol: list(found) for symbol, found in self.values.items() if len(found)}
        if paper and "K" in values:
            values["K"] = sorted({*values["K"], *(k for points in PAPERS_ATOP["K"].values() for k in points)})
        marks = {"λ": PAPERS_PENALTY} if PAPERS_PENALTY in values.get("λ", ()) else {}
        return Curves(tables, values, self.words_only, PAPERS_ATOP if paper else {}, marks)


def _over_seeds(table: pd.DataFrame) -> pd.DataFrame:
    return over_seeds(table, "model", "value", "atop")


def _table(rows: Sequence[tuple[str, float, Cell]], symbol: str, results: Mapping[Cell, Any]) -> pd.DataFrame:
    import pandas as pd

    found = [
        {"model": cell.settings["model"], "value": value, "seed": cell.seed, "atop": results[cell]["atop"]}
        for swept, value, cell in rows
        if swept == symbol and cell in results
    ]
    return pd.DataFrame(found, columns=["model", "value", "seed", "atop"])

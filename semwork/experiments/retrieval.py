"""Concept definition retrieval: Table 2 and Figures 2 and 3 of Guo & Diab (2012), on public dictionaries."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from semwork.datasets import RetrievalSet, load
from semwork.evaluation import paired_test
from semwork.experiments.cells import Result, ResultStep, Row, Running
from semwork.experiments.models import and_new_models, model_cells
from semwork.similarity import RetrievalTask, SentenceModel, SentenceSpace
from semwork.similarity.catalogue import PAPERS_PENALTY, WEIGHT_GRID
from semwork.steps import Step
from semwork.studies.retrieval_sweep import PAPERS_ATOP
from semwork.sweeps import Cell

__all__ = ["clause_set", "retrieval_cells", "retrieval_scores", "retrieval_steps", "retrieval_tables"]

WEIGHTS = tuple(weight for weight in WEIGHT_GRID if 0 < weight <= 0.05)  # those of the paper's Figure 2
DIMENSIONS = (50, 75, 100, 125, 150)
SWEEPS = 300
SHARES = (0.3, 0.7)
_LDA = {"alpha": 0.05, "beta": 0.05, "max_iter": SWEEPS}
_LDA_DEV, _WTMF_DEV = PAPERS_ATOP["K"]["LDA"][100], PAPERS_ATOP["w_m"]["WTMF"]


def _wtmf(missing_weight: float) -> dict[str, Any]:
    return {"missing_weight": missing_weight, "regularization": PAPERS_PENALTY}


# Label, model, parameters, the paper's dev and test.
_PAPERS_ROWS: tuple[tuple[str, str, dict[str, Any], float | None, float | None], ...] = (
    ("IR", "IR", {}, 0.8578, 0.8515),
    ("N-gram", "N-gram", {}, 0.8238, 0.8171),
    ("N-gram, TF-IDF", "N-gram", {"weighting": "tfidf"}, None, 0.8467),
    ("LSA", "LSA", {"n_components": 100}, 0.8218, 0.8143),
    ("LDA, α=.1 β=.01", "LDA", {"n_components": 100, "alpha": 0.1, "beta": 0.01, "max_iter": SWEEPS}, 0.9466, 0.9427),
    ("LDA, α=.05 β=.05", "LDA", {"n_components": 100, **_LDA}, _LDA_DEV, 0.9470),
    ("LDA, α=.05 β=.05, 900 sweeps", "LDA", {"n_components": 100, **_LDA, "max_iter": 900}, None, None),
    ("WTMF, w_m=1 λ=0", "WTMF", {"missing_weight": 1.0, "regularization": 0.0}, _WTMF_DEV[1.0], 0.8273),
    ("WTMF, w_m=0 λ=20", "WTMF", _wtmf(0.0), _WTMF_DEV[0.0], 0.8645),
    ("WTMF, w_m=.01 λ=20", "WTMF", _wtmf(0.01), _WTMF_DEV[0.01], 0.9511),
    ("WTMF, w_m=.0005 λ=20", "WTMF", _wtmf(0.0005), _WTMF_DEV[0.0005], 0.9558),
    ("GloVe average (SIF)", "GloVe average", {}, None, None),
)
TABLE_2 = and_new_models(_PAPERS_ROWS)


def clause_set() -> RetrievalSet:
    """Glosses of several clauses: the last clause is the query, the rest the target among all definitions."""
    definitions = load("wordnet").definitions
    queries, targets, candidates = [], [], []
    for place, definition in enumerate(definitions):
        first, separator, final = definition.rpartition(";")
        if separator and final.strip():
            queries.append(final.strip())
            targets.append(np.array([place]))
            candidates.append(first.strip())
        else:
            candidates.append(definition)
    split = np.where(np.random.default_rng(0).permutation(len(queries)) < 1000, "dev", "test")
    empty = pd.DataFrame(index=range(len(queries))), pd.DataFrame(index=range(len(candidates)))
    return RetrievalSet("clauses", queries, candidates, targets, split, *empty)


@functools.cache
def _task(name: str) -> RetrievalTask:
    data = load("cdr") if name.startswith("cdr") else clause_set()
    training = load("wordnet").texts if name.endswith("+examples") else None
    return RetrievalTask.from_set(data, training=training, more_texts=load("brown").texts)


def retrieval_scores(
    task: str, make: Callable[..., SentenceModel], parameters: Mapping[str, Any], seed: int | None = None
) -> Generator[Step, None, Result]:
    """Fit a model, and find with it.

    ``cdr`` and ``clauses`` are trained on the candidates and Brown, ``cdr+examples`` on whole entries and Brown.
    """
    found = _task(task)
    model = make(**parameters, **({} if seed is None else {"random_state": seed}))
    yield from SentenceSpace(found.corpus, model).steps()
    ranking = found.fitted_ranking(model)
    result: Result = {"scores": ranking.scores.astype(np.float32)}
    for split in ("dev", "test"):
        part = ranking.subset(np.asarray(found.data.split) == split)
        result |= {split: part.atop, f"{split} MRR": part.mrr, f"{split} hit@10": part.hit(10)}
    return result


def retrieval_cells(seeds: int) -> dict[str, list[tuple[str, list[Cell]]]]:
    """Table → its rows, each with the cells that are averaged."""

    def cells(task: str, model: str, count: int, **parameters: Any) -> list[Cell]:
        needs = ("cdr", "wordnet", "brown") if task.startswith("cdr") else ("wordnet", "brown")
        return model_cells(retrieval_scores, task, model, count, needs, **parameters)

    two_seeds, wtmf, best = min(seeds, 2), _wtmf(0.01), _wtmf(0.0005)
    return {
        "table_2": [
            # The long chain only shows how much the short ones lack.
            (label, cells("cdr", model, 1 if given.get("max_iter") == 900 else seeds, **given))
            for label, model, given, _, _ in TABLE_2
        ],
        "figure_2": [(f"{weight:g}", cells("cdr", "WTMF", two_seeds, **_wtmf(weight))) for weight in WEIGHTS],
        "figure_3": [
            (f"{model} {k}", cells("cdr", model, two_seeds, n_components=k, **given))
            for model, given in (("WTMF", wtmf), ("LDA", _LDA))
            for k in DIMENSIONS
        ],
        "clauses": [
            (label, cells("clauses", model, two_seeds, **given))
            for label, model, given in (
                ("IR", "IR", {}),
                ("LSA", "LSA", {"n_components": 100}),
                ("LDA, α=.05 β=.05", "LDA", {"n_components": 100, **_LDA}),
                ("WTMF, w_m=.01 λ=20", "WTMF", wtmf),
                ("WTMF, w_m=.0005 λ=20", "WTMF", best),
            )
        ],
        # Beyond the paper: what the words say themselves, blended in; the share is to be chosen on dev.
        "blends": [
            (f"{share:g} WTMF + {1 - share:g} IR", cells("cdr", "WTMF + IR", 1, share=share, **wtmf))
            for share in SHARES
        ],
        "headwords_and_examples": [
            (label, cells("cdr+examples", "WTMF", two_seeds, **given))
            for label, given in (("WTMF, w_m=.01 λ=20", wtmf), ("WTMF, w_m=.0005 λ=20", best))
        ],
    }


def _average(found: Sequence[Result], name: str) -> tuple[float, float]:
    values = [result[name] for result in found]
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def retrieval_tables(seeds: int, results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    papers = {label: (dev, test) for label, _, _, dev, test in TABLE_2}
    tables: dict[str, tuple[Row, ...]] = {}
    plan = retrieval_cells(seeds)
    for table, lines in plan.items():
        rows = []
        for label, cells in lines:
            found = [results[cell] for cell in cells]
            row: Row = {"model": label, "seeds": len(found)}
            for split, paper in zip(("dev", "test"), papers.get(label, (None, None)), strict=True):
                mean, deviation = _average(found, split)
                row |= {f"{split}": round(mean, 4), f"{split} s.d.": round(deviation, 4)}
                if table == "table_2":
                    row[f"{split}, paper"] = paper
            row |= {name: round(_average(found, name)[0], 4) for name in ("test MRR", "test hit@10")}
            rows.append(row)
        tables[table] = tuple(rows)
    tables["significance"] = _significance(dict(plan["table_2"]), results)
    return tables


def _significance(lines: Mapping[str, list[Cell]], results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    """Whether WTMF is ahead, query by query on the test set (scores averaged over seeds)."""
    test = np.asarray(_task("cdr").data.split) == "test"

    def scores(label: str) -> Any:
        return np.mean([results[cell]["scores"].astype(float) for cell in lines[label]], axis=0)[test]

    rows = []
    for ahead in ("WTMF, w_m=.01 λ=20", "WTMF, w_m=.0005 λ=20"):
        for behind in ("LDA, α=.05 β=.05", "LDA, α=.1 β=.01", "IR", "GloVe average (SIF)"):
            found = paired_test(scores(ahead), scores(behind), random_state=0)
            rows.append(
                {
                    "model": ahead,
                    "against": behind,
                    "difference": round(found.difference, 4),
                    "low": round(found.low, 4),
                    "high": round(found.high, 4),
                    "p": round(found.p_value, 5),
                }
            )
    return tuple(rows)


def retrieval_steps(seeds: int, running: Running) -> Iterator[ResultStep]:
    """Run all cells and end with the tables."""
    cells = [cell for lines in retrieval_cells(seeds).values() for _, found in lines for cell in found]
    results = yield from running.results(cells)
    total = len(results)
    yield ResultStep(done=total, total=total, message="done", tables=retrieval_tables(seeds, results))

"""The default λ of WTMF beside the best λ of a grid, from twenty texts to two hundred thousand, in three weightings."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from semwork.datasets import load
from semwork.evaluation import Ranking
from semwork.experiments.cells import Result, ResultStep, Row, Running
from semwork.similarity import WTMF, CollapsedVectorsWarning
from semwork.similarity.catalogue import PAPERS_PENALTY
from semwork.similarity.penalty import singular_values
from semwork.similarity.search import rank
from semwork.similarity.solver import SingularSystemWarning
from semwork.steps import Step
from semwork.sweeps import Cell
from semwork.text import Corpus

__all__ = ["SIZES", "default_penalty", "penalty_cells", "regularization_steps", "texts_and_queries"]

SIZES = (20, 60, 200, 600, 2_000, 6_000, 20_000, 60_000, 200_000)
WEIGHTINGS: dict[str, dict[str, Any]] = {
    "tfidf": {"weighting": "tfidf"},
    "tfidf, length 1": {"weighting": "tfidf", "normalize": True},
    "count": {"weighting": "count"},
}
_HALVINGS = range(12)  # λ = σ_1 / 2^i
_HALVINGS_OF_MANY_TEXTS = range(1, 9)  # on many texts, where a fit takes half a minute
_MANY_TEXTS = 20_000


def texts_and_queries(size: int, seed: int) -> tuple[list[str], list[str]]:
    """Draw WordNet definitions, and GCIDE's definitions of the same senses, which no model is fitted on.

    Query ``i`` has text ``i`` as its target. Beyond the senses that both dictionaries have, more of WordNet follows,
    then sentences of Brown, then definitions of GCIDE that are no query.
    """
    cdr = load("cdr")
    single = np.array([place for place, found in enumerate(cdr.targets) if len(found) == 1])
    order = np.random.default_rng(seed).permutation(single)
    targets = np.array([cdr.targets[place][0] for place in order])
    first = np.sort(np.unique(targets, return_index=True)[1])[:size]
    order, targets = order[first], targets[first]
    texts = [cdr.candidates[place] for place in targets]
    if len(texts) < size:
        taken = set(targets.tolist())
        texts += [text for place, text in enumerate(cdr.candidates) if place not in taken][: size - len(texts)]
    if len(texts) < size:
        texts += load("brown").texts[: size - len(texts)]
    if len(texts) < size:
        asked = set(cdr.queries)
        texts += [text for text in load("gcide").definitions if text not in asked][: size - len(texts)]
    return texts, [cdr.queries[place] for place in order]


def _ranking(X: Any, queries: Any, regularization: Any, seed: int) -> tuple[WTMF, Ranking]:
    with warnings.catch_warnings():  # the grid goes where vectors collapse and systems are singular
        warnings.simplefilter("ignore", CollapsedVectorsWarning)
        warnings.simplefilter("ignore", SingularSystemWarning)
        model = WTMF(regularization=regularization, random_state=seed).fit(X)
        targets = [[place] for place in range(queries.shape[0])]
        return model, rank(model.transform(queries), model.transform(X), targets)


def default_penalty(size: int, weighting: str) -> Generator[Step, None, Result]:
    """Fit with the default λ, with the paper's and with those of the grid.

    Few texts are drawn several times; a result is the mean over the draws.
    """
    found: list[dict[str, float]] = []
    draws = max(1, min(25, 2000 // size))
    for seed in range(draws):
        yield Step(done=seed, total=draws)
        texts, asked = texts_and_queries(size, seed)
        corpus = Corpus.from_texts(texts, "stem", **WEIGHTINGS[weighting])
        X = sparse.csr_array(corpus.matrix)
        queries = corpus.transform(asked)
        model, ranking = _ranking(X, queries, "auto", seed)
        row = {"K": float(len(model.components_)), "auto λ": model.regularization_}
        row |= {"auto hit@10": ranking.hit(10), "auto hit@1": ranking.hit(1)}
        ranking = _ranking(X, queries, PAPERS_PENALTY, seed)[1]
        row |= {"paper hit@10": ranking.hit(10), "paper hit@1": ranking.hit(1)}
        largest = float(singular_values(X, 1)[0])
        for halving in _HALVINGS if size < _MANY_TEXTS else _HALVINGS_OF_MANY_TEXTS:
            ranking = _ranking(X, queries, largest / 2**halving, seed)[1]
            row |= {f"{halving} λ": largest / 2**halving}
            row |= {f"{halving} hit@10": ranking.hit(10), f"{halving} hit@1": ranking.hit(1)}
        found.append(row)
    return {"draws": len(found)} | {name: float(np.mean([row[name] for row in found])) for name in found[0]}


def _row(cell: Cell, result: Result) -> Row:
    tried = [halving for halving in _HALVINGS if f"{halving} λ" in result]
    best = max(tried, key=lambda halving: float(result[f"{halving} hit@10"]))
    row: Row = {
        "texts": cell.settings["size"],
        "weights": cell.settings["weighting"],
        "draws": result["draws"],
        "K": round(result["K"], 1),
        "default λ": float(f"{result['auto λ']:.3g}"),
        "best λ": float(f"{result[f'{best} λ']:.3g}"),
    }
    for measure in ("hit@10", "hit@1"):
        most = max(float(result[f"{halving} {measure}"]) for halving in tried)
        row |= {
            f"{measure}, default": round(result[f"auto {measure}"], 4),
            f"{measure}, best": round(most, 4),
            f"{measure}, share": round(result[f"auto {measure}"] / most, 3),
            f"{measure}, λ = 20": round(result[f"paper {measure}"], 4),
        }
    return row


def penalty_cells() -> list[Cell]:
    """Texts × weightings."""
    return [
        Cell(
            default_penalty, {"size": size, "weighting": weighting}, needs=("cdr", "brown", "gcide"),
            label=f"default λ, {size}: WTMF(weighting={weighting})",
        )
        for size in SIZES
        for weighting in WEIGHTINGS
    ]  # fmt: skip


def regularization_steps(seeds: int, running: Running) -> Iterator[ResultStep]:
    """Compute all cells and end with the table; few texts are drawn many times, whatever ``seeds`` is."""
    cells = penalty_cells()
    results = yield from running.results(cells)
    rows = tuple(_row(cell, results[cell]) for cell in cells)
    yield ResultStep(done=len(cells), total=len(cells), message="done", tables={"table": rows})

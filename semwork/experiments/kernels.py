"""Semantic kernels on Medline, R8 and 20 newsgroups: both tables of Kandola et al. (2002), and beyond their size."""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC, LinearSVC

from semwork.evaluation import decisions
from semwork.evaluation.classification import f1_score as binary_f1
from semwork.experiments.cells import Result, ResultStep, Row, Running
from semwork.kernels import KernelSpectrum, Kind, SemanticKernel, best_decay
from semwork.kernels.checking import Floats
from semwork.kernels.curve import block_curve
from semwork.kernels.documents import DocumentSet, document_set
from semwork.kernels.growth import growth
from semwork.steps import Step
from semwork.sweeps import Cell

__all__ = ["full_size", "kernel_cells", "kernel_steps", "kernel_tables", "paths", "protocol"]

SHARES = (0.8, 0.5, 0.2)
PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
WEIGHTS = ("plain", "balanced")
KERNELS = ("bag of words", "exponential", "von_neumann")
# Documents drawn from the large sets for the protocol of Medline.
DRAWN = {"medline": None, "reuters8": 1000, "newsgroups": 1000}
_FOLDS = 10
_RANK = 300
_LABELLED = (200, 1000, None)
# Kernel → alignment, error, F1, decay at 80, 50 and 20 %.
PAPER: dict[str, tuple[tuple[float | None, ...], ...]] = {
    "exponential": ((0.851, 0.863, 0.867), (0.017, 0.018, 0.019), (0.795, 0.783, 0.731), (0.197, 0.185, 0.147)),
    "von_neumann": ((0.758, 0.766, 0.728), (0.017, 0.018, 0.028), (0.765, 0.701, 0.376), (0.032, 0.039, 0.029)),
    "bag of words": ((0.423, 0.390, 0.325), (0.022, 0.024, 0.030), (0.256, 0.456, 0.349), (None, None, None)),
}


@dataclass(frozen=True)
class Variant:
    """One kernel on one split: the training block and the rows of the test documents."""

    kernel: str
    way: str
    decay: float
    alignment: float
    train: Floats
    test: Floats


@functools.lru_cache(maxsize=2)
def _all_documents(name: str) -> KernelSpectrum:
    matrix = document_set(name, DRAWN[name]).corpus.matrix
    return KernelSpectrum.of((matrix @ matrix.T).toarray())


def _variants(documents: DocumentSet, y: Floats, train: NDArray[Any], test: NDArray[Any]) -> Iterator[Variant]:
    """The bag of words, and both kernels with the proximity of training documents and of all documents."""
    matrix = documents.corpus.matrix
    within, across = (matrix[train] @ matrix[train].T).toarray(), (matrix[test] @ matrix[train].T).toarray()
    spectrum, everything = KernelSpectrum.of(within), _all_documents(documents.name)
    plain = float(spectrum.curve(y[train], "exponential").at(0.0))
    yield Variant("bag of words", "–", 0.0, plain, within, across)
    kinds: tuple[Kind, ...] = ("exponential", "von_neumann")
    for kind in kinds:
        best = best_decay(spectrum.curve(y[train], kind))
        grown = growth(kind, spectrum.values, best.decay, spectrum.largest)
        block = (spectrum.vectors * (spectrum.values * grown)) @ spectrum.vectors.T
        rows = ((across @ spectrum.vectors) * grown) @ spectrum.vectors.T
        yield Variant(kind, "training", best.decay, best.alignment, block, rows)
    for kind in kinds:
        parts = everything.vectors * np.sqrt(everything.values)
        best = best_decay(block_curve(kind, everything.values, parts[train], y[train, None]))
        grown = growth(kind, everything.values, best.decay, everything.largest)
        block = (parts[train] * grown) @ parts[train].T
        rows = (parts[test] * grown) @ parts[train].T
        yield Variant(kind, "all", best.decay, best.alignment, block, rows)


def _machine(penalty: float, weight: str) -> SVC:
    return SVC(kernel="precomputed", C=penalty, class_weight="balanced" if weight == "balanced" else None)


def _scaled(variant: Variant) -> tuple[Floats, Floats]:
    scale = 1 / (np.trace(variant.train) / len(variant.train))
    return variant.train * scale, variant.test * scale


def _penalty(kernel: Floats, y: Floats, weight: str) -> Generator[Step, None, float]:
    """Find the C of the best F1 in ten-fold cross-validation (decisions of all folds taken together)."""
    folds = StratifiedKFold(max(2, min(_FOLDS, int((y > 0).sum()))), shuffle=True, random_state=0)
    parts = list(folds.split(kernel, y))
    scores = []
    for penalty in PENALTIES:
        said = np.zeros(len(y), dtype=bool)
        for rows, held in parts:
            yield Step(done=0, message=f"C = {penalty:g}")
            machine = _machine(penalty, weight).fit(kernel[np.ix_(rows, rows)], y[rows])
            said[held] = machine.decision_function(kernel[np.ix_(held, rows)]) > 0
        scores.append(binary_f1(y > 0, said))
    return PENALTIES[int(np.argmax(scores))]


def protocol(data: str, target: str, share: float, splits: int) -> Generator[Step, None, Result]:
    """The paper's protocol for one class and one training share: C once, then the splits."""
    documents = document_set(data, DRAWN[data])
    y = documents.target(target)
    chosen: dict[tuple[str, str, str], float] = {}
    rows: list[Row] = []
    for seed in range(splits):
        train, test = documents.split(target, share, seed)
        prior = float(np.mean(y[train] > 0))
        for variant in _variants(documents, y, train, test):
            kernel, across = _scaled(variant)
            for weight in WEIGHTS:
                key = variant.kernel, variant.way, weight
                if key not in chosen:
                    chosen[key] = yield from _penalty(kernel, y[train], weight)
                machine = _machine(chosen[key], weight).fit(kernel, y[train])
                found = decisions(y[test] > 0, machine.decision_function(across), prior)
                about = {"kernel": variant.kernel, "proximity": variant.way, "weights": weight, "split": seed}
                numbers = {"alignment": variant.alignment, "decay": variant.decay, "C": chosen[key]}
                rows.append(about | numbers | vars(found))
        yield Step(done=seed + 1, total=splits)
    return {"rows": rows}


def full_size(data: str, kernel: Any, way: str, labelled: int | None, seed: int) -> Result:
    """All documents of a set, all classes at once, low rank: few labels, many texts."""
    documents = document_set(data)
    assert documents.labels is not None  # noqa: S101 - only sets with one label for each document come here
    matrix, labels = documents.corpus.matrix, documents.labels
    order = np.random.default_rng(seed).permutation(len(documents))
    held = order[: len(order) // 5]
    learn = order[len(order) // 5 :][:labelled]
    rest = np.setdiff1d(np.arange(len(documents)), learn)
    background = matrix[rest] if way == "all" else None
    X_train, X_test = matrix[learn], matrix[held]
    numbers: Row = {"decay": 0.0, "alignment": None, "labelled": len(learn)}
    if kernel != "bag of words":
        size = len(documents) if background is not None else len(learn)
        fitted = SemanticKernel(
            kind=kernel,
            centered=True,
            rank=_RANK if size > 2 * _RANK else None,
            output="features",
            random_state=seed,
        ).fit(X_train, labels[learn], background=background)
        numbers |= {"decay": fitted.decay_, "alignment": fitted.alignment_}
        X_train, X_test = fitted.transform(X_train), fitted.transform(X_test)
    machine = LinearSVC(C=1.0, random_state=seed).fit(X_train, labels[learn])
    said = machine.predict(X_test)
    scores = {
        "accuracy": float(np.mean(said == labels[held])),
        "macro F1": float(f1_score(labels[held], said, average="macro")),
    }
    return numbers | scores


def paths(data: str, seed: int) -> Generator[Step, None, Result]:
    """The best decay of every class against the rest, from one decomposition of all documents."""
    documents = document_set(data)
    kernel = SemanticKernel(rank=_RANK, random_state=seed)
    kernel.fit(documents.corpus.matrix, documents.labels)
    largest = float(kernel.spectrum_[0])
    rows: list[Row] = []
    kinds: tuple[Kind, ...] = ("exponential", "von_neumann")
    for done, (name, belongs) in enumerate(documents.classes.items()):
        yield Step(done=done, total=len(documents.classes), message=name)
        for kind in kinds:
            for centered in (False, True):
                curve = kernel.alignment_curve(belongs, kind, centered)
                best = best_decay(curve)
                rows.append(
                    {
                        "class": name,
                        "kernel": kind,
                        "centred": "yes" if centered else "no",
                        "bag of words": round(float(curve.at(0.0)), 4),
                        "alignment": round(best.alignment, 4),
                        "decay": round(best.decay, 5),
                        "relative decay": round(best.decay * largest, 3),
                        "vector of ones": 0.0 if centered else round((1 - 2 * float(belongs.mean())) ** 2, 4),
                    }
                )
    return {"rows": rows}


def _cell(function: Callable[..., Any], seed: int | None = None, **given: Any) -> Cell:
    said = ", ".join(f"{name}={value}" for name, value in sorted(given.items()))
    label = f"{function.__name__.replace('_', ' ')}: kernels({said}){'' if seed is None else f', seed {seed}'}"
    return Cell(function, given, seed=seed, needs=(given["data"],), one_core=True, label=label)


def kernel_cells(splits: int) -> dict[str, list[Cell]]:
    """Table → its cells."""
    plan: dict[str, list[Cell]] = {}

    def splits_of(data: str, target: str) -> list[Cell]:
        return [_cell(protocol, data=data, target=target, share=share, splits=splits) for share in SHARES]

    plan["medline_query_20"] = splits_of("medline", "query 20")
    for data, limit in DRAWN.items():
        classes = document_set(data, limit).classes
        usable = [name for name, belongs in classes.items() if belongs.sum() >= _FOLDS]
        plan[data] = [cell for name in usable for cell in splits_of(data, name)]
    for data in ("reuters8", "newsgroups"):
        plan[f"{data}_full_size"] = [
            _cell(full_size, seed, data=data, kernel=kernel, way=way, labelled=labelled)
            for labelled in _LABELLED
            for kernel, way in (("bag of words", "–"), *((k, w) for k in KERNELS[1:] for w in ("training", "all")))
            for seed in range(1 if labelled is None else min(splits, 3))
        ]
        plan[f"{data}_paths"] = [_cell(paths, 0, data=data)]
    return plan


_MEASURES = ("alignment", "decay", "error", "f1", "average_precision", "prior_f1")


def _protocol_table(cells: list[Cell], results: Mapping[Cell, Result], *, paper: bool) -> tuple[Row, ...]:
    frames = [
        pd.DataFrame(results[cell]["rows"]).assign(share=cell.settings["share"], target=place)
        for place, cell in enumerate(cells)
    ]
    keys = ["share", "kernel", "proximity", "weights"]
    # Splits are averaged first, so that every class counts the same.
    classes = pd.concat(frames).groupby([*keys, "target"], sort=False)[list(_MEASURES)]
    table = classes.mean().groupby(keys, sort=False).mean()
    table["f1 s.d."] = classes.std(ddof=1).groupby(keys, sort=False).mean()["f1"]
    rows = []
    for found in table.reset_index().to_dict("records"):
        row: Row = {"train %": round(100 * found["share"])} | {key: found[key] for key in keys[1:]}
        row |= {name: round(float(found[name]), 4) for name in (*_MEASURES, "f1 s.d.")}
        if paper:
            at = SHARES.index(found["share"])
            for name, column in zip(("alignment", "error", "f1", "decay"), PAPER[found["kernel"]], strict=True):
                row[f"{name}, paper"] = column[at]
        rows.append(row)
    return tuple(rows)


def _full_table(cells: list[Cell], results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    frame = pd.DataFrame(
        [{key: cell.settings[key] for key in ("kernel", "way")} | results[cell] | {"seed": cell.seed} for cell in cells]
    )
    rows = []
    for (labelled, kernel, way), group in frame.groupby(["labelled", "kernel", "way"], sort=False):
        row: Row = {"labelled": labelled, "kernel": kernel, "proximity": way, "runs": len(group)}
        for name in ("decay", "alignment", "accuracy", "macro F1"):
            values = group[name].dropna()
            row[name] = round(float(values.mean()), 4) if len(values) else None
        row["accuracy s.d."] = round(float(group["accuracy"].std(ddof=1)), 4) if len(group) > 1 else None
        rows.append(row)
    return tuple(rows)


def kernel_tables(splits: int, results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    tables = {}
    for name, cells in kernel_cells(splits).items():
        if name.endswith("full_size"):
            tables[name] = _full_table(cells, results)
        elif name.endswith("paths"):
            tables[name] = tuple(results[cells[0]]["rows"])
        else:
            tables[name] = _protocol_table(cells, results, paper=name.startswith("medline_query"))
    return tables


def kernel_steps(splits: int, running: Running) -> Iterator[ResultStep]:
    """Run all cells and end with the tables."""
    cells = [cell for found in kernel_cells(splits).values() for cell in found]
    results = yield from running.results(cells)
    total = len(results)
    yield ResultStep(done=total, total=total, message="done", tables=kernel_tables(splits, results))

"""How fast the samplers of Gaussian LDA are: Figure 2 of Das et al. (2015)."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping

import numpy as np

from semwork.blas import one_thread_inside
from semwork.experiments.cells import Result, Row
from semwork.experiments.topic_corpora import topic_corpus
from semwork.steps import Step
from semwork.sweeps import Cell
from semwork.topics import SAMPLERS, NormalInverseWishart
from semwork.topics.documents import read_documents
from semwork.topics.samplers import Sampler
from semwork.topics.state import State
from semwork.topics.warm_up import warm_up

__all__ = ["sampler_speed", "speed_cells", "speed_tables"]

DATA = "newsgroups"
N_TOPICS = 50
SUBSET = 500
# Sampler → sweeps over the subset. Naive takes as long in every sweep, so one says it.
SWEEPS = {"naive": 1, "cholesky": 20, "alias": 30, "precision": 40, "fast": 80}
FULL_SWEEPS = {"precision": 20, "fast": 20}
# "After the first few iterations": how many times as fast as Cholesky, and as naive.
PAPER = {"alias": (9.93, 53.1), "cholesky": (1.0, round(53.1 / 9.93, 2)), "naive": (round(9.93 / 53.1, 3), 1.0)}


def sampler_speed(model: str, documents: int, sweeps: int, data: str, seed: int) -> Generator[Step, None, Result]:
    """Run one sampler and take the time of each sweep: of the clock, and of the processor.

    The documents and the start are the same whatever the sampler.
    """
    warm_up()
    corpus = topic_corpus(data)
    texts = corpus.training
    if documents:
        rows = np.sort(np.random.default_rng(0).permutation(len(texts))[:documents])
        texts = [texts[row] for row in rows.tolist()]
    read = read_documents(texts, corpus.vectors)
    prior = NormalInverseWishart().of_size(read.vectors.shape[1])
    alpha = np.full(N_TOPICS, 1.0 / N_TOPICS)
    sampler = Sampler(model)  # type: ignore[arg-type]
    with one_thread_inside():
        state = State(read.words, read.starts, read.vectors, N_TOPICS, alpha, prior, sampler.keeps, seed)
    wall, cpu, likelihood = [], [], []
    for done in range(1, sweeps + 1):
        # Alias fills its table always (the paper names no schedule); fast in the first half, then it is frozen.
        refresh = int(sampler.name == "alias" or (sampler.name == "fast" and 2 * done <= sweeps))
        with one_thread_inside():
            started = time.perf_counter(), time.thread_time()
            sampler.sweep(state, refresh=refresh)
            wall.append(time.perf_counter() - started[0])
            cpu.append(time.thread_time() - started[1])
        likelihood.append(state.log_likelihood() / len(read.words))
        yield Step(done=done, total=sweeps)
    topics_of_a_document = float((state.arrays.document_topic > 0).sum(axis=1).mean())
    return {
        "tokens": len(read.words), "topics of a document": topics_of_a_document,
        "wall": np.array(wall), "cpu": np.array(cpu), "likelihood": np.array(likelihood),
    }  # fmt: skip


def _cell(sampler: str, documents: int) -> Cell:
    given = {"model": sampler, "documents": documents, "sweeps": (SWEEPS if documents else FULL_SWEEPS)[sampler]}
    label = f"topic speed: {sampler}(documents={documents or 'all'})"
    return Cell(sampler_speed, given | {"data": DATA}, seed=0, needs=(DATA, "glove"), label=label)


def speed_cells() -> list[Cell]:
    """All samplers on the same few documents, the two fast ones on all of them."""
    return [*(_cell(sampler, SUBSET) for sampler in SAMPLERS), *(_cell(sampler, 0) for sampler in FULL_SWEEPS)]


def _late(result: Result) -> float:
    """Processor seconds of a sweep, the median over the last third."""
    return float(np.median(result["cpu"][-max(1, len(result["cpu"]) // 3) :]))


def _figure_2(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    for cell in speed_cells():
        result = results[cell]
        for sweep, (cpu, wall, likelihood) in enumerate(
            zip(np.cumsum(result["cpu"]), np.cumsum(result["wall"]), result["likelihood"], strict=True), start=1
        ):
            rows.append(
                {
                    "documents": cell.settings["documents"] or "all",
                    "sampler": cell.settings["model"],
                    "sweep": sweep,
                    "CPU seconds": round(float(cpu), 4),
                    "seconds": round(float(wall), 4),
                    "log-likelihood per token": round(float(likelihood), 4),
                }
            )
    return tuple(rows)


def _seconds_to(result: Result, level: float) -> float | None:
    """Processor seconds until the log-likelihood is there; ``None`` if it never is."""
    there = np.flatnonzero(result["likelihood"] >= level)
    return round(float(np.cumsum(result["cpu"])[there[0]]), 3) if len(there) else None


def _speeds(results: Mapping[Cell, Result]) -> tuple[Row, ...]:
    rows: list[Row] = []
    on_subset: dict[str, Result] = {sampler: results[_cell(sampler, SUBSET)] for sampler in SAMPLERS}
    level = float(on_subset["cholesky"]["likelihood"][-1])
    for cell in speed_cells():
        result, small = results[cell], bool(cell.settings["documents"])
        late = _late(result)
        row: Row = {
            "documents": cell.settings["documents"] or "all",
            "tokens": result["tokens"],
            "sampler": cell.settings["model"],
            "sweeps": len(result["cpu"]),
            "topics of a document, in the end": round(result["topics of a document"], 1),
            "CPU seconds a sweep, first": round(float(result["cpu"][0]), 4),
            "CPU seconds a sweep, late": round(late, 4),
            "tokens per CPU second, late": round(result["tokens"] / late),
        }
        for place, other in enumerate(("cholesky", "naive")):
            row[f"times {other}"] = round(_late(on_subset[other]) / late, 2) if small else None
            row[f"times {other}, paper"] = PAPER.get(cell.settings["model"], (None, None))[place] if small else None
        row["CPU seconds to Cholesky's last log-likelihood"] = _seconds_to(result, level) if small else None
        rows.append(row)
    return tuple(rows)


def speed_tables(results: Mapping[Cell, Result]) -> dict[str, tuple[Row, ...]]:
    """The tables, from the results of all cells."""
    return {"figure_2": _figure_2(results), "figure_2_speed": _speeds(results)}

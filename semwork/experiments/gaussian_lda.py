"""Gaussian LDA: the tables and figures of Das, Zaheer & Dyer (2015)."""

from __future__ import annotations

from collections.abc import Iterator

from semwork.experiments import topics_quality, topics_speed, topics_unseen
from semwork.experiments.cells import ResultStep, Running

__all__ = ["gaussian_lda_steps"]


def gaussian_lda_steps(seeds: int, running: Running) -> Iterator[ResultStep]:
    """Measure speed, choose a prior, fit the systems, then see them on unseen words; end with the tables."""
    cells = topics_speed.speed_cells()
    yield from running.results(cells, more=True, alone=True)
    cells += topics_quality.choice_cells()
    for further in (topics_quality.quality_cells, topics_unseen.unseen_cells):
        results = yield from running.results(cells, more=True)
        cells += further(seeds, results)
    results = yield from running.results(cells)
    tables = topics_quality.quality_tables(seeds, results) | topics_speed.speed_tables(results)
    tables |= topics_unseen.unseen_tables(seeds, results)
    yield ResultStep(done=len(results), total=len(results), message="done", tables=tables)

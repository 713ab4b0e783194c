"""Gaussian LDA: the tables and figures of Das, Zaheer & Dyer (2015)."""

from __future__ import annotations

from collections.abc import Iterator

from semwork.experiments import topics_quality, topics_speed, topics_unseen
from semwork.experiments.cells import Task, run
from semwork.experiments.running import ResultStep

__all__ = ["TASKS", "gaussian_lda_steps"]

TASKS: dict[str, Task] = {
    topics_quality.TASK: topics_quality.QualityTask(),
    topics_speed.TASK: topics_speed.SpeedTask(),
    topics_unseen.TASK: topics_unseen.UnseenTask(),
    topics_unseen.SECOND_TASK: topics_unseen.UnseenTask(),
}


def gaussian_lda_steps(seeds: int, threads: int) -> Iterator[ResultStep]:
    """Measure speed, choose a prior, fit the systems, then see them on unseen words; end with the tables."""
    cells = topics_speed.speed_cells()
    for step in run(cells, TASKS.__getitem__, 1):  # one after the other: nothing of ours runs beside what is timed
        yield ResultStep(done=step.done, message=step.message)
    cells += topics_quality.choice_cells()
    for further in (topics_quality.quality_cells, topics_unseen.unseen_cells):
        for step in run(cells, TASKS.__getitem__, threads):
            yield ResultStep(done=step.done, message=step.message)
        cells += further(seeds, step.results)
    for step in run(cells, TASKS.__getitem__, threads):
        yield ResultStep(done=step.done, total=step.total, message=step.message)
    tables = topics_quality.quality_tables(seeds, step.results) | topics_speed.speed_tables(step.results)
    tables |= topics_unseen.unseen_tables(seeds, step.results)
    yield ResultStep(done=step.done, total=step.total, message="done", tables=tables)

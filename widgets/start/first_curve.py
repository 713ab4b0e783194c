"""The first live panel: one slider per parameter of WTMF, one curve."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

from semwork.datasets import load
from semwork.plots import recall_figure
from semwork.similarity import WTMF, RetrievalStep, RetrievalTask
from widgets.panel import Panel
from widgets.similarity import controls

__all__ = ["first_curve"]

_ITERATIONS = 12

_CODE = """\
from semwork.datasets import load
from semwork.plots import recall_figure
from semwork.similarity import WTMF, RetrievalTask
from semwork.steps import last

sample = load("sample")
task = RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)
model = WTMF(
    n_components={n_components},
    missing_weight={missing_weight!r},
    regularization={regularization!r},
    max_iter={iterations},
    random_state={seed},
)
result = last(task.steps(model))
print(f"ATOP {{result.atop:.4f}}")
figure = recall_figure({{"WTMF": result.scores, "words only": task.baseline()}})
figure.show()
"""


@functools.cache
def _task() -> RetrievalTask:
    sample = load("sample")
    return RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)


@functools.cache
def _words_only() -> Any:
    return _task().baseline()


def _compute(missing_weight: float, n_components: int, regularization: float, seed: int) -> Iterator[RetrievalStep]:
    model = WTMF(
        n_components=n_components,
        missing_weight=missing_weight,
        regularization=regularization,
        max_iter=_ITERATIONS,
        random_state=seed,
    )
    return _task().steps(model)


def _picture(step: RetrievalStep) -> go.Figure:
    return recall_figure(
        {"WTMF": step.scores, "words only": _words_only()},
        title="How soon is the right definition found?",
    )


def _code(**settings: float) -> str:
    return _CODE.format(iterations=_ITERATIONS, **settings)


def first_curve() -> Panel:
    """A panel that fits WTMF to the sample dictionaries and draws how soon the right definitions are found."""
    chosen = {
        "missing_weight": controls.missing_weight(),
        "n_components": controls.components(),
        "regularization": controls.regularization(),
        "seed": controls.seed(),
    }
    return Panel("Find the definition", chosen, _compute, _picture, code=_code)

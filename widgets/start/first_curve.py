"""The first live panel: one slider per parameter of WTMF, one curve."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.datasets import load
from semwork.plots import recall_figure
from semwork.similarity import WTMF, RetrievalStep, RetrievalTask
from widgets.panel import Panel

__all__ = ["first_curve"]

_ITERATIONS = 12
# Round numbers, as in the paper, from "missing words do not count" to "they count like the others".
_WEIGHTS = [0.0, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]
_PENALTIES = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]

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
    controls = {
        "missing_weight": ipw.SelectionSlider(
            options=_WEIGHTS,
            value=0.01,
            description="w_m, the weight of missing words",
            tooltip="how sure are we that a word that is not there does not fit?",
        ),
        "n_components": ipw.IntSlider(
            20, min=2, max=60, description="K, dimensions", tooltip="how long is a sentence vector?"
        ),
        "regularization": ipw.SelectionSlider(
            options=_PENALTIES,
            value=5.0,
            description="λ, regularisation",
            tooltip="how strongly are vectors pulled towards zero?",
        ),
        "seed": ipw.BoundedIntText(
            0, min=0, max=9999, description="seed", tooltip="of the random start: try others, does the story change?"
        ),
    }
    return Panel("Find the definition", controls, _compute, _picture, code=_code)

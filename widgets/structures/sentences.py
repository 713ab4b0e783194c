"""The second panel of the lesson on latent alignments: words and edges of two sentences."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.plots import house_figure, joined_figure, learning_figure, verdicts_figure, weights_figure
from semwork.plots.style import wrapped
from semwork.structures.sentence_study import SENTENCE_KINDS, SENTENCE_TASKS, SentenceStep, SentenceStudy
from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.sentences import not_here
from widgets.panel import Panel
from widgets.structures.controls import Growing, buttons, follow_clicks

__all__ = ["sentence_alignments"]

_PENALTIES = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0]
_TEST = 200
_BELOW = {"test pairs": verdicts_figure, "weights": weights_figure}

_CODE = """\
from semwork.plots import joined_figure, learning_figure, {function}
from semwork.steps import last
from semwork.structures.sentence_study import {study}

study = SentenceStudy({task!r}, training={training}, seed={seed}, general={general})
end = last(study.steps(regularization={regularization}))
print(end.history.round(3).to_string(index=False))
figures = [
    joined_figure(end.joined(*{pair}, {iteration}), vertical=True),
    learning_figure(end, {iteration}, tested="test pairs"),
    {function}(end, {iteration}, {options}),
]
for figure in figures:
    figure.show()
"""


@functools.lru_cache(maxsize=8)
def _study(task: str, training: int, seed: int, general: bool) -> SentenceStudy:
    return SentenceStudy(task, training, seed, general=general, test=_TEST)


# --- pictures -----------------------------------------------------------------------------------------------------


def _said(message: str, height: int = 240) -> go.Figure:
    return house_figure(wrapped(message), "", "", height=height, xaxis_visible=False, yaxis_visible=False)


def _chosen(step: SentenceStep, pair: int, left: str, right: str) -> tuple[Parsed, Parsed]:
    if left.strip() and right.strip():
        return step.study.own(left, right)
    if left.strip() or right.strip():
        raise ValueError("type both sentences, or none to see a test pair")
    return step.study.parsed(pair)


def _alignment(step: SentenceStep, iteration: int, pair: int, left: str, right: str, look_at: str) -> go.Figure:
    if not step.iterations:
        return _said(step.message)
    try:
        joined = step.joined(*_chosen(step, pair, left, right), iteration)
    except ValueError as error:
        return _said(str(error))
    own = bool(left.strip())
    truth = "" if own else f" (in truth {step.study.verdict(float(step.study.test_labels[pair]))})"
    what = "Your pair" if own else f"Test pair {pair}"
    return joined_figure(
        joined,
        title=f"{what}: score {joined.value:+.2f}, {step.study.verdict(joined.value)}{truth}",
        note="blue arcs: edges mapped on an edge of the other sentence; orange: below 0; grey: left out",
        vertical=True,
    )


def _learning(step: SentenceStep, iteration: int, pair: int, left: str, right: str, look_at: str) -> go.Figure:
    if not step.iterations:
        return _said("")
    now = min(iteration, len(step.iterations) - 1)
    right_ones = step.history["accuracy"][now]
    where = f"iteration {now}" if now else "the start"
    title = f"After {where}: {right_ones:.1%} of {len(step.study.test_labels)} test pairs judged right"
    return learning_figure(step, iteration, title=title, tested="test pairs")


def _below(step: SentenceStep, iteration: int, pair: int, left: str, right: str, look_at: str) -> go.Figure:
    if not step.iterations:
        return _said("")
    if look_at == "weights":
        title = "The largest weights, and the smallest (for one standard deviation)"
        return weights_figure(step, iteration, title=title, kinds=SENTENCE_KINDS)
    _, _, yes, no = SENTENCE_TASKS[step.study.task]
    wrong = int((~step.scores(iteration)["correct"]).sum())
    title = f"{wrong} of {len(step.study.test_labels)} test pairs are on the wrong side of 0"
    return verdicts_figure(step, iteration, chosen=None if left.strip() else pair, yes=yes, no=no, title=title)


def _code(pair: int, left: str, right: str, look_at: str, **settings: Any) -> str:
    shown = f"study.own({left!r}, {right!r})" if left.strip() and right.strip() else f"study.parsed({pair})"
    weights = look_at == "weights"
    return _CODE.format(
        pair=shown,
        study="SENTENCE_KINDS, SentenceStudy" if weights else "SentenceStudy",
        function=_BELOW[look_at].__name__,
        options="kinds=SENTENCE_KINDS" if weights else f"chosen={None if left.strip() else pair}",
        **settings,
    )


# --- controls -----------------------------------------------------------------------------------------------------


def _controls() -> dict[str, Any]:
    return {
        "task": ipw.Dropdown(
            options=list(SENTENCE_TASKS),
            description="task",
            tooltip="paraphrase: MSR04; entailment: RTE-1 to 3, does the second follow from the first?",
        ),
        "training": ipw.SelectionSlider(
            options=[50, 100, 200, 400], value=200, description="training pairs", tooltip="200 others are for the test"
        ),
        "general": buttons(
            [("words, edges", False), ("+ whole pairs", True)],
            "features",
            "n-grams, lengths, numbers, names of the whole pair: not in the paper",
            width=116,
        ),
        "regularization": ipw.SelectionSlider(
            options=[(f"{value:g}", value) for value in _PENALTIES],
            value=30.0,
            description="λ, regularisation",
            tooltip="how strongly are weights pulled towards zero?",
        ),
        "seed": ipw.BoundedIntText(0, min=0, max=9999, description="seed", tooltip="which pairs are learnt from"),
    }


def _views() -> dict[str, Any]:
    return {
        "iteration": Growing(
            0, min=0, max=0, description="outer iteration", tooltip="all pictures go there; 0: the two-stage start"
        ),
        "pair": ipw.IntSlider(
            1, min=0, max=_TEST - 1, description="test pair", tooltip="or click one in the last picture"
        ),
        "left": ipw.Text("", continuous_update=False, description="your first sentence", tooltip="type both, or none"),
        "right": ipw.Text("", continuous_update=False, description="your second one", tooltip="does it say the same?"),
        "look_at": buttons([(name, name) for name in _BELOW], "look at", "the last picture"),
    }


def sentence_alignments() -> Panel:
    """A panel that learns which sentences say the same, and shows how their words and edges are mapped on the way.

    It needs spaCy, WordNet and the pairs, and says so where they are not there. A click on a test pair shows it.
    """
    chosen, views = _controls(), _views()

    def compute(regularization: float, **settings: Any) -> Iterator[SentenceStep]:
        study, missing, end = _study(**settings), not_here(), 0
        if missing:
            yield SentenceStep(done=1, total=1, message=missing, study=study)
            return
        for step in study.steps(regularization):
            end = max(len(step.iterations) - 1, 0)
            views["iteration"].reach(end)
            yield step
        views["iteration"].max = end
        views["pair"].max = len(study.test_labels) - 1

    pictures: dict[str, Callable[..., go.Figure]]
    pictures = {"alignment": _alignment, "learning": _learning, "below": _below}
    panel = Panel("Sentences", chosen, compute, pictures, code=_code, views=views, views_first=True)
    follow_clicks(panel, views["iteration"], "learning")

    def show_pair(_: Any) -> None:
        views["left"].value = views["right"].value = ""  # a pair of the user's would stay in front

    views["pair"].observe(show_pair, names="value")
    follow_clicks(panel, views["pair"], "below")
    return panel

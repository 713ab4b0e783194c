"""The panel of lesson 01: one sentence, its observed words, its missing words, and three hypotheses about it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.datasets import load
from semwork.plots import neighbour_figure, tradeoff_figure, word_figure
from semwork.similarity import WTMF, Glossary, MissingStep
from widgets.live_figure import Point
from widgets.panel import Panel
from widgets.similarity import controls

__all__ = ["missing_words"]

_ITERATIONS = 12
_SAMPLE, _WORDNET = "sample", "WordNet"
# With this word the place of the headword, the words and the neighbours all tell too small, good and too large apart,
# whatever the seed; "bank" stands in 19th place at w_m = 0.01 and in 20th at 1.
_OPENING = "website"
_TABLE_1 = "bank"
# The definition that the paper's Table 1 is about, where it is not the first one of its headword.
_FIRST_SENSES = {(_WORDNET, _TABLE_1): 4}
_MEASURES = [("sum of P·v (section 2.1)", "sum"), ("as the objective counts (equation 3)", "fit")]

_CODE = """\
from semwork.datasets import load
from semwork.plots import neighbour_figure, tradeoff_figure, word_figure
from semwork.similarity import WTMF, Glossary
from semwork.steps import last

glossary = Glossary.{glossary}
entry = glossary.find({definition!r}, sense={sense})
{note}model = WTMF(
    n_components={n_components},
    missing_weight={missing_weight!r},
    regularization={regularization!r},
    max_iter={iterations},
    random_state={seed},
)
step = last(glossary.steps(model, entry, measure={measure!r}))
print(step.candidates.round(2).to_string(index=False))
figures = [
    word_figure(step.words, title=f"{{entry.name}}: {{entry.text}}"),
    tradeoff_figure(step.candidates, step.weight, own=step.own),
    neighbour_figure(step.similar_words, step.definitions),
]
for figure in figures:
    figure.show()
"""
_MAKERS = {_SAMPLE: 'from_sample(load("sample"))', _WORDNET: 'from_dictionary(load("wordnet"))'}


@functools.cache
def _glossary(data: str) -> Glossary:
    return Glossary.from_sample(load("sample")) if data == _SAMPLE else Glossary.from_dictionary(load("wordnet"))


class _Fits:
    """What is fitted already: another sentence, or another weight, must not pay for it again."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, WTMF]] = {}
        self._hypotheses: dict[str, tuple[Any, dict[str, WTMF]]] = {}
        self.starts = controls.WarmStarts()

    def model(self, data: str, **parameters: Any) -> WTMF:
        """The last model, if it had these parameters."""
        if self._last.get(data, (None,))[0] != parameters:
            self._last[data] = parameters, WTMF(**parameters)
        return self._last[data][1]

    def hypotheses(self, data: str, *others: Any) -> dict[str, WTMF]:
        """The three hypotheses that share all parameters but the weight."""
        if self._hypotheses.get(data, (None,))[0] != others:
            self._hypotheses[data] = others, {}
        return self._hypotheses[data][1]


def _compute(
    fits: _Fits,
    data: str,
    definition: str,
    sense: int,
    missing_weight: float,
    n_components: int,
    regularization: float,
    measure: Any,
    seed: int,
) -> Iterator[MissingStep]:
    glossary = _glossary(data)
    model = fits.model(
        data,
        n_components=n_components,
        missing_weight=missing_weight,
        regularization=regularization,
        max_iter=_ITERATIONS,
        random_state=seed,
    )
    steps = glossary.steps(
        model,
        glossary.find(definition, sense),
        hypotheses=fits.hypotheses(data, n_components, regularization, seed),
        measure=measure,
        # The sample is fitted from the seed each time, in a blink; a large corpus from where it was.
        start=fits.starts.get(data),
        every=_ITERATIONS if data == _SAMPLE else 1,
    )
    for step in steps:
        if data != _SAMPLE:
            fits.starts.keep(data, model.components_)
        yield step


def _words(step: MissingStep) -> go.Figure:
    return word_figure(step.words, title=f"{step.entry.name}: {step.entry.text}")


def _tradeoff(step: MissingStep) -> go.Figure:
    title = "Three hypotheses: v1 made with w_m = 0, v2 with 1, v3 with 0.01"
    return tradeoff_figure(step.candidates, step.weight, own=step.own, title=title)


def _neighbours(step: MissingStep) -> go.Figure:
    return neighbour_figure(step.similar_words, step.definitions, title="What is nearest to the vector?")


def _code(data: str, **settings: Any) -> str:
    note = "" if data == _SAMPLE else controls.WARM_NOTE
    return _CODE.format(note=note, glossary=_MAKERS[data], iterations=_ITERATIONS, **settings)


def missing_words() -> Panel:
    """A panel that shows one sentence as WTMF sees it: its words, its missing words, R_o, R_m and its neighbours.

    A click on a near definition chooses it; a click on a score moves w_m there.
    """
    fits = _Fits()
    definition = ipw.Combobox(
        value=_OPENING,
        options=sorted(_glossary(_SAMPLE).places),
        continuous_update=False,
        description="headword, or your own sentence",
        tooltip="choose, or type and press Enter",
    )
    sense = ipw.BoundedIntText(
        1, min=1, max=99, description="sense", tooltip="which definition, if the headword has several"
    )
    data = ipw.Dropdown(
        options=[_SAMPLE, _WORDNET],
        description="data",
        tooltip="WordNet: 117,659 definitions; each iteration is drawn as it comes",
    )

    def first_sense(_: Any) -> None:
        sense.value = _FIRST_SENSES.get((data.value, definition.value.strip().lower()), 1)

    # A new word, or another dictionary, begins with its first sense. Both stand before the sense in a state.
    for control in (data, definition):
        control.observe(first_sense, names="value")
    chosen = {
        "data": data,
        "definition": definition,
        "sense": sense,
        "missing_weight": controls.missing_weight(),
        "n_components": controls.components(most=100),
        "regularization": controls.regularization(),
        "measure": ipw.Dropdown(
            options=_MEASURES, description="R_o and R_m are", tooltip="how relatedness is added up"
        ),
        "seed": controls.seed(),
    }
    panel = Panel(
        "Missing words",
        chosen,
        functools.partial(_compute, fits),
        {"words": _words, "hypotheses": _tradeoff, "neighbours": _neighbours},
        code=_code,
    )
    panel.on_click(functools.partial(_choose_definition, panel), "neighbours")
    panel.on_click(functools.partial(_choose_weight, panel), "hypotheses")
    return panel


def _set(panel: Panel, **settings: Any) -> None:
    """Set several controls, with one run."""
    state = panel.state
    panel.state = {**state, "settings": {**state["settings"], **settings}}


def _choose_definition(panel: Panel, points: list[Point]) -> None:
    chosen = [point.customdata for point in points if point.customdata is not None]
    if chosen:
        _set(panel, definition=chosen[0][0], sense=int(chosen[0][1]))


def _choose_weight(panel: Panel, points: list[Point]) -> None:
    chosen = [point.customdata for point in points if point.customdata in controls.WEIGHTS]
    if chosen:
        _set(panel, missing_weight=chosen[0])

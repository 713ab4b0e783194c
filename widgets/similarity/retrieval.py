"""The panels of the lesson on concept retrieval: all models on one task, and sweeps over w_m, λ and K."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork import datasets
from semwork.plots import explanation_figure, query_ranks_figure, race_figure, sweep_figure
from semwork.similarity import WTMF, RaceStep, RetrievalRace, RetrievalSweep, SweepStep, explain_query, labels_of
from semwork.similarity.retrieval_race import RIVALS, named_task
from widgets.live_figure import Point
from widgets.panel import Panel
from widgets.similarity import controls

__all__ = ["retrieval_race", "retrieval_sweep"]

_SAMPLE, _REAL = "sample", "cdr"
_FIRST_QUERY = {_SAMPLE: "mulch", _REAL: "cheetah"}
_RIGHT = "the right one"
_SIZES = {_SAMPLE: (5, 10, 20, 30, 40, 60), _REAL: (50, 75, 100, 125, 150)}
_WEIGHTS = tuple(controls.WEIGHTS)
_PENALTIES = tuple(controls.PENALTIES)

_TASK = {
    _SAMPLE: """\
sample = load("sample")
task = RetrievalTask.from_set(sample.dictionary, more_texts=sample.documents.texts)
""",
    _REAL: """\
task = RetrievalTask.from_set(load("cdr").subset("dev"), more_texts=load("brown").texts)
""",
}

_RACE_CODE = """\
from semwork.datasets import load
from semwork.plots import explanation_figure, query_ranks_figure, race_figure
from semwork.similarity import WTMF, RetrievalRace, RetrievalTask, explain_query, labels_of
from semwork.steps import last

{task}{note}model = WTMF(
    n_components={n_components},
    missing_weight={missing_weight!r},
    regularization={regularization!r},
    max_iter={iterations},
    random_state={seed},
)
end = last(RetrievalRace(task).steps(model, {models!r}))
for name, ranking in end.rankings.items():
    print(f"{{name}}: ATOP {{ranking.atop:.4f}}")
labels = labels_of(task.data.queries, task.data.query_table)
query = labels.index({query!r})
figures = [
    race_figure(end.rankings, axis={axis!r}),
    query_ranks_figure(
        end.rankings["WTMF"], end.rankings["words only"], labels=labels, texts=task.data.queries, chosen=query
    ),
    explanation_figure(explain_query(task, model, query, place={place})),
]
for figure in figures:
    figure.show()
"""

_SWEEP_CODE = """\
from semwork.datasets import load
from semwork.plots import sweep_figure
from semwork.similarity import RetrievalSweep, RetrievalTask
from semwork.steps import last

{task}end = last(
    RetrievalSweep(task).steps(
        weights={weights},
        sizes={sizes},
        penalties={penalties},
        missing_weight={missing_weight!r},
        n_components={n_components},
        regularization={regularization!r},
        iterations={iterations},
        sweeps={sweeps},
        seeds={seeds},
    )
)
print(end.over_weight.groupby("missing_weight")["atop"].mean().round(3))
figure = sweep_figure(end, paper={paper})
figure.show()
"""


def _data() -> Any:
    return ipw.Dropdown(
        options=[("sample (written for this project)", _SAMPLE), ("GCIDE → WordNet, 1,000 dev queries", _REAL)],
        value=_SAMPLE,
        description="data",
        tooltip="the second needs wordnet, gcide and brown: see lesson 00",
    )


# --- the race -----------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=2)
def _labels(data: Any) -> list[str]:
    return labels_of(data.queries, data.query_table)


def _found(labels: Sequence[str], wanted: str) -> tuple[int, str]:
    """The query that is asked for, or the nearest thing, and a word about it."""
    asked = wanted.strip().lower()
    lower = [label.lower() for label in labels]
    if asked in lower:
        return lower.index(asked), ""
    if wanted in _FIRST_QUERY.values():  # the other data are on their way: theirs is asked for already
        return 0, ""
    near = next((number for number, label in enumerate(lower) if asked and label.startswith(asked)), None)
    if near is not None:
        return near, ""
    return 0, f"(no query “{wanted.strip()}” here) " if asked else ""


def _race_picture(step: RaceStep, axis: str, **_: Any) -> go.Figure:
    return race_figure(
        step.rankings,
        axis="log" if axis == "log" else "linear",
        waiting=step.waiting,
        title="Who finds the definition first?",
    )


def _ranks_picture(step: RaceStep, query: str, **_: Any) -> go.Figure:
    labels = _labels(step.task.data)
    return query_ranks_figure(
        step.rankings["WTMF"],
        step.rankings["words only"],
        labels=labels,
        texts=step.task.data.queries,
        chosen=_found(labels, query)[0],
        title="Each point is a query: click one",
    )


def _why_picture(step: RaceStep, query: str, candidate: Any, **_: Any) -> go.Figure:
    number, note = _found(_labels(step.task.data), query)
    place = None if candidate == _RIGHT else int(candidate)
    return explanation_figure(
        explain_query(step.task, step.model, number, place=place, vectors=step.vectors), note=note
    )


def _race_code(data: str, query: str, candidate: Any, models: Sequence[str], **settings: Any) -> str:
    labels = _labels(named_task(data).data)
    return _RACE_CODE.format(
        task=_TASK[data],
        note="" if data == _SAMPLE else controls.WARM_NOTE,
        query=labels[_found(labels, query)[0]],
        place=None if candidate == _RIGHT else int(candidate),
        models=list(models),
        **settings,
    )


class _Races:
    """One race per data set; on real data a fit starts from the last solution."""

    def __init__(self) -> None:
        self._races: dict[str, RetrievalRace] = {}
        self._starts = controls.WarmStarts()

    def __call__(
        self,
        data: str,
        missing_weight: float,
        regularization: float,
        n_components: int,
        iterations: int,
        seed: int,
        models: Sequence[str],
    ) -> Iterator[RaceStep]:
        if data not in self._races:
            self._races[data] = RetrievalRace(named_task(data))
        model = WTMF(
            n_components=n_components,
            missing_weight=missing_weight,
            regularization=regularization,
            max_iter=iterations,
            random_state=seed,
        )
        # The sample is small: there every fit starts at random, so that the same settings give the same numbers.
        start = None if data == _SAMPLE else self._starts.get(data)
        for step in self._races[data].steps(model, models, start=start):
            self._starts.keep(data, step.model.components_)
            yield step


def retrieval_race() -> Panel:
    """A panel that sets WTMF against its rivals on concept retrieval, and shows for any query why."""
    rivals = [name for name in RIVALS if name != "words only"]
    if not datasets.available("glove"):
        rivals.remove("GloVe average")
    chosen = {
        "data": _data(),
        "missing_weight": controls.missing_weight(),
        "regularization": controls.regularization(),
        "n_components": controls.components(most=150),
        "iterations": controls.iterations(),
        "seed": controls.seed(),
        "models": ipw.SelectMultiple(
            options=rivals,
            value=[name for name in rivals if name != "GloVe average"],
            rows=len(rivals),
            description="other models",
            tooltip="beside WTMF and words only; Ctrl-click takes one in or out",
        ),
    }
    views = {
        "axis": ipw.ToggleButtons(options=["log", "linear"], description="k axis", style={"button_width": "80px"}),
        "query": ipw.Text(
            _FIRST_QUERY[_SAMPLE],
            continuous_update=False,
            description="query",
            tooltip="type a headword, or click a point",
        ),
        "candidate": ipw.Dropdown(
            options=[_RIGHT, *map(str, range(1, 11))],
            description="explain candidate",
            tooltip="or click a bar of the ranking",
        ),
    }
    pictures = {"models": _race_picture, "queries": _ranks_picture, "why": _why_picture}
    panel = Panel("Find the definition: all models", chosen, _Races(), pictures, code=_race_code, views=views)

    def first_query(change: Any) -> None:
        # A query that these data do not have says little; one that the reader typed is left alone.
        if views["query"].value == _FIRST_QUERY[change["old"]]:
            views["query"].value = _FIRST_QUERY[change["new"]]

    chosen["data"].observe(first_query, names="value")

    def choose_query(points: list[Point]) -> None:
        for point in points:
            if isinstance(point.customdata, str):
                panel.controls["query"].value = point.customdata

    def choose_candidate(points: list[Point]) -> None:
        for point in points:
            if point.name == "ranking":
                place = int(point.customdata)
                panel.controls["candidate"].value = str(place) if place <= 10 else _RIGHT

    panel.on_click(choose_query, "queries")
    panel.on_click(choose_candidate, "why")
    return panel


# --- the sweeps ---------------------------------------------------------------------------------------------------


class _Sweeps:
    """One sweep per data set, which remembers its cells."""

    def __init__(self) -> None:
        self._sweeps: dict[str, RetrievalSweep] = {}

    def __call__(self, data: str, lda_sweeps: int, **settings: Any) -> Iterator[SweepStep]:
        if data not in self._sweeps:
            self._sweeps[data] = RetrievalSweep(named_task(data))
        return self._sweeps[data].steps(
            weights=_WEIGHTS, sizes=_SIZES[data], penalties=_PENALTIES, sweeps=lda_sweeps, **settings
        )


def _sweep_picture(step: SweepStep, paper: bool) -> go.Figure:
    return sweep_figure(
        step, paper=paper, title="How much should missing words weigh, how strong a penalty, how many dimensions?"
    )


def _sweep_code(data: str, lda_sweeps: int, **settings: Any) -> str:
    ranges = {"weights": _WEIGHTS, "sizes": _SIZES[data], "penalties": _PENALTIES}
    return _SWEEP_CODE.format(task=_TASK[data], sweeps=lda_sweeps, **ranges, **settings)


def retrieval_sweep() -> Panel:
    """A panel that draws ATOP over w_m, λ and K, point by point; the paper's Figures 2 and 3 are the first and last."""
    size, weight, penalty = controls.components(most=150), controls.missing_weight(), controls.regularization()
    size.tooltip = "while w_m and λ are swept"
    weight.tooltip = "weight of missing words while λ and K are swept"
    penalty.tooltip = "while w_m and K are swept"
    chosen = {
        "data": _data(),
        "missing_weight": weight,
        "regularization": penalty,
        "n_components": size,
        "iterations": controls.iterations(),
        "lda_sweeps": ipw.SelectionSlider(
            options=[50, 100, 200, 500], value=100, description="LDA sweeps", tooltip="of its Gibbs sampler"
        ),
        "seeds": ipw.IntSlider(
            3, min=1, max=10, description="seeds", tooltip="random starts; the band is one standard deviation"
        ),
    }
    views = {
        "paper": ipw.ToggleButtons(
            options=[("hide", False), ("show", True)],
            description="the paper's points",
            tooltip="of its own data: compare the shape, not the height",
            style={"button_width": "80px"},
        )
    }
    return Panel("Sweep w_m, λ and K", chosen, _Sweeps(), _sweep_picture, code=_sweep_code, views=views)

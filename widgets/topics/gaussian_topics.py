"""The panel of the lesson on Gaussian topics: ellipses among words, moving sweep by sweep."""

from __future__ import annotations

import functools
import html
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork import datasets
from semwork.plots import document_topics_figure, topic_curves_figure, topic_figure, topic_map_figure
from semwork.topics import SAMPLERS, topic_data
from semwork.topics.study import StudyStep, TopicStudy
from widgets.live_figure import Point
from widgets.panel import Panel
from widgets.structures.controls import Growing, buttons

__all__ = ["gaussian_topics"]

_PART = 2_000  # documents: a sweep over all of 20 newsgroups takes seconds
_DATA = {
    "planted": "planted: 5 topics in 2 dimensions",
    "sample": "sample (400 texts written for this project)",
    "newsgroups part": f"20 newsgroups, {_PART:,} of its documents",
    "newsgroups": "20 newsgroups, all for training",
}
_DIMENSIONS = {"planted": 2, "sample": 12, "newsgroups part": 50, "newsgroups": 50}
_GOOD = {
    "planted": {"n_topics": 5, "psi": 3.0, "strength": 1, "alpha": 0.3},
    "sample": {"n_topics": 12, "psi": 100.0, "strength": 140, "alpha": 0.1},
    "newsgroups part": {"n_topics": 30, "psi": 3.0, "strength": 0, "alpha": 0.1},
    "newsgroups": {"n_topics": 50, "psi": 3.0, "strength": 0, "alpha": 0.1},
}
_PSI = [0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0]
_STRENGTH = [0, 1, 3, 10, 30, 70, 140, 300, 1000, 3000]
_ALPHA = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0]
_BELOW = {"topic": "its words, its documents", "document": "one document"}

_CODE = """\
from semwork.plots import {functions}
from semwork.steps import last
from semwork.topics import topic_data
from semwork.topics.study import TopicStudy

study = TopicStudy(topic_data({data!r}){part})
end = last(
    study.steps(
        {n_topics}, alpha={alpha}, psi={psi}, nu={nu}, sampler={sampler!r}, seed={seed}, max_sweeps={sweeps}
    )
)
print(end.history.round(3).tail(1).to_string(index=False))
figures = [topic_map_figure(end, {topic}, {sweep}), topic_curves_figure(end, {sweep}), {below}]
for figure in figures:
    figure.show()
"""


@functools.lru_cache(maxsize=3)
def _study(data: str) -> TopicStudy:
    if not data.startswith("newsgroups"):
        return TopicStudy(topic_data(data))
    missing = [name for name in ("newsgroups", "glove") if not datasets.available(name)]
    if missing:
        raise datasets.DataNotAvailable(
            f"{' and '.join(missing)} must be on this machine first: fetch them in lesson 00, or with "
            f"`semwork data fetch {' '.join(missing)}`; planted data and the sample are always here"
        )
    return TopicStudy(topic_data("newsgroups"), "training", _PART if data == "newsgroups part" else None)


# --- pictures -----------------------------------------------------------------------------------------------------


def _inside(step: StudyStep, sweep: int, topic: int, document: int) -> tuple[int, int, int]:
    """Numbers that this step has: the controls may be ahead of it."""
    return (
        min(sweep, len(step.sweeps)),
        min(topic, step.n_topics - 1),
        min(document, len(step.study.texts) - 1),
    )


def _map(step: StudyStep, sweep: int, topic: int, document: int, look_at: str) -> go.Figure:
    sweep, topic, _ = _inside(step, sweep, topic, document)
    size = step.at(sweep).found.sizes[topic]
    title = f"After sweep {sweep}: topic {topic} has {size:,} tokens"
    return topic_map_figure(step, topic, sweep, title=title)


def _curves(step: StudyStep, sweep: int, topic: int, document: int, look_at: str) -> go.Figure:
    sweep, *_ = _inside(step, sweep, topic, document)
    now = step.at(sweep)
    coherence = f"coherence {now.found.coherence:.3f} (LDA {now.lda.coherence:.3f})"
    purity = f"purity {now.found.purity:.0%} (LDA {now.lda.purity:.0%})"
    return topic_curves_figure(step, sweep, title=f"After sweep {sweep}: {coherence}, {purity}")


def _below(step: StudyStep, sweep: int, topic: int, document: int, look_at: str) -> go.Figure:
    sweep, topic, document = _inside(step, sweep, topic, document)
    if look_at == "topic":
        return topic_figure(step, topic, sweep, title=f"Topic {topic}: its densest words, its documents")
    text = html.escape(textwrap.shorten(step.study.texts[document], 85, placeholder=" …"))
    title = f"Document {document}, {step.study.labels[document]}:<br><span style='font-size:13px'>{text}</span>"
    return document_topics_figure(step, document, sweep, topic=topic, title=title)


def _code(
    data: str, strength: int, look_at: str, topic: int, document: int, sweep: int, n_topics: int, **settings: Any
) -> str:
    topic, document = min(topic, n_topics - 1), min(document, len(_study(data).texts) - 1)
    drawn = {
        "topic": f"topic_figure(end, {topic}, {sweep})",
        "document": f"document_topics_figure(end, {document}, {sweep}, topic={topic})",
    }[look_at]
    limit = f", limit={_PART}" if data == "newsgroups part" else ""
    return _CODE.format(
        data=data.split(maxsplit=1)[0],
        part=f', "training"{limit}' if data.startswith("newsgroups") else "",
        nu=_DIMENSIONS[data] + strength,
        functions=", ".join(sorted({"topic_map_figure", "topic_curves_figure", drawn.split("(")[0]})),
        below=drawn,
        topic=topic,
        sweep=sweep,
        n_topics=n_topics,
        **settings,
    )


# --- controls -----------------------------------------------------------------------------------------------------


def _log_slider(values: list[Any], value: Any, description: str, tooltip: str) -> Any:
    options = [(f"{number:g}", number) for number in values]
    return ipw.SelectionSlider(options=options, value=value, description=description, tooltip=tooltip)


def _controls() -> dict[str, Any]:
    good = _GOOD["sample"]
    return {
        "data": ipw.Dropdown(
            options=[(name, value) for value, name in _DATA.items()],
            value="sample",
            description="data",
            tooltip="20 newsgroups and GloVe are fetched first: see lesson 00",
        ),
        "n_topics": ipw.IntSlider(
            good["n_topics"],
            min=2,
            max=60,
            description="K, number of topics",
            continuous_update=False,
            tooltip="how many Gaussians?",
        ),
        "psi": _log_slider(_PSI, good["psi"], "Ψ, times I", "how wide is a topic before it has seen a word?"),
        "strength": _log_slider(
            _STRENGTH, good["strength"], "ν − D", "how many tokens is Ψ worth? width ≈ Ψ / (ν − D)"
        ),
        "alpha": _log_slider(_ALPHA, good["alpha"], "α", "small: a document keeps to few topics"),
        "sampler": ipw.Dropdown(
            options=list(SAMPLERS), value="precision", description="sampler", tooltip="lesson 07 races them"
        ),
        "sweeps": ipw.SelectionSlider(
            options=[20, 60, 120, 240], value=60, description="sweeps", tooltip="of the whole run"
        ),
        "seed": ipw.BoundedIntText(
            0, min=0, max=9999, description="seed", tooltip="another start: does the story change?"
        ),
    }


def _views() -> dict[str, Any]:
    return {
        "sweep": Growing(
            60, min=1, max=60, description="sweep", tooltip="all pictures go there; at the end it follows the run"
        ),
        "topic": Growing(6, min=0, max=11, description="topic", tooltip="or click one in a picture"),
        "look_at": buttons([(name, name) for name in _BELOW], "look at", "the last picture"),
        "document": ipw.BoundedIntText(
            0, min=0, max=99_999, description="document", tooltip="its number; or click one of a topic's documents"
        ),
    }


def gaussian_topics() -> Panel:
    """A panel in which Gaussian topics find their words, with LDA beside them.

    A click on a word, a topic or a bar chooses a topic, one on a curve goes to that sweep, one on a document opens it.
    """
    chosen, views = _controls(), _views()
    panel: Panel

    def compute(
        data: str, n_topics: int, strength: int, psi: float, alpha: float, sampler: Any, sweeps: int, seed: int
    ) -> Iterator[StudyStep]:
        study, nu = _study(data), _DIMENSIONS[data] + strength
        done = 0
        run = study.steps(n_topics, alpha=alpha, psi=psi, nu=nu, sampler=sampler, seed=seed, max_sweeps=sweeps)
        try:
            for step in run:
                if not done:
                    _stretch(views["sweep"], sweeps)
                done = len(step.sweeps)
                yield step
        finally:
            if 0 < done < sweeps and panel.job.stopping:
                views["sweep"].max = len(panel.last_step.sweeps)  # a sweep after Stop is not shown

    def settle(change: Any) -> None:
        """Take settings that are good for other data; one run with all of them follows."""
        if panel.restoring:  # a saved state has settings of its own
            return
        with panel.together():
            for name, value in _GOOD[change["new"]].items():
                chosen[name].value = value

    def topics(change: Any) -> None:
        views["topic"].max = change["new"] - 1

    # Before the panel listens: when it hears of a change the other controls are right.
    chosen["data"].observe(settle, names="value")
    chosen["n_topics"].observe(topics, names="value")
    pictures: dict[str, Callable[..., go.Figure]] = {"map": _map, "curves": _curves, "below": _below}
    panel = Panel("Gaussian topics", chosen, compute, pictures, code=_code, views=views, views_first=True)

    def go_there(points: list[Point]) -> None:
        for number in _numbers(points):
            views["sweep"].value = number

    def choose(points: list[Point]) -> None:
        for number in _numbers(points):
            views["topic"].value = number

    def open_below(points: list[Point]) -> None:
        for number in _numbers(points):
            if views["look_at"].value == "topic":
                views["document"].value = number
                views["look_at"].value = "document"
            else:
                views["topic"].value = number

    panel.on_click(choose, "map")
    panel.on_click(go_there, "curves")
    panel.on_click(open_below, "below")
    return panel


def _numbers(points: list[Point]) -> list[int]:
    return [int(point.customdata) for point in points if isinstance(point.customdata, (int, float))]


def _stretch(slider: Growing, end: int) -> None:
    """Let the slider go to ``end``, and stay at its end if it was there."""
    at_end = slider.value >= slider.max
    slider.max = end
    if at_end:
        slider.value = end

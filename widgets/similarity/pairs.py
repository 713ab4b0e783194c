"""The panels of lesson 03: pairs of sentences, what people say and what models say."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork import datasets
from semwork.datasets import SentencePairs, load
from semwork.evaluation import best_threshold
from semwork.experiments.pairs import LI06_PAPER
from semwork.plots import (
    agreement_figure,
    effects_figure,
    match_figure,
    models_figure,
    threshold_figure,
    weight_figure,
    worst_pairs_figure,
)
from semwork.similarity import (
    LSA,
    WTMF,
    LDAVectors,
    PairStep,
    PairTask,
    SentenceModel,
    SentenceSpace,
    TfidfCosine,
    WeightStep,
    WordAverage,
    training_texts,
    weight_steps,
    word_effects,
    word_match,
    worst_pairs,
)
from semwork.similarity.pairs import TRAINING
from semwork.steps import Step
from semwork.text import Corpus
from widgets.jobs import Event, Finished, Stopped
from widgets.live_figure import Point
from widgets.panel import Panel
from widgets.similarity import controls

__all__ = ["paraphrase_threshold", "sentence_pairs", "weight_path", "your_sentences"]

MODELS = ("WTMF", "TF-IDF", "LSA", "LDA", "GloVe average")


@dataclass(frozen=True)
class _Source:
    """Pairs by name: how they are loaded, and the same as code."""

    read: Callable[[], SentencePairs]
    code: str


_SCORED = {
    "sample": _Source(lambda: load("sample").pairs, 'load("sample").pairs'),
    "LI06": _Source(lambda: load("li06"), 'load("li06")'),
    "STS 2012": _Source(lambda: load("sts2012").subset("test"), 'load("sts2012").subset("test")'),
    "MSR04": _Source(lambda: load("msr04"), 'load("msr04")'),
}
_LABELLED = {
    "sample": _Source(lambda: load("sample").paraphrases, 'load("sample").paraphrases'),
    "MSR04": _SCORED["MSR04"],
}
_WALK = [0.0, 0.0001, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0]
_SLIDER_STEP = 0.001
_WORST = 6  # pairs
_warm = controls.WarmStarts()


@functools.lru_cache(maxsize=2)
def _corpus(training: str) -> Corpus:
    return Corpus.from_texts(training_texts(training), analyzer="stem")


@functools.lru_cache(maxsize=6)
def _task(source: _Source, training: str) -> PairTask:
    return PairTask(source.read(), _corpus(training))


def _model(
    model: str, training: str, missing_weight: float, regularization: float, n_components: int, seed: int
) -> SentenceModel:
    small = training == "sample"
    if model == "WTMF":
        return WTMF(n_components, missing_weight, regularization, max_iter=12 if small else 20, random_state=seed)
    if model == "LSA":
        return LSA(n_components, random_state=seed)
    if model == "LDA":
        return LDAVectors(n_components, max_iter=60 if small else 100, random_state=seed)
    return TfidfCosine() if model == "TF-IDF" else WordAverage()


def _as_code(model: SentenceModel) -> str:
    return " ".join(model.__repr__(N_CHAR_MAX=10_000).split())


def _kept(model: SentenceModel) -> SentenceModel:
    """The model as it is now: the next step of a fit may write over its arrays."""
    now = copy.copy(model)
    if hasattr(now, "components_"):
        now.components_ = now.components_.copy()
    return now


def _fit_options(model: SentenceModel, training: str) -> dict[str, Any]:
    """A large refit begins where the last one ended."""
    return {"start": _warm.get(training)} if isinstance(model, WTMF) and training != "sample" else {}


def _warm_note(model: SentenceModel, training: str) -> str:
    return controls.WARM_NOTE if "start" in _fit_options(model, training) else ""


# --- controls -------------------------------------------------------------------------------------------------


def _choice(name: str, options: Any, note: str) -> Any:
    return ipw.Dropdown(options=list(options), description=name, tooltip=note)


def _model_controls() -> dict[str, Any]:
    return {
        "training": _choice("texts to learn from", TRAINING, "WordNet + Brown needs the real data, and some seconds"),
        "model": _choice("model", MODELS, "w_m and λ are of WTMF alone"),
        "missing_weight": controls.missing_weight(),
        "regularization": controls.regularization(),
        "n_components": controls.components(most=100),
        "seed": controls.seed(),
    }


# --- gold against predicted -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class FittedStep(PairStep):
    """A step of a fit, with the pairs it is judged by and the model of that moment."""

    task: PairTask
    model: SentenceModel

    @property
    def space(self) -> SentenceSpace:
        """Texts in, similarities out."""
        return SentenceSpace(self.task.corpus, self.model)


def _fitted_steps(source: _Source, training: str, **settings: Any) -> Iterator[FittedStep]:
    task, model = _task(source, training), _model(training=training, **settings)
    for step in task.steps(model, **_fit_options(model, training)):
        kept = _kept(model)
        if isinstance(kept, WTMF) and training != "sample":
            _warm.keep(training, kept.components_)
        own = {field.name: getattr(step, field.name) for field in dataclasses.fields(step)}
        yield FittedStep(**own, task=task, model=kept)


def _pairs_steps(data: str, **settings: Any) -> Iterator[FittedStep]:
    return _fitted_steps(_SCORED[data], **settings)


def _number(step: FittedStep, pair: int) -> int:
    return min(pair, len(step.task.pairs) - 1)


def _agreement(step: FittedStep, pair: int) -> go.Figure:
    return agreement_figure(step.task.pairs, step.predicted, title="People and model", chosen=_number(step, pair))


def _worst(step: FittedStep, pair: int) -> go.Figure:
    worst = worst_pairs(step.task.pairs, step.predicted, 60)
    different = worst.drop_duplicates(["left", "right"]).head(_WORST)  # STS has some pairs many times
    return worst_pairs_figure(different, title="Where people and model differ most (click a dot)")


def _effects(step: FittedStep, pair: int) -> go.Figure:
    number, pairs = _number(step, pair), step.task.pairs
    words = word_effects(step.space, pairs.left[number], pairs.right[number])
    said = f"people {pairs.scores[number]:g}, model {step.predicted[number]:.2f}"
    return effects_figure(*words, title=f"Pair {number}: {said}. How much is lost without a word?")


_PAIRS_CODE = """\
from semwork.datasets import load
from semwork.plots import agreement_figure, effects_figure, worst_pairs_figure
from semwork.similarity import {kind}, PairTask, SentenceSpace, training_texts, word_effects, worst_pairs
from semwork.steps import last

task = PairTask.from_pairs({pairs}, training_texts({training!r}))
{note}model = {model}
result = last(task.steps(model))
print(f"r {{result.pearson:.4f}}, rho {{result.spearman:.4f}}")
pairs = task.pairs
number = min({pair}, len(pairs) - 1)
words = word_effects(SentenceSpace(task.corpus, model), pairs.left[number], pairs.right[number])
worst = worst_pairs(pairs, result.predicted, 60).drop_duplicates(["left", "right"]).head({worst})
figures = [
    agreement_figure(pairs, result.predicted, chosen=number),
    effects_figure(*words),
    worst_pairs_figure(worst),
]
for figure in figures:
    figure.show()
"""


def _pairs_code(data: str, pair: int, training: str, **settings: Any) -> str:
    model = _model(training=training, **settings)
    return _PAIRS_CODE.format(
        kind=type(model).__name__,
        pairs=_SCORED[data].code,
        training=training,
        note=_warm_note(model, training),
        model=_as_code(model),
        pair=pair,
        worst=_WORST,
    )


def sentence_pairs() -> Panel:
    """A panel that fits a model and draws its similarities against those of people; a click explains a pair."""
    chosen = {"data": _choice("pairs of sentences", _SCORED, "the sample is here; the others are fetched by name")}
    pair = ipw.BoundedIntText(
        0, min=0, max=99_999, description="pair to explain", tooltip="click a point, or type its number"
    )
    panel = Panel(
        "People and model",
        {**chosen, **_model_controls()},
        _pairs_steps,
        {"agreement": _agreement, "words": _effects, "worst pairs": _worst},
        views={"pair": pair},
        code=_pairs_code,
    )

    def choose(points: list[Point]) -> None:
        for point in points:
            if point.customdata is not None:
                pair.value = int(point.customdata)

    panel.on_click(choose, "agreement")
    panel.on_click(choose, "worst pairs")
    return panel


# --- along w_m ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class WalkStep(Step):
    """The fits so far."""

    data: str
    fits: tuple[WeightStep, ...]


def _walk_steps(data: str, training: str, regularization: float, n_components: int, seeds: int) -> Iterator[WalkStep]:
    def make(weight: float, seed: int) -> SentenceModel:
        return _model("WTMF", training, weight, regularization, n_components, seed)

    fits: tuple[WeightStep, ...] = ()
    tasks = {data: _task(_SCORED[data], training)}
    for step in weight_steps(tasks, _WALK, range(seeds), make=make, every_iteration=training != "sample"):
        fits = (*fits, step) if step.fitted else fits
        yield WalkStep(done=step.done, total=step.total, message=step.message, data=data, fits=fits)


def _kind(measure: str) -> Any:
    return "pearson" if measure.startswith("Pearson") else "spearman"


def _paper(data: str, kind: str) -> dict[float, float] | None:
    """What the paper reports for each weight."""
    return {weight: found[kind == "spearman"] for weight, found in LI06_PAPER.items()} if data == "LI06" else None


def _walk_picture(step: WalkStep, measure: str) -> go.Figure:
    kind = _kind(measure)
    return weight_figure(
        step.fits,
        measure=kind,
        paper=_paper(step.data, kind),
        weights=_WALK,
        title=f"{step.data}: how much should missing words count?",
    )


_WALK_CODE = """\
from semwork.datasets import load
from semwork.plots import weight_figure
from semwork.similarity import WTMF, PairTask, training_texts, weight_steps


def make(weight, seed):
    return WTMF({n_components}, weight, {regularization!r}, max_iter={iterations}, random_state=seed)


task = PairTask.from_pairs({pairs}, training_texts({training!r}))
fits = list(weight_steps({{{data!r}: task}}, {weights}, range({seeds}), make=make))
best = max(fits, key=lambda fit: fit.{kind}[{data!r}])
print(f"best: w_m = {{best.missing_weight:g}}, {{best.{kind}[{data!r}]:.4f}}")
figure = weight_figure(fits, measure={kind!r}{paper})
figure.show()
"""


def _walk_code(data: str, measure: str, training: str, **settings: Any) -> str:
    kind = _kind(measure)
    paper = _paper(data, kind)
    return _WALK_CODE.format(
        data=data,
        pairs=_SCORED[data].code,
        training=training,
        weights=_WALK,
        iterations=12 if training == "sample" else 20,
        kind=kind,
        paper=f", paper={paper}" if paper else "",
        **settings,
    )


def weight_path() -> Panel:
    """A panel that walks along w_m and draws the correlation with people, one line per set."""
    chosen = {
        "data": _choice("pairs of sentences", _SCORED, "LI06 shows the paper's values beside ours"),
        "training": _choice("texts to learn from", TRAINING, "WordNet + Brown needs the real data, and minutes"),
        "regularization": controls.regularization(),
        "n_components": controls.components(most=100),
        "seeds": ipw.IntSlider(
            2, min=1, max=5, description="random starts", tooltip="the line is their mean, the band from worst to best"
        ),
    }
    measure = _choice("correlation", ["Pearson r", "Spearman ρ"], "of values, or of ranks")
    return Panel(
        "Along the weight of missing words",
        chosen,
        _walk_steps,
        _walk_picture,
        views={"measure": measure},
        code=_walk_code,
    )


# --- the threshold ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ThresholdStep(FittedStep):
    """A step of a fit, and the threshold that is best on the training pairs."""

    learnt: float


def _threshold_steps(data: str, **settings: Any) -> Iterator[ThresholdStep]:
    for step in _fitted_steps(_LABELLED[data], **settings):
        pairs = step.task.pairs
        train = pairs.split != "test"  # MSR04's "train" and "val" are its training set
        learnt = best_threshold(step.predicted[train], pairs.scores[train])
        own = {field.name: getattr(step, field.name) for field in dataclasses.fields(step)}
        yield ThresholdStep(**own, learnt=learnt)


def _threshold_picture(step: ThresholdStep, shown: str, follow: bool, threshold: float) -> go.Figure:
    pairs = step.task.pairs
    rows = (pairs.split == "test") if shown == "test pairs" else (pairs.split != "test")
    return threshold_figure(
        step.predicted[rows],
        pairs.scores[rows],
        step.learnt if follow else threshold,
        learnt=step.learnt,
        title=shown.capitalize(),
    )


_THRESHOLD_CODE = """\
from semwork.datasets import load
from semwork.evaluation import at_threshold, best_threshold
from semwork.plots import threshold_figure
from semwork.similarity import {kind}, PairTask, training_texts
from semwork.steps import last

task = PairTask.from_pairs({pairs}, training_texts({training!r}))
{note}predicted = last(task.steps({model})).predicted
test = task.pairs.split == "test"
learnt = best_threshold(predicted[~test], task.pairs.scores[~test])
threshold = {threshold}
shown = {rows}
print(at_threshold(predicted[shown], task.pairs.scores[shown], threshold))
figure = threshold_figure(predicted[shown], task.pairs.scores[shown], threshold, learnt=learnt)
figure.show()
"""


def _threshold_code(data: str, training: str, shown: str, follow: bool, threshold: float, **settings: Any) -> str:
    model = _model(training=training, **settings)
    return _THRESHOLD_CODE.format(
        kind=type(model).__name__,
        pairs=_LABELLED[data].code,
        training=training,
        note=_warm_note(model, training),
        model=_as_code(model),
        threshold="learnt" if follow else repr(threshold),
        rows="test" if shown == "test pairs" else "~test",
    )


class ThresholdPanel(Panel):
    """Two histograms and a line between them: drag it, or move its slider."""

    def __init__(self) -> None:
        self._sent: deque[float] = deque(maxlen=20)  # where the slider was put lately
        views = {
            "shown": _choice("pairs shown", ["test pairs", "training pairs"], "the threshold is learnt on training"),
            "follow": ipw.Checkbox(
                True,
                indent=False,
                description="use the learnt threshold",
                tooltip="the one with the fewest errors on the training pairs",
            ),
            "threshold": ipw.FloatSlider(
                0.5,
                min=-1,
                max=1,
                step=_SLIDER_STEP,
                readout_format=".3f",
                description="threshold",
                tooltip="or drag the line in the figure",
            ),
        }
        views["threshold"].observe(self._moved, names="value")
        chosen = {"data": _choice("pairs with labels", _LABELLED, "paraphrase or not")}
        super().__init__(
            "Paraphrase or not",
            {**chosen, **_model_controls()},
            _threshold_steps,
            _threshold_picture,
            views=views,
            code=_threshold_code,
        )
        self.figures["figure"].on_relayout(lambda changes: self.guarded(lambda: self.dragged(changes)))

    def dragged(self, changes: dict[str, Any]) -> None:
        """Put the threshold where the reader has left the line; the end that was moved counts."""
        before = self.figures["figure"].figure.layout.shapes[0].x0
        ends = [changes[key] for key in ("shapes[0].x0", "shapes[0].x1") if key in changes]
        if ends:
            value = float(max(ends, key=lambda end: abs(end - before)))
            self.controls["threshold"].value = min(1.0, max(-1.0, value))
            self.figures["figure"].restore()  # a line that was turned stands upright again

    def _moved(self, change: Any) -> None:
        # The browser answers a value that it was sent with the nearest place of its slider: that is no move.
        echo = any(abs(change["new"] - sent) < _SLIDER_STEP for sent in self._sent)
        if not self._setting and not (self.controls["follow"].value and echo):
            self.controls["follow"].value = False

    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        if isinstance(event, (Finished, Stopped)) and self.controls["follow"].value and self.last_step is not None:
            self._sent.append(round(self.last_step.learnt, 3))
            with self.together():
                self.controls["threshold"].value = self._sent[-1]


def paraphrase_threshold() -> ThresholdPanel:
    """A panel with the similarities of paraphrases and of other pairs, and a line to drag between them."""
    return ThresholdPanel()


# --- your own sentences -----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ModelsStep(Step):
    """The models that are fitted so far."""

    spaces: dict[str, SentenceSpace]


# What does not depend on w_m and λ is fitted once: (texts, model, K, seed) → model.
_baselines: dict[tuple[Any, ...], SentenceModel] = {}


def _models_here() -> list[str]:
    return [name for name in MODELS if name != "GloVe average" or datasets.available("glove")]


def _models_steps(
    training: str, missing_weight: float, regularization: float, n_components: int, seed: int
) -> Iterator[ModelsStep]:
    corpus, spaces = _corpus(training), {}
    names = _models_here()
    for number, name in enumerate(names):
        model = _model(name, training, missing_weight, regularization, n_components, seed)
        key = (training, name, *((n_components, seed) if name in ("LSA", "LDA") else ()))
        if key in _baselines:
            spaces[name] = SentenceSpace(corpus, _baselines[key])
        else:
            for step in SentenceSpace(corpus, model).steps(**_fit_options(model, training)):
                spaces[name] = SentenceSpace(corpus, _kept(model))
                if name == "WTMF" and training != "sample":
                    _warm.keep(training, model.components_)
                message = f"{name}: {step.message}" if step.message else name
                yield ModelsStep(done=number, total=len(names), message=message, spaces=dict(spaces))
            if name != "WTMF":
                _baselines[key] = spaces[name].model
    yield ModelsStep(done=len(names), total=len(names), message=f"{len(names)} models", spaces=dict(spaces))


def _models_picture(step: ModelsStep, left: str, right: str, matched: str) -> go.Figure:
    similar = {name: float(space.similarity([left], [right])[0]) for name, space in step.spaces.items()}
    return models_figure(similar, title="How similar are your sentences?")


def _match_picture(step: ModelsStep, left: str, right: str, matched: str) -> go.Figure:
    name = matched if matched in step.spaces else next(iter(step.spaces))
    match = word_match(step.spaces[name], left, right)
    unknown = list(dict.fromkeys(word.word for word in (*match.left, *match.right) if not word.known))
    said = f"unknown to {name}: {', '.join(unknown)}" if unknown else f"all words are known to {name}"
    return match_figure(match, title=f"Word by word, {said}")


_MODELS_CODE = """\
from semwork.plots import match_figure, models_figure
from semwork.similarity import {kinds}, SentenceSpace, training_texts, word_match
from semwork.text import Corpus

corpus = Corpus.from_texts(training_texts({training!r}), analyzer="stem")
left = {left!r}
right = {right!r}
{note}models = {{
    {models},
}}
spaces = {{name: SentenceSpace(corpus, model).fit() for name, model in models.items()}}
similar = {{name: float(space.similarity([left], [right])[0]) for name, space in spaces.items()}}
for name, similarity in similar.items():
    print(f"{{name}}: {{similarity:.4f}}")
figures = [models_figure(similar), match_figure(word_match(spaces[{matched!r}], left, right))]
for figure in figures:
    figure.show()
"""


def _models_code(left: str, right: str, matched: str, training: str, **settings: Any) -> str:
    made = {name: _model(name, training, **settings) for name in _models_here()}
    return _MODELS_CODE.format(
        kinds=", ".join(sorted({type(model).__name__ for model in made.values()})),
        training=training,
        left=left,
        right=right,
        note=_warm_note(made["WTMF"], training),
        models=",\n    ".join(f'"{name}": {_as_code(model)}' for name, model in made.items()),
        matched=matched if matched in made else next(iter(made)),
    )


def your_sentences(
    left: str = "The nurse gave the sick child some medicine.",
    right: str = "A doctor treats a young patient with a fever.",
) -> Panel:
    """A panel for two sentences of your own: the similarity under each model, and the match word by word."""
    views = {
        "left": ipw.Textarea(left, description="first sentence", rows=3),
        "right": ipw.Textarea(right, description="second sentence", rows=3),
        "matched": _choice("word by word under", MODELS, "which model compares the words"),
    }
    chosen = _model_controls()
    del chosen["model"]
    pictures = {"models": _models_picture, "words": _match_picture}
    return Panel(
        "Your own two sentences", chosen, _models_steps, pictures, views=views, views_first=True, code=_models_code
    )

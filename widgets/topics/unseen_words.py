"""The panel of the lesson on unseen words: replace words of a document, and see what two models make of it."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork import datasets
from semwork.plots import house_figure, reading_figure, shares_figure, unseen_word_figure
from semwork.topics import topic_data
from semwork.topics.unseen import UnseenStep, UnseenStudy, substitute
from widgets.live_figure import Point
from widgets.panel import Panel

__all__ = ["unseen_words"]

_PART = 2_000  # documents: all of 20 newsgroups would take minutes
_DATA = {
    "sample": "sample (some of its words are hidden)",
    "newsgroups": f"20 newsgroups, {_PART:,} of its documents",
}
_SETTINGS: dict[str, dict[str, Any]] = {
    "sample": {"alpha": 0.1, "psi": 100.0, "nu": 152.0, "max_sweeps": 40},
    "newsgroups": {"alpha": 0.1, "psi": 3.0, "nu": 50.0, "max_sweeps": 30},
}
_TOPICS = {"sample": 12, "newsgroups": 30}
_DOCUMENTS = {"sample": 39, "newsgroups": 3}
# What the panel opens with. The nearest unseen word seldom fits into a sentence; these are among the eight nearest, and
# the text can still be read.
_OPENING = {"beans": "pods", "bread": "cheese", "nurse": "dentist", "tablets": "medicines"}
_NONE = ("choose one …", "")

_CODE = """\
{load}from semwork.plots import reading_figure, shares_figure, unseen_word_figure
from semwork.steps import last
from semwork.topics import topic_data
from semwork.topics.unseen import UnseenStudy

study = UnseenStudy(topic_data({data!r}), {hidden}, {seed}{more})
end = last(study.steps({n_topics}, alpha={alpha}, psi={psi}, nu={nu}, max_sweeps={max_sweeps}))
original = study.texts[{document}]
text = {text!r}
for reading in end.read(text):
    print(reading.proportions.round(2), f"{{(~reading.known).sum()}} words dropped")
figures = [
    reading_figure(end, text, original, word={word!r}),
    shares_figure(end, text, original),
    unseen_word_figure(end, {word!r}, origin={origin!r}),
]
for figure in figures:
    figure.show()
"""


@functools.lru_cache(maxsize=4)
def _study(data: str, hidden: float, seed: int) -> UnseenStudy:
    if data == "sample":
        return UnseenStudy(topic_data("sample"), hidden, seed)
    missing = [name for name in ("newsgroups", "glove") if not datasets.available(name)]
    if missing:
        raise datasets.DataNotAvailable(
            f"{' and '.join(missing)} must be on this machine first: fetch them in lesson 00, or with "
            f"`semwork data fetch {' '.join(missing)}`; the sample is always here"
        )
    return UnseenStudy(topic_data("newsgroups"), hidden, seed, vectors=datasets.load("glove"), limit=_PART)


# --- pictures -----------------------------------------------------------------------------------------------------


def _original(study: UnseenStudy, document: int) -> str:
    return study.texts[min(document, len(study.texts) - 1)]


def _replaced(study: UnseenStudy, document: int, count: int) -> tuple[str, list[tuple[str, str]]]:
    """The document with so many words replaced; as the panel opens, if these words are hidden and near."""
    text = _original(study, document)
    words = study.words_of(text)
    if count != len(_OPENING) or any(
        old not in words or new not in study.replacements(old) for old, new in _OPENING.items()
    ):
        return study.replaced(text, count)
    for old, new in _OPENING.items():
        text = substitute(text, old, new)
    return text, list(_OPENING.items())


def _looked_at(study: UnseenStudy, word: str, text: str) -> str:
    """The word that was typed or clicked; else the first unseen word of the text, else its first known word."""
    if word.strip():
        return word.strip().lower()
    words = study.words_of(text)
    known = [each for each in words if study.status(each) != "no vector"]
    unseen = [each for each in known if study.status(each) == "unseen"]
    return next(iter([*unseen, *known]), "")


def _origin(study: UnseenStudy, original: str, text: str, word: str) -> str:
    """The word of the original in whose place the word now stands, if that can be said."""
    one, two = original.split(), text.split()
    if len(one) == len(two):
        for before, after in zip(one, two, strict=True):
            if before != after and study.words_of(after) == [word]:
                return (study.words_of(before) or [""])[0]
    return ""


def _reading(step: UnseenStep, document: int, replaced: int, word: str, replacement: str, text: str) -> go.Figure:
    original = _original(step.study, document)
    gaussian, lda = step.read(text)
    drops = f"Gaussian LDA drops {(~gaussian.known).sum()} of {len(gaussian.words)} words, LDA {(~lda.known).sum()}"
    document = min(document, len(step.study.texts) - 1)
    label = step.study.labels[document]
    title = f"Document {document}, {label}: {drops}"
    return reading_figure(step, text, original, word=_looked_at(step.study, word, text), title=title)


def _shares(step: UnseenStep, document: int, replaced: int, word: str, replacement: str, text: str) -> go.Figure:
    title = "Topics of the text (bars), and of the original (diamonds)"
    return shares_figure(step, text, _original(step.study, document), title=title)


def _word(step: UnseenStep, document: int, replaced: int, word: str, replacement: str, text: str) -> go.Figure:
    looked = _looked_at(step.study, word, text)
    if not step.gaussian.knows(looked):
        said = f"“{html.escape(looked)}” has no vector: no model can place it" if looked else "No word has a vector"
        return house_figure(said, "", "", height=120, xaxis_visible=False, yaxis_visible=False)
    origin = _origin(step.study, _original(step.study, document), text, looked)
    instead = f", instead of “{html.escape(origin)}”," if origin else ""
    best, status = step.word(looked).iloc[0], step.study.status(looked)
    lda = "LDA drops it" if not step.lda.knows(looked) else "LDA knows it, too"
    title = f"“{html.escape(looked)}”{instead} is {status}: topic {best['topic']}, {best['probability']:.0%}; {lda}"
    return unseen_word_figure(step, looked, origin=origin, title=title)


# --- controls -----------------------------------------------------------------------------------------------------


def _controls() -> dict[str, Any]:
    return {
        "data": ipw.Dropdown(
            options=[(name, value) for value, name in _DATA.items()],
            description="data",
            tooltip="20 newsgroups and GloVe are fetched first: see lesson 00",
        ),
        "n_topics": ipw.IntSlider(
            12, min=2, max=50, continuous_update=False, description="K, number of topics", tooltip="of both models"
        ),
        "hidden": ipw.SelectionSlider(
            options=[("0 %", 0.0), ("10 %", 0.1), ("20 %", 0.2), ("40 %", 0.4)],
            value=0.2,
            description="hidden words",
            tooltip="share of the words that training does not see",
        ),
        "seed": ipw.BoundedIntText(0, min=0, max=9999, description="seed", tooltip="which words are hidden"),
    }


def _views() -> dict[str, Any]:
    return {
        "document": ipw.BoundedIntText(
            _DOCUMENTS["sample"],
            min=0,
            max=99_999,
            description="document",
            tooltip="its number; training has not seen it",
        ),
        "replaced": ipw.IntSlider(
            len(_OPENING),
            min=0,
            max=15,
            description="words replaced",
            tooltip="by unseen words that are near to them",
        ),
        "word": ipw.Text(
            "",
            placeholder="the first unseen one",
            continuous_update=False,
            description="look at a word",
            tooltip="type any word, or click one in the text",
        ),
        "replacement": ipw.Dropdown(
            options=[_NONE], description="replace it by", tooltip="unseen words, the nearest first"
        ),
        "text": ipw.Textarea(
            "", rows=6, continuous_update=False, description="the text", tooltip="write what you like into it"
        ),
    }


class _Desk:
    """What the controls do to each other: a text that is written by a slider, a list, and the reader."""

    def __init__(self) -> None:
        self.chosen, self.views = _controls(), _views()
        self.study: UnseenStudy | None = None
        # Before the panel listens: when it hears of a change the other controls are right.
        self.chosen["data"].observe(self.settle, names="value")
        for name, handler in (
            ("document", self.fill),
            ("replaced", self.fill),
            ("word", self.offer),
            ("replacement", self.replace),
        ):
            self.views[name].observe(handler, names="value")
        pictures: dict[str, Callable[..., go.Figure]] = {"text": _reading, "topics": _shares, "word": _word}
        self.panel = Panel(
            "Unseen words",
            self.chosen,
            self.compute,
            pictures,
            code=self.code,
            views=self.views,
            views_first=True,
            live=False,
        )
        self.panel.on_click(self.look, "text")
        # Only now: a run writes the document into the text.
        self.panel.live = True
        self.panel.run()

    def compute(self, data: str, n_topics: int, hidden: float, seed: int) -> Iterator[UnseenStep]:
        self.study = _study(data, hidden, seed)
        if not self.views["text"].value:
            self.fill()
        self.offer()
        yield from self.study.steps(n_topics, **_SETTINGS[data])

    @property
    def word(self) -> str:
        """The word looked at."""
        text = self.views["text"].value
        return _looked_at(self.study, self.views["word"].value, text) if self.study else ""

    def fill(self, _: Any = None) -> None:
        """Write the document into the text, with as many words replaced as the slider says."""
        if self.study is not None and not self.panel.restoring:
            with self.panel.together():
                document, count = self.views["document"].value, self.views["replaced"].value
                self.views["text"].value, done = _replaced(self.study, document, count)
                self.views["word"].value = done[-1][1] if done else ""
                self.offer()

    def offer(self, _: Any = None) -> None:
        """Offer unseen words that are near to the word looked at."""
        if self.study is not None:
            with self.panel.together():
                near = self.study.replacements(self.word)
                self.views["replacement"].options = [_NONE, *((new, new) for new in near)]
                self.views["replacement"].value = ""

    def replace(self, change: Any) -> None:
        """Put the chosen word in the place of the one looked at."""
        old, new = self.word, change["new"]
        if new and old:
            with self.panel.together():
                self.views["text"].value = substitute(self.views["text"].value, old, new)
                self.views["word"].value = new
                self.offer()

    def settle(self, change: Any) -> None:
        """Take settings that are good for other data, and forget the text; one run follows."""
        if not self.panel.restoring:
            with self.panel.together():
                self.chosen["n_topics"].value = _TOPICS[change["new"]]
                self.chosen["hidden"].value = 0.2 if change["new"] == "sample" else 0.0
                self.views["document"].value = _DOCUMENTS[change["new"]]
                self.views["replaced"].value = 0
                self.views["text"].value = self.views["word"].value = ""

    def look(self, points: list[Point]) -> None:
        """Look at a word that was clicked."""
        for point in points:
            if isinstance(point.customdata, str) and point.customdata:
                self.views["word"].value = point.customdata

    def code(
        self, data: str, document: int, text: str, word: str, replaced: int, replacement: str, **settings: Any
    ) -> str:
        study = _study(data, settings["hidden"], settings["seed"])
        looked = _looked_at(study, word, text)
        if study.status(looked) == "no vector":
            raise ValueError(f"{looked!r} has no vector, so that there is no picture of it; look at another word")
        return _CODE.format(
            data=data,
            load="from semwork.datasets import load\n" if data == "newsgroups" else "",
            more=f', vectors=load("glove"), limit={_PART}' if data == "newsgroups" else "",
            document=min(document, len(study.texts) - 1),
            text=text,
            word=looked,
            origin=_origin(study, _original(study, document), text, looked),
            **_SETTINGS[data],
            **settings,
        )


def unseen_words() -> Panel:
    """A panel in which words of a document are replaced by words that training has not seen.

    A click on a word of the text looks at it.
    """
    return _Desk().panel

"""The panels of lesson 03: pairs of sentences, what people say and what models say."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Any

from semwork.plots import (
    agreement_figure,
    effects_figure,
    match_figure,
    models_figure,
    threshold_figure,
    weight_figure,
    worst_pairs_figure,
)
from semwork.studies.own_sentences import OwnSentences, OwnSentencesView
from semwork.studies.pair_agreement import PairAgreement
from semwork.studies.paraphrase_threshold import ParaphraseThreshold
from semwork.studies.weight_walk import WeightWalk
from semwork_widgets.jobs import Event, Finished, Stopped
from semwork_widgets.live_figure import Point
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["paraphrase_threshold", "sentence_pairs", "weight_path", "your_sentences"]

_SLIDER_STEP = 0.001


def sentence_pairs(data: Any = None) -> StudyPanel:
    """A panel that fits a model and draws its similarities against those of people; a click explains a pair.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "People and model",
        PairAgreement,
        {
            "agreement": Picture(agreement_figure, "agreement"),
            "words": Picture(effects_figure, "words"),
            "worst pairs": Picture(worst_pairs_figure, "worst"),
        },
        clicks={"agreement": _this_pair, "worst pairs": _this_pair},
        data=data,
    )


def _this_pair(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return None if point.customdata is None else {"pair": int(point.customdata)}


def weight_path(data: Any = None) -> StudyPanel:
    """A panel that walks along w_m and draws the correlation with people, one line per set.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    pictures = {"figure": Picture(weight_figure, "walk")}
    return StudyPanel("Along the weight of missing words", WeightWalk, pictures, data=data)


class ThresholdPanel(StudyPanel):
    """Two histograms and a line between them: drag it, or move its slider."""

    def __init__(self, data: Any = None) -> None:
        self._sent: deque[float] = deque(maxlen=20)  # where the slider was put lately
        super().__init__(
            "Paraphrase or not", ParaphraseThreshold, {"figure": Picture(threshold_figure, "split")}, data=data
        )
        self.figures["figure"].on_relayout(lambda changes: self.guarded(partial(self.dragged, changes)))

    def dragged(self, changes: dict[str, Any]) -> None:
        """Put the threshold where the reader has left the line; the end that was moved counts."""
        before = self.figures["figure"].figure.layout.shapes[0].x0
        ends = [changes[key] for key in ("shapes[0].x0", "shapes[0].x1") if key in changes]
        if ends:
            value = float(max(ends, key=lambda end: abs(end - before)))
            self.controls["threshold"].value = min(1.0, max(-1.0, value))
            self.figures["figure"].restore()  # a line that was turned stands upright again

    def _follow(self, before: Mapping[str, Any], given: frozenset[str] = frozenset()) -> None:
        if "threshold" in before:
            # The browser answers a value that it was sent with the nearest place of its slider: that is no move.
            now = self.controls["threshold"].value
            echo = any(abs(now - sent) < _SLIDER_STEP for sent in self._sent)
            if not (self.controls["follow"].value and echo):
                with self.together():
                    self.controls["follow"].value = False
        super()._follow(before, given)

    def _on_event(self, event: Event) -> None:
        super()._on_event(event)
        if isinstance(event, (Finished, Stopped)) and self.controls["follow"].value and self.last_step is not None:
            self._sent.append(round(self.last_step.learnt, 3))
            with self.together():
                self.controls["threshold"].value = self._sent[-1]


def paraphrase_threshold(data: Any = None) -> ThresholdPanel:
    """A panel with the similarities of paraphrases and of other pairs, and a line to drag between them.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    ThresholdPanel
    """
    return ThresholdPanel(data)


def your_sentences(
    left: str = OwnSentencesView.left, right: str = OwnSentencesView.right, data: Any = None
) -> StudyPanel:
    """A panel for two sentences of your own: the similarity under each model, and the match word by word.

    Parameters
    ----------
    left, right : str
        The sentences that are compared first.
    data : str, record, table, path or mapping, or None
        Texts of your own to learn from, as in `StudyPanel`.

    Returns
    -------
    StudyPanel
    """
    return StudyPanel(
        "Your own two sentences",
        OwnSentences,
        {"models": Picture(models_figure, "similar"), "words": Picture(match_figure, "match")},
        values={"left": left, "right": right},
        views_first=True,
        data=data,
    )

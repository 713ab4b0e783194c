"""The panel of the lesson on unseen words: replace words of a document, and see what two models make of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from semwork.plots import reading_figure, shares_figure, unseen_word_figure
from semwork.studies.unseen_words import NOTHING_CHOSEN, UnseenStep, UnseenWords
from semwork_widgets.live_figure import Point
from semwork_widgets.study_panel import Picture, StudyPanel

__all__ = ["unseen_words"]


class UnseenPanel(StudyPanel):
    """A text that is written by a slider, a list, and the reader.

    Empty controls mean what the study says they do: the document as it is written, and the word that was put in last.
    So the panel sets them where a reader moves others; of a new run it takes what the list offers, and the text to
    begin with.
    """

    def __init__(self, data: Any = None) -> None:
        self._offered_by = 0  # the run whose words the list offers
        super().__init__(
            "Unseen words",
            UnseenWords,
            {
                "text": Picture(reading_figure, "reading"),
                "topics": Picture(shares_figure, "shares"),
                "word": Picture(unseen_word_figure, "place"),
            },
            clicks={"text": _this_word},
            views_first=True,
            data=data,
        )

    def _asked(self) -> tuple[UnseenWords, UnseenStep, dict[str, Any]] | None:
        """The study, its drawn step if that is of the data that are chosen, and what the questions ask for."""
        event = self.drawing.drawn
        if event is None or self._names(event.settings) != self._names(self.settings):
            return None
        values = {name: self.controls[name].value for name in ("document", "word", "text", "replaced")}
        return cast(UnseenWords, self.study(event.settings)), cast(UnseenStep, event.step), values

    def _follow(self, before: Mapping[str, Any], given: frozenset[str] = frozenset()) -> None:
        with self.job.quiet(), self.together():
            if not given & {"text", "word"} and before.keys() & {"document", "replaced"}:
                self.controls["text"].value = self.controls["word"].value = ""
                self._write()
            if "replacement" in before:
                self._put_in()
            self._offer()
            super()._follow(before, given)

    def _draw_last(self) -> None:
        super()._draw_last()
        event = self.drawing.drawn
        if event is not None and event.run != self._offered_by and not self._is_overtaken(event):
            self._offered_by = event.run
            with self.together():
                self._write()
                self._offer()

    def _write(self) -> None:
        """Show what an empty text means, so that a reader can change it."""
        if not self.controls["text"].value and (asked := self._asked()) is not None:
            study, step, values = asked
            self.controls["text"].value = study.written(step, values["document"], values["replaced"])[0]

    def _put_in(self) -> None:
        """Put the chosen word in the place of the one that is looked at, and let another one be chosen."""
        new = self.controls["replacement"].value
        if new and (asked := self._asked()) is not None:
            study, step, values = asked
            self.controls["text"].value = study.put_in(step, **values, new=new)
            self.controls["word"].value = new
        self.controls["replacement"].value = ""

    def _offer(self) -> None:
        """Offer unseen words that are near to the word that is looked at."""
        if (asked := self._asked()) is not None:
            study, step, values = asked
            offered = [NOTHING_CHOSEN, *((new, new) for new in study.offered(step, **values))]
            if list(self.controls["replacement"].options) != offered:
                self.controls["replacement"].options = offered


def unseen_words(data: Any = None) -> UnseenPanel:
    """A panel in which words of a document are replaced by words that training has not seen.

    A click on a word of the text looks at it.

    Parameters
    ----------
    data : str, record, table, path or mapping, or None
        Data of your own, as in `StudyPanel`.

    Returns
    -------
    UnseenPanel
    """
    return UnseenPanel(data)


def _this_word(point: Point, _: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return {"word": point.customdata} if isinstance(point.customdata, str) and point.customdata else None

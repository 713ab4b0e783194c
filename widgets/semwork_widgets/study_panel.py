"""A panel made from a study: its controls, its run, its pictures, its code, all from what the study declares."""

from __future__ import annotations

import contextlib
import html
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from semwork.plots import stacked_picture
from semwork.plots.style import wrapped
from semwork.steps import Step
from semwork.studies.code import Drawn, code_of
from semwork.studies.settings import Parameter, Settings
from semwork.studies.study import Input, NoAnswer, Source, Study, asked
from semwork_widgets.controls import choice_of_data, control_for, mark_of, offer, refit
from semwork_widgets.drawing import words_in_place
from semwork_widgets.given_data import given_data
from semwork_widgets.jobs import Event, Finished, Stepped, Stopped
from semwork_widgets.live_figure import Point
from semwork_widgets.panel import Panel
from semwork_widgets.picture import OneOf, Picture
from semwork_widgets.state import set_control

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OneOf", "Picture", "StudyPanel", "offer_data_everywhere"]

#: What a click does: from the clicked point and the values of all controls to the values that change.
Click = Callable[[Point, Mapping[str, Any]], Mapping[str, Any] | None]
#: What follows from a control that a reader has moved: from the values of all controls to the values that change.
Reaction = Callable[[Mapping[str, Any]], Mapping[str, Any]]

_KEPT_STUDIES = 3  # what a study of a large set keeps takes hundreds of megabytes


class StudyPanel(Panel):
    """A panel on a study.

    Parameters
    ----------
    title : str
        Stands above the panel.
    study : type of Study
        Its class declares data, settings and view.
    pictures : mapping of str to Picture or OneOf
        Name → picture, from top to bottom.
    clicks : mapping of str to callable, or None
        Name of a picture → what a click on one of its points does.
    reactions : mapping of str to callable, or None
        Name of a control → which others follow when a reader moves it.
    views_first : bool
        Whether the controls of the drawing stand above the others.
    values : mapping of str to Any, or None
        Name of a control → what it begins with instead of its default.
    data : str, record, table, path or mapping, or None
        Data of the reader's own, or the name of some, for the first input that takes them; a mapping says for which
        input. A record stays in memory, under its own name.

    Examples
    --------
    >>> from semwork_widgets import semantic_kernels
    >>> from semwork.datasets import load
    >>> panel = semantic_kernels(data=load("sample").documents.subset("train"))
    >>> panel.wait()
    >>> panel.settings["data"]
    'sample (given)'
    """

    def __init__(
        self,
        title: str,
        study: type[Study[Any, Any]],
        pictures: Mapping[str, Picture | OneOf],
        *,
        clicks: Mapping[str, Click] | None = None,
        reactions: Mapping[str, Reaction] | None = None,
        views_first: bool = False,
        values: Mapping[str, Any] | None = None,
        data: Any = None,
    ) -> None:
        self.study_class, self._slots, self._reactions = study, dict(pictures), dict(reactions or {})
        self._studies: dict[tuple[str, ...], Study[Any, Any]] = {}
        self._looking = threading.Lock()  # a run asks for studies, and a reader
        self._reading: dict[tuple[str, ...], threading.Lock] = {}  # the same data are not read twice at a time
        self._fitted_to: Study[Any, Any] | None = None
        self._instead: dict[str, str] = {}
        self._parameters = {**study.settings.parameters(), **study.view.parameters()}
        given = given_data(study.inputs, data)
        first = {name: next(iter(one.sources)) for name, one in study.inputs.items()} | given
        controls = {
            name: choice_of_data(one.symbol, one.says, _titles(one))
            for name, one in study.inputs.items()
            if len(one.sources) > 1 or one.takes
        }
        for name, chosen in given.items():
            controls[name].value = chosen
        marks = {name: mark_of(one) for name, one in self._parameters.items()}
        made = {name: control_for(self._now(one, first), marks[name]) for name, one in self._parameters.items()}
        for name, value in (values or {}).items():
            set_control(name, made[name], value)
        super().__init__(
            title,
            controls | {name: made[name] for name in study.settings.parameters()},
            self._compute,
            dict.fromkeys(pictures, words_in_place),  # drawn by `_picture`
            code=self._code_of,
            views={name: made[name] for name in study.view.parameters()},
            views_first=views_first,
            marks=marks,
        )
        for picture, click in (clicks or {}).items():
            self.on_click(partial(self._clicked, click), picture)
        if any(one.takes for one in study.inputs.values()):
            self._first.on_enter(lambda _: self.guarded(self.offer_data))
        _open.add(self)

    # --- data -------------------------------------------------------------------------------------------------------

    def offer_data(self) -> None:
        """Let the lists of data have what there is by now: the reader may have brought some, or removed them."""
        with self.together():
            for name, one in self.study_class.inputs.items():
                if name in self.controls:
                    offer(self.controls[name], _titles(one))

    def _is_private(self) -> bool:
        """Whether the pictures show data of the reader's own."""
        return self._are_own(self._names(self._shown_settings))

    def _kept(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        if not self._are_own(self._names(settings)):
            return settings
        private = [name for name, one in self._parameters.items() if one.private]
        return {**settings, **dict.fromkeys(private, "")}

    def _picture_of_first_run(self) -> bytes:
        picture = super()._picture_of_first_run()
        if not self._is_private():
            return picture
        return stacked_picture(
            [words_in_place("Data of your own are not kept in the notebook: run the cell to see them")]
        )

    def _names(self, values: Mapping[str, Any]) -> dict[str, str]:
        """The name of the data for each input."""
        inputs = self.study_class.inputs.items()
        return {name: values.get(name, next(iter(one.sources))) for name, one in inputs}

    def _sources(self, names: Mapping[str, str]) -> list[Source]:
        return [one.source(names[name]) for name, one in self.study_class.inputs.items()]

    def study(self, values: Mapping[str, Any] | None = None) -> Study[Any, Any]:
        """Return the study of the data that these values name (those of the drawn picture, if none are given)."""
        if values is None:
            values = self._shown_settings
        names = self._names(values)
        key = tuple(names.values())
        with self._looking:
            if key in self._studies:
                return self._used(key, self._studies[key])
            reading = self._reading.setdefault(key, threading.Lock())
        with reading:
            study = self._studies.get(key) or self.study_class.on(**names)
            with self._looking:
                return self._used(key, study)

    def _used(self, key: tuple[str, ...], study: Study[Any, Any]) -> Study[Any, Any]:
        """Keep a study; the one that was used last is dropped last."""
        self._studies.pop(key, None)
        while len(self._studies) >= _KEPT_STUDIES:
            del self._studies[next(iter(self._studies))]
        self._studies[key] = study
        return study

    @property
    def table(self) -> pd.DataFrame:
        """The numbers of the drawn step as a tidy table; `semwork.tables` makes Markdown or LaTeX of it."""
        drawn = self.drawing.drawn
        if drawn is None:
            raise ValueError("nothing is drawn yet; wait for the run: panel.wait()")
        study, values = self.study(drawn.settings), {**drawn.settings, **self.drawing.views}
        found: pd.DataFrame = study.table(drawn.step, **{name: values[name] for name in asked(study.table)})
        return found

    def _are_own(self, names: Mapping[str, str]) -> bool:
        return any(source.own for source in self._sources(names))

    def _known(self, names: Mapping[str, str]) -> Mapping[str, Any] | None:
        """What is known of the data without reading them; ``None`` if nothing is."""
        made = self._studies.get(tuple(names.values()))
        if made is not None:
            return made.facts
        sources = self._sources(names)
        if any(source.own for source in sources):
            with contextlib.suppress(Exception):  # the run says in words what is wrong with them
                return self.study(names).facts
        told = [source.facts for source in sources if source.facts is not None]
        return {name: value for facts in told for name, value in facts.items()} or None

    def _now(self, one: Parameter, names: Mapping[str, str]) -> Parameter:
        """A parameter as it is for these data; what follows the step is still open."""
        known = self._known(names)
        ranged = one.given(known) if one.name in self.study_class.settings.parameters() else one
        default = one.default_for(names.values(), known, own=self._are_own(names))
        return replace(ranged, default=ranged.nearest(default))

    # --- running ----------------------------------------------------------------------------------------------------

    def _lacking(self, values: Mapping[str, Any]) -> str:
        """What must be fetched or installed before anything can be chosen for an input; nothing if something can."""
        names, said = self._names(values), []
        for name, one in self.study_class.inputs.items():
            if one.always_here or not one.sources:
                continue
            lacks = {key: source.lacking() for key, source in one.offered.items()}
            if all(lacks.values()):
                said.append(lacks[names[name]])
        return "; ".join(said)

    def _compute(self, **values: Any) -> Iterator[Step]:
        if self._lacking(values):
            return iter(())  # nothing is wrong with the panel: words stand in place of its pictures
        steps: Iterator[Step] = self.study(values).steps(self._settings_of(values))
        return steps

    def _settings_of(self, values: Mapping[str, Any]) -> Settings:
        settings = self.study_class.settings
        return settings(**{name: values[name] for name in settings.parameters()})

    def _follow(self, before: Mapping[str, Any], given: frozenset[str] = frozenset()) -> None:
        changed = dict(before)
        self.offer_data()
        with self.together():
            if any(name in self.study_class.inputs for name in before):
                self._settle(changed, given)
            for name in before:
                for reaction in (partial(self.study_class.reaction, name), self._reactions.get(name, _nothing)):
                    for other, value in reaction(self.settings).items():
                        self._change(other, value, changed, given)
        super()._follow(changed, given)

    def _change(self, name: str, value: Any, changed: dict[str, Any], given: frozenset[str]) -> None:
        """Set a control that follows another, unless it was set on purpose at the same time."""
        old = self.controls[name].value
        if name not in given and old != value:
            self.controls[name].value = value
            changed.setdefault(name, old)

    def _settle(self, changed: dict[str, Any], given: frozenset[str]) -> None:
        """Take values that are good for other data."""
        names = self._names(self.settings)
        before = self._names({**self.settings, **changed})
        own = self._are_own(names) or self._are_own(before)
        for name, one in self._parameters.items():
            now = self._now(one, names)
            old, kept = self._now(one, before).default, self.controls[name].value
            refit(self.controls[name], now)
            if (one.at or one.rule or one.resets or (own and one.own)) and not (one.keeps and kept != old):
                self._change(name, now.default, changed, given)

    def _clicked(self, click: Click, points: list[Point]) -> None:
        for point in points:
            changes = click(point, self.settings)
            if changes:
                self.set(**changes)

    def _checked(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        read = {name: self._parameters[name].read(value) for name, value in given.items() if name in self._parameters}
        for name, value in read.items():
            self._parameters[name].check(value)
        return {**given, **read}

    def _restore(self, name: str, value: Any) -> None:
        set_control(name, self.controls[name], value)
        if name in self.study_class.inputs:  # what can be chosen depends on the data
            names = self._names(self.settings)
            for other, one in self._parameters.items():
                refit(self.controls[other], self._now(one, names))

    def _order(self, name: str) -> int:
        return 0 if name in self.study_class.inputs else 1 + super()._order(name)

    # --- drawing ----------------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Stepped) and self._names(event.settings) != self._names(self.settings):
            return  # overtaken by other data: what the views ask for is not in these
        if isinstance(event, (Finished, Stopped)):
            self._refit(over=True)
        super()._on_event(event)
        if isinstance(event, Finished) and self.drawing.last is None and (lacking := self._lacking(event.settings)):
            self.drawing.say(wrapped(lacking))
            self.status.tell(html.escape(lacking))

    def _draw_last(self) -> None:
        self._refit()
        super()._draw_last()

    def _refit(self, *, over: bool = False) -> None:
        """Let the controls have the bounds and choices of the data and of the step that is drawn next."""
        event = self.drawing.last
        if event is None or self._is_overtaken(event):
            return  # it knows nothing of what the controls ask for by now
        with self.together():
            study = self.study(event.settings)
            if study is not self._fitted_to:
                for name, one in self.study_class.settings.parameters().items():
                    refit(self.controls[name], one.given(study.facts))
                self._fitted_to = study
            for name, one in self.study_class.view.parameters().items():
                if one.follows_a_rule:
                    refit(self.controls[name], one.given(event.step), over=over)

    def _is_overtaken(self, event: Stepped) -> bool:
        """Whether the controls ask for another run by now."""
        return any(event.settings[name] != value for name, value in self._computing.items())

    def _views_now(self) -> dict[str, Any]:
        """Those of the controls; a number that is ahead of the last step counts as the end of the step."""
        views, event = super()._views_now(), self.drawing.last
        if event is not None:
            for name, one in self.study_class.view.parameters().items():
                if one.follows_a_rule:
                    views[name] = one.given(event.step).nearest(views[name])
        return views

    def _picture(self, name: str, event: Stepped, views: Mapping[str, Any]) -> go.Figure:
        one = self._slots[name].of(views)
        question = getattr(self.study(event.settings), one.question)
        self._instead.pop(name, None)
        try:
            answer = question(event.step, **{field: views[field] for field in asked(question)})
        except NoAnswer as none:
            self._instead[name] = str(none)
            return words_in_place(wrapped(str(none)), height=240)
        return one.figure(**answer, **{field: views[field] for field in one.shown})

    def _words_on(self, settings: Mapping[str, Any]) -> str:
        numbers = [one for one in self.study_class.settings.parameters().values() if one.kind in ("real", "whole")]
        return "".join(f", {one.symbol} {settings[one.name]:g}" for one in numbers)

    # --- code -------------------------------------------------------------------------------------------------------

    def _code_of(self, **values: Any) -> str:
        sources, settings = self._sources(self._names(values)), self._settings_of(values)
        return code_of(
            self.study_class,
            [source.origin for source in sources],
            settings,
            [self._drawn(name, values) for name in self._slots],
            table={name: values[name] for name in asked(self.study_class.table)},
            warm=any(source.warm_start for source in sources) and self.study_class.goes_on(settings),
        )

    def _drawn(self, name: str, values: Mapping[str, Any]) -> Drawn:
        one = self._slots[name].of(values)
        fields = asked(getattr(self.study_class, one.question))
        return Drawn(
            one.figure,
            one.question,
            {field: values[field] for field in fields},
            {field: values[field] for field in one.shown},
            self._instead.get(name, ""),
        )


#: Panels that are alive.
_open: weakref.WeakSet[StudyPanel] = weakref.WeakSet()


def offer_data_everywhere() -> None:
    """Let all panels of this kernel offer what data there are by now."""
    for panel in list(_open):
        panel.offer_data()


def _titles(one: Input) -> dict[str, str]:
    return {key: source.title for key, source in one.offered.items()}


def _nothing(_: Mapping[str, Any]) -> Mapping[str, Any]:
    return {}

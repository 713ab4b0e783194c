"""A panel: controls, pictures, a status line, export, code and state, around one background job."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.plots import stacked_picture
from semwork.steps import Step
from semwork_widgets.answering import answer_while_cells_run
from semwork_widgets.code_box import CodeBox
from semwork_widgets.drawing import Drawing
from semwork_widgets.export import exported, file_name
from semwork_widgets.jobs import Event, Failed, Finished, Job, Started, Stepped, Stopped
from semwork_widgets.layout import Parts, laid_out, named, tools_of
from semwork_widgets.live_figure import LiveFigure, Point, display_with_picture
from semwork_widgets.rerun import end_older_ones
from semwork_widgets.state import as_state, set_control, settings_in
from semwork_widgets.status import Status

__all__ = ["Panel"]

Picture = Callable[..., go.Figure]
_FIRST_RUN_SECONDS = 10.0  # how long showing a panel waits for its first result
_FITTING, _WAITING = "fitting …", "press Run to compute this picture"


class Panel(ipw.VBox):
    """Controls and pictures that follow them.

    Parameters
    ----------
    title : str
        Stands above the panel and names its exported files.
    controls : mapping of str to Widget
        Name → widget with a ``value``. The names are the keyword arguments of ``compute``. A widget's ``tooltip``
        becomes a line under its name.
    compute : callable
        ``compute(**settings)`` gives a stream of :class:`semwork.steps.Step`. It runs in the background; a change
        of any control starts it anew.
    pictures : callable or mapping of str to callable
        A function from a step to a plotly figure, or a mapping of several by name.
    code : callable or None
        ``code(**settings)`` gives the Python that computes the same without a widget.
    live : bool
        Whether a change of a control runs at once. If not, only the Run button does.
    views : mapping of str to Widget, or None
        Name → widget with a ``value``: controls of the drawing alone. A change draws the last step again and computes
        nothing; every picture is called as ``picture(step, **views)``.
    views_first : bool
        Whether the views stand above the other controls.
    marks : mapping of str to str, or None
        Name of a control → HTML that stands below it.

    Examples
    --------
    >>> import plotly.graph_objects as go
    >>> def powers(exponent):
    ...     yield Step(done=1, total=1, message=f"x to the power {exponent}")
    >>> panel = Panel(
    ...     "Powers",
    ...     {"exponent": ipw.IntSlider(2, 1, 5)},
    ...     powers,
    ...     lambda step: go.Figure(go.Scatter(y=[1, 4, 9])),
    ... )
    >>> panel.wait()
    >>> panel.state["settings"]
    {'exponent': 2}
    """

    def __init__(
        self,
        title: str,
        controls: Mapping[str, Any],
        compute: Callable[..., Iterable[Step]],
        pictures: Picture | Mapping[str, Picture],
        *,
        code: Callable[..., str] | None = None,
        live: bool = True,
        views: Mapping[str, Any] | None = None,
        views_first: bool = False,
        marks: Mapping[str, str] | None = None,
    ) -> None:
        computing, self._views = tuple(controls), tuple(views or ())
        self.job = Job(lambda settings: compute(**{name: settings[name] for name in computing}), self._on_event)
        controls = {**(views or {}), **controls} if views_first else {**controls, **(views or {})}
        for name, control in controls.items():
            if not isinstance(control, ipw.Widget) or not hasattr(control, "value"):
                raise TypeError(
                    f"control {name!r} is {control!r:.60}; it has to be an ipywidget with a value, as a slider"
                )
        if not pictures:
            raise ValueError("a panel needs at least one picture: a function from a step to a plotly figure")
        self.title = title
        self.controls = dict(controls)
        self._pictures = dict(pictures) if isinstance(pictures, Mapping) else {"figure": pictures}
        self._code = code
        self.live = live
        self.error: BaseException | None = None
        self._quiet = threading.local()
        self.restoring = False  # whether a state is being restored: then controls do not set each other
        self.parts = Parts()
        self.status, self.box = Status(self.parts), CodeBox(self.parts)
        words = _FITTING if live else _WAITING
        self.drawing = Drawing(title, self._pictures, self._picture, words, self._words_on)
        super().__init__(self._rows(marks or {}))
        self.add_class("semwork-panel")
        for name, control in self.controls.items():
            control.observe(partial(self._moved, name), names="value")
        answer_while_cells_run(self)
        end_older_ones(self)
        if live:
            self.run()

    def _rows(self, marks: Mapping[str, str]) -> list[Any]:
        for button, action in (
            (self.parts.run, self.run),
            (self.parts.stop, self.stop),
            (self.parts.box_apply, self._apply_box),
        ):
            self._press(button, action)
        controls = [named(name, control, marks.get(name, "")) for name, control in self.controls.items()]
        tools = tools_of(self._save, self._show_code if self._code else None, self._show_state)
        return laid_out(self.title, self.parts, controls, self.figures.values(), tools, self._press)

    def _press(self, button: Any, action: Callable[[], object]) -> None:
        button.on_click(lambda _: self.guarded(action))

    # --- running ----------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> dict[str, Any]:
        """The controls' values by name."""
        return {name: control.value for name, control in self.controls.items()}

    @property
    def _computing(self) -> dict[str, Any]:
        """The values of those controls that ask for a new run."""
        return {name: control.value for name, control in self.controls.items() if name not in self._views}

    @property
    def figures(self) -> dict[str, LiveFigure]:
        """The live pictures by name."""
        return self.drawing.figures

    @property
    def last_step(self) -> Any:
        """The last step that has arrived; ``None`` before the first."""
        return self.drawing.last.step if self.drawing.last else None

    def run(self) -> None:
        """Compute with the settings of this moment, in the background."""
        with self.job.quiet():  # the error of an older run must not come in between
            self.error = None
            self.job.submit(self.settings)

    def stop(self) -> None:
        """End the run after its current step; what is drawn stays."""
        with self.job.quiet():
            if self.job.stop():
                self.status.tell("Stopping after this step …")

    def wait(self, timeout: float | None = 60) -> None:
        """Wait for the run and raise its error, if it had one: this is how a test or a script sees it.

        Parameters
        ----------
        timeout : float or None
            Seconds; ``None`` waits as long as it takes.
        """
        self.job.wait(timeout)

    def close(self) -> None:
        """Stop and take the panel away."""
        if hasattr(self, "job"):  # ipywidgets closes what was refused before it was made, too
            self.job.close()
        super().close()

    def _moved(self, name: str, change: Any) -> None:
        """A reader, or a program, has set one control."""
        if not self._setting:
            self.guarded(partial(self._follow, {name: change["old"]}))

    def _follow(self, before: Mapping[str, Any], _: frozenset[str] = frozenset()) -> None:
        """Compute or draw anew after controls have changed; ``before`` has their old values.

        Those that were set together on purpose are named, too.
        """
        if any(name not in self._views for name in before):
            if self.live:
                self.run()
        else:
            self.redraw()

    def set(self, **values: Any) -> None:
        """Set several controls, with one run or one redraw for all of them.

        Parameters
        ----------
        **values : Any
            Name of a control → its value.
        """
        with self.job.quiet():
            before = {name: self.controls[name].value for name in values}
            with self.together():
                for name, value in values.items():
                    self.controls[name].value = value
            changed = {name: old for name, old in before.items() if self.controls[name].value != old}
            if changed:
                self._follow(changed, frozenset(values))

    @property
    def _setting(self) -> bool:
        """Whether this thread sets several controls: what a reader moves meanwhile, in another thread, still counts."""
        return getattr(self._quiet, "depth", 0) > 0

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Let several controls be set without a run or a redraw for each of them; the caller asks for one, or none."""
        self._quiet.depth = getattr(self._quiet, "depth", 0) + 1
        try:
            yield
        finally:
            self._quiet.depth -= 1

    def redraw(self) -> None:
        """Draw the last step again, with the views of this moment."""
        with self.job.quiet():
            self.drawing.forget()
            self._draw_last()

    def _words_on(self, _: Mapping[str, Any]) -> str:
        """What a screen reader says of these settings before the title of a picture."""
        return ""

    def guarded(self, action: Callable[[], object]) -> None:
        """Do what a handler does; an exception becomes words in the panel instead of vanishing.

        Parameters
        ----------
        action : callable
            It takes nothing.
        """
        try:
            action()
        except Exception as error:  # noqa: BLE001 - anything a handler raises must reach the reader
            self.job.errors.append(error)
            self._show_error(error)

    def on_click(self, handler: Callable[[list[Point]], object], figure: str | None = None) -> None:
        """Call ``handler`` with clicked points (of the first figure, or the one named).

        Parameters
        ----------
        handler : callable
            It takes a list of `Point`.
        figure : str or None
            A name of `figures`; ``None`` for the first one.
        """
        target = self.figures[figure] if figure else self._first
        target.on_click(lambda points: self.guarded(lambda: handler(points)))

    # --- events of the job ------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if not isinstance(event, (Started, Stepped)):
            self.status.over()
        if isinstance(event, Stepped):
            self.drawing.last = event
            if self.drawing.due():
                self._draw_last()
            self.status.step(event)
        elif isinstance(event, Started):
            self.drawing.say(_FITTING)
            self.status.begin(event.run, self._still_running)
        elif isinstance(event, Failed):
            with contextlib.suppress(Exception):  # where the picture did not work, that is the error which is said
                self._draw_last()  # what the run gave before it failed
            self.status.failed()
            self.drawing.say("no picture: the run did not work")
            self._show_error(event.error)
        elif isinstance(event, (Finished, Stopped)):
            self._draw_last()
            self.drawing.say("no picture: the run has ended without a step")
            self.status.ended(event, self.drawing.last)

    def _still_running(self, run: int) -> None:
        """Say that the run is on its way, unless it is over by now."""
        with self.job.quiet():
            if self.job.current == run:
                self.status.running(run)

    def _draw_last(self) -> None:
        if self.drawing.show_last(self._views_now()):
            self.box.refresh(lambda holds: self.code if holds == "code" else self._state_text())

    def _views_now(self) -> dict[str, Any]:
        """The values with which the last step is drawn."""
        return {name: self.controls[name].value for name in self._views}

    def _picture(self, name: str, event: Stepped, views: Mapping[str, Any]) -> go.Figure:
        return self._pictures[name](event.step, **views)

    def _show_error(self, error: BaseException) -> None:
        self.error = error
        self.status.tell_error(error)

    # --- state, code, export ----------------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """The settings as a small dictionary that survives JSON; assign one to restore it."""
        return as_state(self.title, self._kept(self.settings))

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        given = self._checked(settings_in(state, self.title, self.controls))
        with self.job.quiet():  # no step of an older run may fit the controls to itself in between
            self._restore_all(given)
            self.guarded(self.run if self.live else self.redraw)

    def _kept(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a state may hold of the settings: all of them."""
        return settings

    def _checked(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a state asks for, if it is allowed."""
        return given

    def _restore_all(self, given: Mapping[str, Any]) -> None:
        before, self.restoring = self.settings, True
        try:
            with self.together():
                # What a view can show depends on the other controls: these come first.
                for name in sorted(given, key=self._order):
                    self._restore(name, given[name])
        except Exception:
            with self.together():
                for name, value in before.items():
                    self.controls[name].value = value
            raise
        finally:
            self.restoring = False

    def _order(self, name: str) -> int:
        return int(name in self._views)

    def _restore(self, name: str, value: Any) -> None:
        set_control(name, self.controls[name], value)

    @property
    def code(self) -> str:
        """Python that computes what the panel shows, without the panel."""
        if self._code is None:
            raise ValueError("this panel was made without a way to write its code (its `code` argument)")
        return self._code(**self._kept(self._shown_settings))

    @property
    def _shown_settings(self) -> Mapping[str, Any]:
        """The settings of the picture; the controls may be ahead of it."""
        drawn = self.drawing.drawn
        return {**drawn.settings, **self.drawing.views} if drawn else self.settings

    def export(self, kind: str) -> tuple[str, bytes, str]:
        """Return file name, content and MIME type: ``html``, ``csv``, ``png`` or ``svg``.

        Parameters
        ----------
        kind : {"html", "csv", "png", "svg"}
            Which kind of file.

        Returns
        -------
        name : str
        content : bytes
        mime : str
        """
        figures = {name: live.figure for name, live in self.figures.items()}
        return exported(kind, self.title, figures, self._shown_settings, self.code if self._code else "")

    @property
    def _first(self) -> LiveFigure:
        return next(iter(self.figures.values()))

    def _save(self, kind: str) -> None:
        if kind in ("png", "svg"):
            # The browser draws what the reader sees, with the reader's zoom and fonts.
            for name, live in self.figures.items():
                title = f"{self.title} {name}" if len(self.figures) > 1 else self.title
                live.save_image(file_name(title, kind), kind, height=live.figure.layout.height or 450)
        else:
            self._first.save_file(*self.export(kind))

    def _show_code(self) -> None:
        self._first.copy_text(self.code)
        self.box.toggle("code", self.code)

    def _show_state(self) -> None:
        self._first.copy_text(self._state_text())
        self.box.toggle("state", self._state_text())

    def _state_text(self) -> str:
        return json.dumps(self.state, indent=2, ensure_ascii=False)

    def _apply_box(self) -> None:
        self.state = self.box.typed_state()

    # --- display ----------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self._kept(self.settings).items())
        return f"Panel({self.title!r}: {settings})"

    def _ipython_display_(self) -> None:
        display_with_picture(self, self._picture_of_first_run)

    def _picture_of_first_run(self) -> bytes:
        """Wait a little for the run, so that the saved picture shows its result; a failed run fails the cell."""
        with contextlib.suppress(TimeoutError):
            self.wait(_FIRST_RUN_SECONDS)
        return stacked_picture([live.figure for live in self.figures.values()])

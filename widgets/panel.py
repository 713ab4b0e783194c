"""A panel: controls, pictures, a status line, export, code and state, around one background job."""

from __future__ import annotations

import contextlib
import html
import json
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.plots import house_figure, stacked_picture
from semwork.steps import Step
from widgets.answering import answer_while_cells_run
from widgets.export import EXPORTS, exported, file_name
from widgets.jobs import Event, Failed, Finished, Job, Started, Stepped, Stopped
from widgets.live_figure import LiveFigure, Point, display_with_picture

__all__ = ["Panel"]

Picture = Callable[..., go.Figure]
_REDRAW_SECONDS = 0.04  # faster than this the eye gains nothing and the browser falls behind
_STATUS_SECONDS = 0.1
_PATIENCE_SECONDS = 0.15
_FIRST_RUN_SECONDS = 10.0  # how long showing a panel waits for its first result
_FITTING, _WAITING = "fitting …", "press Run to compute this picture"
# Cell → the execution that made panels in it last, and those panels.
_panels_of_cell: dict[str, tuple[str, weakref.WeakSet[Panel]]] = {}


def _cell_and_execution() -> tuple[str | None, str]:
    """The notebook cell being run, if the front end tells, and which of its executions this is."""
    from IPython import get_ipython

    shell = get_ipython()  # type: ignore[no-untyped-call]
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id", "")


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 60 else f"{int(value) // 60} min {int(value) % 60:02d} s"


def _no_picture(words: str) -> go.Figure:
    """Words in place of a picture: axes without numbers would look like a result."""
    return house_figure(words, "", "", xaxis_visible=False, yaxis_visible=False)


def _jsonable(name: str, value: Any) -> Any:
    """The value of a control as JSON keeps it."""
    try:
        return json.loads(json.dumps(value, default=lambda item: item.item()))
    except (TypeError, ValueError, AttributeError) as error:
        raise TypeError(f"the control {name!r} has the value {value!r}, which JSON cannot keep") from error


class Panel(ipw.VBox):
    """Controls and pictures that follow them.

    Parameters
    ----------
    title
        Stands above the panel and names its exported files.
    controls
        Name → widget with a ``value``. The names are the keyword arguments of ``compute``. A widget's ``tooltip``
        becomes a line under its name.
    compute
        ``compute(**settings)`` gives a stream of :class:`semwork.steps.Step`. It runs in the background; a change
        of any control starts it anew.
    pictures
        A function from a step to a plotly figure, or a mapping of several by name.
    code
        ``code(**settings)`` gives the Python that computes the same without a widget.
    live
        Whether a change of a control runs at once. If not, only the Run button does.
    views
        Name → widget with a ``value``: controls of the drawing alone. A change draws the last step again and computes
        nothing; every picture is called as ``picture(step, **views)``.
    views_first
        Whether the views stand above the other controls.

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
        self.figures = {
            name: LiveFigure(
                _no_picture(_FITTING if live else _WAITING),
                alt=f"{title}: {name}" if len(self._pictures) > 1 else title,
            )
            for name in self._pictures
        }
        self.error: BaseException | None = None
        self.last_step: Any = None
        self._step_of: Stepped | None = None
        self._drawn: Stepped | None = None
        self._drawn_views: dict[str, Any] = {}
        self._busy_run = 0
        self._patience = threading.Timer(0, lambda: None)
        self._drawn_at = self._told_at = float("-inf")
        self._draw_seconds = 0.0
        self._quiet = threading.local()
        self._restoring = False
        super().__init__(self._parts())
        self.add_class("semwork-panel")
        for name, control in self.controls.items():
            control.observe(self._view_changed if name in self._views else self._changed, names="value")
        answer_while_cells_run(self)
        self._replace_older_self()
        if live:
            self.run()

    # --- parts ----------------------------------------------------------------------------------------------

    def _parts(self) -> list[Any]:
        self._status = ipw.HTML("Ready.").add_class("semwork-status")
        self._progress = ipw.FloatProgress(0, min=0, max=1, layout=ipw.Layout(width="120px", height="14px"))
        self._run_button = self._button("Run", self.run, "Compute with the settings shown", icon="play")
        self._stop_button = self._button("Stop", self.stop, "End the run after its current step", icon="stop")
        self._stop_button.disabled = True
        self._drawer_text = ipw.Textarea(layout=ipw.Layout(width="calc(100% - 6px)"))
        self._drawer_apply = self._button("Apply", self._apply_drawer, "Set the controls to this state")
        self._drawer = ipw.VBox([self._drawer_text, self._drawer_apply], layout=ipw.Layout(display="none"))
        self._drawer.add_class("semwork-drawer")
        self._drawer_holds: str | None = None
        self._drawer_given = ""
        rows = [ipw.VBox([ipw.HTML(self._label(name, control)), control]) for name, control in self.controls.items()]
        run_line = ipw.HBox([self._run_button, self._stop_button, self._progress, self._status])
        exports = [self._button(kind.upper(), lambda k=kind: self._save(k), tip) for kind, tip in EXPORTS.items()]
        code = self._button("Copy code", self._show_code, "The Python that gives this result without the panel")
        code.disabled = self._code is None
        state = self._button("State", self._show_state, "The settings as JSON: keep them, share them, apply others")
        tools = ipw.HBox([ipw.Label("Export:"), *exports, code, state])
        for part in (run_line, tools):
            part.add_class("semwork-tools")
        body = ipw.Box(
            [
                ipw.VBox(rows).add_class("semwork-controls"),
                ipw.VBox(list(self.figures.values())).add_class("semwork-pictures"),
            ]
        ).add_class("semwork-body")
        heading = ipw.HTML(f'<div class="semwork-title" role="heading" aria-level="3">{html.escape(self.title)}</div>')
        # Above the pictures: below them, Stop and words about an error would be out of sight in a long panel.
        return [heading, run_line, body, tools, self._drawer]

    @staticmethod
    def _label(name: str, control: Any) -> str:
        shown = control.description or name.replace("_", " ")
        control.description, control.layout.width = "", "auto"  # as wide as the column, with its margins
        # The visible name stands above the control; a screen reader gets it from the tooltip.
        note = control.tooltip or ""
        control.tooltip = f"{shown}: {note}" if note else shown
        small = f"<br><small>{html.escape(note)}</small>" if note else ""
        return f'<div class="semwork-control-name">{html.escape(shown)}{small}</div>'

    def _button(self, text: str, action: Callable[[], object], tooltip: str, icon: str = "") -> ipw.Button:
        button = ipw.Button(description=text, tooltip=tooltip, icon=icon)
        button.on_click(lambda _: self.guarded(action))
        return button

    # --- running --------------------------------------------------------------------------------------------

    @property
    def settings(self) -> dict[str, Any]:
        """The controls' values by name."""
        return {name: control.value for name, control in self.controls.items()}

    def run(self) -> None:
        """Compute with the settings of this moment, in the background."""
        with self.job.quiet():  # the error of an older run must not come in between
            self.error = None
            self.job.submit(self.settings)

    def stop(self) -> None:
        """End the run after its current step; what is drawn stays."""
        with self.job.quiet():
            if self.job.stop():
                self._tell("Stopping after this step …")

    def wait(self, timeout: float | None = 60) -> None:
        """Wait for the run and raise its error, if it had one: this is how a test or a script sees it."""
        self.job.wait(timeout)

    def close(self) -> None:
        """Stop and take the panel away."""
        self.job.close()
        super().close()

    def _changed(self, _: Any) -> None:
        if self.live and not self._setting:
            self.guarded(self.run)

    def _view_changed(self, _: Any) -> None:
        if not self._setting:
            self.guarded(self.redraw)

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

    @property
    def restoring(self) -> bool:
        """Whether a state is being restored: then controls must not set each other."""
        return self._restoring

    def redraw(self) -> None:
        """Draw the last step again, with the views of this moment."""
        with self.job.quiet():
            self._drawn = None
            self._draw_last()

    def guarded(self, action: Callable[[], object]) -> None:
        """Do what a handler does; an exception becomes words in the panel instead of vanishing."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - anything a handler raises must reach the reader
            self.job.errors.append(error)
            self._show_error(error)

    def on_click(self, handler: Callable[[list[Point]], object], figure: str | None = None) -> None:
        """Call ``handler`` with clicked points (of the first figure, or the one named)."""
        target = self.figures[figure] if figure else next(iter(self.figures.values()))
        target.on_click(lambda points: self.guarded(lambda: handler(points)))

    def _replace_older_self(self) -> None:
        """A cell that is run again makes new panels: the work of the old ones must not go on behind them."""
        cell, execution = _cell_and_execution()
        if cell is None:
            return
        before, panels = _panels_of_cell.get(cell, (execution, weakref.WeakSet()))
        if before != execution:
            for older in panels:
                older.job.close()
            panels = weakref.WeakSet()
        panels.add(self)
        _panels_of_cell[cell] = (execution, panels)

    # --- events of the job ------------------------------------------------------------------------------------

    # A run that is over in a blink sends two messages: the picture and the last words. Only one that takes longer
    # says that it is running, enables Stop and moves the bar. Every message saved is a millisecond for the picture.

    def _on_event(self, event: Event) -> None:
        if not isinstance(event, (Started, Stepped)):
            self._patience.cancel()
            self._busy_run = 0
        if isinstance(event, Stepped):
            self._on_step(event)
        elif isinstance(event, Started):
            self._say_in_pictures(_FITTING)
            self._patience = threading.Timer(_PATIENCE_SECONDS, self._still_running, [event.run])
            self._patience.daemon = True
            self._patience.start()
        elif isinstance(event, Failed):
            self._ended("danger")
            self._say_in_pictures("no picture: the run did not work")
            self._show_error(event.error)
        elif isinstance(event, (Finished, Stopped)):
            self._draw_last()
            finished = isinstance(event, Finished)
            self._ended("success" if finished else "warning")
            own = self._step_of if self._step_of and self._step_of.run == event.run else None
            self._say_in_pictures("no picture: the run has ended without a step")
            before = "; the picture is of earlier settings" if self._step_of else ""
            said = own.step.message if own else f"without a step{before}"
            word = "Done" if finished else "Stopped"
            self._tell(f"<b>{word}</b> after {_seconds(event.seconds)}{' · ' + html.escape(said) if said else ''}")

    def _still_running(self, run: int) -> None:
        """Say that the run is on its way, unless it is over by now."""
        with self.job.quiet():
            if self.job.current == run:
                self._busy_run = run
                self._stop_button.disabled = False
                self._progress.bar_style = "info"
                self._progress.value = 0
                self._tell("Running …")

    def _on_step(self, event: Stepped) -> None:
        self.last_step, self._step_of = event.step, event
        now = time.perf_counter()
        # Pictures that take long to make may take half of the time, not all of it.
        if now - self._drawn_at >= max(_REDRAW_SECONDS, self._draw_seconds):
            self._draw_last()
        if self._busy_run == event.run and now - self._told_at >= _STATUS_SECONDS:
            self._progress.value = event.step.fraction or 0
            left = f" · about {_seconds(event.left)} left" if event.left and event.left >= 1 else ""
            of = f" of {event.step.total}" if event.step.total else ""
            self._tell(f"Step <b>{event.step.done}</b>{of}{left} · {html.escape(event.step.message)}")

    def _draw_last(self) -> None:
        event = self._step_of
        if event is None or event is self._drawn:
            return
        begin = time.perf_counter()
        views = {name: self.controls[name].value for name in self._views}
        for name, picture in self._pictures.items():
            self.figures[name].update(picture(event.step, **views))
        self._drawn, self._drawn_views = event, views
        self._drawn_at = time.perf_counter()
        self._draw_seconds = self._drawn_at - begin
        self._refresh_drawer()

    def _say_in_pictures(self, words: str) -> None:
        """Show words in place of the pictures, as long as none has been drawn."""
        if self._step_of is None:
            for live in self.figures.values():
                live.update(_no_picture(words))

    def _ended(self, bar_style: str) -> None:
        self._stop_button.disabled = True
        self._progress.bar_style = bar_style
        if bar_style == "success":
            self._progress.value = 1

    def _tell(self, words: str) -> None:
        self._told_at = time.perf_counter()
        self._status.value = words

    def _show_error(self, error: BaseException) -> None:
        self.error = error
        where = "".join(traceback.format_exception(error))
        words = f"no such key: {error}" if isinstance(error, KeyError) else str(error) or type(error).__name__
        self._tell(
            f'<div class="semwork-error" role="alert"><b>This did not work.</b> {html.escape(words)}'
            f"<details><summary>{type(error).__name__}: details for a bug report</summary>"
            f"<pre>{html.escape(where)}</pre></details></div>"
        )

    # --- state, code, export ------------------------------------------------------------------------------------

    @property
    def state(self) -> dict[str, Any]:
        """The settings as a small dictionary that survives JSON; assign one to restore it."""
        return {"panel": self.title, "version": 1, "settings": {k: _jsonable(k, v) for k, v in self.settings.items()}}

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        if not isinstance(state, Mapping) or not isinstance(state.get("settings"), Mapping):
            raise TypeError('a state looks like {"panel": …, "version": 1, "settings": {…}}; this one has no settings')
        if state.get("version", 1) != 1:
            raise ValueError(f"the state has version {state['version']!r}; this semwork reads version 1")
        if state.get("panel", self.title) != self.title:
            raise ValueError(f"the state is of the panel {state['panel']!r}; this one is {self.title!r}")
        unknown = sorted(set(state["settings"]) - set(self.controls))
        if unknown:
            raise ValueError(
                f"the state sets {unknown}, which this panel does not have; it has {sorted(self.controls)}"
            )
        before, self._restoring = self.settings, True
        try:
            with self.together():
                # What a view can show depends on the other controls: these come first.
                for name in sorted(state["settings"], key=self._views.__contains__):
                    self._set_control(name, state["settings"][name])
        except Exception:
            with self.together():
                for name, value in before.items():
                    self.controls[name].value = value
            raise
        finally:
            self._restoring = False
        (self._changed if self.live else self._view_changed)(None)

    def _set_control(self, name: str, value: Any) -> None:
        control = self.controls[name]
        given = tuple(value) if isinstance(value, list) and isinstance(control.value, tuple) else value
        try:
            control.value = given
        except Exception as error:
            raise ValueError(f"the control {name!r} cannot take {value!r}: {error}") from error
        if _jsonable(name, control.value) != _jsonable(name, given):
            raise ValueError(f"the control {name!r} cannot take {value!r}; the nearest it has is {control.value!r}")

    @property
    def code(self) -> str:
        """Python that computes what the panel shows, without the panel."""
        if self._code is None:
            raise ValueError("this panel was made without a code template (its `code` argument)")
        return self._code(**self._shown_settings)

    @property
    def _shown_settings(self) -> Mapping[str, Any]:
        """The settings of the picture; the controls may be ahead of it."""
        return {**self._drawn.settings, **self._drawn_views} if self._drawn else self.settings

    def export(self, kind: str) -> tuple[str, bytes, str]:
        """Return file name, content and MIME type: ``html``, ``csv``, ``png`` or ``svg``."""
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
        self._toggle_drawer("code", self.code)

    def _show_state(self) -> None:
        text = self._state_text()
        self._first.copy_text(text)
        self._toggle_drawer("state", text)

    def _state_text(self) -> str:
        return json.dumps(self.state, indent=2, ensure_ascii=False)

    def _refresh_drawer(self) -> None:
        """Keep an open box true to the pictures; what the reader has typed into it stays."""
        if self._drawer_holds is None or self._drawer_text.value != self._drawer_given:
            return
        try:
            text = self.code if self._drawer_holds == "code" else self._state_text()
        except Exception as error:  # noqa: BLE001 - code that cannot be written must not end the run that is drawn
            text = f"# {error}"
        self._drawer_text.value = self._drawer_given = text

    def _toggle_drawer(self, holds: str, text: str) -> None:
        self._drawer_holds = None if self._drawer_holds == holds else holds
        self._drawer_text.value = self._drawer_given = text
        self._drawer_apply.layout.display = "" if holds == "state" else "none"
        self._drawer.layout.display = "" if self._drawer_holds else "none"

    def _apply_drawer(self) -> None:
        try:
            state = json.loads(self._drawer_text.value)
        except json.JSONDecodeError as error:
            raise ValueError(f"this is not JSON ({error}); press State to see how a state looks") from error
        self._drawer_given = self._drawer_text.value
        self.state = state

    # --- display ----------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"Panel({self.title!r}: {settings})"

    def _ipython_display_(self) -> None:
        display_with_picture(self, self._picture_of_first_run)

    def _picture_of_first_run(self) -> bytes:
        """Wait a little for the run, so that the saved picture shows its result; a failed run fails the cell."""
        with contextlib.suppress(TimeoutError):
            self.wait(_FIRST_RUN_SECONDS)
        return stacked_picture([live.figure for live in self.figures.values()])

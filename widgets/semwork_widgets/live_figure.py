"""A plotly figure that is light enough for a notebook full of them.

``plotly.graph_objects.FigureWidget`` sends 5 MB of JavaScript with every single figure. A :class:`LiveFigure`
sends a few kilobytes: plotly.js comes once per page (gzipped, 1.5 MB) and all figures share it. Updates are one
message that holds only what changed, arrays as binary.
"""

from __future__ import annotations

import functools
import gzip
import pathlib
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anywidget
import plotly
import plotly.graph_objects as go
import traitlets
from IPython.display import display
from plotly.offline import get_plotlyjs

from semwork.plots import PLOTLY_CONFIG, static_picture
from semwork_widgets.answering import answer_while_cells_run
from semwork_widgets.encoding import change, figure_state, packed

__all__ = ["LiveFigure", "Point", "display_with_picture"]

_WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


class _PlotlySender:
    """Gives plotly.js to whoever needs it: to the kernel's first figure unasked, to each page once when asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pushed_at: float | None = None
        self._answered: dict[str, float] = {}

    @functools.cached_property
    def content(self) -> bytes:
        with self._lock:
            return gzip.compress(get_plotlyjs().encode(), compresslevel=6, mtime=0)

    def push(self, figure: LiveFigure) -> None:
        """Send it with the first figure, from a thread of its own: compressing takes a moment."""
        if self._pushed_at is None:
            self._pushed_at = time.monotonic()
            threading.Thread(target=self.send, args=[figure], name="semwork-plotly", daemon=True).start()

    def answer(self, figure: LiveFigure, page: str) -> None:
        """Send it to a page that asks; questions that waited in a queue are answered together."""
        now = time.monotonic()
        if self._pushed_at is not None and now - self._pushed_at < _PUSH_ARRIVES_SECONDS:
            return  # it is on its way; a page that does not get it asks again
        if now - self._answered.get(page, float("-inf")) > _ANSWER_AGAIN_SECONDS:
            self._answered[page] = now
            self.send(figure)

    def send(self, figure: LiveFigure) -> None:
        figure.send({"kind": "plotly"}, [self.content])


_ANSWER_AGAIN_SECONDS = 14
_PUSH_ARRIVES_SECONDS = 2.5
_plotly_sender = _PlotlySender()


@dataclass(frozen=True)
class Point:
    """One point of a figure that was clicked, hovered or selected.

    Attributes
    ----------
    trace : int
        Its number in the figure.
    index : int or None
        The number of the point in its trace.
    name : str or None
        That of the trace.
    x, y, z : object
        Where it is, as plotly has it.
    customdata : object
        What the figure keeps with the point.
    """

    trace: int
    index: int | None
    name: str | None
    x: Any
    y: Any
    z: Any
    customdata: Any


def display_with_picture(widget: Any, picture: Callable[[], bytes]) -> None:
    """Show a widget at once, then a static picture of it.

    The picture is what GitHub and a notebook without a kernel show; a living figure hides it.
    """
    display({_WIDGET_MIME: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}}, raw=True)  # type: ignore[no-untyped-call] # IPython
    # The widget is on the page by now: if the picture fails, the cell says why and the figure stays.
    display({"image/png": picture(), "text/plain": repr(widget)}, raw=True)  # type: ignore[no-untyped-call]


class LiveFigure(anywidget.AnyWidget):
    """Show a plotly figure and change it in place.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure or None
        Any plotly figure; an empty one by default.
    alt : str
        What a screen reader says before the figure's title.

    Examples
    --------
    >>> import plotly.graph_objects as go
    >>> live = LiveFigure(go.Figure(go.Scatter(y=[1, 2, 3])))
    >>> live.update(go.Figure(go.Scatter(y=[3, 2, 1])))  # one message, only the new y
    >>> live.revision
    1
    """

    _esm = pathlib.Path(__file__).with_name("live_figure.js")
    _css = pathlib.Path(__file__).with_name("style.css")
    _id = traitlets.Unicode().tag(sync=True)
    _events = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _plotly_version = traitlets.Unicode(plotly.__version__).tag(sync=True)
    # The value never changes; its serialiser gives the figure of the moment, so that a page that is opened
    # later, or again, starts from what the kernel has now.
    _figure = traitlets.Bool(True).tag(sync=True, to_json=lambda _, self: self._full_state())

    def __init__(self, figure: go.Figure | None = None, *, alt: str = "") -> None:
        self._lock = threading.RLock()
        self._source = go.Figure() if figure is None else figure
        self._state = figure_state(self._source)
        self._alt = alt
        self.revision = 0
        self._handlers: dict[str, list[Callable[[Any], object]]] = {}
        self.clipboard_allowed: bool | None = None
        super().__init__(_id=uuid.uuid4().hex)
        self.on_msg(self._receive)
        answer_while_cells_run(self)
        _plotly_sender.push(self)

    # --- the figure -----------------------------------------------------------------------------------------

    @property
    def figure(self) -> go.Figure:
        """The plotly figure shown now. Change a copy and pass it to :meth:`update`."""
        return self._source

    def update(self, figure: go.Figure, alt: str | None = None) -> None:
        """Show another figure, sending only what differs, in one message. Safe from any thread.

        Parameters
        ----------
        figure : plotly.graph_objects.Figure
            What is shown from now on.
        alt : str or None
            What a screen reader says before its title from now on; ``None`` leaves it as it is.
        """
        state = figure_state(figure)
        with self._lock:
            said, self._alt = self._alt, self._alt if alt is None else alt
            old, self._state, self._source = self._state, state, figure
            before = old["data"] + [{}] * len(state["data"])
            data = [change(was, now) for was, now in zip(before, state["data"], strict=False)]
            layout = change(old["layout"], state["layout"])
            if layout is None and len(old["data"]) == len(data) and not any(data) and said == self._alt:
                return
            self.revision += 1
            body, buffers = packed({"data": data, "layout": layout or {"set": {}, "drop": []}})
            self.send({"kind": "patch", "revision": self.revision, "alt": self._alt, **body}, buffers)

    def restore(self) -> None:
        """Draw the same figure again, so that a shape that the reader has dragged goes back to its place."""
        with self._lock:
            self.revision += 1
            nothing: dict[str, Any] = {"set": {}, "drop": []}
            body = {"data": [None] * len(self._state["data"]), "layout": nothing}
            self.send({"kind": "patch", "revision": self.revision, "alt": self._alt, **body}, [])

    def _full_state(self) -> dict[str, Any]:
        with self._lock:
            state, buffers = packed(
                {**self._state, "revision": self.revision, "alt": self._alt, "config": PLOTLY_CONFIG}
            )
            return {"state": state, "buffers": buffers}

    # --- what the reader does ---------------------------------------------------------------------------------

    def _receive(self, _: Any, message: Mapping[str, Any], __: Any) -> None:
        kind = message.get("kind")
        if kind == "plotly?":
            _plotly_sender.answer(self, str(message.get("page")))
        elif kind == "hello":
            with self._lock:  # no update may come between taking the figure and sending it
                if message.get("revision") != self.revision:
                    full = self._full_state()
                    self.send({"kind": "figure", "state": full["state"]}, full["buffers"])
        elif kind == "copied":
            self.clipboard_allowed = bool(message["ok"])
        elif kind == "event":
            self._dispatch(message)

    def _dispatch(self, message: Mapping[str, Any]) -> None:
        name = message["name"]
        given: Any = message["changes"] if name == "plotly_relayout" else [Point(**p) for p in message["points"]]
        for handler in self._handlers.get(name, []):
            handler(given)

    def _listen(self, name: str, handler: Callable[[Any], object]) -> None:
        self._handlers.setdefault(name, []).append(handler)
        self._events = sorted(self._handlers)

    def on_click(self, handler: Callable[[list[Point]], object]) -> None:
        """Call ``handler`` with the points that are clicked.

        Parameters
        ----------
        handler : callable
            It takes a list of `Point`.
        """
        self._listen("plotly_click", handler)

    def on_hover(self, handler: Callable[[list[Point]], object]) -> None:
        """Call ``handler`` with the points under the mouse.

        Parameters
        ----------
        handler : as in `on_click`
        """
        self._listen("plotly_hover", handler)

    def on_select(self, handler: Callable[[list[Point]], object]) -> None:
        """Call ``handler`` with the points inside a box or lasso; an empty list when it is lifted.

        Parameters
        ----------
        handler : as in `on_click`
        """
        self._listen("plotly_selected", handler)

    def on_relayout(self, handler: Callable[[dict[str, Any]], object]) -> None:
        """Call ``handler`` with what a zoom or a dragged shape changed, in plotly's own words.

        Parameters
        ----------
        handler : callable
            It takes a dict of str to object.
        """
        self._listen("plotly_relayout", handler)

    def on_enter(self, handler: Callable[[list[Point]], object]) -> None:
        """Call ``handler`` when the mouse, or the focus of the keyboard, comes to the panel around the figure.

        Parameters
        ----------
        handler : callable
            It takes an empty list.
        """
        self._listen("entered", handler)

    # --- to the reader's disk and clipboard ---------------------------------------------------------------------

    def save_file(self, name: str, content: bytes, mime: str) -> None:
        """Let the browser save ``content`` under ``name``.

        Parameters
        ----------
        name : str
            The file's name, with its ending.
        content : bytes
            What the file has.
        mime : str
            Its type, such as ``"text/csv"``.
        """
        self.send({"kind": "save", "name": name, "type": mime}, [content])

    def save_image(self, name: str, image_format: str = "png", *, width: int = 900, height: int = 500) -> None:
        """Let the browser draw the figure as ``png`` or ``svg`` and save it under ``name``.

        Parameters
        ----------
        name : str
            The file's name, with its ending.
        image_format : {"png", "svg"}, default="png"
            What is drawn.
        width, height : int
            In pixels.
        """
        self.send({"kind": "image", "name": name, "format": image_format, "width": width, "height": height})

    def copy_text(self, text: str) -> None:
        """Put ``text`` on the reader's clipboard, if the browser allows.

        Parameters
        ----------
        text : str
            What is copied.
        """
        self.send({"kind": "copy", "text": text})

    # --- display ----------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        title = self._source.layout.title.text
        return f"LiveFigure({title or 'untitled'}: {len(self._source.data)} traces)"

    def _ipython_display_(self) -> None:
        display_with_picture(self, lambda: static_picture(self._source))

"""What a panel looks like: its heading, the line with Run and Stop, controls beside pictures, the tools below."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import ipywidgets as ipw

from semwork_widgets.export import EXPORTS

__all__ = ["Parts", "laid_out", "named"]

Action = Callable[[], object]
Tools = Mapping[str, tuple[str, Action | None]]


@dataclass(frozen=True)
class Parts:
    """The widgets of a panel that change while it is used."""

    status: Any = field(default_factory=lambda: ipw.HTML("Ready.").add_class("semwork-status"))
    progress: Any = field(
        default_factory=lambda: ipw.FloatProgress(0, min=0, max=1, layout=ipw.Layout(width="120px", height="14px"))
    )
    run: Any = field(
        default_factory=lambda: ipw.Button(
            description="Run", tooltip="Compute with the settings shown", icon="play", disabled=False
        )
    )
    stop: Any = field(
        default_factory=lambda: ipw.Button(
            description="Stop", tooltip="End the run after its current step", icon="stop", disabled=True
        )
    )
    box_text: Any = field(default_factory=lambda: ipw.Textarea(layout=ipw.Layout(width="calc(100% - 6px)")))
    box_apply: Any = field(
        default_factory=lambda: ipw.Button(description="Apply", tooltip="Set the controls to this state")
    )
    box: Any = field(default_factory=lambda: ipw.VBox(layout=ipw.Layout(display="none")).add_class("semwork-drawer"))


def laid_out(
    title: str,
    parts: Parts,
    controls: Iterable[Any],
    figures: Iterable[Any],
    tools: Tools,
    press: Callable[[Any, Action], None],
) -> list[Any]:
    """Return the rows of a panel.

    Parameters
    ----------
    title : str
        Its heading.
    parts : Parts
        What changes in it.
    controls : iterable of Widget
        Rows of the column of controls.
    figures : iterable of Widget
        From top to bottom.
    tools : mapping of str to tuple of (str, callable or None)
        Words on a button → its tooltip, and what it does; ``None`` for one that cannot be pressed.
    press : callable
        ``press(button, action)`` lets a button do it.
    """
    line = ipw.HBox([parts.run, parts.stop, parts.progress, parts.status]).add_class("semwork-tools")
    buttons = []
    for words, (tooltip, action) in tools.items():
        button = ipw.Button(description=words, tooltip=tooltip, disabled=action is None)
        if action is not None:
            press(button, action)
        buttons.append(button)
    below = ipw.HBox([ipw.Label("Export:"), *buttons]).add_class("semwork-tools")
    parts.box.children = [parts.box_text, parts.box_apply]
    body = ipw.Box(
        [
            ipw.VBox(list(controls)).add_class("semwork-controls"),
            ipw.VBox(list(figures)).add_class("semwork-pictures"),
        ]
    ).add_class("semwork-body")
    heading = ipw.HTML(f'<div class="semwork-title" role="heading" aria-level="3">{html.escape(title)}</div>')
    # Above the pictures: below them, Stop and words about an error would be out of sight in a long panel.
    return [heading, line, body, below, parts.box]


def tools_of(
    export: Callable[[str], object], code: Action | None, state: Action
) -> dict[str, tuple[str, Action | None]]:
    """Return the buttons below a panel."""
    tools: dict[str, tuple[str, Action | None]] = {
        kind.upper(): (tip, partial(export, kind)) for kind, tip in EXPORTS.items()
    }
    tools["Copy code"] = ("The Python that gives this result without the panel", code)
    return tools | {"State": ("The settings as JSON: keep them, share them, apply others", state)}


def named(name: str, control: Any, mark: str = "") -> Any:
    """Return a row: the control's name and a line about it above, the control, and a mark below."""
    shown = control.description or name.replace("_", " ")
    control.description, control.layout.width = "", "auto"  # as wide as the column, with its margins
    # The visible name stands above the control; a screen reader gets it from the tooltip.
    note = control.tooltip or ""
    control.tooltip = f"{shown}: {note}" if note else shown
    small = f"<br><small>{html.escape(note)}</small>" if note else ""
    label = ipw.HTML(f'<div class="semwork-control-name">{html.escape(shown)}{small}</div>')
    return ipw.VBox([label, control, *([ipw.HTML(mark)] if mark else [])])

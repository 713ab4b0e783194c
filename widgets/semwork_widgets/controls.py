"""Controls made from declared parameters: a slider with a box for exact values, buttons, lists, texts."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets as ipw
import numpy as np
import traitlets

from semwork import datasets
from semwork.studies.settings import Parameter

__all__ = ["GridSlider", "Growing", "GrowingBox", "choice_of_data", "control_for", "mark_of", "offer", "refit"]

_MOST_STOPS = 500  # a slider with more stops cannot be set to one of them with a mouse
_MOST_BUTTONS = 3  # choices that stand side by side as buttons


class Growing(ipw.IntSlider):
    """A slider whose end belongs to the data or to the step that is drawn: a value beyond the end moves it.

    Parameters
    ----------
    value : int
        The first one.
    follows : bool
        Whether it goes through the steps of a run: it grows with the run, and follows it while it stands at its end.
    """

    def __init__(self, value: int, *, follows: bool = False, **more: Any) -> None:
        self.follows = follows
        super().__init__(value, **more)

    @traitlets.validate("value")
    def _validate_value(self, proposal: Any) -> int:
        # One stop more for a run: a place in the middle of a longer one is no place at its end.
        return _with_room(self, proposal["value"], int(self.follows))

    def reach(self, end: int, *, over: bool = False) -> None:
        """Let the slider go so far; one that follows a run becomes shorter only when the run is over."""
        if not self.follows:
            self.max = max(end, self.min)
        elif end > self.max:
            follow = self.value == self.max
            self.max = end
            if follow:
                self.set_trait("value", end)
        elif over:
            self.max = max(end, self.min)


class GrowingBox(ipw.BoundedIntText):
    """A box whose end belongs to the data or to the step that is drawn: a value beyond the end moves it."""

    @traitlets.validate("value")
    def _validate_value(self, proposal: Any) -> int:
        return _with_room(self, proposal["value"])


def _with_room(control: Any, value: int, more: int = 0) -> int:
    """Let a control take a value: a state of a longer run, or of larger data, may be restored before they are there."""
    if value > control.max:
        control.max = value + more
    return max(int(value), int(control.min))


class GridSlider(ipw.HBox):
    """A slider that stops at given values, and a box beside it for any value between two bounds.

    Parameters
    ----------
    value : int or float
        The first one.
    grid : tuple of int or float
        Where the slider stops, in rising order.
    low, high : int or float
        Bounds of what may be typed.
    whole : bool
        Whether only whole numbers may be typed.
    """

    value = traitlets.Any()
    # These two are for the panel: the browser's box has no description, and fails over a tooltip without one.
    description = traitlets.Unicode()
    tooltip = traitlets.Unicode(allow_none=True)

    def __init__(self, value: Any, grid: tuple[Any, ...], low: float, high: float, *, whole: bool = False) -> None:
        self.grid, self.low, self.high = grid, low, high
        self._type = int if whole else float
        self._slider = ipw.SelectionSlider(
            options=[(f"{stop:g}", stop) for stop in grid],
            value=self._nearest(value),
            readout=False,
            layout=ipw.Layout(flex="1 1 auto", width="auto", min_width="0"),
        )
        number = ipw.BoundedIntText if whole else ipw.BoundedFloatText
        self._box = number(value, min=low, max=high, layout=ipw.Layout(width="76px", flex="0 0 76px"))
        self._setting = False
        super().__init__([self._slider, self._box])
        self.value = value
        self._slider.observe(self._slid, names="value")
        self._box.observe(self._typed, names="value")
        self.observe(self._told, names="tooltip")

    @traitlets.validate("value")
    def _validate_value(self, proposal: Any) -> Any:
        given = proposal["value"]
        if not isinstance(given, int | float) or isinstance(given, bool) or not self.low <= given <= self.high:
            raise traitlets.TraitError(f"{given!r} is not a number from {self.low:g} to {self.high:g}")
        return self._type(given)

    @traitlets.observe("value")
    def _shown(self, _: Any) -> None:
        if hasattr(self, "_box"):
            self._setting = True
            try:
                self._slider.value = self._nearest(self.value)
                self._box.value = self.value
            finally:
                self._setting = False

    def _nearest(self, value: float) -> Any:
        return min(self.grid, key=lambda stop: abs(stop - value))

    def _slid(self, change: Any) -> None:
        if not self._setting:
            self.value = change["new"]

    def _typed(self, change: Any) -> None:
        if not self._setting:
            self.value = change["new"]

    def _told(self, change: Any) -> None:
        self._slider.tooltip = change["new"]
        self._box.tooltip = f"{change['new'].split(':')[0]}, exactly: {self.low:g} to {self.high:g}"


def control_for(parameter: Parameter, mark: str = "") -> Any:
    """Return the control of a parameter; without a ``mark`` its tooltip names the paper's value."""
    one, words = parameter, {"description": parameter.symbol, "tooltip": _told_of(parameter, mark)}
    if one.kind in ("real", "whole"):
        return _number(one, words)
    if one.kind == "switch":
        return ipw.Checkbox(one.default, indent=False, **words)
    if one.kind == "text":
        return _text(one, words)
    options = _offered(one)
    if one.kind == "several":
        chosen = tuple(value for value in one.default if _is_here(one, value))
        return ipw.SelectMultiple(options=options, value=chosen, rows=len(options), **words)
    if one.shown == "slider":
        return ipw.SelectionSlider(options=options, value=one.default, **words)
    if one.shown == "buttons" or (not one.shown and len(options) <= _MOST_BUTTONS):
        return ipw.ToggleButtons(options=options, value=one.default, style={"button_width": _width(options)}, **words)
    return ipw.Dropdown(options=options, value=one.default, **words)


def _told_of(one: Parameter, mark: str) -> str:
    """What it does, and the paper's value where no mark shows that."""
    paper = "" if one.paper is None or mark else f"the paper has {one.paper}"
    return "; ".join(part for part in (one.says, paper) if part)


def _number(one: Parameter, words: dict[str, str]) -> Any:
    given = {} if one.at_once is None else {"continuous_update": one.at_once}
    low, high = ((0 if end is one.low else one.default) if callable(end) else end for end in (one.low, one.high))
    if one.stops:
        control = GridSlider(one.default, one.stops, low, high, whole=one.kind == "whole")
        control.description, control.tooltip = words["description"], words["tooltip"]
        return control
    if one.kind == "real":
        step = 10 ** -len(f"{high - low:g}") / 10 if high - low < 1 else 0.001
        return ipw.FloatSlider(one.default, min=low, max=high, step=step, readout_format=".3f", **given, **words)
    if callable(one.high):
        ends: dict[str, Any] = {"min": low, "max": max(low, high)}
        if one.shown == "box":
            return GrowingBox(one.default, **ends, **words)
        return Growing(one.default, follows=one.follows, **ends, **given, **words)
    if one.shown == "box" or high - low > _MOST_STOPS:
        return ipw.BoundedIntText(one.default, min=low, max=high, **words)
    return ipw.IntSlider(one.default, min=low, max=high, **given, **words)


def _text(one: Parameter, words: dict[str, str]) -> Any:
    given: dict[str, Any] = {"continuous_update": bool(one.at_once), "placeholder": one.hint, **words}
    if one.options:
        return ipw.Combobox(value=one.default, options=[] if callable(one.options) else list(one.options), **given)
    if one.shown == "lines":
        return ipw.Textarea(one.default, rows=3, **given)
    return ipw.Text(one.default, **given)


def _is_here(one: Parameter, value: Any) -> bool:
    return all(datasets.available(name) for name in one.needs.get(value, ()))


def _offered(one: Parameter) -> list[Any]:
    """The choices that are here, with words for people where these differ from the values."""
    found = [(name, value) for name, value in one.choices.items() if _is_here(one, value)]
    return [value for _, value in found] if all(name == value for name, value in found) else found


def _width(options: list[Any]) -> str:
    """Two or three buttons to a line of the column."""
    longest = max(len(str(one[0] if isinstance(one, tuple) else one)) for one in options)
    return "70px" if len(options) == 3 and longest < 8 else "112px" if longest < 14 else "116px"


def choice_of_data(symbol: str, says: str, titles: Mapping[str, str]) -> Any:
    """Return the list from which data are chosen."""
    options = [(title, value) for value, title in titles.items()]
    return ipw.Dropdown(options=options, value=options[0][1], description=symbol, tooltip=says)


def offer(control: Any, titles: Mapping[str, str]) -> None:
    """Let the list of data have these; what is chosen stays if it is still there."""
    options = [(title, value) for value, title in titles.items()]
    if list(control.options) != options:
        before, control.options = control.value, options
        if before in titles:
            control.value = before


def refit(control: Any, parameter: Parameter, *, over: bool = False) -> None:
    """Let a control have the bounds and choices that its parameter has by now; a value that is allowed stays.

    ``over`` says that the run has ended, so that a slider that grows with it grows no more.
    """
    if isinstance(control, Growing):
        if not callable(parameter.high):
            control.reach(parameter.high, over=over)
    elif parameter.kind in ("choice", "text") and hasattr(control, "options") and not callable(parameter.options):
        _reoffer(control, parameter)
    elif parameter.kind == "whole" and hasattr(control, "max") and not callable(parameter.high):
        control.max = max(parameter.high, control.min)


def _reoffer(control: Any, parameter: Parameter) -> None:
    if isinstance(control, ipw.Combobox):
        offered: Any = list(parameter.options)
    else:
        offered = _offered(parameter)
    if list(control.options) != offered:
        before, control.options = control.value, offered
        if not isinstance(control, ipw.Combobox) and before in parameter.choices.values():
            control.value = before


def mark_of(parameter: Parameter) -> str:
    """Return a small sign under a slider where the paper's value is, or at the end that it lies beyond.

    Nothing where the paper has none, and where the end follows the data.
    """
    one = parameter
    if one.paper is None or one.kind not in ("real", "whole") or callable(one.high) or one.shown == "box":
        return ""
    stops = one.stops or (one.low, one.high)
    share = float(np.interp(one.paper, stops, np.linspace(0, 1, len(stops))))
    sign = "◂" if one.paper < stops[0] else "▸" if one.paper > stops[-1] else "▴"
    side = "left" if share < 0.5 else "right"
    place = 100 * (share if side == "left" else 1 - share)
    said = html.escape(f"the paper: {one.paper:g}")
    arrow = f"{sign} {said}" if side == "left" else f"{said} {sign}"
    return f'<div class="semwork-mark"><span style="{side}:{place:.1f}%">{arrow}</span></div>'

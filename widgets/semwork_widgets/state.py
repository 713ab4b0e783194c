"""The state of a panel: its settings as JSON, checked before any of them is applied."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["as_state", "jsonable", "set_control", "settings_in"]

_VERSION = 1


def jsonable(name: str, value: Any) -> Any:
    """Return the value of a control as JSON keeps it."""
    try:
        return json.loads(json.dumps(value, default=lambda item: item.item()))
    except (TypeError, ValueError, AttributeError) as error:
        raise TypeError(f"the control {name!r} has the value {value!r}, which JSON cannot keep") from error


def as_state(title: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a small dictionary that survives JSON."""
    kept = {name: jsonable(name, value) for name, value in settings.items()}
    return {"panel": title, "version": _VERSION, "settings": kept}


def settings_in(state: Any, title: str, known: Iterable[str]) -> Mapping[str, Any]:
    """Return the settings of a state, or say what is wrong with it."""
    if not isinstance(state, Mapping) or not isinstance(state.get("settings"), Mapping):
        raise TypeError('a state looks like {"panel": …, "version": 1, "settings": {…}}; this one has no settings')
    if state.get("version", _VERSION) != _VERSION:
        raise ValueError(f"the state has version {state['version']!r}; this semwork reads version {_VERSION}")
    if state.get("panel", title) != title:
        raise ValueError(f"the state is of the panel {state['panel']!r}; this one is {title!r}")
    unknown = sorted(set(state["settings"]) - set(known))
    if unknown:
        raise ValueError(f"the state sets {unknown}, which this panel does not have; it has {sorted(known)}")
    settings: Mapping[str, Any] = state["settings"]
    return settings


def set_control(name: str, control: Any, value: Any) -> None:
    """Set a control to a value from a state; say so if it cannot take it."""
    given = tuple(value) if isinstance(value, list) and isinstance(control.value, tuple) else value
    try:
        control.value = given
    except Exception as error:
        raise ValueError(f"the control {name!r} cannot take {value!r}: {error}") from error
    if jsonable(name, control.value) != jsonable(name, given):
        raise ValueError(f"the control {name!r} cannot take {value!r}; the nearest it has is {control.value!r}")

"""The box below a panel that shows code or the state, and takes a state."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from semwork_widgets.layout import Parts

__all__ = ["CodeBox"]

Holds = Literal["code", "state"]


class CodeBox:
    """A box that is opened with a text; what the reader has typed into it stays."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._holds: Holds | None = None
        self._given = ""

    def toggle(self, holds: Holds, text: str) -> None:
        """Open the box with this text, or close it if it holds the like."""
        self._holds = None if self._holds == holds else holds
        self._parts.box_text.value = self._given = text
        self._parts.box_apply.layout.display = "" if holds == "state" else "none"
        self._parts.box.layout.display = "" if self._holds else "none"

    def refresh(self, text_of: Callable[[Holds], str]) -> None:
        """Keep an open box true to the pictures."""
        if self._holds is None or self._parts.box_text.value != self._given:
            return
        try:
            text = text_of(self._holds)
        except Exception as error:  # noqa: BLE001 - code that cannot be written must not end the run that is drawn
            text = f"# {error}"
        self._parts.box_text.value = self._given = text

    def typed_state(self) -> Any:
        """Return the state that stands in the box."""
        try:
            state = json.loads(self._parts.box_text.value)
        except json.JSONDecodeError as error:
            raise ValueError(f"this is not JSON ({error}); press State to see how a state looks") from error
        self._given = self._parts.box_text.value
        return state

"""The few lines of TOML beside data of one's own: written here, read by Python's own reader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["toml_of"]


def toml_of(values: Mapping[str, Any]) -> str:
    """Write strings, numbers, booleans, lists of them and mappings of them as TOML.

    Parameters
    ----------
    values : mapping of str to Any
        What is written.

    Returns
    -------
    str

    Examples
    --------
    >>> print(toml_of({"name": "mine", "rows": 3, "facts": {"labels": ["a", "b"]}}), end="")
    name = "mine"
    rows = 3
    <BLANKLINE>
    [facts]
    labels = ["a", "b"]
    """
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    lines = [f"{_text(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in values.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{_text(key)}]", *(f"{_text(name)} = {_value(one)}" for name, one in value.items())]
    return "\n".join(lines) + "\n"


def _text(key: str) -> str:
    return key if key.isascii() and key.isidentifier() else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's strings are TOML's, but for one sign that TOML wants escaped, and halves of signs, which it has not.
        whole = value.encode("utf-8", "replace").decode()
        return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(str(name))} = {_value(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)

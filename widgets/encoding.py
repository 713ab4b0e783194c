"""Plotly figures as JSON plus binary buffers, and what changed between two of them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

__all__ = ["Array", "change", "figure_state", "packed"]


@dataclass(frozen=True)
class Array:
    """A numeric array inside a figure: plotly's type code, the shape, and the bytes."""

    dtype: str
    shape: tuple[int, ...]
    content: bytes


_ITEM_BYTES = {"f8": 8, "f4": 4, "i4": 4, "u4": 4, "i2": 2, "u2": 2, "i1": 1, "u1": 1}


def _arrays(value: Any) -> Any:
    """Replace plotly's base64 arrays by :class:`Array`, everywhere below ``value``."""
    if isinstance(value, dict):
        if "bdata" in value and value.get("dtype") in _ITEM_BYTES:
            content = base64.b64decode(value["bdata"])
            given = value.get("shape")
            shape = (
                tuple(int(n) for n in str(given).split(","))
                if given
                else (len(content) // _ITEM_BYTES[value["dtype"]],)
            )
            if len(shape) <= 2:
                return Array(value["dtype"], shape, content)
        return {key: _arrays(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return (
            [_arrays(item) for item in value]
            if any(isinstance(item, (dict, list, tuple)) for item in value)
            else list(value)
        )
    return value


def figure_state(figure: go.Figure) -> dict[str, Any]:
    """The figure as ``{"data": [...], "layout": {...}}`` with numeric arrays as :class:`Array`."""
    plain = figure.to_plotly_json()
    return {"data": [_arrays(trace) for trace in plain["data"]], "layout": _arrays(plain["layout"])}


def packed(value: Any) -> tuple[Any, list[memoryview]]:
    """Split into JSON with numbered holes and the buffers that fill them."""
    buffers: list[memoryview] = []

    def pack(item: Any) -> Any:
        if isinstance(item, Array):
            buffers.append(memoryview(item.content))
            return {"dtype": item.dtype, "shape": list(item.shape), "at": len(buffers) - 1}
        if isinstance(item, dict):
            return {key: pack(inner) for key, inner in item.items()}
        if isinstance(item, list):
            return [pack(inner) for inner in item]
        return item

    return pack(value), buffers


def change(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any] | None:
    """What turns ``old`` into ``new``: keys to set and keys to drop, or ``None`` when they are equal."""
    to_set = {key: value for key, value in new.items() if key not in old or old[key] != value}
    to_drop = [key for key in old if key not in new]
    return {"set": to_set, "drop": to_drop} if to_set or to_drop else None

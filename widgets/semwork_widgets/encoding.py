"""Plotly figures as JSON plus binary buffers, and what changed between two of them."""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

__all__ = ["Array", "change", "figure_state", "packed"]


@dataclass(frozen=True)
class Array:
    """A numeric array inside a figure: plotly's type code, the shape, and the bytes."""

    dtype: str
    shape: tuple[int, ...]
    content: bytes


_CODES = {
    "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "float32": "f4",
    "float64": "f8",
}  # fmt: skip
_ITEM_BYTES = {code: int(code[1]) for code in _CODES.values()}
_SMALLER = {"int64": ("int8", "int16", "int32"), "uint64": ("uint8", "uint16", "uint32")}
_NEVER_BINARY = ("range", "layer", "layers", "geojson")  # plotly wants lists there


def _decoded(value: dict[str, Any]) -> Array | None:
    """Plotly's base64 array as :class:`Array`; ``None`` when it is not one that the browser's side can take."""
    dtype = value.get("dtype")
    if dtype not in _ITEM_BYTES or "bdata" not in value:
        return None
    content = base64.b64decode(value["bdata"])
    given = value.get("shape")
    shape = tuple(int(n) for n in str(given).split(",")) if given else (len(content) // _ITEM_BYTES[dtype],)
    return Array(dtype, shape, content) if len(shape) <= 2 else None


def _array(value: NDArray[Any]) -> Array | None:
    """An array of numbers as plotly would send it, but not as base64; ``None`` for one that has to be a list."""
    if not value.size or value.ndim > 2:
        return None
    for smaller in _SMALLER.get(value.dtype.name, ()):
        if np.iinfo(smaller).min <= value.min() and value.max() <= np.iinfo(smaller).max:
            value = value.astype(smaller)
            break
    code = _CODES.get(value.dtype.name) if value.dtype.isnative else None
    return Array(code, value.shape, value.tobytes()) if code else None


def _plain(value: Any, *, binary: bool = True) -> Any:
    """Make a value from a figure plain: JSON's own types, and :class:`Array` for numbers in bulk.

    Plotly keeps arrays of texts, dates, truth values and big integers as they came, from numpy or pandas.
    """
    if isinstance(value, (str, int)) or value is None:
        return value
    if isinstance(value, dict):
        found = _decoded(value) if "bdata" in value else None
        return found or {key: _plain(item, binary=key not in _NEVER_BINARY) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, binary=binary) for item in value]
    if isinstance(value, np.ndarray):
        found = _array(value) if binary else None
        dates = value.dtype.kind == "M"
        return found or _plain((value.astype("datetime64[ms]").astype(str) if dates else value).tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None  # JSON knows no NaN; plotly leaves a gap at null
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return _plain(value.to_numpy()) if hasattr(value, "to_numpy") else value


def figure_state(figure: go.Figure) -> dict[str, Any]:
    """The figure as ``{"data": [...], "layout": {...}}`` with numeric arrays as :class:`Array`."""
    if not isinstance(figure, go.Figure):
        raise TypeError(
            f"a live figure shows a plotly.graph_objects.Figure; this is {type(figure).__name__}: {figure!r:.80}"
        )
    # What `to_plotly_json` reads; that copies everything and turns arrays into base64, while a slider waits.
    return {"data": [_plain(trace) for trace in figure._data], "layout": _plain(figure._layout)}


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

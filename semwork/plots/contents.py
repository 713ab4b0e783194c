"""What a figure shows, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["plotted_data"]


_FIELDS = ("x", "y", "z", "labels", "values", "text")


def _grid_rows(trace: Any) -> pd.DataFrame:
    """Heat maps, contours, surfaces: one row per cell."""
    import pandas as pd

    z = np.asarray(trace.z)
    x = np.arange(z.shape[1]) if trace.x is None else np.asarray(trace.x)
    y = np.arange(z.shape[0]) if trace.y is None else np.asarray(trace.y)
    return pd.DataFrame({"x": np.tile(x, len(y)), "y": np.repeat(y, len(x)), "z": z.ravel()})


def _trace_rows(trace: Any) -> pd.DataFrame:
    import pandas as pd

    given = {name: trace[name] for name in _FIELDS if name in trace and trace[name] is not None}
    if "z" in given and np.ndim(given["z"]) == 2:
        return _grid_rows(trace)
    columns = {name: np.asarray(values) for name, values in given.items() if np.ndim(values) == 1}
    length = max((len(column) for column in columns.values()), default=0)
    if "y" in columns and "x" not in columns and trace.type in ("scatter", "scattergl", "bar"):
        columns = {"x": np.arange(length), **columns}
    return pd.DataFrame({name: column for name, column in columns.items() if len(column) == length})


def plotted_data(figure: go.Figure) -> pd.DataFrame:
    """Return the plotted values: one row per point with the columns ``trace``, ``x``, ``y`` and what else there is.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Any plotly figure.

    Returns
    -------
    DataFrame of shape (n_points, n_columns)

    Examples
    --------
    >>> figure = go.Figure(go.Scatter(name="a", x=[1, 2], y=[3, 4]))
    >>> plotted_data(figure).to_dict("list")
    {'trace': ['a', 'a'], 'x': [1, 2], 'y': [3, 4]}
    """
    import pandas as pd

    parts = []
    for number, trace in enumerate(figure.data):
        rows = _trace_rows(trace)
        rows.insert(0, "trace", trace.name or f"trace {number}")
        parts.append(rows)
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["trace", "x", "y"])

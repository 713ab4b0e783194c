"""What a kernel is made of: its eigenvalues, the likeness of texts, and that of words."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from semwork.plots.decays import KERNEL_NAMES, Trace, quick_figure, shortened
from semwork.plots.grammar import GREY
from semwork.plots.style import PALETTE

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["kernel_figure", "related_figure", "spectrum_figure"]

_BLUE, _ORANGE = PALETTE[:2]
_FLOOR = 1e-5  # of the eigenvalues shown
# By the root of the cosine: most are small, and a scale for all decays has to reach 1.
_HEAT = [[place**2, colour] for place, colour in get_colorscale("Cividis")]


# --- eigenvalues --------------------------------------------------------------------------------------------------


def spectrum_figure(spectrum: pd.DataFrame, kind: str, relative_decay: float, *, title: str = "") -> go.Figure:
    """Eigenvalues of the kernel before and after, and how much of the alignment is the first eigenvector's.

    Parameters
    ----------
    spectrum : DataFrame
        Columns ``eigenvector`` (its number), ``before`` and ``after`` (eigenvalues relative to the largest), ``share``
        of the alignment, ``share before``, and ``ones``, the cosine with the vector of all ones.
    kind : {"exponential", "von_neumann"}
        The kernel.
    relative_decay : float
        λ‖K‖.
    title : str
        Stands above the figure; by default what the first eigenvector does.
    """
    after = spectrum["after"].to_numpy()
    lost = int((after < _FLOOR).sum())
    small = f" ({lost} of {len(after)} below {_FLOOR:g})" if lost else ""
    told = _told(spectrum)
    traces = [
        _eigenvalues(spectrum, "before", "before: K", GREY, told),
        _eigenvalues(
            spectrum, "after", f"after: {KERNEL_NAMES[kind]}, λ‖K‖ = {relative_decay:.3g}{small}", _BLUE, told
        ),
    ]
    ticks = [1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0001, 0.00001]
    low = float(np.log10(max(_FLOOR, min(after.min(), spectrum["before"].min()) / 1.5)))
    return quick_figure(
        title or _said_of_the_first(spectrum.iloc[0]),
        "eigenvector",
        "eigenvalue / the largest",
        traces,
        height=380,
        margin={"t": 72, "b": 82},
        uirevision="spectrum",
        xaxis={"range": [0, len(spectrum) + 1]},
        yaxis={"type": "log", "range": [low, 0.15], "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]},
    )


def _said_of_the_first(first: Any) -> str:
    return (
        f"The first eigenvector carries {first['share']:.0%} of the alignment "
        f"({first['share before']:.0%} without decay)"
        f"<br><sup>and its cosine with the vector of all ones is {first['ones']:.2f}</sup>"
    )


def _told(spectrum: pd.DataFrame) -> list[str]:
    return [
        f"eigenvector {int(row['eigenvector'])}<br>share of the alignment: {row['share']:.2%} "
        f"({row['share before']:.2%} without decay)<br>cosine with all ones: {row['ones']:.2f}"
        for row in spectrum.to_dict("records")
    ]


def _eigenvalues(spectrum: pd.DataFrame, column: str, name: str, colour: str, told: list[str]) -> Trace:
    return {
        "type": "scatter",
        "name": name,
        "x": spectrum["eigenvector"].to_numpy(),
        "y": np.where(spectrum[column] >= _FLOOR, spectrum[column], np.nan),
        "customdata": told,
        "mode": "lines+markers",
        "marker": {"size": 5, "color": colour},
        "line": {"color": colour, "width": 2},
        "hovertemplate": f"{column}: %{{y:.3g}} of the largest<br>%{{customdata}}<extra></extra>",
    }


# --- texts --------------------------------------------------------------------------------------------------------


def kernel_figure(
    cosines: Any, texts: pd.DataFrame, target: str, inside: float, outside: float, *, title: str = ""
) -> go.Figure:
    """The kernel of some documents as cosines; those of the class come first, and a gap marks the border.

    Parameters
    ----------
    cosines : array of shape (n, n)
        The kernel.
    texts : DataFrame
        One row per document: ``row`` (its number), ``classes``, ``text``, and ``in class``: whether it is of the
        class.
    target : str
        Name of the class.
    inside, outside : float
        The mean cosine of two documents of the class, and of one of them with one of the others.
    title : str
        Stands above the figure; by default the mean cosines.
    """
    count, border = len(cosines), int(texts["in class"].sum())
    with_gap = np.insert(np.insert(cosines, border, np.nan, axis=0), border, np.nan, axis=1)
    labels = [
        f"<b>{row}</b> {shortened(classes, 30)}: {shortened(text, 70)}"
        for row, classes, text in zip(texts["row"], texts["classes"], texts["text"], strict=True)
    ]
    labels.insert(border, " ")
    heat: Trace = {
        "type": "heatmap",
        "name": "cosine of the kernel",
        "x": labels,
        "y": labels,
        "z": with_gap.astype(np.float32),
        "zmin": 0,
        "zmax": 1,
        "colorscale": _HEAT,
        "colorbar": {"title": {"text": "cosine"}, "thickness": 14, "len": 0.9},
        "hovertemplate": "%{y}<br>%{x}<br>cosine %{z:.3f}<extra></extra>",
        "hoverongaps": False,
    }
    axis = {"type": "category", "showticklabels": False, "showgrid": False, "showline": False, "ticks": ""}
    name = shortened(target, 24)
    names = {border / 2: f"{name} ({border})", (border + 1 + count) / 2: f"the others ({count - border})"}
    return quick_figure(
        title or f"Mean cosine inside {name}: {inside:.2f}, with the others: {outside:.2f}",
        "",
        "",
        [heat],
        height=470,
        margin={"l": 40, "b": 40},
        uirevision="documents",
        xaxis={**axis, "range": [-0.5, count + 0.5]},
        yaxis={**axis, "range": [count + 0.5, -0.5]},
        annotations=[note for middle, said in names.items() for note in _names_of_group(middle / (count + 1), said)],
    )


def _names_of_group(place: float, name: str) -> list[dict[str, Any]]:
    """The name of a group of documents, below the heat map and beside it."""
    common = {"text": name, "xref": "paper", "yref": "paper", "showarrow": False}
    return [
        {**common, "x": place, "y": 0, "yshift": -14, "xanchor": "center", "yanchor": "middle"},
        {**common, "x": 0, "y": 1 - place, "xshift": -14, "textangle": -90, "xanchor": "center", "yanchor": "middle"},
    ]


# --- words --------------------------------------------------------------------------------------------------------


def related_figure(related: pd.DataFrame, word: str, *, title: str = "") -> go.Figure:
    """Terms nearest to a word under the proximity matrix; those that never met it stand in another colour.

    Parameters
    ----------
    related : DataFrame
        Columns ``term``, ``proximity``, ``documents together`` and ``through``, the nearest terms first.
    word : str
        Whose relatives they are.
    title : str
        Stands above the figure.
    """
    names = [shortened(term, 18) for term in related["term"]]
    met = related["documents together"].to_numpy() > 0
    traces = [
        _terms(related, names, word, met, "in a document together", _BLUE),
        _terms(related, names, word, ~met, "never in a document together", _ORANGE),
    ]
    return quick_figure(
        title or f"Terms related to “{shortened(word, 30)}” under P",
        "proximity P_ij / √(P_ii P_jj)",
        "",
        traces,
        height=150 + 21 * max(len(related), 5),
        uirevision="words",
        barmode="overlay",
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names,
            "range": [len(related) - 0.5, -0.5],
            "ticklabelstandoff": 4,
        },
        xaxis={"range": [0, 1.12 * float(related["proximity"].max()) if len(related) else 1.0]},
    )


def _terms(related: pd.DataFrame, names: list[str], word: str, chosen: Any, legend: str, colour: str) -> Trace:
    rows, numbers = related[chosen].to_dict("records"), np.flatnonzero(chosen)
    return {
        "type": "bar",
        "name": f"{legend}: {len(numbers)}",
        "x": related["proximity"].to_numpy()[numbers],
        "y": [names[number] for number in numbers],
        "orientation": "h",
        "marker": {"color": colour},
        "hovertext": [_met(word, row) for row in rows],
        "hovertemplate": "%{hovertext}<br>proximity %{x:.4f}<extra></extra>",
        "text": [f"through “{shortened(row['through'], 18)}”" if row["through"] else "" for row in rows],
        "textposition": "outside",
        "cliponaxis": False,
        "textfont": {"size": 11},
    }


def _met(word: str, row: Any) -> str:
    word, term = html.escape(word), html.escape(row["term"])
    if row["documents together"]:
        return f"{word} and {term}: together in {row['documents together']} documents"
    return f"{word} and {term}: in no document together;<br>both occur with {html.escape(row['through'])}"

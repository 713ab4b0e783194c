"""The house style of all figures."""

from __future__ import annotations

import functools
import html
import textwrap
from typing import Any

import plotly.graph_objects as go

__all__ = ["INK", "PALETTE", "PLOTLY_CONFIG", "axis_title", "cut", "distinct", "house_figure", "wrapped"]

#: Okabe and Ito's colours, the darker ones first; black turns white in a dark theme.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
#: Of letters on white.
INK = "#262626"

#: Plotly's settings outside the figure. Its "share" button would upload the reader's data: no.
PLOTLY_CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,
    "responsive": False,
    "modeBarButtonsToRemove": ["autoScale2d"],
}

_TEMPLATE = {
    "layout": {
        "colorway": list(PALETTE),
        "font": {"family": "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif", "size": 13, "color": INK},
        "title": {"x": 0, "xanchor": "left", "xref": "container", "pad": {"l": 12}, "font": {"size": 16}},
        "margin": {"l": 64, "r": 20, "t": 56, "b": 56},
        "xaxis": {"gridcolor": "#e4e4e4", "zerolinecolor": "#bdbdbd", "automargin": True, "showline": True},
        "yaxis": {"gridcolor": "#e4e4e4", "zerolinecolor": "#bdbdbd", "automargin": True},
        "legend": {"bgcolor": "rgba(0,0,0,0)"},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "colorscale": {"sequential": "Cividis", "diverging": "RdBu"},
    }
}


def house_figure(title: str, x: str, y: str, *, height: int = 400, **layout: Any) -> go.Figure:
    """Make an empty figure in the house style, with its axes named.

    ``uirevision`` is constant, so that a reader's zoom survives the updates of a live figure.

    Parameters
    ----------
    title : str
        Plotly's HTML; empty for none.
    x, y : str
        Titles of the axes.
    height : int, default=400
        In pixels.
    **layout : Any
        More of plotly's layout, in place of what the house style says.

    Examples
    --------
    >>> house_figure("Recall", "top share", "found").layout.xaxis.title.text
    'top share'
    """
    figure = go.Figure(
        layout={
            "template": _TEMPLATE,
            "title": {"text": title},
            "xaxis": {"title": {"text": x}},
            "yaxis": {"title": {"text": y}},
            "height": height,
            "uirevision": "semwork",
        }
    )
    figure.update_layout(layout)
    return figure


def axis_title(text: str) -> dict[str, Any]:
    """Return a small axis title that stands close to the numbers, for figures with several plots.

    Examples
    --------
    >>> axis_title("sweeps")["text"]
    'sweeps'
    """
    return {"text": text, "standoff": 8, "font": {"size": 13}}


@functools.lru_cache(maxsize=20_000)  # every redraw wraps the same texts
def wrapped(text: str, width: int = 60) -> str:
    """Return a text for a hover box or a title: escaped, in lines.

    Examples
    --------
    >>> wrapped("one & two, three and four", 14)
    'one &amp; two,<br>three and four'
    """
    return "<br>".join(html.escape(line) for line in textwrap.wrap(text, width))


def cut(text: str, width: int) -> str:
    """Return a text, escaped, with three dots for what is beyond so many letters.

    Examples
    --------
    >>> cut("<orbits>", 5)
    '&lt;orb…'
    """
    return html.escape(text if len(text) <= width else text[: width - 1] + "…")


def distinct(names: list[str]) -> list[str]:
    """Put blanks behind names that look the same: bars with one name would lie on each other.

    Examples
    --------
    >>> distinct(["bank", "river", "bank"])
    ['bank', 'river', 'bank ']
    """
    return [name + " " * names[:number].count(name) for number, name in enumerate(names)]

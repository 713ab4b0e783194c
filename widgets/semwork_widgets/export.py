"""Files a reader can take home: a page, a table, a picture."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from semwork.plots import PLOTLY_CONFIG, plotted_data, stacked_picture

__all__ = ["EXPORTS", "exported", "file_name"]

#: What can be exported, with the words of the button's tooltip.
EXPORTS = {
    "html": "A page of its own: the pictures stay alive, no kernel needed",
    "csv": "The plotted numbers",
    "png": "A picture",
    "svg": "A picture that scales",
}
_MIME = {"html": "text/html", "csv": "text/csv", "png": "image/png", "svg": "image/svg+xml"}

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>body {{ font: 15px system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; }}
pre {{ background: #f4f4f4; padding: 1em; overflow: auto; }} td {{ padding-right: 1.5em; }}</style></head>
<body><h1>{title}</h1>
<table>{settings}</table>
{figures}
{code}
<p><small>Made with semwork.</small></p></body></html>
"""


def _page(title: str, figures: Mapping[str, go.Figure], settings: Mapping[str, Any], code: str) -> str:
    parts = [
        figure.to_html(full_html=False, include_plotlyjs=number == 0, config={**PLOTLY_CONFIG, "responsive": True})
        for number, figure in enumerate(figures.values())
    ]
    rows = [f"<tr><td>{html.escape(k)}</td><td><b>{html.escape(str(v))}</b></td></tr>" for k, v in settings.items()]
    block = f"<h2>The same in Python</h2><pre>{html.escape(code)}</pre>" if code else ""
    return _PAGE.format(title=html.escape(title), settings="".join(rows), figures="\n".join(parts), code=block)


def _table(figures: Mapping[str, go.Figure]) -> str:
    import pandas as pd

    tables = []
    for name, figure in figures.items():
        rows = plotted_data(figure)
        if len(figures) > 1:
            rows.insert(0, "figure", name)
        tables.append(rows)
    return pd.concat(tables, ignore_index=True).to_csv(index=False)


def exported(
    kind: str, title: str, figures: Mapping[str, go.Figure], settings: Mapping[str, Any], code: str
) -> tuple[str, bytes, str]:
    r"""Return file name, content and MIME type of one export.

    Examples
    --------
    >>> exported("csv", "My curve", {"a": go.Figure(go.Scatter(name="t", x=[1], y=[2]))}, {}, "")[:2]
    ('My-curve.csv', b'trace,x,y\nt,1,2\n')
    """
    if kind not in EXPORTS:
        raise ValueError(f"cannot export {kind!r}; it can be one of {', '.join(EXPORTS)}")
    if kind == "html":
        content = _page(title, figures, settings, code).encode()
    elif kind == "csv":
        content = _table(figures).encode()
    else:
        content = stacked_picture(list(figures.values()), kind)
    return file_name(title, kind), content, _MIME[kind]


def file_name(title: str, ending: str) -> str:
    """Return a file name that every system takes.

    Examples
    --------
    >>> file_name("K & λ: a sweep", "csv")
    'K-λ-a-sweep.csv'
    """
    stem = re.sub(r"[^\w.-]+", "-", title).strip("-")
    return f"{stem or 'panel'}.{ending}"

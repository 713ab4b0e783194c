"""Figures about semantic kernels: one step of a study in, one figure out."""

from __future__ import annotations

import functools
import html
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale

from semwork.plots.style import PALETTE, house_figure

if TYPE_CHECKING:
    from semwork.kernels.study import StudyStep

__all__ = ["alignment_figure", "classifier_figure", "kernel_figure", "related_figure", "spectrum_figure"]

_BLUE, _ORANGE, _GREEN, _PINK, _GREY = PALETTE[0], PALETTE[1], PALETTE[2], PALETTE[3], "#8c8c8c"
_INK = "#5c5c5c"  # seen on white and on black
_NAMES = {"exponential": "exponential", "von_neumann": "von Neumann"}
_LEAST, _MOST = 0.01, 30.0  # of the relative decays shown
_NEAREST = 1e-4  # to the limit of the von Neumann kernel
_FLOOR = 1e-5  # of the eigenvalues shown
_FORBIDDEN = (10**4.15, 10**4.75)
Trace = dict[str, Any]
_LEGEND = {"orientation": "h", "x": 0, "y": 0.01, "yref": "container", "yanchor": "bottom", "font": {"size": 12}}


def _figure(title: str, x: str, y: str, traces: list[Trace], *, legend_rows: int = 1, **layout: Any) -> go.Figure:
    """Make a figure in the house style at once: changing one that exists takes thrice as long, and a slider waits."""
    given = {"legend": _LEGEND, "margin": {"b": 62 + 20 * legend_rows}, **layout}
    for axis, name in (("xaxis", x), ("yaxis", y)):
        given[axis] = {"title": {"text": name, "standoff": 8}, **given.get(axis, {})}
    return go.Figure(data=traces, layout={**_house_layout(), "title": {"text": title}, **given}, _validate=False)


@functools.cache
def _house_layout() -> dict[str, Any]:
    layout: dict[str, Any] = house_figure("", "", "").to_plotly_json()["layout"]
    return layout


def _short(text: str, width: int) -> str:
    return html.escape(text if len(text) <= width else text[: width - 1].rstrip() + "…")


# --- the axis of decays -------------------------------------------------------------------------------------------


def _places(step: StudyStep, relative: Any) -> Any:
    """Where relative decays lie on the axis.

    Those of the von Neumann kernel end at 1, and what matters happens close to it: ``u / (1 − u)`` on a logarithmic
    axis is stretched at both ends.
    """
    if step.kind == "exponential":
        return np.clip(relative, _LEAST, _MOST)
    inside = np.clip(relative, _LEAST, 1 - _NEAREST)
    return inside / (1 - inside)


def _decay_axis(step: StudyStep, *, few: bool = False) -> dict[str, Any]:
    if step.kind == "exponential":
        ticks = [0.01, 0.1, 1, 10, 30] if few else [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
        ends = _LEAST * 0.9, _MOST * 1.1
    else:
        ticks = [0.01, 0.1, 0.5, 0.9, 0.99] if few else [0.01, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999]
        ends = _LEAST * 0.9, _FORBIDDEN[1]
    places, names = [float(place) for place in _places(step, np.array(ticks))], [f"{tick:g}" for tick in ticks]
    if step.kind == "von_neumann":
        places, names = [*places, _FORBIDDEN[0]], [*names, "1"]
    return {
        "type": "log",
        "range": [float(np.log10(end)) for end in ends],
        "tickvals": places,
        "ticktext": names,
        "tickangle": 0,
        "showgrid": True,
        "minor": {"showgrid": False},
    }


def _said(step: StudyStep, relative: float) -> str:
    return f"λ = {relative / step.largest:.4g}, λ‖K‖ = {relative:.4g}"


def _upright(step: StudyStep, decay: float, top: float, name: str, colour: str, dash: str, **options: Any) -> Trace:
    """A vertical line at a decay."""
    relative = decay * step.largest
    place = float(_places(step, relative))
    return {
        "type": "scatter",
        "name": name,
        "x": [place] * 9,
        "y": np.linspace(0, top, 9),
        "mode": "lines",
        "line": {"color": colour, "width": 1.5, "dash": dash},
        "hovertemplate": f"{name}: {_said(step, relative)}<extra></extra>",
        **options,
    }


# The decay of the moment is a shape, and its value an annotation: those move without drawing all else anew.


def _now(step: StudyStep, x: str, y: str, label: str = "") -> dict[str, Any]:
    """An upright line at the decay of the moment."""
    place = float(_places(step, step.decay * step.largest))
    return {
        "type": "line",
        "xref": x,
        "yref": f"{y} domain",
        "x0": place,
        "x1": place,
        "y0": 0,
        "y1": 1,
        "line": {"color": _GREY, "width": 1.5, "dash": "dot"},
        "label": {"text": label, "textposition": "end", "textangle": 0, "font": {"size": 11}, "yanchor": "bottom"},
    }


def _value_now(step: StudyStep, value: float, top: float) -> dict[str, Any]:
    """A dot on the curve with its value: curves rise to the right, so that there is room below, or at last above."""
    place = float(_places(step, step.decay * step.largest))
    low, high = _decay_axis(step)["range"]
    left = bool(np.log10(place) > 0.3 * low + 0.7 * high)
    return {
        "text": f"now: λ‖K‖ = {step.decay * step.largest:.3g}, {value:.3f}",
        "hovertext": f"now: {_said(step, step.decay * step.largest)}<br>{value:.4f}",
        "x": float(np.log10(place)),
        "y": value,
        "ax": -26 if left else 26,
        "ay": -26 if left or value < 0.12 * top else 22,
        "xanchor": "right" if left else "left",
        "showarrow": True,
        "arrowhead": 6,
        "arrowsize": 1.3,
        "arrowwidth": 2,
        "arrowcolor": _INK,
        "font": {"size": 12},
    }


def _forbidden(step: StudyStep, top: float, **options: Any) -> list[Trace]:
    """The decays that the von Neumann kernel does not have."""
    if step.kind == "exponential":
        return []
    low, high = _FORBIDDEN
    zone = {
        "type": "scatter",
        "name": "not allowed: λ ≥ 1/‖K‖",
        "x": [low, high, high, low, low],
        "y": [0, 0, top, top, 0],
        "mode": "lines",
        "line": {"width": 0, "color": "rgba(213,94,0,0.3)"},
        "fill": "toself",
        "fillcolor": "rgba(213,94,0,0.3)",
        "hoveron": "fills",
        "hoverinfo": "text",
        "text": f"the series K + λK² + λ²K³ + … has no sum from λ = 1/‖K‖ = {1 / step.largest:.4g} on",
        "showlegend": not options,
        **options,
    }
    return [zone]


# --- alignment ----------------------------------------------------------------------------------------------------


def alignment_figure(step: StudyStep, *, centered: bool = False, title: str = "") -> go.Figure:
    """Alignment and centred alignment along the decays, with the decay of the moment and the best one.

    Parameters
    ----------
    step
        Of a study.
    centered
        Whether the centred alignment is the one that matters: it is drawn strongly and its best decay is marked.
    title
        Stands above the figure.
    """
    curve = step.curve
    best = step.centered_optimum if centered else step.optimum
    both = curve[["alignment", "centered alignment"]].to_numpy()
    top = 1.12 * max(float(both.max()), step.baseline if not centered else 0.0, best.alignment)
    if centered:
        top = 1.35 * max(float(both[:, 1].max()), best.alignment)
    name = "centred alignment" if centered else "alignment"
    places = _places(step, curve["relative decay"].to_numpy())
    lines = [
        _curve(step, places, "alignment", _BLUE, strong=not centered),
        _curve(step, places, "centered alignment", _ORANGE, strong=centered),
    ]
    plain = [_baseline(step, places), *_printed(step)]
    if centered:
        # The plain alignment is above the frame then, and so are its marks.
        for trace in (lines[0], *plain):
            trace["showlegend"] = False
    marks = [*plain, _best(step, centered=centered)]
    return _figure(
        title,
        "relative decay λ‖K‖",
        name,
        [*_forbidden(step, top), *lines, *marks],
        legend_rows=3 if step.kind == "von_neumann" and not centered else 2,
        height=420,
        uirevision=f"alignment {step.kind} {centered}",
        shapes=[_now(step, "x", "y")],
        annotations=[_value_now(step, step.centered_alignment if centered else step.alignment, top)],
        xaxis=_decay_axis(step),
        yaxis={"range": [0, top]},
    )


def _curve(step: StudyStep, places: Any, column: str, colour: str, *, strong: bool) -> Trace:
    shown = column.replace("centered", "centred")
    return {
        "type": "scatter",
        "name": shown,
        "x": places,
        "y": step.curve[column].to_numpy(),
        # A list: a row of an array would come back from a click as an object.
        "customdata": step.curve[["decay", "relative decay"]].to_numpy().tolist(),
        "mode": "lines",
        "line": {"color": colour, "width": 3 if strong else 1.5, "dash": "solid" if strong else "dot"},
        "hovertemplate": f"{shown} %{{y:.3f}}<br>λ = %{{customdata[0]:.3g}}, λ‖K‖ = %{{customdata[1]:.3g}}"
        "<br>click to go there<extra></extra>",
    }


def _baseline(step: StudyStep, places: Any) -> Trace:
    return {
        "type": "scatter",
        "name": f"vector of all ones: {step.baseline:.3f}",
        "x": places,
        "y": np.full(len(places), step.baseline),
        "mode": "lines",
        "line": {"color": _GREY, "width": 1.5, "dash": "dash"},
        "hovertemplate": "the kernel 11ᵀ, which says that all documents are alike, has the alignment "
        f"{step.baseline:.3f}<br>(centred: 0)<extra></extra>",
    }


def _best(step: StudyStep, *, centered: bool) -> Trace:
    best = step.centered_optimum if centered else step.optimum
    relative = best.decay * step.largest
    where = f"λ‖K‖ = {relative:.3g}" if best.decay > 0 else "no decay"
    said = f"the best of all decays: {_said(step, relative)}" if best.decay > 0 else "no decay does better than λ = 0"
    return {
        "type": "scatter",
        "name": f"best: {where}, {best.alignment:.3f}",
        "x": [float(_places(step, relative))],
        "y": [best.alignment],
        "mode": "markers",
        "marker": {"symbol": "diamond", "size": 13, "color": _GREEN},
        "customdata": [[best.decay, relative]],
        "hovertemplate": f"{said}<br>%{{y:.4f}}<extra></extra>",
    }


def _printed(step: StudyStep) -> list[Trace]:
    """The decay of Proposition 7 as printed; Proposition 6 is exact, so that for its kernel there is nothing to see."""
    if step.kind == "exponential" or step.printed is None:
        return []
    relative = step.printed * step.largest
    mark = {
        "type": "scatter",
        "name": f"Proposition 7 as printed: {relative:.4f}",
        "x": [float(_places(step, relative))],
        "y": [float(np.interp(relative, step.curve["relative decay"], step.curve["alignment"]))],
        "mode": "markers",
        "marker": {"symbol": "x", "size": 11, "color": _PINK},
        "hovertemplate": "where the paper's printed condition holds; it leaves out −I/λ<br>"
        f"{_said(step, relative)}<br>alignment %{{y:.4f}}<extra></extra>",
    }
    return [mark]


# --- spectrum -----------------------------------------------------------------------------------------------------


def spectrum_figure(step: StudyStep) -> go.Figure:
    """Eigenvalues of the kernel before and after, and how much of the alignment is the first eigenvector's."""
    table = step.spectrum
    first = table.iloc[0]
    title = (
        f"The first eigenvector carries {first['share']:.0%} of the alignment "
        f"({first['share before']:.0%} without decay)"
        f"<br><sup>and its cosine with the vector of all ones is {first['ones']:.2f}</sup>"
    )
    said = [
        f"eigenvector {int(row['eigenvector'])}<br>share of the alignment: {row['share']:.2%} "
        f"({row['share before']:.2%} without decay)<br>cosine with all ones: {row['ones']:.2f}"
        for row in table.to_dict("records")
    ]
    after = table["after"].to_numpy()
    lost = int((after < _FLOOR).sum())
    small = f" ({lost} of {len(after)} below {_FLOOR:g})" if lost else ""
    names = {
        "before": ("before: K", _GREY),
        "after": (f"after: {_NAMES[step.kind]}, λ‖K‖ = {step.decay * step.largest:.3g}{small}", _BLUE),
    }
    traces = [
        {
            "type": "scatter",
            "name": name,
            "x": table["eigenvector"].to_numpy(),
            "y": np.where(table[column] >= _FLOOR, table[column], np.nan),
            "customdata": said,
            "mode": "lines+markers",
            "marker": {"size": 5, "color": colour},
            "line": {"color": colour, "width": 2},
            "hovertemplate": f"{column}: %{{y:.3g}} of the largest<br>%{{customdata}}<extra></extra>",
        }
        for column, (name, colour) in names.items()
    ]
    ticks = [1.0, 0.3, 0.1, 0.03, 0.01, 0.001, 0.0001, 0.00001]
    low = float(np.log10(max(_FLOOR, min(after.min(), table["before"].min()) / 1.5)))
    return _figure(
        title,
        "eigenvector",
        "eigenvalue / the largest",
        traces,
        height=380,
        margin={"t": 72, "b": 82},
        uirevision="spectrum",
        xaxis={"range": [0, len(table) + 1]},
        yaxis={"type": "log", "range": [low, 0.15], "tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks]},
    )


# --- heat map -----------------------------------------------------------------------------------------------------


# By the root of the cosine: most are small, and a scale for all decays has to reach 1.
_HEAT = [[place**2, colour] for place, colour in get_colorscale("Cividis")]


def kernel_figure(step: StudyStep, *, title: str = "") -> go.Figure:
    """The kernel of a few documents as cosines; those of the class come first, and a gap marks the border."""
    count, own = len(step.heat), step.heat_positive
    off = ~np.eye(count, dtype=bool)
    inside, across = step.heat[:own, :own][off[:own, :own]], step.heat[:own, own:]
    if not title:
        title = (
            f"Mean cosine inside {_short(step.target, 24)}: {inside.mean() if inside.size else 1:.2f}, "
            f"with the others: {across.mean():.2f}"
        )
    with_gap = np.insert(np.insert(step.heat, own, np.nan, axis=0), own, np.nan, axis=1)
    labels = [
        f"<b>{row}</b> {_short(name, 30)}: {_short(text, 70)}"
        for row, name, text in zip(step.heat_rows, step.heat_classes, step.heat_texts, strict=True)
    ]
    labels.insert(own, " ")
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
    names = {own / 2: f"{_short(step.target, 24)} ({own})", (own + 1 + count) / 2: f"the others ({count - own})"}
    return _figure(
        title,
        "",
        "",
        [heat],
        height=470,
        margin={"l": 40, "b": 40},
        uirevision="documents",
        xaxis={**axis, "range": [-0.5, count + 0.5]},
        yaxis={**axis, "range": [count + 0.5, -0.5]},
        annotations=[note for place, name in names.items() for note in _names_of_group(place / (count + 1), name)],
    )


def _names_of_group(place: float, name: str) -> list[dict[str, Any]]:
    """The name of a group of documents, below the heat map and beside it."""
    common = {"text": name, "xref": "paper", "yref": "paper", "showarrow": False}
    return [
        {**common, "x": place, "y": 0, "yshift": -14, "xanchor": "center", "yanchor": "middle"},
        {**common, "x": 0, "y": 1 - place, "xshift": -14, "textangle": -90, "xanchor": "center", "yanchor": "middle"},
    ]


# --- terms --------------------------------------------------------------------------------------------------------


def related_figure(step: StudyStep, *, title: str = "") -> go.Figure:
    """Terms nearest to the word under the proximity matrix; those that never met it stand in another colour."""
    table = step.related
    title = title or f"Terms related to “{_short(step.word, 30)}” under P"
    rows = table.to_dict("records")
    places = [_short(row["term"], 18) for row in rows]
    parts = (("in a document together", _BLUE, True), ("never in a document together", _ORANGE, False))
    traces = []
    for name, colour, wanted in parts:
        own = [place for place, row in enumerate(rows) if (row["documents together"] > 0) == wanted]
        traces.append(
            {
                "type": "bar",
                "name": f"{name}: {len(own)}",
                "x": table["proximity"].to_numpy()[own],
                "y": [places[place] for place in own],
                "orientation": "h",
                "marker": {"color": colour},
                "hovertext": [_met(step.word, rows[place]) for place in own],
                "hovertemplate": "%{hovertext}<br>proximity %{x:.4f}<extra></extra>",
                "text": [
                    f"through “{_short(rows[place]['through'], 18)}”" if rows[place]["through"] else "" for place in own
                ],
                "textposition": "outside",
                "cliponaxis": False,
                "textfont": {"size": 11},
            }
        )
    return _figure(
        title,
        "proximity P_ij / √(P_ii P_jj)",
        "",
        traces,
        height=150 + 21 * max(len(table), 5),
        uirevision="words",
        barmode="overlay",
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": places,
            "range": [len(table) - 0.5, -0.5],
            "ticklabelstandoff": 4,
        },
        xaxis={"range": [0, 1.12 * float(table["proximity"].max()) if len(table) else 1.0]},
    )


def _met(word: str, row: Any) -> str:
    word, term = html.escape(word), html.escape(row["term"])
    if row["documents together"]:
        return f"{word} and {term}: together in {row['documents together']} documents"
    return f"{word} and {term}: in no document together;<br>both occur with {html.escape(row['through'])}"


# --- classifier ---------------------------------------------------------------------------------------------------

# Column → its name, the axes it is drawn on, colours of test and training documents.
_MEASURES = {
    "error": ("error", "", {"test": _BLUE, "train": _ORANGE}),
    "f1": ("F1", "2", {"test": _BLUE, "train": _ORANGE}),
    "average_precision": ("average precision", "2", {"test": PALETTE[5]}),
    "prior_f1": ("F1 at the prior's threshold", "2", {"test": _PINK}),
}


def classifier_figure(step: StudyStep, *, centered: bool = False, title: str = "") -> go.Figure:
    """Error and F1 of an SVM along the decays, training and test documents apart; dashes are the bag of words.

    Average precision, and F1 at the threshold that takes as large a share of the documents as the class has in
    training, tell whether the ranking has changed, or only the bias. Upright lines stand at the decay of the moment and
    at the best one (of the centred alignment, if that is asked for).
    """
    scores = {str(part): rows.to_dict("list") for part, rows in step.scores.groupby("part")}
    errors = [error for rows in scores.values() for error in rows["error"]]
    # A classifier that has broken down may err in most documents: what came before must not become a flat line.
    top = float(np.clip(1.15 * np.quantile(errors, 0.85), 0.1, 1.02)) if errors else 0.2
    best, name = (step.centered_optimum, "best centred alignment") if centered else (step.optimum, "best alignment")
    traces, shapes = [], []
    for axes, high in (("", top), ("2", 1.02)):
        on = {"xaxis": f"x{axes}", "yaxis": f"y{axes}"}
        line = _upright(step, best.decay, high, name, _GREEN, "dot", showlegend=axes == "2", **on)
        traces += [*_forbidden(step, high, **on), line]
        shapes.append(_now(step, f"x{axes}", f"y{axes}", "now"))
    for column, (name, axes, colours) in _MEASURES.items():
        on = {"xaxis": f"x{axes}", "yaxis": f"y{axes}"}
        for part, colour in colours.items():
            if part in scores:
                traces += _path(step, scores[part], column, f"{name}, {part}", colour, on, strong=len(colours) > 1)
    axis = _decay_axis(step, few=True)
    return _figure(
        title,
        "relative decay λ‖K‖",
        "error",
        traces,
        legend_rows=3,
        height=410,
        uirevision=f"classifier {step.kind}",
        shapes=shapes,
        xaxis={"domain": [0, 0.43], **axis},
        xaxis2={"domain": [0.57, 1], "anchor": "y2", "title": {"text": "relative decay λ‖K‖", "standoff": 8}, **axis},
        yaxis={"range": [0, top]},
        yaxis2={"range": [0, 1.02], "anchor": "x2", "title": {"text": "F1, average precision"}},
    )


def _path(
    step: StudyStep, scores: dict[Any, list[Any]], column: str, name: str, colour: str, on: Any, *, strong: bool
) -> list[Trace]:
    """One measure along the decays, and, for test documents, a dashed line where the bag of words has it."""
    table = np.array([scores[key] for key in ("decay", "relative decay", column)], dtype=float)
    along, plain = table[:, table[0] > 0], table[2, table[0] == 0]
    test = name.endswith("test")
    line = {
        "type": "scatter",
        "name": name,
        "x": _places(step, along[1]),
        "y": along[2],
        "customdata": along[:2].T,
        "mode": "lines+markers",
        "marker": {"size": 6 if strong else 4, "color": colour},
        "line": {"color": colour, "width": 2.5 if strong and test else 1.5},
        "hovertemplate": f"{name}: %{{y:.3f}}<br>λ = %{{customdata[0]:.3g}}, "
        "λ‖K‖ = %{customdata[1]:.3g}<extra></extra>",
        "showlegend": on["xaxis"] == "x2",
        **on,
    }
    low, high = _places(step, np.array([0.0, np.inf]))
    ends = np.geomspace(low, high, 9)
    dashes = {
        "type": "scatter",
        "name": f"{name}, bag of words",
        "x": ends,
        "y": np.full(len(ends), plain[0]) if len(plain) else [],
        "mode": "lines",
        "line": {"color": colour, "width": 1.2, "dash": "dash"},
        "hovertemplate": f"{name}, bag of words: %{{y:.3f}}<extra></extra>",
        "showlegend": False,
        **on,
    }
    return [line, dashes] if test else [line]

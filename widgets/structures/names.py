"""The panel of the lesson on latent alignments: names in two scripts, and how their letters are joined."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.plots import house_figure, joined_figure, learning_figure, mistakes_figure, weights_figure
from semwork.structures.study import LANGUAGES, NameStep, NameStudy
from widgets.live_figure import Point
from widgets.panel import Panel
from widgets.structures.controls import Growing, buttons, follow_clicks

__all__ = ["latent_alignments"]

_FIRST = "Johannesburg"
_PENALTIES = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0]
_BELOW = {"mistakes": mistakes_figure, "weights": weights_figure}

_CODE = """\
from semwork.plots import joined_figure, learning_figure, {function}
from semwork.steps import last
from semwork.structures.study import NameStudy

study = NameStudy(
    {language!r}, training={training}, share={share}, seed={seed}, one_to_one={one_to_one}, crossing={crossing}
)
end = last(study.steps(regularization={regularization}))
print(end.history.round(3).to_string(index=False))
figures = [
    joined_figure(end.joined({english!r}, {spelled}, {iteration})),
    learning_figure(end, {iteration}),
    {function}(end, {iteration}),
]
for figure in figures:
    figure.show()
"""


@functools.lru_cache(maxsize=8)
def _study(language: str, training: int, share: float, seed: int, one_to_one: bool, crossing: bool) -> NameStudy:
    return NameStudy(language, training, share, seed, one_to_one=one_to_one, crossing=crossing)


# --- pictures -----------------------------------------------------------------------------------------------------


def _alignment(step: NameStep, iteration: int, english: str, foreign: str, look_at: str) -> go.Figure:
    name = english.strip() or _FIRST
    spelled = foreign.strip() or step.study.spelling(name)
    try:
        if not spelled:
            raise ValueError(f"CLDR has no “{name}” in this language: type its spelling, too")  # noqa: TRY301
        joined = step.joined(name, spelled, iteration)
    except ValueError as error:
        return house_figure(html.escape(str(error)), "", "", height=240, xaxis_visible=False, yaxis_visible=False)
    verdict = "the same name" if joined.value >= 0 else "not the same name"
    return joined_figure(
        joined,
        title=f"{html.escape(name)} – {html.escape(spelled)}: score {joined.value:+.2f}, {verdict}",
        note="thick lines: large scores; orange: below 0; grey: left alone; both names from left to right",
    )


def _learning(step: NameStep, iteration: int, english: str, foreign: str, look_at: str) -> go.Figure:
    now = min(iteration, len(step.iterations) - 1)
    found = step.at(iteration).ranked
    where = f"iteration {now}" if now else "the start"
    return learning_figure(
        step,
        iteration,
        title=f"After {where}: {found.accuracy:.1%} of the names found, MRR {found.mrr:.3f}",
    )


def _below(step: NameStep, iteration: int, english: str, foreign: str, look_at: str) -> go.Figure:
    if look_at == "weights":
        return weights_figure(step, iteration, title="The largest weights, and the smallest (^: beginning of a name)")
    count = int((step.at(iteration).ranked.places > 1).sum())
    title = f"{count} of {len(step.study.test)} names have a better score with another spelling; the worst:"
    return mistakes_figure(step, iteration, chosen=(english, foreign), title=title)


def _code(english: str, foreign: str, look_at: str, **settings: Any) -> str:
    name = english.strip() or _FIRST
    spelled = repr(foreign.strip()) if foreign.strip() else f"study.spelling({name!r})"
    return _CODE.format(english=name, spelled=spelled, function=_BELOW[look_at].__name__, **settings)


# --- controls -----------------------------------------------------------------------------------------------------


def _controls() -> dict[str, Any]:
    return {
        "language": ipw.Dropdown(
            options=[(name, code) for code, name in LANGUAGES.items()],
            description="language",
            tooltip="names of places and languages from CLDR",
        ),
        "one_to_one": buttons(
            [("one-to-one", True), ("free", False)], "each letter", "free: joined with several, or with none"
        ),
        "crossing": buttons([("forbidden", False), ("allowed", True)], "crossing", "may joins cross?"),
        "training": ipw.SelectionSlider(
            options=[25, 50, 100, 150, 250, 400],
            value=250,
            description="training pairs",
            tooltip="300 others are for the test",
        ),
        "share": buttons(
            [("1 %", 0.01), ("2 %", 0.02), ("10 %", 0.1)],
            "negative examples",
            "share of all false pairings; the paper has 10 %: a minute",
            width=70,
        ),
        "regularization": ipw.SelectionSlider(
            options=[(f"{value:g}", value) for value in _PENALTIES],
            value=1.0,
            description="λ, regularisation",
            tooltip="how strongly are weights pulled towards zero?",
        ),
        "seed": ipw.BoundedIntText(
            0, min=0, max=9999, description="seed", tooltip="which names are for training: does the story change?"
        ),
    }


def _views() -> dict[str, Any]:
    return {
        "iteration": Growing(
            0, min=0, max=0, description="outer iteration", tooltip="all pictures go there; 0: the two-stage start"
        ),
        "english": ipw.Text(
            _FIRST, continuous_update=False, description="a name in Latin letters", tooltip="type any name"
        ),
        "foreign": ipw.Text(
            "",
            placeholder="as in CLDR",
            continuous_update=False,
            description="the other name",
            tooltip="empty: its spelling in CLDR; or type one, right or wrong",
        ),
        "look_at": buttons([(name, name) for name in _BELOW], "look at", "the last picture"),
    }


def latent_alignments() -> Panel:
    """A panel that learns which names are the same, and shows how their letters are joined on the way.

    A click on a curve goes to that iteration, a click on a mistake shows its alignment.
    """
    chosen, views = _controls(), _views()

    def compute(regularization: float, **settings: Any) -> Iterator[NameStep]:
        end = 0
        for step in _study(**settings).steps(regularization):
            end = len(step.iterations) - 1
            views["iteration"].reach(end)
            yield step
        views["iteration"].max = end

    def first_name(_: Any) -> None:
        # A spelling in the script of another language says nothing.
        views["english"].value, views["foreign"].value = _FIRST, ""

    chosen["language"].observe(first_name, names="value")
    pictures: dict[str, Callable[..., go.Figure]]
    pictures = {"alignment": _alignment, "learning": _learning, "below": _below}
    panel = Panel("Latent alignments", chosen, compute, pictures, code=_code, views=views, views_first=True)

    def choose(points: list[Point]) -> None:
        for point in points:
            if isinstance(point.customdata, (list, tuple)) and len(point.customdata) == 2:
                views["english"].value, views["foreign"].value = map(str, point.customdata)

    follow_clicks(panel, views["iteration"], "learning")
    panel.on_click(choose, "below")
    return panel

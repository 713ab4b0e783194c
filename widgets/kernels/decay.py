"""The panel of the lesson on semantic kernels: one decay, and all that follows from it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import ipywidgets as ipw
import plotly.graph_objects as go

from semwork.kernels import Kind
from semwork.kernels.documents import DOCUMENT_SETS, document_set
from semwork.kernels.study import KernelStudy, StudyStep
from semwork.plots import alignment_figure, classifier_figure, kernel_figure, related_figure, spectrum_figure
from widgets.live_figure import Point
from widgets.panel import Panel

__all__ = ["semantic_kernels"]

_LARGE = 1_500  # documents of a large set: all of them would take minutes
_DATA = {
    "sample": "sample (400 texts written for this project)",
    "medline": "Medline, 1,033 abstracts, 30 queries",
    "reuters8": f"Reuters R8, {_LARGE:,} of its documents",
    "newsgroups": f"20 newsgroups, {_LARGE:,} of its documents",
}
# Written down, so that the list can change before the data are read.
_REUTERS = "acq crude earn grain interest money-fx ship trade"
_NEWSGROUPS = (
    "alt.atheism comp.graphics comp.os.ms-windows.misc comp.sys.ibm.pc.hardware comp.sys.mac.hardware comp.windows.x "
    "misc.forsale rec.autos rec.motorcycles rec.sport.baseball rec.sport.hockey sci.crypt sci.electronics sci.med "
    "sci.space soc.religion.christian talk.politics.guns talk.politics.mideast talk.politics.misc talk.religion.misc"
)
_CLASSES = {
    "sample": ["computers", "cooking", "football", "gardening", "health", "money", "music", "space"],
    "medline": [f"query {number}" for number in range(1, 31)],
    "reuters8": _REUTERS.split(),
    "newsgroups": _NEWSGROUPS.split(),
}
_DECAYS = [0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99]
_DECAYS += [0.995, 0.999, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 10, 12, 15, 20, 30]
_BESIDE: dict[str, Callable[..., go.Figure]]
_BESIDE = {
    "classifier": classifier_figure,
    "spectrum": spectrum_figure,
    "texts": kernel_figure,
    "words": related_figure,
}

_CODE = """\
from semwork.kernels.documents import document_set
from semwork.kernels.study import KernelStudy
from semwork.plots import {functions}
from semwork.steps import last

study = KernelStudy(document_set({documents}), {target!r}, share={share}, seed={seed})
end = last(study.steps({kind!r}, {relative_decay}, word={word!r}, C={C}, class_weight={class_weight!r}))
print(f"alignment {{end.alignment:.3f}}, best {{end.optimum.alignment:.3f}} at λ = {{end.optimum.decay:.3f}}")
print(f"centred alignment {{end.centered_alignment:.3f}}, best {{end.centered_optimum.alignment:.3f}}")
figures = [alignment_figure(end, centered={centered}), {function}(end{options})]
for figure in figures:
    figure.show()
"""


def _limit(data: str) -> int | None:
    return _LARGE if data in ("reuters8", "newsgroups") else None


# The proximity of the terms of a large set takes 300 MB: few studies are kept.
@functools.lru_cache(maxsize=3)
def _study(data: str, target: str, share: float, seed: int) -> KernelStudy:
    return KernelStudy(document_set(data, _limit(data)), target, share, seed)


def _compute(
    relative_decay: float,
    kind: Kind,
    data: str,
    target: str,
    share: float,
    word: str,
    C: float,
    class_weight: str,
    seed: int,
) -> Iterator[StudyStep]:
    return _study(data, target, share, seed).steps(
        kind, relative_decay, word=word, C=C, class_weight=None if class_weight == "plain" else class_weight
    )


def _alignment(step: StudyStep, centered: bool, **_: Any) -> go.Figure:
    name = {"exponential": "exponential", "von_neumann": "von Neumann"}[step.kind]
    share = f"{step.spectrum['share'].iloc[0]:.0%} of it is the first eigenvector's"
    title = f"Alignment of the {name} kernel: {share}"
    return alignment_figure(
        step, centered=centered, title=f"Centred alignment of the {name} kernel" if centered else title
    )


def _second(step: StudyStep, look_at: str, centered: bool) -> go.Figure:
    if look_at == "classifier":
        return classifier_figure(
            step, centered=centered, title="SVM: blue test, orange training texts; dashed: the bag of words"
        )
    return _BESIDE[look_at](step)


def _code(data: str, class_weight: str, look_at: str, centered: bool, **settings: Any) -> str:
    limit, function = _limit(data), _BESIDE[look_at].__name__
    return _CODE.format(
        documents=repr(data) + (f", {limit}" if limit else ""),
        class_weight=None if class_weight == "plain" else class_weight,
        functions=", ".join(sorted(["alignment_figure", function])),
        function=function,
        options=f", centered={centered}" if look_at == "classifier" else "",
        centered=centered,
        **settings,
    )


def _controls() -> dict[str, Any]:
    first = "sample"
    return {
        "relative_decay": ipw.SelectionSlider(
            options=[(f"{value:g}", value) for value in _DECAYS],
            value=2,
            description="decay, λ‖K‖",
            tooltip="how far does likeness travel?",
        ),
        "kind": ipw.ToggleButtons(
            options=[("exponential", "exponential"), ("von Neumann", "von_neumann")],
            description="kernel",
            tooltip="von Neumann: decays below 1 only",
            style={"button_width": "112px"},
        ),
        "data": ipw.Dropdown(
            options=[(name, value) for value, name in _DATA.items()],
            value=first,
            description="data",
            tooltip="all but the sample are fetched first: see lesson 00",
        ),
        "target": ipw.Dropdown(
            options=_CLASSES[first],
            value=DOCUMENT_SETS[first],
            description="class",
            tooltip="its documents against all others",
        ),
        "share": ipw.ToggleButtons(
            options=[("20 %", 0.2), ("50 %", 0.5), ("80 %", 0.8)],
            value=0.5,
            description="training share",
            tooltip="the kernel knows no other documents",
            style={"button_width": "70px"},
        ),
        "word": ipw.Text(
            "",
            placeholder="the most typical one",
            continuous_update=False,
            description="word",
            tooltip="whose relatives are shown; empty: the most typical",
        ),
        "C": ipw.SelectionSlider(
            options=[(f"{value:g}", value) for value in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)],
            value=1.0,
            description="C of the SVM",
            tooltip="how much does an error in training cost?",
        ),
        "class_weight": ipw.ToggleButtons(
            options=["balanced", "plain"],
            description="class weights",
            tooltip="balanced: both classes cost the same in total",
            style={"button_width": "112px"},
        ),
        "seed": ipw.BoundedIntText(
            0, min=0, max=9999, description="seed", tooltip="which documents are for training: does the story change?"
        ),
    }


def _views() -> dict[str, Any]:
    return {
        "centered": ipw.ToggleButtons(
            options=[("plain", False), ("centred", True)],
            description="alignment",
            tooltip="which one is drawn large and has its best decay marked?",
            style={"button_width": "112px"},
        ),
        "look_at": ipw.ToggleButtons(
            options=list(_BESIDE),
            description="look at",
            tooltip="the second picture",
            style={"button_width": "112px"},
        ),
    }


def semantic_kernels() -> Panel:
    """A panel that follows a decay: alignment, classifier, eigenvalues, documents and words.

    A click on the curve of the alignment moves the slider there.
    """
    chosen = _controls()
    panel: Panel

    def follow(change: Any) -> None:
        """Offer the classes of other data, which may not have the word; one run with all new settings follows."""
        live, panel.live = panel.live, False
        try:
            chosen["target"].options = _CLASSES[change["new"]]
            chosen["target"].value = DOCUMENT_SETS[change["new"]]
            chosen["word"].value = ""
        finally:
            panel.live = live

    # Before the panel listens: when it hears of the data the classes are right.
    chosen["data"].observe(follow, names="value")
    pictures: dict[str, Callable[..., go.Figure]] = {"alignment": _alignment, "second": _second}
    panel = Panel("Semantic kernels", chosen, _compute, pictures, code=_code, views=_views())

    def go_there(points: list[Point]) -> None:
        for point in points:
            wanted = float(point.customdata[1]) if point.customdata else 0.0
            if wanted > 0:
                allowed = [value for value in _DECAYS if value < 1 or chosen["kind"].value == "exponential"]
                chosen["relative_decay"].value = min(allowed, key=lambda value: abs(math.log(value / wanted)))

    panel.on_click(go_there, "alignment")
    return panel

"""How far should likeness travel? One decay of a kernel, and all that follows from it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from semwork.blas import one_thread_inside
from semwork.given import check_kind
from semwork.kernels import Kind, Optimum
from semwork.kernels.checking import Floats, check_decay
from semwork.kernels.documents import DocumentSet
from semwork.steps import Step
from semwork.studies.class_kernels import PATH_DECAYS, ClassKernels
from semwork.studies.document_sets import FIRST_CLASSES, LABELLED_DOCUMENTS
from semwork.studies.remembered import Remembered
from semwork.studies.settings import Settings, choice, real, seed, text
from semwork.studies.study import Answer, Study

__all__ = ["DecaySettings", "DecayStep", "DecayView", "KernelDecay", "nearest_stop"]

_KINDS: Mapping[str, Kind] = {"exponential": "exponential", "von Neumann": "von_neumann"}
_GRID = (
    *(0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99),
    *(0.995, 0.999, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0),
)
_COSTS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
_SHOWN_VALUES = 60
# The proximity of the terms of a large set takes 300 MB: three are remembered, whatever the number of studies.
_CLASS_KERNELS = Remembered[tuple[DocumentSet, str, float, int], ClassKernels](3)


@dataclass(frozen=True, kw_only=True)
class DecaySettings(Settings):
    """The kernel, the class and the classifier."""

    relative_decay: float = real(
        2.0, "decay, λ‖K‖", "how far does likeness travel?", _GRID[0], _GRID[-1], grid=_GRID, log=True
    )
    kind: Kind = choice("exponential", "kernel", "von Neumann: decays below 1 only", _KINDS)
    target: str = choice(
        FIRST_CLASSES["sample"],
        "class",
        "its documents against all others",
        lambda facts: facts["classes"],
        at=FIRST_CLASSES,
        rule=lambda facts: facts["classes"][0],
    )
    share: float = choice(
        0.5, "training share", "the kernel knows no other documents", {"20 %": 0.2, "50 %": 0.5, "80 %": 0.8}
    )
    C: float = real(
        1.0, "C of the SVM", "how much does an error in training cost?", _COSTS[0], _COSTS[-1], grid=_COSTS, log=True
    )
    class_weight: str = choice(
        "balanced", "class weights", "balanced: both classes cost the same in total", ("balanced", "plain")
    )
    seed: int = seed("which documents are for training: does the story change?")


@dataclass(frozen=True, kw_only=True)
class DecayView(Settings):
    """What is drawn of a step."""

    centered: bool = choice(
        False,
        "alignment",
        "which one is drawn large and has its best decay marked?",
        {"plain": False, "centred": True},
        shown="buttons",
    )
    look_at: str = choice(
        "classifier", "look at", "the second picture", ("classifier", "spectrum", "texts", "words"), shown="buttons"
    )
    word: str = text(
        "",
        "word",
        "whose relatives are shown; empty: the most typical",
        hint="the most typical one",
        resets=True,
    )


@dataclass(frozen=True, kw_only=True)
class DecayStep(Step):
    """What is known at one decay; the classifier's path fills in step by step.

    Attributes
    ----------
    target : str
        The class.
    share : float
        Share of the documents for training.
    seed : int
        Which documents those are.
    kind : {"exponential", "von_neumann"}
        The kernel.
    decay, largest : float
        λ, and ‖K‖ of the training documents: von Neumann decays end at ``1 / largest``.
    curve : DataFrame
        Columns ``decay``, ``relative decay``, ``alignment``, ``centered alignment``.
    optimum, centered_optimum : Optimum
        The best decays.
    printed : float or None
        The decay of the paper's printed condition, if it has one.
    alignment, centered_alignment : float
        At ``decay``.
    baseline : float
        Alignment of the vector of all ones: ``(1 − 2·share of the class)²``.
    spectrum : DataFrame
        As `ClassKernels.shares` gives it.
    scores : DataFrame
        Columns ``decay``, ``relative decay``, ``part`` (train or test), ``error``, ``f1``, ``average_precision``,
        ``prior_f1``; a decay of 0 is the bag of words.
    """

    target: str
    share: float
    seed: int
    kind: Kind
    decay: float
    largest: float
    curve: pd.DataFrame
    optimum: Optimum
    centered_optimum: Optimum
    printed: float | None
    alignment: float
    centered_alignment: float
    baseline: float
    spectrum: pd.DataFrame
    scores: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Alignments(Answer):
    """Alignment and centred alignment along the decays."""

    curve: pd.DataFrame
    kind: Kind
    largest: float
    decay: float
    value: float
    best: Mapping[str, float]
    baseline: float
    printed: Mapping[str, float] | None
    centered: bool
    title: str


@dataclass(frozen=True, eq=False)
class Scores(Answer):
    """A classifier along the decays."""

    scores: pd.DataFrame
    kind: Kind
    largest: float
    decay: float
    best: Mapping[str, float]
    centered: bool
    title: str = "SVM: blue test, orange training texts; dashed: the bag of words"


@dataclass(frozen=True, eq=False)
class Spectrum(Answer):
    """Eigenvalues before and after."""

    spectrum: pd.DataFrame
    kind: Kind
    relative_decay: float


@dataclass(frozen=True, eq=False)
class Texts(Answer):
    """The kernel of some documents, and its mean inside the class, and of the class with the others."""

    cosines: Floats
    texts: pd.DataFrame
    target: str
    inside: float
    outside: float


@dataclass(frozen=True, eq=False)
class Words(Answer):
    """The terms nearest to a word."""

    related: pd.DataFrame
    word: str


class KernelDecay(Study[DecaySettings, DecayStep]):
    """One class of documents against the rest: the kernel, its alignment and a classifier, for any decay.

    Parameters
    ----------
    documents : DocumentSet
        Documents and classes.

    Examples
    --------
    >>> study = KernelDecay.on("sample")
    >>> first = next(study.steps(DecaySettings(target="space")))
    >>> first.optimum.alignment > first.centered_optimum.alignment
    True
    >>> study.words(first, "telescopes").word
    'telescop'
    """

    settings, view = DecaySettings, DecayView
    inputs = {"data": LABELLED_DOCUMENTS}

    def __init__(self, documents: DocumentSet) -> None:
        check_kind("documents", documents, DocumentSet, "load one, such as document_set('sample')")
        self.documents = documents

    @property
    def facts(self) -> Mapping[str, Any]:
        """The names of the classes, and how many documents there are."""
        return {"classes": list(self.documents.classes), "documents": len(self.documents)}

    def steps(self, settings: DecaySettings) -> Iterator[DecayStep]:
        """Show everything at one decay at once, then train the classifier along the path; what is known stays."""
        settings = settings.checked(self.facts)
        kernels = self.kernels(settings)
        kind, relative, largest = settings.kind, settings.relative_decay, kernels.spectrum.largest
        if not _exists(kind, relative):
            raise ValueError(
                f"the von Neumann kernel exists only for decays below 1/‖K‖, here {1 / largest:.4g}: "
                f"λ‖K‖ must be below 1, got {relative:g}"
            )
        decay = check_decay(relative / largest, kind, largest)
        fixed = _at(kernels, settings, decay)
        asked = settings.C, None if settings.class_weight == "plain" else settings.class_weight
        path = [0.0, *(PATH_DECAYS[kind] / largest).tolist()]
        known = [at for at in path if kernels.is_scored(kind, at, *asked)]
        missing = [at for at in path if at not in known]
        rows = [row for at in known for row in kernels.score(kind, at, *asked)]
        total = len(path) + 1
        aligned = f"alignment {fixed['alignment']:.3f}, centred {fixed['centered_alignment']:.3f}"
        said = f"λ = {decay:.3g}, {relative:g} times 1/‖K‖: {aligned}"
        yield DecayStep(done=1 + len(known), total=total, message=said, scores=_scores(rows), **fixed)
        for place, at in enumerate(missing, 2 + len(known)):
            rows += kernels.score(kind, at, *asked)
            yield DecayStep(done=place, total=total, message=said, scores=_scores(rows), **fixed)

    def table(self, step: DecayStep) -> pd.DataFrame:
        """Return both alignments now and at their best decay."""
        rows = (
            ("alignment", step.alignment, step.optimum),
            ("centered alignment", step.centered_alignment, step.centered_optimum),
        )
        return pd.DataFrame(
            [
                {"measure": name, "decay": step.decay, "value": value}
                | {"best decay": best.decay, "best value": best.alignment}
                for name, value, best in rows
            ]
        )

    # --- questions --------------------------------------------------------------------------------------------------

    def alignments(self, step: DecayStep, centered: bool = False) -> Alignments:
        """Return both alignments along the decays, where they are now and where the one that matters is best."""
        name = {kind: name for name, kind in _KINDS.items()}[step.kind]
        share = f"{step.spectrum['share'].iloc[0]:.0%} of it is the first eigenvector's"
        return Alignments(
            step.curve,
            step.kind,
            step.largest,
            step.decay,
            step.centered_alignment if centered else step.alignment,
            _best(step, centered),
            step.baseline,
            _printed(step),
            centered,
            f"Centred alignment of the {name} kernel" if centered else f"Alignment of the {name} kernel: {share}",
        )

    def classifier(self, step: DecayStep, centered: bool = False) -> Scores:
        """Return errors and F1 of an SVM along the decays."""
        return Scores(step.scores, step.kind, step.largest, step.decay, _best(step, centered), centered)

    def spectrum(self, step: DecayStep) -> Spectrum:
        """Return the eigenvalues, and how much of the alignment is each eigenvector's."""
        return Spectrum(step.spectrum, step.kind, step.decay * step.largest)

    def kernels(self, step: DecayStep | DecaySettings) -> ClassKernels:
        """Return the kernels of a step's class, at any decay; they are made anew where they are remembered no more."""
        key = self.documents, step.target, step.share, step.seed
        return _CLASS_KERNELS.made(key, lambda: ClassKernels(*key))

    # Computed when they are asked for: a slider that moves does not wait for what is not shown. In one thread, because
    # a second one would wait for the core on which a browser draws: 30 ms instead of 1.

    def texts(self, step: DecayStep) -> Texts:
        """Return the cosines of some training documents, those of the class first."""
        kernels = self.kernels(step)
        with one_thread_inside():
            cosines, texts = kernels.cosines(step.kind, step.decay), kernels.shown_texts
        count = int(texts["in class"].sum())
        pairs = cosines[:count, :count][~np.eye(count, dtype=bool)]
        inside, outside = pairs.mean() if pairs.size else 1.0, cosines[:count, count:].mean()
        return Texts(cosines, texts, step.target, float(inside), float(outside))

    def words(self, step: DecayStep, word: str = "") -> Words:
        """Return the terms nearest to a word, or to the one most typical of the class."""
        kernels = self.kernels(step)
        with one_thread_inside():
            term = kernels.term(word)
            related = kernels.related(word, step.kind, step.decay)
        return Words(related, str(self.documents.corpus.vocabulary[term]))


def nearest_stop(kind: Kind, relative_decay: float) -> float:
    """Return the stop of the slider that is nearest to a relative decay, among those that the kernel has.

    Examples
    --------
    >>> nearest_stop("exponential", 5.8), nearest_stop("von_neumann", 5.8)
    (6.0, 0.999)
    """
    stops = (stop for stop in _GRID if _exists(kind, stop))
    return min(stops, key=lambda stop: abs(math.log(stop / relative_decay)))


def _exists(kind: Kind, relative_decay: float) -> bool:
    """Whether the kernel exists: von Neumann's ends where λ‖K‖ is 1."""
    return kind == "exponential" or relative_decay < 1


def _at(kernels: ClassKernels, settings: DecaySettings, decay: float) -> dict[str, Any]:
    """The fields of a step that the classifier does not change."""
    kind = settings.kind
    return {
        "target": settings.target,
        "share": settings.share,
        "seed": settings.seed,
        "kind": kind,
        "decay": decay,
        "largest": kernels.spectrum.largest,
        "curve": kernels.curve(kind),
        "optimum": kernels.optimum(kind),
        "centered_optimum": kernels.optimum(kind, centered=True),
        "printed": kernels.printed(kind),
        "alignment": kernels.alignment(kind, decay),
        "centered_alignment": kernels.alignment(kind, decay, centered=True),
        "baseline": float(np.mean(kernels.y_train) ** 2),
        "spectrum": kernels.shares(kind, decay, _SHOWN_VALUES),
    }


def _best(step: DecayStep, centered: bool) -> dict[str, float]:
    best = step.centered_optimum if centered else step.optimum
    return {"decay": best.decay, "alignment": best.alignment}


def _printed(step: DecayStep) -> dict[str, float] | None:
    """The decay of the paper's printed condition, and the alignment that the curve has there."""
    if step.printed is None:
        return None
    curve, relative = step.curve, step.printed * step.largest
    aligned = float(np.interp(relative, curve["relative decay"], curve["alignment"]))
    return {"decay": step.printed, "alignment": aligned}


def _scores(rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = ["decay", "relative decay", "part", "error", "f1", "average_precision", "prior_f1"]
    ordered = sorted(rows, key=lambda row: (row["part"], row["decay"]))
    return pd.DataFrame(ordered, columns=columns)

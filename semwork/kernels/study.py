"""One class of documents against the rest: the kernel, its alignment and a classifier, for any decay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.svm import SVC

from semwork.blas import one_thread_inside
from semwork.evaluation import decisions
from semwork.given import check_kind
from semwork.kernels.checking import Floats, Kind, check_decay
from semwork.kernels.documents import DocumentSet
from semwork.kernels.growth import growth
from semwork.kernels.optimum import Optimum, best_decay, printed_decay, search_range
from semwork.kernels.spectrum import KernelSpectrum
from semwork.kernels.terms import TermProximity
from semwork.steps import Step

__all__ = ["KernelStudy", "StudyStep"]

# Relative decays λ‖K‖ of the curves and of the classifier's path.
_CURVE = {
    "exponential": np.geomspace(0.01, 30, 160),
    "von_neumann": np.unique(np.r_[np.geomspace(0.01, 0.9, 80), 1 - np.geomspace(0.1, 1e-4, 80)]),
}
_PATH = {
    "exponential": np.geomspace(0.03, 30, 19),
    "von_neumann": np.unique(np.r_[np.geomspace(0.03, 0.8, 11), 1 - np.geomspace(0.12, 1e-4, 8)]),
}
_SHOWN_DOCUMENTS = 90
_SHOWN_VALUES = 60


@dataclass(frozen=True, kw_only=True)
class StudyStep(Step):
    """What is known at one decay; the classifier's path fills in step by step.

    Attributes
    ----------
    target, word
        The class, and the term whose relatives are shown.
    kind, decay, largest
        The kernel, λ, and ‖K‖ of the training documents: von Neumann decays end at ``1 / largest``.
    curve
        Columns ``decay``, ``relative decay``, ``alignment``, ``centered alignment``.
    optimum, centered_optimum
        The best decays.
    printed
        The decay of the paper's printed condition, or ``None`` if it has none.
    alignment, centered_alignment
        At ``decay``.
    baseline
        Alignment of the vector of all ones: ``(1 − 2·share of the class)²``.
    spectrum
        Columns ``eigenvector``, ``before``, ``after`` (both relative to the largest), ``share`` of the alignment,
        ``share before``, and ``ones``, the cosine with the vector of all ones.
    heat_rows, heat_positive, heat_texts, heat_classes
        A few documents, those of the class first: which they are, how many belong to the class, their texts, and the
        names of their classes.
    scores
        Columns ``decay``, ``relative decay``, ``part`` (train or test), ``error``, ``f1``, ``average_precision``,
        ``prior_f1``; a decay of 0 is the bag of words.
    """

    target: str
    word: str
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
    heat_rows: NDArray[np.int64]
    heat_positive: int
    heat_texts: tuple[str, ...]
    heat_classes: tuple[str, ...]
    scores: pd.DataFrame
    study: KernelStudy = field(repr=False, compare=False)

    # Computed when they are looked at: a slider that moves does not wait for what is not shown. In one thread, because
    # a second one would wait for the core on which a browser draws: 30 ms instead of 1.

    @cached_property
    def heat(self) -> Floats:
        """Kernel (cosines) of the few documents."""
        with one_thread_inside():
            return self.study.cosines(self.kind, self.decay)

    @cached_property
    def related(self) -> pd.DataFrame:
        """Columns ``term``, ``proximity``, ``documents together``, and ``through``.

        For a term that never met the word, ``through`` is the term that ties them most strongly together, by what it
        has in common with both.
        """
        with one_thread_inside():
            return self.study.related(self.word, self.kind, self.decay)


class KernelStudy:
    """The documents of one class against all others, a part of them for training.

    Parameters
    ----------
    documents
        Documents and classes.
    target
        Name of the class.
    share
        Share of the documents to train on; the kernel knows no others.
    seed
        Which documents those are.

    Examples
    --------
    >>> from semwork.kernels.documents import document_set
    >>> study = KernelStudy(document_set("sample"), "space", share=0.5)
    >>> study.optimum("exponential").alignment > study.optimum("exponential", centered=True).alignment
    True
    """

    def __init__(self, documents: DocumentSet, target: str, share: float = 0.5, seed: int = 0) -> None:
        check_kind("documents", documents, DocumentSet, "load one, such as document_set('sample')")
        self.documents, self.target = documents, target
        y = documents.target(target)
        self.train, self.test = documents.split(target, share, seed)
        self.y_train, self.y_test = y[self.train], y[self.test]
        matrix = documents.corpus.matrix
        self.X_train, self.X_test = matrix[self.train], matrix[self.test]
        self._optima: dict[tuple[Kind, bool], Optimum] = {}
        self._curves: dict[Kind, pd.DataFrame] = {}
        self._printed: dict[Kind, float | None] = {}
        self._scores: dict[tuple[Any, ...], list[dict[str, Any]]] = {}

    @cached_property
    def spectrum(self) -> KernelSpectrum:
        """Eigenvalues and eigenvectors of the training kernel."""
        return KernelSpectrum.of((self.X_train @ self.X_train.T).toarray())

    @cached_property
    def terms(self) -> TermProximity:
        """Proximity of terms, learnt from the training documents."""
        return TermProximity(self.X_train, self.spectrum)

    @cached_property
    def _test_parts(self) -> Floats:
        """Test documents on the eigenvectors: their kernel is this times the growths times the eigenvectors."""
        parts: Floats = (self.X_test @ self.X_train.T).toarray() @ self.spectrum.vectors
        return parts

    @cached_property
    def _shown(self) -> NDArray[np.int64]:
        """Places of a few training documents, those of the class first, at most half of all, then class by class."""
        belongs = np.flatnonzero(self.y_train > 0)[: _SHOWN_DOCUMENTS // 2]
        others = np.flatnonzero(self.y_train < 0)
        others = np.random.default_rng(0).permutation(others)[: _SHOWN_DOCUMENTS - len(belongs)]
        labels = self.documents.labels
        order = others if labels is None else labels[self.train][others]
        return np.concatenate([belongs, others[np.lexsort([others, order])]])

    @cached_property
    def _shown_texts(self) -> dict[str, tuple[str, ...]]:
        """Texts and classes of those documents."""
        rows, classes = self.train[self._shown], self.documents.classes
        return {
            "heat_texts": tuple(self.documents.corpus.texts[row] for row in rows),
            "heat_classes": tuple(", ".join(name for name, has in classes.items() if has[row]) for row in rows),
        }

    @cached_property
    def _typical(self) -> NDArray[np.int64]:
        """Terms, those most typical of the class first."""
        means = [np.asarray(self.X_train[self.y_train * side > 0].mean(axis=0)).ravel() for side in (1, -1)]
        return np.argsort(means[1] - means[0], kind="stable")

    @cached_property
    def _columns(self) -> sparse.csc_array:
        """The training documents, ready to be read term by term."""
        return sparse.csc_array(self.X_train)

    def optimum(self, kind: Kind, *, centered: bool = False) -> Optimum:
        """Return the best decay."""
        if (kind, centered) not in self._optima:
            self._optima[kind, centered] = best_decay(self.spectrum.curve(self.y_train, kind, centered=centered))
        return self._optima[kind, centered]

    def printed(self, kind: Kind) -> float | None:
        """Return the decay of the paper's printed condition."""
        if kind not in self._printed:
            end, inner = (
                search_range(self.spectrum.curve(self.y_train, kind)),
                self.spectrum.scores(self.y_train[:, None]),
            )
            self._printed[kind] = printed_decay(kind, self.spectrum.values, inner, end)
        return self._printed[kind]

    def curve(self, kind: Kind) -> pd.DataFrame:
        """Return both alignments over the whole range of decays."""
        if kind not in self._curves:
            decays = _CURVE[kind] / self.spectrum.largest
            columns = {"decay": decays, "relative decay": _CURVE[kind]}
            for name, centered in (("alignment", False), ("centered alignment", True)):
                columns[name] = self.spectrum.curve(self.y_train, kind, centered=centered).at(decays)
            self._curves[kind] = pd.DataFrame(columns)
        return self._curves[kind]

    def kernels(self, kind: Kind, decay: float) -> tuple[Floats, Floats]:
        """Return the kernel of the training documents, and that of test with training documents.

        Both are divided by the mean of the training diagonal; a decay of 0 gives the bag of words.
        """
        vectors = self.spectrum.vectors
        grown = growth(kind, self.spectrum.values, decay, self.spectrum.largest)
        train = (vectors * (self.spectrum.values * grown)) @ vectors.T
        scale = 1 / max(float(np.trace(train)) / len(train), np.finfo(float).tiny)
        return train * scale, (self._test_parts * (grown * scale)) @ vectors.T

    def score(self, kind: Kind, decay: float, C: float, class_weight: str | None) -> list[dict[str, Any]]:
        """Train an SVM and judge it on training and on test documents."""
        key = (kind if decay else None, decay, C, class_weight)
        if key not in self._scores:
            train, test = self.kernels(kind, decay)
            classifier = SVC(kernel="precomputed", C=C, class_weight=class_weight).fit(train, self.y_train)
            prior = float(np.mean(self.y_train > 0))
            self._scores[key] = [
                {"decay": decay, "relative decay": decay * self.spectrum.largest, "part": part}
                | vars(decisions(y > 0, classifier.decision_function(rows), prior))
                for part, rows, y in (("train", train, self.y_train), ("test", test, self.y_test))
            ]
        return self._scores[key]

    def term(self, word: str) -> int:
        """Return the column of a word or a stem, or of the class's most typical term if the word is empty."""
        if not word.strip():
            return int(self._typical[0])
        columns = self.documents.corpus.columns
        for stem in (word.strip(), *self.documents.corpus.tokens(word)):
            if stem in columns and self.terms.basis[columns[stem]].any():
                return int(columns[stem])
        raise ValueError(
            f"the training documents do not have the word {word!r:.40}; try {', '.join(self.words(6))}, "
            "or a larger training share"
        )

    def related(self, word: str, kind: Kind, decay: float, n: int = 10) -> pd.DataFrame:
        """Return the terms nearest to a word, as stems."""
        term = self.term(word)
        table = self.terms.related(term, kind, decay, n)
        found, vocabulary = table["term"].to_numpy(), self.documents.corpus.vocabulary
        own = (self._columns.T @ self._columns[:, [term]]).toarray()
        theirs = (self._columns.T @ self._columns[:, found]).toarray()
        between = np.argmax(own * theirs, axis=0)
        unmet = table["documents together"].to_numpy() == 0
        return table.assign(term=vocabulary[found], through=np.where(unmet, vocabulary[between], ""))

    def cosines(self, kind: Kind, decay: float) -> Floats:
        """Return the kernel of the few documents that are shown, each of length 1."""
        rows = self.spectrum.vectors[self._shown]
        heat = (rows * self.spectrum.eigenvalues(kind, decay)) @ rows.T
        length = np.sqrt(np.maximum(np.diag(heat), np.finfo(float).tiny))
        cosines: Floats = heat / np.outer(length, length)
        return cosines

    def words(self, n: int = 10) -> list[str]:
        """Return stems that are most typical of the class."""
        return [str(self.documents.corpus.vocabulary[i]) for i in self._typical[:n]]

    def steps(
        self, kind: Kind, relative_decay: float, *, word: str = "", C: float = 1.0, class_weight: str | None = None
    ) -> Iterator[StudyStep]:
        """Show everything at one decay at once, then train the classifier along the path.

        Parameters
        ----------
        kind
            The kernel.
        relative_decay
            λ‖K‖: below 1 for the von Neumann kernel.
        word
            Whose relatives are looked for; empty for the word most typical of the class.
        C, class_weight
            Of the SVM; ``"balanced"`` or ``None``.
        """
        largest = self.spectrum.largest
        if kind == "von_neumann" and relative_decay >= 1:
            raise ValueError(
                f"the von Neumann kernel exists only for decays below 1/‖K‖, here {1 / largest:.4g}: "
                f"λ‖K‖ must be below 1, got {relative_decay:g}"
            )
        decay = check_decay(relative_decay / largest, kind, largest)
        term = self.term(word)
        fixed = self._at(kind, decay, term)
        path = [0.0, *(_PATH[kind] / largest)]
        rows: list[dict[str, Any]] = []
        known = [at for at in path if (kind if at else None, at, C, class_weight) in self._scores]
        for at in known:
            rows += self.score(kind, at, C, class_weight)
        total = len(path) + 1
        missing = [at for at in path if at not in known]
        aligned = f"alignment {fixed['alignment']:.3f}, centred {fixed['centered_alignment']:.3f}"
        said = f"λ = {decay:.3g}, {relative_decay:g} times 1/‖K‖: {aligned}"
        yield StudyStep(done=1 + len(known), total=total, message=said, scores=_scores(rows), **fixed)
        for place, at in enumerate(missing, 2 + len(known)):
            rows += self.score(kind, at, C, class_weight)
            yield StudyStep(done=place, total=total, message=said, scores=_scores(rows), **fixed)

    def _at(self, kind: Kind, decay: float, term: int) -> dict[str, Any]:
        spectrum = self.spectrum
        after = spectrum.eigenvalues(kind, decay)
        aligned_with = spectrum.scores(self.y_train[:, None])
        inner, inner_before = after * aligned_with, spectrum.values * aligned_with
        shown = slice(0, _SHOWN_VALUES)
        aligned = {
            name: float(spectrum.curve(self.y_train, kind, centered=centered).at(decay))
            for name, centered in (("alignment", False), ("centered_alignment", True))
        }
        return {
            "target": self.target,
            "word": str(self.documents.corpus.vocabulary[term]),
            "kind": kind,
            "decay": decay,
            "largest": spectrum.largest,
            "curve": self.curve(kind),
            "optimum": self.optimum(kind),
            "centered_optimum": self.optimum(kind, centered=True),
            "printed": self.printed(kind),
            "baseline": float(np.mean(self.y_train) ** 2),
            "spectrum": pd.DataFrame(
                {
                    "eigenvector": np.arange(1, len(spectrum) + 1)[shown],
                    "before": (spectrum.values / spectrum.largest)[shown],
                    "after": (after / after.max())[shown],
                    "share": (inner / inner.sum())[shown],
                    "share before": (inner_before / inner_before.sum())[shown],
                    "ones": (np.abs(spectrum.ones) / np.sqrt(len(spectrum)))[shown],
                }
            ),
            "heat_rows": self.train[self._shown],
            "heat_positive": int((self.y_train[self._shown] > 0).sum()),
            "study": self,
            **self._shown_texts,
            **aligned,
        }


def _scores(rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = ["decay", "relative decay", "part", "error", "f1", "average_precision", "prior_f1"]
    ordered = sorted(rows, key=lambda row: (row["part"], row["decay"]))
    return pd.DataFrame(ordered, columns=columns)

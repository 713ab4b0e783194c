"""The kernels of one class of documents against all others, and a classifier on them, at any decay."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from sklearn.svm import SVC

from semwork.evaluation import decisions
from semwork.given import check_kind
from semwork.kernels import KernelSpectrum, Kind, Optimum, best_decay, printed_decay, search_range
from semwork.kernels.checking import Floats
from semwork.kernels.documents import DocumentSet
from semwork.kernels.growth import growth
from semwork.kernels.terms import TermProximity
from semwork.studies.remembered import Remembered
from semwork.studies.study import NoAnswer

__all__ = ["CURVE_DECAYS", "PATH_DECAYS", "ClassKernels"]

T = TypeVar("T")

#: Relative decays λ‖K‖ of the curves, and of the classifier's path.
CURVE_DECAYS: dict[Kind, Floats] = {
    "exponential": np.geomspace(0.01, 30, 160),
    "von_neumann": np.unique(np.r_[np.geomspace(0.01, 0.9, 80), 1 - np.geomspace(0.1, 1e-4, 80)]),
}
PATH_DECAYS: dict[Kind, Floats] = {
    "exponential": np.geomspace(0.03, 30, 19),
    "von_neumann": np.unique(np.r_[np.geomspace(0.03, 0.8, 11), 1 - np.geomspace(0.12, 1e-4, 8)]),
}
_SHOWN_DOCUMENTS = 90
_RESULTS = 64  # more than there are: one for each kind and each property
_SCORES = 1_000  # fifty paths of the classifier


class ClassKernels:
    """The documents of one class against all others, a part of them for training.

    What is computed is remembered, and computed once though a panel asks while its worker trains.

    Parameters
    ----------
    documents : DocumentSet
        Documents and classes.
    target : str
        Name of the class.
    share : float
        Share of the documents to train on; the kernel knows no others.
    seed : int
        Which documents those are.

    Attributes
    ----------
    train, test : ndarray of shape (n_train,), ndarray of shape (n_test,)
        Rows of the documents.
    X_train, X_test : sparse array of shape (n_train, n_terms), sparse array of shape (n_test, n_terms)
        Their weights.
    y_train, y_test : ndarray of shape (n_train,), ndarray of shape (n_test,)
        1 for the class, −1 for the others.

    Examples
    --------
    >>> from semwork.kernels.documents import document_set
    >>> kernels = ClassKernels(document_set("sample"), "space", share=0.5)
    >>> kernels.optimum("exponential").alignment > kernels.optimum("exponential", centered=True).alignment
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
        self._results = Remembered[Hashable, Any](_RESULTS)
        self._scores = Remembered[Hashable, list[dict[str, Any]]](_SCORES)

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        found: T = self._results.made(key, compute)
        return found

    @property
    def spectrum(self) -> KernelSpectrum:
        """Eigenvalues and eigenvectors of the training kernel."""
        return self._once("spectrum", lambda: KernelSpectrum.of((self.X_train @ self.X_train.T).toarray()))

    @property
    def _values(self) -> Floats:
        return self.spectrum.values  # noqa: PD011 - eigenvalues, not those of a table

    @property
    def terms(self) -> TermProximity:
        """Proximity of terms, learnt from the training documents."""
        return self._once("terms", lambda: TermProximity(self.X_train, self.spectrum))

    @property
    def _test_parts(self) -> Floats:
        """Test documents on the eigenvectors: their kernel is this times the growths times the eigenvectors."""
        return self._once("test parts", lambda: (self.X_test @ self.X_train.T).toarray() @ self.spectrum.vectors)

    @property
    def _typical(self) -> NDArray[np.int64]:
        """Terms, those most typical of the class first."""

        def ordered() -> NDArray[np.int64]:
            means = [np.asarray(self.X_train[self.y_train * side > 0].mean(axis=0)).ravel() for side in (1, -1)]
            return np.argsort(means[1] - means[0], kind="stable")

        return self._once("typical", ordered)

    @property
    def _columns(self) -> sparse.csc_array:
        """The training documents, ready to be read term by term."""
        return self._once("columns", lambda: sparse.csc_array(self.X_train))

    # --- alignment --------------------------------------------------------------------------------------------------

    def optimum(self, kind: Kind, *, centered: bool = False) -> Optimum:
        """Return the best decay.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        centered : bool, default=False
            Whether it is that of the centred alignment.

        Returns
        -------
        Optimum
        """
        return self._once(
            ("optimum", kind, centered),
            lambda: best_decay(self.spectrum.curve(self.y_train, kind, centered=centered)),
        )

    def printed(self, kind: Kind) -> float | None:
        """Return the decay of the paper's printed condition.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.

        Returns
        -------
        float or None
            ``None`` where the condition holds nowhere.
        """

        def found() -> float | None:
            end = search_range(self.spectrum.curve(self.y_train, kind))
            return printed_decay(kind, self._values, self.spectrum.scores(self.y_train[:, None]), end)

        return self._once(("printed", kind), found)

    def alignment(self, kind: Kind, decay: float, *, centered: bool = False) -> float:
        """Return the alignment, or the centred one, at a decay.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.
        centered : bool, default=False
            Whether it is centred.

        Returns
        -------
        float
        """
        return float(self.spectrum.curve(self.y_train, kind, centered=centered).at(decay))

    def curve(self, kind: Kind) -> pd.DataFrame:
        """Return both alignments over the whole range of decays.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.

        Returns
        -------
        DataFrame of shape (n_decays, 4)
            ``decay``, ``relative decay`` (times ‖K‖), ``alignment`` and ``centered alignment``.
        """

        def computed() -> pd.DataFrame:
            decays = CURVE_DECAYS[kind] / self.spectrum.largest
            columns = {"decay": decays, "relative decay": CURVE_DECAYS[kind]}
            for name, centered in (("alignment", False), ("centered alignment", True)):
                columns[name] = self.spectrum.curve(self.y_train, kind, centered=centered).at(decays)
            return pd.DataFrame(columns)

        return self._once(("curve", kind), computed)

    def shares(self, kind: Kind, decay: float, n: int) -> pd.DataFrame:
        """Return the first eigenvectors, before and after: eigenvalues, and shares of the alignment.

        Columns ``eigenvector``, ``before``, ``after`` (both relative to the largest), ``share`` of the alignment,
        ``share before``, and ``ones``, the cosine with the vector of all ones.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.
        n : int
            How many eigenvectors.

        Returns
        -------
        DataFrame of shape (n, 6)
        """
        spectrum = self.spectrum
        after = spectrum.eigenvalues(kind, decay)
        aligned_with = spectrum.scores(self.y_train[:, None])
        inner, inner_before = after * aligned_with, self._values * aligned_with
        table = {
            "eigenvector": np.arange(1, len(spectrum) + 1),
            "before": self._values / spectrum.largest,
            "after": after / after.max(),
            "share": inner / inner.sum(),
            "share before": inner_before / inner_before.sum(),
            "ones": np.abs(spectrum.ones) / np.sqrt(len(spectrum)),
        }
        return pd.DataFrame({name: column[:n] for name, column in table.items()})

    # --- classifier -------------------------------------------------------------------------------------------------

    def kernels(self, kind: Kind, decay: float) -> tuple[Floats, Floats]:
        """Return the kernel of the training documents, and that of test with training documents.

        Both are divided by the mean of the training diagonal; a decay of 0 gives the bag of words.

        Parameters
        ----------
        kind, decay : as in `score`

        Returns
        -------
        train : ndarray of shape (n_train, n_train)
        test : ndarray of shape (n_test, n_train)
        """
        vectors = self.spectrum.vectors
        grown = growth(kind, self._values, decay, self.spectrum.largest)
        train = (vectors * (self._values * grown)) @ vectors.T
        scale = 1 / max(float(np.trace(train)) / len(train), np.finfo(float).tiny)
        return train * scale, (self._test_parts * (grown * scale)) @ vectors.T

    def is_scored(self, kind: Kind, decay: float, C: float, class_weight: str | None) -> bool:
        """Tell whether `score` knows the answer without training.

        Parameters
        ----------
        kind, decay, C, class_weight : as in `score`

        Returns
        -------
        bool
        """
        return _key(kind, decay, C, class_weight) in self._scores

    def score(self, kind: Kind, decay: float, C: float, class_weight: str | None) -> list[dict[str, Any]]:
        """Train an SVM and judge it on training and on test documents.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ; 0 for the bag of words.
        C : float
            Cost of an error in training.
        class_weight : {"balanced", None}
            Whether both classes cost the same in total.

        Returns
        -------
        list of dict
            One for each part: what `decisions` found, with ``decay``, ``relative decay`` and ``part``.
        """
        key = _key(kind, decay, C, class_weight)
        if (known := self._scores.get(key)) is not None:
            return known
        train, test = self.kernels(kind, decay)
        classifier = SVC(kernel="precomputed", C=C, class_weight=class_weight).fit(train, self.y_train)
        prior = float(np.mean(self.y_train > 0))
        rows = [
            {"decay": decay, "relative decay": decay * self.spectrum.largest, "part": part}
            | vars(decisions(y > 0, classifier.decision_function(kernel), prior))
            for part, kernel, y in (("train", train, self.y_train), ("test", test, self.y_test))
        ]
        self._scores.put(key, rows)
        return rows

    # --- words ------------------------------------------------------------------------------------------------------

    def term(self, word: str) -> int:
        """Return the column of a word or a stem, or of the class's most typical term if the word is empty.

        Parameters
        ----------
        word : str
            A word as it is written, or its stem.

        Returns
        -------
        int
        """
        if not word.strip():
            return int(self._typical[0])
        columns = self.documents.corpus.columns
        for stem in (word.strip(), *self.documents.corpus.tokens(word)):
            if stem in columns and self.terms.basis[columns[stem]].any():
                return int(columns[stem])
        raise NoAnswer(
            f"the training documents do not have the word {word!r:.40}; try {', '.join(self.words(6))}, "
            "or a larger training share"
        )

    def words(self, n: int = 10) -> list[str]:
        """Return stems that are most typical of the class.

        Parameters
        ----------
        n : int, default=10
            How many.

        Returns
        -------
        list of str
        """
        return [str(self.documents.corpus.vocabulary[i]) for i in self._typical[:n]]

    def related(self, word: str, kind: Kind, decay: float, n: int = 10) -> pd.DataFrame:
        """Return the terms nearest to a word, as stems.

        Columns ``term``, ``proximity``, ``documents together``, and ``through``: for a term that never met the word,
        the term that ties them most strongly together, by what it has in common with both.

        Parameters
        ----------
        word : str
            As in `term`.
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.
        n : int, default=10
            How many terms.

        Returns
        -------
        DataFrame of shape (n, 4)
        """
        term = self.term(word)
        table = self.terms.related(term, kind, decay, n)
        found, vocabulary = table["term"].to_numpy(), self.documents.corpus.vocabulary
        with_term = (self._columns.T @ self._columns[:, [term]]).toarray()
        with_found = (self._columns.T @ self._columns[:, found]).toarray()
        between = np.argmax(with_term * with_found, axis=0)
        unmet = table["documents together"].to_numpy() == 0
        return table.assign(term=vocabulary[found], through=np.where(unmet, vocabulary[between], ""))

    # --- a few documents --------------------------------------------------------------------------------------------

    @property
    def shown(self) -> NDArray[np.int64]:
        """Numbers of some training documents, those of the class first, at most half of all, then class by class."""
        return self._once("shown", self._drawn)

    def _drawn(self) -> NDArray[np.int64]:
        belongs = np.flatnonzero(self.y_train > 0)[: _SHOWN_DOCUMENTS // 2]
        others = np.flatnonzero(self.y_train < 0)
        others = np.random.default_rng(0).permutation(others)[: _SHOWN_DOCUMENTS - len(belongs)]
        labels = self.documents.labels
        order = others if labels is None else labels[self.train][others]
        return np.concatenate([belongs, others[np.lexsort([others, order])]])

    @property
    def shown_texts(self) -> pd.DataFrame:
        """Columns ``row`` (among all documents), ``classes``, ``text`` and ``in class`` of those documents."""
        rows, classes = self.train[self.shown], self.documents.classes
        return pd.DataFrame(
            {
                "row": rows,
                "classes": [", ".join(name for name, has in classes.items() if has[row]) for row in rows],
                "text": [self.documents.corpus.texts[row] for row in rows],
                "in class": self.y_train[self.shown] > 0,
            }
        )

    def cosines(self, kind: Kind, decay: float) -> Floats:
        """Return the kernel of those documents, each of length 1.

        Parameters
        ----------
        kind : {"exponential", "von_neumann"}
            The kernel.
        decay : float
            λ.

        Returns
        -------
        ndarray of shape (n_shown, n_shown)
        """
        rows = self.spectrum.vectors[self.shown]
        heat = (rows * self.spectrum.eigenvalues(kind, decay)) @ rows.T
        length = np.sqrt(np.maximum(np.diag(heat), np.finfo(float).tiny))
        cosines: Floats = heat / np.outer(length, length)
        return cosines


def _key(kind: Kind, decay: float, C: float, class_weight: str | None) -> tuple[Any, ...]:
    """Without a decay all kernels are the bag of words."""
    return kind if decay else None, decay, C, class_weight

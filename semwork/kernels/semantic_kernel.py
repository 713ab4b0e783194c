"""The kernels as a transformer of scikit-learn."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_random_state

from semwork.given import is_number, is_whole
from semwork.kernels.block import TrainingBlock
from semwork.kernels.checking import Floats, Kind, check_decay, check_kernel_kind, check_spectrum
from semwork.kernels.curve import AlignmentCurve
from semwork.kernels.growth import excess, growth, log_scale
from semwork.kernels.low_rank import first_singular, squared_gram_norm
from semwork.kernels.optimum import best_decay
from semwork.kernels.reading import read_documents, read_target
from semwork.kernels.spectrum import KernelSpectrum
from semwork.memory import available_memory

__all__ = ["SemanticKernel"]


class SemanticKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Von Neumann and exponential kernels of documents [1]_.

    Two documents are alike when they share terms, or terms that occur with the same terms, and so on. With X the
    documents × terms matrix and G = XᵀX, the kernel of two documents is ``xᵀ P z`` with the proximity matrix
    ``P = exp(λG)`` (exponential) or ``P = (I − λG)⁻¹`` (von Neumann).

    Parameters
    ----------
    kind : {"exponential", "von_neumann"}, default="exponential"
        ``"exponential"`` or ``"von_neumann"``.
    decay : float or "align", default="align"
        λ, or ``"align"``: the one with the largest alignment of the training documents' kernel with their labels. 0 is
        the linear kernel, the bag of words. The von Neumann kernel exists below 1/‖K‖ only, which every training set
        has another of.
    decay_scale : {"absolute", "relative"}, default="absolute"
        Whether a number for ``decay`` is λ itself (``"absolute"``), or is in units of 1/‖K‖ (``"relative"``), ‖K‖ being
        the largest eigenvalue of the documents that proximity is learnt from. A relative decay from 0 and below 1 is
        allowed for any documents, so that a grid search can use it in every fold.
    centered : bool, default=False
        Whether alignment is centred.
    rank : int or None, default=None
        How many eigenvectors of G are computed. ``None``: all. With a number, what is left of G gets one common
        growth, that of its mean eigenvalue (weighted by itself), so that no term is lost, and no
        matrix of documents × documents is formed.
    output : {"kernel", "features"}, default="kernel"
        What ``transform`` gives: ``"kernel"``, the kernel of the documents with the training documents, for
        ``SVC(kernel="precomputed")``; or ``"features"``, columns whose inner products are the kernel, for a linear
        classifier.
    normalize : bool, default=True
        Whether the kernel is divided by its mean over the training documents with themselves, so that one ``C`` of an
        SVM suits all decays. Without it, ``exp(λ‖K‖)`` may be too large for a number.
    random_state : int, RandomState or None, default=None
        Seed of the randomised decomposition (with ``rank``).

    Attributes
    ----------
    decay_ : float
        λ; 0 (the bag of words) when no decay has a larger alignment.
    alignment_ : float or None
        Alignment at ``decay_``; ``None`` when there were no labels.
    optimum_ : Optimum or None
        How ``"align"`` ended.
    spectrum_ : ndarray
        Eigenvalues of G that were computed, falling.
    proximity_ : LinearOperator
        P, terms × terms, as an operator; multiplied by ``scale_``.
    scale_ : float
        The factor of ``normalize``. (For a kernel beyond the range of numbers it is 0 or nearly so; what ``transform``
        gives is right.)
    curve_ : AlignmentCurve or None
        The alignment for any decay.

    References
    ----------
    .. [1] J. Kandola, J. Shawe-Taylor & N. Cristianini (2002), Learning Semantic Similarity, NIPS.

    Examples
    --------
    >>> X = [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    >>> kernel = SemanticKernel(kind="von_neumann", decay=0.2, normalize=False).fit(X)
    >>> kernel.transform([[1.0, 0.0, 0.0]]).round(3).tolist()
    [[1.897, 0.69, 0.172]]

    More documents without labels may be texts inside a pipeline, which then sends them through the steps before, too:

    >>> import sklearn
    >>> from sklearn.feature_extraction.text import TfidfVectorizer
    >>> from sklearn.pipeline import Pipeline
    >>> from sklearn.svm import SVC
    >>> texts, labels = ["a cat purrs", "a cat and a dog", "a bank lends", "a bank and money"], [0, 0, 1, 1]
    >>> steps = [("words", TfidfVectorizer()), ("kernel", SemanticKernel()), ("svm", SVC(kernel="precomputed"))]
    >>> with sklearn.config_context(enable_metadata_routing=True):
    ...     pipeline = Pipeline(steps, transform_input=["background"])
    ...     pipeline = pipeline.fit(texts, labels, background=["a dog purrs", "a bank lends money"])
    >>> pipeline.predict(["cat", "money"]).tolist()
    [0, 1]
    """

    # In a pipeline that passes parameters on, ``background`` is for this step.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"background": True}

    def __init__(
        self,
        kind: Kind = "exponential",
        decay: float | Literal["align"] = "align",
        centered: bool = False,
        rank: int | None = None,
        output: Literal["kernel", "features"] = "kernel",
        normalize: bool = True,
        random_state: Any = None,
        decay_scale: Literal["absolute", "relative"] = "absolute",
    ) -> None:
        self.kind = kind
        self.decay = decay
        self.centered = centered
        self.rank = rank
        self.output = output
        self.normalize = normalize
        self.random_state = random_state
        self.decay_scale = decay_scale

    def fit(self, X: Any, y: Any = None, background: Any = None) -> Self:
        """Learn the proximity of terms.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_documents, n_terms)
            Documents × terms, dense or sparse.
        y : array-like of shape (n_documents,) or None
            Labels, needed for ``decay="align"``: two classes of any name, or more (the target is then the Gram matrix
            of the one-hot labels).
        background : {array-like, sparse matrix} of shape (n_more, n_terms) or None
            More documents without labels (such as the test documents, for a transductive study): proximity is learnt
            from all, alignment from those of ``X``. A matrix with the columns of ``X``; inside a pipeline texts will
            do, as the example above has them. (scikit-learn's searches take a background that is exactly as long as
            ``X`` for a part of it, and cut it fold by fold.)
        """
        check_kernel_kind(self.kind)
        if self.output not in ("kernel", "features"):
            raise ValueError(f"output must be 'kernel' or 'features', got {self.output!r}")
        if self.decay_scale not in ("absolute", "relative"):
            raise ValueError(f"decay_scale must be 'absolute' or 'relative', got {self.decay_scale!r}")
        documents = read_documents(self, X, fitting=True)
        target = read_target(y, documents.shape[0], needed=self.decay == "align")
        aligned = isinstance(self.decay, str)
        if aligned and self.decay != "align":
            raise ValueError(f"decay must be a number from 0 or 'align', got {self.decay!r}")
        if aligned and target is None:
            raise ValueError(
                "requires y to be passed, but the target y is None: decay='align' fits the decay to labels; give "
                "fit(X, y), or a number for decay"
            )
        everything = documents
        if background is not None:
            more = read_documents(self, background, fitting=False, name="background")
            everything = sparse.vstack([documents, more], format="csr")
        self._training = documents
        self._decompose(everything)
        self.optimum_, decay = None, 0.0
        if not aligned:
            decay = self._given_decay(float(self.spectrum_.max(initial=0.0)))
        self._parts = self._project(documents)
        self._block: TrainingBlock | None = None
        if self._basis is not None or background is not None:
            parts = self._parts
            if self._basis is None:
                parts = parts / np.sqrt(np.where(self.spectrum_ > 0, self.spectrum_, 1.0))
            self._block = TrainingBlock(documents, self.spectrum_, parts, self._rest)
        self.curve_ = None if target is None else self._curve(target, self.kind, centered=self.centered)
        if aligned and self.curve_ is not None:
            self.optimum_ = best_decay(self.curve_)
            decay = self.optimum_.decay
        self.decay_ = decay
        self.alignment_ = None if self.curve_ is None else float(self.curve_.at(self.decay_))
        self._weigh()
        return self

    def transform(self, X: Any) -> Any:
        """Return the kernel with the training documents (rows: documents of X), or features.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_documents, n_terms)
            As in `fit`.

        Returns
        -------
        ndarray of shape (n_documents, n_training), or csr_array of shape (n_documents, n_features)
            What ``output`` asks for.
        """
        check_is_fitted(self)
        documents = read_documents(self, X, fitting=False)
        parts = self._project(documents)
        if self.output == "features":
            grown = sparse.csr_array(parts * np.sqrt(self._weights))
            return sparse.hstack([documents * np.sqrt(self._base), grown], format="csr")
        plain = (documents @ self._training.T).toarray()
        kernel: Floats = self._base * plain + (parts * self._weights) @ self._parts.T
        return kernel

    def alignment_curve(self, y: Any, kind: Kind | None = None, centered: bool | None = None) -> AlignmentCurve:
        """Return the alignment of the training documents with other labels (or another kernel) for any decay.

        The decomposition of ``fit`` serves them all: twenty classes cost little more than one.

        Parameters
        ----------
        y : array-like of shape (n_training,)
            Labels, as in `fit`.
        kind : {"exponential", "von_neumann"} or None
            The kernel; ``None`` for that of the fit.
        centered : bool or None
            Whether the alignment is centred; ``None`` for what the fit did.

        Returns
        -------
        AlignmentCurve
        """
        check_is_fitted(self)
        target = read_target(y, self._training.shape[0], needed=self.decay == "align")
        if target is None:
            raise ValueError("all labels are of one class: alignment needs at least two")
        return self._curve(
            target, self.kind if kind is None else kind, centered=self.centered if centered is None else centered
        )

    def _curve(self, target: Floats, kind: Kind, *, centered: bool) -> AlignmentCurve:
        check_kernel_kind(kind)
        if self._block is not None:
            return self._block.curve(target, kind, centered=centered)
        y = target if target.shape[1] > 1 else target[:, 0]
        return KernelSpectrum(self.spectrum_, self._vectors).curve(y, kind, centered=centered)

    @property
    def proximity_(self) -> LinearOperator:
        """P, terms × terms, as an operator, multiplied by ``scale_``."""
        check_is_fitted(self)
        n = self.n_features_in_

        def apply(vectors: Floats) -> Floats:
            weights = self._weights[:, None] if vectors.ndim == 2 else self._weights
            result: Floats = self._base * vectors + self._lift(weights * self._lower(vectors))
            return result

        return LinearOperator((n, n), matvec=apply, rmatvec=apply, matmat=apply, rmatmat=apply, dtype=np.float64)

    @property
    def _n_features_out(self) -> int:
        columns = len(self._weights) + self.n_features_in_ if self.output == "features" else self._training.shape[0]
        return int(columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = self.decay == "align"
        return tags

    def _given_decay(self, largest: float) -> float:
        """Return λ of the decay that was given."""
        if self.decay_scale == "absolute":
            return check_decay(self.decay, self.kind, largest, linear=True)
        share, most = self.decay, 1 if self.kind == "von_neumann" else np.inf
        if not is_number(share) or not 0 <= float(share) < most:
            allowed = "from 0" if np.isinf(most) else "from 0 and below 1"
            raise ValueError(
                f"the relative decay of the {self.kind} kernel, in units of 1/‖K‖, must be a number {allowed}, got "
                f"{share!r:.60}"
            )
        return float(share) / largest if largest > 0 else 0.0

    def _decompose(self, documents: sparse.csr_array) -> None:
        """Find eigenvalues of G and how a document is projected on its eigenvectors."""
        m, n = documents.shape
        self._basis: Floats | None = None
        self._rest = 0.0
        if self.rank is None:
            _check_memory(min(m, n))
            small = documents if m <= n else documents.T.tocsr()
            values, vectors = linalg.eigh((small @ small.T).toarray(), driver="evd")
            self.spectrum_, vectors = check_spectrum(values)[::-1], vectors[:, ::-1]
            if m <= n:
                self._sources, self._vectors = documents, vectors
            else:
                self._basis = vectors
            return
        if not is_whole(self.rank) or not 1 <= self.rank < min(m, n):
            some = f"a whole number from 1 to {min(m, n) - 1}, or " if min(m, n) > 1 else ""
            raise ValueError(
                f"rank must be {some}None for all, with {m:,} documents × {n:,} terms (n_samples = {m}, n_features = "
                f"{n}), got {self.rank!r}"
            )
        self.spectrum_, self._basis = first_singular(documents, int(self.rank), check_random_state(self.random_state))
        trace = float((documents.data**2).sum()) - float(self.spectrum_.sum())
        square = squared_gram_norm(documents) - float((self.spectrum_**2).sum())
        if trace > 0 and square > 0:
            self._rest = min(square / trace, float(self.spectrum_[-1]))

    def _lower(self, vectors: Floats) -> Floats:
        """Terms → eigenvectors (or, without a basis, √α times eigenvectors)."""
        if self._basis is not None:
            return self._basis.T @ vectors
        lowered: Floats = self._vectors.T @ (self._sources @ vectors)
        return lowered

    def _lift(self, vectors: Floats) -> Floats:
        """Eigenvectors → terms, the transpose of `_lower`."""
        if self._basis is not None:
            return self._basis @ vectors
        lifted: Floats = self._sources.T @ (self._vectors @ vectors)
        return lifted

    def _project(self, documents: sparse.csr_array) -> Floats:
        if self._basis is not None:
            return np.asarray(documents @ self._basis)
        projected: Floats = (documents @ self._sources.T).toarray() @ self._vectors
        return projected

    def _weigh(self) -> None:
        """Set P = base·I + (weights of the eigenvectors), scaled."""
        values, decay = self.spectrum_, self.decay_
        largest = float(values.max(initial=0.0))
        self._base = float(growth(self.kind, np.array([self._rest]), decay, largest)[0])
        if self._basis is None:
            self._weights = excess(self.kind, values, decay, largest)
        else:
            self._weights = np.maximum(growth(self.kind, values, decay, largest) - self._base, 0.0)
        shift = log_scale(self.kind, decay, largest)
        if self.normalize:
            diagonal = self._base * (self._training.data**2).sum() + (self._parts**2).sum(axis=0) @ self._weights
            factor = self._training.shape[0] / diagonal if diagonal > 0 else 1.0
            self.scale_ = float(factor * np.exp(-shift))
        elif shift > 700:
            raise ValueError(
                f"exp(λ‖K‖) is too large for a number at the decay λ = {decay:g} (‖K‖ = {largest:g}); "
                "leave normalize=True"
            )
        else:
            factor, self.scale_ = np.exp(shift), 1.0
        self._base *= factor
        self._weights = self._weights * factor


def _check_memory(size: int) -> None:
    needed, free = 4 * size * size * 8, available_memory()
    if free is not None and needed > free:
        raise MemoryError(
            f"a full eigendecomposition of size {size:,} needs about {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB "
            "are free; give a rank, for instance rank=300"
        )

"""Weighted textual matrix factorisation: sentence vectors that also model the words that are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from semwork.given import is_number, is_whole
from semwork.similarity.base import SentenceModel
from semwork.similarity.checking import check_fits_in_memory, check_weights
from semwork.similarity.penalty import ONE_DIRECTION, automatic_regularization, collapse, warn_of
from semwork.steps import Step, last

__all__ = ["WTMF", "WTMFStep"]

Matrix = NDArray[np.floating[Any]]
_COMPONENTS = 100
_LITTLE = 0.001


@dataclass(frozen=True, kw_only=True)
class WTMFStep(Step):
    """One alternating iteration, the value of the objective after it, and the dev score if one was asked for.

    The last one says in ``collapsed`` what is wrong with the vectors, if they have collapsed.

    Attributes
    ----------
    objective : float
        The value of the objective.
    dev_score : float or None
        What ``dev_score`` gave, if it was asked.
    collapsed : str
        What is wrong with the vectors; empty unless they have collapsed.
    """

    objective: float
    dev_score: float | None = None
    collapsed: str = ""


class WTMF(SentenceModel):
    r"""Weighted textual matrix factorisation.

    Minimises :math:`\sum_{ij} W_{ij}(P_i·Q_j - X_{ij})^2 + λ‖P‖^2 + λ‖Q‖^2` with weight 1 on the words a sentence
    has and the small weight :math:`w_m` on those it has not, by exact alternating least squares [1]_.

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        K, the length of a sentence vector. ``"auto"`` is the paper's 100, or as many as the matrix has rows or columns
        where that is fewer.
    missing_weight : float, default=0.01
        w_m, between 0 (ignore missing words) and 1 (as sure that they are absent as that the others are present).
    regularization : float or "auto", default="auto"
        λ, 0 or more, or ``"auto"``: ``0.084 · max(σ_K, σ_1 / 100)``, where σ_k is the k-th singular value of the
        matrix. A λ near σ_1 leaves one direction, and one above it leaves nothing, so what is right depends on how
        many sentences there are and how they are weighed; the paper's 20 is right for its 175,000. The share .084
        makes it 20 there. From 20 texts to 200,000, in three weightings, it finds at least 94 % of what the best λ of a
        grid finds (``semwork reproduce regularization``).
    max_iter : int, default=20
        Alternating iterations.
    orthogonality : float, default=0.0
        Step size of the pull towards orthogonal dimensions that the authors added later [2]_: after each iteration
        ``P ← P − α (PPᵀ − cI) P``, c the mean of the diagonal of PPᵀ. 0 is plain WTMF; they used 0.0001. Where a step
        would overshoot, as it can in the first iterations, it is shortened.
    dtype : {"float32", "float64"}, default="float32"
        ``"float32"`` or ``"float64"``: twice the memory and about twice the time for 16 digits instead of 7.
    n_jobs : int or None, default=None
        Threads; ``None`` and −1 mean all cores (one, where the work is small), −2 all but one, and so on.
    random_state : int, RandomState or None, default=None
        Seed of the random start.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_words)
        The words' vectors, one column each.
    embedding_ : ndarray of shape (n_sentences, n_components)
        The vectors of the sentences of the fit; the same as ``transform`` gives for them.
    objective_path_ : list of float
        The objective after each iteration.
    n_iter_ : int
        Iterations done, or the best one of them if a dev score chose it.
    regularization_ : float
        The λ that was used.

    Warns
    -----
    CollapsedVectorsWarning
        From ``fit``, when the sentences' vectors end up nearly zero or nearly all in one direction. The last one of
        ``steps`` says it in its message.

    References
    ----------
    .. [1] W. Guo & M. Diab (2012), Modeling Sentences in the Latent Space, ACL, equations 3 to 5.
    .. [2] W. Guo, W. Liu & M. Diab (2014), Fast Tweet Retrieval with Compact Binary Codes, COLING.

    Examples
    --------
    >>> from semwork.text import Corpus
    >>> texts = ["a bank lends money", "money lies in the bank", "a river has a bank", "fish swim in the river"]
    >>> corpus = Corpus.from_texts(texts, min_count=1)
    >>> model = WTMF(n_components=2, random_state=0).fit(corpus.matrix)
    >>> model.transform(corpus.transform(["the bank has my money"])).shape
    (1, 2)
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "components_",
        "embedding_",
        "objective_path_",
        "n_features_in_",
        "n_iter_",
        "regularization_",
    )
    _overwritten: ClassVar[tuple[str, ...]] = ("components_", "objective_path_")

    def __init__(
        self,
        n_components: int | Literal["auto"] = "auto",
        missing_weight: float = 0.01,
        regularization: float | Literal["auto"] = "auto",
        max_iter: int = 20,
        orthogonality: float = 0.0,
        dtype: Literal["float32", "float64"] = "float32",
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.missing_weight = missing_weight
        self.regularization = regularization
        self.max_iter = max_iter
        self.orthogonality = orthogonality
        self.dtype = dtype
        self.n_jobs = n_jobs
        self.random_state = random_state

    def steps(
        self,
        X: Any,
        *,
        start: Matrix | None = None,
        dev_score: Callable[[Self], float] | None = None,
        patience: int = 2,
    ) -> Iterator[WTMFStep]:
        """Fit iteration by iteration; the fitted attributes are current after every step.

        The next step writes its vectors over those of this one: copy what you want to keep.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_sentences, n_words)
            The weights of the sentences, as `Corpus.matrix` has them.
        start : array-like of shape (any number, n_words), or None
            Components (any number × words) to start from instead of a random start, as after a small change of a
            parameter. Missing dimensions are filled at random, surplus ones dropped.
        dev_score : callable or None
            ``dev_score(model)`` is asked after every iteration. When it has not risen for ``patience`` iterations
            the fit ends, and the model is that of the best iteration.
        patience : int
            How many iterations without a rise are made before the fit ends.

        Yields
        ------
        WTMFStep
        """
        from semwork.similarity.solver import Half, Side, memory_for_whitened, pool_of, threads_for

        self._check_parameters()
        X = check_weights(self, X, fitting=True, dtype=[np.float64, np.float32])
        rank = self._possible_rank(X.shape)
        dtype = np.dtype(self.dtype)
        check_fits_in_memory(X.shape, X.nnz, rank, dtype.itemsize)
        given = self.regularization
        self.regularization_ = automatic_regularization(X, rank) if given == "auto" else float(given)
        words = self._start(rank, X.shape[1], start).astype(dtype)
        sentences = np.empty((X.shape[0], rank), dtype)
        whitened = memory_for_whitened(max(X.shape), rank, dtype)
        threads = threads_for(self.n_jobs, X.nnz, rank)
        sides = Side(X, dtype, threads), Side(X.T.tocsr(), dtype, threads)
        squares = float(np.sum(X.data.astype(np.float64) ** 2))
        del X
        settings = float(self.missing_weight), self.regularization_
        self.objective_path_: list[float] = []
        best = _Best(patience) if dev_score else None
        with pool_of(threads) as pool:
            by_sentence, by_word = (Half(side, pool) for side in sides)
            sentences, _ = by_sentence.solve(words, *settings, into=sentences, whitened=whitened)
            for done in range(1, self.max_iter + 1):
                words, _ = by_word.solve(sentences, *settings, into=words, whitened=whitened)
                if self.orthogonality:
                    words = self._pulled_apart(words)
                sentences, gain = by_sentence.solve(words, *settings, into=sentences, whitened=whitened)
                objective = squares - gain + self.regularization_ * _squares(words)
                self.components_, self.embedding_, self.n_iter_ = words.T, sentences, done
                self.objective_path_.append(objective)
                score = float(dev_score(self)) if dev_score else None
                peaked = best is not None and score is not None and best.no_longer_rises(score, self)
                collapsed = self._collapsed(squares) if peaked or done == self.max_iter else ""
                said = [f"objective {objective:,.1f}", f"dev score {score:.4f}" if score is not None else "", collapsed]
                yield WTMFStep(
                    done=done,
                    total=self.max_iter,
                    message=", ".join(filter(None, said)),
                    objective=objective,
                    dev_score=score,
                    collapsed=collapsed,
                )
                if peaked:
                    break
        if best is not None:
            best.restore(self)
            del self.objective_path_[self.n_iter_ :]

    def _possible_rank(self, shape: tuple[int, int]) -> int:
        """Return K, or say how large it can be here."""
        rank = self.rank_for(shape)
        if rank > min(shape):
            raise ValueError(
                f"n_components is {rank}, but {shape[0]} sentences × {shape[1]} words have at most "
                f"{min(shape)} dimensions (n_samples = {shape[0]}); choose n_components between 1 and "
                f"{min(shape)}, or 'auto'"
            )
        return rank

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        start: Matrix | None = None,
        dev_score: Callable[[Self], float] | None = None,
        patience: int = 2,
    ) -> Self:
        """Run all iterations on a sentences × words matrix; the arguments are those of :meth:`steps`.

        Parameters
        ----------
        X, start, dev_score, patience : as in `steps`
        y : None
            Not used.
        """
        warn_of(last(self.steps(X, start=start, dev_score=dev_score, patience=patience)))
        return self

    def transform(self, X: Any) -> Matrix:
        """Fold sentences in: the same closed-form update, with the word vectors fixed.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_sentences, n_words)
            The weights of the sentences.

        Returns
        -------
        ndarray of shape (n_sentences, n_components)
        """
        from semwork.similarity.solver import Half, Side, pool_of, threads_for

        X = check_weights(self, X, fitting=False, dtype=[np.float64, np.float32])
        words = np.ascontiguousarray(self.components_.T)
        threads = threads_for(self.n_jobs, X.nnz, words.shape[1])
        with pool_of(threads) as pool:
            half = Half(Side(X, words.dtype, threads), pool)
            return half.solve(words, float(self.missing_weight), self.regularization_)[0]

    def rank_for(self, shape: tuple[int, int]) -> int:
        """K for a sentences × words matrix of this shape: ``n_components``, or what ``"auto"`` means there.

        Parameters
        ----------
        shape : tuple of (int, int)
            How many sentences and words there are.

        Returns
        -------
        int
        """
        return min(_COMPONENTS, *shape) if self.n_components == "auto" else int(self.n_components)

    def predicted(self, X: Any) -> Matrix:
        """``P_i · Q_j`` for all words of the vocabulary: how well each fits each sentence.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_sentences, n_words)
            The weights of the sentences.

        Returns
        -------
        ndarray of shape (n_sentences, n_words)
        """
        return np.asarray(self.transform(X) @ self.components_)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that :meth:`save` wrote."""
        model = super().load(path)
        if not hasattr(model, "regularization_"):  # the file is from before λ could be "auto"
            model.regularization_ = float(model.regularization)
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _check_parameters(self) -> None:
        for name in ("n_components", "max_iter"):
            value = getattr(self, name)
            automatic = name == "n_components" and isinstance(value, str) and value == "auto"
            if not automatic and (not is_whole(value) or value < 1):
                or_auto = ", or 'auto'" if name == "n_components" else ""
                raise ValueError(f"{name} is {value!r}; it must be a whole number, 1 or more{or_auto}")
        for name, most in (("missing_weight", 1.0), ("regularization", np.inf), ("orthogonality", np.inf)):
            value = getattr(self, name)
            if name == "regularization" and isinstance(value, str) and value == "auto":
                continue
            if not is_number(value) or not 0 <= value <= most or not np.isfinite(value):
                allowed = "lie between 0 and 1" if most == 1 else "be a number, 0 or more"
                allowed += ", or 'auto'" if name == "regularization" else ""
                raise ValueError(f"{name} is {value!r}; it must {allowed}")
        if str(self.dtype) not in ("float32", "float64"):
            raise ValueError(f"dtype is {self.dtype!r}; it must be 'float32' or 'float64'")

    def _collapsed(self, squares: float) -> str:
        """What is wrong with the vectors and what to change, or nothing."""
        how = collapse(self.embedding_, self.objective_path_[-1], squares)
        if not how or (self.missing_weight == 0 and how == ONE_DIRECTION):
            return ""  # w_m = 0 asks for it: where nothing is held against a word, one direction fits them all
        if self.regularization == "auto" or not self.regularization_:
            change = "the penalty is not too strong, so the texts may be (nearly) all alike"
        else:
            change = f"regularization={self.regularization_:g} is too strong; use 'auto', which measures the weights"
        if self.missing_weight < _LITTLE:
            change += f"; and with missing_weight={self.missing_weight:g} one direction is enough: use 0.01, for one"
        return f"the vectors of the {len(self.embedding_):,} sentences are {how}, so they hardly differ: {change}"

    def _start(self, rank: int, n_words: int, start: Matrix | None) -> Matrix:
        """Random word vectors, or the given ones, cut or filled to K dimensions."""
        random = check_random_state(self.random_state)
        # Small, so that the first sentences are a plain random projection of their words, whatever λ is.
        words = 0.01 * random.standard_normal((n_words, rank))
        if start is not None:
            given = np.asarray(start)
            if given.ndim != 2 or given.shape[1] != n_words or not np.isfinite(given).all():
                raise ValueError(
                    f"start has the shape {given.shape}; it must be components of a fitted model, any number × "
                    f"{n_words} words, all finite"
                )
            shared = min(len(given), rank)
            words *= 100 * float(np.std(given)) or 1.0
            words[:, :shared] = given[:shared].T
        return np.asarray(words)

    def _pulled_apart(self, words: Matrix) -> Matrix:
        gram = (words.T @ words).astype(np.float64)
        excess = gram - np.trace(gram) / len(gram) * np.eye(len(gram))
        furthest = float(np.linalg.eigvalsh(excess)[-1])
        step = min(self.orthogonality, 0.5 / furthest) if furthest > 0 else 0.0
        return np.asarray(words - words @ (step * excess).astype(words.dtype))


class _Best:
    """The best iteration so far."""

    def __init__(self, patience: int) -> None:
        self.patience = patience
        self.score = -np.inf
        self.waited = 0
        self.state: dict[str, Any] = {}

    def no_longer_rises(self, score: float, model: WTMF) -> bool:
        if score > self.score:
            self.score, self.waited = score, 0
            kept = ("components_", "embedding_", "n_iter_")
            self.state = {name: np.copy(getattr(model, name)) for name in kept}
            return False
        self.waited += 1
        return self.waited >= self.patience

    def restore(self, model: WTMF) -> None:
        for name, value in self.state.items():
            setattr(model, name, value.item() if value.ndim == 0 else value)


def _squares(rows: Matrix) -> float:
    return float(np.einsum("ij,ij->", rows, rows, dtype=np.float64))

"""Words that training has not seen: what the lesson on unseen words shows."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.datasets.records import WordVectors
from semwork.given import check_kind
from semwork.steps import Step
from semwork.text.analyzers import Analyzer
from semwork.text.stopwords import STOP_WORDS
from semwork.topics.checking import check_positive
from semwork.topics.data import TopicData, check_data
from semwork.topics.documents import Documents
from semwork.topics.folding import fold_in
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.geometry import TopicMap, topic_map
from semwork.topics.lda import LDA
from semwork.topics.prior import NormalInverseWishart

__all__ = ["FixedTopics", "Reading", "UnseenStep", "UnseenStudy"]

Floats = NDArray[np.float64]
_SWEEPS = 4_000  # over one short text: a moment
_LONGEST = 90  # words of a text that are shown
_COMMON = 100_000  # rows of large vectors, the commonest words first, that may replace others
_SPLIT = Analyzer()


@dataclass(frozen=True, eq=False)
class Reading:
    """How one model reads a text.

    Attributes
    ----------
    words
        The words that could have a topic, in reading order.
    known
        Which of them the model knows; it drops the others.
    topics
        The likeliest topic of each word, −1 where it was dropped.
    proportions
        Of the topics in the text.
    """

    words: tuple[str, ...]
    known: NDArray[np.bool_]
    topics: NDArray[np.int64]
    proportions: Floats


@dataclass(frozen=True, eq=False)
class FixedTopics(ABC):
    """The topics of one model as they stand after a sweep; they read texts and do not change.

    Attributes
    ----------
    name
        ``"Gaussian LDA"`` or ``"LDA"``.
    top_words
        Ten of each topic.
    alpha
        Dirichlet prior of proportions.
    sizes
        Tokens of each topic.
    """

    name: str
    top_words: tuple[tuple[str, ...], ...]
    alpha: float
    sizes: NDArray[np.int64]

    @abstractmethod
    def knows(self, word: str) -> bool:
        """Whether the word has a density."""

    @abstractmethod
    def log_density(self, words: Sequence[str]) -> Floats:
        """Return the log density of known words, words × topics."""

    def posterior(self, word: str) -> Floats:
        """Return p(topic | word), with the topics as likely beforehand as they are large."""
        values = self.log_density([word])[0] + np.log(self.sizes + self.alpha)
        values = np.exp(values - values.max())
        return np.asarray(values / values.sum())

    def read(self, words: Sequence[str], seed: int = 0) -> Reading:
        """Find the topics of a text by sampling; the mean over the second half of many sweeps."""
        known = np.array([self.knows(word) for word in words], dtype=bool)
        kept = [word for word, it in zip(words, known, strict=True) if it]
        n_topics = len(self.sizes)
        names = sorted(set(kept))
        number = {name: place for place, name in enumerate(names)}
        tokens = np.array([number[word] for word in kept], dtype=np.int32)
        documents = Documents(tokens, np.array([0, len(tokens)]), names, np.zeros((0, 0)))
        densities = self.log_density(names) if names else np.zeros((0, n_topics))
        alpha = np.full(n_topics, self.alpha)
        folded = fold_in(documents, densities, alpha, seed=seed, sweeps=_SWEEPS, n_jobs=1, tokens=True)
        topics = np.full(len(words), -1, dtype=np.int64)
        topics[known] = folded.tokens.argmax(axis=1) if kept else []
        return Reading(tuple(words), known, topics, folded.proportions[0])


@dataclass(frozen=True, eq=False)
class _Gaussian(FixedTopics):
    beliefs: tuple[NormalInverseWishart, ...]
    vectors: WordVectors

    def knows(self, word: str) -> bool:
        return word in self.vectors.index

    def log_density(self, words: Sequence[str]) -> Floats:
        rows = np.stack([np.asarray(self.vectors[word], dtype=np.float64) for word in words])
        return np.stack([belief.log_density(rows) for belief in self.beliefs], axis=1)


@dataclass(frozen=True, eq=False)
class _Multinomial(FixedTopics):
    log_words: Floats
    place: dict[str, int]

    def knows(self, word: str) -> bool:
        return word in self.place

    def log_density(self, words: Sequence[str]) -> Floats:
        return np.asarray(self.log_words[:, [self.place[word] for word in words]].T)


@dataclass(frozen=True, kw_only=True)
class UnseenStep(Step):
    """Both models after as many sweeps.

    Attributes
    ----------
    gaussian, lda
        Their topics.
    plane
        Words and Gaussian topics in two dimensions, as in `topic_map`.
    """

    gaussian: FixedTopics
    lda: FixedTopics
    plane: TopicMap = field(repr=False, compare=False)
    study: UnseenStudy = field(repr=False, compare=False)

    @cached_property
    def _readings(self) -> dict[str, tuple[Reading, Reading]]:
        return {}

    def read(self, text: str) -> tuple[Reading, Reading]:
        """Return how Gaussian LDA and LDA read a text; read once, as several pictures show it."""
        if text not in self._readings:
            words = self.study.words_of(text)
            self._readings[text] = self.gaussian.read(words), self.lda.read(words)
        return self._readings[text]

    def word(self, word: str) -> pd.DataFrame:
        """Return p(topic | word) under Gaussian LDA, the likeliest first: ``topic``, ``probability``, ``words``."""
        if not self.gaussian.knows(word):
            raise ValueError(f"{word!r} has no vector: not even Gaussian LDA can place it")
        chances = self.gaussian.posterior(word)
        order = np.argsort(-chances, kind="stable")
        names = [", ".join(self.gaussian.top_words[k][:4]) for k in order]
        return pd.DataFrame({"topic": order, "probability": chances[order], "words": names})


class UnseenStudy:
    """Documents for training without some words, and documents in which these words may stand.

    Parameters
    ----------
    data
        From `topic_data`.
    hidden
        Share of the words of ``data`` that training does not see, drawn at random.
    seed
        Which words these are, and the start of both models.
    vectors
        Of all words that may be typed; those of ``data`` if not given. GloVe has 400,000.
    limit
        So many training documents at most, spread evenly.

    Examples
    --------
    >>> from semwork.topics import topic_data
    >>> study = UnseenStudy(topic_data("sample"), hidden=0.2)
    >>> word = study.replacements("orbit")[0]
    >>> study.status("orbit"), study.status(word), study.status("qwertz")
    ('seen', 'unseen', 'no vector')
    """

    def __init__(
        self,
        data: TopicData,
        hidden: float = 0.2,
        seed: int = 0,
        vectors: WordVectors | None = None,
        limit: int | None = None,
    ) -> None:
        check_data(data)
        if vectors is not None:
            check_kind(
                "vectors", vectors, WordVectors, "load some, such as load('glove'), or make them with WordVectors"
            )
        if not 0 <= hidden < 1:
            raise ValueError(f"hidden is {hidden!r}; it must be a share from 0 to below 1")
        self.data, self.seed = data, seed
        self.vectors = data.vectors if vectors is None else vectors
        names = sorted(data.vectors.index)
        random = np.random.default_rng(seed)
        self.hidden = {names[i] for i in random.choice(len(names), int(hidden * len(names)), replace=False)}
        chosen = np.flatnonzero(data.training)
        if limit is not None and limit < len(chosen):
            chosen = chosen[np.linspace(0, len(chosen) - 1, limit).astype(int)]
        self.documents = [[word for word in data.documents[i] if word not in self.hidden] for i in chosen]
        self.seen = {word for document in self.documents for word in document}
        others = np.flatnonzero(~data.training)
        self.texts = [" ".join(data.texts[i].split()[:_LONGEST]) for i in others]
        self.labels = data.labels[others]
        self._finished: dict[tuple[Any, ...], UnseenStep] = {}

    # --- words ------------------------------------------------------------------------------------------------------

    def words_of(self, text: str) -> list[str]:
        """Return the words of a text that can have topics: no stop words, three letters or more."""
        return [word for word in _SPLIT(text) if len(word) >= 3 and word not in STOP_WORDS]

    def status(self, word: str) -> str:
        """Return ``"seen"`` by training, ``"unseen"`` but with a vector, or ``"no vector"``."""
        if word in self.seen:
            return "seen"
        return "unseen" if word in self.vectors.index else "no vector"

    @cached_property
    def _unseen(self) -> tuple[list[str], Floats]:
        """Words that may replace others, and their vectors, each of length 1."""
        names = list(self.vectors.index)[:_COMMON]
        names = [word for word in names if word not in self.seen and len(word) >= 3 and word.isalpha()]
        names = [word for word in names if word not in STOP_WORDS]
        rows = np.asarray(self.vectors.vectors[[self.vectors.index[word] for word in names]], dtype=np.float64)
        return names, rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)

    def replacements(self, word: str, n: int = 8) -> list[str]:
        """Return unseen words whose vectors point in nearly the same direction, the nearest first."""
        if word not in self.vectors.index:
            return []
        names, rows = self._unseen
        own = np.asarray(self.vectors[word], dtype=np.float64)
        order = np.argsort(-(rows @ own), kind="stable")[: n + 1]
        return [names[i] for i in order if names[i] != word][:n]

    def replaced(self, text: str, count: int) -> tuple[str, list[tuple[str, str]]]:
        """Replace so many different words by the nearest unseen ones; return the text and what was replaced."""
        words = [word for word in dict.fromkeys(self.words_of(text)) if self.status(word) == "seen"]
        order = np.random.default_rng(len(text)).permutation(len(words))
        done: list[tuple[str, str]] = []
        taken: set[str] = set()
        for place in order[:count]:
            found = [new for new in self.replacements(words[place], 20) if new not in taken]
            if found:
                taken.add(found[0])
                done.append((words[place], found[0]))
                text = substitute(text, words[place], found[0])
        return text, done

    # --- models -----------------------------------------------------------------------------------------------------

    def steps(
        self,
        n_topics: int = 12,
        *,
        alpha: float = 0.1,
        psi: float = 100.0,
        nu: float | None = None,
        max_sweeps: int = 40,
    ) -> Iterator[UnseenStep]:
        """Sample both models on the same tokens, sweep by sweep; a run that was finished before is shown at once."""
        key = (n_topics, alpha, psi, nu, max_sweeps)
        if key in self._finished:
            yield self._finished[key]
            return
        check_positive("alpha", alpha)
        prior = NormalInverseWishart(psi=psi, nu=nu)
        model = GaussianLDA(n_topics, "precision", alpha, prior, random_state=self.seed)
        lda = LDA(n_topics, alpha, random_state=self.seed)
        runs = zip(
            model.steps(self.documents, self.vectors, max_sweeps=max_sweeps),
            lda.steps(self.documents, max_sweeps=max_sweeps),
            strict=True,
        )
        words = f"{len(self.hidden):,} words" if self.hidden else "hidden words"
        plane: TopicMap | None = None
        step: UnseenStep | None = None
        for sampled, _ in runs:
            plane = topic_map(model, axes_of=plane)
            step = UnseenStep(
                done=sampled.done,
                total=sampled.total,
                message=f"training without {words}, log-likelihood {sampled.log_likelihood:.3f}",
                gaussian=_Gaussian(
                    "Gaussian LDA", _top(model), alpha, model.topic_sizes_, tuple(model._beliefs), self.vectors
                ),
                lda=_Multinomial(
                    "LDA",
                    _top(lda),
                    alpha,
                    lda.topic_sizes_,
                    lda.topic_word_density(),
                    {word: column for column, word in enumerate(lda.vocabulary_)},
                ),
                plane=plane,
                study=self,
            )
            yield step
        if step is not None:
            self._finished[key] = step


def _top(model: GaussianLDA | LDA) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(words) for words in model.top_words(10))


def substitute(text: str, old: str, new: str) -> str:
    """Replace a word wherever it stands, keeping a capital letter.

    Examples
    --------
    >>> substitute("Rockets? A rocket. Rocket!", "rocket", "missile")
    'Rockets? A missile. Missile!'
    """
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    return pattern.sub(lambda found: new.capitalize() if found[0][0].isupper() else new, text)

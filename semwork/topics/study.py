"""Gaussian topics sweep by sweep, with LDA beside them: what the lesson on Gaussian topics shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.steps import Step
from semwork.text import Corpus
from semwork.topics.base import TopicModel
from semwork.topics.coherence import coherence
from semwork.topics.data import TopicData, check_data
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.geometry import TopicMap, topic_map
from semwork.topics.lda import LDA
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.samplers import SamplerName

__all__ = ["Quality", "StudyStep", "Sweep", "TopicStudy", "purity"]

Floats = NDArray[np.float64]
_TOP = 15  # words of a topic that are judged and kept
_SMALL = 3_000  # documents; runs over more of them take much memory, and only one is kept
_KEPT = 12


@dataclass(frozen=True, eq=False)
class Quality:
    """How good the topics of one model are.

    Attributes
    ----------
    coherence
        Mean NPMI of the top words.
    purity
        See `purity`.
    top_words
        15 of each topic.
    sizes
        Tokens of each topic.
    """

    coherence: float
    purity: float
    top_words: tuple[tuple[str, ...], ...]
    sizes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sweep:
    """What one sweep has left behind.

    Attributes
    ----------
    log_likelihood, moved
        As in `TopicStep`.
    found, lda
        Quality of Gaussian LDA, and of LDA after as many sweeps.
    means, outlines
        Topics in the plane, as in `TopicMap`.
    word_topics
        The topic in which each word's tokens stand most often.
    here
        How many tokens each of the top words has in its topic, topics × 15.
    counts
        Tokens of each topic in each document, documents × topics.
    """

    log_likelihood: float
    moved: float
    found: Quality
    lda: Quality
    means: Floats
    outlines: Floats
    word_topics: NDArray[np.int32]
    here: NDArray[np.int64]
    counts: NDArray[np.uint16]


@dataclass(frozen=True, kw_only=True)
class StudyStep(Step):
    """All sweeps so far.

    Attributes
    ----------
    sweeps
        From the first on.
    words
        Columns ``word``, ``x``, ``y`` (the steady plane) and ``tokens``, one row per word.
    explained
        Share of the variance that each axis of the plane shows.
    alpha
        Dirichlet prior of the documents' proportions.
    """

    sweeps: tuple[Sweep, ...]
    words: pd.DataFrame
    explained: Floats
    alpha: float
    study: TopicStudy = field(repr=False, compare=False)

    @property
    def n_topics(self) -> int:
        """K."""
        return len(self.sweeps[0].means)

    def at(self, sweep: int | None) -> Sweep:
        """Return a sweep, counted from 1; the last one if there are not so many yet."""
        return self.sweeps[-1 if sweep is None else min(max(sweep, 1), len(self.sweeps)) - 1]

    def check_topic(self, topic: int) -> int:
        """Return the topic, or say which there are."""
        if not 0 <= topic < self.n_topics:
            raise ValueError(f"there is no topic {topic}; there are 0 to {self.n_topics - 1}")
        return topic

    @cached_property
    def history(self) -> pd.DataFrame:
        """Columns ``sweep``, ``log_likelihood``, ``moved``, and ``coherence`` and ``purity`` of both models."""
        rows = [
            {
                "sweep": number,
                "log_likelihood": one.log_likelihood,
                "coherence": one.found.coherence,
                "lda coherence": one.lda.coherence,
                "purity": one.found.purity,
                "lda purity": one.lda.purity,
                "moved": one.moved,
            }
            for number, one in enumerate(self.sweeps, 1)
        ]
        return pd.DataFrame(rows)

    def topic_words(self, topic: int, sweep: int | None = None) -> pd.DataFrame:
        """Return the densest words of a topic: ``word``, its tokens ``here`` and ``elsewhere``."""
        now, topic = self.at(sweep), self.check_topic(topic)
        words = list(now.found.top_words[topic])
        everywhere = self.words.set_index("word")["tokens"].reindex(words).to_numpy()
        here = now.here[topic, : len(words)]
        return pd.DataFrame({"word": words, "here": here, "elsewhere": everywhere - here})

    def proportions(self, sweep: int | None = None) -> Floats:
        """Return the expected topic proportions of documents (rows)."""
        rows = self.at(sweep).counts + self.alpha
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))

    def documents(self, topic: int, sweep: int | None = None, n: int = 8) -> pd.DataFrame:
        """Return the documents with the largest share of a topic: ``document``, ``share``, ``label``, ``text``."""
        shares = self.proportions(sweep)[:, self.check_topic(topic)]
        order = np.argsort(-shares, kind="stable")[:n]
        study = self.study
        return pd.DataFrame(
            {
                "document": order,
                "share": shares[order],
                "label": [str(study.labels[i]) for i in order],
                "text": [study.texts[i] for i in order],
            }
        )

    def document(self, document: int, sweep: int | None = None) -> pd.DataFrame:
        """Return the topics of one document, the largest first: ``topic``, ``share``, ``tokens``, ``words``."""
        if not 0 <= document < len(self.study.texts):
            raise ValueError(f"there is no document {document}; there are 0 to {len(self.study.texts) - 1}")
        now = self.at(sweep)
        shares = self.proportions(sweep)[document]
        order = np.argsort(-shares, kind="stable")
        return pd.DataFrame(
            {
                "topic": order,
                "share": shares[order],
                "tokens": now.counts[document, order],
                "words": [", ".join(now.found.top_words[k][:4]) for k in order],
            }
        )


def purity(proportions: Floats, labels: NDArray[np.str_]) -> float:
    """Return the share of documents that belong to the commonest class of their largest topic.

    Examples
    --------
    >>> purity(np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]]), np.array(["space", "music", "music"])).__round__(3)
    0.667
    """
    names, classes = np.unique(labels, return_inverse=True)
    main = proportions.argmax(axis=1)
    table = np.bincount(main * len(names) + classes, minlength=proportions.shape[1] * len(names))
    return float(table.reshape(-1, len(names)).max(axis=1).sum() / len(labels))


class TopicStudy:
    """Documents with word vectors, on which Gaussian LDA and LDA run side by side.

    Parameters
    ----------
    data
        From `topic_data`.
    part
        ``"all"`` documents, or those for ``"training"``; the others are then the reference for coherence.
    limit
        So many of these documents at most, spread evenly.

    Examples
    --------
    >>> from semwork.steps import last
    >>> from semwork.topics import topic_data
    >>> study = TopicStudy(topic_data("planted"))
    >>> end = last(study.steps(5, alpha=0.2, max_sweeps=30))
    >>> len(end.sweeps), bool(end.history["purity"].iloc[-1] > 0.9)
    (30, True)
    """

    def __init__(self, data: TopicData, part: Literal["all", "training"] = "all", limit: int | None = None) -> None:
        check_data(data)
        if part not in ("all", "training"):
            raise ValueError(f"part is {part!r}; choose 'all' or 'training'")
        chosen = np.flatnonzero(data.training) if part == "training" else np.arange(len(data))
        others = np.setdiff1d(np.arange(len(data)), chosen)
        if limit is not None and limit < len(chosen):
            chosen = chosen[np.linspace(0, len(chosen) - 1, limit).astype(int)]
        self.data = data
        self.documents = [data.documents[i] for i in chosen]
        self.texts, self.labels = [data.texts[i] for i in chosen], data.labels[chosen]
        self._others = [data.documents[i] for i in others]
        self._finished: dict[tuple[Any, ...], StudyStep] = {}

    @cached_property
    def reference(self) -> Corpus:
        """Where coherence is counted: the documents that are not sampled, or these if there are no others."""
        texts = [" ".join(words) for words in self._others or self.documents]
        return Corpus.from_texts(texts, min_count=1, weighting="count")

    def steps(
        self,
        n_topics: int,
        *,
        alpha: float = 0.1,
        psi: float = 3.0,
        nu: float | None = None,
        sampler: SamplerName = "precision",
        seed: int = 0,
        max_sweeps: int = 60,
    ) -> Iterator[StudyStep]:
        """Sample both models, sweep by sweep; a run that was finished before is shown at once.

        Parameters
        ----------
        n_topics, alpha, sampler, max_sweeps
            As for `GaussianLDA`.
        psi, nu
            Of the prior, see `NormalInverseWishart`.
        seed
            Of both models.
        """
        key = (n_topics, alpha, psi, nu, sampler, seed, max_sweeps)
        if key in self._finished:
            yield self._finished[key]
            return
        prior = NormalInverseWishart(psi=psi, nu=nu)
        model = GaussianLDA(n_topics, sampler, alpha, prior, random_state=seed)
        lda = LDA(n_topics, alpha, random_state=seed)
        runs = zip(
            model.steps(self.documents, self.data.vectors, max_sweeps=max_sweeps),
            lda.steps(self.documents, max_sweeps=max_sweeps),
            strict=True,
        )
        first: TopicMap | None = None
        step: StudyStep | None = None
        table = pd.DataFrame()
        sweeps: tuple[Sweep, ...] = ()
        for sampled, _ in runs:
            seen = topic_map(model, axes_of=first)
            if first is None:
                first = seen
                tokens = np.bincount(np.concatenate(model.tokens_), minlength=len(model.vocabulary_))
                table = seen.words[["word", "x", "y"]].assign(tokens=tokens)
            one = self._swept(model, lda, seen, sampled.log_likelihood, sampled.moved)
            sweeps = (*sweeps, one)
            said = f"coherence {one.found.coherence:.3f}, LDA's {one.lda.coherence:.3f}"
            step = StudyStep(
                done=sampled.done,
                total=sampled.total,
                message=f"log-likelihood {sampled.log_likelihood:.3f} per token, {said}",
                sweeps=sweeps,
                words=table,
                explained=first.explained,
                alpha=alpha,
                study=self,
            )
            yield step
        if step is not None:
            self._keep(key, step)

    def _keep(self, key: tuple[Any, ...], step: StudyStep) -> None:
        while len(self._finished) >= (_KEPT if len(self.documents) <= _SMALL else 1):
            del self._finished[next(iter(self._finished))]
        self._finished[key] = step

    def _quality(self, model: TopicModel) -> Quality:
        top = model.top_words(_TOP)
        judged = coherence([words for words in top if words], self.reference).mean
        shares = model.document_topics_
        return Quality(judged, purity(shares, self.labels), tuple(map(tuple, top)), model.topic_sizes_)

    def _swept(self, model: GaussianLDA, lda: LDA, seen: TopicMap, log_likelihood: float, moved: float) -> Sweep:
        found = self._quality(model)
        n_topics = len(found.sizes)
        topics, words = np.concatenate(model.assignments_), np.concatenate(model.tokens_)
        owner = np.repeat(np.arange(len(model.tokens_)), [len(tokens) for tokens in model.tokens_])
        shape = (len(model.tokens_), n_topics)
        counts = np.bincount(owner * n_topics + topics, minlength=shape[0] * n_topics).reshape(shape)
        both = np.bincount(words.astype(np.int64) * n_topics + topics, minlength=len(model.vocabulary_) * n_topics)
        both = both.reshape(-1, n_topics)
        place = {word: row for row, word in enumerate(model.vocabulary_)}
        here = np.zeros((n_topics, _TOP), np.int64)
        for topic, top in enumerate(found.top_words):
            here[topic, : len(top)] = both[[place[word] for word in top], topic] if top else 0
        return Sweep(
            log_likelihood,
            moved,
            found,
            self._quality(lda),
            seen.means,
            seen.outlines,
            seen.words["topic"].to_numpy().astype(np.int32),
            here,
            counts.astype(np.uint16),
        )

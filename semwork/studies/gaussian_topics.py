"""Which topics do Gaussians among word vectors find, sweep by sweep, and which does LDA find?"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from semwork.datasets import WordVectors
from semwork.steps import Step
from semwork.studies.remembered import Remembered
from semwork.studies.settings import Settings, choice, real, seed, whole
from semwork.studies.study import Answer, Study
from semwork.studies.topic_sweeps import TopicJudge, TopicSweep
from semwork.studies.topic_tasks import SAMPLE_PSI, SAMPLE_STRENGTH, TOPIC_DOCUMENTS, TOPIC_VECTORS
from semwork.topics.data import TopicData, check_data
from semwork.topics.gaussian_lda import GaussianLDA
from semwork.topics.geometry import TopicMap, topic_map
from semwork.topics.lda import LDA
from semwork.topics.prior import NormalInverseWishart
from semwork.topics.samplers import SAMPLERS, SamplerName

__all__ = ["GaussianTopics", "TopicsSettings", "TopicsStep", "TopicsView"]

Floats = NDArray[np.float64]
_SMALL = 3_000  # documents; runs over more of them take much memory, and only one is remembered
_REMEMBERED = 12
_LISTED = 12  # words, documents and topics in a list


@dataclass(frozen=True, kw_only=True)
class TopicsSettings(Settings):
    """The model, its prior, and how it is sampled."""

    n_topics: int = whole(
        12, "K, number of topics", "how many Gaussians?", 2, 60,
        at={"planted": 5, "newsgroups part": 30, "newsgroups": 50}, paper=50, at_once=False,
    )  # fmt: skip
    psi: float = real(
        SAMPLE_PSI, "Ψ, times I", "how wide is a topic before it has seen a word?", 0.001, 1_000_000,
        grid=(0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0), log=True,
        at={"planted": 3.0, "newsgroups part": 3.0, "newsgroups": 3.0, "GloVe": 3.0}, paper=3.0,
        own=lambda facts: float(f"{min(max(SAMPLE_PSI * facts['square'], 0.001), 1e6):.2g}"),
    )  # fmt: skip
    strength: int = whole(
        SAMPLE_STRENGTH, "ν − D", "how many tokens is Ψ worth? width ≈ Ψ / (ν − D)", 0, 10_000_000,
        grid=(0, 1, 3, 10, 30, 70, 140, 300, 1000, 3000),
        at={"planted": 1, "newsgroups part": 0, "newsgroups": 0, "GloVe": 0}, own=lambda _: SAMPLE_STRENGTH,
    )  # fmt: skip
    alpha: float = real(
        0.1, "α", "small: a document keeps to few topics", 0.0001, 1000,
        grid=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0), log=True, at={"planted": 0.3},
    )  # fmt: skip
    sampler: SamplerName = choice("precision", "sampler", "lesson 07 races them", SAMPLERS)
    sweeps: int = whole(60, "sweeps", "of the whole run", 1, 10_000, grid=(20, 60, 120, 240))
    seed: int = seed("another start: does the story change?")


@dataclass(frozen=True, kw_only=True)
class TopicsView(Settings):
    """Which sweep, topic and document are looked at."""

    sweep: int = whole(
        60, "sweep", "all pictures go there; at the end it follows the run", 1, lambda step: len(step.sweeps),
        follows=True,
    )  # fmt: skip
    topic: int = whole(6, "topic", "or click one in a picture", 0, lambda step: step.n_topics - 1)
    look_at: str = choice("topic", "look at", "the last picture", ("topic", "document"))
    document: int = whole(
        0, "document", "its number; or click one of a topic's documents", 0, lambda step: step.n_documents - 1,
        shown="box",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TopicsStep(Step):
    """All sweeps so far.

    Attributes
    ----------
    sweeps : tuple of TopicSweep
        From the first on.
    words : DataFrame
        Columns ``word``, ``x``, ``y`` (in a plane that stays) and ``tokens``, one row per word.
    explained : ndarray of shape (2,)
        Share of the variance that each axis of the plane shows.
    alpha : float
        Dirichlet prior of the documents' proportions.
    """

    sweeps: tuple[TopicSweep, ...]
    words: pd.DataFrame
    explained: Floats
    alpha: float

    @property
    def n_topics(self) -> int:
        """K."""
        return len(self.sweeps[0].means)

    @property
    def n_documents(self) -> int:
        """How many documents are sampled."""
        return len(self.sweeps[0].counts)

    def number(self, sweep: int | None) -> int:
        """Return the number of a sweep, from 1; that of the last one if there are not so many yet.

        Parameters
        ----------
        sweep : int or None
            From 1; ``None`` for the last one.

        Returns
        -------
        int
        """
        return len(self.sweeps) if sweep is None else min(max(sweep, 1), len(self.sweeps))

    def topic(self, topic: int) -> int:
        """Return the number of a topic if there is one of that number; a panel takes the nearest before it asks.

        Parameters
        ----------
        topic : int
            From 0.

        Returns
        -------
        int
        """
        return _within("topic", topic, self.n_topics)

    def document(self, document: int) -> int:
        """Return the number of a document if there is one of that number.

        Parameters
        ----------
        document : int
            From 0.

        Returns
        -------
        int
        """
        return _within("document", document, self.n_documents)

    def at(self, sweep: int | None) -> TopicSweep:
        """Return a sweep, counted from 1; the last one if there are not so many yet.

        Parameters
        ----------
        sweep : as in `number`

        Returns
        -------
        TopicSweep
        """
        return self.sweeps[self.number(sweep) - 1]


@dataclass(frozen=True, eq=False)
class Plane(Answer):
    """Words and topics in the plane after a sweep."""

    words: pd.DataFrame
    topics: pd.DataFrame
    outlines: Floats
    explained: Floats
    topic: int
    title: str


@dataclass(frozen=True, eq=False)
class TopicCurves(Answer):
    """Likelihood, coherence and purity along the sweeps."""

    history: pd.DataFrame
    sweep: int
    end: int
    title: str


@dataclass(frozen=True, eq=False)
class OneTopic(Answer):
    """A topic's words, and the documents that have most of it."""

    words: pd.DataFrame
    documents: pd.DataFrame
    topic: int
    n_topics: int
    title: str


@dataclass(frozen=True, eq=False)
class OneDocument(Answer):
    """The topics of one document, at a sweep and after the last one."""

    shares: pd.DataFrame
    topic: int
    n_topics: int
    title: str


class GaussianTopics(Study[TopicsSettings, TopicsStep]):
    """Documents with word vectors, on which Gaussian LDA and LDA run side by side.

    Parameters
    ----------
    data : TopicData
        From `topic_data`. Coherence is counted in the documents that it has left out, or in its own if there are none.
    vectors : WordVectors or None
        Of the words; ``None`` for those of the data.

    Examples
    --------
    >>> from semwork.steps import last
    >>> study = GaussianTopics.on("planted")
    >>> end = last(study.steps(TopicsSettings.good_for("planted")))
    >>> len(end.sweeps), bool(study.table(end)["purity"].iloc[-1] > 0.9)
    (60, True)
    """

    settings, view = TopicsSettings, TopicsView
    inputs = {"data": TOPIC_DOCUMENTS, "vectors": TOPIC_VECTORS}

    def __init__(self, data: TopicData, vectors: WordVectors | None = None) -> None:
        check_data(data)
        self.data = data = data if vectors is None else data.with_vectors(vectors)
        self.judge = TopicJudge(data)
        self._finished = Remembered[TopicsSettings, TopicsStep](_REMEMBERED if len(data) <= _SMALL else 1)

    @property
    def facts(self) -> dict[str, Any]:
        """How many documents, tokens and dimensions there are, and the mean square of a vector's numbers."""
        return {
            "documents": len(self.data),
            "tokens": self.data.tokens,
            "dimensions": self.data.vectors.vectors.shape[1],
            "square": float(np.square(self.data.vectors.vectors, dtype=np.float64).mean()),
        }

    def steps(self, settings: TopicsSettings) -> Iterator[TopicsStep]:
        """Sample both models, sweep by sweep; a run that was finished before is shown at once."""
        settings = settings.checked(self.facts)
        if (finished := self._finished.get(settings)) is not None:
            yield finished
            return
        prior = NormalInverseWishart(psi=settings.psi, nu=float(self.facts["dimensions"] + settings.strength))
        model = GaussianLDA(settings.n_topics, settings.sampler, settings.alpha, prior, random_state=settings.seed)
        lda = LDA(settings.n_topics, settings.alpha, random_state=settings.seed)
        runs = zip(
            model.steps(self.data.documents, self.data.vectors, max_sweeps=settings.sweeps),
            lda.steps(self.data.documents, max_sweeps=settings.sweeps),
            strict=True,
        )
        first: TopicMap | None = None
        step: TopicsStep | None = None
        words, sweeps = pd.DataFrame(), tuple[TopicSweep, ...]()
        for sampled, _ in runs:
            seen = topic_map(model, axes_of=first)
            if first is None:
                first = seen
                tokens = np.bincount(np.concatenate(model.tokens_), minlength=len(model.vocabulary_))
                words = seen.words[["word", "x", "y"]].assign(tokens=tokens)
            one = self.judge.swept(model, lda, seen, sampled)
            sweeps = (*sweeps, one)
            said = f"coherence {one.found.coherence:.3f}, LDA's {one.lda.coherence:.3f}"
            step = TopicsStep(
                done=sampled.done,
                total=sampled.total,
                message=f"log-likelihood {sampled.log_likelihood:.3f} per token, {said}",
                sweeps=sweeps,
                words=words,
                explained=first.explained,
                alpha=settings.alpha,
            )
            yield step
        if step is not None:
            self._finished.put(settings, step)

    def table(self, step: TopicsStep) -> pd.DataFrame:
        """Return one row per ``sweep``: ``log_likelihood``, and ``coherence`` and ``purity`` of both models."""
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
            for number, one in enumerate(step.sweeps, 1)
        ]
        return pd.DataFrame(rows)

    # --- questions --------------------------------------------------------------------------------------------------

    def plane(self, step: TopicsStep, sweep: int | None = None, topic: int = 0) -> Plane:
        """Return words and topics in the plane after a sweep."""
        now, final = step.at(sweep), step.at(None)
        topics = pd.DataFrame(
            {
                "topic": np.arange(step.n_topics),
                "tokens": now.found.sizes,
                "final_tokens": final.found.sizes,
                "x": now.means[:, 0],
                "y": now.means[:, 1],
                "words": now.found.top_words,
            }
        )
        topic = step.topic(topic)
        size = now.found.sizes[topic]
        title = f"After sweep {step.number(sweep)}: topic {topic} has {size:,} tokens"
        return Plane(step.words.assign(topic=now.word_topics), topics, now.outlines, step.explained, topic, title)

    def curves(self, step: TopicsStep, sweep: int | None = None) -> TopicCurves:
        """Return likelihood, coherence and purity along the sweeps."""
        now, number = step.at(sweep), step.number(sweep)
        coherence = f"coherence {now.found.coherence:.3f} (LDA {now.lda.coherence:.3f})"
        purity = f", purity {now.found.purity:.0%} (LDA {now.lda.purity:.0%})" if self.data.has_labels else ""
        title = f"After sweep {number}: {coherence}{purity}"
        return TopicCurves(self.table(step), number, step.total or len(step.sweeps), title)

    def one_topic(self, step: TopicsStep, topic: int, sweep: int | None = None) -> OneTopic:
        """Return the densest words of a topic, and the documents that have most of it."""
        topic = step.topic(topic)
        words, documents = self.words(step, topic, sweep).head(_LISTED), self.documents(step, topic, sweep, _LISTED)
        return OneTopic(words, documents, topic, step.n_topics, f"Topic {topic}: its densest words, its documents")

    def one_document(self, step: TopicsStep, document: int, sweep: int | None = None, topic: int = 0) -> OneDocument:
        """Return the topics that a document has most of."""
        document = step.document(document)
        shares = self.document(step, document, sweep).head(_LISTED)
        text = html.escape(textwrap.shorten(self.data.texts[document], 85, placeholder=" …"))
        label = f", {html.escape(str(self.data.labels[document]))}" if self.data.has_labels else ""
        title = f"Document {document}{label}:<br><span style='font-size:13px'>{text}</span>"
        return OneDocument(shares, step.topic(topic), step.n_topics, title)

    def words(self, step: TopicsStep, topic: int, sweep: int | None = None) -> pd.DataFrame:
        """Return the densest words of a topic: ``word``, its tokens ``here`` and ``elsewhere``."""
        now, topic = step.at(sweep), step.topic(topic)
        words = list(now.found.top_words[topic])
        everywhere = step.words.set_index("word")["tokens"].reindex(words).to_numpy()
        here = now.here[topic, : len(words)]
        return pd.DataFrame({"word": words, "here": here, "elsewhere": everywhere - here})

    def documents(self, step: TopicsStep, topic: int, sweep: int | None = None, n: int = 8) -> pd.DataFrame:
        """Return the documents with the largest share of a topic: ``document``, ``share``, ``label``, ``text``."""
        shares = self.proportions(step, sweep)[:, step.topic(topic)]
        order = np.argsort(-shares, kind="stable")[:n]
        texts, labels = ([given[row] for row in order] for given in (self.data.texts, self.data.labels))
        named = [str(label) or f"text {row}" for row, label in zip(order, labels, strict=True)]
        return pd.DataFrame({"document": order, "share": shares[order], "label": named, "text": texts})

    def document(self, step: TopicsStep, document: int, sweep: int | None = None) -> pd.DataFrame:
        """Return the topics of a document, the largest first.

        Columns are ``topic``, its ``share`` and ``tokens`` at this sweep, its share at the ``end``, and ``words``.
        """
        document = step.document(document)
        now, shares = step.at(sweep), self.proportions(step, sweep)[document]
        order = np.argsort(-shares, kind="stable")
        return pd.DataFrame(
            {
                "topic": order,
                "share": shares[order],
                "tokens": now.counts[document, order],
                "end": self.proportions(step)[document, order],
                "words": [", ".join(now.found.top_words[k][:4]) for k in order],
            }
        )

    def proportions(self, step: TopicsStep, sweep: int | None = None) -> Floats:
        """Return the expected topic proportions of documents (rows)."""
        rows = step.at(sweep).counts + step.alpha
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))


def _within(name: str, number: int, count: int) -> int:
    if not 0 <= number < count:
        raise ValueError(f"there is no {name} {number}; there are 0 to {count - 1}")
    return number

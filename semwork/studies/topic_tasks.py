"""Documents with word vectors that the lessons on topics offer by name, and what is fixed on each of them."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from semwork.datasets import load
from semwork.datasets.records import LabelledDocuments, Sentences, WordVectors
from semwork.given import check_count, check_kind, check_positive, check_word
from semwork.studies.origin import NOTHING, Origin, as_it_is, calling
from semwork.studies.study import Input, Source
from semwork.topics.data import TopicData, check_data, topic_data
from semwork.topics.prior import NormalInverseWishart

__all__ = [
    "SAMPLER_TASKS",
    "TOPIC_DOCUMENTS",
    "TOPIC_VECTORS",
    "UNSEEN_TASKS",
    "SamplerTask",
    "UnseenTask",
    "sampler_task",
    "unseen_task",
]

#: Ψ (times I) and ν less the dimensions of the vectors, for the sample: so wide a prior suits few tokens.
SAMPLE_PSI, SAMPLE_STRENGTH = 100.0, 140
THEIRS = "of the data"
PLANTED = "planted: 5 topics in 2 dimensions"
REAL = ("newsgroups", "glove")
_FETCHED = "20 newsgroups and GloVe are fetched first: see lesson 00"
_PART = 2_000  # newsgroups: a sweep over all of them takes seconds
_MOST = 5_000  # texts of one's own; each sweep is drawn
_SAMPLED = 400  # texts of one's own, as many as the sample has
_RACED = 100  # newsgroups: all of them would be a quarter of an hour per naive sweep


@dataclass(frozen=True, eq=False)
class SamplerTask:
    """Documents, and the model whose samplers are compared on them.

    Parameters
    ----------
    data : TopicData
        Documents and word vectors.
    n_topics : int
        K.
    prior : NormalInverseWishart or None
        Of a topic; ``None`` for the paper's.
    alpha : float
        Dirichlet prior of a document's proportions.
    limit : int
        So many documents are drawn; 0 takes all.
    """

    data: TopicData
    n_topics: int = 10
    prior: NormalInverseWishart | None = None
    alpha: float = 0.1
    limit: int = 0

    def __post_init__(self) -> None:
        check_data(self.data)
        check_count("limit", self.limit, at_least=0)

    def drawn(self, seed: int) -> list[list[str]]:
        """Return the documents, in their order, that this seed draws.

        Parameters
        ----------
        seed : int
            Another one draws others, where the task has more documents than its limit.

        Returns
        -------
        list of list of str
        """
        order = np.random.default_rng(seed).permutation(len(self.data))[: self.limit or None]
        return [self.data.documents[row] for row in sorted(order)]


@dataclass(frozen=True, eq=False)
class UnseenTask:
    """Documents, and the models that learn from those for training and read the others.

    Parameters
    ----------
    data : TopicData
        Documents and word vectors.
    vectors : WordVectors or None
        Of all words that may be typed, such as the 400,000 of GloVe; ``None`` for those of ``data``.
    prior : NormalInverseWishart or None
        Of a topic; ``None`` for the paper's.
    alpha : float
        Dirichlet prior of a document's proportions.
    sweeps : int
        Over the documents for training.
    """

    data: TopicData
    vectors: WordVectors | None = None
    prior: NormalInverseWishart | None = None
    alpha: float = 0.1
    sweeps: int = 40

    def __post_init__(self) -> None:
        check_data(self.data)
        if self.vectors is not None:
            advice = "load some, such as load('glove'), or make them with WordVectors"
            check_kind("vectors", self.vectors, WordVectors, advice)
        check_positive("alpha", self.alpha)
        check_count("sweeps", self.sweeps)

    @property
    def known(self) -> WordVectors:
        """The vectors of all words that may be typed."""
        return self.data.vectors if self.vectors is None else self.vectors


@functools.lru_cache(maxsize=4)
def sampler_task(name: str) -> SamplerTask:
    """Return the task of a lesson, made once.

    Parameters
    ----------
    name : str
        A name of `topic_data`.

    Returns
    -------
    SamplerTask

    Examples
    --------
    >>> sampler_task("planted").n_topics
    5
    """
    data = topic_data(name)
    if name == "planted":
        return SamplerTask(data, 5)
    if name == "sample":
        return SamplerTask(data, 12, _SMALL_PRIOR.make())
    return SamplerTask(data, 20, limit=_RACED)


@functools.lru_cache(maxsize=2)
def unseen_task(name: str) -> UnseenTask:
    """Return the task of a lesson, made once.

    Parameters
    ----------
    name : str
        ``"sample"`` or ``"newsgroups"``, of which some of the documents for training are taken.

    Returns
    -------
    UnseenTask

    Examples
    --------
    >>> unseen_task("sample").sweeps
    40
    """
    if name == "sample":
        data = topic_data(name)
        nu = float(data.vectors.vectors.shape[1] + SAMPLE_STRENGTH)
        return UnseenTask(data, prior=NormalInverseWishart(psi=SAMPLE_PSI, nu=nu))
    check_word("name", name, ("sample", "newsgroups"), "UnseenTask(data) makes one of other data")
    return UnseenTask(topic_data(name).limited(_PART), load("glove"), sweeps=30)


_SAMPLER_TASK = calling(sampler_task)
# Of the race, and of texts of one's own: nearly that of the sample, whose vectors have 12 numbers.
_SMALL_PRIOR = calling(NormalInverseWishart)(psi=SAMPLE_PSI, nu=150)


def _own_data(texts: Origin) -> Origin:
    return calling(TopicData).from_texts(texts)


def _own_race(texts: Origin) -> Origin:
    return calling(SamplerTask)(_own_data(texts), 12, _SMALL_PRIOR, limit=_SAMPLED)


def _own_unseen(texts: Origin) -> Origin:
    return calling(UnseenTask)(_own_data(texts).with_test().limited(_PART), prior=_SMALL_PRIOR)


#: Where samplers can race.
SAMPLER_TASKS = Input(
    "data",
    _FETCHED,
    {
        "sample": Source("sample: 400 texts, vectors of 12 numbers", _SAMPLER_TASK("sample")),
        "planted": Source(PLANTED, _SAMPLER_TASK("planted")),
        "newsgroups": Source(f"20 newsgroups: {_RACED} texts, GloVe", _SAMPLER_TASK("newsgroups"), REAL),
    },
    dict.fromkeys((LabelledDocuments, Sentences), _own_race),
)

_DATA = calling(topic_data)


def _own_topics(texts: Origin) -> Origin:
    return _own_data(texts).limited(_MOST)


#: Documents in which topics can be found.
TOPIC_DOCUMENTS = Input(
    "data",
    _FETCHED,
    {
        "sample": Source("sample (400 texts written for this project)", _DATA("sample")),
        "planted": Source(PLANTED, _DATA("planted")),
        "newsgroups part": Source(
            f"20 newsgroups, {_PART:,} of its documents", _DATA("newsgroups").limited(_PART).for_training(), REAL
        ),
        "newsgroups": Source("20 newsgroups, all for training", _DATA("newsgroups").for_training(), REAL),
    },
    dict.fromkeys((LabelledDocuments, Sentences), _own_topics),
)

#: Whose vectors the words have.
TOPIC_VECTORS = Input(
    "word vectors",
    "the sample's are made from its own texts, those of 20 newsgroups are GloVe's",
    {
        THEIRS: Source("those that come with the data", NOTHING),
        "GloVe": Source("GloVe, 50 numbers", calling(load)("glove"), ("glove",)),
    },
    {WordVectors: as_it_is},
)

_UNSEEN = calling(unseen_task)

#: Documents of which some words can be hidden.
UNSEEN_TASKS = Input(
    "data",
    _FETCHED,
    {
        "sample": Source("sample (some of its words are hidden)", _UNSEEN("sample")),
        "newsgroups": Source(f"20 newsgroups, {_PART:,} of its documents", _UNSEEN("newsgroups"), REAL),
    },
    dict.fromkeys((LabelledDocuments, Sentences), _own_unseen),
)

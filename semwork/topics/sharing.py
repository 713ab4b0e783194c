"""Topics on their way out: tidy tables, and what pyLDAvis and topicwizard read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from semwork.given import check_count, check_kind
from semwork.topics.base import TopicModel

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["for_pyldavis", "for_topicwizard", "proportion_table", "topic_table"]

_SMOOTHED = 0.01  # tokens: a word that a topic has not is unlikely there, not impossible


def topic_table(model: TopicModel, n: int = 10) -> pd.DataFrame:
    """Return the words of all topics.

    Parameters
    ----------
    model : TopicModel
        Fitted: `LDA` or `GaussianLDA`.
    n : int
        Words of each topic.

    Returns
    -------
    DataFrame
        One row per topic and word: ``topic``, ``place`` (1 is the first), ``word``, ``tokens`` of the word in the
        topic, and ``size``, the tokens of the topic.

    Examples
    --------
    >>> from semwork.topics import LDA, topic_data
    >>> model = LDA(3, random_state=0).fit(topic_data("planted").documents)
    >>> topic_table(model, 2)["topic"].tolist()
    [0, 0, 1, 1, 2, 2]
    """
    import pandas as pd

    counts, _ = _counted(model)
    check_count("n", n)
    column = {word: number for number, word in enumerate(model.vocabulary_)}
    rows = [
        (topic, place, word, int(counts[topic, column[word]]), int(model.topic_sizes_[topic]))
        for topic, words in enumerate(model.top_words(n))
        for place, word in enumerate(words, 1)
    ]
    return pd.DataFrame(rows, columns=["topic", "place", "word", "tokens", "size"])


def proportion_table(model: TopicModel, index: Sequence[Any] | None = None) -> pd.DataFrame:
    """Return the topics of all documents that the model was fitted on.

    Parameters
    ----------
    model : TopicModel
        Fitted: `LDA` or `GaussianLDA`.
    index : sequence or None
        What the documents are called; their numbers by default.

    Returns
    -------
    DataFrame
        One row per document and topic: ``document``, ``topic``, ``share``.
    """
    import pandas as pd

    check_fitted(model)
    shares = model.document_topics_
    names = range(len(shares)) if index is None else list(index)
    if len(names) != len(shares):
        raise ValueError(f"index has {len(names)} names; the model was fitted on {len(shares)} documents")
    n_topics = shares.shape[1]
    return pd.DataFrame(
        {
            "document": np.repeat(np.asarray(names, dtype=object), n_topics),
            "topic": np.tile(np.arange(n_topics), len(shares)),
            "share": shares.ravel(),
        }
    ).infer_objects()


def for_pyldavis(model: TopicModel) -> dict[str, Any]:
    """Return the arguments of ``pyLDAvis.prepare``, as in ``pyLDAvis.prepare(**for_pyldavis(model))``.

    The words of a topic are those of its tokens, smoothed, so that topics of Gaussian LDA, which have densities and no
    probabilities of words, can be shown, too. Documents without a token, which pyLDAvis cannot show, are left out.

    Parameters
    ----------
    model : TopicModel
        Fitted: `LDA` or `GaussianLDA`.

    Returns
    -------
    dict
        ``topic_term_dists``, ``doc_topic_dists``, ``doc_lengths``, ``vocab``, ``term_frequency``.
    """
    counts, lengths = _counted(model)
    smoothed = counts + _SMOOTHED
    some = lengths > 0
    return {
        "topic_term_dists": smoothed / smoothed.sum(axis=1, keepdims=True),
        "doc_topic_dists": model.document_topics_[some],
        "doc_lengths": lengths[some],
        "vocab": list(map(str, model.vocabulary_)),
        "term_frequency": counts.sum(axis=0),
    }


def for_topicwizard(model: TopicModel, texts: Sequence[str], names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the ``TopicData`` of topicwizard, as in ``topicwizard.visualize(topic_data=for_topicwizard(…))``.

    Parameters
    ----------
    model : TopicModel
        Fitted: `LDA` or `GaussianLDA`.
    texts : sequence of str
        The documents that it was fitted on, as people read them.
    names : sequence of str or None
        Of the topics; by default their first three words.

    Returns
    -------
    dict
    """
    counts, lengths = _counted(model)
    if isinstance(texts, str) or len(texts) != len(lengths):
        given = "one string" if isinstance(texts, str) else f"{len(texts)} texts"
        raise ValueError(f"texts has {given}; give one for each of the {len(lengths)} documents of the model")
    shares = model.document_topics_
    smoothed = counts + _SMOOTHED
    return {
        "corpus": list(texts),
        "vocab": np.array(list(map(str, model.vocabulary_))),
        "document_term_matrix": _documents_by_words(model),
        "document_topic_matrix": shares,
        "topic_term_matrix": smoothed / smoothed.sum(axis=1, keepdims=True),
        "document_representation": shares,
        "transform": None,
        "topic_names": list(names or (" ".join(map(str, words)) for words in model.top_words(3))),
        "topic_positions": None,
        "word_positions": None,
        "document_positions": None,
    }


def check_fitted(model: Any) -> None:
    """Refuse what is no fitted topic model."""
    check_kind("model", model, TopicModel, "give a fitted LDA or GaussianLDA")
    check_is_fitted(model)


def _counted(model: TopicModel) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Tokens of each word in each topic, and of each document."""
    check_fitted(model)
    n_topics, n_words = len(model.topic_sizes_), len(model.vocabulary_)
    topics, words = np.concatenate(model.assignments_), np.concatenate(model.tokens_)
    flat = np.bincount(topics.astype(np.int64) * n_words + words, minlength=n_topics * n_words)
    return flat.reshape(n_topics, n_words).astype(np.float64), np.array([len(one) for one in model.tokens_])


def _documents_by_words(model: TopicModel) -> sparse.csr_array:
    words = np.concatenate(model.tokens_)
    owner = np.repeat(np.arange(len(model.tokens_)), [len(one) for one in model.tokens_])
    shape = len(model.tokens_), len(model.vocabulary_)
    return sparse.csr_array(sparse.coo_array((np.ones(len(words)), (owner, words)), shape=shape))

"""Coherence: whether the top words of a topic occur together in a reference corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from semwork.datasets.records import LabelledDocuments
from semwork.given import is_whole, said
from semwork.text.corpus import Corpus

__all__ = ["Coherence", "coherence"]

Measure = Literal["npmi", "pmi"]


@dataclass(frozen=True, eq=False)
class Coherence:
    """The coherence of topics.

    Attributes
    ----------
    topics : DataFrame
        One row per topic: ``topic``, ``score`` (NaN for an empty topic), ``pairs``, ``unseen`` (share of the pairs that
        never occur together), ``unknown`` (share of the words that the reference has not).
    mean : float
        Mean score over topics that have words.
    unseen : float
        Share of all pairs that never occur together.
    empty : int
        Topics without words; they are no part of ``mean``.
    measure : {"npmi", "pmi"}
        What was measured.
    windows : int
        How many documents or windows were counted.
    """

    topics: pd.DataFrame
    mean: float
    unseen: float
    empty: int
    measure: Measure
    windows: int


def coherence(
    top_words: Sequence[Sequence[Any]], reference: Any, measure: Measure = "npmi", window: int | None = None
) -> Coherence:
    """Return the mean PMI or NPMI over the pairs of each topic's words.

    Parameters
    ----------
    top_words : list of list of str
        The words of each topic, as ``model.top_words(15)`` gives them.
    reference : Corpus or list of str or list of list of str
        Where words are counted: a `Corpus`, a `LabelledDocuments`, a list of texts, or a list of lists of words (or of
        word numbers, if the topics have these).
    measure : {"npmi", "pmi"}
        ``"pmi"``: log p(a, b) / (p(a) p(b)) [1]_, a pair that never occurs together being counted as if it did once,
        and 0 for a pair with a word that the reference has not. ``"npmi"``: the same, divided
        by −log p(a, b), between −1 and 1, with −1 for a pair that never occurs together (0 if a word is not there).
    window : int or None
        Count in windows of so many neighbouring words instead of whole documents. A `Corpus` knows the order of words
        only through its texts, so these are split again. Words that are no terms of it, such as those below its
        ``min_count``, have places in a window, but the reference has them as little as without one.

    Returns
    -------
    Coherence

    References
    ----------
    .. [1] D. Newman, S. Karimi & L. Cavedon (2009), External evaluation of topic models, ADCS.

    Examples
    --------
    >>> texts = [["bank", "money"], ["money", "bank"], ["river", "fish"], ["fish"]]
    >>> found = coherence([["bank", "money"], ["bank", "fish"], []], texts)
    >>> found.topics["score"].round(2).tolist(), found.empty, found.unseen
    ([1.0, -1.0, nan], 1, 0.5)
    """
    if measure not in ("npmi", "pmi"):
        raise ValueError(f"measure is {measure!r}; choose 'npmi' or 'pmi'")
    if window is not None and (not is_whole(window) or window < 2):
        raise ValueError(f"window must be a whole number from 2, or None for whole documents, got {window!r}")
    lists = [_words(topic, words) for topic, words in enumerate(top_words)]
    wanted = {word: place for place, word in enumerate(dict.fromkeys(word for words in lists for word in words))}
    together, total = _counted(reference, wanted, window)
    if total == 0:
        raise ValueError("the reference has no documents; give at least one")
    rows, unseen_pairs = [], 0
    for topic, words in enumerate(lists):
        numbers = np.array([wanted[word] for word in words], dtype=int)
        left, right = np.triu_indices(len(numbers), 1)
        a, b = numbers[left], numbers[right]
        scores, unseen = _scores(together, a, b, total, measure)
        unseen_pairs += int(unseen.sum())
        known = together[numbers, numbers] > 0
        rows.append(
            {
                "topic": topic,
                "score": float(scores.mean()) if len(scores) else float("nan"),
                "pairs": len(a),
                "unseen": float(unseen.mean()) if len(a) else float("nan"),
                "unknown": float(1 - known.mean()) if len(numbers) else float("nan"),
            }
        )
    table = pd.DataFrame(rows, columns=["topic", "score", "pairs", "unseen", "unknown"])
    pairs = int(table["pairs"].sum())
    mean = float(table["score"].mean()) if pairs else float("nan")
    empty = sum(not words for words in lists)
    return Coherence(table, mean, unseen_pairs / pairs if pairs else float("nan"), empty, measure, total)


def _words(topic: int, words: Any) -> list[Any]:
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise TypeError(
            f"top_words must have a list of words for each topic, but topic {topic} is {said(words)}; for one topic "
            "write [words]"
        )
    return list(words)


def _scores(
    together: NDArray[np.int64], a: NDArray[Any], b: NDArray[Any], total: int, measure: Measure
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the score of each pair, and whether the pair never occurs together."""
    both, first, second = together[a, b], together[a, a], together[b, b]
    known = (first > 0) & (second > 0)
    unseen = both == 0
    # Counted as one where there is none, so that the logarithm exists.
    pmi = np.log(np.maximum(both, 1) * total / np.maximum(first * second, 1))
    if measure == "pmi":
        return np.where(known, pmi, 0.0), unseen
    joint = -np.log(np.maximum(both, 1) / total)
    npmi = np.divide(pmi, joint, out=np.ones(len(pmi)), where=joint > 0)
    return np.where(known, np.where(unseen, -1.0, npmi), 0.0), unseen


def _counted(reference: Any, wanted: dict[Any, int], window: int | None) -> tuple[NDArray[np.int64], int]:
    """Return in how many documents or windows each two wanted words occur together, and how many there are."""
    if isinstance(reference, LabelledDocuments):
        reference = reference.texts
    if isinstance(reference, str):
        raise TypeError(f"reference is one text, {reference!r:.40}; give a list of texts")
    if hasattr(reference, "iloc") and hasattr(reference, "columns"):  # going through a table gives names of columns
        raise TypeError(f"reference is {said(reference)}; give the column that has the texts")
    if not isinstance(reference, Iterable | Corpus):
        raise TypeError(f"reference is {reference!r:.40}; give a Corpus, or a list of texts or of lists of words")
    size = len(wanted)
    if isinstance(reference, Corpus):
        if window is None:
            names = reference.vocabulary.tolist()
            columns = np.array([wanted.get(name, -1) for name in names])
            present = sparse.csr_array(reference.counts[:, np.flatnonzero(columns >= 0)] > 0)
            numbers = columns[columns >= 0]
            return _products(present, numbers, size), len(reference)
        wanted = {word: place for word, place in wanted.items() if word in reference.columns}
        reference = [reference.tokens(text) for text in reference.texts]
    documents = list(reference)
    if documents and isinstance(documents[0], str):
        corpus = Corpus.from_texts(documents, min_count=1, weighting="count")
        documents = [corpus.tokens(text) for text in documents]
    indices, pointers = list[int](), [0]
    for document in documents:
        words = document.tolist() if isinstance(document, np.ndarray) else list(document)
        found = [wanted.get(word, -1) for word in words]
        last = 1 if window is None else max(1, len(found) - window + 1)
        for start in range(last):
            part = found if window is None else found[start : start + window]
            indices += {place for place in part if place >= 0}
            pointers.append(len(indices))
    ones = np.ones(len(indices), np.int64)
    present = sparse.csr_array((ones, np.array(indices, np.int64), np.array(pointers)), (len(pointers) - 1, size))
    return _products(present, np.arange(size), size), len(pointers) - 1


def _products(present: sparse.csr_array, numbers: NDArray[Any], size: int) -> NDArray[np.int64]:
    table = np.zeros((size, size), np.int64)
    present = present.astype(np.int64)
    table[np.ix_(numbers, numbers)] = (present.T @ present).toarray()
    return table

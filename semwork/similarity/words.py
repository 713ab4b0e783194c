"""Which words make two sentences similar? A measure for every model and any texts, as `contributions` is for WTMF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.similarity.cosine import cosine
from semwork.similarity.space import SentenceSpace

__all__ = ["SentenceWord", "WordMatch", "sentence_words", "word_effects", "word_match"]


@dataclass(frozen=True)
class SentenceWord:
    """One word of a sentence.

    Attributes
    ----------
    word : str
        As it is written, in lower case.
    known : bool
        Whether it changes the sentence's vector: the model has met it, and its weight is not 0.
    effect : float
        By how much the similarity falls when the word is taken away; negative when it rises.
    """

    word: str
    known: bool
    effect: float = 0.0


@dataclass(frozen=True, eq=False)
class WordMatch:
    """Each word of one sentence against each of the other.

    Attributes
    ----------
    left, right : list of SentenceWord
        The words.
    similarity : ndarray of shape (n_left, n_right), float64
        Left × right: the similarity of two words, each taken as a sentence of its own; NaN where one is unknown.
    whole : float
        The similarity of the two sentences.
    """

    left: list[SentenceWord]
    right: list[SentenceWord]
    similarity: NDArray[np.float64]
    whole: float


def sentence_words(space: SentenceSpace, text: str) -> list[SentenceWord]:
    """Split a sentence into words, and say which of them the model knows.

    Parameters
    ----------
    space : SentenceSpace
        With a fitted model.
    text : str
        The sentence.

    Returns
    -------
    list of SentenceWord

    Examples
    --------
    >>> from semwork.similarity import TfidfCosine
    >>> space = SentenceSpace.from_texts(["a cat", "a dog", "the cat"], TfidfCosine(), min_count=1).fit()
    >>> [word.word for word in sentence_words(space, "The dog barks") if word.known]
    ['the', 'dog']
    """
    words = _split(space, text)
    return [SentenceWord(word, bool(known)) for word, known in zip(words, _known(space, words), strict=True)]


def word_effects(space: SentenceSpace, left: str, right: str) -> tuple[list[SentenceWord], list[SentenceWord]]:
    """Measure by how much the similarity of two sentences falls when a word is taken away.

    Parameters
    ----------
    space : SentenceSpace
        With a fitted model.
    left, right : str
        The sentences.

    Returns
    -------
    left, right : list of SentenceWord
        The words of both sentences, in their order.

    Examples
    --------
    >>> from semwork.similarity import TfidfCosine
    >>> space = SentenceSpace.from_texts(["a cat", "a dog", "the cat"], TfidfCosine(), min_count=1).fit()
    >>> [(word.word, round(word.effect, 2)) for word in word_effects(space, "a dog", "the dog")[0]]
    [('a', 0.0), ('dog', 0.71)]
    """
    from semwork.similarity.search import pairwise

    sides = _split(space, left), _split(space, right)
    texts = [" ".join(words) for words in sides]
    without = [[" ".join(words[:place] + words[place + 1 :]) for place in range(len(words))] for words in sides]
    rows = space.encode([texts[0], *without[0], *[texts[0]] * len(sides[1])])
    others = space.encode([texts[1], *[texts[1]] * len(sides[0]), *without[1]])
    values = pairwise(rows, others, measure=space.model.measure)
    effects = np.split(values[0] - values[1:], [len(sides[0])])
    found = [
        [SentenceWord(word, bool(known), float(effect)) for word, known, effect in zip(*parts, strict=True)]
        for parts in zip(sides, (_known(space, words) for words in sides), effects, strict=True)
    ]
    return found[0], found[1]


def word_match(space: SentenceSpace, left: str, right: str) -> WordMatch:
    """Compare two sentences word by word.

    Parameters
    ----------
    space : SentenceSpace
        With a fitted model.
    left, right : str
        The sentences.

    Returns
    -------
    WordMatch

    Examples
    --------
    >>> from semwork.similarity import TfidfCosine
    >>> space = SentenceSpace.from_texts(["a cat", "a dog", "the cat"], TfidfCosine(), min_count=1).fit()
    >>> word_match(space, "the dog", "dog barks").similarity.tolist()
    [[0.0, nan], [1.0, nan]]
    """
    sides = sentence_words(space, left), sentence_words(space, right)
    similar = np.full((len(sides[0]), len(sides[1])), np.nan)
    if similar.size:
        rows = [space.encode([word.word for word in words]) for words in sides]
        values = cosine(*rows) if space.model.measure == "cosine" else _products(*rows)
        known = [np.array([word.known for word in words]) for words in sides]
        both = np.outer(known[0], known[1])
        similar[both] = values[both]
    texts = [" ".join(word.word for word in words) for words in sides]
    return WordMatch(*sides, similarity=similar, whole=float(space.similarity([texts[0]], [texts[1]])[0]))


def _products(left: Any, right: Any) -> NDArray[np.float64]:
    product = left @ right.T
    return np.asarray(product.toarray() if hasattr(product, "toarray") else product)


def _split(space: SentenceSpace, text: str) -> list[str]:
    """The words as written, without those that the corpus leaves out."""
    analyzer, left_out = space.corpus.analyzer, space.corpus.stop_words
    return [word for word in map(analyzer.clean, analyzer.split(text)) if word and word not in left_out]


def _known(space: SentenceSpace, words: list[str]) -> NDArray[np.bool_]:
    if not words:
        return np.zeros(0, dtype=bool)
    rows = abs(space.encode(words))
    return np.asarray(rows.sum(axis=1) > 0).ravel()

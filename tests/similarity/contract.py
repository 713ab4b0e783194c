"""One of each sentence model, and the texts that the contract of all of them is tried on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from semwork.datasets import WordVectors
from semwork.similarity import (
    LSA,
    WTMF,
    Blend,
    Encoder,
    LDAVectors,
    NGramOverlap,
    SentenceModel,
    TfidfCosine,
    WordAverage,
)

TEXTS = [
    "a bank lends money to people",
    "people bring their money to the bank",
    "the river has a steep bank",
    "fish swim in the cold river",
    "cold water runs in the river",
    "the shop takes money from people",
]
_WORDS = sorted({word for text in TEXTS for word in text.split()})
VECTORS = WordVectors("random", _WORDS, np.random.default_rng(0).standard_normal((len(_WORDS), 5)).astype(np.float32))


def letters(texts):
    """A toy encoder: how often each letter occurs."""
    return [[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


MODELS: dict[str, Callable[[], SentenceModel]] = {
    "WTMF": lambda: WTMF(3, regularization=0.1, max_iter=3, random_state=0),
    "TfidfCosine": TfidfCosine,
    "NGramOverlap": NGramOverlap,
    "NGramOverlap tfidf": lambda: NGramOverlap(weighting="tfidf"),
    "LSA": lambda: LSA(3, random_state=0),
    "LDAVectors": lambda: LDAVectors(2, max_iter=5, random_state=0),
    "WordAverage": lambda: WordAverage(VECTORS),
    "Blend": lambda: Blend(WTMF(3, regularization=0.1, max_iter=3, random_state=0), TfidfCosine()),
    "Encoder": lambda: Encoder(letters, batch_size=4),
}

"""How many words of a record have no vector."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from semwork.datasets.records import RetrievalSet, SentencePairs
from semwork.datasets.word_records import NamePairs, WordVectors
from semwork.given import check_kind
from semwork.text import Analyzer

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Coverage", "words_without_vector"]


@dataclass(frozen=True, repr=False, eq=False)
class Coverage:
    """Words with and without a vector.

    Parameters
    ----------
    words : int
        Different words of the texts.
    tokens : int
        Words of the texts, each as often as it is there.
    without : mapping of str to int
        Word without a vector → how often it is there, most frequent first.
    vectors : str
        What the vectors are called.
    """

    words: int
    tokens: int
    without: dict[str, int]
    vectors: str

    @property
    def share_of_words(self) -> float:
        """Share of the different words that have no vector."""
        return len(self.without) / max(self.words, 1)

    @property
    def share_of_tokens(self) -> float:
        """Share of all words of the texts that have no vector."""
        return sum(self.without.values()) / max(self.tokens, 1)

    @property
    def table(self) -> pd.DataFrame:
        """Columns ``word`` and ``count``: the words without a vector, most frequent first."""
        import pandas as pd

        return pd.DataFrame({"word": list(self.without), "count": list(self.without.values())})

    def __repr__(self) -> str:
        of_words = f"{len(self.without):,} of {self.words:,} words ({self.share_of_words:.1%})"
        return f"{of_words} have no vector in {self.vectors!r}: {self.share_of_tokens:.1%} of {self.tokens:,} tokens"


def words_without_vector(data: Any, vectors: WordVectors, analyzer: Any = None) -> Coverage:
    """Count the words of texts that have no vector.

    Parameters
    ----------
    data : Sentences, LabelledDocuments, SentencePairs, RetrievalSet, NamePairs, or list of str
        The texts; of a retrieval set queries and candidates.
    vectors : WordVectors
        The vectors.
    analyzer : callable or None
        Text → its words; by default words in lower case.

    Returns
    -------
    Coverage

    Examples
    --------
    >>> import numpy as np
    >>> vectors = WordVectors("mine", ["cat", "dog"], np.eye(2, dtype=np.float32))
    >>> words_without_vector(["a cat", "a dog"], vectors)
    1 of 3 words (33.3%) have no vector in 'mine': 50.0% of 4 tokens
    """
    check_kind("vectors", vectors, WordVectors, "read some with from_table, or use load('glove')")
    words_of = Analyzer() if analyzer is None else analyzer
    counts: Counter[str] = Counter()
    for text in _texts(data):
        counts.update(words_of(text))
    without = {word: count for word, count in counts.most_common() if word not in vectors.index}
    return Coverage(len(counts), counts.total(), without, vectors.name)


def _texts(data: Any) -> list[str]:
    if isinstance(data, RetrievalSet):
        return [*data.queries, *data.candidates]
    if isinstance(data, SentencePairs):
        return data.texts
    if isinstance(data, NamePairs):
        return [*data.english, *data.foreign]
    return list(getattr(data, "texts", data))

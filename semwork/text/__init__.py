"""Strings in, a sparse matrix out: words, stems, lemmas, n-grams, weights.

>>> from semwork.text import Corpus
>>> corpus = Corpus.from_texts(
...     ["a bank by the river", "a bank lends money", "the river floods its banks", "money is lent"],
...     analyzer="stem",
...     stop_words=True,
... )
>>> corpus.vocabulary.tolist()
['bank', 'monei', 'river']
>>> corpus.matrix.toarray().round(2).tolist()
[[0.0, 0.0, 0.29], [0.0, 0.29, 0.0], [0.0, 0.0, 0.29], [0.0, 0.29, 0.0]]
>>> corpus.reweighted("count").matrix.toarray().tolist()
[[1.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semwork.text.analyzers import WHOLE_NUMBERS, Analyzer, FunctionAnalyzer, Stemmer
from semwork.text.choice import choose_analyzer
from semwork.text.lemma import Lemmatizer, set_default_source
from semwork.text.overlap import jaccard
from semwork.text.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from semwork.text.corpus import Corpus
    from semwork.text.weighting import term_weights

__all__ = [
    "STOP_WORDS",
    "WHOLE_NUMBERS",
    "Analyzer",
    "Corpus",
    "FunctionAnalyzer",
    "Lemmatizer",
    "Stemmer",
    "choose_analyzer",
    "jaccard",
    "set_default_source",
    "term_weights",
]


def __getattr__(name: str) -> Any:
    """Import what needs scipy at its first use, so that whoever wants only words does not wait for it."""
    if name == "Corpus":
        from semwork.text.corpus import Corpus

        return Corpus
    if name == "term_weights":
        from semwork.text.weighting import term_weights

        return term_weights
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

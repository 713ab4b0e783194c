"""The texts that sentence models are fitted on, by name."""

from __future__ import annotations

import functools

from semwork.datasets import LabelledDocuments, RetrievalSet, SentencePairs, Sentences, load
from semwork.studies.origin import Origin, calling
from semwork.studies.study import Input, Source
from semwork.text import Corpus

__all__ = ["TRAINING", "TRAINING_TEXTS", "training_corpus", "training_texts"]

SAMPLE, REAL = "sample", "WordNet + Brown"
TRAINING = (SAMPLE, REAL)
"""What `training_texts` knows."""


def training_texts(name: str) -> list[str]:
    """Texts to fit sentence models on, one short text each.

    Parameters
    ----------
    name : str
        ``"sample"``: the definitions and documents written for this project (none of its pairs).
        ``"WordNet + Brown"``: for each sense of WordNet its headwords, definition and examples joined, then the
        sentences of the Brown corpus: the second paper's texts without Wiktionary and the STS training
        sentences. The first paper has definitions only.

    Returns
    -------
    list of str

    References
    ----------
    W. Guo & M. Diab (2012), Weiwei, SemEval, section 4: headwords and usage examples are added to the definitions.

    Examples
    --------
    >>> len(training_texts("sample")) > 1000
    True
    """
    if name == SAMPLE:
        return list(load("sample").texts)
    if name == REAL:
        return [*load("wordnet").texts, *load("brown").texts]
    raise ValueError(f"there are no training texts {name!r}; there are {', '.join(map(repr, TRAINING))}")


@functools.lru_cache(maxsize=2)
def training_corpus(name: str) -> Corpus:
    """Return these texts, stemmed, counted and weighted, made once.

    Parameters
    ----------
    name : as in `training_texts`

    Returns
    -------
    Corpus

    Examples
    --------
    >>> len(training_corpus("sample")) == len(training_texts("sample"))
    True
    """
    return Corpus.from_texts(training_texts(name), analyzer="stem")


def _stemmed(record: Origin) -> Origin:
    return calling(Corpus).from_texts(record.texts, analyzer="stem")


#: The texts that a list offers.
TRAINING_TEXTS = Input(
    "texts to learn from",
    "WordNet + Brown needs the real data, and some seconds",
    {
        SAMPLE: Source(SAMPLE, calling(training_corpus)(SAMPLE)),
        REAL: Source(REAL, calling(training_corpus)(REAL), needs=("wordnet", "brown"), warm_start=True),
    },
    dict.fromkeys((Sentences, LabelledDocuments, SentencePairs, RetrievalSet), _stemmed),
)

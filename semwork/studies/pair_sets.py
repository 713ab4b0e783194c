"""The sets of sentence pairs that lessons offer by name, and what the paper reports on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from semwork.datasets import SentencePairs, load
from semwork.studies.origin import as_it_is, calling
from semwork.studies.study import Input, Source

__all__ = ["LABELLED_PAIRS", "PAPERS_CORRELATIONS", "SCORED_PAIRS", "title_of", "with_labels"]

_LOAD = calling(load)
_MSR04 = Source("MSR04", _LOAD("msr04"), needs=("msr04",))


def with_labels(pairs: SentencePairs) -> SentencePairs:
    """Return pairs that are paraphrases (1) or not (0), some of them for training and some for the test.

    Graded scores become labels: above the middle of their range a pair is a paraphrase, exactly there it is left out,
    as is a pair without a score. Where no split is told, every other pair is for training.

    Parameters
    ----------
    pairs : SentencePairs
        Pairs with scores.

    Returns
    -------
    SentencePairs

    Examples
    --------
    >>> len(load("sample").pairs), len(with_labels(load("sample").pairs))
    (180, 180)
    """
    scores, known = pairs.scores, np.isfinite(pairs.scores)
    if not known.any() or np.ptp(scores[known]) == 0:
        raise ValueError(
            f"{pairs.name} has no pairs with different scores; a threshold is learnt from some that are paraphrases "
            "(a score of 1, or a high one) and some that are not (0, or a low one)"
        )
    middle = (scores[known].min() + scores[known].max()) / 2
    kept = known & (scores != middle)
    chosen = pairs.at(np.flatnonzero(kept))
    split = chosen.split
    if len(set(split.tolist())) < 2 or not (split == "test").any():
        split = np.where(np.arange(len(chosen)) % 2 == 0, "train", "test").astype(object)
    return replace(chosen, scores=(chosen.scores > middle).astype(np.float64), split=split)


#: Pairs with scores of people.
SCORED_PAIRS = Input(
    "pairs of sentences",
    "the sample is here; the others are fetched by name",
    {
        "sample": Source("sample", _LOAD("sample").pairs),
        "LI06": Source("LI06", _LOAD("li06"), needs=("li06",)),
        "STS 2012": Source("STS 2012", _LOAD("sts2012").subset("test"), needs=("sts2012",)),
        "MSR04": _MSR04,
    },
    {SentencePairs: as_it_is},
)

#: Pairs that are paraphrases or not.
LABELLED_PAIRS = Input(
    "pairs with labels",
    "paraphrase or not",
    {"sample": Source("sample", _LOAD("sample").paraphrases), "MSR04": _MSR04},
    {SentencePairs: calling(with_labels)},
)


#: Name of a data set → w_m → the r and ρ that the paper reports there (Guo & Diab 2012, Table 3).
PAPERS_CORRELATIONS: Mapping[str, Mapping[float, tuple[float, float]]] = {
    "li06": {
        0.0005: (0.8247, 0.8440),
        0.001: (0.8470, 0.8636),
        0.005: (0.8876, 0.8966),
        0.01: (0.8984, 0.9091),
        0.05: (0.8804, 0.8812),
    }
}


def title_of(pairs: SentencePairs) -> str:
    """Return the name of a set of pairs as the list has it; of other pairs the name that they were given.

    Examples
    --------
    >>> title_of(load("sample").pairs)
    'sample'
    """
    return next((one.title for one in SCORED_PAIRS.sources.values() if pairs.name in one.needs), pairs.name)

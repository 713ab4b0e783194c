"""Concept definition retrieval: from a GCIDE definition to the WordNet definition of the same word."""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict

import numpy as np
import pandas as pd

from semwork.datasets import gcide, wordnet
from semwork.datasets.options import check_seed, check_share, check_size
from semwork.datasets.parsed import Source, frame
from semwork.datasets.records import Dictionary, RetrievalSet
from semwork.text import jaccard

__all__ = ["load", "overlap"]

_WORD = re.compile(r"[^\W_]+")


def load(source: Source, *, max_overlap: float = 0.5, dev_size: int = 1000, seed: int = 0) -> RetrievalSet:
    """Return GCIDE definitions as queries and all WordNet definitions as candidates.

    Parameters
    ----------
    max_overlap : float
        Pairs whose two definitions share more than this (Jaccard index of their sets of Porter stems) are left out:
        GCIDE took some of its definitions from WordNet. 1 keeps all pairs.
    dev_size : int
        How many queries, drawn at random, are for development; the others are for the test.
    seed : int
        Of that draw.

    Returns
    -------
    RetrievalSet

    Notes
    -----
    A pair is made of a word that has, in lower case, exactly one synset in WordNet over all parts of speech, and
    exactly one definition in GCIDE over all its parts of speech, where GCIDE's label is exactly one of n., a., adj.,
    adv., v., v. t., v. i. and names WordNet's part of speech, and where the GCIDE definition has at least one word.
    Words are runs of letters and digits, in lower case. Several words may have the same target synset. There are
    21,204 such pairs, and 16,900 of them have an overlap of at most 0.5.

    ``query_table`` has the columns ``headword``, ``pos``, ``overlap``; ``candidate_table`` is that of WordNet.
    """
    check_share("max_overlap", max_overlap)
    check_seed(seed)
    words = wordnet.load(source.other("wordnet"))
    pairs = frame(source, "pairs-2", lambda: align(words, gcide.load(source.other("gcide"))))
    pairs = pairs[pairs["overlap"] <= max_overlap].reset_index(drop=True)
    check_size("dev_size", dev_size, len(pairs))
    split = np.full(len(pairs), "test", dtype=object)
    split[np.random.default_rng(seed).permutation(len(pairs))[:dev_size]] = "dev"
    targets = [np.array([row]) for row in pairs["target"].tolist()]
    return RetrievalSet(
        source.name,
        queries=[str(text) for text in pairs["query"].tolist()],
        candidates=words.definitions,
        targets=targets,
        split=split,
        query_table=pairs[["headword", "pos", "overlap"]],
        candidate_table=words.table,
    )


def align(words: Dictionary, other: Dictionary) -> pd.DataFrame:
    """Pair the words that have one sense in both dictionaries and the same part of speech.

    Parameters
    ----------
    words : Dictionary
        WordNet, whose senses are the candidates.
    other : Dictionary
        GCIDE, whose definitions are the queries.

    Returns
    -------
    DataFrame of shape (n_pairs, 5)
        ``headword``, ``pos``, ``query``, ``target`` (the row of the sense in ``words``) and ``overlap``.
    """
    rows_of: defaultdict[str, list[int]] = defaultdict(list)
    for row, headwords in enumerate(words.headwords):
        for word in {headword.lower() for headword in headwords}:
            rows_of[word].append(row)
    pos = words.table["pos"].tolist()
    senses = Counter(headword for (headword,) in other.headwords)
    kept = []
    for (headword,), label, query in zip(other.headwords, other.table["pos"], other.definitions, strict=True):
        targets = rows_of.get(headword.lower(), [])
        if senses[headword] == 1 and len(targets) == 1 and pos[targets[0]] == label and _stems(query):
            share = overlap(query, words.definitions[targets[0]])
            kept.append((headword, label, query, targets[0], share))
    return pd.DataFrame(kept, columns=["headword", "pos", "query", "target", "overlap"])


@functools.cache
def _stem(word: str) -> str:
    import snowballstemmer

    return str(snowballstemmer.stemmer("porter").stemWord(word))


def _stems(text: str) -> set[str]:
    """Stem runs of letters and digits: a rule of this module, so that the set stays when `semwork.text` changes."""
    return {_stem(word) for word in _WORD.findall(text.lower())}


def overlap(one: str, two: str) -> float:
    """Return the Jaccard index of the sets of Porter stems of two texts; 0 when both are empty.

    >>> overlap("a running dog", "the dog runs")
    0.5
    """
    return jaccard(_stems(one), _stems(two))

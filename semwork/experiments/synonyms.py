"""Words that a corpus has never seen in place of words that it has: synonyms from WordNet and from PPDB."""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from semwork.datasets import load, path
from semwork.text.lemma import Lemmatizer
from semwork.text.stopwords import STOP_WORDS

__all__ = ["Replaced", "parts_of_speech", "ppdb_synonyms", "replace_words", "substitutes", "wordnet_synonyms"]

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_SHORTEST = 3
_BROWN = {"nn": "n", "np": "n", "nr": "n", "vb": "v", "jj": "a", "rb": "r"}


@functools.cache
def _lemmatizer() -> Lemmatizer:
    return Lemmatizer.from_wordnet(path("wordnet"))


@functools.cache
def parts_of_speech() -> dict[str, str]:
    """Return the most frequent part of speech (n, v, a, r, or empty for others) of each word of Brown."""
    brown = load("brown", tags=True)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text, tags in zip(brown.texts, brown.table["tags"].tolist(), strict=True):
        for word, tag in zip(text.lower().split(" "), tags.split(" "), strict=True):
            counts[word][_BROWN.get(tag[:2], "")] += 1
    return {word: found.most_common(1)[0][0] for word, found in counts.items()}


def _part(word: str) -> str:
    """Return a word's part of speech: as in Brown, else the first under which WordNet has it."""
    known = parts_of_speech().get(word)
    if known is not None:
        return known
    return next((part for part, name in PARTS.items() if _lemmatizer().base_forms(word, name)), "")


@functools.cache
def _senses() -> dict[tuple[str, str], list[tuple[str, ...]]]:
    """Lemma and part of speech → headwords of its synsets, the most frequent sense first."""
    wordnet = load("wordnet")
    headwords = dict(zip(wordnet.table["id"].tolist(), wordnet.headwords, strict=True))
    found = {}
    for part, name in PARTS.items():
        for line in (path("wordnet") / f"index.{name}").read_text(encoding="utf-8").split("\n"):
            if line and not line.startswith("  "):
                fields = line.split()
                offsets = fields[-int(fields[2]) :]
                found[fields[0], part] = [headwords[f"{offset}-{part}"] for offset in offsets]
    return found


def wordnet_synonyms(word: str) -> list[str]:
    """Return the words that share a synset with a word in its part of speech, most frequent sense first.

    WordNet has base forms only, so the synonym of a plural is a singular.
    """
    part = _part(word)
    if not part:
        return []
    bases = _lemmatizer().base_forms(word, PARTS[part])
    lists = [words for base in bases for words in _senses().get((base, part), [])]
    return [other.lower() for words in lists for other in words if other.lower() not in (word, *bases)]


@functools.cache
def _paraphrases() -> dict[str, list[str]]:
    pairs = load("ppdb")
    found: defaultdict[str, list[str]] = defaultdict(list)
    for left, right in zip(pairs.left, pairs.right, strict=True):
        found[left].append(right)
        found[right].append(left)
    return dict(found)


def ppdb_synonyms(word: str) -> list[str]:
    """Return the words that PPDB pairs a word with and that have its part of speech, in the order of the file."""
    part = _part(word)
    if not part:
        return []
    return [other for other in _paraphrases().get(word, []) if other != word and _part(other) == part]


def substitutes(words: Iterable[str], source: str, seen: Collection[str], known: Collection[str]) -> dict[str, str]:
    """Return for each word that has one its first synonym that was not seen, has a vector and is no stop word.

    Parameters
    ----------
    words : iterable of str
        What to replace.
    source : {"WordNet", "PPDB"}
        ``"WordNet"`` or ``"PPDB"``.
    seen : collection of str
        Words of the corpus; no synonym is among them.
    known : collection of str
        Words that have a vector; all synonyms are among them.

    Returns
    -------
    dict of str to str
    """
    synonyms = {"WordNet": wordnet_synonyms, "PPDB": ppdb_synonyms}[source]
    found = {}
    for word in sorted(set(words)):
        fitting = (other for other in synonyms(word) if other not in seen and other in known and _has_content(other))
        if (new := next(fitting, None)) is not None:
            found[word] = new
    return found


def _has_content(word: str) -> bool:
    """Whether a corpus for topics would keep a word."""
    return word.isalpha() and len(word) >= _SHORTEST and word not in STOP_WORDS


class Replaced(NamedTuple):
    """Documents with words replaced, the share of tokens that were, and how many different words."""

    documents: list[list[str]]
    share: float
    words: int


def replace_words(
    documents: Sequence[Sequence[str]], synonyms: Mapping[str, str], share: float | None = None, seed: int = 0
) -> Replaced:
    """Replace tokens by synonyms.

    Parameters
    ----------
    documents : sequence of sequence of str
        Words.
    synonyms : mapping of str to str
        What stands in for a word.
    share : float or None
        Of all tokens, how many to replace at most; different words are drawn at random, each with all its tokens,
        until there are so many. ``None``: all that can be.
    seed : int
        Of the draw.

    Returns
    -------
    Replaced

    Examples
    --------
    >>> replace_words([["car", "red"], ["car", "fast"]], {"car": "auto", "fast": "rapid"})
    Replaced(documents=[['auto', 'red'], ['auto', 'rapid']], share=0.75, words=2)
    """
    counts = Counter(word for words in documents for word in words)
    total = counts.total()
    order = sorted(word for word in synonyms if counts[word])
    limit = total if share is None else share * total
    taken, done = dict[str, str](), 0
    for place in np.random.default_rng(seed).permutation(len(order)).tolist():
        word = order[place]
        if done + counts[word] <= limit:
            taken[word] = synonyms[word]
            done += counts[word]
    changed = [[taken.get(word, word) for word in words] for words in documents]
    return Replaced(changed, done / max(total, 1), len(taken))

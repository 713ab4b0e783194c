"""Paraphrase on MSR04 and entailment on RTE, as alignments of dependency graphs (sections 5.2 and 5.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import SentencePairs, available, load
from semwork.structures.tasks.graphs import GraphProblems
from semwork.structures.tasks.parsing import Parsed, parse
from semwork.structures.tasks.word_pairs import NEGATIONS

__all__ = [
    "GENERAL",
    "ParsedPairs",
    "entailment_pairs",
    "entailment_problems",
    "extended",
    "general_features",
    "not_here",
    "paraphrase_pairs",
    "paraphrase_problems",
]

_LENGTHS = (1, 2, 3, 4)
_LETTERS = (3, 5)
_SEQUENCES = ("words", "lemmas")
_COUNTED = ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM")
# Of two shares, or two numbers of words, the smaller and the larger: which sentence is the left one means nothing.
_BOTH = ("smaller", "larger")
GENERAL = (
    *(f"{n}-grams of {what} in common, {which} share" for what in _SEQUENCES for n in _LENGTHS for which in _BOTH),
    *(f"{what} in the same order, {which} share" for what in _SEQUENCES for which in _BOTH),
    *(f"{n} letters in common, {which} share" for n in _LETTERS for which in _BOTH),
    *(f"edges in common, {which} share" for which in _BOTH),
    *(f"{pos} in common" for pos in _COUNTED),
    *(f"{pos} only on one side, {which} number" for pos in _COUNTED for which in _BOTH),
    "difference of lengths",
    "length",
    "numbers are equal",
    "numbers differ",
    "some numbers are missing",
    "names in common",
    "names differ",
    "one is negated",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ParsedPairs:
    """Pairs of parsed sentences with labels 1 and -1, and which pairs are for training."""

    pairs: tuple[tuple[Parsed, Parsed], ...]
    labels: NDArray[np.int64]
    training: NDArray[np.bool_]
    texts: SentencePairs

    def __len__(self) -> int:
        return len(self.pairs)

    def part(self, *, training: bool) -> tuple[list[tuple[Parsed, Parsed]], NDArray[np.int64]]:
        """Return the pairs and labels for training, or the others."""
        rows = np.flatnonzero(self.training == training)
        return [self.pairs[row] for row in rows], self.labels[rows]


def _parsed(texts: SentencePairs, training: NDArray[np.bool_], parser: Any) -> ParsedPairs:
    found = parse([*texts.left, *texts.right], parser)
    half = len(texts)
    labels = np.where(np.asarray(texts.scores) > 0.5, 1, -1).astype(np.int64)
    return ParsedPairs(tuple(zip(found[:half], found[half:], strict=True)), labels, training, texts)


def paraphrase_pairs(parser: Any = None) -> ParsedPairs:
    """Return MSR04, parsed: 4,076 pairs for training and 1,725 to be judged."""
    texts = load("msr04")
    return _parsed(texts, np.asarray(texts.split) != "test", parser)


def entailment_pairs(challenge: str, parser: Any = None) -> ParsedPairs:
    """Return RTE-1, 2 or 3 (``"rte1"`` …), parsed: the development set is for training."""
    texts = load("rte")
    rows = np.flatnonzero(np.asarray(texts.group) == challenge)
    if not len(rows):
        known = ", ".join(sorted(set(texts.group)))
        raise ValueError(f"there is no challenge {challenge!r}; there are {known}")
    some = texts.at(rows)
    return _parsed(some, np.asarray(some.split) == "dev", parser)


def extended(pair: tuple[Parsed, Parsed]) -> tuple[Parsed, Parsed]:
    """Return the pair with its longer sentence followed by itself (the paper's Extended set)."""
    left, right = pair
    return (left.doubled(), right) if len(left) >= len(right) else (left, right.doubled())


def paraphrase_problems(*, general: bool = False) -> GraphProblems:
    """All four kinds of parts; with ``general`` also features of whole sentences, which the paper does not have."""
    if general:
        return GraphProblems("both", general=general_features, general_names=GENERAL)
    return GraphProblems("both")


def entailment_problems(*, general: bool = False) -> GraphProblems:
    """Words are deleted only from the hypothesis, the right sentence."""
    if general:
        return GraphProblems("right", general=general_features, general_names=GENERAL)
    return GraphProblems("right")


def not_here() -> str:
    """Say what these tasks need and this machine does not have; empty if it has all."""
    absent = [name for name in ("msr04", "rte", "wordnet", "en_core_web_sm") if not available(name)]
    if absent:
        return f"paraphrase and entailment need data that are not here: semwork data fetch {' '.join(absent)}"
    if find_spec("spacy") is None:
        return "paraphrase and entailment need spaCy: pip install 'semwork[nlp]'"
    return ""


def _grams(words: Sequence[Any], n: int) -> Counter[Any]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def _shares(one: Counter[Any], two: Counter[Any]) -> list[float]:
    """The part of each that is in the other, the smaller one first."""
    shared = (one & two).total()
    return sorted(shared / max(side.total(), 1) for side in (one, two))


def _in_order(one: Sequence[str], two: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    before = [0] * (len(two) + 1)
    for word in one:
        now = [0]
        for place, other in enumerate(two):
            now.append(before[place] + 1 if word == other else max(before[place + 1], now[-1]))
        before = now
    return before[-1]


def _edges(sentence: Parsed) -> Counter[Any]:
    return Counter(
        (sentence.lemmas[head], sentence.labels[word], sentence.lemmas[word]) for head, word in sentence.edges
    )


def general_features(left: Parsed, right: Parsed) -> dict[str, float]:
    """Return what n-grams, order, letters, edges, lengths, numbers, names and negations say about whole sentences."""
    values: dict[str, float] = {}

    def both(name: str, pair: Sequence[float]) -> None:
        values.update({name.format(which): value for which, value in zip(_BOTH, pair, strict=True)})

    for what in _SEQUENCES:
        sides = getattr(left, what), getattr(right, what)
        for n in _LENGTHS:
            both(f"{n}-grams of {what} in common, {{}} share", _shares(_grams(sides[0], n), _grams(sides[1], n)))
        found = _in_order(*sides)
        both(f"{what} in the same order, {{}} share", sorted(found / len(side) for side in sides))
    letters = " ".join(left.words), " ".join(right.words)
    for n in _LETTERS:
        both(f"{n} letters in common, {{}} share", _shares(_grams(letters[0], n), _grams(letters[1], n)))
    both("edges in common, {} share", _shares(_edges(left), _edges(right)))
    for pos in _COUNTED:
        one, two = (
            Counter(lemma for lemma, tag in zip(side.lemmas, side.pos, strict=True) if tag == pos)
            for side in (left, right)
        )
        every = (one | two).total()
        values[f"{pos} in common"] = (one & two).total() / every if every else 1.0
        both(f"{pos} only on one side, {{}} number", sorted([(one - two).total(), (two - one).total()]))
    values["difference of lengths"] = abs(len(left) - len(right)) / max(len(left), len(right))
    values["length"] = (len(left) + len(right)) / 40
    numbers = [
        {word for word, pos in zip(side.words, side.pos, strict=True) if pos == "NUM" or word[0].isdigit()}
        for side in (left, right)
    ]
    values["numbers are equal"] = float(numbers[0] == numbers[1])
    values["numbers differ"] = float(bool(numbers[0] - numbers[1]) and bool(numbers[1] - numbers[0]))
    values["some numbers are missing"] = float(numbers[0] < numbers[1] or numbers[1] < numbers[0])
    names = [{word for word, name in zip(side.words, side.names, strict=True) if name} for side in (left, right)]
    joined = len(names[0] | names[1])
    values["names in common"] = len(names[0] & names[1]) / joined if joined else 0.0
    values["names differ"] = float(bool(names[0] - names[1]) and bool(names[1] - names[0]))
    values["one is negated"] = float(
        any(word in NEGATIONS for word in left.words) != any(word in NEGATIONS for word in right.words)
    )
    return values

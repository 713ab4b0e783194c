"""Paraphrase on MSR04 and entailment on RTE, as alignments of dependency graphs (sections 5.2 and 5.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semwork.datasets import SentencePairs, load
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
    "paraphrase_pairs",
    "paraphrase_problems",
]

_LENGTHS = (1, 2, 3)
GENERAL = (
    *(f"{side} {n}-grams in common" for n in _LENGTHS for side in ("left", "right")),
    *(f"{side} lemmas in common" for side in ("left", "right")),
    "difference of lengths",
    "numbers are equal",
    "numbers differ",
    "some numbers are missing",
    "names in common",
    "names differ",
    "one is negated",
)


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
    some = texts._rows(rows)
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


def _grams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def general_features(left: Parsed, right: Parsed) -> dict[str, float]:
    """Return what n-grams, lengths, numbers, names and negations say about two sentences as wholes."""
    values: dict[str, float] = {}
    for n in _LENGTHS:
        one, two = _grams(left.words, n), _grams(right.words, n)
        shared = (one & two).total()
        values[f"left {n}-grams in common"] = shared / max(one.total(), 1)
        values[f"right {n}-grams in common"] = shared / max(two.total(), 1)
    lemmas = Counter(left.lemmas), Counter(right.lemmas)
    shared = (lemmas[0] & lemmas[1]).total()
    values["left lemmas in common"] = shared / len(left)
    values["right lemmas in common"] = shared / len(right)
    values["difference of lengths"] = abs(len(left) - len(right)) / max(len(left), len(right))
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

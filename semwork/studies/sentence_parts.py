"""How parts of an alignment of two sentences, and their features, are told."""

from __future__ import annotations

from typing import Any

import pandas as pd

from semwork.structures.tasks.parsing import Parsed

__all__ = ["SENTENCE_KINDS", "arcs_of", "kind_of", "line_of", "said_of", "shortened"]

#: What features are about.
SENTENCE_KINDS = ("words mapped", "words left out", "edges", "the whole pair")
_LONGEST = 14  # letters of a word that are shown


def shortened(word: str) -> str:
    """Return a word that fits.

    Examples
    --------
    >>> shortened("incomprehensibly")
    'incomprehensi…'
    """
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"


def said_of(feature: Any) -> str:
    """Return a feature for people.

    Examples
    --------
    >>> said_of(("map equal", "noun")), said_of("bias")
    ('map equal: noun', 'bias')
    """
    return f"{feature[0]}: {feature[1]}" if isinstance(feature, tuple) else str(feature)


def kind_of(feature: Any) -> str:
    """Say which of `SENTENCE_KINDS` a feature is.

    Examples
    --------
    >>> kind_of(("map equal", "noun")), kind_of("bias")
    ('words mapped', 'the whole pair')
    """
    if not isinstance(feature, tuple) or feature[0] == "general":
        return SENTENCE_KINDS[3]
    first = str(feature[0]).split()[0]
    return {"map": SENTENCE_KINDS[0], "delete": SENTENCE_KINDS[1]}.get(first, SENTENCE_KINDS[2])


def line_of(label: tuple[Any, ...], score: float, why: str) -> dict[str, Any] | None:
    """Return a part that joins words or leaves one out; edges, which are drawn as arcs, have no line.

    Examples
    --------
    >>> line_of(("delete left", 2), -0.5, "a reason")
    {'left': 2, 'right': -1, 'score': -0.5, 'kind': 'alone', 'why': 'a reason'}
    """
    ends = {"words": label[1:], "delete left": (label[1], -1), "delete right": (-1, label[1])}.get(label[0])
    if ends is None:
        return None
    kind = "joined" if label[0] == "words" else "alone"
    return {"left": ends[0], "right": ends[1], "score": float(score), "kind": kind, "why": why}


def arcs_of(sides: tuple[Parsed, Parsed], mapped: dict[tuple[int, ...], float]) -> pd.DataFrame:
    """Return every dependency of both sentences, with a ``score`` where it is mapped on one of the other sentence.

    Parameters
    ----------
    sides : pair of Parsed
        The sentences.
    mapped : dict of pair of int to float
        Places of the dependent words of two edges that are mapped on each other → score.
    """
    scores = [{pair[side]: score for pair, score in mapped.items()} for side in (0, 1)]
    rows = [
        {"side": side, "head": head, "word": word, "label": sentence.labels[word], "score": scores[side].get(word)}
        for side, sentence in enumerate(sides)
        for head, word in sentence.edges
    ]
    return pd.DataFrame(rows, columns=["side", "head", "word", "label", "score"])

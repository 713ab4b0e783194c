"""Retrieval sets made of other data: every text looks for its own other half, or for its paraphrase."""

from __future__ import annotations

import numpy as np

from semwork.datasets import LabelledDocuments, RetrievalSet, SentencePairs, Sentences
from semwork.datasets.shown import table_of
from semwork.given import check_count, check_kind
from semwork.similarity.retrieval import RetrievalTask

__all__ = ["halves", "names_of", "paraphrases_sought", "task_of_halves"]

_SHORTEST = 6  # words: half of a shorter text says too little
_QUERIES = 1_000


def halves(texts: Sentences | LabelledDocuments, most: int = _QUERIES) -> RetrievalSet:
    """Let the second half of a text look for its first half among the first halves of all texts.

    A task for texts about which nothing else is known: a model that has learnt which words go together finds the other
    half though it shares no word with the first. Every other text looks for its half, so that a model can learn from
    the rest (see `task_of_halves`). Texts of fewer than six words are left out.

    Parameters
    ----------
    texts : Sentences or LabelledDocuments
        The texts.
    most : int
        How many queries at most; they are spread evenly over the texts.

    Returns
    -------
    RetrievalSet

    Examples
    --------
    >>> from semwork.datasets import load
    >>> halves(load("sample").documents).queries[0].split()[:3]
    ['can', 'focus.', 'Is']
    """
    check_kind("texts", texts, (Sentences, LabelledDocuments), "make some with semwork.datasets.from_table")
    check_count("most", most)
    split = [(row, words) for row, text in enumerate(texts.texts) if len(words := text.split()) >= _SHORTEST]
    if len(split) < 2:
        raise ValueError(
            f"{texts.name} has {len(split)} texts of {_SHORTEST} words or more; two are needed, because the second "
            "half of a text looks for its first half among the others"
        )
    candidates = [" ".join(words[: len(words) // 2]) for _, words in split]
    every_other = np.arange(1, len(split), 2)
    chosen = every_other[np.linspace(0, len(every_other) - 1, min(most, len(every_other))).astype(np.int64)]
    names = names_of(texts)
    rows = [row for row, _ in split]
    return RetrievalSet(
        texts.name,
        [" ".join(split[place][1][len(split[place][1]) // 2 :]) for place in chosen],
        candidates,
        [np.array([place]) for place in chosen],
        np.full(len(chosen), "dev", dtype=object),
        table_of({"headword": [names[rows[place]] for place in chosen], "row": [rows[place] for place in chosen]}),
        table_of({"headword": [names[row] for row in rows]}),
    )


def task_of_halves(texts: Sentences | LabelledDocuments, most: int = _QUERIES) -> RetrievalTask:
    """Return the task of `halves`; models learn from the first halves, and from whole texts that no query is part of.

    Parameters
    ----------
    texts, most : as in `halves`

    Returns
    -------
    RetrievalTask

    Examples
    --------
    >>> from semwork.datasets import load
    >>> len(task_of_halves(load("sample").documents).data)
    200
    """
    data = halves(texts, most)
    asked = set(data.query_table["row"].tolist())
    others = [text for row, text in enumerate(texts.texts) if row not in asked]
    return RetrievalTask.from_set(data, more_texts=others)


def paraphrases_sought(pairs: SentencePairs, most: int = _QUERIES) -> RetrievalSet:
    """Let the left sentence of a pair look for the right one among the right ones of all pairs.

    Of pairs with scores only those whose score is above the middle of its range have a sentence to be found; the right
    sentences of the others are candidates all the same.

    Parameters
    ----------
    pairs : SentencePairs
        The pairs.
    most : int
        How many queries at most; they are spread evenly over the pairs.

    Returns
    -------
    RetrievalSet

    Examples
    --------
    >>> from semwork.datasets import load
    >>> paraphrases_sought(load("sample").pairs).candidates[0] in load("sample").pairs.right
    True
    """
    check_kind("pairs", pairs, SentencePairs, "make some with semwork.datasets.from_table")
    check_count("most", most)
    scores = pairs.scores
    known = np.isfinite(scores)
    middle = (scores[known].min() + scores[known].max()) / 2 if known.any() else 0.0
    alike = scores > middle if known.any() and np.ptp(scores[known]) > 0 else np.ones(len(pairs), dtype=bool)
    targets: dict[str, list[str]] = {}
    for left, right, good in zip(pairs.left, pairs.right, alike, strict=True):
        if good:
            targets.setdefault(left, []).append(right)
    candidates = list(dict.fromkeys(pairs.right))
    if not targets or len(candidates) < 2:
        raise ValueError(
            f"{pairs.name} has {len(targets)} pairs that are alike and {len(candidates)} different right sentences; "
            "one and two are needed, because a left sentence looks for its right one among the others"
        )
    place = {text: number for number, text in enumerate(candidates)}
    queries = list(targets)
    chosen = [queries[row] for row in np.unique(np.linspace(0, len(queries) - 1, min(most, len(queries))).astype(int))]
    first = {left: row for row, left in reversed(list(enumerate(pairs.left)))}
    return RetrievalSet(
        pairs.name,
        chosen,
        candidates,
        [np.array(sorted({place[right] for right in targets[left]})) for left in chosen],
        np.full(len(chosen), "dev", dtype=object),
        table_of({"headword": [f"pair {first[left]}" for left in chosen]}),
        table_of({"headword": [f"sentence {number}" for number in range(len(candidates))]}),
    )


def names_of(texts: Sentences | LabelledDocuments) -> list[str]:
    """Return what texts are called: their own ids if they have some, or their numbers.

    Parameters
    ----------
    texts : Sentences or LabelledDocuments
        The texts.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from semwork.datasets import load
    >>> names_of(load("sample").documents)[:2]
    ['text 0', 'text 1']
    """
    if "id" in texts.table.columns:
        return [str(name) for name in texts.table["id"].tolist()]
    return [f"text {row}" for row in range(len(texts))]

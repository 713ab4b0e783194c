"""From good rows to a record of each kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from semwork.datasets.own.cells import Column, texts_of
from semwork.datasets.own.hints import language_named
from semwork.datasets.own.kinds import plain
from semwork.datasets.own.rows import Rows
from semwork.datasets.records import LabelledDocuments, RetrievalSet, SentencePairs, Sentences
from semwork.datasets.word_records import NamePairs

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BUILDERS", "drawn", "label_order"]

_TEST_SHARE = 0.25
_DEV_SHARE, _MOST_DEV = 1 / 3, 1_000


def drawn(groups: npt.NDArray[Any], share: float, chosen: str, others: str) -> npt.NDArray[Any]:
    """Draw a share of each group, always the same ones, as the sample's split is drawn.

    Parameters
    ----------
    groups : ndarray of shape (n_rows,), int
        The group of each row.
    share : float
        Of each group.
    chosen, others : str
        What the drawn rows and the others are called.

    Examples
    --------
    >>> drawn(np.array([0, 0, 0, 0, 1]), 0.25, "test", "train").tolist().count("test")
    1
    """
    random = np.random.default_rng(0)
    split = np.full(len(groups), others, dtype=object)
    for group in np.unique(groups):
        rows = random.permutation(np.flatnonzero(groups == group))
        split[rows[: round(share * len(rows))]] = chosen
    return split


def label_order(names: set[str]) -> list[str]:
    """Return labels in order: as numbers where all are numbers, else as words.

    Examples
    --------
    >>> label_order({"10", "9"}), label_order({"b", "a"})
    (['9', '10'], ['a', 'b'])
    """
    try:
        return sorted(names, key=lambda name: (float(name), name))
    except ValueError:
        return sorted(names)


def _texts(rows: Rows, name: str) -> Sentences:
    [texts] = rows.texts("text")
    rows.note_duplicates(texts, rows.columns["text"])
    return Sentences(name, rows.kept(texts), _other_columns(rows, "text"))


def _other_columns(rows: Rows, *without: str) -> pd.DataFrame:
    """The columns that have no role, ``id``, and ``row``: what each row is called in the file."""
    import pandas as pd

    used = {rows.columns[role] for role in without if role in rows.columns}
    made: dict[str, Any] = {}
    ids = rows.words("id")
    if ids is not None:
        used.add(rows.columns["id"])
        made["id"] = rows.kept(ids)
    for name, cells in rows.raw.columns.items():
        if name in used:
            continue
        key = name if name not in made else f"{name} (column)"
        numeric = isinstance(cells, np.ndarray) and cells.dtype.kind in "fiub"
        made[key] = np.asarray(cells)[rows.good] if numeric else rows.kept(_plain_texts(cells))
    if "row" not in made:
        labels = rows.labels()
        made["row"] = labels if all(type(label) is int for label in labels) else [str(label) for label in labels]
    return pd.DataFrame(made, index=range(len(rows)))


def _plain_texts(cells: Column) -> list[str]:
    """Cells as text; what is none, such as a list, as Python writes it."""
    found = texts_of(cells)
    for place, _, cell in found.wrong:
        found.texts[place] = texts_of([repr(cell)]).texts[0]
    return found.texts


def _documents(rows: Rows, name: str) -> LabelledDocuments:
    [texts] = rows.texts("text")
    labels = rows.words("label") or []
    rows.drop((place for place, label in enumerate(labels) if not label), rows.columns["label"], "no label")
    split = rows.split()
    rows.note_duplicates(texts, rows.columns["text"])
    kept = rows.kept(labels)
    names = label_order(set(kept))
    number = {label: place for place, label in enumerate(names)}
    numbers = np.array([number[label] for label in kept], dtype=np.int64)
    if split is None:
        parts = drawn(numbers, _TEST_SHARE, "test", "train")
        rows.notes.append(
            "no column says which documents are for training: a quarter of each label, drawn, is for testing"
        )
    else:
        parts = np.array(rows.kept(split), dtype=object)
    ids = rows.words("id")
    alike = _alike(names)
    if alike:
        shown = " and ".join(repr(name[:40]) for name in alike[0])
        rows.notes.append(
            f"{sum(map(len, alike)):,} labels differ from each other only in case, accents or signs, such as {shown}: "
            "each is a label of its own until they are written alike"
        )
    if len(names) > len(kept) / 2 and len(kept) > 9:
        rows.notes.append(f"there are {len(names):,} labels for {len(kept):,} documents: is this column the label?")
    return LabelledDocuments(name, rows.kept(texts), numbers, tuple(names), parts, rows.kept(ids) if ids else [])


def _alike(names: list[str]) -> list[list[str]]:
    """Groups of labels that are the same but for case, accents and signs."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(plain(name) or name, []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _pairs(rows: Rows, name: str) -> SentencePairs:
    import pandas as pd

    left, right = rows.texts("left", "right")
    scores, split, group = rows.scores(), rows.split(), rows.words("group")
    rows.note_duplicates(zip(left, right, strict=True), rows.columns["right"])
    n = len(rows)
    if scores is None:
        values = np.full(n, np.nan)
        rows.notes.append("the pairs have no scores: what compares a model with people is left out")
    else:
        values = scores[rows.good]
        if n and values.min() == values.max():
            rows.notes.append("all scores are equal: no correlation with them can be computed")
    if split is None:
        yes_or_no = scores is not None and set(np.unique(values).tolist()) <= {0.0, 1.0}
        parts = drawn(values if yes_or_no else np.zeros(n), 0.5, "train", "test")
        rows.notes.append("no column says which pairs are for training: half of them, drawn, are")
    else:
        parts = np.array(rows.kept(split), dtype=object)
    groups = np.array(rows.kept(group) if group else [""] * n, dtype=object)
    table = pd.DataFrame({"row": _row_labels(rows)}, index=range(n))
    return SentencePairs(name, rows.kept(left), rows.kept(right), values, parts, groups, table)


def _row_labels(rows: Rows) -> list[Any]:
    labels = rows.labels()
    return labels if all(type(label) is int for label in labels) else [str(label) for label in labels]


def _definitions(rows: Rows, name: str) -> RetrievalSet:
    queries, candidates = rows.texts("query", "candidate")
    labels, split = rows.words("label"), rows.split()
    rows.note_duplicates(zip(queries, candidates, strict=True), rows.columns["candidate"])
    kept, labels = (
        list(zip(rows.kept(queries), rows.kept(candidates), strict=True)),
        rows.kept(labels or [""] * len(queries)),
    )
    rows_of: dict[str, list[int]] = {}
    first_of: dict[str, int] = {}
    for place, (query, candidate) in enumerate(kept):
        rows_of.setdefault(query, []).append(place)
        first_of.setdefault(candidate, place)
    column = {candidate: place for place, candidate in enumerate(first_of)}
    targets = [np.unique([column[kept[place][1]] for place in places]).astype(np.int64) for places in rows_of.values()]
    begin = [places[0] for places in rows_of.values()]
    if split is None:
        count = len(rows_of)
        parts = drawn(np.zeros(count), min(_DEV_SHARE, _MOST_DEV / max(count, 1)), "dev", "test")
        rows.notes.append("no column says which queries are for development: a third of them, at most 1,000, is drawn")
    else:
        told = rows.kept(split)
        parts = np.array([told[place] for place in begin], dtype=object)
        mixed = sum(len({told[place] for place in places}) > 1 for places in rows_of.values())
        if mixed:
            rows.notes.append(f"{mixed:,} queries are in several splits: the first is taken")
    shared = len(kept) - len(rows_of)
    if shared:
        rows.notes.append(f"{len(rows_of):,} queries and {len(first_of):,} candidates: some are in several rows")
    names = rows.labels()
    tables = [_named_rows(places, labels, names) for places in (begin, list(first_of.values()))]
    return RetrievalSet(name, list(rows_of), list(first_of), targets, parts, *tables)


def _named_rows(places: list[int], labels: list[str], names: list[Any]) -> pd.DataFrame:
    """A table of headwords, where there are any, and of what the rows are called."""
    import pandas as pd

    told = [names[place] for place in places]
    columns: dict[str, list[Any]] = {"headword": [labels[place] for place in places]} if any(labels) else {}
    columns["row"] = told if all(type(one) is int for one in told) else [str(one) for one in told]
    return pd.DataFrame(columns, index=range(len(places)))


def _names(rows: Rows, name: str) -> NamePairs:
    english, foreign = rows.texts("english", "foreign")
    kinds = rows.words("kind")
    rows.note_duplicates(zip(english, foreign, strict=True), rows.columns["foreign"])
    kept = rows.kept(foreign)
    language = language_named(plain(rows.columns["foreign"])) or _language_of(kept)
    rows.notes.append(
        f"the other language is taken to be {language!r}" if language else "the other language is not known"
    )
    said = np.array(rows.kept(kinds) if kinds else ["name"] * len(rows), dtype=object)
    codes = [str(label) for label in rows.labels()]
    return NamePairs(name, language or "und", rows.kept(english), kept, said, codes)


_WRITTEN_IN = {
    "Hebrew": "he", "Greek": "el", "Hangul": "ko", "Georgian": "ka", "Armenian": "hy", "Thai": "th", "Hiragana": "ja",
    "Katakana": "ja", "Han": "zh", "Cyrillic": "ru", "Arabic": "ar", "Devanagari": "hi",
}  # fmt: skip


def _language_of(texts: list[str]) -> str:
    """The language that is most often written in the script of these texts."""
    from semwork.datasets.own.scripts import scripts_seen

    seen = scripts_seen(texts)
    return _WRITTEN_IN.get(max(seen, key=lambda script: seen[script]), "") if seen else ""


BUILDERS: dict[str, Callable[[Rows, str], Any]] = {
    "texts": _texts,
    "documents": _documents,
    "pairs": _pairs,
    "definitions": _definitions,
    "names": _names,
}
"""Kind → what makes its record of good rows; vectors are made of arrays elsewhere."""

"""The few shapes in which data comes: sentences, pairs, labelled documents, retrieval sets, vectors, names."""

from __future__ import annotations

import functools
import html
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "SEPARATOR",
    "Dictionary",
    "LabelledDocuments",
    "NamePairs",
    "RetrievalSet",
    "Sample",
    "SentencePairs",
    "Sentences",
    "WordPairs",
    "WordVectors",
    "sentence_pairs",
]

SEPARATOR = " | "
"""Stands between several headwords or examples in one cell of a table."""

Array = npt.NDArray[Any]
_EXAMPLES = 5


def _short(text: object, width: int) -> str:
    words = str(text)
    return words if len(words) <= width else words[: width - 1] + "…"


def _table(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Make a table; pandas takes a second to import, so it waits until a table is wanted."""
    import pandas as pd

    return pd.DataFrame(columns)


class _Shown(ABC):
    """A readable ``repr`` for the terminal and a small table for notebooks."""

    @abstractmethod
    def _headline(self) -> str:
        """Say in one line what it is and how much."""

    @abstractmethod
    def _example_rows(self) -> pd.DataFrame:
        """Return a few rows to show."""

    def __repr__(self) -> str:
        rows = self._example_rows()
        lines = [self._headline()]
        first = rows.head(3).itertuples(index=False)
        lines += ["  " + "  ·  ".join(_short(cell, 60) for cell in row) for row in first]
        if len(rows) > 3:
            lines.append("  …")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = self._example_rows()
        head = "".join(f"<th style='text-align:left'>{html.escape(str(column))}</th>" for column in rows.columns)
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(_short(c, 120))}</td>" for c in row) + "</tr>"
            for row in rows.itertuples(index=False)
        )
        return (
            f"<p>{html.escape(self._headline())}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )


def _counts(values: Array) -> str:
    names, counts = np.unique(values.astype(str), return_counts=True)
    return ", ".join(f"{name} {count:,}" for name, count in zip(names, counts, strict=True))


def _keep(kept: Array, wanted: Iterable[str], **columns: Array) -> Array:
    """Rows that fit all columns; several names of one column are alternatives."""
    by_column: dict[str, set[str]] = {}
    for name in wanted:
        column = next((c for c, values in columns.items() if name in values), None)
        if column is None:
            known = ", ".join(sorted({str(v) for values in columns.values() for v in np.unique(values) if str(v)}))
            raise KeyError(f"there is no subset {name!r}; there are: {known}")
        by_column.setdefault(column, set()).add(name)
    for column, names in by_column.items():
        kept = kept & np.isin(columns[column], sorted(names))
    return kept


def _pick(values: Sequence[str], rows: Array) -> list[str]:
    return [values[i] for i in rows]


@dataclass(frozen=True, repr=False, eq=False)
class Sentences(_Shown):
    """Texts, one per row of a table.

    Parameters
    ----------
    name
        The data set.
    texts
        The sentences.
    table
        What is known about each: one row per text.
    """

    name: str
    texts: list[str]
    table: pd.DataFrame

    def __len__(self) -> int:
        return len(self.texts)

    def _headline(self) -> str:
        columns = ", ".join(self.table.columns)
        return f"{type(self).__name__} {self.name!r}: {len(self):,} texts, table of {columns}"

    def _example_rows(self) -> pd.DataFrame:
        return _table({"text": self.texts[:_EXAMPLES]})


@dataclass(frozen=True, repr=False, eq=False)
class Dictionary(Sentences):
    """A dictionary: one text per sense, made of headwords, definition and examples.

    The table has the columns ``id``, ``pos`` (n, v, a, r or empty), ``headwords``, ``definition`` and ``examples``.
    """

    @functools.cached_property
    def definitions(self) -> list[str]:
        """The bare definitions, in the order of the texts."""
        return [str(cell) for cell in self.table["definition"].tolist()]

    @functools.cached_property
    def headwords(self) -> list[tuple[str, ...]]:
        """The words defined, one tuple per text."""
        return [tuple(cell.split(SEPARATOR)) for cell in self.table["headwords"].tolist()]

    @functools.cached_property
    def examples(self) -> list[tuple[str, ...]]:
        """The examples of use, one tuple per text, often empty."""
        return [tuple(cell.split(SEPARATOR)) if cell else () for cell in self.table["examples"].tolist()]

    def _example_rows(self) -> pd.DataFrame:
        return self.table[["headwords", "pos", "definition"]].head(_EXAMPLES)


P = TypeVar("P", bound="SentencePairs")


@dataclass(frozen=True, repr=False, eq=False)
class SentencePairs(_Shown):
    """Pairs of sentences with a score or a label.

    Parameters
    ----------
    name
        The data set.
    left, right
        The sentences.
    scores
        What people said of each pair: a similarity, or 1 and 0 for yes and no.
    split
        ``"train"``, ``"val"``, ``"dev"`` or ``"test"`` for each pair.
    group
        The part of the data set a pair belongs to, such as ``"MSRvid"`` or ``"rte2"``; empty when there are no parts.
    table
        What else is known, one row per pair.
    """

    name: str
    left: list[str]
    right: list[str]
    scores: npt.NDArray[np.float64]
    split: Array
    group: Array
    table: pd.DataFrame

    def __len__(self) -> int:
        return len(self.left)

    @property
    def texts(self) -> list[str]:
        """All sentences: left, right, left, right and so on."""
        return [text for pair in zip(self.left, self.right, strict=True) for text in pair]

    @property
    def subsets(self) -> list[str]:
        """The names `subset` knows, in the order of the data."""
        return [str(n) for column in (self.split, self.group) for n in dict.fromkeys(column.tolist()) if n]

    def subset(self: P, *names: str) -> P:
        """Return the pairs of the named splits and groups; two names of one kind are alternatives.

        ``subset("test", "MSRvid")`` is the test part of MSRvid, ``subset("train", "val")`` is both.
        """
        kept = _keep(np.ones(len(self), dtype=bool), names, split=self.split, group=self.group)
        return self._rows(np.flatnonzero(kept))

    def _rows(self: P, rows: Array) -> P:
        return replace(
            self,
            left=_pick(self.left, rows),
            right=_pick(self.right, rows),
            scores=self.scores[rows],
            split=self.split[rows],
            group=self.group[rows],
            table=self.table.iloc[rows].reset_index(drop=True),
        )

    def _headline(self) -> str:
        groups = f"; {_counts(self.group)}" if any(self.group) else ""
        return f"SentencePairs {self.name!r}: {len(self):,} pairs ({_counts(self.split)}{groups})"

    def _example_rows(self) -> pd.DataFrame:
        n = _EXAMPLES
        return _table({"left": self.left[:n], "right": self.right[:n], "score": self.scores[:n]})


def sentence_pairs(
    name: str,
    left: Iterable[str],
    right: Iterable[str],
    scores: Sequence[float | str],
    split: Sequence[str] | None = None,
    group: Sequence[str] | None = None,
    columns: Mapping[str, Any] | None = None,
) -> SentencePairs:
    """Make pairs of plain sequences, all of one length.

    Parameters
    ----------
    name
        What to call them.
    left, right, scores, split, group
        As in `SentencePairs`; without a split all are for ``"test"``, without groups there are none.
    columns
        What else is known: name → values.

    Examples
    --------
    >>> sentence_pairs("mine", ["a cat sleeps"], ["a cat is asleep"], [4.5])
    SentencePairs 'mine': 1 pairs (test 1)
      a cat sleeps  ·  a cat is asleep  ·  4.5
    """
    import pandas as pd

    lefts, rights, numbers = list(left), list(right), np.array(scores, dtype=float)
    splits = ["test"] * len(lefts) if split is None else list(split)
    groups = [""] * len(lefts) if group is None else list(group)
    lengths = [len(column) for column in (lefts, rights, numbers, splits, groups)]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"left, right, scores, split and group have {', '.join(map(str, lengths))} entries; give one for each pair"
        )
    table = pd.DataFrame({key: list(column) for key, column in (columns or {}).items()}, index=range(len(lefts)))
    return SentencePairs(
        name, lefts, rights, numbers, np.array(splits, dtype=object), np.array(groups, dtype=object), table
    )


@dataclass(frozen=True, repr=False, eq=False)
class LabelledDocuments(_Shown):
    """Documents with one label each.

    Parameters
    ----------
    name
        The data set.
    texts
        The documents.
    labels
        For each, the number of its label in `label_names`.
    label_names
        The labels in words.
    split
        ``"train"`` or ``"test"`` for each.
    """

    name: str
    texts: list[str]
    labels: npt.NDArray[np.int64]
    label_names: tuple[str, ...]
    split: Array

    def __len__(self) -> int:
        return len(self.texts)

    def subset(self, *names: str) -> LabelledDocuments:
        """Return the documents of the named splits; the label names stay."""
        rows = np.flatnonzero(_keep(np.ones(len(self), dtype=bool), names, split=self.split))
        return replace(self, texts=_pick(self.texts, rows), labels=self.labels[rows], split=self.split[rows])

    @property
    def table(self) -> pd.DataFrame:
        """Label and split, one row per document."""
        return _table({"label": np.array(self.label_names, dtype=object)[self.labels], "split": self.split})

    def _headline(self) -> str:
        what = f"{len(self):,} documents, {len(self.label_names)} labels"
        return f"LabelledDocuments {self.name!r}: {what} ({_counts(self.split)})"

    def _example_rows(self) -> pd.DataFrame:
        n = _EXAMPLES
        return _table({"label": [self.label_names[i] for i in self.labels[:n]], "text": self.texts[:n]})


@dataclass(frozen=True, repr=False, eq=False)
class RetrievalSet(_Shown):
    """Queries, candidates, and which candidates answer which query.

    Parameters
    ----------
    name
        The data set.
    queries, candidates
        The texts.
    targets
        For each query the row numbers of the right candidates.
    split
        ``"dev"`` or ``"test"`` for each query.
    query_table, candidate_table
        What is known about each query and each candidate.
    """

    name: str
    queries: list[str]
    candidates: list[str]
    targets: list[npt.NDArray[np.int64]]
    split: Array
    query_table: pd.DataFrame
    candidate_table: pd.DataFrame

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def texts(self) -> list[str]:
        """The candidates: what a model may be trained on without seeing a query."""
        return self.candidates

    def subset(self, *names: str) -> RetrievalSet:
        """Return the queries of the named splits; all candidates stay."""
        rows = np.flatnonzero(_keep(np.ones(len(self), dtype=bool), names, split=self.split))
        return replace(
            self,
            queries=_pick(self.queries, rows),
            targets=[self.targets[i] for i in rows],
            split=self.split[rows],
            query_table=self.query_table.iloc[rows].reset_index(drop=True),
        )

    def _headline(self) -> str:
        what = f"{len(self):,} queries ({_counts(self.split)}), {len(self.candidates):,} candidates"
        return f"RetrievalSet {self.name!r}: {what}"

    def _example_rows(self) -> pd.DataFrame:
        n = _EXAMPLES
        first = [self.candidates[rows[0]] if len(rows) else "" for rows in self.targets[:n]]
        return _table({"query": self.queries[:n], "right candidate": first})


@dataclass(frozen=True, repr=False, eq=False)
class WordVectors(_Shown):
    """Words and their vectors.

    Parameters
    ----------
    name
        The data set.
    words
        The words, most frequent first.
    vectors
        One row per word; memory-mapped, so that loading costs nothing until a row is read.
    """

    name: str
    words: list[str]
    vectors: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)

    @functools.cached_property
    def index(self) -> dict[str, int]:
        """The row number of every word."""
        return {word: row for row, word in enumerate(self.words)}

    def __contains__(self, word: object) -> bool:
        return word in self.index

    def __getitem__(self, word: str) -> npt.NDArray[np.float32]:
        """Return the vector of a word."""
        try:
            row = self.index[word]
        except KeyError:
            hint = f" Try {word.lower()!r}." if word.lower() in self.index else ""
            raise KeyError(f"no vector for {word!r} in {self.name!r}.{hint}") from None
        return np.asarray(self.vectors[row])

    @functools.cached_property
    def _lengths(self) -> npt.NDArray[np.float32]:
        return np.asarray(np.sqrt(np.einsum("ij,ij->i", self.vectors, self.vectors)))

    def most_similar(self, word: str, n: int = 10) -> pd.DataFrame:
        """Return the `n` words with the largest cosine, as a table of ``word`` and ``similarity``."""
        vector = self[word]
        lengths = np.where(self._lengths > 0, self._lengths, 1.0)
        cosines = (self.vectors @ vector) / (lengths * max(float(np.linalg.norm(vector)), 1e-12))
        cosines[self.index[word]] = -np.inf
        n = min(n, len(self) - 1)
        best = np.argpartition(-cosines, range(n))[:n] if n > 0 else np.array([], dtype=int)
        return _table({"word": [self.words[i] for i in best], "similarity": cosines[best]})

    def _headline(self) -> str:
        return f"WordVectors {self.name!r}: {len(self):,} words, {self.vectors.shape[1]} dimensions"

    def _example_rows(self) -> pd.DataFrame:
        rows = [" ".join(f"{x:.2f}" for x in v[:6]) + " …" for v in self.vectors[:_EXAMPLES]]
        return _table({"word": self.words[:_EXAMPLES], "vector": rows})


@dataclass(frozen=True, repr=False, eq=False)
class NamePairs(_Shown):
    """The same name in English and in another language.

    Parameters
    ----------
    name
        The data set.
    language
        The code of the other language.
    english, foreign
        The names.
    kind
        ``"city"``, ``"territory"`` or ``"language"`` for each.
    codes
        The CLDR code of each, such as ``"Asia/Jerusalem"`` or ``"IL"``.
    """

    name: str
    language: str
    english: list[str]
    foreign: list[str]
    kind: Array
    codes: list[str]

    def __len__(self) -> int:
        return len(self.english)

    @property
    def table(self) -> pd.DataFrame:
        """All fields, one row per pair."""
        columns = [f.name for f in fields(self) if f.name not in {"name", "language"}]
        return _table({column: getattr(self, column) for column in columns})

    def subset(self, *kinds: str) -> NamePairs:
        """Return the pairs of the named kinds."""
        rows = np.flatnonzero(_keep(np.ones(len(self), dtype=bool), kinds, kind=self.kind))
        english, foreign, codes = (_pick(column, rows) for column in (self.english, self.foreign, self.codes))
        return replace(self, kind=self.kind[rows], english=english, foreign=foreign, codes=codes)

    def _headline(self) -> str:
        return f"NamePairs {self.name!r}, en–{self.language}: {len(self):,} pairs ({_counts(self.kind)})"

    def _example_rows(self) -> pd.DataFrame:
        return self.table[["english", "foreign", "kind"]].head(_EXAMPLES)


@dataclass(frozen=True, repr=False, eq=False)
class WordPairs(_Shown):
    """Pairs of words that can stand for each other.

    Parameters
    ----------
    name
        The data set.
    left, right
        The words.
    """

    name: str
    left: list[str]
    right: list[str]

    def __len__(self) -> int:
        return len(self.left)

    @functools.cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """All pairs in both directions, to ask ``("car", "auto") in data.pairs``."""
        both = zip([*self.left, *self.right], [*self.right, *self.left], strict=True)
        return frozenset(both)

    def _headline(self) -> str:
        return f"WordPairs {self.name!r}: {len(self):,} pairs"

    def _example_rows(self) -> pd.DataFrame:
        return _table({"left": self.left[:_EXAMPLES], "right": self.right[:_EXAMPLES]})


@dataclass(frozen=True, repr=False, eq=False)
class Sample(_Shown):
    """The sample written for this project.

    Parameters
    ----------
    name
        The data set.
    texts
        All definitions and all documents.
    dictionary
        Definitions of one dictionary as queries, those of the other and the distractors as candidates.
    documents
        Short documents in 8 topics.
    pairs
        Pairs of sentences with a similarity from 0 (unrelated) to 5 (the same meaning) in three groups; they are not
        among the texts.
    """

    name: str
    texts: list[str]
    dictionary: RetrievalSet
    documents: LabelledDocuments
    pairs: SentencePairs

    @functools.cached_property
    def paraphrases(self) -> SentencePairs:
        """The pairs with the scores 1 (a paraphrase: a similarity of 4 or 5) and 0 (none: 0, 1 or 2).

        The pairs of similarity 3, about which readers may differ, are left out.
        """
        rows = np.flatnonzero(self.pairs.scores != 3)
        labels = (self.pairs.scores >= 4).astype(np.float64)
        return replace(self.pairs, scores=labels)._rows(rows)

    def __len__(self) -> int:
        return len(self.texts)

    def _headline(self) -> str:
        parts = f"{len(self.dictionary)} pairs of definitions, {len(self.documents)} documents"
        return f"Sample {self.name!r}: {len(self)} texts ({parts}), {len(self.pairs)} scored pairs of sentences"

    def _example_rows(self) -> pd.DataFrame:
        return self.dictionary._example_rows()

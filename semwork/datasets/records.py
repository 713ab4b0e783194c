"""The few shapes in which data comes: sentences, pairs, labelled documents, retrieval sets, vectors, names."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from semwork.datasets.shown import EXAMPLES, Array, Shown, counts_of, picked, rows_of, table_of
from semwork.datasets.word_records import NamePairs, WordPairs, WordVectors

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


@dataclass(frozen=True, repr=False, eq=False)
class Sentences(Shown):
    """Texts, one per row of a table.

    Parameters
    ----------
    name : str
        The data set.
    texts : list of str
        The sentences.
    table : DataFrame of shape (n_texts, n_columns)
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
        return table_of({"text": self.texts[:EXAMPLES]})


@dataclass(frozen=True, repr=False, eq=False)
class Dictionary(Sentences):
    """A dictionary: one text per sense, made of headwords, definition and examples.

    The table has the columns ``id``, ``pos`` (n, v, a, r or empty), ``headwords``, ``definition`` and ``examples``.

    Parameters
    ----------
    name : str
        The data set.
    texts : list of str
        Headwords, definition and examples of each sense, in one string.
    table : DataFrame of shape (n_senses, n_columns)
        ``id``, ``pos``, ``headwords``, ``definition``, ``examples``, and what else the dictionary says of a sense.
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
        return self.table[["headwords", "pos", "definition"]].head(EXAMPLES)


P = TypeVar("P", bound="SentencePairs")


@dataclass(frozen=True, repr=False, eq=False)
class SentencePairs(Shown):
    """Pairs of sentences with a score or a label.

    Parameters
    ----------
    name : str
        The data set.
    left, right : list of str
        The sentences.
    scores : ndarray of shape (n_pairs,), float64
        What people said of each pair: a similarity, or 1 and 0 for yes and no.
    split : ndarray of shape (n_pairs,), object
        ``"train"``, ``"val"``, ``"dev"`` or ``"test"`` for each pair.
    group : ndarray of shape (n_pairs,), object
        The part of the data set a pair belongs to, such as ``"MSRvid"`` or ``"rte2"``; empty when there are no parts.
    table : DataFrame of shape (n_pairs, n_columns)
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

        Parameters
        ----------
        *names : str
            Some of `subsets`.

        Returns
        -------
        SentencePairs
        """
        kept = rows_of(np.ones(len(self), dtype=bool), names, split=self.split, group=self.group)
        return self.at(np.flatnonzero(kept))

    def at(self: P, rows: Array) -> P:
        """Return the pairs in these rows.

        Parameters
        ----------
        rows : ndarray of shape (n_rows,), int64
            From 0.

        Returns
        -------
        SentencePairs
        """
        return replace(
            self,
            left=picked(self.left, rows),
            right=picked(self.right, rows),
            scores=self.scores[rows],
            split=self.split[rows],
            group=self.group[rows],
            table=self.table.iloc[rows].reset_index(drop=True),
        )

    def _headline(self) -> str:
        groups = f"; {counts_of(self.group)}" if any(self.group) else ""
        return f"SentencePairs {self.name!r}: {len(self):,} pairs ({counts_of(self.split)}{groups})"

    def _example_rows(self) -> pd.DataFrame:
        n = EXAMPLES
        return table_of({"left": self.left[:n], "right": self.right[:n], "score": self.scores[:n]})


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
    name : str
        What to call them.
    left, right : iterable of str
        The sentences.
    scores : sequence of float or str
        What people said of each pair.
    split : sequence of str or None
        As in `SentencePairs`; without one all pairs are for ``"test"``.
    group : sequence of str or None
        As in `SentencePairs`; without one there are no groups.
    columns : mapping of str to iterable, or None
        What else is known: name → values.

    Returns
    -------
    SentencePairs

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
class LabelledDocuments(Shown):
    """Documents with one label each.

    Parameters
    ----------
    name : str
        The data set.
    texts : list of str
        The documents.
    labels : ndarray of shape (n_documents,), int64
        For each, the number of its label in `label_names`.
    label_names : tuple of str
        The labels in words.
    split : ndarray of shape (n_documents,), object
        ``"train"`` or ``"test"`` for each.
    ids : list of str
        What the documents are called elsewhere; empty where they have no names.
    """

    name: str
    texts: list[str]
    labels: npt.NDArray[np.int64]
    label_names: tuple[str, ...]
    split: Array
    ids: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.texts)

    def subset(self, *names: str) -> LabelledDocuments:
        """Return the documents of the named splits; the label names stay.

        Parameters
        ----------
        *names : {"train", "test"}
            Splits.

        Returns
        -------
        LabelledDocuments
        """
        rows = np.flatnonzero(rows_of(np.ones(len(self), dtype=bool), names, split=self.split))
        ids = picked(self.ids, rows) if self.ids else []
        return replace(self, texts=picked(self.texts, rows), labels=self.labels[rows], split=self.split[rows], ids=ids)

    @property
    def table(self) -> pd.DataFrame:
        """Label and split, one row per document."""
        named = {"id": self.ids} if self.ids else {}
        return table_of(named | {"label": np.array(self.label_names, dtype=object)[self.labels], "split": self.split})

    def _headline(self) -> str:
        what = f"{len(self):,} documents, {len(self.label_names)} labels"
        return f"LabelledDocuments {self.name!r}: {what} ({counts_of(self.split)})"

    def _example_rows(self) -> pd.DataFrame:
        n = EXAMPLES
        return table_of({"label": [self.label_names[i] for i in self.labels[:n]], "text": self.texts[:n]})


@dataclass(frozen=True, repr=False, eq=False)
class RetrievalSet(Shown):
    """Queries, candidates, and which candidates answer which query.

    Parameters
    ----------
    name : str
        The data set.
    queries, candidates : list of str
        The texts.
    targets : list of n_queries ndarrays, int64
        For each query the row numbers of the right candidates.
    split : ndarray of shape (n_queries,), object
        ``"dev"`` or ``"test"`` for each query.
    query_table : DataFrame of shape (n_queries, n_columns)
        What is known about each query.
    candidate_table : DataFrame of shape (n_candidates, n_columns)
        What is known about each candidate.
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
        """Return the queries of the named splits; all candidates stay.

        Parameters
        ----------
        *names : {"dev", "test"}
            Splits.

        Returns
        -------
        RetrievalSet
        """
        rows = np.flatnonzero(rows_of(np.ones(len(self), dtype=bool), names, split=self.split))
        return replace(
            self,
            queries=picked(self.queries, rows),
            targets=[self.targets[i] for i in rows],
            split=self.split[rows],
            query_table=self.query_table.iloc[rows].reset_index(drop=True),
        )

    def _headline(self) -> str:
        what = f"{len(self):,} queries ({counts_of(self.split)}), {len(self.candidates):,} candidates"
        return f"RetrievalSet {self.name!r}: {what}"

    def _example_rows(self) -> pd.DataFrame:
        n = EXAMPLES
        first = [self.candidates[rows[0]] if len(rows) else "" for rows in self.targets[:n]]
        return table_of({"query": self.queries[:n], "right candidate": first})


@dataclass(frozen=True, repr=False, eq=False)
class Sample(Shown):
    """The sample written for this project.

    Parameters
    ----------
    name : str
        The data set.
    texts : list of str
        All definitions and all documents.
    dictionary : RetrievalSet
        Definitions of one dictionary as queries, those of the other and the distractors as candidates.
    documents : LabelledDocuments
        Short documents in 8 topics.
    pairs : SentencePairs
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
        return replace(self.pairs, scores=labels).at(rows)

    def __len__(self) -> int:
        return len(self.texts)

    def _headline(self) -> str:
        parts = f"{len(self.dictionary)} pairs of definitions, {len(self.documents)} documents"
        return f"Sample {self.name!r}: {len(self)} texts ({parts}), {len(self.pairs)} scored pairs of sentences"

    def _example_rows(self) -> pd.DataFrame:
        return self.dictionary._example_rows()

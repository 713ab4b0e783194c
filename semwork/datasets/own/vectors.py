"""Word vectors in memory, and the record that is made of words and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from semwork.datasets.own.cells import numbers_of
from semwork.datasets.own.raw import Raw
from semwork.datasets.own.rows import Rows
from semwork.datasets.own.vector_files import of_vectors
from semwork.datasets.word_records import WordVectors
from semwork.given import is_number

__all__ = ["build_vectors", "vectors_in_memory"]


def vectors_in_memory(source: Any, kind: str | None) -> Raw | None:
    """Return a table of words and vectors, if a source is one.

    Parameters
    ----------
    source : Any
        Gensim's KeyedVectors or a model that has them; words and an array, as a tuple or a mapping; for the kind
        vectors also a mapping of words to vectors.
    kind : str or None
        The kind that was asked for.

    Returns
    -------
    Raw or None
    """
    keyed: Any = source if hasattr(source, "index_to_key") else getattr(source, "wv", None)
    if hasattr(keyed, "index_to_key") and hasattr(keyed, "vectors"):
        return of_vectors([str(word) for word in keyed.index_to_key], np.asarray(keyed.vectors), "KeyedVectors")
    if isinstance(source, tuple) and len(source) == 2 and np.ndim(source[0]) == 1 and _is_matrix(source[1]):
        return of_vectors(_listed(source[0]), np.asarray(source[1]), "words and an array")
    if not isinstance(source, Mapping):
        return None
    parts = {str(name).casefold(): value for name, value in source.items()} if len(source) == 2 else {}
    if "words" in parts and _is_matrix(parts.get("vectors")):
        return of_vectors(_listed(parts["words"]), np.asarray(parts["vectors"]), "words and an array")
    if kind == "vectors" and source and "word" not in source and all(map(_is_vector, source.values())):
        lengths = {np.size(vector) for vector in source.values()}
        if len(lengths) > 1:
            raise ValueError(f"all vectors must have as many numbers; there are vectors of {sorted(lengths)[:5]}")
        return of_vectors(
            list(map(str, source)), np.array([np.asarray(one) for one in source.values()]), "words and vectors"
        )
    return None


def _is_vector(value: Any) -> bool:
    """Whether it is an array of numbers, or a list of some."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "fiu" and value.size > 0
    return isinstance(value, list | tuple) and bool(value) and all(map(is_number, value))


def _is_matrix(value: Any) -> bool:
    dimensions = getattr(value, "ndim", None)
    if dimensions is not None:
        return bool(dimensions == 2) and not hasattr(value, "iloc")
    return (
        isinstance(value, list)
        and bool(value)
        and isinstance(value[0], list | tuple | np.ndarray)
        and not _of_text(value)
    )


def _of_text(rows: Any) -> bool:
    return any(isinstance(cell, str) for cell in rows[0])


def _listed(words: Any) -> list[Any]:
    return list(getattr(words, "tolist", lambda: list(words))())


def build_vectors(rows: Rows, name: str) -> WordVectors:
    """Make the record: of words that come twice the first, without rows in which a number is missing.

    Parameters
    ----------
    rows : Rows
        The table.
    name : str
        What the record is called.
    """
    if "word" not in rows.columns:  # the words are the index of a table
        rows.raw = replace(rows.raw, columns={"word": list(rows.raw.rows), **rows.raw.columns})
        rows.columns = {**rows.columns, "word": "word"}
    [words] = rows.texts("word")
    vectors = rows.raw.vectors if rows.raw.vectors is not None else _matrix(rows)
    if not vectors.shape[1]:
        rows.drop(range(len(rows.raw)), rows.columns["word"], "no column has the numbers of its vector")
    with np.errstate(over="ignore", invalid="ignore"):
        suspect = np.flatnonzero(~np.isfinite(vectors.sum(axis=1)))
    broken = [int(place) for place in suspect if not np.isfinite(vectors[place]).all()]
    rows.drop(broken, rows.columns["word"], "a number of its vector is missing or not finite")
    rows.note_duplicates(words, rows.columns["word"], keep=False)
    kept = vectors if rows.good.all() else vectors[rows.good]
    return WordVectors(name, rows.kept(words), np.ascontiguousarray(kept, dtype=np.float32))


def _matrix(rows: Rows) -> npt.NDArray[np.float32]:
    """All columns of numbers side by side: those in which at least half of the cells are some."""
    columns, others = [], []
    for name, cells in rows.raw.columns.items():
        if name == rows.columns["word"]:
            continue
        numbers = numbers_of(cells)
        if len(numbers.wrong) <= np.isfinite(numbers.values).sum():
            columns.append(numbers.values)
        else:
            others.append(name)
    if others:
        rows.notes.append(f"{len(others):,} columns have no numbers and are left out, such as {others[0]!r:.60}")
    with np.errstate(over="ignore"):
        return (
            np.column_stack(columns).astype(np.float32) if columns else np.zeros((len(rows.raw), 0), dtype=np.float32)
        )

"""Records in a folder and back: Parquet for tables, npy for vectors, never pickle; and a digest of what they hold."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from semwork.datasets.own.cells import Column
from semwork.datasets.own.kinds import KINDS
from semwork.datasets.records import LabelledDocuments, RetrievalSet, SentencePairs
from semwork.datasets.word_records import NamePairs, WordVectors
from semwork.given import said

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["checked_record", "digest_of", "facts_of", "kind_of", "read_record", "write_record"]

# Kind → the fields that have one entry for each row, in one file; the table that stands beside them; and the field,
# with its table, that has a length of its own, in another file.
_ROWS = {
    "texts": ("texts",),
    "documents": ("texts", "labels", "split"),
    "pairs": ("left", "right", "scores", "split", "group"),
    "definitions": ("queries", "targets", "split"),
    "names": ("english", "foreign", "kind", "codes"),
    "vectors": ("words",),
}
_TABLE = {"texts": "table", "pairs": "table", "definitions": "query_table"}
_MORE = {"documents": ("label_names", ""), "definitions": ("candidates", "candidate_table")}
_TEXTS = frozenset(
    {"texts", "left", "right", "queries", "candidates", "english", "foreign", "words", "label_names", "ids"}
)

#: Labels that are listed among the facts; all are counted.
MOST_LABELS = 1_000


def kind_of(record: Any) -> str:
    """Return the kind of a record, or say what can be kept."""
    for kind, made in KINDS.items():
        if type(record) is made:
            return kind
    names = ", ".join(made.__name__ for made in KINDS.values())
    advice = "from_table(source) makes one of a table, a list or a file"
    raise TypeError(f"record is {said(record)}; it must be one of {names}: {advice}")


def _fields_of(record: Any) -> tuple[str, ...]:
    """The fields that have one entry for each row; names of documents only where there are some."""
    named = ("ids",) if getattr(record, "ids", None) else ()
    return (*_ROWS[kind_of(record)], *named)


def checked_record(record: Any) -> None:
    """Refuse a record whose parts do not belong together, or that has nothing in it."""
    kind, count = kind_of(record), len(record)
    if not count:
        raise ValueError(f"the {type(record).__name__} is empty: there is nothing to keep")
    parts = {name: getattr(record, name) for name in (*_fields_of(record), _TABLE.get(kind, "")) if name}
    parts |= {"vectors": record.vectors} if isinstance(record, WordVectors) else {}
    wrong = [f"{name} has {len(part):,}" for name, part in parts.items() if len(part) != count]
    if wrong:
        raise ValueError(
            f"the {type(record).__name__} has {count:,} rows, and {', '.join(wrong)}: give one for each row"
        )
    more, table = _MORE.get(kind, ("", ""))
    if table and len(getattr(record, table)) != len(getattr(record, more)):
        raise ValueError(f"{table} must have one row for each of the {len(getattr(record, more)):,} {more}")
    for name in _TEXTS.intersection((*parts, more)):
        if not set(map(type, getattr(record, name))) <= {str, np.str_}:
            raise TypeError(f"{name} must be strings only; from_table reads what is not, and says so")
        try:
            "".join(getattr(record, name)).encode()
        except UnicodeEncodeError:
            words = "has half a sign (a lone surrogate), which no file can hold; from_table replaces it, and says so"
            raise ValueError(f"{name} {words}") from None
    if isinstance(record, LabelledDocuments):
        _check_numbers("labels", record.labels, "label_names", len(record.label_names))
    if isinstance(record, RetrievalSet):
        numbers = np.array([row for rows in record.targets for row in rows], dtype=np.int64)
        _check_numbers("targets", numbers, "candidates", len(record.candidates))
    if isinstance(record, WordVectors) and np.ndim(record.vectors) != 2:
        raise ValueError(f"vectors must have one row for each word, got an array of shape {np.shape(record.vectors)}")


def _check_numbers(name: str, numbers: Any, of: str, count: int) -> None:
    if len(numbers) and not (np.min(numbers) >= 0 and np.max(numbers) < count):
        raise ValueError(f"{name} must be numbers of the {count:,} {of}, from 0")


# --- what is in it ---------------------------------------------------------------------------------------------------


def facts_of(record: Any) -> dict[str, Any]:
    """Return what a panel wants to know before it reads the record: sizes, labels, parts; no text of it."""
    if isinstance(record, LabelledDocuments):
        counts = np.bincount(record.labels, minlength=len(record.label_names)).tolist()
        return {
            "labels": list(record.label_names[:MOST_LABELS]),
            "label_counts": counts[:MOST_LABELS],
            "label_count": len(record.label_names),
            "splits": _counted(record.split),
        }
    if isinstance(record, SentencePairs):
        finite = record.scores[np.isfinite(record.scores)]
        range_of = {"lowest": float(finite.min()), "highest": float(finite.max())} if len(finite) else {}
        groups = [name for name in _counted(record.group) if name][:MOST_LABELS]
        return {"scores": bool(len(finite)), **range_of, "splits": _counted(record.split), "groups": groups}
    if isinstance(record, RetrievalSet):
        named = "headword" in record.query_table.columns
        return {"candidates": len(record.candidates), "headwords": named, "splits": _counted(record.split)}
    if isinstance(record, NamePairs):
        return {"language": record.language, "kinds": _counted(record.kind)}
    if isinstance(record, WordVectors):
        return {"dimension": int(record.vectors.shape[1])}
    return {}


def _counted(values: Any) -> dict[str, int]:
    return dict(Counter(map(str, values)).most_common(MOST_LABELS))


def digest_of(record: Any) -> str:
    """Return the SHA-256 of what a record holds, whatever it is called and however it is stored."""
    kind = kind_of(record)
    found = hashlib.sha256(kind.encode())
    for name, part in sorted(vars(record).items()):
        if name in KINDS[kind].__dataclass_fields__ and name != "name":
            found.update(f"\n{name} ".encode())
            _add(found, part)
    return found.hexdigest()


def _add(found: Any, part: Any) -> None:
    """Add one field of a record; what is written before it says how long it is."""
    if hasattr(part, "iloc"):
        for name in part.columns:
            found.update(f"\n{name!r} ".encode("utf-8", "surrogatepass"))
            _add(found, [str(cell) for cell in part[name].tolist()])
        return
    if isinstance(part, np.ndarray) and part.dtype != object:
        found.update(f"{part.dtype.str} {part.shape} ".encode())
        found.update(np.ascontiguousarray(part).data if part.size else b"")
        return
    values = [part] if isinstance(part, str) else list(part)
    if values and isinstance(values[0], np.ndarray):
        for one in values:
            _add(found, np.asarray(one, dtype=np.int64))
        return
    texts = [str(value).encode("utf-8", "surrogatepass") for value in values]
    found.update(np.array([len(text) for text in texts], dtype=np.int64).tobytes())
    found.update(b"".join(texts))


# --- into a folder and back ------------------------------------------------------------------------------------------


def write_record(record: Any, folder: Path) -> None:
    """Write a record into an empty folder.

    Parameters
    ----------
    record : Sentences, LabelledDocuments, SentencePairs, RetrievalSet, NamePairs or WordVectors
        What is kept.
    folder : Path
        Where.
    """
    kind = kind_of(record)
    _write(folder / "rows.parquet", record, _fields_of(record), _TABLE.get(kind, ""))
    if kind in _MORE:
        more, table = _MORE[kind]
        _write(folder / "more.parquet", record, (more,), table)
    if isinstance(record, WordVectors):
        np.save(folder / "vectors.npy", np.ascontiguousarray(record.vectors, dtype=np.float32), allow_pickle=False)


def _write(path: Path, record: Any, fields: tuple[str, ...], table: str) -> None:
    """Write fields as columns, and those of a table under other names, so that none is called like another."""
    import pyarrow as pa
    from pyarrow import parquet

    made = {name: _column(name, getattr(record, name)) for name in fields}
    if table:
        frame = getattr(record, table)
        names = [str(name) for name in frame.columns]
        made |= {f"table: {name}": _cells(frame.iloc[:, place]) for place, name in enumerate(names)}
    parquet.write_table(pa.table(made), path, compression="zstd")


def _column(name: str, values: Any) -> Any:
    import pyarrow as pa

    if name == "targets":
        return pa.array([[int(row) for row in rows] for rows in values], pa.list_(pa.int64()))
    if name in ("labels", "scores"):
        return pa.array(np.asarray(values, dtype=np.int64 if name == "labels" else np.float64))
    return pa.array([str(value) for value in values], pa.string())


def _cells(values: pd.Series[Any]) -> Any:
    """A column of a table; cells of several types become text, which is what a file can hold."""
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if cell is None else str(cell) for cell in values.tolist()], pa.string())


def read_record(kind: str, name: str, folder: Path, facts: Mapping[str, Any]) -> Any:
    """Read a record from its folder.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    name : str
        What it is called.
    folder : Path
        Where it is.
    facts : mapping of str to Any
        What `facts_of` has said of it.
    """
    fields = _read(folder / "rows.parquet", _TABLE.get(kind, ""))
    if kind in _MORE:
        fields |= _read(folder / "more.parquet", _MORE[kind][1])
    if kind == "vectors":
        fields["vectors"] = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
    if kind == "names":
        fields["language"] = str(facts["language"])
    return KINDS[kind](name=name, **fields)


def _read(path: Path, table: str) -> dict[str, Any]:
    """Fields and their table."""
    import pandas as pd
    from pyarrow import parquet

    found = parquet.ParquetFile(path).read()
    plain = [name for name in found.column_names if not name.startswith("table: ")]
    fields: dict[str, Any] = {name: _field(name, found[name]) for name in plain}
    if table:
        others = found.drop_columns(plain)
        others = others.rename_columns([name.removeprefix("table: ") for name in others.column_names])
        fields[table] = others.to_pandas() if others.num_columns else pd.DataFrame(index=range(len(found)))
    return fields


def _field(name: str, column: Any) -> list[Any] | tuple[Any, ...] | Column:
    """A column as the record has it."""
    if name in ("labels", "scores"):
        return np.array(column.to_numpy(), dtype=np.int64 if name == "labels" else np.float64)
    values: list[Any] = column.to_pylist()
    if name == "targets":
        return [np.array(rows, dtype=np.int64) for rows in values]
    if name in ("split", "group", "kind"):
        made = np.empty(len(values), dtype=object)
        made[:] = values
        return made
    return tuple(values) if name == "label_names" else values

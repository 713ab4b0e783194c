"""Tables in memory and Parquet: frames of pandas, polars and others, mappings of columns, lists of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from semwork.datasets.own.cells import Column
from semwork.datasets.own.files import File, Options, check_memory, file_of, is_file_object, sized
from semwork.datasets.own.problems import Problems
from semwork.datasets.own.raw import Raw, same_names, told_apart
from semwork.datasets.own.text_files import of_dicts, read_folder, read_text
from semwork.datasets.own.vector_files import looks_like_vectors, read_vectors
from semwork.datasets.own.vectors import vectors_in_memory
from semwork.datasets.shown import Shown
from semwork.given import said

__all__ = ["of_mapping", "raw_table", "read_parquet"]

_ADVICE = (
    "give a table (pandas, polars), a list of texts, of tuples or of dicts, a mapping of columns, the path of a file "
    "(.csv, .tsv, .txt, .jsonl, .json, .parquet, .vec, .bin, .npz) or of a folder of .txt files"
)


def raw_table(source: Any, options: Options, kind: str | None = None) -> Raw:
    """Read a table of any source.

    Parameters
    ----------
    source : Any
        As in `read_table`.
    options : Options
        What is known of it.
    kind : str or None
        What it is to become.

    Returns
    -------
    Raw
    """
    if isinstance(source, str | Path) or is_file_object(source):
        if isinstance(source, str | Path) and Path(source).expanduser().is_dir():
            return read_folder(Path(source).expanduser(), options)
        file = file_of(source, options)
        if file.form == "parquet":
            return read_parquet(file, options)
        if "vectors" in file.form or file.form == "arrays" or (kind == "vectors" and file.form == "lines"):
            return read_vectors(file, options)
        if kind is None and file.form == "lines" and looks_like_vectors(file.read(1 << 16)[0]):
            raw = read_vectors(file, options)
            return replace(
                raw, notes=(*raw.notes, "read as vectors, for each line is a word and numbers; else pass kind=")
            )
        return read_text(file, options)
    found = vectors_in_memory(source, None if options.named else kind)
    raw = _in_memory(source) if found is None else found
    if options.name:
        raw = replace(raw, name=options.name)
    if options.rows is not None and len(raw) > options.rows:
        columns = {name: column[: options.rows] for name, column in raw.columns.items()}
        part = f"the first {options.rows:,} of {len(raw):,} rows"
        vectors = None if raw.vectors is None else raw.vectors[: options.rows]
        raw = replace(raw, columns=columns, rows=raw.rows[: options.rows], part=part, vectors=vectors)
    return raw


def _in_memory(source: Any) -> Raw:
    if isinstance(source, Shown):
        words = f"source is a {type(source).__name__} already: register(name, record) keeps it"
        raise TypeError(words)
    if hasattr(source, "iloc"):
        return _of_pandas(source if hasattr(source, "columns") else source.to_frame(name=_name_of(source)))
    if callable(getattr(source, "collect", None)) and callable(getattr(source, "collect_schema", None)):
        source = source.collect()  # a lazy frame
    if callable(getattr(source, "get_columns", None)) and callable(getattr(source, "to_dict", None)):
        return of_mapping(source.to_dict(as_series=False), "a polars table")
    if callable(getattr(source, "to_pydict", None)):
        return of_mapping(source.to_pydict(), f"a {type(source).__module__.split('.')[0]} table")
    if callable(getattr(source, "to_pandas", None)) and hasattr(source, "column_names"):
        return _of_pandas(source.to_pandas())
    if isinstance(source, Mapping):
        return of_mapping(source, "a mapping of columns")
    if callable(getattr(source, "to_list", None)):  # a column of polars
        source = source.to_list()
    if callable(getattr(source, "tolist", None)):
        source = source.tolist()
    if not isinstance(source, Iterable):
        raise TypeError(f"source is {said(source)}: {_ADVICE}")
    items = list(source)
    return of_dicts(items, range(len(items)), f"a list of {len(items):,} rows", Problems())


def _name_of(series: Any) -> str:
    return str(series.name) if series.name not in (None, "") else "text"


def _of_pandas(frame: Any) -> Raw:
    names = told_apart(frame.columns)
    columns: dict[str, Column] = {}
    for place, name in enumerate(names):
        column = frame.iloc[:, place]
        numeric = getattr(column.dtype, "kind", "O") in "fiub" and hasattr(column.dtype, "itemsize")
        columns[name] = column.to_numpy() if numeric and not hasattr(column.dtype, "na_value") else column.tolist()
    notes = same_names(names, frame.columns)
    rows = range(len(frame)) if type(frame.index).__name__ == "RangeIndex" else frame.index.tolist()
    if type(frame.index).__name__ != "RangeIndex" and frame.index.name is not None:
        label = told_apart([*names, frame.index.name])[-1]
        columns[label] = frame.index.tolist()
        notes = (*notes, f"the table's index {label!r} is read as a column")
    return Raw(columns, rows, f"a table of {len(frame):,} rows", "own", notes=notes)


def of_mapping(columns: Mapping[Any, Any], shown: str) -> Raw:
    """Make a table of columns by name.

    Parameters
    ----------
    columns : mapping of str to sequence
        Name → cells, all of one length.
    shown : str
        Where they come from, in words.
    """
    if not columns:
        raise ValueError(f"{shown} has no columns; {_ADVICE}")
    made: dict[str, Sequence[Any]] = {}
    for name, cells in zip(told_apart(columns), columns.values(), strict=True):
        if isinstance(cells, str | bytes) or not isinstance(cells, Iterable):
            raise TypeError(f"the column {name!r} is {said(cells)}; give one cell for each row")
        values = cells if isinstance(cells, list) else list(getattr(cells, "tolist", cells.__iter__)())
        made[name] = values
    lengths = {name: len(cells) for name, cells in made.items()}
    if len(set(lengths.values())) > 1:
        words = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        raise ValueError(f"all columns must have as many cells; {words:.300}")
    return Raw(made, range(next(iter(lengths.values()))), shown, "own")


def read_parquet(file: File, options: Options) -> Raw:
    """Read a Parquet file, or its first rows.

    Parameters
    ----------
    file : File
        The file.
    options : Options
        How many rows are wanted.

    Returns
    -------
    Raw
    """
    import io

    import pyarrow as pa
    from pyarrow import parquet

    try:
        opened = parquet.ParquetFile(file.path or io.BytesIO(file.content))
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{file.shown} cannot be read as Parquet ({error!s:.200}): it is cut or damaged") from error
    with opened:
        groups = [opened.metadata.row_group(place) for place in range(opened.metadata.num_row_groups)]
        total = opened.metadata.num_rows
        if options.rows is None:
            cells = opened.metadata.num_rows * opened.metadata.num_columns
            check_memory(file.shown, max(sum(group.total_byte_size for group in groups), 25 * cells), "parquet")
            table = opened.read()
        else:
            parts, count = [], 0
            for batch in opened.iter_batches(batch_size=min(65_536, max(options.rows, 1))):
                parts.append(batch.slice(0, options.rows - count))
                count += len(parts[-1])
                check_memory(file.shown, sum(part.nbytes for part in parts), "parquet")
                if count >= options.rows:
                    break
            table = pa.Table.from_batches(parts, opened.schema_arrow)
    columns = dict(zip(told_apart(table.column_names), map(_cells, table.columns), strict=True))
    part = ""
    if options.rows is not None and len(table) < total:
        part = f"the first {len(table):,} of {total:,} rows of {file.shown} ({sized(file.size)})"
    return Raw(columns, range(len(table)), file.shown, file.stem, part=part)


def _cells(column: Any) -> Column:
    """A column of Parquet as an array of numbers, or as a list."""
    import pyarrow as pa

    kind = column.type
    if column.null_count == 0 and (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        numbers: Column = column.to_numpy()
        return numbers
    cells: Sequence[Any] = column.to_pylist()
    return cells

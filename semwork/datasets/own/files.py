"""Files and what is in them: by the name's end and by the first bytes, whole or the first rows, if they fit."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from semwork.given import said
from semwork.memory import available_memory

__all__ = ["SUFFIXES", "File", "Options", "check_memory", "file_of", "is_file_object", "sized", "suffix_of"]

SUFFIXES = {
    ".csv": "cells", ".tsv": "cells", ".tab": "cells", ".txt": "lines", ".text": "lines",
    ".jsonl": "json lines", ".ndjson": "json lines", ".json": "json",
    ".parquet": "parquet", ".pq": "parquet",
    ".vec": "vectors", ".bin": "binary vectors", ".npz": "arrays", ".kv": "keyed vectors", ".glove": "vectors",
}  # fmt: skip
"""End of a file's name → what is in it. Text may be compressed: ``.csv.gz``."""

_OTHERS = {
    b"PK\x03\x04": "a zip archive, as spreadsheets (.xlsx) and word processors (.docx) write it",
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"(\xb5/\xfd": "compressed with zstd",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a rar archive",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"SQLite f": "a database",
}
_MAGIC = {b"\x1f\x8b": "gzip", b"PAR1": "parquet", b"\x93NUMPY": "array"}
# Bytes in memory for each byte of a file while it is read: its bytes, its text, its lines, its cells.
_FACTOR = {"parquet": 6, "binary vectors": 3, "arrays": 3, "vectors": 4}
_USUAL_FACTOR = 9
_STEP = 1 << 22


@dataclass(frozen=True)
class Options:
    """What a caller says of a file.

    Parameters
    ----------
    name : str or None
        What it is called for people; its end counts as the file's.
    suffix : str or None
        Overrules the end of the name.
    encoding, delimiter : str or None
        As in `read_table`.
    header : bool or None
        As in `read_table`.
    rows : int or None
        How many rows to read.
    lines : bool
        Whether a ``.txt`` file has a text in each line, and no columns.
    named : tuple of str
        Columns that the caller has named: a first line that has one of them names the columns.
    """

    name: str | None = None
    suffix: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    rows: int | None = None
    lines: bool = True
    named: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class File:
    """A file, on a disk or in memory.

    Parameters
    ----------
    shown : str
        Its name for people.
    form : str
        What is in it: one of the values of `SUFFIXES`.
    path : Path or None
        Where it is; ``None`` for bytes.
    content : bytes
        What it has, if it is not on a disk.
    zipped : bool
        Whether it is compressed with gzip.
    """

    shown: str
    form: str
    path: Path | None
    content: bytes = b""
    zipped: bool = False

    @property
    def size(self) -> int:
        """Bytes, as they lie there."""
        return len(self.content) if self.path is None else self.path.stat().st_size

    @property
    def stem(self) -> str:
        """The name without its end."""
        name = Path(self.shown).name
        for _ in range(2):
            if Path(name).suffix.lower() in {*SUFFIXES, ".gz"}:
                name = Path(name).stem
        return name or "own"

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open it for reading; what is compressed is unpacked on the way."""
        with self.path.open("rb") if self.path else io.BytesIO(self.content) as file:
            if self.zipped:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield file

    def read(self, most: int | None = None) -> tuple[bytes, bool]:
        """Return the file's bytes, or so many of the first, and whether that is all.

        Raises
        ------
        MemoryError
            When it is larger than memory allows; the message has its size.
        """
        if most is None and not self.zipped:
            check_memory(self.shown, self.size, self.form)
        parts: list[bytes] = []
        size = 0
        try:
            with self.opened() as file:
                while most is None or size < most:
                    part = file.read(_STEP if most is None else min(_STEP, most - size))
                    if not part:
                        return b"".join(parts), True
                    parts.append(part)
                    size += len(part)
                    if self.zipped or most is not None:
                        check_memory(self.shown, size, self.form)
                return b"".join(parts), not file.read(1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ValueError(
                f"{self.shown} cannot be unpacked ({error}): it is cut or damaged; fetch it again"
            ) from error


def sized(size: int) -> str:
    """Return a number of bytes for people.

    Examples
    --------
    >>> sized(7_300_000)
    '7.3 MB'
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= factor:
            return f"{size / factor:,.1f} {unit}"
    return f"{size:,} bytes"


def check_memory(shown: str, size: int, form: str) -> None:
    """Refuse what would not fit."""
    free = available_memory()
    need = size * _FACTOR.get(form, _USUAL_FACTOR)
    if free is not None and need > 0.8 * free:
        raise MemoryError(
            f"{shown} has {sized(size)}{' or more' if form == 'part' else ''}; reading it takes about {sized(need)} of "
            f"memory, and {sized(free)} are free. Read a part of it with rows=100_000, or close other programs"
        )


def is_file_object(source: Any) -> bool:
    """Whether it is bytes, or can be read like a file."""
    return isinstance(source, bytes | bytearray | memoryview) or callable(getattr(source, "read", None))


def suffix_of(name: str) -> tuple[str, bool]:
    """Return the end of a name that is known, else an empty string, and whether ``.gz`` follows.

    Examples
    --------
    >>> suffix_of("Reviews.CSV.gz"), suffix_of("reviews")
    (('.csv', True), ('', False))
    """
    path = Path(name.lower())
    zipped = path.suffix == ".gz"
    suffix = Path(path.stem).suffix if zipped else path.suffix
    return (suffix if suffix in SUFFIXES else ""), zipped


def file_of(source: Any, options: Options) -> File:
    """Find out what is in a file.

    Parameters
    ----------
    source : str, Path, bytes or binary file
        The file.
    options : Options
        What is known of it.

    Returns
    -------
    File
    """
    path, content, shown = None, b"", options.name
    if is_file_object(source):
        content, shown = _content(source, shown)
    else:
        path = Path(source).expanduser()
        shown = shown or path.name
        if not path.exists():
            raise FileNotFoundError(f"there is no file {os.fspath(source)!r}: the working folder is {Path.cwd()}")
    told = options.suffix and f"x{options.suffix}" if (options.suffix or ".").startswith(".") else f"x.{options.suffix}"
    names = [told, shown, path.name if path else ""]
    suffix = next((found for name in names if name and (found := suffix_of(name)[0])), "")
    if options.suffix and not suffix_of(str(told))[0]:
        raise ValueError(f"suffix is {options.suffix!r}; it must be one of {', '.join(SUFFIXES)}")
    made = File(shown, SUFFIXES.get(suffix, ""), path, content)
    with made.opened() as file:
        begin = file.read(4096)
    zipped = begin.startswith(b"\x1f\x8b")
    if zipped:
        begin, _ = File(shown, "", path, content, zipped=True).read(4096)
    return File(shown, _form(shown, SUFFIXES.get(suffix, ""), begin), path, content, zipped)


def _content(source: Any, shown: str | None) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray | memoryview):
        content = bytes(source)
    else:
        content = source.read()
        shown = shown or (Path(source.name).name if isinstance(getattr(source, "name", None), str) else None)
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogatepass")
    if not isinstance(content, bytes):
        raise TypeError(f"the file gave {said(content)} when it was read; open it with mode 'rb'")
    return content, shown or "an upload"


def _form(shown: str, form: str, begin: bytes) -> str:
    """What is in a file: what its first bytes say goes before what its name says."""
    for magic, what in _OTHERS.items():
        if begin.startswith(magic) and not (form in {"arrays"} and magic == b"PK\x03\x04"):
            advice = "save the table as CSV (UTF-8), and read that" if "spreadsheet" in what else "give a file of text"
            raise ValueError(f"{shown} is {what}, which cannot be read: {advice}")
    magic_form = next((what for magic, what in _MAGIC.items() if begin.startswith(magic)), "")
    if magic_form == "array":
        raise ValueError(
            f"{shown} is a single array without words: np.savez(file, words=words, vectors=array) keeps both"
        )
    if magic_form == "parquet" or form in {"parquet", "arrays", "binary vectors", "keyed vectors"}:
        if form == "parquet" and magic_form != "parquet":
            raise ValueError(
                f"{shown} is called Parquet and does not begin as Parquet does: it is cut, or something else"
            )
        return magic_form or form
    marked = begin[:2] in {b"\xff\xfe", b"\xfe\xff"} or begin[:4] == b"\0\0\xfe\xff"
    control = sum(byte < 9 or 13 < byte < 27 for byte in begin)
    halves = max(begin[::2].count(0), begin[1::2].count(0)) > 0.4 * (len(begin) // 2) if len(begin) > 3 else False
    if control > max(0.03 * len(begin), 6) and not (marked or halves):
        raise ValueError(
            f"{shown} is no text: {control} of its first {len(begin)} bytes are no signs; give a file of text"
        )
    return form or "cells"

"""Tables in files of text: cells, lines, JSON; the rows of a large file can be read in part."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from semwork.datasets.own.decoding import Decoded, decoded
from semwork.datasets.own.delimited import cells_of
from semwork.datasets.own.dialects import dialect_of
from semwork.datasets.own.files import File, Options, sized
from semwork.datasets.own.problems import Problems, type_of
from semwork.datasets.own.raw import Raw, same_names, told_apart
from semwork.given import check_word

__all__ = ["of_dicts", "read_folder", "read_text"]

_FIRST = 1 << 20  # bytes that are read of a file of which some rows are wanted


def read_text(file: File, options: Options) -> Raw:
    """Read a file of text.

    Parameters
    ----------
    file : File
        With cells, lines or JSON.
    options : Options
        What is known of it.

    Returns
    -------
    Raw
    """
    if file.form == "json":
        return _json(file, options)
    reader = {"lines": _lines, "json lines": _json_lines}.get(file.form, _cells)
    if file.form == "lines" and (options.delimiter or not options.lines):
        reader = _cells
    most = None if options.rows is None else max(_FIRST, 400 * options.rows)
    while True:
        content, whole = file.read(most)
        if not whole:
            content = content[: content.rfind(b"\n") + 1] or content
        raw, complete = _read(reader, file, content, options, whole=whole)
        if whole or complete or most is None:
            return raw if whole and not complete else _part(raw, file, options, whole=whole)
        most *= 4


Reader = Callable[[Decoded, Options], Raw]


def _read(reader: Reader, file: File, content: bytes, options: Options, *, whole: bool) -> tuple[Raw, bool]:
    """The table, and whether it has as many rows as are wanted."""
    text = decoded(content, options.encoding, whole=whole)
    raw = reader(text, replace(options, name=file.shown))
    raw = replace(raw, name=file.stem, encoding=text.encoding, notes=(*text.notes, *raw.notes))
    return raw, options.rows is not None and len(raw) + raw.lost >= options.rows


def _part(raw: Raw, file: File, options: Options, *, whole: bool) -> Raw:
    """Name the part that was read, if it may be one."""
    if options.rows is None:
        return raw
    return replace(raw, part=f"the first {len(raw) + raw.lost:,} rows of {file.shown} ({sized(file.size)})")


def _cells(text: Decoded, options: Options) -> Raw:
    shown = str(options.name)
    if options.delimiter is not None:
        _check_delimiter(options.delimiter)
    dialect = dialect_of(text.text, options.delimiter)
    found = cells_of(text.text, dialect, header=options.header, most=options.rows, named=options.named)
    width = len(found.header or (found.rows[0] if found.rows else []))
    names = told_apart(found.header or [""] * width)
    columns = (
        dict(zip(names, map(list, zip(*found.rows, strict=True)), strict=True))
        if found.rows
        else {n: [] for n in names}
    )
    notes = (*dialect.notes, *same_names(names, found.header or names))
    how = "as told" if options.header is not None else "guessed"
    header = f"the first line names the columns ({how})" if found.header else f"none ({how}): columns are numbered"
    return Raw(
        columns, found.lines, shown, "", delimiter=dialect.words, header=header, notes=notes,
        problems=found.problems, lost=found.lost, by_line=True,
    )  # fmt: skip


def _check_delimiter(sign: Any) -> None:
    check_word("delimiter", sign, (",", ";", "\t", "|"))
    if len(sign) != 1 or sign in '"\r\n':
        raise ValueError(f"delimiter is {sign!r:.20}; it must be one sign, such as ',' or '\\t'")


def _lines(text: Decoded, options: Options) -> Raw:
    lines = text.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    notes: list[str] = []
    tabs = {line.count("\t") for line in lines[:500] if line.strip()}
    if len(tabs) == 1 and tabs != {0}:
        notes.append(f"each line has {tabs.pop()} tabs: pass delimiter='\\t' to read columns")
    if options.rows is not None:
        lines = lines[: options.rows]
    return Raw(
        {"text": lines}, range(1, len(lines) + 1), str(options.name), "", header="none: a text in each line",
        notes=tuple(notes), by_line=True,
    )  # fmt: skip


def _json_lines(text: Decoded, options: Options) -> Raw:
    problems, lost = Problems(), 0
    values: list[Any] = []
    lines: list[int] = []
    for number, line in enumerate(text.text.split("\n"), 1):
        if not line.strip():
            continue
        if options.rows is not None and len(values) + lost >= options.rows:
            break
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.add(number, number, "", f"no JSON: {_json_reason(error)}", line)
            lost += 1
            continue
        if not isinstance(value, dict | str | list):
            problems.add(number, number, "", f"{type_of(value)}, not an object with fields", line)
            lost += 1
            continue
        values.append(value)
        lines.append(number)
    made = of_dicts(values, lines, str(options.name), problems)
    return replace(made, lost=made.lost + lost, header="names of fields", by_line=True)


def _json_reason(error: Exception) -> str:
    return getattr(error, "msg", type(error).__name__)


def _json(file: File, options: Options) -> Raw:
    content, _ = file.read()
    text = decoded(content, options.encoding)
    try:
        value = json.loads(text.text)
    except (ValueError, RecursionError) as error:
        where = f" in line {getattr(error, 'lineno', 1)}"
        advice = "one object in each line is called .jsonl: pass suffix='.jsonl'"
        raise ValueError(f"{file.shown} is no JSON{where} ({_json_reason(error)}); {advice}") from None
    if isinstance(value, dict):
        lists = {key: cells for key, cells in value.items() if isinstance(cells, list)}
        if (len(lists) == 1 and not len(lists) == len(value) == 1) or (
            lists and _are_records(next(iter(lists.values())))
        ):
            value = next(iter(lists.values()))  # {"data": [{…}, {…}]}
    total = len(value) if isinstance(value, list) else 0
    if isinstance(value, dict):
        if not value or any(not isinstance(cells, list) for cells in value.values()):
            raise ValueError(f"{file.shown} is one JSON object; give a list of objects, one for each row")
        from semwork.datasets.own.tables import of_mapping

        raw = of_mapping(value, file.shown)
    elif isinstance(value, list):
        some = value if options.rows is None else value[: options.rows]
        raw = of_dicts(some, range(len(some)), file.shown, Problems())
    else:
        raise ValueError(f"{file.shown} is a JSON {type(value).__name__}; give a list of objects, one for each row")  # noqa: TRY004 - a wrong file
    part = f"the first {len(raw):,} of {total:,} rows" if options.rows is not None and total > len(raw) else ""
    notes = (*text.notes, *raw.notes)
    return replace(raw, name=file.stem, encoding=text.encoding, header="names of fields", notes=notes, part=part)


def _are_records(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(one, dict) for one in values[:20])


def of_dicts(values: Iterable[Any], rows: Any, shown: str, problems: Problems) -> Raw:
    """Make columns of rows that are dicts, lists or plain texts: what most are; the others are left out.

    Parameters
    ----------
    values : iterable of dict, tuple, list or str
        One for each row.
    rows : sequence
        What each row is called.
    shown : str
        Where they come from.
    problems : Problems
        What was wrong before; more is added.

    Returns
    -------
    Raw
    """
    items = list(values)
    forms = [_form_of(item) for item in items]
    form, _ = Counter(forms).most_common(1)[0] if forms else ("", 0)
    if form not in ("dict", "list"):
        return Raw({"text": items}, rows, shown, "own", problems=problems)
    widths = Counter(len(item) for item, one in zip(items, forms, strict=True) if one == "list")
    width = max(widths, key=lambda size: (widths[size], size)) if form == "list" else 0
    kept: list[Any] = []
    labels: list[Any] = []
    for place, (item, one) in enumerate(zip(items, forms, strict=True)):
        if one == form and (form == "dict" or len(item) == width):
            kept.append(item)
            labels.append(rows[place])
            continue
        got = f"{len(item)} cells instead of {width}" if one == form else type_of(item)
        others = "" if one == form else ", where the others have fields" if form == "dict" else ", not a row of cells"
        order = rows[place] if type(rows[place]) is int else place
        problems.add(order, rows[place], "", got + others, item)
    if form == "dict":
        names: dict[Any, None] = {}
        for item in kept:
            names.update(dict.fromkeys(item))
        columns = {name: [item.get(name) for item in kept] for name in names}
        told = dict(zip(told_apart(columns), columns.values(), strict=True))
    else:
        told = {name: [item[place] for item in kept] for place, name in enumerate(told_apart([""] * width))}
    return Raw(told, labels, shown, "own", problems=problems, lost=len(items) - len(kept))


def _form_of(item: Any) -> str:
    return "dict" if isinstance(item, Mapping) else "list" if isinstance(item, list | tuple) else "text"


def read_folder(folder: Path, options: Options) -> Raw:
    """Read a folder of ``.txt`` files, one text each; the folder that a file lies in is its label.

    Parameters
    ----------
    folder : Path
        With files, or with folders of files.
    options : Options
        What is known of the files.

    Returns
    -------
    Raw
    """
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix.lower() in {".txt", ".text"})
    chosen = found if options.rows is None else list(islice(found, options.rows))
    if not found:
        raise ValueError(f"the folder {folder} has no .txt files; give a folder with one text in each .txt file")
    check = sum(path.stat().st_size for path in chosen)
    from semwork.datasets.own.files import check_memory

    check_memory(str(folder), check, "lines")
    problems, texts, labels, rows = Problems(), [], [], []
    encodings: dict[str, int] = {}
    lost = 0
    for place, path in enumerate(chosen):
        named = path.relative_to(folder).as_posix()
        try:
            text = decoded(path.read_bytes(), options.encoding)
        except OSError as error:
            problems.add(place, named, "", f"cannot be read: {error.strerror}")
            lost += 1
            continue
        encodings[text.encoding] = encodings.get(text.encoding, 0) + 1
        for note in text.notes:
            problems.add(place, named, "text", note, used=True)
        texts.append(text.text)
        rows.append(named)
        labels.append(path.relative_to(folder).parent.as_posix())
    columns: dict[str, list[Any]] = {"text": texts}
    if set(labels) - {"."}:
        columns["label"] = ["" if label == "." else label for label in labels]
    columns["id"] = list(rows)
    others = sum(1 for path in folder.rglob("*") if path.is_file()) - len(found)
    notes = (f"{others:,} files of the folder do not end in .txt: they were not read",) if others else ()
    words = ", ".join(f"{name} ({count:,} files)" if len(encodings) > 1 else name for name, count in encodings.items())
    part = f"the first {len(chosen):,} of {len(found):,} files" if len(chosen) < len(found) else ""
    return Raw(
        columns, rows, f"the folder {folder.name or folder}", folder.name or "own", part=part, encoding=words,
        notes=notes, problems=problems, lost=lost,
    )  # fmt: skip

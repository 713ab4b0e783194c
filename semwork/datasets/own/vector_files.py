"""Files of word vectors: word2vec as text and binary, GloVe, fastText's .vec, and npz."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from semwork.datasets.own.cells import Column
from semwork.datasets.own.files import File, Options, check_memory, sized
from semwork.datasets.own.problems import Problems
from semwork.datasets.own.raw import Raw
from semwork.given import listed

__all__ = ["looks_like_vectors", "of_vectors", "read_vectors"]

Floats = npt.NDArray[np.float32]
_BLOCK = 1 << 23  # bytes of text that become numbers at once
_FASTTEXT = b"\xba\x16\x4f\x2f"
_MOST_SIZES = 100_000  # dimensions beyond which a header is none


@dataclass(eq=False)
class _Found:
    """Words and vectors that were read, and lines that were not."""

    rows: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    blocks: list[Floats] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    lost: int = 0
    notes: list[str] = field(default_factory=list)
    whole: bool = True

    def leave_out(self, row: int, reason: str, value: Any) -> None:
        self.problems.add(row, row, "", reason, value)
        self.lost += 1

    def raw(self, file: File, options: Options, form: str) -> Raw:
        array = np.concatenate(self.blocks) if self.blocks else np.zeros((0, 0), dtype=np.float32)
        made = of_vectors(self.words, array, file.shown, rows=self.rows)
        count = len(self.words) + self.lost
        part = (
            f"the first {count:,} words of {file.shown} ({sized(file.size)})" if options.rows and not self.whole else ""
        )
        return replace(
            made, name=file.stem, part=part, header=form, notes=(*made.notes, *self.notes), problems=self.problems,
            lost=self.lost, by_line=True,
        )  # fmt: skip


def of_vectors(words: list[Any], array: npt.NDArray[Any], source: str, rows: Any = None) -> Raw:
    """Make a table of words and vectors.

    Parameters
    ----------
    words : list of str
        The words.
    array : ndarray of shape (n_words, n_dimensions)
        Their vectors.
    source : str
        Where they come from, in words.
    rows : sequence or None
        What each row is called; its number if not given.

    Returns
    -------
    Raw
    """
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(
            f"vectors must be an array of numbers with one row per word, got the shape {array.shape} and {array.dtype}"
        )
    if len(words) != len(array):
        raise ValueError(f"there are {len(words):,} words and {len(array):,} vectors; give one vector for each word")
    if len(words) and not array.shape[1]:
        raise ValueError("the vectors have no dimensions")
    with np.errstate(over="ignore"):
        vectors = np.asarray(array, dtype=np.float32)
    notes: tuple[str, ...] = ()
    if array.dtype != np.float32:
        notes = (f"the numbers were {array.dtype} and are kept as float32",)
    columns: dict[str, Column] = {
        "word": words,
        **{str(place + 1): vectors[:, place] for place in range(vectors.shape[1])},
    }
    return Raw(columns, range(len(words)) if rows is None else rows, source, "own", notes=notes, vectors=vectors)


def read_vectors(file: File, options: Options) -> Raw:
    """Read a file of vectors.

    Parameters
    ----------
    file : File
        Text, binary or npz.
    options : Options
        How many rows are wanted, and the encoding of words.

    Returns
    -------
    Raw
    """
    if file.form == "keyed vectors":
        raise ValueError(
            f"{file.shown} is written by gensim as a pickle, which can run programs and is not opened: load it with "
            "KeyedVectors.load and pass the object, or save it with save_word2vec_format"
        )
    if file.form == "arrays":
        return _arrays(file, options)
    if not file.zipped:
        check_memory(file.shown, file.size, "vectors")
    with file.opened() as stream:
        begin = stream.read(1 << 16)
        stream.seek(0)
        if begin.startswith(_FASTTEXT):
            raise ValueError(
                f"{file.shown} is a whole model of fastText; give its words and vectors, the .vec file beside it"
            )
        if _is_binary(begin):
            return _binary(file, stream, options)
        return _text(file, stream, options)


def looks_like_vectors(begin: bytes) -> bool:
    """Whether a file of text has a word and the same number of numbers, ten or more, in each line.

    Examples
    --------
    >>> looks_like_vectors(b"cat 0.1 0.2 0.3")
    False
    """
    lines = begin.split(b"\n")[:21]
    lines = [line for line in (lines[:-1] or lines) if line.strip()]
    size = _dimensions(lines[1:] or lines)
    fit = sum(not _one_line(line.strip().replace(b"\t", b" "), size)[2] for line in lines) if size >= 10 else 0
    return fit >= max(1, 0.9 * (len(lines) - 1))


# --- text ------------------------------------------------------------------------------------------------------------


def _is_binary(begin: bytes) -> bool:
    """Whether vectors are bytes of numbers: the line behind the header is not made of numbers then."""
    first, _, body = begin.partition(b"\n")
    if _header(first) is None:
        return sum(byte < 9 or 13 < byte < 32 for byte in begin[:4000]) > 0.02 * min(len(begin), 4000)
    tokens = body.partition(b"\n")[0].split()[1:]
    return bool(body.strip()) and 2 * sum(map(_is_number, tokens)) <= len(tokens)


def _header(line: bytes) -> tuple[int, int] | None:
    """Number of words and dimensions, if the first line says them."""
    parts = line.split()
    if len(parts) != 2 or not all(part.isdigit() and len(part) < 12 for part in parts):
        return None
    count, size = map(int, parts)
    return (count, size) if 0 < size <= _MOST_SIZES else None


def _is_number(token: bytes) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return b"_" not in token


def _dimensions(lines: list[bytes]) -> int:
    """How many numbers most lines end with."""
    counts: Counter[int] = Counter()
    for line in lines[:200]:
        tokens = line.split()
        numbers = 0
        while numbers < len(tokens) - 1 and _is_number(tokens[-1 - numbers]):
            numbers += 1
        counts[numbers] += bool(numbers)
    return counts.most_common(1)[0][0] if counts.total() else 0


def _blocks(stream: IO[bytes]) -> Iterator[list[bytes]]:
    """Lines of a file, some megabytes at a time."""
    rest = b""
    while part := stream.read(_BLOCK):
        *lines, rest = (rest + part).split(b"\n")
        yield lines
    if rest:
        yield [rest]


def _text(file: File, stream: IO[bytes], options: Options) -> Raw:
    found, number, size, told = _Found(), 0, 0, None
    for block in _blocks(stream):
        lines = [line.rstrip(b" \t\r").replace(b"\t", b" ") for line in block]
        if not number and lines:
            lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
            told = _header(lines[0])
            others = [line for line in lines[1:201] if line]
            size = _dimensions(others or lines)
            if told and others and told[1] != size and size == 1:
                told = None  # vectors of one number, of a word that is a number
            if told:
                number, lines = 1, lines[1:]
                size = size or told[1]
            if not size:
                break
        most = None if options.rows is None else options.rows - len(found.words) - found.lost
        _add_lines(found, lines, number, size, most, options.encoding or "utf-8")
        number += len(lines)
        if options.rows is not None and len(found.words) + found.lost >= options.rows:
            found.whole = told is not None and told[0] <= options.rows
            break
    if not size:
        advice = "a line must be a word and its numbers, with spaces between"
        raise ValueError(f"{file.shown} has no word vectors: {advice}")
    form = "word2vec text: the first line has the number of words" if told else "GloVe text: no first line with numbers"
    _compare(found, told, size, options)
    return found.raw(file, options, form)


def _compare(found: _Found, told: tuple[int, int] | None, size: int, options: Options) -> None:
    """Say where the first line tells another size than the lines have."""
    if told and told[1] != size:
        found.notes.append(f"the first line says {told[1]:,} dimensions, the lines have {size:,}")
    count = len(found.words) + found.lost
    if told and told[0] != count and options.rows is None:
        found.notes.append(f"the first line says {told[0]:,} words, there are {count:,}: is the file cut?")


def _add_lines(found: _Found, lines: list[bytes], number: int, size: int, most: int | None, encoding: str) -> None:
    """Read the lines of one block: all at once where each is one word and its numbers, else one by one."""
    kept = [(number + place + 1, line) for place, line in enumerate(lines) if line][:most]
    plain: list[tuple[int, bytes]] = []
    odd: list[tuple[int, bytes]] = []
    for one in kept:  # a plain line has one space before each number
        (plain if one[1].count(b" ") == size and one[1][:1] != b" " else odd).append(one)
    parts = [line.split(b" ", 1) for _, line in plain]
    array = _numbers([numbers for _, numbers in parts], size)
    if array is None:
        odd, parts, plain = sorted(odd + plain), [], []
        array = np.zeros((0, size), dtype=np.float32)
    rows, words = [row for row, _ in plain], [word for word, _ in parts]
    others: list[list[float]] = []
    for row, line in odd:
        word, numbers, reason = _one_line(line, size)
        if reason:
            found.leave_out(row, reason, line[:80].decode(encoding, "replace"))
            continue
        rows.append(row)
        words.append(word)
        others.append(numbers)
    if others:
        with np.errstate(over="ignore"):
            array = np.concatenate([array, np.array(others, dtype=np.float64).astype(np.float32)])
        order = np.argsort(rows, kind="stable")
        array, rows, words = array[order], [rows[place] for place in order], [words[place] for place in order]
    for row, word in zip(rows, words, strict=True):
        text = word.decode(encoding, "replace")
        if "\ufffd" in text:
            found.problems.add(
                row, row, "word", f"no {encoding}: U+FFFD stands for what cannot be read", text, used=True
            )
        found.words.append(text)
    found.rows += rows
    found.blocks.append(array)


def _numbers(lines: list[bytes], size: int) -> Floats | None:
    """Numbers of lines that all have as many cells; ``None`` where one is no number."""
    import pyarrow as pa
    from pyarrow import csv

    if not lines:
        return np.zeros((0, size), dtype=np.float32)
    names = [str(place) for place in range(size)]
    try:
        table = csv.read_csv(
            io.BytesIO(b"\n".join(lines)),
            read_options=csv.ReadOptions(column_names=names, block_size=1 << 25),
            parse_options=csv.ParseOptions(delimiter=" ", quote_char=False),
            convert_options=csv.ConvertOptions(column_types=dict.fromkeys(names, pa.float32()), null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    if len(table) != len(lines):
        return None
    array = np.empty((len(table), size), dtype=np.float32)
    for place, column in enumerate(table.columns):
        array[:, place] = column.to_numpy()
    return array


def _one_line(line: bytes, size: int) -> tuple[bytes, list[float], str]:
    """Word and numbers of a line whose word has spaces, or what is wrong with it."""
    tokens = line.split(b" ")
    if tokens[0] == b"" and len(tokens) == size + 1:
        return b"", [], "no word before the numbers"
    numbers = tokens[-size:]
    if len(tokens) <= size or not all(map(_is_number, numbers)):
        count = sum(map(_is_number, line.split()[1:]))
        return b"", [], f"{count} numbers instead of {size}" if count != size else "a number is none"
    word = b" ".join(tokens[:-size])
    if size > 1 and len(tokens) > size + 1 and all(map(_is_number, tokens[1:])):
        return b"", [], f"{len(tokens) - 1} numbers instead of {size}"
    return word, [float(token) for token in numbers], ""


# --- binary and npz --------------------------------------------------------------------------------------------------


def _binary(file: File, stream: IO[bytes], options: Options) -> Raw:
    told = _header(stream.readline(100).rstrip())
    if told is None:
        raise ValueError(
            f"{file.shown} is neither text nor word2vec's binary form, whose first line has the number of words and of "
            "dimensions: give vectors as .vec, as .txt or as .npz"
        )
    count, size = told
    wanted = count if options.rows is None else min(count, options.rows)
    check_memory(file.shown, wanted * size * 4, "arrays")
    found = _Found(whole=wanted == count)
    array = np.empty((wanted, size), dtype=np.float32)
    width, encoding = 4 * size, options.encoding or "utf-8"
    content, place, complete = b"", 0, False
    while len(found.words) < wanted:
        space = content.find(b" ", place)
        if space < 0 or space + 1 + width > len(content):
            more = b"" if complete else stream.read(max(_BLOCK, 2 * width))
            complete = not more
            content, place = content[place:] + more, 0
            if complete:
                break
            continue
        word = content[place:space].lstrip(b"\n")
        if len(word) > 2_000:
            raise ValueError(
                f"{file.shown} is damaged after {len(found.words):,} words: a word has {len(word):,} bytes"
            )
        array[len(found.words)] = np.frombuffer(content, dtype="<f4", count=size, offset=space + 1)
        text = word.decode(encoding, "replace")
        if "\ufffd" in text:
            row = len(found.words)
            found.problems.add(
                row, row, "word", f"no {encoding}: U+FFFD stands for what cannot be read", text, used=True
            )
        found.words.append(text)
        place = space + 1 + width
    if len(found.words) < wanted:
        missing = wanted - len(found.words)
        found.notes.append(f"the first line says {count:,} words, and the file ends {missing:,} before that: it is cut")
    found.rows = list(range(len(found.words)))
    found.blocks = [array[: len(found.words)]]
    return replace(found.raw(file, options, "word2vec binary"), by_line=False)


def _arrays(file: File, options: Options) -> Raw:
    check_memory(file.shown, file.size, "arrays")
    try:
        with np.load(file.path or io.BytesIO(file.content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        if "pickle" in str(error).lower():
            words = (
                "has words that numpy keeps as pickled objects, which are not opened: save np.array(words, dtype=str)"
            )
            raise ValueError(f"{file.shown} {words}") from None
        raise ValueError(f"{file.shown} cannot be read as npz ({error!s:.100}): it is cut or damaged") from error
    names_in = {name: one for name, one in arrays.items() if one.ndim == 1 and one.dtype.kind in "US"}
    vectors = {name: one for name, one in arrays.items() if one.ndim == 2 and one.dtype.kind in "fiu"}
    if len(names_in) != 1 or len(vectors) != 1:
        shapes = listed([f"{name} {one.dtype}{list(one.shape)}" for name, one in arrays.items()]) or "nothing"
        raise ValueError(
            f"{file.shown} has {shapes:.300}; it must have one array of words and one of vectors, as "
            "np.savez(file, words=words, vectors=array) writes it"
        )
    [names], [array] = names_in.values(), vectors.values()
    told = [one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in names.tolist()]
    if options.rows is not None and options.rows < len(told) == len(array):
        part = f"the first {options.rows:,} of {len(told):,} words of {file.shown} ({sized(file.size)})"
        made = of_vectors(told[: options.rows], array[: options.rows], file.shown)
        return replace(made, name=file.stem, part=part)
    return replace(of_vectors(told, array, file.shown), name=file.stem)

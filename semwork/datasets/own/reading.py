"""A table of one's own, read into a record, with a report of what was read."""

from __future__ import annotations

import functools
import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from semwork.datasets.own.building import BUILDERS
from semwork.datasets.own.files import Options
from semwork.datasets.own.guessing import Guess, guessed
from semwork.datasets.own.kinds import check_known
from semwork.datasets.own.problems import Problems
from semwork.datasets.own.raw import Raw
from semwork.datasets.own.report import Report
from semwork.datasets.own.rows import Rows
from semwork.datasets.own.scripts import scripts_seen
from semwork.datasets.own.tables import raw_table
from semwork.datasets.own.vectors import build_vectors
from semwork.datasets.records import LabelledDocuments, RetrievalSet, SentencePairs
from semwork.datasets.word_records import NamePairs, WordVectors
from semwork.given import check_count, said

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Reading", "from_table", "read_table"]


@dataclass(frozen=True, repr=False, eq=False)
class Reading:
    """A table that was read.

    Parameters
    ----------
    record : Sentences, LabelledDocuments, SentencePairs, RetrievalSet, NamePairs, WordVectors, or None
        The good rows; ``None`` where there is none, or where kind or columns cannot be told.
    report : Report
        What was read, what was left out, and why.
    kind : str or None
        One of `KINDS`; ``None`` while it cannot be told.
    columns : mapping of str to str
        Role → the column that is used for it.
    raw : Raw
        The table as it was found.
    """

    record: Any
    report: Report
    kind: str | None
    columns: Mapping[str, str]
    raw: Raw

    @functools.cached_property
    def preview(self) -> pd.DataFrame:
        """The first rows as they were read, as text."""
        return self.raw.preview()

    @functools.cached_property
    def table(self) -> pd.DataFrame:
        """All rows as they were read, in a table."""
        import pandas as pd

        return pd.DataFrame(dict(self.raw.columns), index=pd.Index(list(self.raw.rows), name="row"))

    def taken_as(
        self, kind: str | None = None, columns: Mapping[str, Any] | None = None, *, name: str | None = None
    ) -> Reading:
        """Take the same table for something else, without reading it again.

        Parameters
        ----------
        kind : str or None
            One of `KINDS`; guessed if not given.
        columns : mapping of str to str or int, or None
            As in `read_table`.
        name : str or None
            What the record is called.

        Returns
        -------
        Reading

        Examples
        --------
        >>> reading = read_table({"title": ["A cat", "A dog"], "body": ["It sleeps a lot.", "It barks a lot."]})
        >>> reading.taken_as("pairs", {"left": "title", "right": "body"}).record.left
        ['A cat', 'A dog']
        """
        raw = self.raw if name is None else replace(self.raw, name=name)
        return _taken(raw, kind, columns)

    def __repr__(self) -> str:
        return repr(self.report)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def read_table(
    source: Any,
    kind: str | None = None,
    columns: Mapping[str, Any] | None = None,
    *,
    name: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    rows: int | None = None,
    suffix: str | None = None,
) -> Reading:
    r"""Read a table of one's own, and report what was read.

    Nothing is hidden: what is guessed is said in ``report.notes``, and each row that is left out in
    ``report.problems``. Where the kind or a column cannot be told there is no record, and ``report.undecided`` says
    what to pass.

    Parameters
    ----------
    source : DataFrame, list, mapping, str, Path, bytes or binary file
        A table of pandas or polars; a list of texts, tuples or dicts; a mapping of columns; a file of cells (``.csv``,
        ``.tsv``), lines (``.txt``), JSON (``.jsonl``, ``.json``), Parquet or vectors (``.vec``, ``.bin``, ``.npz``),
        also compressed with gzip; a folder of ``.txt`` files, in which folders are labels; for vectors also gensim's
        KeyedVectors, or words and an array.
    kind : {"texts", "documents", "pairs", "definitions", "names", "vectors"} or None
        What the data are; guessed if not given.
    columns : mapping of str to str or int, or None
        Role → name or number of its column, such as ``{"text": "review"}``, or ``None`` for a role that has none. What
        is not given is guessed. `ROLES` has the roles of each kind. Documents without a column ``split`` are split
        by a draw that is always the same, as the sample is: a quarter of each label is ``"test"``. Of pairs half are
        ``"train"``, of queries a third, at most 1,000, are ``"dev"``.
    name : str or None
        What the data are called; the end of a file's name counts, so that an upload may have any path.
    encoding : str or None
        Of a file of text; found if not given.
    delimiter : str or None
        The sign between cells; found if not given.
    header : bool or None
        Whether the first line of a file names the columns; found if not given.
    rows : int or None
        How many rows to read; the report names the part.
    suffix : str or None
        Overrules the end of the file's name, such as ``".csv"``.

    Returns
    -------
    Reading

    Examples
    --------
    >>> content = b"review;stars\nGood food;5\nBad food;1\n"
    >>> reading = read_table(content, "documents", {"label": "stars"}, name="x.csv")
    >>> reading.record.label_names, reading.columns
    (('1', '5'), {'text': 'review', 'label': 'stars'})
    >>> reading.report.delimiter
    'semicolon'
    """
    if kind is not None:
        kind = check_known(kind)
    if rows is not None:
        rows = check_count("rows", rows)
    if name is not None and not isinstance(name, str):
        raise TypeError(f"name must be a string, got {said(name)}")
    as_lines = kind in {None, "texts"} and not columns
    named = tuple(str(column) for column in columns.values()) if isinstance(columns, Mapping) else ()
    options = Options(name, suffix, encoding, delimiter, header, rows, as_lines, named)
    return _taken(raw_table(source, options, kind), kind, columns)


def _taken(raw: Raw, kind: str | None, columns: Mapping[str, Any] | None) -> Reading:
    guess = guessed(raw, kind, columns)
    if guess.undecided or guess.kind is None or not len(raw):
        undecided = guess.undecided if len(raw) else ""
        return Reading(None, _report(raw, guess, None, None, undecided), guess.kind, guess.columns, raw)
    chosen = Rows(raw, guess.columns)
    build = build_vectors if guess.kind == "vectors" else BUILDERS[guess.kind]
    record = build(chosen, raw.name or "own")
    if not len(chosen):
        record = None
    return Reading(record, _report(raw, guess, chosen, record, ""), guess.kind, guess.columns, raw)


def _report(raw: Raw, guess: Guess, rows: Rows | None, record: Any, undecided: str) -> Report:
    problems = rows.problems() if rows is not None else Problems(raw.problems)
    longest, longest_row = _longest(record, rows)
    labels = _counts(record) if isinstance(record, LabelledDocuments) else {}
    scores = record.scores if isinstance(record, SentencePairs) else np.zeros(0)
    scores = scores[np.isfinite(scores)]
    return Report(
        source=raw.source,
        kind=guess.kind,
        rows=len(raw) + raw.lost,
        used=len(rows) if rows is not None else 0,
        empty=rows.empty if rows is not None else 0,
        left_out=rows.lost if rows is not None else raw.lost,
        duplicates=rows.duplicates if rows is not None else 0,
        columns=dict(guess.columns),
        notes=(*raw.notes, *guess.notes, *(rows.notes if rows is not None else ())),
        undecided=undecided,
        part=raw.part,
        encoding=raw.encoding,
        delimiter=raw.delimiter,
        header=raw.header,
        scripts=scripts_seen(_read_texts(record)),
        longest=longest,
        longest_row=longest_row,
        labels=labels,
        scores=(float(scores.min()), float(scores.max())) if len(scores) else None,
        size=record._headline() if record is not None else "",
        problem_count=problems.total,
        reasons=tuple(problems.said()),
        problems=problems.frame(),
    )


def _read_texts(record: Any) -> list[str]:
    """What a record has to read, one text for each row or query."""
    if record is None:
        return []
    if isinstance(record, RetrievalSet):
        return [*record.queries, *record.candidates]
    if isinstance(record, NamePairs):
        return [f"{left} {right}" for left, right in zip(record.english, record.foreign, strict=True)]
    if isinstance(record, SentencePairs):
        return [f"{left} {right}" for left, right in zip(record.left, record.right, strict=True)]
    if isinstance(record, WordVectors):
        return record.words
    return list(record.texts)


def _longest(record: Any, rows: Rows | None) -> tuple[int, Any]:
    """Words of the longest text, and its row."""
    if record is None or rows is None or isinstance(record, WordVectors):
        return 0, None
    if isinstance(record, RetrievalSet):
        texts = [*record.queries, *record.candidates]
        places = [*record.query_table["row"], *record.candidate_table["row"]]
    elif isinstance(record, SentencePairs | NamePairs):
        one, two = (
            (record.left, record.right) if isinstance(record, SentencePairs) else (record.english, record.foreign)
        )
        texts, places = [*one, *two], rows.labels() * 2
    else:
        texts, places = record.texts, rows.labels()
    sizes = [len(text.split()) for text in texts]
    most = max(sizes)
    return most, places[sizes.index(most)]


def _counts(record: LabelledDocuments) -> dict[str, int]:
    counts = Counter(record.labels.tolist())
    return {record.label_names[number]: count for number, count in counts.most_common()}


def from_table(source: Any, kind: str | None = None, columns: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """Read a table of one's own into a record, as `load` gives one.

    Parameters
    ----------
    source : DataFrame, list, mapping, str, Path, bytes or binary file
        As in `read_table`.
    kind : {"texts", "documents", "pairs", "definitions", "names", "vectors"} or None
        What the data are; guessed if not given.
    columns : mapping of str to str or int, or None
        Role → column, as in `read_table`.
    **options : Any
        ``name``, ``encoding``, ``delimiter``, ``header``, ``rows`` and ``suffix`` of `read_table`.

    Returns
    -------
    Sentences, LabelledDocuments, SentencePairs, RetrievalSet, NamePairs or WordVectors

    Raises
    ------
    ValueError
        When kind or columns cannot be told, or when no row is good; the message says what to pass, or what is wrong.

    Warns
    -----
    UserWarning
        Where rows are left out; `read_table` lists them.

    Examples
    --------
    >>> from_table([("a cat sleeps", "a cat is asleep", 4.5), ("a dog barks", "it rains", 0.5)], "pairs")
    SentencePairs 'own': 2 pairs (test 1, train 1)
      a cat sleeps  ·  a cat is asleep  ·  4.5
      a dog barks  ·  it rains  ·  0.5
    """
    reading = read_table(source, kind, columns, **options)
    report = reading.report
    if report.undecided:
        raise ValueError(f"{report.source} cannot be read yet: {report.undecided}")
    if reading.record is None:
        why = f": {'; '.join(report.reasons[:3])}" if report.reasons else ""
        raise ValueError(f"no row of {report.source} is good{why or ': it has no rows'}")
    if report.empty or report.left_out:
        advice = "read_table(…).report.problems says which and why"
        warnings.warn(f"{report.headline}: {advice}", stacklevel=2)
    return reading.record

"""What was read, what was left out and why: said before anything is fitted."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from semwork.datasets.own.problems import MOST, excerpt

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["IN_MEMORY", "Report"]

IN_MEMORY = "in the memory of this process only; register(name, record) keeps them"
_SHOWN_PROBLEMS = 5
_SHOWN_LABELS = 12

_THINGS = {
    "texts": "texts", "documents": "documents", "pairs": "pairs", "definitions": "pairs of query and candidate",
    "names": "pairs of names", "vectors": "words",
}  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False)
class Report:
    """What was read.

    Parameters
    ----------
    source : str
        Where the data come from, in words.
    kind : str or None
        The kind of the data; ``None`` while it cannot be told.
    rows : int
        Rows that were read: ``used``, ``empty`` and ``left_out`` together, once it is decided what they are.
    used : int
        Rows that are in the record.
    empty : int
        Rows that are left out because a text is empty.
    left_out : int
        Rows that are left out for another reason.
    duplicates : int
        Rows that say what an earlier one says. They are used, but for vectors, where the first one counts.
    columns : mapping of str to str
        Role → the column that is used for it.
    notes : tuple of str
        How columns, kind and encoding were found, and what else is worth knowing.
    undecided : str
        What must be said before a record can be made; empty when it was made.
    part : str
        Which part of a file was read; empty for all of it.
    encoding, delimiter, header : str
        How a file of text was read; empty for other sources.
    scripts : mapping of str to int
        Script → how many texts have a letter of it.
    longest : int
        Words of the longest text.
    longest_row : object
        What its row is called.
    labels : mapping of str to int
        Label → how many documents have it, most frequent first.
    scores : tuple of (float, float), or None
        The lowest and the highest score.
    size : str
        What the record is, in one line.
    problem_count : int
        How many problems there are.
    reasons : tuple of str
        Each reason once, with how often it is there.
    problems : DataFrame of shape (n_problems, 5)
        The first thousand: ``row`` (line of the file or index), ``column``, ``reason``, the beginning of the ``value``,
        and whether the row is ``used``.
    place : str
        Where the data are kept.
    """

    source: str
    kind: str | None
    rows: int
    used: int
    empty: int
    left_out: int
    duplicates: int
    columns: Mapping[str, str]
    notes: tuple[str, ...]
    undecided: str
    part: str
    encoding: str
    delimiter: str
    header: str
    scripts: Mapping[str, int]
    longest: int
    longest_row: Any
    labels: Mapping[str, int]
    scores: tuple[float, float] | None
    size: str
    problem_count: int
    reasons: tuple[str, ...]
    problems: pd.DataFrame = field(compare=False)
    place: str = IN_MEMORY

    @property
    def headline(self) -> str:
        """The numbers in one line.

        Examples
        --------
        >>> from semwork.datasets import read_table
        >>> read_table(["a cat", "", "a dog"]).report.headline
        'a list of 3 rows: 2 of 3 rows used, 1 empty'
        """
        parts = [f"{self.used:,} of {self.rows:,} rows used"]
        parts += [f"{self.empty:,} empty"] if self.empty else []
        parts += [f"{self.left_out:,} left out"] if self.left_out else []
        parts += [f"{self.duplicates:,} duplicates"] if self.duplicates else []
        return f"{self.source}: {', '.join(parts)}"

    def kept_at(self, place: str) -> Report:
        """Return the report of data that are kept somewhere.

        Parameters
        ----------
        place : str
            Where, in words.

        Returns
        -------
        Report
        """
        return replace(self, place=place)

    def lines(self) -> Iterator[tuple[str, str]]:  # noqa: PLR0912 - a list of what may be said
        """What was read, as pairs of a title and words.

        Yields
        ------
        tuple of (str, str)
        """
        yield "read", self.headline
        if self.undecided:
            yield "to be decided", self.undecided
        if self.part:
            yield "part", self.part
        if self.kind:
            yield "kind", f"{self.kind}: {self.size}" if self.size else self.kind
        if self.columns:
            yield "columns", ", ".join(f"{role} = {excerpt(name)}" for role, name in self.columns.items())
        for title in ("encoding", "delimiter", "header"):
            if getattr(self, title):
                yield title, getattr(self, title)
        if self.scripts:
            things = _THINGS.get(str(self.kind), "rows")
            yield "scripts", ", ".join(f"{name} in {count:,}" for name, count in self.scripts.items()) + f" {things}"
        if self.longest:
            yield "longest", f"{self.longest:,} words, row {self.longest_row}"
        if self.labels:
            yield "labels", self._balance()
        if self.scores:
            yield "scores", f"from {self.scores[0]:g} to {self.scores[1]:g}"
        for note in self.notes:
            yield "note", note
        for reason in self.reasons[:_SHOWN_LABELS]:
            yield "problem", reason
        if len(self.reasons) > _SHOWN_LABELS:
            yield "problem", f"{len(self.reasons) - _SHOWN_LABELS} more reasons"
        if self.problem_count > MOST:
            yield "problem", f"the table of problems has the first {MOST:,} of {self.problem_count:,}"
        yield "kept", self.place

    def _balance(self) -> str:
        shown = [f"{excerpt(name, 30)} ({count:,})" for name, count in list(self.labels.items())[:_SHOWN_LABELS]]
        more = f" and {len(self.labels) - _SHOWN_LABELS:,} more" if len(self.labels) > _SHOWN_LABELS else ""
        return f"{len(self.labels):,}: {', '.join(shown)}{more}"

    def __repr__(self) -> str:
        lines = list(self.lines())
        wide = max(len(title) for title, _ in lines)
        text = [f"{title:{wide}}  {excerpt(words, 400)}" for title, words in lines]
        if len(self.problems):
            text.append(f"The first of {self.problem_count:,} problems (report.problems has more):")
            for problem in self.problems.head(_SHOWN_PROBLEMS).itertuples(index=False):
                column = f", {excerpt(problem.column, 30)}" if problem.column else ""
                value = f": {excerpt(problem.value)}" if problem.value else ""
                text.append(f"  row {excerpt(str(problem.row), 40)}{column}: {problem.reason}{value}")
        return "\n".join(text)

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        body = "".join(
            f"<tr><th {left}>{html.escape(title)}</th>"
            f"<td {left}><bdi>{html.escape(excerpt(words, 400))}</bdi></td></tr>"
            for title, words in self.lines()
        )
        table = f"<table><tbody>{body}</tbody></table>"
        if not len(self.problems):
            return table
        head = "".join(f"<th {left}>{html.escape(str(name))}</th>" for name in self.problems.columns)
        rows = "".join(
            "<tr>"
            + "".join(f"<td {left}><bdi>{html.escape(excerpt(str(cell), 80))}</bdi></td>" for cell in row)
            + "</tr>"
            for row in self.problems.head(4 * _SHOWN_PROBLEMS).itertuples(index=False)
        )
        return f"{table}<p>Problems</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

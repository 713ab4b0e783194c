"""Tables of results: written as CSV with where they come from, read again, and shown as Markdown by a declaration."""

from __future__ import annotations

import datetime
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from semwork.atomic import write_whole
from semwork.experiments.cells import Tables
from semwork.tables import grid_of_markdown

__all__ = ["Picture", "Report", "read_table", "write_tables"]

#: A column's title, or its title and how its numbers are written.
Column = str | tuple[str, str]
_PACKAGES = ("semwork", "numpy", "scipy", "scikit-learn", "numba")
_NOT_SAID = "–"  # by the paper, or because there is nothing to say


@dataclass(frozen=True)
class Picture:
    """A table that is a figure in the paper.

    Attributes
    ----------
    file : str
        The table.
    draw : str
        The function of `semwork.plots` that draws it.
    shows : str
        What is to be seen.
    """

    file: str
    draw: str
    shows: str


@dataclass(frozen=True)
class Report:
    """How a table of results is shown to readers.

    Attributes
    ----------
    heading : str
        What it is.
    file : str
        The table that it needs, without the name of the experiment.
    place : str
        Where the paper has it.
    columns : mapping of str to str or tuple of (str, str)
        Column → its title, or title and format, in the order in which they are shown. Without a format, numbers below
        1 have four digits and no 0 before the point, others two digits.
    prepare : callable or None
        From a function that reads tables by their names to the table that is shown; by default the file as it is.
    remark : str
        What is to be said of it, in Markdown.
    picture : Picture or None
        Shown below the remark.
    """

    heading: str
    file: str
    place: str = ""
    columns: Mapping[str, Column] = field(default_factory=dict)
    prepare: Callable[[Callable[[str], Any]], Any] | None = None
    remark: str = ""
    picture: Picture | None = None

    def markdown(self, folder: str | Path, experiment: str) -> str:
        """Return the table as Markdown, from the CSV files of an experiment in a folder.

        Parameters
        ----------
        folder : str or Path
            Where the CSV files are.
        experiment : str
            Its name, with which those of the files begin.

        Returns
        -------
        str

        Examples
        --------
        >>> import tempfile
        >>> report = Report("Toys", "table", columns={"model": "", "test": "ATOP", "p": ("p", "{:.1f}")})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     rows = ({"model": "IR", "test": 0.8762, "p": 0.25}, {"model": "LDA", "test": 1.5})
        ...     paths = write_tables(folder, "toy", {"table": rows}, "semwork reproduce toy")
        ...     print(report.markdown(folder, "toy"))
        |  | ATOP | p |
        |---|---|---|
        | IR | .8762 | 0.2 |
        | LDA | 1.50 | – |
        """

        def read(name: str) -> Any:
            return read_table(Path(folder) / f"{experiment}_{name}.csv")

        table = self.prepare(read) if self.prepare else read(self.file)
        columns = self.columns or {name: name for name in table.columns}
        absent = [name for name in columns if name not in table.columns]
        if absent:
            raise ValueError(f"{experiment}_{self.file} has no column {absent[0]!r}; it has {', '.join(table.columns)}")
        shown = {name: (one, "") if isinstance(one, str) else one for name, one in columns.items()}
        rows = table[list(shown)].to_dict("records")
        cells = ([_cell(row[name], form) for name, (_, form) in shown.items()] for row in rows)
        return grid_of_markdown([title for title, _ in shown.values()], cells)


def _cell(value: Any, form: str) -> str:
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - NaN
        return _NOT_SAID
    if form:
        return form.format(value)
    if isinstance(value, float):
        return f"{value:.4f}".removeprefix("0") if abs(value) < 1 else f"{value:.2f}"
    return str(value)


def write_tables(folder: str | Path, name: str, tables: Tables, command: str) -> list[Path]:
    """Write each table as CSV, with the command, the versions and the date as comments above it.

    Parameters
    ----------
    folder : str or Path
        Where the files go; made if it is not there.
    name : str
        The experiment, with which the files' names begin.
    tables : mapping of str to sequence of dict
        Name → rows, each of column → value.
    command : str
        What makes them again.

    Returns
    -------
    list of Path
    """
    import pandas as pd

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    said = ", ".join(f"{package} {version(package)}" for package in _PACKAGES)
    head = (
        f"# {command}\n# {said}, Python {platform.python_version()}\n"
        f"# {datetime.datetime.now(tz=datetime.UTC):%Y-%m-%d}\n"
    )
    written = []
    for table, rows in tables.items():
        path = target / f"{name}_{table}.csv"
        write_whole(path, head + pd.DataFrame(list(rows)).to_csv(index=False))
        written.append(path)
    return written


def read_table(path: str | Path) -> Any:
    """Read a table that :func:`write_tables` wrote.

    Parameters
    ----------
    path : str or Path
        The CSV file.

    Returns
    -------
    DataFrame
    """
    import pandas as pd

    return pd.read_csv(path, comment="#")

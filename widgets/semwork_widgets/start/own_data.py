"""Data of the reader's own: a file is dropped, looked at, named, and from then on offered by every panel."""

from __future__ import annotations

import html
import pathlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as ipw

from semwork.datasets import (
    ROLES,
    Reading,
    available,
    load,
    own_data,
    read_table,
    register,
    remove,
    words_without_vector,
)
from semwork.steps import Step
from semwork_widgets.answering import answer_while_cells_run
from semwork_widgets.jobs import Event, Failed, Finished, Job, Started, Stepped
from semwork_widgets.study_panel import offer_data_everywhere
from semwork_widgets.upload import Upload

__all__ = ["OwnDataPanel"]

_ACCEPT = ".csv,.tsv,.txt,.jsonl,.ndjson,.json,.parquet,.gz,.vec,.bin,.npz,.kv"
_KINDS = {
    "texts": "texts",
    "documents": "texts with a class each",
    "pairs": "pairs of sentences",
    "definitions": "what is looked for, and what answers it",
    "names": "names in two languages",
    "vectors": "vectors of words",
}
_NONE, _CHOOSE = "(none)", "choose …"
_SHOWN, _COLUMNS, _NARROW = 5, 8, 11  # rows and columns of the preview, and how narrow a column may be, in letters
_CELL, _NAME = 80, 60  # letters of a cell in the preview, of a name


@dataclass(frozen=True, kw_only=True)
class _ReadStep(Step):
    """What has been read; then, how many of its words have vectors."""

    reading: Reading
    covered: str = ""


class OwnDataPanel(ipw.VBox):
    """A file becomes data that every panel offers.

    Nothing is silently wrong: kind and columns are guessed, shown and can be changed; the report says what is not used,
    and why; nothing is kept before the reader says so.
    """

    def __init__(self) -> None:
        self.reading: Reading | None = None
        self._source: tuple[Any, str] = "", ""
        self._setting = False
        self.job = Job(self._read, self._on_event)
        self.upload = Upload(_ACCEPT, self.bring, self._say_error)
        self.path = ipw.Text(
            placeholder="or the path of a file or a folder", layout=ipw.Layout(flex="1 1 260px", width="auto")
        )
        self.status = ipw.HTML().add_class("semwork-status")
        self.kind = ipw.Dropdown(
            options=[(_CHOOSE, ""), *((words, kind) for kind, words in _KINDS.items())],
            layout=ipw.Layout(width="280px"),
        )
        self.roles = ipw.Box().add_class("semwork-roles")
        self.preview, self.report, self.covered = ipw.HTML(), ipw.HTML(), ipw.HTML()
        # How a file is read, where what was found is wrong; a change reads it again.
        narrow = ipw.Layout(width="120px")
        self.how = {
            "encoding": ipw.Text(placeholder="as found", continuous_update=False, layout=narrow),
            "delimiter": ipw.Text(placeholder="as found", continuous_update=False, layout=narrow),
            "rows": ipw.BoundedIntText(0, min=0, max=1_000_000_000, layout=narrow),
        }
        self.name = ipw.Text(placeholder="a name for these data", layout=ipw.Layout(width="280px"))
        self.keep = ipw.Checkbox(True, indent=False, description="keep on this machine")
        self.use = ipw.Button(description="Use these data", button_style="primary")
        self.kept = ipw.VBox()
        read = ipw.Button(description="Read", tooltip="Read the file at this path", layout=ipw.Layout(width="76px"))
        self.found = ipw.VBox(
            [
                ipw.HBox([_named("kind of data", self.kind), *(_named(*one) for one in self._ways())]).add_class(
                    "semwork-row"
                ),
                self.roles,
                ipw.HBox([_named("name", self.name), self.keep, self.use]).add_class("semwork-row"),
                self.preview,
                self.report,
                self.covered,
            ],
            layout=ipw.Layout(display="none"),
        )
        super().__init__(
            [self.upload, ipw.HBox([self.path, read]).add_class("semwork-row"), self.status, self.found, self.kept]
        )
        read.on_click(lambda _: self.bring(self.path.value.strip()))
        self.kind.observe(self._kind_chosen, names="value")
        for control in self.how.values():
            control.observe(self._read_otherwise, names="value")
        self.use.on_click(lambda _: self.guarded())
        self.list_kept()
        answer_while_cells_run(self)

    # --- reading ----------------------------------------------------------------------------------------------------

    def _ways(self) -> list[tuple[str, Any, str]]:
        """How a file is read: name, control, and a line about it."""
        says = {
            "encoding": "such as cp1252, where letters are wrong",
            "delimiter": "between two cells, such as ;",
            "rows": "read the first so many only; 0 reads all",
        }
        shown = {"rows": "rows (0: all)"}
        return [(shown.get(name, name), control, says[name]) for name, control in self.how.items()]

    def _read_otherwise(self, _: Any) -> None:
        if not self._setting and self._source[0] != "":
            self.reading = None
            self._submit()

    def bring(self, source: Any, name: str = "") -> None:
        """Read something, and show what was found in it.

        Parameters
        ----------
        source : str, Path, DataFrame or another source of `semwork.datasets.read_table`
            What is read.
        name : str
            What the reader calls it.
        """
        if isinstance(source, str) and not source:
            self._say_error("Type the path of a file or of a folder first, or drop a file above.")
            return
        title = name or (pathlib.Path(source).name if isinstance(source, str | pathlib.Path) else "")
        self._source, self.reading = (source, title), None
        self._setting = True  # another file is another encoding
        for control in self.how.values():
            control.value = type(control.value)()
        self._setting = False
        self.name.value = pathlib.PurePath(title).name.split(".")[0][:_NAME].strip() if title else ""
        self._submit()

    def _submit(self, kind: str | None = None, columns: Mapping[str, str] | None = None) -> None:
        self.job.submit({"kind": kind, "columns": columns})

    def _read(self, settings: Mapping[str, Any]) -> Iterator[_ReadStep]:
        if settings["kind"] and self.reading is not None:
            reading = self.reading.taken_as(settings["kind"], settings["columns"])
        else:
            source, name = self._source
            how = {option: control.value for option, control in self.how.items() if control.value}
            reading = read_table(source, name=name or None, **how)
        yield _ReadStep(done=1, total=2, reading=reading)
        yield _ReadStep(done=2, total=2, reading=reading, covered=_covered(reading))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Started):
            self.status.value = "reading …"
        elif isinstance(event, Stepped) and event.step.done == 1:
            self.show(event.step.reading)  # type: ignore[attr-defined]
        elif isinstance(event, Stepped):
            self.covered.value = _said(event.step.covered)  # type: ignore[attr-defined]
        elif isinstance(event, Failed):
            self._say_error(str(event.error))
        elif isinstance(event, Finished):
            self.status.value = ""

    def show(self, reading: Reading) -> None:
        """Show what was read: a few rows, the columns that are used, the report."""
        self.reading = reading
        self._setting = True
        try:
            self.kind.value = kind = reading.kind or ""
            self.roles.children = [self._chooser(reading, kind, role) for role in ROLES.get(kind, ())]
        finally:
            self._setting = False
        self.covered.value = ""
        self.preview.value = _table(reading.preview.head(_SHOWN))
        self.report.value = f'<div class="semwork-report mathjax_ignore">{reading.report._repr_html_()}</div>'
        self.use.disabled = reading.record is None
        self.found.layout.display = ""

    def _chooser(self, reading: Reading, kind: str, role: str) -> Any:
        columns = [str(column) for column in reading.preview.columns]
        chosen = reading.columns.get(role)
        needed = ROLES[kind][role].required
        options = [*([] if needed and chosen in columns else [(_NONE, "")]), *((column, column) for column in columns)]
        control = ipw.Dropdown(
            options=options, value=chosen if chosen in columns else "", layout=ipw.Layout(width="150px")
        )
        control.role = role
        control.observe(self._column_chosen, names="value")
        return _named(role, control, ROLES[kind][role].says)

    def _kind_chosen(self, change: Any) -> None:
        if not self._setting and change["new"]:
            self._submit(change["new"])

    def _column_chosen(self, _: Any) -> None:
        if not self._setting:
            chosen = {row.children[1].role: row.children[1].value for row in self.roles.children}
            self._submit(self.kind.value, {role: column for role, column in chosen.items() if column})

    # --- keeping ----------------------------------------------------------------------------------------------------

    def guarded(self) -> None:
        """Put the data where every panel finds them; words instead of an exception where that cannot be."""
        try:
            self.take()
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader must see it
            self._say_error(str(error))

    def take(self) -> None:
        """Put the data where every panel finds them."""
        if self.reading is None or self.reading.record is None:
            raise ValueError("there is nothing to keep yet: read a file with rows that can be used")
        name = self.name.value.strip()
        if not name:
            raise ValueError("give the data a name first; lists will offer them under it")
        try:
            one = register(name, self.reading.record, keep=self.keep.value)
        except ValueError as error:
            if name.casefold() in {own.name.casefold() for own in own_data()}:
                raise ValueError(f"you have data called {name!r}: take another name, or remove those below") from error
            raise
        offer_data_everywhere()
        self.list_kept()
        where = f"in {one.folder}" if one.folder else "in the memory of this notebook alone"
        said = f"{_said(name)} is kept {_said(where)}. Every list of data that takes such data offers it from now on."
        self.status.value = f'<div role="status">✓ {said}</div>'

    def list_kept(self) -> None:
        """Show the reader's data, each with a button that removes it."""
        rows = []
        for one in own_data():
            words = f"<b>{_said(one.name)}</b> {_KINDS[one.kind]}, {one.rows:,}"
            where = "" if one.kept else ", in memory only"
            button = ipw.Button(description="Remove", tooltip=f"Remove {one.name}", layout=ipw.Layout(width="76px"))
            button.on_click(lambda _, name=one.name: self.remove(name))
            label = ipw.HTML(words + where, layout=ipw.Layout(flex="1 1 auto"))
            rows.append(ipw.HBox([label, button]).add_class("semwork-data-row"))
        head = ipw.HTML("<b>Your data</b>" if rows else "You have no data of your own here yet.")
        self.kept.children = [head, *rows]
        answer_while_cells_run(self.kept)

    def remove(self, name: str) -> None:
        """Remove data from this machine, and from all lists.

        Parameters
        ----------
        name : str
            What they are called.
        """
        remove(name)
        offer_data_everywhere()
        self.list_kept()
        self.status.value = f'<div role="status">{_said(name)} is removed.</div>'

    def wait(self, timeout: float | None = 60) -> None:
        """Wait for the reading; raise its error.

        Parameters
        ----------
        timeout : float or None
            Seconds; ``None`` waits as long as it takes.
        """
        self.job.wait(timeout)

    def _say_error(self, words: str) -> None:
        self.status.value = f'<div class="semwork-error" role="alert">{_said(words)}</div>'


def _named(name: str, control: Any, says: str = "") -> Any:
    control.tooltip = f"{name}: {says}" if says else name
    label = ipw.HTML(f'<div class="semwork-control-name">{html.escape(name)}</div>')
    return ipw.VBox([label, control], layout=ipw.Layout(overflow="visible"))


def _covered(reading: Reading) -> str:
    """Say how many words have no vector, in each set of vectors that is here."""
    if reading.record is None or reading.kind in ("vectors", "names"):
        return ""
    names = [one.name for one in own_data("vectors")] + (["glove"] if available("glove") else [])
    return "\n".join(f"{words_without_vector(reading.record, load(name))}." for name in names)


def _said(words: object) -> str:
    return html.escape(str(words)).replace("\n", "<br>")


def _table(preview: Any) -> str:
    """The first rows of the first columns; whatever is in them is shown as text."""
    shown, more = preview.iloc[:, :_COLUMNS], preview.shape[1] - _COLUMNS
    columns = [[str(name), *map(str, shown.iloc[:, number])] for number, name in enumerate(shown.columns)]
    # A long word may be broken, so the browser would make each column as narrow as a letter.
    widths = [min(max(len(_short(cell)) for cell in cells), _NARROW) for cells in columns]
    head = "".join(
        f'<th style="min-width:{width + 2}ch">{html.escape(_short(cells[0]))}</th>'
        for cells, width in zip(columns, widths, strict=True)
    )
    rows = zip(*(cells[1:] for cells in columns), strict=True)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(_short(cell))}</td>' for cell in row)}</tr>" for row in rows)
    others = f"<p>and {more} more columns</p>" if more > 0 else ""
    return (
        '<div class="semwork-preview mathjax_ignore" dir="auto"><table class="semwork-table">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{others}</div>"
    )


def _short(cell: object) -> str:
    text = str(cell)
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"

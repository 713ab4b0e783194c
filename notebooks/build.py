"""Build both editions of the lessons from their sources and run them: ``python -m notebooks.build [LESSON …]``.

A lesson is written in ``source/NN_name.md``: MyST Markdown, as jupytext reads it. From it come the student edition
(``NN_name.ipynb``) and the teacher edition (``teacher/NN_name.ipynb``); nobody edits these. A lesson is named by the
beginning of its file, as in ``python -m notebooks.build 03 05``; without a name all of them are built.

An exercise is a row of cells with these tags, in this order:

- ``question`` (Markdown): what is asked;
- ``given`` (code, any number): what both editions run before the answer;
- ``start`` (code): the answer's cell as a student finds it, with ``...`` where the answer belongs;
- ``hint`` (Markdown, one to three): the first says least;
- ``solution`` (code): what the teacher edition has in place of the start;
- ``check`` (code): one function under `semwork.exercises.check` that judges the answer;
- ``wrong`` (code, three or more): plausible answers that the check has to reject. They go to no edition; tests try them.
- ``after`` (Markdown, if wanted): what the answer means. A student should not read it before having one.

A code cell has its tag in the line ``:tags: [start]`` under its fence, a Markdown cell in the line before it,
``+++ {"tags": ["hint"]}``; ``+++`` alone ends an ``after``. All other cells go to both editions as they are; between two
exercises there are none, and behind the last one a heading. No other cell and no other exercise, nor its solution, may
need an answer: in the student edition it is empty. `tests/notebooks` holds all this to its word.

The student edition folds the hints, the solution and what is to be read after it under the check; the teacher edition
has run the solution and folds the hints alone. Static pictures of panels, which make up nearly all of a file, are kept in
the student edition only.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import jupytext
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

Edition = Literal["student", "teacher"]
NOTEBOOKS = Path(__file__).parent
FOLDERS: dict[Edition, Path] = {"student": NOTEBOOKS, "teacher": NOTEBOOKS / "teacher"}
SOURCES = NOTEBOOKS / "source"
TEXTS, CODES = {"question", "hint", "after"}, {"given", "start", "solution", "check", "wrong"}
ORDER = re.compile(r"question (given )*start (hint ){1,3}solution check (wrong ){3,}(after )?")
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
VERDICT = {"student": "Not yet: ", "teacher": "Right: "}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
PICTURE = "image/png"


@dataclass(frozen=True)
class Exercise:
    """An exercise of a lesson, part by part, as text."""

    question: str
    given: tuple[str, ...]
    start: str
    hints: tuple[str, ...]
    solution: str
    check: str
    wrong: tuple[str, ...]
    after: str = ""

    @classmethod
    def of(cls, cells: list[NotebookNode]) -> Exercise:
        """Take the tagged cells of one exercise, and say what is missing in them."""
        parts: dict[str, list[str]] = {tag: [] for tag in TEXTS | CODES}
        for cell in cells:
            [tag] = cell.metadata["tags"]
            if tag not in (TEXTS if cell.cell_type == "markdown" else CODES):
                raise ValueError(f"a {cell.cell_type} cell cannot be tagged {tag!r}:\n{cell.source}")
            parts[tag].append(cell.source)
        order = "".join(f"{cell.metadata['tags'][0]} " for cell in cells)
        if not ORDER.fullmatch(order):
            raise ValueError(
                f"an exercise has a question, a start, one to three hints, a solution, a check and three wrong answers, "
                f"in this order, and perhaps a text for after it; here are: {order}\n{cells[0].source}"
            )
        if any(line.startswith("#") for text in parts["after"] for line in text.splitlines()):
            raise ValueError(
                f"a heading would be folded with what an answer means: write +++ above it\n{parts['after']}"
            )
        one = {tag: parts[tag][0] for tag in ("question", "start", "solution", "check")}
        return cls(**one, **{name: tuple(parts[tag]) for name, tag in MANY.items()}, after="".join(parts["after"]))


MANY = {"given": "given", "hints": "hint", "wrong": "wrong"}


def sources(beginnings: list[str]) -> list[Path]:
    """Find the sources whose names begin so, all of them where no beginning is given."""
    found = [path for path in sorted(SOURCES.glob("*.md")) if path.name.startswith(tuple(beginnings or [""]))]
    unknown = [each for each in beginnings if not any(path.name.startswith(each) for path in found)]
    if unknown:
        raise ValueError(f"no lesson begins with {', '.join(unknown)}")
    return found


def read(source: str) -> Iterator[NotebookNode | Exercise]:
    """Read a source: cells that go to both editions as they are, and exercises, in their order."""
    exercise: list[NotebookNode] = []
    for cell in jupytext.reads(source, fmt="md:myst").cells:
        tags = cell.metadata.get("tags", [])
        if exercise and tags in ([], ["question"]):
            yield Exercise.of(exercise)
            exercise = []
        if tags:
            exercise.append(cell)
        else:
            yield cell
    if exercise:
        yield Exercise.of(exercise)


def folded(summary: str, text: str) -> str:
    """Show one line, and the text when it is clicked."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def exercise_cells(exercise: Exercise, number: int, edition: Edition) -> Iterator[NotebookNode]:
    """Lay an exercise out: question, what is given, the answer, its check, and what helps."""
    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    name = f"exercise-{number}"
    yield text(exercise.question, id=f"{name}-question")
    for place, given in enumerate(exercise.given, start=1):
        yield code(given, id=f"{name}-given-{place}")
    yield code(exercise.start if edition == "student" else exercise.solution, id=f"{name}-answer")
    yield code(exercise.check, id=f"{name}-check")
    several = len(exercise.hints) > 1
    help_ = [folded(f"Hint {i}" if several else "Hint", hint) for i, hint in enumerate(exercise.hints, start=1)]
    if edition == "student":
        help_.append(folded("A solution", f"```python\n{exercise.solution}\n```"))
    yield text("\n\n".join(help_), id=f"{name}-help")
    if exercise.after:
        after = folded("When you have an answer", exercise.after) if edition == "student" else exercise.after
        yield text(after, id=f"{name}-after")


def build(source: Path, edition: Edition) -> NotebookNode:
    """Make an edition of a lesson, without outputs. A cell's id follows from its text, or its part of an exercise."""
    cells, seen, number = [], Counter[str](), 0
    for part in read(source.read_text(encoding="utf-8")):
        if isinstance(part, Exercise):
            number += 1
            cells.extend(exercise_cells(part, number, edition))
            continue
        digest = hashlib.sha256(f"{part.cell_type} {part.source}".encode()).hexdigest()[:8]
        seen[digest] += 1
        part.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        part.metadata = {}
        cells.append(part)
    if edition == "teacher":
        title, _, rest = cells[0].source.partition("\n")
        student = f"[edition for students](../{source.stem}.ipynb)"
        note = (
            f"**Teacher edition**: every exercise is solved, and its check has passed. Panels have no pictures here until "
            f"you run their cells; the {student}, which asks, has them."
        )
        cells[0].source = f"{title}\n\n{note}\n{rest}"
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def tidied(notebook: NotebookNode, *, pictures: bool) -> NotebookNode:
    """Drop what a reader cannot use and what differs from run to run; texts that came in pieces become one.

    Widget views are left out: without the kernel that made them they are only an error message. The static picture that
    every live figure brings along stays where pictures are wanted, so that a saved lesson can be read anywhere.
    """
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            shown = [output.get("data", {}) for output in cell.outputs]
            live = [data.pop(WIDGET_VIEW) for data in shown if WIDGET_VIEW in data]
            for data in shown if live and not pictures else []:
                data.pop(PICTURE, None)
            cell.outputs = [
                o for o in cell.outputs if o.output_type not in ("display_data", "execute_result") or o.data
            ]
            for before, output in list(pairwise(cell.outputs)):
                if before.output_type == output.output_type == "stream" and before.name == output.name:
                    output.text = before.text + output.text
                    cell.outputs = [o for o in cell.outputs if o is not before]
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    return notebook


def misjudged(notebook: NotebookNode, edition: Edition) -> list[str]:
    """Return the checks of an executed edition that do not say what they should, each with what it says."""
    checks = [cell for cell in notebook.cells if cell.id.endswith("-check")]
    said = {cell.id: "".join(output.get("text", "") for output in cell.outputs) for cell in checks}
    return [f"{name}: {text}" for name, text in said.items() if not text.startswith(VERDICT[edition])]


def write(source: Path, edition: Edition) -> None:
    """Build an edition of a lesson, run it in its own folder, as Jupyter does, and save it with its outputs."""
    folder = FOLDERS[edition]
    folder.mkdir(exist_ok=True)
    notebook = build(source, edition)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=600, store_widget_state=False, resources=resources).execute()
    wrong = misjudged(notebook, edition)
    if wrong:
        raise ValueError(f"in the {edition} edition of {source.name}\n" + "\n".join(wrong))
    nbformat.write(tidied(notebook, pictures=edition == "student"), folder / f"{source.stem}.ipynb")


if __name__ == "__main__":
    for lesson in sources(sys.argv[1:]):
        for each in FOLDERS:
            print(f"{lesson.stem}, {each} edition", flush=True)
            write(lesson, each)

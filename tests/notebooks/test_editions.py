"""Source, student edition and teacher edition agree."""

from __future__ import annotations

from itertools import pairwise

import nbformat
import pytest

from notebooks.build import FOLDERS, NOTEBOOKS, Exercise, build, misjudged, read, sources

SOURCES = sources([])
both_editions = pytest.mark.parametrize("edition", FOLDERS)
every_lesson = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


@both_editions
def test_every_lesson_has_a_source_and_every_source_its_lesson(edition):
    assert [path.stem for path in sorted(FOLDERS[edition].glob("*.ipynb"))] == [path.stem for path in SOURCES]


@both_editions
@every_lesson
def test_an_edition_is_what_its_source_says(source, edition):
    saved = nbformat.read(FOLDERS[edition] / f"{source.stem}.ipynb", as_version=4)
    for cell in saved.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    assert saved == build(source, edition), "build it anew: make notebooks"


@both_editions
@every_lesson
def test_checks_say_not_yet_to_students_and_right_to_teachers(source, edition):
    assert misjudged(nbformat.read(FOLDERS[edition] / f"{source.stem}.ipynb", as_version=4), edition) == []


@every_lesson
def test_a_lesson_asks_and_no_solution_stands_open(source):
    exercises = [part for part in read(source.read_text(encoding="utf-8")) if isinstance(part, Exercise)]
    student = build(source, "student")
    assert exercises
    for exercise in exercises:
        assert "..." in exercise.start
        assert exercise.solution not in [cell.source for cell in student.cells]
    for help_, next_ in pairwise(student.cells):
        if help_.id.endswith(("-help", "-after")) and not next_.id.startswith("exercise-"):
            assert next_.source.startswith("## "), "what an exercise's answer means is tagged `after`"
    assert "one solution" not in "".join(cell.source for cell in student.cells)


@every_lesson
def test_a_lesson_is_small_enough_to_be_read_on_the_web(source):
    assert all((folder / f"{source.stem}.ipynb").stat().st_size < 1_500_000 for folder in FOLDERS.values())
    assert (NOTEBOOKS / "teacher" / f"{source.stem}.ipynb").stat().st_size < 150_000, "without the panels' pictures"

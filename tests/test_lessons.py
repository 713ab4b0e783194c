"""Lessons are copied once, renewed where nobody has changed them, and never written over where somebody has."""

from __future__ import annotations

import os

import pytest

from semwork.lessons import FIRST, copy_lessons, lessons_folder


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    (folder / "images").mkdir(parents=True)
    (folder / "teacher").mkdir()
    for name in (FIRST, "01_next.ipynb", "images/a.png", "teacher/00_start_here.ipynb", "notes.md"):
        (folder / name).write_text(f"first {name}", encoding="utf-8")
    return folder


def test_lessons_are_copied_and_nothing_else(source, tmp_path):
    to = tmp_path / "deep" / "mine"
    did = copy_lessons(to, source)
    assert did.written == (FIRST, "01_next.ipynb")
    assert "2 files were copied" in str(did)
    assert (to / FIRST).read_text() == f"first {FIRST}"
    assert not (to / "teacher").exists()
    assert not (to / "images").exists(), "they are the README's"
    again = copy_lessons(to, source)
    assert (again.written, again.renewed, again.changed) == ((), (), ())
    assert str(again) == "All files were there already."


def test_what_was_changed_stays_and_the_rest_is_renewed(source, tmp_path):
    to = tmp_path / "mine"
    copy_lessons(to, source)
    (to / FIRST).write_text("my answers", encoding="utf-8")
    for name in (FIRST, "01_next.ipynb"):
        (source / name).write_text(f"second {name}", encoding="utf-8")
    for _ in range(2):
        did = copy_lessons(to, source)
        assert (to / FIRST).read_text() == "my answers"
        assert (to / "01_next.ipynb").read_text() == "second 01_next.ipynb"
        assert did.changed == (FIRST,)
        assert f"Left as you have changed them: {FIRST}" in str(did)
    (to / FIRST).unlink()
    assert copy_lessons(to, source).written == (FIRST,), "a deleted one comes back"


@pytest.mark.parametrize("note", [None, "no JSON", "[1]", '{"00_start_here.ipynb": 1}'])
def test_a_file_that_nobody_knows_of_is_left_alone(source, tmp_path, note):
    to = tmp_path / "mine"
    to.mkdir()
    (to / FIRST).write_text("somebody else's", encoding="utf-8")
    if note is not None:
        (to / ".semwork-lessons.json").write_text(note, encoding="utf-8")
    assert copy_lessons(to, source).changed == (FIRST,)
    assert (to / FIRST).read_text() == "somebody else's"


def test_a_file_that_was_changed_back_is_known_again(source, tmp_path):
    to = tmp_path / "mine"
    to.mkdir()
    (to / FIRST).write_bytes((source / FIRST).read_bytes())
    copy_lessons(to, source)
    (source / FIRST).write_text("second", encoding="utf-8")
    assert copy_lessons(to, source).renewed == (FIRST,)


def test_what_cannot_be_is_said(source, tmp_path):
    with pytest.raises(FileNotFoundError, match="install semwork from its wheel"):
        copy_lessons(tmp_path / "mine", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="name a folder for the lessons"):
        copy_lessons(tmp_path / "file", source)
    if os.name != "nt" and os.geteuid():
        (tmp_path / "locked").mkdir(mode=0o500)
        with pytest.raises(PermissionError):
            copy_lessons(tmp_path / "locked", source)


def test_in_a_checkout_the_lessons_are_the_checkouts():
    assert (lessons_folder() / FIRST).is_file()
    assert lessons_folder().name == "notebooks"

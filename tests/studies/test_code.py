"""Origins and copied code: what is written can be run, and gives what was made."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest

from semwork.datasets import load
from semwork.plots import race_figure
from semwork.similarity import RetrievalTask
from semwork.studies import RaceSettings, RetrievalRace, retrieval_task
from semwork.studies.code import Drawn, code_of
from semwork.studies.origin import calling, public_place, written
from semwork.studies.study import Answer, NoAnswer, Study, asked


def test_an_origin_is_code_and_gives_the_same():
    sample = calling(load)("sample")
    made = calling(RetrievalTask).from_set(sample.dictionary, more_texts=sample.documents.texts, min_count=3)
    assert made.code == (
        "RetrievalTask.from_set(load('sample').dictionary, more_texts=load('sample').documents.texts, min_count=3)"
    )
    scope: dict[str, object] = {}
    for module, name in made.imports:
        exec(f"from {module} import {name}", scope)
    assert eval(made.code, scope).training.shape == made.make().training.shape
    assert written("text") == "'text'"
    with pytest.raises(AttributeError):
        made._private  # noqa: B018 - a private name is no part of an origin


def test_the_shortest_public_place_is_imported_from():
    assert public_place(load) == "semwork.datasets"
    assert public_place(RetrievalRace) == "semwork.studies"
    assert public_place(RetrievalTask) == "semwork.similarity"


def test_code_that_is_copied_imports_what_it_uses_and_names_what_is_missing():
    drawn = [
        Drawn(race_figure, "curves", {"axis": "log"}, {"axis": "log"}),
        Drawn(race_figure, "why", instead="there is no such query"),
    ]
    origin = calling(retrieval_task)("sample")
    code = code_of(RetrievalRace, [origin], RaceSettings(models=()), drawn, warm=True)
    assert "study = RetrievalRace(retrieval_task('sample'))" in code
    assert "race_figure(**study.curves(end, axis='log'), axis='log')," in code
    assert "# there is no such query" in code
    assert "# The panel goes on from its last solution" in code
    check = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F,I,E9", "-"]
    checked = subprocess.run(check, input=code, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0c", "\u2028"])
def test_words_in_place_of_a_picture_stay_one_comment_whatever_was_typed(end):
    drawn = [Drawn(race_figure, "why", instead=f"there is no query “foo{end}bar = 1”")]
    code = code_of(RetrievalRace, [calling(retrieval_task)("sample")], RaceSettings(models=()), drawn)
    compile(code, "code", "exec")
    assert "# there is no query “foo bar = 1”\n" in code


def test_a_long_text_that_several_pictures_ask_for_is_written_once():
    long = "a definition of a word that goes on and on until it is longer than a line"
    drawn = [Drawn(race_figure, "why", {"query": long, "candidate": place}) for place in ("1", "2")]
    code = code_of(RetrievalRace, [calling(retrieval_task)("sample")], RaceSettings(models=()), drawn)
    assert code.count(repr(long)) == code.count(f"query = {long!r}\n") == 1
    assert "study.why(end, query=query, candidate='1')" in code


@dataclass(frozen=True, eq=False)
class Two(Answer):
    one: int
    two: int = 2


def test_an_answer_goes_into_a_figure_at_once():
    assert dict(**Two(1)) == {"one": 1, "two": 2}


def test_a_question_says_what_it_asks_of_the_view():
    assert asked(RetrievalRace.why) == ("query", "candidate")
    assert asked(RetrievalRace.on("sample").curves) == ("axis",)
    assert issubclass(NoAnswer, ValueError)


def test_a_study_is_made_on_data_by_name():
    assert RetrievalRace.on("sample").facts["queries"] == RetrievalRace.on().facts["queries"] == 320
    assert not RetrievalRace.on("sample").warm
    with pytest.raises(ValueError, match="there are no data 'wiki'; there are 'sample', 'cdr'"):
        RetrievalRace.on("wiki")
    with pytest.raises(TypeError, match="abstract"):
        Study()

"""Studies on the command line: listed, run with the options that they declare, refused in words."""

from __future__ import annotations

import argparse
import re
import shlex
from dataclasses import dataclass

import pandas as pd
import pytest

from semwork.cli import main
from semwork.similarity import LDAVectors
from semwork.steps import Step, last
from semwork.studies import MissingWords, RaceSettings, RetrievalRace, RetrievalSweep, UnseenWords, retrieval_task
from semwork.studies.commands import all_studies, question_of, reference
from semwork.studies.settings import add_arguments, described

FEW_CELLS = {"w_m": [], "λ": [], "K": [4]}
QUICK = ["--models", "LSA", "--n-components", "5", "--iterations", "2"]


def test_all_studies_are_listed_with_their_questions(capsys):
    assert main(["study"]) == 0
    said = capsys.readouterr().out
    for name, study in all_studies().items():
        assert f"{name} " in said
        assert question_of(study) in said
        assert "?" in question_of(study), f"{name} asks nothing"


def test_a_study_is_run_with_its_options_and_its_table_kept(tmp_path, capsys):
    file = tmp_path / "race.csv"
    assert main(["study", "RetrievalRace", *QUICK, "--save", str(file)]) == 0
    said = capsys.readouterr()
    assert "2 of 4" in said.err
    race = RetrievalRace.on("sample")
    settings = RaceSettings(n_components=5, iterations=2, models=("LSA",))
    expected = race.table(last(race.steps(settings)))
    pd.testing.assert_frame_equal(pd.read_csv(file, comment="#"), expected)
    assert repr(settings) in file.read_text(encoding="utf-8").splitlines()[0]
    assert expected.to_string(index=False) in said.out


def test_what_the_line_does_not_say_is_what_is_good_for_the_data(monkeypatch):
    seen, race = [], RetrievalRace.on("sample")
    monkeypatch.setattr(RetrievalRace, "steps", lambda _, settings: seen.append(settings) or iter(()))
    monkeypatch.setattr(RetrievalRace, "on", lambda **_: race)
    assert main(["study", "RetrievalRace", "--data", "cdr", "--seed", "3"]) == 1, "no step at all"
    good = RaceSettings.good_for("cdr", known=race.facts)
    assert seen == [RaceSettings(**{**vars(good), "seed": 3})]


def test_a_sweep_with_cells_that_fail_prints_the_others_and_ends_as_a_failure(monkeypatch, capsys):
    def fail(*_):
        raise ValueError("no chain today")
        yield

    monkeypatch.setattr(RetrievalSweep, "on", lambda **_: RetrievalSweep(retrieval_task("sample"), FEW_CELLS))
    monkeypatch.setattr(LDAVectors, "steps", fail)
    assert main(["study", "RetrievalSweep", "--n-components", "5", "--iterations", "2", "--seeds", "1"]) == 1
    said = capsys.readouterr()
    assert "1 of 2 cells failed:" in said.err
    assert "ValueError: no chain today" in said.err
    assert "WTMF" in said.out


def test_what_follows_from_a_value_is_a_default_on_the_line_as_in_the_panel(monkeypatch):
    seen, study = [], MissingWords.on("sample")
    monkeypatch.setattr(MissingWords, "on", lambda **_: study)
    monkeypatch.setattr(MissingWords, "steps", lambda _, settings: seen.append(settings.sense) or iter(()))
    for line in ("--definition bank", "--definition bank --sense 2", "--definition loan", ""):
        assert main(["study", "MissingWords", "--data", "WordNet", *line.split()]) == 1, "no step at all"
    main(["study", "MissingWords", "--definition", "bank"])
    assert seen == [4, 2, 1, 1, 1], "in WordNet the bank of the paper's Table 1 is the fourth"


@dataclass(frozen=True, kw_only=True)
class Texts(Step):
    n_texts: int


@pytest.fixture
def asked_for(monkeypatch):
    """What the table of unseen words is asked for on the command line; there are ten texts."""
    seen, study = [], UnseenWords.on("sample")

    def table(self, step, document=0, text="", replaced=0):
        seen.append((document, text, replaced))
        return pd.DataFrame()

    monkeypatch.setattr(UnseenWords, "on", lambda **_: study)
    monkeypatch.setattr(UnseenWords, "steps", lambda *_: iter([Texts(done=1, n_texts=10)]))
    monkeypatch.setattr(UnseenWords, "table", table)
    return seen


def test_what_is_drawn_is_what_is_good_for_the_data_too(asked_for, capsys):
    assert main(["study", "UnseenWords", "--data", "newsgroups"]) == 0
    assert main(["study", "UnseenWords", "--data", "newsgroups", "--document", "7", "--text", "a wolf"]) == 0
    assert main(["study", "UnseenWords"]) == 0
    assert asked_for == [(3, "", 0), (7, "a wolf", 0), (9, "", 4)], "39 is good, but there are only ten texts"
    assert main(["study", "UnseenWords", "--document", "10"]) == 1
    assert "document is 10; here it can be 0 to 9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["Races"], 2, "there is no study 'Races'; there are: "),
        (["RetrievalRace", "--n-components", "1000"], 1, "n_components is 1000; here it can be 2 to 150"),
        (["RetrievalRace", "--models", "PCA"], 1, "models has 'PCA'"),
    ],
)
def test_mistakes_are_told_in_words(options, code, said, capsys):
    assert main(["study", *options]) == code
    assert said in capsys.readouterr().err


def test_wrong_data_are_refused_by_the_parser(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["study", "RetrievalRace", "--data", "mine"])
    assert "invalid choice: 'mine'" in capsys.readouterr().err


def test_the_help_says_symbols_and_defaults(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["study", "RetrievalSweep", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "λ, regularisation: while w_m and K are swept (default: 5.0; values: 0 to 1000)" in said
    assert "the paper's points" not in said, "what is drawn is no option where the table does not ask for it"


DECLARED = [(name, record) for name, study in all_studies().items() for record in (study.settings, study.view)]


@pytest.mark.parametrize(("name", "record"), DECLARED, ids=lambda one: getattr(one, "__name__", one))
def test_every_value_that_the_docs_list_can_be_passed_and_its_label_as_well(name, record):
    parser = argparse.ArgumentParser()
    add_arguments(parser, record)
    for row in described(record).splitlines()[2:]:
        parameter, _, values, *_ = (cell.strip() for cell in row.strip("|").split(" | "))
        one = record.parameters()[parameter.strip("`")]
        option = f"--{one.name.replace('_', '-')}"
        if one.kind in ("real", "whole"):
            words = [word for word in values.split(", in equal")[0].split(" to ") if "what" not in word]
        else:
            words = [word for shown in re.findall("`([^`]+)`", values) for word in shlex.split(shown)]
            words += one.choices if words else []
            assert len(words) == 2 * len(one.choices) or one.kind == "text"
        for word in words:
            one.check(getattr(parser.parse_args([f"{option}={word}"]), one.name))


def test_the_page_of_studies_has_every_parameter():
    page = reference()
    for study in all_studies().values():
        for record in (study.settings, study.view):
            for name in record.parameters():
                assert f"| `{name}` |" in page

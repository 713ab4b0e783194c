"""Studies on the command line: listed, run with the options that they declare, refused in words."""

from __future__ import annotations

import pandas as pd
import pytest

from semwork.cli import main
from semwork.steps import last
from semwork.studies import RaceSettings, RetrievalRace
from semwork.studies.commands import all_studies, question_of, reference

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
    assert "λ, regularisation: while w_m and K are swept (default: 5.0)" in said


def test_the_page_of_studies_has_every_parameter():
    page = reference()
    for study in all_studies().values():
        for record in (study.settings, study.view):
            for name in record.parameters():
                assert f"| `{name}` |" in page

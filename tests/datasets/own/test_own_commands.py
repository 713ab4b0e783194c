"""``semwork data list``, ``add`` and ``remove``."""

from __future__ import annotations

import argparse
import json

import pytest

from semwork.datasets import commands, load, own_data, register


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMWORK_CACHE", str(tmp_path / "cache"))
    parser = argparse.ArgumentParser()
    commands.add_parser(parser.add_subparsers(required=True))

    def go(*words: str) -> int:
        args = parser.parse_args(["data", *map(str, words)])
        return args.run(args)

    return go


@pytest.fixture
def reviews(tmp_path):
    file = tmp_path / "reviews.csv"
    file.write_text("review;stars\ngood food;5\nbad food;1\n;3\ngood fun;5\n")
    return file


def test_add_list_and_remove(run, reviews, capsys):
    assert run("add", reviews, "--kind", "documents", "--column", "label=stars", "--name", "My reviews") == 0
    out = capsys.readouterr().out
    assert "reviews.csv: 3 of 4 rows used, 1 empty" in out
    [own] = own_data()
    assert f"in {own.folder}" in out
    assert "load('My reviews') has it from now on" in out
    assert load("My reviews").label_names == ("1", "5")
    assert run("list") == 0
    out = capsys.readouterr().out
    assert "Your own" in out
    assert "My reviews  documents, 3 rows" in out
    assert run("list", "--json") == 0
    [*_, row] = json.loads(capsys.readouterr().out)
    assert (row["name"], row["kind"], row["rows"]) == ("My reviews", "documents", 3)
    assert run("list", "--markdown") == 0
    assert "My reviews" not in capsys.readouterr().out, "that file belongs to everybody"
    assert run("remove", "my reviews") == 0
    assert own_data() == ()
    assert run("remove", "my reviews") == 2
    assert "there are none" in capsys.readouterr().err
    assert run("list") == 0
    assert "Your own" not in capsys.readouterr().out


def test_a_name_that_is_taken(run, reviews, capsys):
    assert run("add", reviews) == 0
    assert own_data()[0].name == "reviews"
    reviews.write_text("text\none more\n")
    assert run("add", reviews) == 2
    assert "pass replace=True" in capsys.readouterr().err
    assert run("add", reviews, "--replace") == 0
    assert load("reviews").texts == ["one more"]


def test_what_cannot_be_kept(run, tmp_path, capsys):
    empty = tmp_path / "empty.csv"
    empty.write_text("text\n  \n")
    assert run("add", empty) == 1
    unclear = tmp_path / "unclear.csv"
    unclear.write_text("review,body\n" + "\n".join(f"one text {n},other text {n}" for n in range(5)))
    assert run("add", unclear, "--kind", "texts") == 2
    out, err = capsys.readouterr()
    assert "to be decided" in out
    assert "Nothing was kept" in err
    assert run("add", unclear, "--kind", "texts", "--column", "text=body") == 0
    for words, said in {
        ("add", tmp_path / "none.csv"): "there is no file",
        ("add", unclear, "--column", "text"): "write ROLE=COLUMN",
        ("add", unclear, "--column", "text=x"): "there is no column 'x'",
        ("remove", "wordnet"): "only your own data can be removed",
    }.items():
        assert run(*words) == 2
        assert said in capsys.readouterr().err
    assert [own.name for own in own_data()] == ["unclear"]


def test_options_of_a_file(run, tmp_path):
    file = tmp_path / "x.csv"
    file.write_bytes("größe\tx\nkatze\ty\n".encode("cp1252"))
    assert run("add", file, "--delimiter", "tab", "--encoding", "cp1252", "--column", "text=column 1", "--rows", 1) == 0
    assert load("x").texts == ["größe"]


def test_data_in_memory_only_are_listed(run, capsys):
    from semwork.datasets import from_table, remove

    register("for now", from_table(["a text"]), keep=False)
    assert run("list") == 0
    assert "for now  texts, 1 rows\n  in the memory of this process only" in capsys.readouterr().out
    remove("for now")

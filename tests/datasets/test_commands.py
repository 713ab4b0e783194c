from __future__ import annotations

import argparse
import json

import pytest
from conftest import make_zip

from semwork.datasets import commands


@pytest.fixture
def run():
    parser = argparse.ArgumentParser()
    commands.add_parser(parser.add_subparsers(required=True))

    def go(*words: str) -> int:
        args = parser.parse_args(["data", *words])
        return args.run(args)

    return go


@pytest.fixture
def two(shelf, server):
    archive = make_zip({"top/x": b"x" * 1000})
    good = server.put("/good.zip", archive)
    shelf.add_archive("good", "good.zip", archive, {"top/x": b"x" * 1000}, urls=[good])
    shelf.add_files("bad", {"text": b"t"}, {"text": [server.address + "/nothing"]})
    return shelf


def test_fetch_goes_on_after_a_failure(run, two, capsys):
    assert run("fetch", "--all") == 1
    out, err = capsys.readouterr()
    assert "1 of 2 data sets are here; failed: bad" in out
    assert "the server answered 404" in err
    assert "good: ready" in err
    assert run("fetch", "good") == 0


def test_fetch_without_names_or_with_wrong_ones(run, two, capsys):
    assert run("fetch") == 2
    assert run("fetch", "goood") == 2
    assert "Did you mean 'good'" in capsys.readouterr().err


def test_list(run, two, capsys):
    assert run("list") == 0
    out = capsys.readouterr().out
    assert "Get what is missing: semwork data fetch good bad" in out
    run("fetch", "good")
    capsys.readouterr()
    assert run("list") == 0
    out = capsys.readouterr().out
    assert str(two.cache / "good") in out
    assert "semwork data fetch bad" in out
    assert run("list", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["here"] for row in rows] == [True, False]
    assert run("list", "--markdown") == 0
    assert "## good" in capsys.readouterr().out


def test_verify_hashes_again(run, two, capsys):
    run("fetch", "good")
    assert run("verify") == 0
    assert "all good" in capsys.readouterr().out
    assert run("verify", "bad") == 1
    assert "not on this machine" in capsys.readouterr().out
    file = two.cache / "good" / "x"
    stat = file.stat()
    file.write_bytes(b"y" * 1000)
    import os

    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # only hashing again can see this
    assert run("verify", "good") == 1
    assert "another SHA-256" in capsys.readouterr().out
    assert run("verify", "goood") == 2


def test_path(run, two, capsys):
    assert run("path", "good") == 0
    assert capsys.readouterr().out.strip() == str(two.cache / "good")
    assert run("path", "bad") == 1
    assert "How to get it" in capsys.readouterr().err
    assert run("path", "nothing") == 2


def test_verify_of_what_has_no_hashes(run, capsys):
    assert run("verify", "sample", "cdr", "names") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "sample: its files come with the code (data/sample in this repository), nothing to hash"
    assert lines[1] == "cdr: has no files of its own (built from wordnet and gcide), nothing to hash"
    assert lines[2] == "names: has no files of its own (the package babel), nothing to hash"

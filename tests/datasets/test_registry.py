from __future__ import annotations

import re

import pytest

from semwork import datasets
from semwork.datasets import folders, registry


def test_readme_is_generated_from_the_registry():
    root = folders.checkout()
    if root is None:
        pytest.skip("not a checkout")
    text = (root / "data" / "README.md").read_text(encoding="utf-8")
    assert text == registry.markdown(), "run: semwork data list --markdown > data/README.md"


def test_every_data_set_is_complete():
    for data in registry.registered().values():
        assert all([data.title, data.purpose, data.licence, data.citation])
        assert all(need in registry.registered() for need in data.needs)
        if data.kind in {"files", "archive"}:
            assert data.files
            sources = [data.archive] if data.archive else data.files
            for file in [*sources, *data.files]:
                assert re.fullmatch(r"[0-9a-f]{64}", file.sha256)
                assert file.size > 0
            for file in sources:
                assert file.urls or file.package
                assert all(re.search(r"githubusercontent\.com/[^/]+/[^/]+/[0-9a-f]{40}/", url) for url in file.urls)


def test_no_two_files_of_a_set_share_a_path():
    for data in registry.registered().values():
        paths = [file.path for file in data.files]
        assert len(set(paths)) == len(paths)


def test_all_names_of_the_issue_are_there():
    wanted = "wordnet gcide cdr li06 sts2012 msr04 medline newsgroups reuters8 glove brown rte ppdb names sample"
    assert set(wanted.split()) | {"en_core_web_sm"} == set(datasets.names())


def test_unknown_name_suggests():
    with pytest.raises(datasets.UnknownDataSet, match=r"Did you mean 'wordnet'.*There are: sample"):
        datasets.load("wordnt")
    with pytest.raises(KeyError, match="there is no data set 'zzzz'"):
        datasets.available("zzzz")


def test_unknown_option_lists_the_allowed():
    with pytest.raises(TypeError, match="no option 'sed'; it has max_overlap, dev_size, seed"):
        datasets.load("cdr", sed=1)


def test_folder_only_data_set_says_so():
    with pytest.raises(ValueError, match=r"path\('en_core_web_sm'\)"):
        datasets.load("en_core_web_sm")
    with pytest.raises(ValueError, match="built from wordnet and gcide"):
        datasets.path("cdr")


def test_wrong_kind_is_refused():
    text = '[x]\nkind = "magic"\ntitle = ""\npurpose = ""\nlicence = ""\ncitation = ""\n'
    with pytest.raises(ValueError, match="'magic'; allowed are files"):
        registry.parse(text)


def test_places(monkeypatch, tmp_path):
    monkeypatch.setenv("SEMWORK_CACHE", str(tmp_path / "c"))
    monkeypatch.setenv("SEMWORK_DATA", str(tmp_path / "d"))
    assert folders.roots() == [tmp_path / "d", tmp_path / "c"]
    monkeypatch.delenv("SEMWORK_CACHE")
    monkeypatch.delenv("SEMWORK_DATA")
    root = folders.checkout()
    if root:
        assert folders.roots() == [root / "data" / "cache"]
    monkeypatch.setattr(folders, "checkout", lambda: None)
    assert folders.cache_folder().name == "semwork"
    assert folders.registry_file().parent.name == "_data"
    assert folders.sample_folder().name == "sample"


@pytest.mark.parametrize("name", [None, 7, ["wordnet"], b"wordnet"])
def test_a_name_that_is_no_string(name):
    for ask in (datasets.load, datasets.describe, datasets.path, datasets.available, datasets.fetch):
        with pytest.raises(TypeError, match=r"is a string, got .*; give one of: sample, wordnet"):
            ask(name)


def test_options_are_checked_before_anything_is_read():
    for value, error in (("x", TypeError), (None, TypeError), (1.5, ValueError), (float("nan"), ValueError)):
        with pytest.raises(error, match=r"max_overlap is .*; allowed is a share, a number from 0 to 1"):
            datasets.load("cdr", max_overlap=value)
    with pytest.raises(ValueError, match=r"seed is -1; allowed is a whole number from 0"):
        datasets.load("cdr", seed=-1)
    with pytest.raises(ValueError, match=r"variant is \['r8'\]; allowed are"):
        datasets.load("reuters8", variant=["r8"])

"""A corpus comes back from its file as it was."""

from __future__ import annotations

import re
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from semwork.text import Analyzer, Corpus, Lemmatizer, Stemmer, set_default_source
from semwork.text import lemma as lemma_module

TEXTS = [
    "A cat and a dog.",
    "The dog barks at λ, 𝒳 and é.",
    "",
    "Cats sleep; dogs bark.",
    "half a pair: \ud83d",
    "a\0b",
]
NEW = ["a new cat barks", "nothing known", "", "the dog sleeps and a cat"]
ANALYZERS = [
    "word",
    "stem",
    Stemmer("english"),
    Stemmer("english", pattern=r"[a-z]+", lowercase=False),
    Analyzer(lowercase=False),
    Analyzer(pattern=re.compile(r"C \w+ | d\w+", re.VERBOSE | re.IGNORECASE)),
]


def letters(text):
    return list(text)


def assert_same(again, corpus):
    assert again.texts == corpus.texts
    assert again.vocabulary.tolist() == corpus.vocabulary.tolist()
    assert not again.vocabulary.flags.writeable
    assert again.columns == corpus.columns
    for name in ("counts", "matrix"):
        ours, theirs = getattr(again, name), getattr(corpus, name)
        assert ours.shape == theirs.shape
        for part in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part), strict=True)
    for name in ("min_count", "weighting", "normalize", "stop_words", "ngram_range"):
        assert getattr(again, name) == getattr(corpus, name)
    assert repr(again.analyzer) == repr(corpus.analyzer)
    assert (again.transform(NEW) != corpus.transform(NEW)).nnz == 0
    assert repr(again) == repr(corpus)


@pytest.mark.parametrize("analyzer", ANALYZERS, ids=repr)
@pytest.mark.parametrize("options", [{}, {"ngram_range": (1, 2), "stop_words": True}, {"ngram_range": (2, 3)}], ids=str)
def test_all_settings_come_back(analyzer, options, tmp_path):
    corpus = Corpus.from_texts(TEXTS * 2, analyzer, weighting="log", normalize=True, min_count=2, **options)
    assert_same(Corpus.load(corpus.save(tmp_path / "corpus.npz")), corpus)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(max_size=12), min_size=1, max_size=6),
    st.sampled_from([(1, 1), (1, 2), (2, 3)]),
    st.sampled_from(["count", "log"]),
)
def test_any_texts_come_back(tmp_path, texts, ngram_range, weighting):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            corpus = Corpus.from_texts(texts, min_count=1, ngram_range=ngram_range, weighting=weighting)
        except ValueError:
            assume(False)
    assert_same(Corpus.load(corpus.save(tmp_path / "corpus.npz")), corpus)


def test_nothing_is_pickled(tmp_path):
    path = Corpus.from_texts(TEXTS, min_count=np.int64(1), ngram_range=(1, np.int64(2))).save(tmp_path / "corpus.npz")
    with np.load(path, allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)
    with zipfile.ZipFile(path) as file:
        assert sum(entry.file_size for entry in file.infolist()) < 20_000


def test_an_analyzer_of_ones_own_is_given_again(tmp_path):
    corpus = Corpus.from_texts(TEXTS, letters, min_count=1)
    path = corpus.save(tmp_path / "corpus.npz")
    with pytest.raises(ValueError, match=r"analyzer of your own, 'letters', .*give it again: load\(path, analyzer=…\)"):
        Corpus.load(path)
    with pytest.raises(ValueError, match=r"'split' reads the first texts otherwise .*the one that it was made with"):
        Corpus.load(path, analyzer=str.split)
    assert_same(Corpus.load(path, analyzer=letters), corpus)


def test_an_analyzer_that_the_file_knows_is_not_given_again(tmp_path):
    path = Corpus.from_texts(TEXTS, "stem", min_count=1).save(tmp_path / "corpus.npz")
    with pytest.raises(ValueError, match=r"read by 'stem'; leave analyzer out"):
        Corpus.load(path, analyzer="word")


def test_words_that_are_read_otherwise_today_are_told(tmp_path, monkeypatch):
    path = Corpus.from_texts(TEXTS, min_count=1).save(tmp_path / "corpus.npz")
    monkeypatch.setattr(Analyzer, "base", lambda _, word: word[:2])
    with pytest.warns(UserWarning, match=r"otherwise than when the corpus was saved.*Make it again"):
        Corpus.load(path)


def wordnet(folder, cats):
    """Write the few lines of WordNet's files that a lemmatizer needs."""
    for part in lemma_module.PARTS_OF_SPEECH:
        (folder / f"index.{part}").write_text("cat n 1\ndog n 1\nfeline n 1\n")
        (folder / f"{part}.exc").write_text(f"cats {cats}\n")
    (folder / "cntlist.rev").write_text("")
    return folder


@pytest.fixture
def own_wordnet(tmp_path):
    before = lemma_module._default_source
    (tmp_path / "wordnet").mkdir()
    set_default_source(lambda: wordnet(tmp_path / "wordnet", "feline"))
    yield
    set_default_source(before)


@pytest.mark.usefixtures("own_wordnet")
def test_the_lemmatizer_is_found_again_and_one_of_ones_own_is_not(tmp_path):
    corpus = Corpus.from_texts(TEXTS, "lemma", min_count=1)
    assert "feline" in corpus.vocabulary
    path = corpus.save(tmp_path / "corpus.npz")
    assert_same(Corpus.load(path), corpus)
    set_default_source(None)
    with pytest.raises(LookupError, match="needs the WordNet files"):
        Corpus.load(path)
    own = Lemmatizer({"noun": {"cats": ["cat"]}}, {"noun": ["cat", "dog"]}, {})
    corpus = Corpus.from_texts(TEXTS, own, min_count=1)
    path = corpus.save(tmp_path / "corpus.npz")
    with pytest.raises(ValueError, match=r"analyzer of your own, 'lemma'"):
        Corpus.load(path)
    assert_same(Corpus.load(path, analyzer=own), corpus)


def test_mistakes_are_told_in_words(tmp_path):
    corpus = Corpus.from_texts(TEXTS, min_count=1)
    with pytest.raises(ValueError, match=r"ending '\.pkl'; a Corpus is saved as \.npz"):
        corpus.save(tmp_path / "corpus.pkl")
    np.savez(tmp_path / "other.npz", a=np.ones(2))
    with pytest.raises(ValueError, match="not a saved model"):
        Corpus.load(tmp_path / "other.npz")

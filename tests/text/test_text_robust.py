"""Strange input: it works, or the message says what was given, what is allowed and what to do."""

import time
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest

from semwork.text import Analyzer, Corpus


def test_empty_texts_and_texts_without_a_known_word_are_empty_rows():
    corpus = Corpus.from_texts(["cat dog", "", "cat", "!?", "zebra", "dog"])
    assert corpus.vocabulary.tolist() == ["cat", "dog"]
    assert np.diff(corpus.matrix.indptr).tolist() == [2, 0, 1, 0, 0, 1]
    assert corpus.transform(["", "unknown words", "🐈"]).nnz == 0
    unit = corpus.reweighted("tfidf", normalize=True).matrix
    np.testing.assert_allclose(np.sqrt((unit**2).sum(axis=1)), [1, 0, 1, 0, 0, 1])


def test_one_document():
    corpus = Corpus.from_texts(["dog dog cat"], weighting="count")
    assert corpus.matrix.toarray().tolist() == [[2.0]]
    with pytest.warns(UserWarning, match=r"all weights are 0.*weighting='count'"):
        assert Corpus.from_texts(["dog dog cat"]).matrix.nnz == 0


def test_a_warning_points_at_the_caller():
    with pytest.warns(UserWarning, match="all weights") as caught:
        Corpus.from_texts(["dog dog"])
    assert caught[0].filename == __file__


def test_duplicate_documents():
    corpus = Corpus.from_texts(["a cat"] * 3 + ["a dog"] * 2)
    assert np.array_equal(corpus.matrix.toarray()[0], corpus.matrix.toarray()[2])
    assert corpus.document_frequency.tolist() == [5, 3, 2]


def test_any_iterable_of_strings_will_do():
    texts = ["a cat", "a dog", "the cat"]
    wanted = Corpus.from_texts(texts, weighting="count").matrix.toarray()
    for given in (tuple(texts), (t for t in texts), pd.Series(texts), np.array(texts), np.array(texts, dtype=object)):
        assert np.array_equal(Corpus.from_texts(given, weighting="count").matrix.toarray(), wanted)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one text", r"got one str 'one text': write \[text\]"),
        (b"one text", r"got one bytes b'one text'"),
        (None, r"got None \(NoneType\)"),
        (7, r"got 7 \(int\)"),
        ({"a": "text"}, r"got a dict.*mapping\.values"),
        (pd.DataFrame({"text": ["a"]}), r"got a DataFrame.*table\['text'\]"),
        (["a", None], r"text number 1 \(from 0\) is None: leave it out"),
        (["a", "b", 3.5], r"text number 2 \(from 0\) is 3.5 \(float\).*str\(value\)"),
        ([b"a"], r"text number 0 \(from 0\) is b'a' \(bytes\): decode it"),
        (pd.Series(["a", float("nan")], dtype=object), r"text number 1 \(from 0\) is nan"),
        ([["a", "b"]], r"text number 0 \(from 0\) is \['a', 'b'\] \(list\)"),
    ],
)
def test_what_is_no_list_of_texts_is_explained(texts, message):
    with pytest.raises(TypeError, match=message):
        Corpus.from_texts(texts)
    with pytest.raises(TypeError, match=message):
        Corpus.from_texts(["cat", "cat dog"], weighting="count").transform(texts)


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        ([], {}, "there are no documents"),
        (iter([]), {}, "there are no documents"),
        (["", "  ", "!?"], {}, r"no word was found in the 3 texts"),
        (["the", "of"], {"stop_words": True}, r"no word was found in the 2 texts.*stop words"),
        (
            ["cat dog cat", "cat"],
            {"min_count": 9},
            r"min_count=9 leaves no term.*'cat', occurs 3 times; give min_count=3",
        ),
        (["cat"], {}, r"min_count=2 leaves no term.*'cat', occurs 1 time; give min_count=1"),
        (["a b", "b a"], {"ngram_range": (2, 2)}, r"no run of 2 to 2 terms occurs min_count = 2 times"),
        (["a"], {"min_count": 1, "ngram_range": (2, 3)}, r"no run of 2 to 3 terms"),
        (["a"], {"min_count": 0}, r"min_count must be a whole number from 1, got 0"),
        (["a"], {"min_count": 1.5}, r"got 1.5"),
        (["a"], {"min_count": True}, r"got True"),
        (["a"], {"ngram_range": (2, 1)}, r"ngram_range must be two whole numbers.*got \(2, 1\)"),
        (["a"], {"ngram_range": (0, 1)}, r"got \(0, 1\)"),
        (["a"], {"ngram_range": 2}, r"got 2"),
        (["a"], {"ngram_range": (1, 2, 3)}, r"got \(1, 2, 3\)"),
        (["a"], {"ngram_range": (1, 2.0)}, r"got \(1, 2.0\)"),
        (["a"], {"weighting": ["x"]}, r"weighting must be one of 'tfidf', 'log', 'count', got \['x'\]"),
        (["a"], {"weighting": None}, r"weighting must be one of .*, got None"),
        (["a"], {"weighting": "bm25"}, r"weighting must be one of 'tfidf', 'log', 'count', got 'bm25'"),
    ],
)
def test_settings_that_cannot_work_are_explained(texts, options, message):
    with pytest.raises(ValueError, match=message):
        Corpus.from_texts(texts, **options)


def test_mistaken_settings_are_found_before_the_texts_are_read():
    def endless():
        while True:
            yield "text"

    with pytest.raises(ValueError, match="min_count"):
        Corpus.from_texts(endless(), min_count=-1)


@pytest.mark.slow
@pytest.mark.parametrize("word", ["wörter", "words"])
def test_a_document_of_ten_megabytes_in_bounded_memory(word):
    text = " ".join(f"{word}{i % 5000}" for i in range(1_050_000))
    assert len(text) > 9_000_000
    small = f"{word}1 {word}1 {word}7 other"
    tracemalloc.start()
    started = time.perf_counter()
    corpus = Corpus.from_texts([small, text, small], weighting="count")
    seconds = time.perf_counter() - started
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(corpus.vocabulary) == 5001
    assert corpus.counts.sum() == 1_050_000 + 8
    assert corpus.counts[[1], :][:, [corpus.columns[f"{word}1"]]].toarray() == 210
    assert peak < 80e6  # one list of all words alone would be over 60 bytes × 1,050,000 words
    assert seconds < 30  # with tracing, on a busy machine; about a tenth of that is usual


@pytest.mark.parametrize("analyzer", ["word", "stem"])
def test_a_long_document_without_any_space(analyzer):
    started = time.perf_counter()
    corpus = Corpus.from_texts(["x" * 3_000_000, "x" * 3_000_000], analyzer, weighting="count")
    assert corpus.matrix.shape == (2, 1)
    assert time.perf_counter() - started < 2


def test_a_hundred_thousand_tiny_documents():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        corpus = Corpus.from_texts(f"word{i % 100}" if i % 3 else "" for i in range(100_000))
    assert corpus.matrix.shape == (100_000, 100)
    assert corpus.counts.sum() == 66_666


def test_a_pattern_may_match_across_white_space_in_long_texts():
    text = "new york " * 200_000
    corpus = Corpus.from_texts([text], Analyzer(pattern=r"new\s+york"), weighting="count")
    assert corpus.counts.toarray().tolist() == [[200_000]]

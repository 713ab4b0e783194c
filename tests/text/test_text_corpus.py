"""The corpus against brute force, against formulas and against scikit-learn."""

import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

from semwork.text import Analyzer, Corpus, Stemmer, term_weights
from semwork.text import encode as encode_module

WORDS = ["a", "b", "cat", "cats", "dog", "don't", "é", "नमस्ते", "x1", "the"]
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
documents = st.lists(st.one_of(sentences, st.text(max_size=15)), min_size=1, max_size=8)
ranges = st.sampled_from([(1, 1), (1, 2), (2, 2), (1, 3), (3, 4)])


def build(texts, **options):
    """Make a corpus, or give the example up when no term is left."""
    options.setdefault("weighting", "count")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            return Corpus.from_texts(texts, **options)
        except ValueError:
            assume(False)


def brute_force(texts, analyzer, min_count, ngram_range):
    """Count with Counters and strings only."""
    rows = []
    for text in texts:
        tokens = analyzer(text)
        rows.append(
            Counter(
                " ".join(tokens[i : i + n])
                for n in range(ngram_range[0], ngram_range[1] + 1)
                for i in range(len(tokens) - n + 1)
            )
        )
    total = sum(rows, Counter())
    vocabulary = sorted(term for term, count in total.items() if count >= min_count)
    return vocabulary, np.array([[row[term] for term in vocabulary] for row in rows]).reshape(len(texts), -1)


def assert_well_formed(matrix, shape):
    """Assert a canonical CSR array: sorted, no duplicates, no stored zeros, finite."""
    assert isinstance(matrix, sparse.csr_array)
    assert matrix.shape == shape
    for row in range(shape[0]):
        indices = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
        assert np.all(np.diff(indices) > 0)
    assert np.all(np.isfinite(matrix.data))
    assert np.all(matrix.data > 0)


def equal(left, right):
    return left.shape == right.shape and np.array_equal(left.toarray(), right.toarray())


@given(documents, st.integers(1, 3), ranges, st.sampled_from([Analyzer(), Stemmer()]))
def test_counts_are_those_of_a_brute_force_counter(texts, min_count, ngram_range, analyzer):
    vocabulary, counts = brute_force(texts, analyzer, min_count, ngram_range)
    options = {"analyzer": analyzer, "min_count": min_count, "ngram_range": ngram_range, "weighting": "count"}
    if not vocabulary:
        with pytest.raises(ValueError, match=r"no word|leaves no term|no run of"):
            Corpus.from_texts(texts, **options)
        return
    corpus = Corpus.from_texts(texts, **options)
    assert corpus.vocabulary.tolist() == vocabulary
    assert np.array_equal(corpus.counts.toarray(), counts)
    assert np.array_equal(corpus.matrix.toarray(), counts)
    assert np.array_equal(corpus.document_frequency, (counts > 0).sum(axis=0))
    assert corpus.columns == {term: column for column, term in enumerate(vocabulary)}
    assert_well_formed(corpus.counts, counts.shape)


weightings = st.sampled_from(["tfidf", "log", "count"])


@given(documents, documents, ranges, weightings, st.booleans(), st.sampled_from([False, True, ["cat", "b"]]))
def test_transform_gives_the_matrix_again_and_knows_no_new_columns(
    texts, others, ngram_range, weighting, normalize, stop_words
):
    corpus = build(
        texts, ngram_range=ngram_range, weighting=weighting, normalize=normalize, stop_words=stop_words, min_count=1
    )
    assert equal(corpus.transform(iter(texts)), corpus.matrix)
    new = corpus.transform(others)
    assert_well_formed(new, (len(others), len(corpus.vocabulary)))
    together = corpus.transform(texts + others)
    assert equal(together, sparse.csr_array(sparse.vstack([corpus.matrix, new])))
    assert_well_formed(corpus.transform([]), (0, len(corpus.vocabulary)))


@given(documents, ranges, st.integers(1, 3))
def test_transform_with_rare_words_between(texts, ngram_range, min_count):
    corpus = build(texts, ngram_range=ngram_range, min_count=min_count)
    assert equal(corpus.transform(texts), corpus.matrix)


def test_an_unknown_word_keeps_its_place_between_neighbours_and_a_stop_word_does_not():
    texts = ["new york", "new york", "new rare york", "new the york"]
    corpus = Corpus.from_texts(texts, stop_words=["the"], ngram_range=(2, 2), weighting="count")
    assert corpus.vocabulary.tolist() == ["new york"]
    assert corpus.matrix.toarray().ravel().tolist() == [1, 1, 0, 1]
    assert corpus.transform([*texts, "new unknown york"]).toarray().ravel().tolist() == [1, 1, 0, 1, 0]


@given(st.data(), documents, ranges, weightings)
def test_permuted_documents_permute_rows(data, texts, ngram_range, weighting):
    corpus = build(texts, ngram_range=ngram_range, weighting=weighting)
    order = data.draw(st.permutations(range(len(texts))))
    permuted = build([texts[i] for i in order], ngram_range=ngram_range, weighting=weighting)
    assert permuted.vocabulary.tolist() == corpus.vocabulary.tolist()
    assert np.array_equal(permuted.matrix.toarray(), corpus.matrix.toarray()[list(order)])


@given(documents, documents)
def test_joined_texts_have_the_sum_of_the_counts(left, right):
    corpus = build(left + right, min_count=1)
    pairs = list(zip(left, right, strict=False))
    joined = corpus.transform([f"{a} {b}" for a, b in pairs])
    added = corpus.transform([a for a, _ in pairs]) + corpus.transform([b for _, b in pairs])
    assert np.array_equal(joined.toarray(), added.toarray())


@given(documents, st.integers(2, 4))
def test_a_corpus_repeated_has_the_same_idf_in_log_weighting(texts, times):
    once = build(texts, weighting="log", min_count=1)
    again = build(texts * times, weighting="log", min_count=1)
    np.testing.assert_allclose(once.term_weights, again.term_weights, rtol=1e-12, atol=1e-15)
    assert again.counts.sum() == times * once.counts.sum()


@given(documents, st.booleans(), st.integers(1, 2))
def test_weights_are_the_papers_formulas(texts, normalize, min_count):
    counted = build(texts, min_count=min_count)
    tf = counted.counts.toarray().astype(float)
    n, df = len(texts), (tf > 0).sum(axis=0)
    expected = {
        "tfidf": tf * np.where(df < n, np.log(n / (df + 1)), 0),
        "log": np.log(1 + tf) * np.log(n / df),
        "count": tf,
    }
    for weighting, dense in expected.items():
        lengths = np.linalg.norm(dense, axis=1, keepdims=True)
        wanted = np.divide(dense, lengths, out=np.zeros_like(dense), where=lengths > 0) if normalize else dense
        corpus = counted.reweighted(weighting, normalize=normalize)
        np.testing.assert_allclose(corpus.matrix.toarray(), wanted, rtol=1e-12, atol=1e-15)
        assert_well_formed(corpus.matrix, tf.shape)
        assert corpus.matrix.dtype == np.float64
        direct = build(texts, min_count=min_count, weighting=weighting, normalize=normalize)
        assert equal(direct.matrix, corpus.matrix)


def test_idf_by_hand():
    df = np.array([1, 2, 9, 10])
    np.testing.assert_allclose(term_weights(df, 10, "tfidf"), [np.log(5), np.log(10 / 3), 0, 0])
    np.testing.assert_allclose(term_weights(df, 10, "log"), [np.log(10), np.log(5), np.log(10 / 9), 0])
    np.testing.assert_allclose(term_weights(df, 10, "count"), 1)
    with pytest.raises(ValueError, match=r"one of 'tfidf', 'log', 'count', got 'bm25'"):
        term_weights(df, 10, "bm25")


@given(documents, st.sampled_from([(1, 1), (1, 2), (2, 3)]))
def test_the_same_as_scikit_learn_with_the_same_token_rule(texts, ngram_range):
    pattern = r"(?u)\b\w\w+\b"
    ascii_texts = [text.encode("ascii", "ignore").decode() for text in texts]
    corpus = build(ascii_texts, analyzer=Analyzer(pattern=pattern), min_count=1, ngram_range=ngram_range)
    peer = CountVectorizer(token_pattern=pattern, ngram_range=ngram_range)
    counts = peer.fit_transform(ascii_texts)
    assert corpus.vocabulary.tolist() == peer.get_feature_names_out().tolist()
    assert np.array_equal(corpus.counts.toarray(), counts.toarray())


@given(documents, ranges)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_small_blocks_change_nothing(monkeypatch, texts, ngram_range):
    whole = build(texts, ngram_range=ngram_range)
    with monkeypatch.context() as patch:
        patch.setattr(encode_module, "_BLOCK_CHARACTERS", 3)
        patch.setattr(encode_module, "_BLOCK_TOKENS", 2)
        cut = build(texts, ngram_range=ngram_range)
    assert cut.vocabulary.tolist() == whole.vocabulary.tolist()
    assert equal(cut.counts, whole.counts)


def test_a_term_with_a_space_in_it_and_the_same_pair_share_a_column():
    def analyzer(text):
        return text.split("|")

    corpus = Corpus.from_texts(["a|b|a b", "a b"], analyzer, min_count=1, ngram_range=(1, 2), weighting="count")
    assert corpus.vocabulary.tolist() == ["a", "a b", "b", "b a b"]
    assert corpus.counts.toarray().tolist() == [[1, 2, 1, 1], [0, 1, 0, 0]]


def test_tokens_and_names():
    corpus = Corpus.from_texts(["the cat", "a cat", "dogs"], "stem", stop_words=True, weighting="log")
    assert corpus.tokens("The cats and the zebras!") == ["cat", "zebra"]
    assert len(corpus) == 3
    assert corpus.texts == ["the cat", "a cat", "dogs"]
    assert corpus.vocabulary[[0]].tolist() == ["cat"]
    with pytest.raises(ValueError, match="read-only"):
        corpus.vocabulary[0] = "dog"
    with pytest.raises(TypeError, match=r"one text.*got \['a'\] \(list\)"):
        corpus.tokens(["a"])


def test_repr_and_html():
    texts = ["<b>cat</b> & dog", "cat dog " * 100, "cat", "שלום שלום"]
    corpus = Corpus.from_texts(texts, stop_words=["b"], normalize=True, ngram_range=(1, 2))
    assert repr(corpus).startswith("Corpus(4 documents × 5 terms, ")
    assert "normalize=True, stop_words=1, ngram_range=(1, 2))" in repr(corpus)
    html = corpus._repr_html_()
    assert "&lt;b&gt;cat&lt;/b&gt; &amp; dog" in html
    assert "<b>cat" not in html
    assert "<bdi>" in html
    assert "…" in html

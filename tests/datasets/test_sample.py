"""The sample is good enough to teach with."""

from __future__ import annotations

from collections import Counter

import pytest

from semwork.datasets import folders, load
from semwork.datasets.cdr import overlap

pytestmark = pytest.mark.data("sample")


@pytest.fixture(scope="module")
def data():
    return load("sample")


def test_dictionary(data):
    pairs = data.dictionary
    assert len(pairs) >= 300
    assert pairs.query_table["domain"].nunique() >= 12
    assert (pairs.candidate_table["source"] == "distractor").sum() >= 300
    assert {str(s) for s in pairs.split} == {"dev", "test"}


def test_documents(data):
    documents = data.documents
    assert len(documents) >= 400
    assert len(documents.label_names) == 8
    assert min(Counter(documents.labels.tolist()).values()) >= 40


def test_no_near_copies(data):
    pairs = data.dictionary
    shares = [overlap(q, pairs.candidates[rows[0]]) for q, rows in zip(pairs.queries, pairs.targets, strict=True)]
    worst = [(pairs.query_table["headword"][i], round(s, 2)) for i, s in enumerate(shares) if s > 0.5]
    assert worst == []


def test_pairs_are_spread_evenly_over_scores_groups_and_splits(data):
    pairs = data.pairs
    assert len(pairs) >= 100
    cells = Counter(zip(pairs.group.tolist(), pairs.split.tolist(), pairs.scores.tolist(), strict=True))
    assert len(cells) == 3 * 2 * 6
    assert set(cells.values()) == {5}
    assert len(set(zip(pairs.left, pairs.right, strict=True))) == len(pairs)


def test_no_sentence_of_a_pair_is_among_the_training_texts(data):
    assert set(data.pairs.texts).isdisjoint(data.texts)


def test_pairs_cannot_be_judged_by_shared_words_alone(data):
    pairs = data.pairs
    shares = [overlap(left, right) for left, right in zip(pairs.left, pairs.right, strict=True)]
    similar = [share for share, score in zip(shares, pairs.scores, strict=True) if score >= 4]
    apart = [share for share, score in zip(shares, pairs.scores, strict=True) if 1 <= score <= 2]
    assert sum(share <= 0.25 for share in similar) >= 0.4 * len(similar)
    assert max(apart) > 0.5


def test_most_words_of_the_pairs_are_known_from_the_texts(data):
    from semwork.text import Corpus

    corpus = Corpus.from_texts(data.texts, analyzer="stem", stop_words=True)
    words = [word for text in data.pairs.texts for word in corpus.tokens(text)]
    assert sum(word in corpus.columns for word in words) > 0.85 * len(words)


def test_no_text_twice(data):
    assert [text for text, count in Counter(data.texts).items() if count > 1] == []


def test_plain_ascii():
    for file in folders.sample_folder().glob("*.tsv"):
        assert file.read_bytes().isascii(), file.name

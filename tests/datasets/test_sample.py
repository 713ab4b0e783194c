"""The sample is good enough to teach with."""

from __future__ import annotations

from collections import Counter

import pytest

from semwork.datasets import load, places
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


def test_no_text_twice(data):
    assert [text for text, count in Counter(data.texts).items() if count > 1] == []


def test_plain_ascii():
    for file in places.sample_folder().glob("*.tsv"):
        assert file.read_bytes().isascii(), file.name

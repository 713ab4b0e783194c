"""Synonyms for words that a corpus has: not seen, of the same part of speech, with a vector."""

from __future__ import annotations

import pytest

from semwork.experiments import synonyms
from semwork.experiments.synonyms import replace_words, substitutes
from semwork.text.lemma import Lemmatizer


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """A dictionary of a few words."""
    lemmas = {"noun": {"car", "auto", "motorcar", "railcar", "run"}, "verb": {"run", "race", "walk"}, "adj": {"fast"}}
    senses = {
        ("car", "n"): [("car", "auto", "motorcar", "motor car"), ("car", "railcar")],
        ("run", "n"): [("run", "streak")],
        ("run", "v"): [("run", "race"), ("run", "Be")],
    }
    monkeypatch.setattr(synonyms, "_lemmatizer", lambda: Lemmatizer({}, lemmas, {}))
    monkeypatch.setattr(synonyms, "_senses", lambda: senses)
    monkeypatch.setattr(
        synonyms, "parts_of_speech", lambda: {"run": "v", "of": "", "fast": "r", "dash": "n", "speed": "v"}
    )
    monkeypatch.setattr(synonyms, "_paraphrases", lambda: {"run": ["run", "dash", "walk", "speed"], "of": ["from"]})


def test_the_most_frequent_sense_comes_first_and_a_word_is_no_synonym_of_itself():
    assert synonyms.wordnet_synonyms("car") == ["auto", "motorcar", "motor car", "railcar"]
    assert synonyms.wordnet_synonyms("cars") == ["auto", "motorcar", "motor car", "railcar"], "through the base form"


def test_synonyms_have_the_words_part_of_speech():
    assert synonyms.wordnet_synonyms("run") == ["race", "be"], "in Brown it is a verb"
    assert synonyms.ppdb_synonyms("run") == ["walk", "speed"], "dash is a noun in Brown; WordNet has walk as a verb"
    assert synonyms.wordnet_synonyms("of") == synonyms.ppdb_synonyms("of") == []
    assert synonyms.wordnet_synonyms("blorp") == synonyms.ppdb_synonyms("blorp") == []


def test_a_substitute_was_not_seen_has_a_vector_and_is_one_word_with_a_meaning():
    known = {"auto", "motorcar", "motor car", "railcar", "be", "race"}
    words = ["car", "run", "of"]
    assert substitutes(words, "WordNet", {"auto"}, known) == {"car": "motorcar", "run": "race"}
    assert substitutes(words, "WordNet", {"auto", "motorcar", "race"}, known) == {"car": "railcar"}, "'be' says nothing"
    assert substitutes(words, "WordNet", set(), {"motor car"}) == {}
    assert substitutes(words, "PPDB", {"walk"}, {"walk", "speed"}) == {"run": "speed"}


def test_words_are_replaced_up_to_a_share_with_all_their_tokens():
    documents = [["a", "b", "c"], ["a", "a", "d"], ["e", "b", "f", "g"]]
    pairs = {word: word.upper() for word in "abcdef"}
    for seed in range(5):
        found = replace_words(documents, pairs, share=0.4, seed=seed)
        flat = [word for words in found.documents for word in words]
        changed = {word.lower() for word in flat if word.isupper()}
        assert found.share == sum(word.isupper() for word in flat) / 10 <= 0.4
        assert len(changed) == found.words
        assert not changed & set(flat), "a word is replaced everywhere or nowhere"
        assert [[word.lower() for word in words] for words in found.documents] == documents
    assert replace_words(documents, pairs).share == 0.9, "g has no synonym"
    assert documents[0] == ["a", "b", "c"], "what was given stays"
    assert replace_words([[]], pairs).share == 0

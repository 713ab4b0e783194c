"""Parsed sentences: punctuation goes, heads follow, and what was parsed once is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from semwork import sources
from semwork.structures.tasks import parsing
from semwork.structures.tasks.parsing import load_parser, parse, parse_steps


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setattr(parsing.folders, "cache_folder", lambda: tmp_path)


TEXTS = ["The old dog quickly ate, quietly.", "Nobody in Paris saw 3 cats."]


@pytest.mark.data("en_core_web_sm")
def test_real_sentences_become_graphs_and_are_kept(monkeypatch):
    pytest.importorskip("spacy", reason="spaCy is not installed (extra nlp)")
    monkeypatch.undo()  # the model comes from the real cache
    parser = load_parser()
    monkeypatch.setattr(parsing.folders, "cache_folder", lambda: pytest.fail("looked into the cache"))
    one, two = (parsing._read(document) for document in parser.pipe(TEXTS))
    assert one.words == ("the", "old", "dog", "quickly", "ate", "quietly")
    assert one.lemmas[4] == "eat"
    assert one.pos == ("DET", "ADJ", "NOUN", "ADV", "VERB", "ADV")
    assert one.heads[2] == 4
    assert one.heads[4] == -1
    assert (2, 0) in one.edges
    assert two.names[2] == "GPE"


class CountingParser:
    """Words by blanks, all depending on the first: enough of spaCy's interface for the cache."""

    def __init__(self):
        self.meta = {"lang": "xx", "name": "counting", "version": "1"}
        self.parsed = 0

    def pipe(self, texts, batch_size):
        for text in texts:
            self.parsed += 1
            tokens = [Token(place, word) for place, word in enumerate(text.split())]
            for token in tokens:
                token.head = tokens[0]
            yield tokens


class Token:
    is_space = False
    pos_ = "NOUN"
    dep_ = "dep"
    ent_type_ = ""

    def __init__(self, place, word):
        self.i, self.lower_, self.lemma_ = place, word.lower(), word.lower()
        self.is_punct = word in ",."


def test_a_model_of_ones_own_parses_once():
    parser = CountingParser()
    texts = ["Dogs sleep , cats run", "Yes"]
    first = parse(texts, parser)
    assert first[0].words == ("dogs", "sleep", "cats", "run")
    assert first[0].heads == (-1, 0, 0, 0)
    again = parse(texts, parser)
    assert parser.parsed == 2, "the second time comes from the cache"
    assert [vars(one) for one in again] == [vars(one) for one in first]


def test_sentences_are_parsed_again_when_the_code_that_reads_them_has_changed(monkeypatch):
    before = parsing._place(TEXTS, "")
    read = Path.read_bytes

    def other(path):
        content = read(path)
        return content.replace(b"token.lemma_.lower()", b"token.lemma_") if path == Path(parsing.__file__) else content

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", other)
        sources.forget()
        after = parsing._place(TEXTS, "")
    sources.forget()
    assert after != before == parsing._place(TEXTS, "")


def test_long_work_comes_in_steps():
    steps = list(parse_steps([f"word {number}" for number in range(600)], CountingParser()))
    assert [step.done for step in steps] == [256, 512, 600]
    assert len(steps[-1].parsed) == 600


def test_empty_sentences_are_refused():
    with pytest.raises(ValueError, match="sentence 2 of 2 is empty"):
        parse(["yes", "  "], CountingParser())
    with pytest.raises(ValueError, match=r"sentence 1 \('\.'\) has no words"):
        parse(["."], CountingParser())


def test_without_spacy_the_task_says_what_to_install(monkeypatch):
    load_parser.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ImportError, match=r"pip install 'semwork\[nlp\]'"):
        load_parser()

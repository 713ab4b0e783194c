"""What a file keeps of a corpus, and how the corpus comes back from it."""

from __future__ import annotations

import re
from typing import Any

from scipy import sparse

from semwork.model_files import pack_texts, unpack_texts
from semwork.text.analyzers import Analyzer, Stemmer
from semwork.text.choice import AnalyzerLike, choose_analyzer
from semwork.text.counting import Counted, named_columns
from semwork.text.lemma import Lemmatizer, default_lemmatizer
from semwork.text.ngrams import NGrams

__all__ = ["analyzer_from", "analyzer_head", "counted_arrays", "counted_from"]


def analyzer_head(analyzer: Analyzer) -> dict[str, Any]:
    """Return an analyzer as JSON can keep it; of one that is not ours, only the name."""
    head: dict[str, Any] = {"kind": "own", "name": analyzer.name}
    if type(analyzer) in (Analyzer, Stemmer):
        head = {"kind": analyzer.name, "lowercase": analyzer.lowercase, "pattern": None}
        if analyzer.pattern is not None:
            head["pattern"] = [analyzer.pattern.pattern, analyzer.pattern.flags]
        if isinstance(analyzer, Stemmer):
            head["algorithm"] = analyzer.algorithm
    elif type(analyzer) is Lemmatizer and _is_default(analyzer):
        head = {"kind": "lemma"}
    return head


def _is_default(analyzer: Lemmatizer) -> bool:
    try:
        return analyzer is default_lemmatizer()
    except LookupError:
        return False


def analyzer_from(head: dict[str, Any], given: AnalyzerLike | None) -> Analyzer:
    """Return the analyzer that a file names, or the one that it could not keep and that was given again."""
    if head["kind"] == "own":
        if given is None:
            raise ValueError(
                f"the corpus was made with an analyzer of your own, {head['name']!r}, which a file cannot keep; "
                "give it again: load(path, analyzer=…)"
            )
        return choose_analyzer(given)
    if given is not None:
        raise ValueError(
            f"analyzer is {given!r:.60}, but the file itself says that the words are read by {head['kind']!r}; leave "
            "analyzer out. For another one make a new corpus, Corpus.from_texts(corpus.texts, analyzer)"
        )
    if head["kind"] == "lemma":
        return default_lemmatizer()
    pattern = None if head["pattern"] is None else re.compile(*head["pattern"])
    rule: dict[str, Any] = {"pattern": pattern, "lowercase": head["lowercase"]}
    return Stemmer(head["algorithm"], **rule) if head["kind"] == "stem" else Analyzer(**rule)


def counted_arrays(counted: Counted) -> dict[str, Any]:
    """Return counts, terms and n-grams as arrays."""
    counts = counted.counts
    keys = {f"keys_{level}": keys for level, keys in enumerate(counted.ngrams.keys)}
    cells = {"counts": counts.data, "counts_columns": counts.indices, "counts_starts": counts.indptr}
    return pack_texts("terms", counted.terms) | keys | cells


def counted_from(arrays: dict[str, Any], ngram_range: tuple[int, int]) -> Counted:
    """Return what `counted_arrays` was made of."""
    smallest, largest = ngram_range
    terms = unpack_texts("terms", arrays)
    ngrams = NGrams(len(terms), tuple(arrays[f"keys_{level}"] for level in range(largest - 1)))
    vocabulary, columns_of = named_columns(terms, ngrams, smallest)
    cells = arrays["counts"], arrays["counts_columns"], arrays["counts_starts"]
    counts = sparse.csr_array(cells, shape=(len(cells[2]) - 1, len(vocabulary)))
    return Counted(counts, vocabulary, terms, ngrams, columns_of)

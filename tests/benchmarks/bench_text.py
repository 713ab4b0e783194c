"""Texts to TF-IDF: ours against scikit-learn, same words, same counts.

Run it with ``python -m tests.benchmarks.bench_text`` or ``python tests/benchmarks/bench_text.py``.
"""

from __future__ import annotations

import re
import statistics
import time

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from semwork.text import Analyzer, Corpus

REPEATS = 5
# Our word rule for the peer, as simple as these texts allow: apostrophes inside words, no possessive 's.
SAME_WORDS = r"([^\W_]+(?:'(?!s\b)[^\W_]+)*)(?:'s\b)?"
# Makes texts with accents of English ones: 73 % of the definitions get one or more.
FINAL_E = re.compile(r"e\b")
PEERS_WORDS = r"(?u)\b\w\w+\b"


def definitions() -> tuple[str, list[str]]:
    """Return the WordNet definitions, or as many made-up ones when WordNet is not on this machine."""
    try:
        from semwork.datasets import load

        return "WordNet definitions", list(load("wordnet").definitions)
    except (ImportError, AttributeError, LookupError, OSError, RuntimeError) as reason:
        print(f"(made-up definitions instead of WordNet's: {str(reason).splitlines()[0]})")
    rng = np.random.default_rng(0)
    letters = np.array(list("etaoinshrdlu"))
    words = ["".join(rng.choice(letters, rng.integers(2, 11))) for _ in range(45_000)]
    ranks = np.minimum(rng.zipf(1.3, size=(117_659, 11)) - 1, len(words) - 1)
    return "made-up definitions", [", ".join(words[rank] for rank in row) + "." for row in ranks]


def interleaved(*jobs):
    """Return the median seconds of every job; the jobs take turns, so that a busy moment hits them all."""
    seconds = [[] for _ in jobs]
    for _ in range(REPEATS):
        for job, times in zip(jobs, seconds, strict=True):
            started = time.perf_counter()
            job()
            times.append(time.perf_counter() - started)
    return [statistics.median(times) for times in seconds]


def check_same_counts(texts, analyzer, pattern, ngram_range):
    """Stop when the two do not count the same words, since their times could not be compared then."""
    ours = Corpus.from_texts(texts, analyzer, min_count=1, weighting="count", ngram_range=ngram_range)
    peer = CountVectorizer(token_pattern=pattern, ngram_range=ngram_range)
    counts = peer.fit_transform(texts)
    assert ours.vocabulary.tolist() == peer.get_feature_names_out().tolist(), "not the same words"
    assert (ours.counts != counts).nnz == 0, "not the same counts"


def rows() -> list[dict]:
    """Measure; one dict per line of the table: name, ours, peer (seconds) and ratio (peer / ours)."""
    source, given = definitions()
    plain = [text for text in given if text.isascii()]
    accented = [FINAL_E.sub("é", text) for text in plain]
    cases = [
        ("our word rule", plain, Analyzer(), SAME_WORDS, (1, 1)),
        ("our word rule, words and pairs", plain, Analyzer(), SAME_WORDS, (1, 2)),
        ("our word rule, every final e an é", accented, Analyzer(), SAME_WORDS, (1, 1)),
        ("scikit-learn's token pattern", plain, Analyzer(pattern=PEERS_WORDS), PEERS_WORDS, (1, 1)),
    ]
    measured = []
    for name, texts, analyzer, pattern, ngram_range in cases:
        check_same_counts(texts, analyzer, pattern, ngram_range)

        def ours(texts=texts, analyzer=analyzer, ngram_range=ngram_range):
            return Corpus.from_texts(texts, analyzer, min_count=2, normalize=True, ngram_range=ngram_range).matrix

        def peer(texts=texts, pattern=pattern, ngram_range=ngram_range):
            return TfidfVectorizer(token_pattern=pattern, min_df=2, ngram_range=ngram_range).fit_transform(texts)

        mine, theirs = interleaved(ours, peer)
        label = f"text: {len(texts):,} {source}, {name}, against TfidfVectorizer"
        measured.append({"name": label, "ours": mine, "peer": theirs, "ratio": theirs / mine})
    return measured


def main() -> None:
    """Print the table."""
    print(f"{'ours s':>8} {'peer s':>8} {'ratio':>6}  median of {REPEATS} interleaved runs")
    for row in rows():
        print(f"{row['ours']:8.3f} {row['peer']:8.3f} {row['ratio']:5.1f}×  {row['name']}")


if __name__ == "__main__":
    main()

"""A very small WordNet and sentences parsed by hand, so that alignments are tested without data and without spaCy."""

from __future__ import annotations

import pytest

from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.word_similarity import WordNetSimilarity

# entity > animal > (dog, cat > kitten), entity > vehicle > car; as WordNet's own files have it.
NOUNS = """\
  1 a licence, indented
00000001 03 n 01 entity 0 000 | all there is
00000002 05 n 01 animal 0 001 @ 00000001 n 0000 | it lives
00000003 05 n 02 dog 0 hound 0 001 @ 00000002 n 0000 | it barks
00000004 05 n 01 cat 0 001 @ 00000002 n 0000 | it purrs
00000005 05 n 01 kitten 0 001 @ 00000004 n 0000 | a small one
00000006 06 n 01 vehicle 0 001 @ 00000001 n 0000 | it moves
00000007 06 n 01 car 0 001 @ 00000006 n 0000 | four wheels
"""
NOUN_INDEX = """\
  1 a licence, indented
entity n 1 0 1 0 00000001
animal n 1 1 @ 1 0 00000002
dog n 1 1 @ 1 0 00000003
hound n 1 1 @ 1 0 00000003
cat n 2 1 @ 2 0 00000004 00000007
kitten n 1 1 @ 1 0 00000005
vehicle n 1 1 @ 1 0 00000006
car n 1 1 @ 1 0 00000007
"""
VERBS = """\
00000001 30 v 01 move 0 000 01 + 02 00 | go
00000002 30 v 02 run 0 race 0 001 @ 00000001 v 0000 01 + 02 00 | go fast
00000003 30 v 01 sleep 0 000 01 + 02 00 | rest
"""
VERB_INDEX = """\
move v 1 0 1 0 00000001
run v 1 1 @ 1 0 00000002
race v 1 1 @ 1 0 00000002
sleep v 1 0 1 0 00000003
"""
COUNTS = """\
wnver::made up
1n 100 ROOT
2n 40
3n 10
4n 20
5n 5
6n 50
7n 25
1v 30 ROOT
2v 10
3v 10 ROOT
"""


@pytest.fixture(scope="session")
def small_wordnet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wordnet")
    (folder / "wordnet_ic").mkdir()
    for name, text in (
        ("data.noun", NOUNS),
        ("index.noun", NOUN_INDEX),
        ("data.verb", VERBS),
        ("index.verb", VERB_INDEX),
        ("wordnet_ic/counts.dat", COUNTS),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return WordNetSimilarity(folder, information="counts.dat")


def sentence(text, pos, labels, heads, names=None):
    words = tuple(text.split())
    assert len(words) == len(pos.split()) == len(labels.split()) == len(heads)
    return Parsed(words, words, tuple(pos.split()), tuple(labels.split()), tuple(heads), names or ("",) * len(words))


@pytest.fixture(scope="session")
def dog_sleeps():
    return sentence("the old dog sleep", "DET ADJ NOUN VERB", "det amod nsubj ROOT", [2, 2, 3, -1])


@pytest.fixture(scope="session")
def hound_sleeps():
    return sentence(
        "a hound sleep near the car", "DET NOUN VERB ADP DET NOUN", "det nsubj ROOT prep det pobj", [1, 2, -1, 2, 5, 3]
    )


@pytest.fixture(scope="session")
def cat_runs():
    return sentence("the cat run", "DET NOUN VERB", "det nsubj ROOT", [1, 2, -1])

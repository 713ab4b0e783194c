"""WordNet's similarities, by hand on a very small taxonomy and as published for the real one."""

from __future__ import annotations

import numpy as np
import pytest

from semwork.structures.tasks.word_pairs import WordPairs, spelling
from semwork.structures.tasks.word_similarity import WordNetSimilarity


def information(count, total=100):
    return np.log(total / count)


def test_path_counts_edges_and_lin_compares_information(small_wordnet):
    path, lin = small_wordnet.matrices(["dog", "kitten", "hound", "xyzzy"], ["cat", "vehicle", "dog"], "n")
    np.testing.assert_allclose(path[0], [1 / 3, 1 / 4, 1.0])
    expected = 2 * information(40) / (information(10) + information(20))
    np.testing.assert_allclose(lin[0], [expected, 0.0, 1.0])
    assert path[1, 0] == pytest.approx(1 / 2)
    assert path[1, 1] == pytest.approx(1 / 5)
    assert path[2, 2] == lin[2, 2] == 1.0, "one synset"
    assert not path[3].any()
    assert not lin[3].any()


def test_the_best_of_several_senses_counts(small_wordnet):
    path, _ = small_wordnet.matrices(["cat"], ["vehicle"], "n")
    assert path[0, 0] == pytest.approx(1 / 2), "the second sense of cat is a car"


def test_verbs_have_several_roots(small_wordnet):
    path, lin = small_wordnet.matrices(["run"], ["race", "move", "sleep"], "v")
    np.testing.assert_allclose(path[0], [1.0, 0.5, 0.0])
    assert lin[0, 0] == 1.0
    assert lin[0, 2] == 0.0


def test_an_unknown_part_of_speech_is_refused(small_wordnet):
    with pytest.raises(ValueError, match="pos must be one of 'n', 'v', got 'x'"):
        small_wordnet.matrices(["dog"], ["cat"], "x")


@pytest.mark.data("wordnet")
def test_the_real_taxonomy_gives_the_published_numbers():
    """Dog and cat, first senses: .2 and .8768 (counts of Brown without smoothing), as NLTK's documentation has it."""
    real = WordNetSimilarity(senses=1, information="ic-brown.dat")
    path, lin = real.matrices(["dog", "hit"], ["cat", "slap"], "n")
    assert path[0, 0] == pytest.approx(0.2)
    assert lin[0, 0] == pytest.approx(0.8768009843733973)
    path, _ = real.matrices(["hit"], ["slap"], "v")
    assert path[0, 0] == pytest.approx(1 / 7, abs=0.2)


def test_spelling_is_one_minus_the_relative_edit_distance():
    assert spelling(["kitten", "a"], ["sitting", "kitten", "b"]).round(4).tolist() == [
        [0.5714, 1.0, 0.0],
        [0.0, 0.0, 0.0],
    ]


def test_words_are_compared_within_their_part_of_speech(dog_sleeps, hound_sleeps, small_wordnet):
    words = WordPairs.of(dog_sleeps, hound_sleeps, small_wordnet)
    assert words.path[2, 1] == 1.0, "dog and hound share a synset"
    assert words.near[2, 1] == 1.0
    assert words.path[2, 2] == 0.0, "dog is a noun, sleep a verb"
    assert words.equal[3, 2] == 1.0
    assert ((words.near >= 0) & (words.near <= 1)).all()

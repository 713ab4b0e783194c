"""Guides: the romanisation table, what is left of it, and places."""

import numpy as np
import pytest

from semwork.structures import AlignThenLearn, FeatureIndex, best_structure
from semwork.structures.tasks.guides import GUIDES, TABLE, Guide, alike, guide_named
from semwork.structures.tasks.name_scores import guide_scores, name_scores
from semwork.structures.tasks.romanise import SCRIPTS
from semwork.structures.tasks.transliteration import letters, name_problem

ENGLISH, HEBREW = ["roma", "tokyo", "lima"], ["רומא", "טוקיו", "לימה"]


def test_the_full_table_is_the_default():
    assert guide_named("full table", "Hebrew") == TABLE
    found = TABLE.scores("rome", "רומא")
    assert found.tolist() == [[alike(one, two) for two in "רומא"] for one in "rome"]


def test_letters_that_are_not_in_the_table_are_left_alone():
    consonants = guide_named("consonants only", "Hebrew")
    assert consonants.unknown == frozenset("אעי")
    assert consonants.scores("ab", "אב").tolist() == [[-1, -1], [-1, 2]]
    halves = [guide_named("half of the table", "Hebrew", seed).unknown for seed in (0, 0, 1)]
    assert halves[0] == halves[1] != halves[2]
    assert len(halves[0]) == len(SCRIPTS["Hebrew"]) // 2
    with pytest.raises(ValueError, match="one of full table"):
        guide_named("whole", "Hebrew")


def test_without_a_table_letters_of_the_same_place_are_joined():
    problem = name_problem(("abcd", "אבגד"), guide=Guide(by_place=True)).compile(FeatureIndex())
    chosen = best_structure(problem, problem.heuristic).chosen
    assert [problem.labels[i] for i in np.flatnonzero(chosen)] == [(i, i) for i in range(4)]


@pytest.mark.parametrize("name", GUIDES)
def test_all_pairs_at_once_are_scored_as_one_by_one(name):
    guide = guide_named(name, "Hebrew")
    X, y = [(e, f) for e in ENGLISH for f in HEBREW], np.eye(3, dtype=int).ravel()

    def problem(pair):
        return name_problem(pair, guide=guide)

    model = AlignThenLearn(problem, random_state=0).fit(X, y)
    found = name_scores(model, ENGLISH, HEBREW, guide=guide)
    np.testing.assert_allclose(found.ravel(), model.decision_function(X), atol=1e-9)
    alone = []
    for pair in X:
        compiled = problem(pair).compile(FeatureIndex())
        best = best_structure(compiled, compiled.heuristic).value
        alone.append(10 * best / sum(len(letters(side)) for side in pair))
    np.testing.assert_allclose(guide_scores(guide, ENGLISH, HEBREW).ravel(), alone, atol=1e-9)

"""Graphs of two sentences: the constraints of the paper, and a solver that is equal to the integer program."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from semwork.structures import LCLR, AlignThenLearn, best_structure
from semwork.structures.tasks.graphs import GraphProblems
from semwork.structures.tasks.parsing import Parsed
from semwork.structures.tasks.sentences import GENERAL, extended, general_features


def joined(problem, chosen, what="words"):
    return {problem.labels[place][1:] for place in np.flatnonzero(chosen) if problem.labels[place][0] == what}


@pytest.mark.slow
@pytest.mark.parametrize("delete", ["both", "right"])
@pytest.mark.parametrize("alike", [0.0, 0.3])
def test_the_solver_is_equal_to_the_integer_program(delete, alike, dog_sleeps, hound_sleeps, cat_runs, small_wordnet):
    make = GraphProblems(delete, alike, wordnet=small_wordnet)
    random = np.random.default_rng(0)
    for pair in ((dog_sleeps, hound_sleeps), (hound_sleeps, cat_runs), (cat_runs.doubled(), dog_sleeps)):
        problem = make(pair)
        for _ in range(8):
            scores = random.normal(-0.2, 1, problem.size)
            fast = best_structure(problem, scores)
            slow = best_structure(problem, scores, use_solver=False, relax=False)
            assert fast.how == "solver"
            assert fast.value == pytest.approx(slow.value, abs=1e-7)
            kept = problem.limits.matrix @ fast.chosen
            assert (kept >= problem.limits.low - 1e-9).all(), "all constraints hold"
            assert (kept <= problem.limits.high + 1e-9).all()


def test_the_heuristic_joins_words_that_are_alike(dog_sleeps, hound_sleeps, small_wordnet):
    problem = GraphProblems(wordnet=small_wordnet)((dog_sleeps, hound_sleeps))
    chosen = best_structure(problem, problem.heuristic).chosen
    assert joined(problem, chosen) == {(0, 4), (2, 1), (3, 2)}
    assert joined(problem, chosen, "edges") == {(2, 1)}, "the subject's edge follows its ends"
    assert joined(problem, chosen, "delete left") == {(1,)}


def test_only_the_hypothesis_is_deleted_at_a_cost(dog_sleeps, hound_sleeps, small_wordnet):
    both = GraphProblems("both", wordnet=small_wordnet)((dog_sleeps, hound_sleeps))
    right = GraphProblems("right", wordnet=small_wordnet)((dog_sleeps, hound_sleeps))
    kinds = [{label[0] for label in problem.labels} for problem in (both, right)]
    assert kinds[0] - kinds[1] == {"delete left", "delete left edge", "delete right edge"}


def test_every_part_has_its_features(dog_sleeps, hound_sleeps, small_wordnet):
    make = GraphProblems(wordnet=small_wordnet)
    problem = make((dog_sleeps, hound_sleeps))
    scale = 10 / max(len(dog_sleeps), len(hound_sleeps))
    place = list(problem.labels).index(("words", 2, 1))
    row = problem.features[[place]].toarray()[0]
    found = {name: value / scale for name, value in zip(make.feature_names, row, strict=True) if value}
    assert found[("map", "noun")] == pytest.approx(1)
    assert found[("map path", "noun")] == pytest.approx(1)
    assert ("map equal", "noun") not in found
    assert found[("map kind", "very near")] == found[("map depth", 1)] == pytest.approx(1)
    assert found[("map apart", "content")] == pytest.approx(2 / 3 - 1 / 5)
    assert ("map apart", "function") not in found
    place = list(problem.labels).index(("delete left", 2))
    row = problem.features[[place]].toarray()[0]
    found = {name: value / scale for name, value in zip(make.feature_names, row, strict=True) if value}
    wanted = {("delete", "noun"), ("delete", "though known on the other side"), ("delete label", "subject"),
              ("delete depth", 1)}  # fmt: skip
    assert set(found) == wanted


def test_both_learners_learn_which_sentences_say_the_same(dog_sleeps, hound_sleeps, cat_runs, small_wordnet):
    make = GraphProblems(wordnet=small_wordnet)
    X = [(dog_sleeps, hound_sleeps), (cat_runs, cat_runs), (dog_sleeps, cat_runs), (cat_runs, hound_sleeps)]
    y = [1, 1, -1, -1]
    for learner in (AlignThenLearn(make, 0.01), LCLR(make, 0.01)):
        learner.fit(X, y)
        assert learner.predict(X).tolist() == y
        assert learner.top_features(2)["feature"].iloc[0] in make.feature_names
    path = learner.objective_path_
    assert all(after <= before * (1 + 1e-6) for before, after in itertools.pairwise(path))


def test_general_features_are_part_of_every_structure(dog_sleeps, hound_sleeps, small_wordnet):
    make = GraphProblems("both", 0.35, general_features, GENERAL, small_wordnet)
    problem = make((dog_sleeps, dog_sleeps))
    values = dict(zip(make.feature_names, problem.always.toarray()[0].tolist(), strict=True))
    assert values["bias"] == 1
    assert values["general", "2-grams of words in common, smaller share"] == 1
    assert values["general", "difference of lengths"] == 0
    assert set(general_features(dog_sleeps, hound_sleeps)) == set(GENERAL)


def test_words_that_are_not_alike_cannot_be_mapped(dog_sleeps, hound_sleeps, small_wordnet):
    everything = GraphProblems(alike=0.0, wordnet=small_wordnet)((dog_sleeps, hound_sleeps))
    some = GraphProblems(alike=0.9, wordnet=small_wordnet)((dog_sleeps, hound_sleeps))
    kinds = [[label for label in problem.labels if label[0] == "words"] for problem in (everything, some)]
    assert len(kinds[0]) == 24
    assert kinds[1] == [("words", 0, 4), ("words", 2, 1), ("words", 3, 2)]
    lonely = GraphProblems(alike=1.1, wordnet=small_wordnet)((dog_sleeps, hound_sleeps))
    assert joined(lonely, best_structure(lonely, lonely.heuristic).chosen) == set(), "nothing at all can be mapped"


def test_a_doubled_sentence_is_a_forest_of_two(dog_sleeps, hound_sleeps):
    left, right = extended((dog_sleeps, hound_sleeps))
    assert left is dog_sleeps
    assert len(right) == 12
    assert right.heads[6:] == (7, 8, -1, 8, 11, 9)


def test_bad_input_is_refused_in_words(dog_sleeps, small_wordnet):
    empty = Parsed((), (), (), (), (), ())
    with pytest.raises(ValueError, match="the right sentence has no words"):
        GraphProblems(wordnet=small_wordnet)((dog_sleeps, empty))
    with pytest.raises(ValueError, match="delete must be 'both' or 'right', got 'left'"):
        GraphProblems("left")
    broken = GraphProblems("both", 0.35, lambda *_: {"x": float("nan")}, ("x",), small_wordnet)
    with pytest.raises(ValueError, match="features must be finite"):
        broken((dog_sleeps, dog_sleeps))

"""Names: letters, the rule for transliterated ones, and alignments by dynamic programming against the ILP."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, milp

from semwork.structures import LCLR, AlignThenLearn, FeatureIndex, best_structure
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.romanise import romanise, script_of
from semwork.structures.tasks.transliteration import Names, letters, name_problem, ranked, transliterated_names

words = st.text(alphabet="abcd", min_size=1, max_size=5)


@pytest.mark.parametrize("crossing", [False, True])
@pytest.mark.parametrize("one_to_one", [True, False])
@settings(max_examples=30, deadline=None)
@given(words, words, st.integers(0, 1000))
def test_own_solvers_find_what_the_integer_program_finds(one_to_one, crossing, left, right, seed):
    problem = name_problem((left, right), one_to_one=one_to_one, crossing=crossing).compile(FeatureIndex())
    scores = np.random.default_rng(seed).normal(size=problem.size)
    quick, exact = best_structure(problem, scores), best_structure(problem, scores, use_solver=False, relax=False)
    assert quick.how == "solver"
    assert exact.how == ("integer program" if len(problem.limits.low) else "solver")
    assert quick.value == pytest.approx(exact.value, abs=1e-9)
    if not len(problem.limits.low):
        assert milp(-scores, integrality=1, bounds=Bounds(0, 1)).fun == pytest.approx(-quick.value, abs=1e-9)
    sums = problem.limits.matrix @ quick.chosen
    assert ((sums >= problem.limits.low) & (sums <= problem.limits.high)).all()


def test_letters_and_scripts():
    assert letters("São Tomé") == tuple("saotome")
    assert letters("ג׳ון-1") == ("ג", "׳", "ו", "ן")
    assert len(letters("서울")) == 5
    assert letters("हिन्दी") == ("ह", "ि", "न", "्", "द", "ी")
    assert [script_of(name) for name in ("Москва", "Αθήνα", "Rome")] == ["Cyrillic", "Greek", None]
    assert romanise("ш") == "sh"
    assert romanise("é") == "e"


def test_translated_names_are_left_out():
    names = transliterated_names("he")
    pairs = dict(zip(names.english, names.foreign, strict=True))
    assert len(names) > 550
    assert "Bamako" in pairs
    assert "States" not in pairs
    with pytest.raises(ValueError, match="its script may be Latin"):
        transliterated_names("vo")


def test_examples_are_all_pairs_and_a_share_of_the_false_ones():
    names = transliterated_names("ru")
    train, test = names.split(30, 1)
    assert (len(train), len(test)) == (30, len(names) - 30)
    pairs, labels = train.examples(0.1, 0)
    assert labels[:30].tolist() == [1] * 30
    assert len(labels) - 30 == pytest.approx(87, abs=1)
    right = dict(zip(train.english, train.foreign, strict=True))
    assert all(
        (right[english] == foreign) == (label == 1) for (english, foreign), label in zip(pairs, labels, strict=True)
    )
    with pytest.raises(ValueError, match="from 1 to"):
        names.split(0, 0)


def test_ranks_count_equal_scores_as_better_but_not_equal_names():
    found = ranked(np.array([[2.0, 1.0, 2.0], [0.0, 3.0, 1.0], [5.0, 0.0, 5.0]]), "abc", ["x", "y", "x"])
    assert found.places.tolist() == [1, 1, 1]
    tied = ranked(np.array([[2.0, 2.0], [0.0, 3.0]]), "ab", ["x", "y"])
    assert (tied.places.tolist(), tied.accuracy, tied.mrr) == ([2, 1], 0.5, 0.75)


def test_joint_learning_ranks_names_at_least_as_well():
    names = Names(
        "ru", *(side[:120] for side in (transliterated_names("ru").english, transliterated_names("ru").foreign))
    )
    train, test = names.split(60, 0)
    X, y = train.examples(0.05, 0)
    found = {}
    for model in (AlignThenLearn(name_problem, random_state=0), LCLR(name_problem, max_iter=4, random_state=0)):
        model.fit(X, y)
        scores = np.array([model.decision_function([(e, f) for f in test.foreign[:30]]) for e in test.english[:30]])
        if isinstance(model, LCLR):
            np.testing.assert_allclose(name_scores(model, test.english[:30], test.foreign[:30]), scores, atol=1e-9)
        found[type(model).__name__] = ranked(scores, test.english[:30], test.foreign[:30]).mrr
    assert found["LCLR"] > 0.7
    assert found["LCLR"] >= found["AlignThenLearn"] - 0.05
    [table] = model.structures([(test.english[0], test.foreign[0])])
    joined = [part for part in table["part"] if None not in part]
    assert joined == sorted(joined)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [LCLR, AlignThenLearn])
@pytest.mark.parametrize(("one_to_one", "crossing"), [(True, True), (False, False), (False, True), (True, False)])
def test_all_scores_at_once_are_the_learners_under_any_rules(learner, one_to_one, crossing):
    kept = {"one_to_one": one_to_one, "crossing": crossing}
    train, test = transliterated_names("el").split(20, 0)
    model = learner(functools.partial(name_problem, **kept), random_state=0).fit(*train.examples(0.05, 0))
    one, two = test.english[:6], test.foreign[:8]
    single = np.array([model.decision_function([(english, foreign) for foreign in two]) for english in one])
    np.testing.assert_allclose(name_scores(model, one, two, **kept), single, atol=1e-9)


def test_names_without_letters_are_refused():
    with pytest.raises(ValueError, match="'12' has no letters"):
        name_problem(("Rome", "12"))
    with pytest.raises(ValueError, match="'12' has no letters"):
        name_scores(LCLR(name_problem).fit([("ab", "ab"), ("ab", "cd")], [1, 0]), ["ab"], ["12"])

"""Names of one language, learnt step by step."""

import numpy as np
import pytest

from semwork.steps import last
from semwork.structures import AlignThenLearn
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.transliteration import ranked, transliterated_names
from semwork.studies import NameAlignments, NameSettings
from semwork.studies.name_fields import LANGUAGES, feature_kind, feature_name, shown_letter
from semwork.studies.study import NoAnswer

SETTINGS = NameSettings(training=40, share=0.02, seed=1)


@pytest.fixture(scope="module")
def study():
    return NameAlignments(transliterated_names("el"), max_iter=4)


@pytest.fixture(scope="module")
def steps(study):
    return list(study.steps(SETTINGS))


def test_iterations_come_one_by_one_and_the_objective_falls(steps):
    assert [len(step.iterations) for step in steps] == list(range(1, len(steps) + 1))
    assert [step.done for step in steps] == list(range(1, len(steps) + 1))
    history = steps[-1].history
    assert list(history) == ["iteration", "objective", "changed", "accuracy", "mrr"]
    assert (np.diff(history["objective"]) <= 0.05).all()
    assert history["objective"].iloc[-1] < history["objective"].iloc[0]
    assert history["changed"].iloc[0] == 1
    assert f"{history['accuracy'].iloc[-1]:.1%}" in steps[-1].message
    assert steps[-1].at(None) is steps[-1].at(99) is steps[-1].iterations[-1]


def test_a_run_that_was_finished_is_shown_at_once(study, steps):
    assert list(study.steps(SETTINGS)) == [steps[-1]]


def test_the_two_stage_system_is_that_of_align_then_learn(study, steps):
    test = steps[-1].test
    model = AlignThenLearn(SETTINGS.problem, 1.0, random_state=0).fit(*study.examples(SETTINGS))
    scores = name_scores(model, test.english, test.foreign)
    assert ranked(scores, test.english, test.foreign).mrr == pytest.approx(steps[-1].two_stage.mrr, abs=0.01)


def test_joined_parts_add_up_and_obey_the_rules(study, steps):
    end = steps[-1]
    for english, foreign in list(zip(end.test.english, end.test.foreign, strict=True))[:5]:
        for iteration in (0, None):
            found = study.joined(end, english, foreign, iteration)
            weights = end.at(iteration).weights
            bias = weights[end.names.index("bias")]
            assert found.edges["score"].sum() + bias == pytest.approx(found.value)
            joins = found.edges[found.edges["kind"] == "joined"]
            assert joins["left"].is_monotonic_increasing
            assert joins["right"].is_monotonic_increasing
            assert joins["left"].is_unique
            assert (found.edges["left"] >= 0).sum() == len(found.left)
            assert (found.edges["right"] >= 0).sum() == len(found.right)
    place = end.test.english.index(english)
    assert found.value == pytest.approx(end.at(None).right[place])
    told = found.edges["why"].iloc[0]
    assert sum(float(part.split()[-1]) for part in told.split(", ")) == pytest.approx(
        found.edges["score"].iloc[0], abs=2e-3
    )
    assert "never seen in training" in study.joined(end, "zz", "щщ").edges["why"].tolist()[0]


def test_mistakes_have_a_rival_with_a_score_at_least_as_good(study, steps):
    end = steps[-1]
    found = study.mistakes(end)
    table = found.mistakes
    assert found.title.startswith(f"{len(table)} of 300 names")
    assert len(table) == (end.at(None).ranked.places > 1).sum() > 0
    assert (table["rival score"] >= table["score"]).all()
    assert (table["rival"] != table["foreign"]).all()
    worst = table.iloc[0]
    assert study.joined(end, worst["english"], worst["rival"]).value == pytest.approx(worst["rival score"])
    assert (table["score"] - table["rival score"]).is_monotonic_increasing


def test_weights_are_the_largest_and_the_smallest(study, steps):
    table = study.weights(steps[-1]).weights
    assert len(table) == 24
    assert table["weight"].is_monotonic_decreasing
    assert table["weight"].iloc[0] == steps[-1].at(None).weights.max()
    assert table["weight"].iloc[-1] == steps[-1].at(None).weights.min()


@pytest.mark.parametrize(("one_to_one", "crossing"), [(False, True), (True, True), (False, False)])
def test_without_a_rule_letters_are_joined_against_it(one_to_one, crossing):
    study = NameAlignments(transliterated_names("el"), max_iter=1)
    end = last(study.steps(NameSettings(training=25, share=0.02, one_to_one=one_to_one, crossing=crossing)))
    rows = [study.joined(end, *pair).edges for pair in zip(end.test.english, end.test.foreign, strict=True)]
    joins = [edges[edges["kind"] == "joined"].sort_values(["left", "right"]) for edges in rows]
    assert all(edges["left"].is_unique for edges in joins) == one_to_one
    assert all(edges["right"].is_monotonic_increasing for edges in joins) != crossing
    place = 3
    assert study.joined(end, end.test.english[place], end.test.foreign[place]).value == pytest.approx(
        end.at(None).right[place]
    )


def test_names_of_features_and_letters():
    assert [feature_kind(name) for name in (("a", "α"), ("^a", "^α"), ("", "α"), "bias")] == [
        "letters",
        "two letters each",
        "left alone",
        "bias",
    ]
    assert feature_name(("^a", "^α")) == "^a – ^α"
    assert feature_name(("", "ि")) == "alone ◌ि"
    assert shown_letter("α") == "α"


def test_known_spellings_and_languages(study):
    assert study.spelling(" rome ") is None or study.spelling("Rome") == study.spelling(" rome ")
    assert study.spelling(study.names.english[0].upper()) == study.names.foreign[0]
    assert study.spelling("Xyzzy") is None
    for code in LANGUAGES:
        assert len(transliterated_names(code)) > 700
    with pytest.raises(ValueError, match="training is 5000; here it can be 2 to 400"):
        next(study.steps(NameSettings(training=5000)))


def test_an_alignment_takes_the_known_spelling_or_says_what_is_missing(study, steps):
    end, (english, foreign) = steps[-1], (study.names.english[0], study.names.foreign[0])
    found = study.alignment(end, f" {english} ")
    value = study.joined(end, english, foreign).value
    assert found.title.startswith(f"{english} – {foreign}: score {value:+.2f}, ")
    assert found.title.endswith("the same name")
    assert study.alignment(end, english, "ρο", iteration=0).right == ("ρ", "ο")
    with pytest.raises(NoAnswer, match="there is no “Xyzzy” among these names: type its spelling"):
        study.alignment(end, "Xyzzy")
    with pytest.raises(NoAnswer, match="the name '12' has no letters"):
        study.alignment(end, english, "12")


def test_learning_is_told_for_the_iteration_that_is_asked_for(study, steps):
    end = steps[-1]
    assert study.learning(end, 0).title.startswith("After the start: ")
    found = study.learning(end, 99)
    assert found.iteration == len(end.iterations) - 1
    assert found.title.startswith(f"After iteration {found.iteration}: {end.at().ranked.accuracy:.1%}")
    assert found.two_stage == {"accuracy": end.two_stage.accuracy, "mrr": end.two_stage.mrr}
    assert study.table(end).equals(end.history)

"""The study behind the lesson on latent alignments."""

import numpy as np
import pytest

from semwork.steps import last
from semwork.structures import AlignThenLearn
from semwork.structures.study import LANGUAGES, NameStudy, feature_kind, feature_name, shown_letter
from semwork.structures.tasks.name_scores import name_scores
from semwork.structures.tasks.transliteration import ranked, transliterated_names


@pytest.fixture(scope="module")
def study():
    return NameStudy("el", training=40, share=0.02, seed=1)


@pytest.fixture(scope="module")
def steps(study):
    return list(study.steps(max_iter=4))


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
    assert list(study.steps(max_iter=4)) == [steps[-1]]


def test_the_two_stage_system_is_that_of_align_then_learn(study, steps):
    model = AlignThenLearn(study.problem, 1.0, random_state=0).fit(*study.examples())
    scores = name_scores(model, study.test.english, study.test.foreign)
    assert ranked(scores, study.test.english, study.test.foreign).mrr == pytest.approx(
        steps[-1].two_stage.mrr, abs=0.01
    )


def test_joined_parts_add_up_and_obey_the_rules(study, steps):
    end = steps[-1]
    for english, foreign in list(zip(study.test.english, study.test.foreign, strict=True))[:5]:
        for iteration in (0, None):
            found = end.joined(english, foreign, iteration)
            weights = end.at(iteration).weights
            bias = weights[end.index.columns["bias"]]
            assert found.edges["score"].sum() + bias == pytest.approx(found.value)
            joins = found.edges[found.edges["kind"] == "joined"]
            assert joins["left"].is_monotonic_increasing
            assert joins["right"].is_monotonic_increasing
            assert joins["left"].is_unique
            assert (found.edges["left"] >= 0).sum() == len(found.left)
            assert (found.edges["right"] >= 0).sum() == len(found.right)
    place = study.test.english.index(english)
    assert found.value == pytest.approx(end.at(None).right[place])
    told = found.edges["why"].iloc[0]
    assert sum(float(part.split()[-1]) for part in told.split(", ")) == pytest.approx(
        found.edges["score"].iloc[0], abs=2e-3
    )
    assert "never seen in training" in end.joined("zz", "щщ").edges["why"].tolist()[0]


def test_mistakes_have_a_rival_with_a_score_at_least_as_good(study, steps):
    end = steps[-1]
    table = end.mistakes()
    assert len(table) == (end.at(None).ranked.places > 1).sum() > 0
    assert (table["rival score"] >= table["score"]).all()
    assert (table["rival"] != table["foreign"]).all()
    worst = table.iloc[0]
    assert end.joined(worst["english"], worst["rival"]).value == pytest.approx(worst["rival score"])
    assert (table["score"] - table["rival score"]).is_monotonic_increasing


def test_weights_are_the_largest_and_the_smallest(steps):
    table = steps[-1].weights(n=5)
    assert len(table) == 10
    assert table["weight"].is_monotonic_decreasing
    assert table["weight"].iloc[0] == steps[-1].at(None).weights.max()
    assert table["weight"].iloc[-1] == steps[-1].at(None).weights.min()


@pytest.mark.parametrize(("one_to_one", "crossing"), [(False, True), (True, True), (False, False)])
def test_without_a_rule_letters_are_joined_against_it(one_to_one, crossing):
    study = NameStudy("el", training=25, share=0.02, one_to_one=one_to_one, crossing=crossing)
    end = last(study.steps(max_iter=1))
    rows = [end.joined(*pair).edges for pair in zip(study.test.english, study.test.foreign, strict=True)]
    joins = [edges[edges["kind"] == "joined"].sort_values(["left", "right"]) for edges in rows]
    assert all(edges["left"].is_unique for edges in joins) == one_to_one
    assert all(edges["right"].is_monotonic_increasing for edges in joins) != crossing
    place = 3
    assert end.joined(study.test.english[place], study.test.foreign[place]).value == pytest.approx(
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
    with pytest.raises(ValueError, match="training must be"):
        NameStudy("el", training=5000)

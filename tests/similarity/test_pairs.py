"""Pairs of sentences: what is predicted, how it is judged, and the walk along w_m."""

from __future__ import annotations

import math

import numpy as np
import pytest

from semwork import datasets
from semwork.datasets import load
from semwork.datasets.records import sentence_pairs
from semwork.evaluation import pearson, spearman
from semwork.similarity import (
    LSA,
    WTMF,
    LDAVectors,
    NGramOverlap,
    PairTask,
    SentenceSpace,
    TfidfCosine,
    WordAverage,
)
from semwork.similarity.pairs import correlations_by_set
from semwork.steps import last
from semwork.studies import training_texts

TEXTS = ["a bank lends money", "money lies in the bank", "a river has a bank", "fish swim in the river"] * 2


def pairs_of(scores, groups=None, left=None, right=None):
    n = len(scores)
    return sentence_pairs(
        "own",
        left or ["money in the bank", "a river", "fish swim", "money"][:n],
        right or ["the bank lends", "fish in the river", "a bank lends money", "money"][:n],
        scores,
        ["test"] * n,
        groups or [""] * n,
    )


@pytest.fixture
def task():
    return PairTask.from_pairs(pairs_of([3, 4, 0, 5]), TEXTS, min_count=1)


@pytest.fixture(scope="module")
def sample_task():
    return PairTask.from_pairs(load("sample").pairs, training_texts("sample"))


def small(weight=0.05, seed=0, iterations=12):
    return WTMF(20, missing_weight=weight, regularization=5, max_iter=iterations, random_state=seed)


@pytest.mark.parametrize(
    "model",
    [
        WTMF(2, regularization=0.1, random_state=0),
        TfidfCosine(),
        LSA(2, random_state=0),
        LDAVectors(2, max_iter=5, random_state=0),
        NGramOverlap(),
        WordAverage(
            datasets.WordVectors("tiny", ["bank", "money", "river", "fish"], np.eye(4, 3, dtype=np.float32)),
            remove_component=False,
        ),
    ],
    ids=lambda model: type(model).__name__,
)
def test_predictions_are_those_of_the_model_for_each_pair(task, model):
    space = SentenceSpace(task.corpus, model).fit()
    predicted = task.predict(model)
    np.testing.assert_allclose(predicted, space.similarity(task.pairs.left, task.pairs.right), atol=1e-6)
    assert predicted[3] == pytest.approx(1, abs=1e-6), "a sentence and itself"


def test_sides_can_be_exchanged(task):
    model = WTMF(2, regularization=0.1, random_state=0).fit(task.corpus.matrix)
    turned = task.with_pairs(pairs_of([3, 4, 0, 5], left=task.pairs.right, right=task.pairs.left))
    assert turned.corpus is task.corpus
    np.testing.assert_allclose(turned.predict(model), task.predict(model), atol=1e-6)


def test_every_step_of_the_fit_is_judged(task):
    model = WTMF(2, regularization=0.1, max_iter=3, random_state=0)
    steps = list(task.steps(model))
    assert [(step.done, step.total) for step in steps] == [(1, 3), (2, 3), (3, 3)]
    end = steps[-1]
    np.testing.assert_array_equal(end.predicted, task.predict(model))
    assert end.pearson == pearson(task.pairs.scores, end.predicted)
    assert end.spearman == spearman(task.pairs.scores, end.predicted)
    assert end.sets is None
    assert end.message.startswith(f"r {end.pearson:.3f}, ρ {end.spearman:.3f} · objective")
    assert not np.array_equal(steps[0].predicted, end.predicted), "an earlier step keeps its own predictions"


def test_options_reach_the_model(task):
    fitted = WTMF(2, regularization=0.1, random_state=0).fit(task.corpus.matrix)
    warm = WTMF(2, regularization=0.1, max_iter=1, random_state=9)
    step = last(task.steps(warm, start=fitted.components_))
    np.testing.assert_allclose(step.predicted, task.predict(fitted), atol=0.02)


def test_groups_are_scored_as_in_semeval(task):
    grouped = task.with_pairs(pairs_of([3, 4, 0, 5], ["a", "a", "b", "b"]))
    step = grouped.judge([0.1, 0.5, 0.2, 0.9])
    assert dict(step.sets.sets) == {"a": pytest.approx(1), "b": pytest.approx(1)}
    assert step.sets.all == step.pearson
    assert (step.done, step.total, step.message) == (1, 1, f"r {step.pearson:.3f}, ρ {step.spearman:.3f}")


def test_equal_predictions_have_no_correlation(task):
    step = task.judge([0.5] * 4)
    assert math.isnan(step.pearson)
    assert math.isnan(step.spearman)
    grouped = task.with_pairs(pairs_of([3, 4, 0, 5], ["a", "a", "b", "b"]))
    assert grouped.judge([0.1, 0.1, 0.2, 0.9]).sets is None, "the predictions of group a are all equal"


def test_the_sample_teaches_what_the_paper_says(sample_task):
    words = last(sample_task.steps(TfidfCosine()))
    learnt = last(sample_task.steps(small()))
    assert learnt.pearson > words.pearson + 0.02
    assert set(learnt.sets.sets) == {"scenes", "facts", "news"}


def test_correlations_set_by_set_are_those_of_each_set_alone(sample_task):
    model = small(0.05, 3, iterations=2)
    alone = last(sample_task.steps(model))
    found = correlations_by_set(sample_task, sample_task.predict(model))
    assert list(found) == ["", "scenes", "facts", "news"]
    assert found[""] == {"pearson": alone.pearson, "spearman": alone.spearman}
    facts = sample_task.with_pairs(sample_task.pairs.subset("facts"))
    assert found["facts"] == correlations_by_set(facts, facts.predict(model))[""]
    news = spearman(sample_task.pairs.scores[120:], alone.predicted[120:])
    assert found["news"]["spearman"] == pytest.approx(news)


def test_a_side_that_is_constant_has_no_correlation(sample_task):
    found = correlations_by_set(sample_task, np.zeros(len(sample_task.pairs)))
    assert all(math.isnan(value) for both in found.values() for value in both.values())


@pytest.mark.data("wordnet", "brown")
def test_training_texts_of_real_data_join_headwords_definition_and_examples():
    from semwork.datasets import load
    from semwork.text import Analyzer

    wordnet, brown, words = load("wordnet"), load("brown"), Analyzer()
    texts = training_texts("WordNet + Brown")
    assert len(texts) == len(wordnet.definitions) + len(brown.texts)
    assert texts[len(wordnet.definitions) :] == list(brown.texts)
    for sense in range(0, len(wordnet.definitions), 97):
        parts = [*wordnet.headwords[sense], wordnet.definitions[sense], *wordnet.examples[sense]]
        assert words(texts[sense]) == words(" ".join(parts))


def test_unknown_training_texts_are_named():
    with pytest.raises(ValueError, match=r"'brown'; there are 'sample', 'WordNet \+ Brown'"):
        training_texts("brown")
